import { type RawBuilder, sql } from 'kysely'
import type { MigrationDetail } from '../../contract/migration.ts'
import { isLive } from '../../contract/status.ts'
import { lineFrom } from '../../model/history-entry.ts'
import { migrationDetail, type RunReading } from '../../model/migration-detail.ts'
import { isPlan, type RequestRecord, requestRecord } from '../../model/request-record.ts'
import type { ComponentCount } from '../../model/run-facts.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StoredFindings, StoredLine } from '../core/stored-types.ts'
import { differencesByKind } from '../ledger/differences.ts'
import { findPriceBasis } from './plan-bases.ts'
import { type FoundRun, readFacts, readOneRun, withMoment } from './run-readings.ts'
import { isUuid, type RunRow, raisePercent } from './runs.ts'
import { summariseScope } from './scope-items.ts'

/** The little that decides where a run is read. */
export type RunHead = Columns<'runs', 'organisationId' | 'id' | 'status' | 'revision'>

/**
 * @param withDocument whether to read the detail of a run that has ended, as JSON; null if there is none
 * @returns undefined when the organisation has no such run
 */
export async function findHead(
  database: Database,
  organisationId: string,
  id: string,
  { withDocument = false } = {},
): Promise<(RunHead & { document: string | null }) | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<RunHead & { document: string | null }>`
    /* kept: run-head */ select run.organisation_id as "organisationId", run.id, run.status, run.revision,
      case when ${withDocument}::boolean and run.status not in ('queued', 'in_progress', 'paused')
        then (select document::text from snapshots where run_id = run.id and organisation_id = run.organisation_id)
        end as document
    from runs run where run.organisation_id = ${organisationId} and run.id = ${id}`.execute(database)
  return rows[0]
}

/** A run as callers see it: its status decides whether the engine's tables or the snapshot is read (F3). */
export async function detailOf(database: Database, run: Omit<RunHead, 'revision'>): Promise<MigrationDetail> {
  const snapshot = isLive(run.status) ? undefined : await findSnapshot(database, run.organisationId, run.id)
  return snapshot ?? readDetail(database, run.organisationId, run.id)
}

/** A run according to its rows. Remembers the percentage it returns, so that no reader sees it go back. */
export async function readDetail(database: Database, organisationId: string, id: string): Promise<MigrationDetail> {
  const found = await readFacts(database, { organisationId, id })
  if (found?.counts) return detailFrom(database, { ...found, counts: found.counts })
  return detailFrom(database, await measure(database, organisationId, id))
}

interface Measured extends FoundRun<RunRow> {
  counts: ComponentCount[]
  /** The request from the snapshot, if the engine has forgotten the run. */
  remembered?: RequestRecord | undefined
}

async function detailFrom(database: Database, measured: RunReading): Promise<MigrationDetail> {
  const detail = migrationDetail(measured)
  const { percent } = detail.progress
  if (percent < 100 && percent > measured.pace.percentReached) await raisePercent(database, detail.requestId, percent)
  return detail
}

/**
 * Every run has counters from its creation on: if they are gone, the engine has forgotten it, and the snapshot has
 * their values.
 */
async function measure(database: Database, organisationId: string, id: string): Promise<Measured> {
  const found = await readOneRun(database, { organisationId, id })
  if (!found) throw new Error(`Run ${id} has no row.`)
  if (found.counts) return { ...found, counts: found.counts }
  return { ...found, counts: [], ...(await remember(database, organisationId, id)) }
}

async function remember(
  database: Database,
  organisationId: string,
  runId: string,
): Promise<Pick<Measured, 'counts' | 'pace' | 'remembered'> | undefined> {
  const { rows } = await sql<Columns<'snapshots', 'reading' | 'request'>>`
    select reading, request from snapshots where organisation_id = ${organisationId} and run_id = ${runId}`.execute(
    database,
  )
  const { reading, request } = rows[0] ?? {}
  if (!reading) return undefined
  return { counts: reading.counts.map(withMoment), pace: reading.pace, remembered: request ?? undefined }
}

/** The request, read from the same source as the detail. */
export async function requestOf(database: Database, run: RunRow): Promise<RequestRecord> {
  if (isLive(run.status)) return readRequest(database, run)
  const stored = await partOf(database, { organisationId: run.organisationId, runId: run.id }, 'request')
  return stored ?? readRequest(database, run)
}

/** How many ids are shown per component. More would turn a large selection into megabytes. */
const idsShown = 200

async function readRequest(database: Database, run: RunRow, measured?: Measured): Promise<RequestRecord> {
  const { counts, remembered } =
    measured ?? (isPlan(run) ? await measure(database, run.organisationId, run.id) : { counts: [] })
  if (remembered) return { ...remembered, plan: isPlan(run) ? remembered.plan : null }
  const scope = run.selective ? await summariseScope(database, run.id, idsShown) : null
  const basis = isPlan(run) ? await findPriceBasis(database, run.organisationId, run.id) : undefined
  return requestRecord({ run, counts, scope, basis })
}

/**
 * Writes the snapshot of a finished run and its outbox row. Call it in the transaction that changes the status, after
 * the last change, so that no reader finds one without the other (F3).
 */
