import { type RawBuilder, sql } from 'kysely'
import type { HistorySort } from '../../contract/history.ts'
import type { ConflictStrategy, Mode } from '../../contract/modes.ts'
import type { MigrationStatus } from '../../contract/status.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import { allOf, isEmpty } from '../core/conditions.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'
import { isUuid, openFailures, type RunRow, runColumns, runsWithStores, workedMs } from '../runs/runs.ts'

export interface HistoryFilters {
  /** Any of them. */
  status?: readonly MigrationStatus[]
  waitsFor?: 'deletion'
  /** Any of them. */
  mode?: readonly Mode[]
  /** Any of them. */
  conflictStrategy?: readonly ConflictStrategy[]
  store?: string
  source?: string
  destination?: string
  /** At either end. */
  storefront?: string
  createdBy?: string
  createdFrom?: string
  createdBefore?: string
  text?: string
}

/** A position in the history: the last run shown, and its rank at that time. */
export type HistoryPosition = Columns<'runs', 'id'> & { rank: number }

export type HistoryRow = HistoryPosition &
  Columns<'runs', 'organisationId' | 'label' | 'mode' | 'conflictStrategy' | 'selective' | 'createdBy'> & {
    /** Time in progress, without pauses. */
    workedSoFarMs: number
    /** Whether it is in progress only to try again what failed. */
    tryingAgain: boolean
    /** A StoredLine as JSON; null if the run has not ended or its snapshot has none. */
    line: string | null
    /** Of the snapshot. A line of an earlier one is out of date. */
    revision: number | null
  }

export type NamedHistoryRow = HistoryRow & { createdByName: string | null }

export interface HistoryPage {
  after: HistoryPosition | null
  limit: number
  sort: HistorySort
}

interface Order {
  /** The value to sort by, highest first. */
  key: RawBuilder<unknown>
  /** The key as an integer that a cursor holds exactly, and its inverse. */
  rank: RawBuilder<unknown>
  keyOf(rank: number): RawBuilder<unknown>
}

const orders: Record<HistorySort, Order> = {
  created: byMoment(sql`run.created_at`),
  // The same as in `timestampsOf`.
  updated: byMoment(sql`greatest(run.updated_at, run.last_progress_at,
    (select max(progressed_at) from run_counters where run_id = run.id))`),
  duration: byNumber(sql`(${workedMs})`),
  // Of a run whose issues were deleted since, the snapshot has their number.
  failures: byNumber(sql`coalesce(
    case when run.findings_forgotten_at is not null then (snapshot.document ->> 'failuresOpen')::integer end,
    ${openFailures})`),
}

