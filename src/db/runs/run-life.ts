import { type RawBuilder, sql } from 'kysely'
import type { MigrationStatus } from '../../contract/status.ts'
import { mayBecome } from '../../contract/status.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { keepUndeleted } from '../ledger/deletions.ts'
import { forgetListed } from '../ledger/destination-items.ts'
import { cancelPending } from '../ledger/ledger.ts'
import { clearRunCopies } from '../ledger/staged-items.ts'
import { notWaiting } from '../ledger/waiting.ts'
import { recordEnd, recordPause } from './run-notices.ts'
import { type RunRow, runColumns, runsWithStores } from './runs.ts'
import { writeSnapshot } from './snapshots.ts'

interface EndingRun {
  id: string
  organisationId: string
}

/**
 * The engine's own status changes, in a transaction that holds the lease. Adds to the time worked, clears the requested
 * control and frees the destination (A2).
 */
export async function leaveInProgress(
  tx: InTransaction,
  run: EndingRun,
  to: Exclude<MigrationStatus, 'queued' | 'in_progress'>,
  failure: { code: string; message: string } | null = null,
): Promise<void> {
  if (!mayBecome('in_progress', to)) throw new Error(`A run in progress cannot become ${to}.`)
  // A cancel accepted while the run is being paused would otherwise be forgotten.
  if (to === 'paused' && (await isCancelRequested(tx, run))) return leaveInProgress(tx, run, 'cancelled')
  const ends = to !== 'paused'
  const { rows } = await sql<Columns<'runs', 'mode'>>`
    update runs set status = ${to}, asked = 'none', updated_at = now(),
      finished_at = case when ${ends} then now() end,
      failure_code = ${failure?.code ?? null}, failure_message = ${failure?.message ?? null}, ${notWaiting},
      worked_ms = worked_ms + coalesce(greatest(0, extract(epoch from now() - admitted_at) * 1000), 0)::bigint,
      admitted_at = null
    where organisation_id = ${run.organisationId} and id = ${run.id} and status = 'in_progress' returning mode`.execute(
    tx,
  )
  const [ended] = rows
  if (!ended) throw new Error(`Run ${run.id} is no longer in progress.`)
  await sql`delete from destination_leases where run_id = ${run.id}`.execute(tx)
  if (!ends) {
    await forgetListed(tx, run.id)
    return recordPause(tx, run)
  }
  // A run that ends early leaves nothing pending: every discovered item gets exactly one final state.
  if (to === 'cancelled' || to === 'failed') {
    await cancelPending(tx, run.id)
    await keepUndeleted(tx, run)
  }
  // A run that writes nothing can be resumed, and needs what it knows of the items that it has read.
  if (to === 'partial_completed' && ended.mode !== 'full') await forgetListed(tx, run.id)
  else await clearRunCopies(tx, run.id)
  await recordEnd(tx, run, await writeSnapshot(tx, run.organisationId, run.id))
}

