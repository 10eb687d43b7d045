import { sql } from 'kysely'
import { madeRedirects } from '../../model/made-redirects.ts'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import { mappingsBetween } from '../ledger/mappings.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** An item whose address at the destination differs from that in the source. */
export type ChangedAddress = Columns<'issues', 'component' | 'sourceId' | 'item'> & {
  destinationId: string
  /** Its address in the source. */
  path: string
}

/**
 * A run's open warnings about addresses that could not be kept and have no redirect from us yet. They are written in
 * the transaction that saves the item, so a takeover loses none.
 */
export async function changedAddresses(
  database: Database,
  pair: StorePair,
  runId: string,
  redirects: { component: string; scope: string },
): Promise<ChangedAddress[]> {
  const { rows } = await sql<ChangedAddress>`
    select issue.component, issue.source_id as "sourceId", issue.destination_id as "destinationId",
      issue.item ->> 'path' as path, issue.item
    from issues issue
    where issue.organisation_id = ${pair.organisationId} and issue.run_id = ${runId} and issue.code = 'address_changed'
      and issue.state = 'open' and issue.destination_id is not null and issue.item ->> 'path' is not null
      and not exists (
        select from mappings_of_pairs made where made.source_store_id = ${pair.sourceStoreId}
          and made.destination_store_id = ${pair.destinationStoreId} and made.scope = ${redirects.scope}
          and made.component = ${redirects.component}
          and made.source_id like ${madeRedirects}::text || issue.component || '/' || issue.source_id || '/%')
    order by issue.component, issue.source_id`.execute(database)
  return rows
}

/** Destination ids of the redirects that runs over the pair made, whatever storefronts they covered (D3). */
export async function madeRedirectIds(database: Database, pair: StorePair, component: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select made.destination_id as id from ${mappingsBetween(pair)} made
    where made.component = ${component} and made.source_id like ${madeRedirects}::text || '%'`.execute(database)
  return new Set(rows.map(({ id }) => id))
}
