import type { StoreAccess } from '../../entities/core/calls.ts'
import type { OpenRun } from './open-run.ts'

/** Time-out for one file: long enough for a theme of 50 MB over a slow connection. */
const patienceMs = 120_000

/** The access to both stores that an entity gets for a call that takes more than one request. */
export function storeAccessOf({ source, destination, outbound, lease, clock, log }: OpenRun): StoreAccess {
  const signal = lease.stop
  return {
    source: {
      get: (path, query) => source.get(path, query, { signal }),
      write: (request) => source.write({ ...request, signal }),
    },
    destination: { get: (path, query) => destination.get(path, query, { signal }) },
    wait: (ms) => clock.sleep(ms, signal),
    fetch: async (url, maxBytes) => {
      try {
        const { httpStatus, body } = await outbound({ url, maxBytes, timeoutMs: patienceMs, redirects: 3, signal })
        return httpStatus === 200 ? body : null
      } catch (error) {
        signal.throwIfAborted()
        log.info({ err: error }, 'a file could not be fetched')
        return null
      }
    },
  }
}