/** In microseconds, because two runs may share a millisecond. */
function byMoment(key: RawBuilder<unknown>): Order {
  const rank = sql`(extract(epoch from ${key}) * 1000000)::bigint`
  return { key, rank, keyOf: (micros) => sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'` }
}

function byNumber(key: RawBuilder<unknown>): Order {
  return { key, rank: sql`${key}::bigint`, keyOf: (number) => sql`${number}::bigint` }
}

const historyColumns = sql`
  run.id, run.organisation_id as "organisationId", run.label, run.mode, run.conflict_strategy as "conflictStrategy",
  run.selective, run.created_by as "createdBy", ${workedMs} as "workedSoFarMs",
  run.status = 'in_progress' and run.heal_round > 0 as "tryingAgain",
  case when run.status not in ('queued', 'in_progress', 'paused') then snapshot.line::text end as line,
  snapshot.revision`

const withSnapshots = sql`
  left join snapshots snapshot on snapshot.run_id = run.id and snapshot.organisation_id = run.organisation_id`

const creatorName = sql`person.first_name || ' ' || person.last_name as "createdByName"`

/** The page after a position. */
export async function listRuns(
  database: Database,
  organisationId: string,
  filters: HistoryFilters,
  page: HistoryPage,
): Promise<NamedHistoryRow[]> {
  const { key, rank } = orders[page.sort]
  const isUnfiltered = isEmpty(filters)
  const isUsual = page.after === null && page.sort === 'created' && isUnfiltered
  const found = await sql<NamedHistoryRow>`
    ${isUsual ? sql`/* kept: history */` : sql``} select ${historyColumns}, ${rank} as rank, ${creatorName}
    from ${isUnfiltered ? sql`runs run` : runsWithStores} ${withSnapshots}
      left join users person on person.id = run.created_by
    where run.organisation_id = ${organisationId} and ${fits(filters)} and ${comesAfter(page)}
    order by ${key} desc, run.id desc limit ${page.limit}`.execute(database)
  return found.rows
}

type Organisation = Renamed<'organisations', { organisationName: 'name' }>

export type RunOfAll = HistoryRow & Organisation

export type RunOfAny = RunRow & Organisation

/** Runs of all organisations. Only for administrators; the operation writes an audit entry (S18). */
export async function listRunsOfAll(
  database: Database,
  { organisationId, ...filters }: HistoryFilters & { organisationId?: string },
  page: HistoryPage,
): Promise<RunOfAll[]> {
  const { key, rank } = orders[page.sort]
  const found = await sql<RunOfAll>`
    select ${historyColumns}, ${rank} as rank, organisation.name as "organisationName"
    from ${runsWithStores} ${withSnapshots} join organisations organisation on organisation.id = run.organisation_id
    where (${organisationId ?? null}::uuid is null or run.organisation_id = ${organisationId ?? null})
      and ${fits(filters)} and ${comesAfter(page)}
    order by ${key} desc, run.id desc limit ${page.limit}`.execute(database)
  return found.rows
}

/** A run of any organisation. Only for administrators; the operation writes an audit entry (S18). */
export async function findRunOfAny(database: Database, id: string): Promise<RunOfAny | undefined> {
  if (!isUuid(id)) return undefined
  const found = await sql<RunOfAny>`
    select ${runColumns}, organisation.name as "organisationName"
    from ${runsWithStores} join organisations organisation on organisation.id = run.organisation_id
    where run.id = ${id}`.execute(database)
  return found.rows[0]
}

/** A run whose key changes between two pages moves; no other run is lost or shown twice. */
function comesAfter({ after, sort }: HistoryPage): RawBuilder<unknown> {
  if (after === null) return sql`true`
  const { key, keyOf } = orders[sort]
  return sql`(${key}, run.id) < (${keyOf(after.rank)}, ${after.id}::uuid)`
}

/** The summary is that of a run that has ended. */
const historyTexts = [
  sql`run.label`,
  sql`src.label`,
  sql`dst.label`,
  sql`src.hash`,
  sql`dst.hash`,
  sql`run.id::text`,
  sql`snapshot.summary`,
]

function fits(filters: HistoryFilters): RawBuilder<unknown> {
  const {
    status,
    waitsFor,
    mode,
    conflictStrategy,
    store,
    source,
    destination,
    storefront,
    createdBy,
    createdFrom,
    createdBefore,
  } = filters
  return allOf(
    status && sql`run.status = any(${status}::text[])`,
    waitsFor && sql`run.status = 'paused' and run.prune_digest is not null and run.prune_answer is null`,
    mode && sql`run.mode = any(${mode}::text[])`,
    conflictStrategy && sql`run.conflict_strategy = any(${conflictStrategy}::text[])`,
    store !== undefined && sql`${store} in (src.hash, dst.hash)`,
    source !== undefined && sql`src.hash = ${source}`,
    destination !== undefined && sql`dst.hash = ${destination}`,
    storefront !== undefined && sql`${storefront} in (run.source_storefront, run.dest_storefront)`,
    createdBy !== undefined && sql`run.created_by::text = ${createdBy}`,
    createdFrom !== undefined && sql`run.created_at >= ${createdFrom}::timestamptz`,
    createdBefore !== undefined && sql`run.created_at < ${createdBefore}::timestamptz`,
    filters.text !== undefined && mentions(filters.text, historyTexts),
  )
}

/** Runs of the organisation by their ids, in the given order. */
export async function findRuns(database: Database, organisationId: string, ids: string[]): Promise<NamedHistoryRow[]> {
  const { rows } = await sql<NamedHistoryRow>`
    select ${historyColumns}, 0 as rank, ${creatorName}
    from runs run ${withSnapshots} left join users person on person.id = run.created_by
    where run.organisation_id = ${organisationId} and run.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], run.id)`.execute(database)
  return rows
}

/** A user's full name; undefined when there is no such user. */
export async function findUserName(database: Database, userId: string): Promise<string | undefined> {
  const found = await sql<{ name: string }>`
    select first_name || ' ' || last_name as name from users where id = ${userId}`.execute(database)
  return found.rows[0]?.name
}

/**
 * Counts the queued runs of an organisation, and locks the count until the transaction ends, so that two requests
 * cannot both be the last one allowed.
 */
export async function countQueuedRuns(tx: InTransaction, organisationId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`queue of ${organisationId}`}, 0))`.execute(tx)
  const counted = await sql<{ runs: number }>`
    select count(*) as runs from runs where organisation_id = ${organisationId} and status = 'queued'`.execute(tx)
  return counted.rows[0]?.runs ?? 0
}
