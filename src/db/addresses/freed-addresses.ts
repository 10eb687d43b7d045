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
 * our own redirects. Ordered by id.
 */
export async function movedCopies(
  database: Database,
  pair: StorePair,
  { runId, components, redirects }: AddressLists,
): Promise<MovedCopy[]> {
  const { rows } = await sql<MovedCopy>`
    select moved.component, moved.source_id as "sourceId", moved.destination_path as "destinationPath",
      coalesce(array_agg(holder.component || ':' || holder.source_id) filter (where taken.destination_id is not null), '{}')
        as holders
    from moved_addresses moved
    left join destination_items taken on taken.run_id = ${runId}
      and taken.component = any(${[...components, redirects.component]})
      and lower(rtrim(taken.body -> 'item' ->> 'path', '/')) = lower(moved.source_path)
      and not exists (
        select from ${mappingsBetween(pair)} own
        where own.component = taken.component and own.destination_id = taken.destination_id
          and (own.component = moved.component and own.source_id = moved.source_id
            or own.component = ${redirects.component} and own.scope = ${redirects.scope}
              and own.source_id like ${madeRedirects}::text || moved.component || '/' || moved.source_id || '/%'))
    left join ${mappingsBetween(pair)} copy on copy.component = taken.component
      and copy.destination_id = taken.destination_id
    left join moved_addresses holder on holder.organisation_id = ${pair.organisationId}
      and holder.source_store_id = ${pair.sourceStoreId} and holder.destination_store_id = ${pair.destinationStoreId}
      and holder.component = copy.component and holder.source_id = copy.source_id
      and holder.source_path <> rtrim(holder.destination_path, '/')
    where moved.organisation_id = ${pair.organisationId} and moved.source_store_id = ${pair.sourceStoreId}
      and moved.destination_store_id = ${pair.destinationStoreId} and moved.component = any(${[...components]})
      and moved.source_path <> rtrim(moved.destination_path, '/')
    group by moved.component, moved.source_id, moved.destination_path
    order by moved.component, moved.source_id`.execute(database)
  return rows
}

/** Our redirects whose target now has the redirected address itself, as far as this run has listed both. */
export async function needlessRedirects(
  database: Database,
  pair: StorePair,
  { runId, redirects }: AddressLists,
): Promise<(Pick<Mapping, 'scope' | 'component' | 'sourceId' | 'destinationId'> & { path: string })[]> {
  const { rows } = await sql<Pick<Mapping, 'scope' | 'component' | 'sourceId' | 'destinationId'> & { path: string }>`
    select made.scope, made.component, made.source_id as "sourceId", made.destination_id as "destinationId",
      listed.body -> 'item' ->> 'path' as path
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
