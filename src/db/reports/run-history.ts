import { type RawBuilder, sql } from 'kysely'
import type { HistorySort } from '../../contract/history.ts'
import type { ConflictStrategy, Mode } from '../../contract/modes.ts'
import type { MigrationStatus } from '../../contract/status.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'
import { isUuid, openFailures, type RunRow, runColumns, runsWithStores, workedMs } from '../runs/runs.ts'

export interface HistoryFilters {
  /** Any of them. */
  status?: readonly MigrationStatus[]
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

/** @property workedSoFarMs time in progress, without pauses */
export type HistoryRow = RunRow & HistoryPosition & { workedSoFarMs: number; createdByName: string | null }

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
  failures: byNumber(openFailures),
}

/** In microseconds, because two runs may share a millisecond. */
function byMoment(key: RawBuilder<unknown>): Order {
  const rank = sql`(extract(epoch from ${key}) * 1000000)::bigint`
  return { key, rank, keyOf: (micros) => sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'` }
}

function byNumber(key: RawBuilder<unknown>): Order {
  return { key, rank: sql`${key}::bigint`, keyOf: (number) => sql`${number}::bigint` }
}

/** The page after a position. */
export async function listRuns(
  database: Database,
  organisationId: string,
  filters: HistoryFilters,
  page: HistoryPage,
): Promise<HistoryRow[]> {
  const { key, rank } = orders[page.sort]
  const found = await sql<HistoryRow>`
    select ${runColumns}, ${rank} as rank, ${workedMs} as "workedSoFarMs",
      person.first_name || ' ' || person.last_name as "createdByName"
    from ${runsWithStores} left join users person on person.id = run.created_by
    where run.organisation_id = ${organisationId} and ${fits(filters)} and ${comesAfter(page)}
    order by ${key} desc, run.id desc limit ${page.limit}`.execute(database)
  return found.rows
}

export type RunOfAll = RunRow &
  Pick<HistoryRow, 'rank' | 'workedSoFarMs'> &
  Renamed<'organisations', { organisationName: 'name' }>

/** Runs of all organisations. Only for administrators; the operation writes an audit entry (S18). */
export async function listRunsOfAll(
  database: Database,
  { organisationId, ...filters }: HistoryFilters & { organisationId?: string },
  page: HistoryPage,
): Promise<RunOfAll[]> {
  const { key, rank } = orders[page.sort]
  const found = await sql<RunOfAll>`
    select ${runColumns}, ${rank} as rank, ${workedMs} as "workedSoFarMs", organisation.name as "organisationName"
    from ${runsWithStores} join organisations organisation on organisation.id = run.organisation_id
    where (${organisationId ?? null}::uuid is null or run.organisation_id = ${organisationId ?? null})
      and ${fits(filters)} and ${comesAfter(page)}
    order by ${key} desc, run.id desc limit ${page.limit}`.execute(database)
  return found.rows
}

/** A run of any organisation. Only for administrators; the operation writes an audit entry (S18). */
export async function findRunOfAny(database: Database, id: string): Promise<RunOfAll | undefined> {
  if (!isUuid(id)) return undefined
  const found = await sql<RunOfAll>`
    select ${runColumns}, 0 as rank, ${workedMs} as "workedSoFarMs", organisation.name as "organisationName"
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
const historyTexts = sql`run.label, src.label, dst.label, src.hash, dst.hash, run.id::text,
  (select summary from snapshots where run_id = run.id)`

function fits(filters: HistoryFilters): RawBuilder<unknown> {
  return sql`
      (${filters.status ?? null}::text[] is null or run.status = any(${filters.status ?? null}::text[]))
      and (${filters.mode ?? null}::text[] is null or run.mode = any(${filters.mode ?? null}::text[]))
      and (${filters.conflictStrategy ?? null}::text[] is null
        or run.conflict_strategy = any(${filters.conflictStrategy ?? null}::text[]))
      and (${filters.store ?? null}::text is null or ${filters.store ?? null} in (src.hash, dst.hash))
      and (${filters.source ?? null}::text is null or src.hash = ${filters.source ?? null})
      and (${filters.destination ?? null}::text is null or dst.hash = ${filters.destination ?? null})
      and (${filters.storefront ?? null}::text is null
        or ${filters.storefront ?? null} in (run.source_storefront, run.dest_storefront))
      and (${filters.createdBy ?? null}::text is null or run.created_by::text = ${filters.createdBy ?? null})
      and (${filters.createdFrom ?? null}::timestamptz is null or run.created_at >= ${filters.createdFrom ?? null})
      and (${filters.createdBefore ?? null}::timestamptz is null or run.created_at < ${filters.createdBefore ?? null})
      and ${mentions(filters.text, historyTexts)}`
}

/** Runs of the organisation by their ids, in the given order. */
export async function findRuns(database: Database, organisationId: string, ids: string[]): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select ${runColumns}, 0 as rank, ${workedMs} as "workedSoFarMs",
      person.first_name || ' ' || person.last_name as "createdByName"
    from ${runsWithStores} left join users person on person.id = run.created_by
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