/** Locks the run against other controls. */
async function isCancelRequested(tx: InTransaction, { id, organisationId }: EndingRun): Promise<boolean> {
  const { rows } = await sql`
    select from runs where organisation_id = ${organisationId} and id = ${id} and asked = 'cancel' for update`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Sets the current phase and records when it started, which calibrates forecasts. A process that continues a run goes
 * through finished phases again; readers do not see that, because the stored phase never moves back.
 */
export async function enterPhase(tx: InTransaction, runId: string, phase: string): Promise<void> {
  const phaseTime = (
    key: RawBuilder<unknown>,
  ) => sql`(select at from json_array_elements(phases) with ordinality as one (phase, at)
    where one.phase ->> 'key' = ${key})`
  await sql`
    update runs set phase = ${phase}, updated_at = now()
    where id = ${runId} and coalesce(${phaseTime(sql`runs.phase`)}, 0) <= ${phaseTime(sql`${phase}`)}`.execute(tx)
  await sql`
    insert into run_phase_times (run_id, phase, started_at) values (${runId}, ${phase}, now())
    on conflict (run_id, phase) do update set started_at = coalesce(run_phase_times.started_at, excluded.started_at)`.execute(
    tx,
  )
}

export async function finishPhase(
  tx: InTransaction,
  runId: string,
  phase: string,
  workedSeconds: number,
): Promise<void> {
  await sql`
    update run_phase_times set finished_at = now(), worked_seconds = worked_seconds + ${workedSeconds}
    where run_id = ${runId} and phase = ${phase}`.execute(tx)
}

/** Records how long the run waits for a store before it goes on, so that remaining times include it. */
export async function noteSettling(database: Database, runId: string, ms: number): Promise<void> {
  await sql`
    update runs set settles_until = greatest(settles_until, now() + ${ms} * interval '1 millisecond')
    where id = ${runId}`.execute(database)
}

/** Ends such a wait early. */
export async function endSettling(database: Database, runId: string): Promise<void> {
  await sql`update runs set settles_until = null where id = ${runId}`.execute(database)
}

/** Adds the calls this process has made since the last time. */
export async function addCalls(
  tx: Database | InTransaction,
  runId: string,
  calls: (Columns<'run_calls', 'side' | 'calls' | 'latencyMs'> & Renamed<'run_calls', { cls: 'class' }>)[],
): Promise<void> {
  if (calls.length === 0) return
  await sql`
    insert into run_calls (run_id, side, class, calls, latency_ms)
    select ${runId}, c.side, c.cls, c.calls, round(c."latencyMs")::bigint
    from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as c(side text, cls text, calls integer, "latencyMs" real)
    on conflict (run_id, side, class) do update
      set calls = run_calls.calls + excluded.calls, latency_ms = run_calls.latency_ms + excluded.latency_ms`.execute(tx)
}

/** Items finished or deleted so far: an attempt that adds none counts as part of a crash loop (A5). */
export async function terminalItems(database: Database, runId: string): Promise<number> {
  const { rows } = await sql<{ items: number }>`
    select coalesce(sum(created + updated + matched + skipped + failed + pruned), 0)::integer as items
    from run_counters where run_id = ${runId}`.execute(database)
  return rows[0]?.items ?? 0
}

/** @returns consecutive attempts without progress, including this one. */
export async function countAttempt(
  database: Database,
  runId: string,
  reason: string,
  progressed: boolean,
): Promise<number> {
  await sql`insert into restarts (run_id, reason) values (${runId}, ${reason})`.execute(database)
  const { rows } = await sql<Renamed<'runs', { attempts: 'attemptsWithoutProgress' }>>`
    update runs set attempts_without_progress = case when ${progressed} then 0 else attempts_without_progress + 1 end
    where id = ${runId} returning attempts_without_progress as attempts`.execute(database)
  return rows[0]?.attempts ?? 0
}

/** Gives a run that ran out of memory more of it to go on with (A6). */
export async function raiseTier(
  tx: InTransaction,
  runId: string,
  to: { tier: string; memMiB: number; cpus: number },
): Promise<void> {
  await sql`update runs set tier = ${to.tier}, mem_mib = ${to.memMiB}, cpus = ${to.cpus} where id = ${runId}`.execute(
    tx,
  )
}

/**
 * A run and the encrypted tokens of its stores, for the host about to work on it. There is no caller, so no
 * organisation to check.
 */
export async function findRunToDrive(
  database: Database,
  runId: string,
): Promise<(RunRow & { sealed: SealedTokens } & Columns<'runs', 'beforeImageSalt'>) | undefined> {
  const { rows } = await sql<RunRow & SealedTokens & Columns<'runs', 'beforeImageSalt'>>`
    select ${runColumns}, run.before_image_salt as "beforeImageSalt", src.token_encrypted as "sourceToken", dst.token_encrypted as "destinationToken"
    from ${runsWithStores} where run.id = ${runId}`.execute(database)
  const row = rows[0]
  return row && { ...row, sealed: { sourceToken: row.sourceToken, destinationToken: row.destinationToken } }
}

export interface SealedTokens {
  sourceToken: Buffer
  destinationToken: Buffer
}
