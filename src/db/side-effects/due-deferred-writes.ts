import { type RawBuilder, sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { DeferredWrite } from './deferred-writes.ts'

/** A deferred write that no run is about to do, with its copy. */
export type DueDeferredWrite = DeferredWrite &
  Columns<'duties', 'organisationId' | 'sourceStoreId' | 'destinationStoreId'> &
  Renamed<'stores', { destinationHash: 'hash' }> &
  Columns<'mappings', 'destinationId'>

export type OverdueDeferredWrite = DueDeferredWrite &
  Columns<'mappings', 'owed'> & {
    /** The last copy over the pair that had such items in its scope. */
    runId: string
    /** Whether a run had done everything else, or ended before it could. */
    due: boolean
    /** False when the store was disconnected, which leaves the item as it is. */
    connected: boolean
  }

/** Another host may try again after so long. */
const triedAgainAfter = sql`interval '1 minute'`
const overdueAfter = sql`interval '15 minutes'`

const columns = sql`deferred.organisation_id as "organisationId", deferred.source_store_id as "sourceStoreId",
  deferred.destination_store_id as "destinationStoreId", deferred.component, deferred.source_id as "sourceId", deferred.fields,
  dst.hash as "destinationHash", copy.destination_id as "destinationId"`

/** Deferred writes of items in store scope, with their copies, at destinations that no run writes to. */
const waiting = sql`
  duties deferred
  join organisations org on org.id = deferred.organisation_id and org.store_migration_enabled
  join stores dst on dst.organisation_id = deferred.organisation_id and dst.id = deferred.destination_store_id
    and not exists (
      select from destination_leases lease where lease.platform = dst.platform and lease.store_hash = dst.hash)
  join mappings copy on copy.source_store_id = deferred.source_store_id
    and copy.destination_store_id = deferred.destination_store_id and copy.scope = 'store'
    and copy.component = deferred.component and copy.source_id = deferred.source_id
    and not exists (
      select from runs run where run.organisation_id = deferred.organisation_id
        and run.source_store_id = deferred.source_store_id and run.destination_store_id = deferred.destination_store_id
        and run.mode = 'full' and run.status in ('queued', 'in_progress', 'paused'))`

/** Takes deferred writes that are due and whose copies are complete; no other host tries them for a minute. */
export async function takeDueDeferredWrites(database: Database, limit: number): Promise<DueDeferredWrite[]> {
  const { rows } = await sql<DueDeferredWrite>`
    with taken as (
      select ${columns} from ${waiting}
      where dst.disconnected_at is null and deferred.due_at is not null and copy.owed = '{}' and deferred.tried_at < now() - ${triedAgainAfter}
      order by deferred.tried_at limit ${limit} for update of deferred skip locked)
    update duties deferred set tried_at = now() from taken
    where ${isSameDeferredWrite(sql`taken."sourceStoreId"`, sql`taken."destinationStoreId"`, sql`taken.component`, sql`taken."sourceId"`)}
    returning taken.*`.execute(database)
  return rows
}

/** The last check before the write: a run may have begun since, or have done it. */
export async function stillWaits(database: Database, deferred: DueDeferredWrite): Promise<boolean> {
  const { rows } = await sql`
    select from ${waiting}
    where ${named(deferred)} and deferred.due_at is not null and copy.owed = '{}' and copy.destination_id = ${deferred.destinationId}
      and deferred.tried_at > now() - ${triedAgainAfter}`.execute(database)
  return rows.length > 0
}

/**
 * Unreported deferred writes that have waited for 15 minutes without a run over their pair, or for ever because their store was
 * disconnected.
 */
export async function takeOverdueDeferredWrites(
  tx: InTransaction,
  phases: { component: string; phase: string }[],
  limit: number,
): Promise<OverdueDeferredWrite[]> {
  const { rows } = await sql<OverdueDeferredWrite>`
    with taken as (
      select ${columns}, copy.owed, deferred.due_at is not null as due, dst.disconnected_at is null as connected,
        last.id as "runId"
      from ${waiting}
      join jsonb_to_recordset(${JSON.stringify(phases)}::jsonb) as known("component" text, "phase" text)
        on known."component" = deferred.component
      cross join lateral (${lastRun(sql`known."phase"`)}) last
      where deferred.told_at is null
        and (dst.disconnected_at is not null
          or greatest(deferred.since, deferred.due_at, last.finished_at) < now() - ${overdueAfter})
      order by deferred.since limit ${limit} for update of deferred skip locked)
    update duties deferred set told_at = now() from taken
    where ${isSameDeferredWrite(sql`taken."sourceStoreId"`, sql`taken."destinationStoreId"`, sql`taken.component`, sql`taken."sourceId"`)}
    returning taken.*`.execute(tx)
  return rows
}

/** The last copy over the pair that had the phase in its scope. */
export async function lastRunOver(
  tx: InTransaction,
  deferred: DueDeferredWrite,
  phase: string,
): Promise<string | undefined> {
  const { rows } = await sql<Columns<'runs', 'id'>>`
    select last.id from duties deferred cross join lateral (${lastRun(sql`${phase}::text`)}) last where ${named(deferred)}`.execute(
    tx,
  )
  return rows[0]?.id
}

function lastRun(phase: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select run.id, run.finished_at from runs run
    where run.organisation_id = deferred.organisation_id and run.source_store_id = deferred.source_store_id
      and run.destination_store_id = deferred.destination_store_id and run.mode = 'full'
      and run.phases @> jsonb_build_array(jsonb_build_object('key', ${phase}))
    order by run.created_at desc, run.id limit 1`
}

function named({ organisationId, sourceStoreId, destinationStoreId, component, sourceId }: DueDeferredWrite) {
  return sql`deferred.organisation_id = ${organisationId}
    and ${isSameDeferredWrite(sql`${sourceStoreId}`, sql`${destinationStoreId}`, sql`${component}`, sql`${sourceId}`)}`
}

function isSameDeferredWrite(...[source, destination, component, item]: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(deferred.source_store_id, deferred.destination_store_id, deferred.component, deferred.source_id)
    = (${source}, ${destination}, ${component}, ${item})`
}
