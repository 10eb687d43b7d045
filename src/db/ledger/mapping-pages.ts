import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import type { StorePair } from './store-pair.ts'

export type MappingRow = Columns<'mappings', 'scope' | 'component' | 'sourceId' | 'destinationId' | 'origin' | 'owed'>

/** Mappings between two stores in the order of their key, the page after one of them. */
export async function listMappingRows(
  database: Database,
  pair: StorePair,
  page: {
    components: string[]
    after: Pick<MappingRow, 'scope' | 'component' | 'sourceId'> | null
    limit: number
  },
): Promise<MappingRow[]> {
  const { after } = page
  const { rows } = await sql<MappingRow>`
    select scope, component, source_id as "sourceId", destination_id as "destinationId", origin, owed from mappings
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = any(${page.components}::text[])
      and (${after?.scope ?? null}::text is null or (scope, component, source_id)
        > (${after?.scope ?? null}, ${after?.component ?? null}, ${after?.sourceId ?? null}))
    order by scope, component, source_id limit ${page.limit}`.execute(database)
  return rows
}
