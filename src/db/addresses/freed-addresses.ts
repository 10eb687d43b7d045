import { sql } from 'kysely'
import { madeRedirects } from '../../model/made-redirects.ts'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import { mappingsBetween } from '../ledger/mappings.ts'
import type { Mapping, StorePair } from '../ledger/store-pair.ts'

/** The items listed in a run from which it knows which addresses are taken at the destination. */
export interface AddressLists {
  runId: string
  /** Components whose items have an address. */
  components: readonly string[]
  redirects: { component: string; scope: string }
}

/** A copy whose address differs from that in the source. */
export type MovedCopy = Columns<'moved_addresses', 'component' | 'sourceId' | 'destinationPath'> & {
  /**
   * What has the source's address at the destination: `component:source id` of a copy that is itself elsewhere than in the
   * source, null for anything else.
   */
  holders: (string | null)[]
}

/**
 * Copies whose address differs from that in the source, with the pages and redirects that have the source's address, except
 * our own redirects. Ordered by id. What has one of the addresses is found first: the mappings are asked only for that.
 */
export async function movedCopies(
  database: Database,
  pair: StorePair,
  { runId, components, redirects }: AddressLists,
): Promise<MovedCopy[]> {
  const { rows } = await sql<MovedCopy>`
    with moved as materialized (
      select component, source_id, lower(source_path) as path, destination_path from moved_addresses
      where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
        and destination_store_id = ${pair.destinationStoreId} and source_path <> rtrim(destination_path, '/')),
    taken as materialized (
      select component, destination_id, lower(rtrim(body -> 'item' ->> 'path', '/')) as path from destination_items
      where run_id = ${runId} and component = any(${[...components, redirects.component]})
        and lower(rtrim(body -> 'item' ->> 'path', '/')) in (select path from moved)),
    copies as materialized (
      select taken.*, own.scope, own.source_id from taken
      left join lateral (
        select scope, source_id from ${mappingsBetween(pair)} known
        where known.component = taken.component and known.destination_id = taken.destination_id offset 0) own on true),
    holders as (
      select moved.*, copy.destination_id as taken, copy.component || ':' || copy.source_id as holder,
        bool_or(copy.component = moved.component and copy.source_id = moved.source_id
          or copy.component = ${redirects.component} and copy.scope = ${redirects.scope}
            and copy.source_id like ${madeRedirects}::text || moved.component || '/' || moved.source_id || '/%')
          over (partition by moved.component, moved.source_id, copy.component, copy.destination_id) as own
      from moved left join copies copy using (path)
      where moved.component = any(${[...components]}))
    select one.component, one.source_id as "sourceId", one.destination_path as "destinationPath",
      coalesce(array_agg(holder.component || ':' || holder.source_id)
        filter (where one.taken is not null and one.own is not true), '{}') as holders
    from holders one left join moved holder on holder.component || ':' || holder.source_id = one.holder
    group by one.component, one.source_id, one.destination_path
    order by one.component, one.source_id`.execute(database)
  return rows
}

export interface NeedlessRedirect extends Pick<Mapping, 'scope' | 'component' | 'sourceId' | 'destinationId'> {
  path: string
  /** The copy to which we made it lead. */
  targetComponent: string
  targetId: string
}

/** Our redirects whose target now has the redirected address itself, as far as this run has listed both. */
export async function needlessRedirects(
  database: Database,
  pair: StorePair,
  { runId, redirects }: AddressLists,
): Promise<NeedlessRedirect[]> {
  const { rows } = await sql<NeedlessRedirect>`
    select made.scope, made.component, made.source_id as "sourceId", made.destination_id as "destinationId",
      listed.body -> 'item' ->> 'path' as path, target.component as "targetComponent",
      target.destination_id as "targetId"
    from ${mappingsBetween(pair)} made
    join destination_items listed on listed.run_id = ${runId} and listed.component = made.component
      and listed.destination_id = made.destination_id
    join ${mappingsBetween(pair)} copy on copy.component = split_part(made.source_id, '/', 2)
      and copy.source_id = split_part(made.source_id, '/', 3)
    join destination_items target on target.run_id = ${runId} and target.component = copy.component
      and target.destination_id = copy.destination_id
    left join moved_addresses moved on moved.organisation_id = ${pair.organisationId}
      and moved.source_store_id = ${pair.sourceStoreId} and moved.destination_store_id = ${pair.destinationStoreId}
      and moved.component = copy.component and moved.source_id = copy.source_id
    where made.component = ${redirects.component} and made.scope = ${redirects.scope}
      and made.source_id like ${madeRedirects}::text || '%'
      and lower(rtrim(coalesce(moved.destination_path, target.body -> 'item' ->> 'path'), '/'))
        = lower(rtrim(listed.body -> 'item' ->> 'path', '/'))
    order by made.source_id`.execute(database)
  return rows
}
