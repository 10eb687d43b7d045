import { type RawBuilder, sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import { allStorefronts, type StorePair } from './store-pair.ts'

interface OtherSource extends Columns<'stores', 'id' | 'hash' | 'label'> {}

/** Other stores of the organisation, which may also have been copied to this destination. */
export async function otherSources(
  database: Database,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
): Promise<OtherSource[]> {
  const { rows } = await sql<OtherSource>`
    select id, hash, label from stores where organisation_id = ${organisationId}
      and id <> ${sourceStoreId} and id <> ${destinationStoreId} order by label, hash`.execute(database)
  return rows
}

/**
 * Copies of a component from those sources, in any scope of the same kind. Each set is read by itself (`offset 0`), because a
 * join may read all mappings to find a few.
 *
 * @param narrowed conditions, order and limit for each set
 */
export function copiesFrom(
  sources: OtherSource[],
  { organisationId, destinationStoreId }: StorePair,
  { scope, component }: { scope: string; component: string },
  narrowed = sql``,
): RawBuilder<unknown> {
  const scopes = scope === 'store' ? sql`scope = 'store'` : sql`scope >= 'storefront:' and scope < 'storefront;'`
  return sql`(
    select s.source_store_id, copy.destination_id from mapping_sets s
    cross join lateral (select destination_id from mappings where set_id = s.id ${narrowed} offset 0) copy
    where source_store_id = any(${sources.map(({ id }) => id)}::uuid[]) and destination_store_id = ${destinationStoreId}
      and organisation_id = ${organisationId} and ${scopes} and component = ${component}) copies`
}

/** For each item that is a copy from another source than the pair's: that source. */
export async function sourcesOfCopies(
  database: Database,
  pair: StorePair,
  of: { scope: string; component: string },
  destinationIds: string[],
): Promise<Map<string, OtherSource>> {
  const sources = destinationIds.length > 0 ? await otherSources(database, pair) : []
  if (sources.length === 0) return new Map()
  const { rows } = await sql<Columns<'mapping_sets', 'sourceStoreId'> & Columns<'mappings', 'destinationId'>>`
    select source_store_id as "sourceStoreId", destination_id as "destinationId"
    from ${copiesFrom(sources, pair, of, sql`and destination_id = any(${destinationIds})`)}`.execute(database)
  const byId = new Map(sources.map((source) => [source.id, source]))
  return new Map(
    rows.flatMap(({ sourceStoreId, destinationId }) => {
      const source = byId.get(sourceStoreId)
      return source ? [[destinationId, source] as const] : []
    }),
  )
}

/** Whether another store of the organisation, or a single storefront, has been copied to the destination. */
export async function isSharedDestination(
  database: Database,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
): Promise<boolean> {
  const { rows } = await sql`
    select from mapping_sets
    where organisation_id = ${organisationId} and destination_store_id = ${destinationStoreId}
      and (source_store_id <> ${sourceStoreId} or (scope like 'storefront:%' and scope <> ${allStorefronts}))
    limit 1`.execute(database)
  return rows.length > 0
}

/** Which of the sources have copies of a component at the destination. */
export async function sourcesWithCopies(
  database: Database,
  pair: StorePair,
  sources: OtherSource[],
  of: { scope: string; component: string },
): Promise<OtherSource[]> {
  const found: OtherSource[] = []
  for (const source of sources) {
    const { rows } =
      await sql`select 1 from ${copiesFrom([source], pair, of, sql`order by source_id limit 1`)}`.execute(database)
    if (rows.length > 0) found.push(source)
  }
  return found
}
