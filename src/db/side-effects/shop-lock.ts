import { sql } from 'kysely'
import { systemClock } from '../../clock.ts'
import { type Database, type InTransaction, idleInTransactionMs } from '../core/database.ts'

/**
 * Lets only one process at a time change settings or give back stock at a shop: a starting run waits for a host that
 * cleans up.
 */
export async function withShopLock<T>(database: Database, storeHash: string, work: () => Promise<T>): Promise<T> {
  return database.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${keyOf(storeHash)})`.execute(tx)
    return whileHeld(tx, work)
  })
}

/** Does nothing if another process has the lock. */
export async function withShopLockIfFree(
  database: Database,
  storeHash: string,
  work: () => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      free: boolean
    }>`select pg_try_advisory_xact_lock(${keyOf(storeHash)}) as free`.execute(tx)
    if (rows[0]?.free) await whileHeld(tx, work)
  })
}

function keyOf(storeHash: string) {
  return sql`hashtextextended(${`side effects at ${storeHash}`}, 0)`
}

async function whileHeld<T>(tx: InTransaction, work: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const held = keepHeld(tx, over.signal)
  try {
    return await work()
  } finally {
    over.abort()
    await held
  }
}

/**
 * Keeps the lock's transaction alive: the database ends one that is idle for `idleInTransactionMs`, and stores may
 * answer later than that.
 */
async function keepHeld(tx: InTransaction, over: AbortSignal): Promise<void> {
  for (;;) {
    await systemClock.sleep(idleInTransactionMs / 4, over).catch(() => undefined)
    if (over.aborted) return
    // If the connection is lost, ending the transaction fails.
    await sql`select 1`.execute(tx).catch(() => undefined)
  }
}
