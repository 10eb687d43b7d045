import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** Another process has claimed the run, so this one may not record anything any more (A4). */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`Run ${runId} was taken over by another process.`)
    this.name = 'LeaseLost'
  }
}

/** Unconfirmed writes of the previous process may be settled from `settledAt` on. */
export type Claim = Columns<'run_leases', 'epoch'> & Renamed<'run_leases', { settledAt: 'doubtsRipeAt' }>

/**
 * Takes a run over: raises the epoch, so that the previous process can record nothing more, and marks the calls it may
 * have sent as unconfirmed. These may be settled once the last possible call, the request time-out and the settle time
 * are over; the lease check lets the old process send nothing later than six seconds after its last heartbeat.
 */
export async function claimRun(
  database: Database,
  runId: string,
  holder: string,
  waits: { requestTimeoutMs: number; settleMs: number; leaseMs: number },
): Promise<Claim> {
  return database.transaction().execute(async (tx) => {
    // The epoch is not part of a key, so the update alone would not wait for transactions that hold the fence.
    await sql`select from run_leases where run_id = ${runId} for update`.execute(tx)
    const { rows } = await sql<Claim>`
      update run_leases
      set epoch = epoch + 1, holder = ${holder}, heartbeat_at = now(), claimed_at = now(),
          doubts_ripe_at = greatest(
            doubts_ripe_at,
            case when heartbeat_at is null then '-infinity'::timestamptz
                 else greatest(now(), heartbeat_at + make_interval(secs => ${waits.leaseMs / 1000}))
                      + make_interval(secs => ${(waits.requestTimeoutMs + waits.settleMs) / 1000}) end)
      where run_id = ${runId}
      returning epoch, greatest(doubts_ripe_at, to_timestamp(0)) as "settledAt"`.execute(tx)
    const lease = rows[0]
    if (!lease) throw new Error(`Run ${runId} has no lease row.`)
    await sql`
      update intents set doubtful_until = greatest(coalesce(doubtful_until, '-infinity'), ${lease.settledAt})
      where run_id = ${runId} and doubtful_until is null`.execute(tx)
    return lease
  })
}

export type Heartbeat = Columns<'runs', 'asked' | 'status'> &
  Renamed<'organisations', { organisationEnabled: 'storeMigrationEnabled' }>

/**
 * A process frozen for this long may not go on, because what its run holds at the destination may have been released.
 * It must stay below `releasedAfter`, or the process could write orders after the shop's mails were switched on again.
 */
const frozenAfter = sql`interval '3 minutes'`

/** @throws LeaseLost when the epoch is not ours any more, or the process was frozen for too long. */
export async function beat(database: Database, runId: string, epoch: number): Promise<Heartbeat> {
  const { rows } = await sql<Heartbeat>`
    /* kept: beat */ with beat as (
      update run_leases set heartbeat_at = now()
      where run_id = ${runId} and epoch = ${epoch} and heartbeat_at > now() - ${frozenAfter} returning run_id)
    select runs.asked, runs.status, organisations.store_migration_enabled as "organisationEnabled"
    from beat join runs on runs.id = beat.run_id join organisations on organisations.id = runs.organisation_id`.execute(
    database,
  )
  if (!rows[0]) throw new LeaseLost(runId)
  return rows[0]
}

/**
 * Locks the lease until the transaction ends: a claim waits for it, heartbeats do not.
 * @throws LeaseLost
 */
export async function fence(tx: InTransaction, runId: string, epoch: number): Promise<void> {
  const { rows } = await sql`
    /* kept: fence */ select 1 from run_leases where run_id = ${runId} and epoch = ${epoch} for key share`.execute(tx)
  if (rows.length === 0) throw new LeaseLost(runId)
}

/** One transaction that records nothing if the run was taken over. */
export async function fenced<T>(
  database: Database,
  run: { id: string; epoch: number },
  change: (tx: InTransaction) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (tx) => {
    await fence(tx, run.id, run.epoch)
    return change(tx)
  })
}

/** Locks the lease against claims. @returns false if another process has already claimed the run. */
export async function lockLease(tx: InTransaction, run: { id: string; epoch: number }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from run_leases where run_id = ${run.id} and epoch = ${run.epoch} for update`.execute(tx)
  return rows.length === 1
}

/** @returns false if another process has claimed the run. The answer may be outdated at once: nothing is locked. */
export async function stillHolds(database: Database, run: { id: string; epoch: number }): Promise<boolean> {
  const { rows } = await sql`select 1 from run_leases where run_id = ${run.id} and epoch = ${run.epoch}`.execute(
    database,
  )
  return rows.length === 1
}
