import { type RawBuilder, sql } from 'kysely'
import type { Columns, OrNull, Renamed } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

/** An item, on either side of the pairs it was copied in. */
export interface ItemQuery {
  organisationId: string
  component: string
  sourceStoreId: string | null
  sourceId: string | null
  destinationId: string | null
}

/** Which item of which store is the copy of which. */
export type Copy = Columns<'mapping_sets', 'sourceStoreId' | 'destinationStoreId'> &
  Columns<'mappings', 'sourceId' | 'destinationId'>

export type MappingEntry = Renamed<'stores', { source: 'hash'; destination: 'hash' }> &
  Copy &
  Columns<'mapping_sets', 'scope'> &
  Columns<'mappings', 'origin' | 'owed' | 'runId' | 'createdAt' | 'updatedAt'>

/** Which items are copies of which; `scope` is `store` or a pair of storefronts. */
export async function findMappings(database: Database, query: ItemQuery, limit: number): Promise<MappingEntry[]> {
  const { rows } = await sql<MappingEntry>`
    select src.hash as source, dst.hash as destination, m.source_store_id as "sourceStoreId",
      m.destination_store_id as "destinationStoreId", m.scope, m.source_id as "sourceId",
      m.destination_id as "destinationId", m.origin, m.owed, m.run_id as "runId", m.created_at as "createdAt",
      m.updated_at as "updatedAt"
    from mappings_of_pairs m
      join stores src on src.organisation_id = m.organisation_id and src.id = m.source_store_id
      join stores dst on dst.organisation_id = m.organisation_id and dst.id = m.destination_store_id
    where m.organisation_id = ${query.organisationId} and m.component = ${query.component}
      and (${query.sourceStoreId}::uuid is null or m.source_store_id = ${query.sourceStoreId})
      and (${query.sourceId}::text is null or m.source_id = ${query.sourceId})
      and (${query.destinationId}::text is null or m.destination_id = ${query.destinationId})
    order by m.updated_at desc limit ${limit}`.execute(database)
  return rows
}

export type ItemEvent = Columns<'issues', 'runId'> &
  OrNull<Columns<'issues', 'state'>> &
  // Hashes, because ids of two stores may be equal.
  Renamed<'stores', { source: 'hash'; destination: 'hash' }> & {
    at: Date
    event: 'issue' | 'difference' | 'overwritten' | 'deleted' | 'written'
    /** An issue code, a kind of difference, or a state in the ledger. */
    what: string
  }

interface ItemAtStore {
  storeId: string
  id: string
}

/** Whether an item is the requested one, or a known one: in the store of the run, because ids of two stores may be equal. */
function isAmong(
  known: readonly ItemAtStore[],
  requested: string | null,
  { id, storeId }: Record<'id' | 'storeId', RawBuilder<unknown>>,
) {
  const ids = [...new Set([...(requested === null ? [] : [requested]), ...known.map((one) => one.id)])]
  return sql`(${id} = any(${ids}::text[]) and (${id} = ${requested}::text or (${storeId}, ${id}) in (
    select * from unnest(${known.map((one) => one.storeId)}::uuid[], ${known.map((one) => one.id)}::text[]))))`
}

/**
 * What each run recorded about an item, newest first. The ledger only has unfinished runs; the other tables have all.
 *
 * @param copies mappings of the item.
 */
export async function listItemEvents(
  database: Database,
  query: ItemQuery,
  copies: readonly Copy[],
  limit: number,
): Promise<ItemEvent[]> {
  const { organisationId, component } = query
  const originals = copies.map(({ sourceStoreId: storeId, sourceId: id }) => ({ storeId, id }))
  const copied = copies.map(({ destinationStoreId: storeId, destinationId: id }) => ({ storeId, id }))
  const atSource = (id: RawBuilder<unknown>) =>
    isAmong(originals, query.sourceId, { id, storeId: sql`run.source_store_id` })
  const atDestination = (id: RawBuilder<unknown>) =>
    isAmong(copied, query.destinationId, { id, storeId: sql`run.destination_store_id` })
  const ofStore = sql`(${query.sourceStoreId}::uuid is null or run.source_store_id = ${query.sourceStoreId})`
  const { rows } = await sql<ItemEvent>`
    select "runId", src.hash as source, dst.hash as destination, at, event, what, happened.state from (
      select i.run_id as "runId", i.last_at as at, 'issue' as event, i.code as what, i.state
      from issues i join runs run on run.id = i.run_id
      where i.organisation_id = ${organisationId} and ${ofStore} and i.component = ${component}
        and ${atSource(sql`i.source_id`)}
      union all
      select d.run_id, coalesce(run.finished_at, run.updated_at), 'difference', d.kind, null
      from differences d join runs run on run.id = d.run_id
      where d.organisation_id = ${organisationId} and ${ofStore} and d.component = ${component}
        and (${atSource(sql`d.source_id`)} or ${atDestination(sql`d.destination_id`)})
      union all
      select b.run_id, b.at, case b.action when 'update' then 'overwritten' else 'deleted' end, b.action, null
      from before_images b join runs run on run.id = b.run_id
      where b.organisation_id = ${organisationId} and ${ofStore} and b.component = ${component}
        and ${atDestination(sql`b.destination_id`)}
      union all
      select l.run_id, run.updated_at, 'written', l.state, null
      from ledger l join runs run on run.id = l.run_id
      where run.organisation_id = ${organisationId} and ${ofStore} and l.component = ${component}
        and ${atSource(sql`l.source_id`)}) happened
      join runs of_run on of_run.id = "runId"
      join stores src on src.id = of_run.source_store_id join stores dst on dst.id = of_run.destination_store_id
    order by at desc, "runId", event limit ${limit}`.execute(database)
  return rows
}
