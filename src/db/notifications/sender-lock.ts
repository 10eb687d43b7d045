import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import { lockNumbers } from '../core/lock-numbers.ts'

/** Lets only one process at a time send notifications. Does nothing if another one has the lock. */
export async function withSenderLockIfFree(database: Database, work: () => Promise<void>): Promise<void> {
  await database.transaction().execute(async (tx) => {
    // Receivers may answer late, and only another sender waits for this transaction.
    await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx)
    const { rows } = await sql<{
      free: boolean
    }>`select pg_try_advisory_xact_lock(${lockNumbers.notifications}) as free`.execute(tx)
    if (rows[0]?.free) await work()
  })
}
