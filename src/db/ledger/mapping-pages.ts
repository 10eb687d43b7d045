import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'
import type { StorePair } from './store-pair.ts'

export type MappingRow = Columns<'mapping_sets', 'scope' | 'component'> &
  Columns<'mappings', 'sourceId' | 'destinationId' | 'origin' | 'owed' | 'name' | 'sku'>

export interface MappingFilters {
  components: string[]
  origin?: MappingRow['origin'] | undefined
  /** Only those the run created itself. */
  made?: 'here' | undefined
  /** Part of the name or SKU, or one of the two ids. */
  text?: string | undefined
}

/** Mappings between the two stores of a run in key order; the page after one of them. */
export async function listMappingRows(
  database: Database,
  run: StorePair & { id: string },
  filters: MappingFilters,
  page: {
    after: Pick<MappingRow, 'scope' | 'component' | 'sourceId'> | null
    limit: number
  },
): Promise<MappingRow[]> {
  const { after } = page
  const { components, origin, made, text } = filters
  const { rows } = await sql<MappingRow>`
    select s.scope, s.component, of_set.* from mapping_sets s
    cross join lateral (
      select source_id as "sourceId", destination_id as "destinationId", origin, owed, name, sku from mappings
      where set_id = s.id
        and source_id > case when s.scope = ${after?.scope ?? null} and s.component = ${after?.component ?? null}
          then ${after?.sourceId ?? null}::text else '' end
        and (${origin ?? null}::text is null or origin = ${origin ?? null})
        and (${made ?? null}::text is null or run_id = ${run.id})
        and ${mentions(text, [sql`name`, sql`sku`], [sql`source_id`, sql`destination_id`])}
      order by source_id limit ${page.limit}) of_set
    where s.organisation_id = ${run.organisationId} and s.source_store_id = ${run.sourceStoreId}
      and s.destination_store_id = ${run.destinationStoreId} and s.component = any(${components}::text[])
      and (${after?.scope ?? null}::text is null
        or (s.scope, s.component) >= (${after?.scope ?? null}, ${after?.component ?? null}))
    order by s.scope, s.component, of_set."sourceId" limit ${page.limit}`.execute(database)
  return rows
}
