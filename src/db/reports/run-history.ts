import { type RawBuilder, sql } from 'kysely'
import type { Mode } from '../../contract/modes.ts'
import type { MigrationStatus } from '../../contract/status.ts'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'
import { isUuid, type RunRow, runColumns, runsWithStores } from '../runs/runs.ts'

export interface HistoryFilters {
  status?: MigrationStatus
  mode?: Mode
  store?: string
  source?: string
  destination?: string
  createdFrom?: string
  createdBefore?: string
  text?: string
}

/** Position in the history: the run last shown. Microseconds, because two runs may share a millisecond. */
export type HistoryPosition = Columns<'runs', 'id'> & { createdMicros: string }

export type HistoryRow = RunRow & HistoryPosition & { createdByName: string | null }

/** Newest first, the page after `position`. */
export async function listRuns(
  database: Database,
  organisationId: string,
  filters: HistoryFilters,
  page: { after: HistoryPosition | null; limit: number },
): Promise<HistoryRow[]> {
  const found = await sql<HistoryRow>`
    select ${runColumns}, ${createdMicros}, person.first_name || ' ' || person.last_name as "createdByName"
    from ${runsWithStores} left join users person on person.id = run.created_by
    where run.organisation_id = ${organisationId} and ${fits(filters, page.after)}
    order by run.created_at desc, run.id desc limit ${page.limit}`.execute(database)
  return found.rows
}

export type RunOfAll = RunRow & HistoryPosition & Renamed<'organisations', { organisationName: 'name' }>

/** Runs of all organisations. Only for administrators; the operation writes an audit entry (S18). */
export async function listRunsOfAll(
  database: Database,
  { organisationId, ...filters }: HistoryFilters & { organisationId?: string },
  page: { after: HistoryPosition | null; limit: number },
): Promise<RunOfAll[]> {
  const found = await sql<RunOfAll>`
    select ${runColumns}, ${createdMicros}, organisation.name as "organisationName"
    from ${runsWithStores} join organisations organisation on organisation.id = run.organisation_id
    where (${organisationId ?? null}::uuid is null or run.organisation_id = ${organisationId ?? null})
      and ${fits(filters, page.after)}
    order by run.created_at desc, run.id desc limit ${page.limit}`.execute(database)
  return found.rows
}

/** A run of any organisation. Only for administrators; the operation writes an audit entry (S18). */
export async function findRunOfAny(database: Database, id: string): Promise<RunOfAll | undefined> {
  if (!isUuid(id)) return undefined
  const found = await sql<RunOfAll>`
    select ${runColumns}, ${createdMicros}, organisation.name as "organisationName"
    from ${runsWithStores} join organisations organisation on organisation.id = run.organisation_id
    where run.id = ${id}`.execute(database)
  return found.rows[0]
}

const createdMicros = sql`(extract(epoch from run.created_at) * 1000000)::bigint::text as "createdMicros"`

function fits(filters: HistoryFilters, after: HistoryPosition | null): RawBuilder<unknown> {
  return sql`
      (${after?.createdMicros ?? null}::bigint is null or (run.created_at, run.id)
        < ('epoch'::timestamptz + ${after?.createdMicros ?? null}::bigint * interval '1 microsecond', ${after?.id ?? null}::uuid))
      and (${filters.status ?? null}::text is null or run.status = ${filters.status ?? null})
      and (${filters.mode ?? null}::text is null or run.mode = ${filters.mode ?? null})
      and (${filters.store ?? null}::text is null or ${filters.store ?? null} in (src.hash, dst.hash))
      and (${filters.source ?? null}::text is null or src.hash = ${filters.source ?? null})
      and (${filters.destination ?? null}::text is null or dst.hash = ${filters.destination ?? null})
      and (${filters.createdFrom ?? null}::timestamptz is null or run.created_at >= ${filters.createdFrom ?? null})
      and (${filters.createdBefore ?? null}::timestamptz is null or run.created_at < ${filters.createdBefore ?? null})
      and ${mentions(filters.text, sql`run.label, src.label, dst.label, src.hash, dst.hash, run.id::text`)}`
}

/** Runs of the organisation by their ids, in the given order. */
export async function findRuns(database: Database, organisationId: string, ids: string[]): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select ${runColumns}, '' as "createdMicros", person.first_name || ' ' || person.last_name as "createdByName"
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
 * Queued runs of an organisation. Locks the count until the transaction ends, so that two requests cannot both be the last one
 * allowed.
 */
export async function countQueuedRuns(tx: InTransaction, organisationId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`queue of ${organisationId}`}, 0))`.execute(tx)
  const counted = await sql<{ runs: number }>`
    select count(*) as runs from runs where organisation_id = ${organisationId} and status = 'queued'`.execute(tx)
  return counted.rows[0]?.runs ?? 0
}
