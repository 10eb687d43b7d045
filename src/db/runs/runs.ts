import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ConflictStrategy, Mode } from '../../contract/modes.ts'
import type { RunFacts, RunPhase } from '../../model/run-facts.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'

/** The control that a user requested and the engine has not acted on yet. */
export type RequestedControl = Tables['runs']['asked']

export type RunRow = RunFacts &
  Columns<
    'runs',
    | 'organisationId'
    | 'sourceStoreId'
    | 'destinationStoreId'
    | 'mode'
    | 'conflictStrategy'
    | 'autoHeal'
    | 'label'
    | 'settings'
    | 'selective'
    | 'sourceStorefront'
    | 'destStorefront'
    | 'phases'
    | 'status'
    | 'asked'
    | 'verifiesRunId'
    | 'forecast'
    | 'tier'
    | 'memMiB'
    | 'cpus'
    | 'phase'
    | 'createdBy'
    | 'createdAt'
    | 'startedAt'
    | 'updatedAt'
    | 'finishedAt'
    | 'lastProgressAt'
    | 'workedMs'
    | 'admittedAt'
    | 'attemptsWithoutProgress'
    | 'failureCode'
    | 'waitingFor'
    | 'waitingStore'
    | 'waitingSince'
    | 'nextTryAt'
    | 'failureMessage'
    | 'revision'
    | 'percentReached'
    | 'healRound'
    | 'healChosen'
    | 'healPass'
    | 'healMs'
    | 'healing'
    | 'pruneDigest'
    | 'pruneItems'
    | 'pruneAnswer'
    | 'fallbackReason'
  >

/** Only set for a run over page templates. */
const requestedPageTemplates = sql`case when run.settings #> '{selection,pageTemplates}' is null then null else json_build_object(
  'picked', jsonb_path_query_array(run.settings, '$.selection.pageTemplates[*].file'),
  'globalsRequested', jsonb_path_exists(run.settings, '$.selection.pageTemplates[*] ? (@.globals == true)')) end`

/** Of `run` and its stores `src` and `dst`, as LineFacts. */
export const lineColumns = sql`
  run.id, run.status, run.mode, json_build_object('hash', src.hash, 'label', src.label) as source,
  json_build_object('hash', dst.hash, 'label', dst.label) as destination, run.created_at as "createdAt",
  run.started_at as "startedAt", run.updated_at as "updatedAt", run.last_progress_at as "lastProgressAt",
  run.failure_message as "failureMessage", run.healing, run.heal_round as "healRound", run.heal_chosen as "healChosen",
  run.waiting_for as "waitingFor", run.waiting_store as "waitingStore", run.waiting_since as "waitingSince"`

/** The same as RunFacts. */
export const factColumns = sql`${lineColumns},
  run.conflict_strategy as "conflictStrategy", run.auto_heal as "autoHeal", run.selective,
  ${requestedPageTemplates} as "pageTemplates", run.source_storefront as "sourceStorefront",
  run.dest_storefront as "destStorefront", run.phases, run.phase, run.forecast`

/** The same as a RunRow. */
export const runColumns = sql`${factColumns},
  run.organisation_id as "organisationId", run.source_store_id as "sourceStoreId",
  run.destination_store_id as "destinationStoreId", run.label, run.settings, run.asked,
  run.verifies_run_id as "verifiesRunId", run.tier, run.mem_mib as "memMiB", run.cpus, run.created_by as "createdBy",
  run.finished_at as "finishedAt", run.worked_ms as "workedMs", run.admitted_at as "admittedAt",
  run.attempts_without_progress as "attemptsWithoutProgress", run.failure_code as "failureCode",
  run.next_try_at as "nextTryAt", run.revision, run.percent_reached as "percentReached", run.heal_pass as "healPass",
  run.heal_ms as "healMs", run.prune_digest as "pruneDigest", run.prune_items as "pruneItems",
  run.prune_answer as "pruneAnswer", run.fallback_reason as "fallbackReason"`

export const runsWithStores = sql`runs run
  join stores src on src.organisation_id = run.organisation_id and src.id = run.source_store_id
  join stores dst on dst.organisation_id = run.organisation_id and dst.id = run.destination_store_id`

export interface NewRun {
  organisationId: string
  sourceStoreId: string
  destinationStoreId: string
  mode: Mode
  conflictStrategy: ConflictStrategy
  autoHeal: boolean
  label: string | null
  settings: Record<string, unknown>
  selective: boolean
  sourceStorefront: string | null
  destStorefront: string | null
  phases: RunPhase[]
  verifiesRunId: string | null
  /** Null if no user created it. */
  createdBy: string | null
}

