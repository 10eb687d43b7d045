import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'
import { saveMappings } from '../../src/db/ledger/mappings.ts'
import type { StorePair } from '../../src/db/ledger/store-pair.ts'
import { destinationId as shown } from '../../src/model/destination-id.ts'

interface MappedItem {
  component?: string
  sourceId: string
  destinationId: string
  origin?: 'created' | 'adopted'
  owed?: string[]
  name?: string | null
}

/**
 * Maps items between the two stores of a run, as if it had copied them. SKUs are the names with `SKU-` before them.
 *
 * @param by the run that made the mappings, if another
 */
export async function mapItems(database: Database, runId: string, items: MappedItem[], by = runId): Promise<void> {
  const { rows } = await sql<StorePair>`
    select organisation_id as "organisationId", source_store_id as "sourceStoreId",
      destination_store_id as "destinationStoreId" from runs where id = ${runId}`.execute(database)
  const [pair] = rows
  if (!pair) throw new Error(`There is no run ${runId}`)
  const mappings = items.map(
    ({ component = 'brands', sourceId, destinationId, origin = 'created', owed = [], name = null }) => ({
      ...{ scope: 'store', component, sourceId, destinationId: shown(destinationId), origin, owed, runId: by },
      ...{ draftChecksum: null, destinationChecksum: null, names: { name, sku: name && `SKU-${name}` } },
    }),
  )
  await database.transaction().execute((tx) => saveMappings(tx, pair, mappings))
}

/** A condition on `mappings` in terms of their pairs, scopes and components. */
export function mappingsWhere(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(set_id, source_id) in (select set_id, source_id from mappings_of_pairs where ${condition})`
}
