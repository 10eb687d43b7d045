import { sql } from 'kysely'
import type { MigrationDetail } from '../../contract/migration.ts'
import { type MigrationStatus, mayBecome } from '../../contract/status.ts'
import type { InTransaction } from '../core/database.ts'
import { keepUndeleted } from '../ledger/deletions.ts'
import { cancelPending } from '../ledger/ledger.ts'
import { clearRunCopies } from '../ledger/staged-items.ts'
import { notWaiting } from '../ledger/waiting.ts'
import { recordEnd } from './run-notices.ts'
import { countOpenFailures, type RunRow, setRequestedControl } from './runs.ts'
import { writeSnapshot } from './snapshots.ts'

/** A run whose row the caller has locked in this transaction. */
type LockedRun = Pick<RunRow, 'id' | 'organisationId' | 'status'>

/** Pauses a queued run. A running one is paused by the engine, once the last answer is recorded (A7). */
export async function pauseQueued(tx: InTransaction, run: LockedRun): Promise<void> {
  await becomes(tx, run, 'paused')
}

/** Puts a paused or partly completed run back in the queue; admission takes its destination again (A2). */
export async function requeue(tx: InTransaction, run: LockedRun): Promise<void> {
  await becomes(tx, run, 'queued')
}

/**
 * Ends a run that no process works on: cancels unfinished items, frees the destination and writes the snapshot.
 * Unconfirmed writes and pending work stay, because they belong to the destination (B4).
 */
export async function finishCancelled(tx: InTransaction, run: LockedRun): Promise<MigrationDetail> {
  await cancelPending(tx, run.id)
  await keepUndeleted(tx, run)
  await clearRunCopies(tx, run.id)
  await becomes(tx, run, 'cancelled')
  const detail = await writeSnapshot(tx, run.organisationId, run.id)
  await recordEnd(tx, run, detail)
  return detail
}

/**
 * Cancels all unfinished runs of an organisation: a running one ends at its next item, after its deferred writes, any
 * other right away (S6).
 *
 * @returns how many.
 */
export async function cancelAll(tx: InTransaction, organisationId: string): Promise<number> {
  const { rows } = await sql<LockedRun>`
    select id, organisation_id as "organisationId", status from runs
    where organisation_id = ${organisationId} and status in ('queued', 'in_progress', 'paused')
    order by id for update`.execute(tx)
  for (const run of rows) {
    if (run.status === 'in_progress') await setRequestedControl(tx, organisationId, run.id, 'cancel')
    else await finishCancelled(tx, run)
  }
  return rows.length
}

/**
 * Completes a partly completed run without open failures.
 *
 * @returns whether it did.
 */
export async function completeReviewed(tx: InTransaction, run: LockedRun): Promise<boolean> {
  if (run.status !== 'partial_completed') return false
  if ((await countOpenFailures(tx, [run.id])).get(run.id) !== 0) return false
  await clearRunCopies(tx, run.id)
  await becomes(tx, run, 'completed')
  await recordEnd(tx, run, await writeSnapshot(tx, run.organisationId, run.id))
  return true
}

/** Every status change here frees the destination, clears the requested control and restarts the rate. */
async function becomes(tx: InTransaction, run: LockedRun, status: MigrationStatus): Promise<void> {
  if (!mayBecome(run.status, status)) throw new Error(`Run ${run.id} is ${run.status} and cannot become ${status}.`)
  const ends = status === 'cancelled' || status === 'completed'
  await sql`
    update runs set status = ${status}, asked = 'none', updated_at = now(), ${notWaiting},
      finished_at = case when ${ends} then coalesce(finished_at, now()) end,
      worked_ms = worked_ms + case when status = 'in_progress' and admitted_at is not null
        then greatest(0, extract(epoch from now() - admitted_at) * 1000)::bigint else 0 end
    where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(tx)
  await sql`delete from destination_leases where run_id = ${run.id}`.execute(tx)
}