/** Inserts a queued run, with zero counters for every component in scope and a free lease; returns its id. */
export async function createRun(tx: InTransaction, run: NewRun): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, label,
      settings, selective, source_storefront, dest_storefront, phases, status, verifies_run_id, created_by)
    values (${id}, ${run.organisationId}, ${run.sourceStoreId}, ${run.destinationStoreId}, ${run.mode},
      ${run.conflictStrategy}, ${run.autoHeal}, ${run.label}, ${JSON.stringify(run.settings)}::jsonb, ${run.selective},
      ${run.sourceStorefront}, ${run.destStorefront}, ${JSON.stringify(run.phases)}::json, 'queued',
      ${run.verifiesRunId}, ${run.createdBy})`.execute(tx)
  await sql`
    insert into run_counters (run_id, phase, component, position)
    select ${id}, phase ->> 'key', component ->> 'key', row_number() over (order by phase_at, component_at) - 1
    from jsonb_array_elements(${JSON.stringify(run.phases)}::jsonb) with ordinality as phases (phase, phase_at),
      jsonb_array_elements(phase -> 'components') with ordinality as components (component, component_at)`.execute(tx)
  await sql`insert into run_leases (run_id) values (${id})`.execute(tx)
  return id
}

/** Undefined when the organisation has no such run. */
export async function findRun(database: Database, organisationId: string, id: string): Promise<RunRow | undefined> {
  if (!isUuid(id)) return undefined
  const found = await sql<RunRow>`
    select ${runColumns} from ${runsWithStores}
    where run.organisation_id = ${organisationId} and run.id = ${id}`.execute(database)
  return found.rows[0]
}

/** Which of the runs are over whole stores, and not over one storefront. */
export async function runsOverWholeStores(
  database: Database,
  organisationId: string,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await sql<Columns<'runs', 'id'>>`
    select id from runs
    where organisation_id = ${organisationId} and id = any(${ids}::uuid[]) and source_storefront is null`.execute(
    database,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Like findRun, but locks the row until the transaction ends, so that the status cannot change. */
export async function lockRun(tx: InTransaction, organisationId: string, id: string): Promise<RunRow | undefined> {
  if (!isUuid(id)) return undefined
  const found = await sql<RunRow>`
    select ${runColumns} from ${runsWithStores}
    where run.organisation_id = ${organisationId} and run.id = ${id} for update of run`.execute(tx)
  return found.rows[0]
}

export async function saveRunLabel(
  tx: InTransaction,
  { organisationId, id }: Pick<RunRow, 'organisationId' | 'id'>,
  label: string | null,
): Promise<void> {
  await sql`update runs set label = ${label} where organisation_id = ${organisationId} and id = ${id}`.execute(tx)
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/**
 * What still needs a person in `run`: open failures and, in verify runs, missing or different items. Differences in
 * destination-owned values, in items that changed meanwhile and in those that stay erased do not count (D1, F1, G12).
 */
export const openFailures = sql`(
  (select count(*) from issues where run_id = run.id and severity = 'failure' and state = 'open')
  + case when run.mode = 'verify' then (
    select count(*) from differences
    where run_id = run.id and kind in ('missing', 'different') and not living and not kept and not changed_meanwhile
      and state = 'open')
    else 0 end)`

/** Open failures by run id. */
export async function countOpenFailures(database: Database, runIds: string[]): Promise<Map<string, number>> {
  const counted = await sql<{ runId: string; failures: number }>`
    select run.id as "runId", ${openFailures} as failures
    from runs run where run.id = any(${runIds}::uuid[])`.execute(database)
  return new Map(counted.rows.map(({ runId, failures }) => [runId, failures]))
}

/** The engine reads the requested control between items. */
export async function setRequestedControl(
  tx: InTransaction,
  organisationId: string,
  id: string,
  asked: RequestedControl,
): Promise<void> {
  await sql`update runs set asked = ${asked}, updated_at = now()
    where organisation_id = ${organisationId} and id = ${id}`.execute(tx)
}

/** Rates cover the last 30 s of working time. A shorter window jumps with every product, a longer one hides a stall. */
export const rateWindowMs = 30_000

/** Time that `run` has been in progress, without pauses. */
export const workedMs = sql`run.worked_ms + case when run.status = 'in_progress' and run.admitted_at is not null
  then greatest(0, extract(epoch from now() - run.admitted_at) * 1000)::bigint else 0 end`

/** Items of `run` that have ended. */
export const terminalItems = sql`(select coalesce(sum(created + updated + matched + skipped + failed + cancelled), 0)
  from run_counters where run_id = run.id)`

/** Samples the progress of a run; the engine's ticker calls this every 2 s while it works. */
export async function recordProgressSample(database: Database, runId: string): Promise<void> {
  await sql`
    update runs run set progress_samples = (
      select coalesce(jsonb_agg(sample order by (sample ->> 0)::bigint), '[]')
      from jsonb_array_elements(run.progress_samples) sample
      where (sample ->> 0)::bigint >= ${workedMs} - ${2 * rateWindowMs}::bigint and (sample ->> 0)::bigint < ${workedMs}
    ) || jsonb_build_array(jsonb_build_array(${workedMs}, ${terminalItems}))
    where run.id = ${runId}`.execute(database)
}

/** Remembers the percentage shown to readers, so that it never goes back. */
export async function raisePercent(database: Database, runId: string, percent: number): Promise<void> {
  await sql`update runs set percent_reached = ${percent} where id = ${runId} and percent_reached < ${percent}`.execute(
    database,
  )
}
