import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { ServiceError } from '../../contract/service-error.ts'
import { Slots } from '../../model/slots.ts'

/** The organisation for whose request the present work is done. */
export const requestingOrganisation = new AsyncLocalStorage<string>()

/**
 * Lets requests of one organisation have at most this many connections of a pool at a time: those that wait for each other, such as for
 * one migration, would otherwise take all of them (S25).
 */
export function shareConnections(pool: pg.Pool, atOnce: number, patienceMs: number): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  /** By organisation; only those with a connection. */
  const shares = new Map<string, Slots>()
  async function connectFor(organisationId: string): Promise<pg.PoolClient> {
    const share = shares.get(organisationId) ?? new Slots(atOnce)
    shares.set(organisationId, share)
    // A timer for each statement would take longer than the rest of this.
    const tooLate = share.isFull ? AbortSignal.timeout(patienceMs) : undefined
    const connected = Promise.withResolvers<pg.PoolClient>()
    const used = share.take(async () => {
      const client = await connect()
      const { release } = client
      const released = Promise.withResolvers<void>()
      // The pool sets it again for each use.
      client.release = (error) => {
        release(error)
        released.resolve()
      }
      connected.resolve(client)
      await released.promise
    }, tooLate)
    used
      .catch((error) => connected.reject(tooLate?.aborted ? tooManyWait(atOnce) : error))
      .finally(() => share.isIdle && shares.delete(organisationId))
    return connected.promise
  }
  const shared = () => {
    const organisationId = requestingOrganisation.getStore()
    return organisationId === undefined ? connect() : connectFor(organisationId)
  }
  pool.connect = shared as typeof pool.connect
}

function tooManyWait(atOnce: number): ServiceError {
  return new ServiceError(
    'unavailable',
    `Your organisation has ${atOnce} requests under way that wait for the database. Try again in a few seconds.`,
    { retryAfterSeconds: 5 },
  )
}
