import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** An item that stands at the destination under another address than in the source. */
export type ChangedAddress = Columns<'issues', 'component' | 'sourceId' | 'item'> & {
  destinationId: string
  /** Its address in the source. */
  path: string
}

/**
 * Open warnings of a run about addresses that could not be kept and from which nothing of ours leads on yet. They are told in the
 * transaction that saved the item, so that none is forgotten whoever goes on with the run.
 */
export async function changedAddresses(
  database: Database,
  pair: StorePair,
  runId: string,
  redirects: { component: string; scope: string },
): Promise<ChangedAddress[]> {
  const { rows } = await sql<ChangedAddress>`
    select told.component, told.source_id as "sourceId", told.destination_id as "destinationId",
      told.item ->> 'path' as path, told.item
    from issues told
    where told.organisation_id = ${pair.organisationId} and told.run_id = ${runId} and told.code = 'address_changed'
      and told.state = 'open' and told.destination_id is not null and told.item ->> 'path' is not null
      and not exists (
        select from mappings made where made.source_store_id = ${pair.sourceStoreId}
          and made.destination_store_id = ${pair.destinationStoreId} and made.scope = ${redirects.scope}
          and made.component = ${redirects.component}
          and made.source_id like 'address/' || told.component || '/' || told.source_id || '/%')
    order by told.component, told.source_id`.execute(database)
  return rows
}