export async function writeSnapshot(
  tx: InTransaction,
  organisationId: string,
  runId: string,
): Promise<MigrationDetail> {
  const revised = await sql<Columns<'runs', 'revision'>>`
    update runs set revision = revision + 1
    where organisation_id = ${organisationId} and id = ${runId} returning revision`.execute(tx)
  const revision = revised.rows[0]?.revision
  if (revision === undefined) throw new Error(`Run ${runId} has no row to make a snapshot of.`)
  const measured = await measure(tx, organisationId, runId)
  const { counts, pace } = measured
  const detail = await detailFrom(tx, measured)
  const request = await readRequest(tx, measured.run, measured)
  await saveSnapshot(tx, { organisationId, runId, revision, detail, request, reading: { counts, pace } })
  return detail
}

interface Snapshot {
  organisationId: string
  runId: string
  revision: number
  detail: MigrationDetail
  request: RequestRecord
  reading: Pick<Measured, 'counts' | 'pace'>
}

const schemaVersion = 2

/** A lower revision never replaces a higher one (F3). */
async function saveSnapshot(tx: InTransaction, snapshot: Snapshot): Promise<void> {
  const { organisationId, runId, revision, detail } = snapshot
  const line: StoredLine = { revision, ...lineFrom(detail) }
  const [document, request, reading, inHistory] = [detail, snapshot.request, snapshot.reading, line].map(
    (part) => sql`${JSON.stringify(part)}::json`,
  )
  await sql`
    insert into snapshots (run_id, organisation_id, revision, schema_version, document, request, reading, line, summary, findings)
    values (${runId}, ${organisationId}, ${revision}, ${schemaVersion}, ${document}, ${request}, ${reading}, ${inHistory},
      ${detail.summaryLine},
      json_build_object('issues', ${rowsOf(issuesByKind(snapshot))}, 'differences', ${rowsOf(differencesByKind(snapshot))}))
    on conflict (run_id) do update set revision = excluded.revision, schema_version = excluded.schema_version,
      document = excluded.document, request = excluded.request, reading = excluded.reading, line = excluded.line,
      summary = excluded.summary, findings = excluded.findings, at = now()
    where snapshots.revision < excluded.revision`.execute(tx)
  await sql`
    insert into outbox (kind, organisation_id, subject_id, revision)
    values ('run', ${organisationId}, ${runId}, ${revision})`.execute(tx)
}

function rowsOf(query: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(counted), '[]') from (${query}) counted)`
}

function issuesByKind({ organisationId, runId }: Pick<Snapshot, 'organisationId' | 'runId'>) {
  return sql`
    select phase, component, code, severity, state, count(*) from issues
    where organisation_id = ${organisationId} and run_id = ${runId}
    group by phase, component, code, severity, state order by phase, component, code, severity, state`
}

export function findSnapshot(
  database: Database,
  organisationId: string,
  runId: string,
): Promise<MigrationDetail | undefined> {
  return partOf(database, { organisationId, runId }, 'document')
}

/** The detail as it is stored. */
export async function findSnapshotText(
  database: Database,
  { organisationId, runId }: Pick<Snapshot, 'organisationId' | 'runId'>,
): Promise<{ revision: number; document: string } | undefined> {
  const { rows } = await sql<{ revision: number; document: string }>`
    /* kept: snapshot-text */ select revision, document::text as document from snapshots
    where organisation_id = ${organisationId} and run_id = ${runId}`.execute(database)
  return rows[0]
}

/** Which of these runs have no snapshot. Across organisations: for indexers only. */
export async function listMissingSnapshots<Run extends Pick<Snapshot, 'organisationId' | 'runId'>>(
  database: Database,
  runs: Run[],
): Promise<Run[]> {
  const { rows } = await sql<{ at: number }>`
    select (asked.at - 1)::integer as at
    from unnest(${runs.map(({ organisationId }) => organisationId)}::text[], ${runs.map(({ runId }) => runId)}::text[])
      with ordinality asked(organisation_id, run_id, at)
    where not exists (
      select from snapshots
      where snapshots.organisation_id::text = asked.organisation_id and snapshots.run_id::text = asked.run_id)`.execute(
    database,
  )
  const missing = new Set(rows.map(({ at }) => at))
  return runs.filter((_, at) => missing.has(at))
}

export async function findFindings(
  database: Database,
  run: Pick<Snapshot, 'organisationId' | 'runId'>,
): Promise<StoredFindings | null> {
  return (await partOf(database, run, 'findings')) ?? null
}

/** @returns undefined without a snapshot; null if it was written before snapshots had this part. */
async function partOf<Part extends 'document' | 'request' | 'findings'>(
  database: Database,
  { organisationId, runId }: Pick<Snapshot, 'organisationId' | 'runId'>,
  part: Part,
): Promise<Columns<'snapshots', Part>[Part] | undefined> {
  const { rows } = await sql<Columns<'snapshots', Part>>`
    select ${sql.ref(part)} from snapshots where organisation_id = ${organisationId} and run_id = ${runId}`.execute(
    database,
  )
  return rows[0]?.[part]
}
