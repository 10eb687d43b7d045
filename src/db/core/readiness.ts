import type { Clock } from '../../clock.ts'
import type { Database } from './database.ts'
import { isSchemaCurrent } from './migrate.ts'

/** Whether this process can do its work. */
export interface Readiness {
  /** PostgreSQL answers, and has every migration of this version. Never throws. */
  isReady(): Promise<boolean>
  /** The process shuts down: it is not ready any more. */
  end(): void
}

/** Anyone may ask, as often as they like: an answer serves all callers for so long. */
const freshMs = 1_000
/** A probe of Kubernetes gives up after a second by default. */
const deadlineMs = 900

export function createReadiness({ database, clock }: { database: Database; clock: Clock }): Readiness {
  let ended = false
  let last = { atMs: -Infinity, ready: false }
  let query: Promise<boolean> | undefined
  // One query at a time: with a database that hangs, probes must not take all connections.
  async function ask(): Promise<boolean> {
    const ready = await isSchemaCurrent(database).catch(() => false)
    last = { atMs: clock.monotonicMs(), ready }
    query = undefined
    return ready
  }
  async function isReady(): Promise<boolean> {
    if (clock.monotonicMs() - last.atMs < freshMs) return last.ready
    query ??= ask()
    const answered = new AbortController()
    const tooLate = clock.sleep(deadlineMs, answered.signal).catch(() => undefined)
    const ready = await Promise.race([query, tooLate.then(() => false)])
    answered.abort()
    return ready
  }
  return {
    isReady: async () => !ended && (await isReady()) && !ended,
    end: () => {
      ended = true
    },
  }
}
