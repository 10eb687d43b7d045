import { sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'

export interface HeldLock {
  /** When the lock was granted, by the database's clock. */
  at: Date
  release(): Promise<void>
}

/** Locks rows or a table in an open transaction, so that a statement of the engine waits at a chosen point. */
async function hold(database: Database, lock: ReturnType<typeof sql>): Promise<HeldLock> {
  const transaction = await database.startTransaction().execute()
  await lock.execute(transaction)
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(transaction)
  const at = rows[0]?.at
  if (!at) throw new Error('The database returned no time.')
  return { at, release: () => transaction.rollback().execute() }
}

/** Heartbeats wait; intents and results, which only check the epoch, do not. */
export function holdHeartbeats(database: Database, run: string): Promise<HeldLock> {
  return hold(database, sql`select from run_leases where run_id = ${run} for no key update`)
}

/** Results of a component wait, because their transaction changes this row. */
export function holdCounters(database: Database, run: string, component: string): Promise<HeldLock> {
  return hold(database, sql`select from run_counters where run_id = ${run} and component = ${component} for update`)
}

/** Planning waits; results do not. */
export function holdCheckpoint(database: Database, run: string, pass: string): Promise<HeldLock> {
  return hold(database, sql`select from checkpoints where run_id = ${run} and pass = ${pass} for update`)
}

/** The hand-over waits while it holds the lease, because it cannot end the run's job. */
export function holdJob(database: Database, run: string): Promise<HeldLock> {
  return hold(database, sql`select from pgboss.job where name = 'runs' and singleton_key = ${run} for update`)
}
