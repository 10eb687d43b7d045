import { type RawBuilder, sql } from 'kysely'
import { countersOf, type Tally } from '../../model/results.ts'
import { waitingLine } from '../../model/summary-line.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'
import { recordEvent } from '../notifications/events.ts'

/** The system a run waits for. */
export type Outage = Pick<Columns<'runs', 'waitingFor' | 'waitingStore'>, 'waitingStore'> & {
  waitingFor: NonNullable<Columns<'runs', 'waitingFor'>['waitingFor']>
}

/** Whether a run has no process because it is waiting. `run` is the alias of its row. */
export function isResting(run: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${run}.next_try_at > now(), false)`
}

/** When a run last recorded something. `run` is the alias of its row. */
function progressedAt(run: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`greatest(${run}.last_progress_at,
    (select max(c.progressed_at) from run_counters c where c.run_id = ${run}.id))`
}

/**
 * With the host's next check this makes five minutes since the outage began. If shorter, mails and stock would be put
 * back while an unconfirmed order may still arrive; if longer, a live shop would go without mails.
 */
const releasedAfter = sql`interval '4 minutes'`

/**
 * Whether what a run holds at the destination may be released (D5, G8): it has waited too long, had been dead too long
 * before it started waiting, or has no process: without a heartbeat for that long, it has lost its lease.
 */
export function hasLetGo(run: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    ${run}.waiting_since is not null and least(${run}.waiting_since, ${progressedAt(run)}) < now() - ${releasedAfter}
    or greatest(${run}.admitted_at, (select lease.heartbeat_at from run_leases lease where lease.run_id = ${run}.id))
      < now() - ${releasedAfter}, false)`
}

/**
 * A run that has gone on for less counts its tries further: the system answered, and was away again. Longer: a run that
 * has worked for long waits for the restart of a database. Shorter: processes start one after another.
 */
const againAfter = sql`interval '1 minute'`
/** The tries that count at most for a run that has recorded something since the last one: it is tried within seconds. */
const triesWithProgress = 2

/**
 * Time spent waiting does not count as time worked.
 *
 * @returns how long the run has waited already, how often it was tried meanwhile, and how long until the next try
 */
export async function beginWaiting(
  tx: InTransaction,
  runId: string,
  outage: Outage,
  pauseSeconds: readonly number[],
): Promise<BegunWaiting> {
  const tries = sql`case when admitted_at < now() - ${againAfter} then 1
    when ${progressedAt(sql`runs`)} > admitted_at then least(waiting_tries + 1, ${triesWithProgress}::integer)
    else waiting_tries + 1 end`
  const { rows } = await sql<BegunWaiting>`
    update runs set waiting_for = ${outage.waitingFor}, waiting_store = ${outage.waitingStore},
      waiting_since = coalesce(waiting_since, now()), waiting_tries = ${tries},
      next_try_at = now() + make_interval(secs => (${pauseSeconds}::float8[])[least(${tries}, ${pauseSeconds.length})]),
      updated_at = case when waiting_since is null then now() else updated_at end,
      worked_ms = worked_ms + coalesce(greatest(0, extract(epoch from now() - admitted_at) * 1000), 0)::bigint,
      admitted_at = null
    where id = ${runId} and status = 'in_progress'
    returning extract(epoch from now() - waiting_since)::float8 as "waitedSeconds",
      extract(epoch from next_try_at - now())::float8 as "pauseSeconds", waiting_tries as tries,
      waiting_since as "waitingSince"`.execute(tx)
  const [waiting] = rows
  if (!waiting) throw new Error(`Run ${runId} is no longer in progress.`)
  if (waiting.waitedSeconds >= reportedAfterSeconds) await recordWaiting(tx, runId, outage, waiting.waitingSince)
  return waiting
}

interface BegunWaiting {
  waitedSeconds: number
  pauseSeconds: number
  /** Of all outages since the run last went on for a while, this one included. */
  tries: number
  waitingSince: Date
}

/** Shorter outages are none of a person's business: most stores are back after the second or third try. */
const reportedAfterSeconds = 180

/** Once for each outage, although every try that fails gets here. */
async function recordWaiting(tx: InTransaction, runId: string, outage: Outage, since: Date): Promise<void> {
  type Row = Columns<'runs', 'organisationId' | 'mode' | 'status'> &
    Renamed<'stores', { source: 'hash'; destination: 'hash' }>
  const found = await sql<Row>`
    select run.organisation_id as "organisationId", run.mode, run.status, src.hash as source, dst.hash as destination
    from runs run join stores src on src.id = run.source_store_id join stores dst on dst.id = run.destination_store_id
    where run.id = ${runId}`.execute(tx)
  const counts = await sql<Tally>`
    select discovered, created, updated, matched, skipped, failed, cancelled, pruned, warnings, exceptions
    from run_counters where run_id = ${runId}`.execute(tx)
  const [run] = found.rows
  if (!run) return
  const { organisationId, ...facts } = run
  const summaryLine = `${waitingLine({ ...outage, waitingSince: since })}.`
  const data = { ...facts, summaryLine, counters: countersOf(counts.rows) }
  const kind = 'migration.waiting_for_store' as const
  await recordEvent(tx, { organisationId, kind, runId, data, occasion: since.toISOString() })
}

/** The stores answer again. */
export async function endWaiting(tx: InTransaction, runId: string): Promise<void> {
  await sql`
    update runs set ${goesOn}, admitted_at = coalesce(admitted_at, now()), updated_at = now()
    where id = ${runId} and status = 'in_progress' and waiting_since is not null`.execute(tx)
}

const goesOn = sql`waiting_for = null, waiting_store = null, waiting_since = null, next_try_at = null`

/** Set with every change of status. */
export const notWaiting = sql`${goesOn}, waiting_tries = 0`
