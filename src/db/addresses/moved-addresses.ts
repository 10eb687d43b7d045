import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

export type PageAddress = MovedPage & Columns<'moved_addresses', 'component' | 'sourceId' | 'sourcePath'>

/** Where a page is at the destination, and the storefront of the source whose page it is; null if it may be on any. */
export type MovedPage = Columns<'moved_addresses', 'storefront' | 'destinationPath'>

/** The platform treats both as one page. */
export function withoutLastSlash(path: string): string {
  return path.replace(/\/+$/, '') || '/'
}

/**
 * Saves pages whose path differs at the destination. If a page gets its own path back, the row stays until texts are
 * rewritten. Does nothing in a dry run.
 */
export async function saveAddresses(tx: InTransaction, pair: StorePair, pages: PageAddress[]): Promise<void> {
  if (pages.length === 0 || pair.simulatedBy !== undefined) return
  const rows = pages.map((page) => ({
    ...page,
    key: withoutLastSlash(page.sourcePath),
    moved: withoutLastSlash(page.sourcePath) !== withoutLastSlash(page.destinationPath),
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p("component" text, "sourceId" text, "key" text,
    "destinationPath" text, "storefront" text, "moved" boolean)`
  await sql`
    update moved_addresses m set destination_path = p."destinationPath", followed = false from ${given}
    where m.organisation_id = ${pair.organisationId} and m.source_store_id = ${pair.sourceStoreId}
      and m.destination_store_id = ${pair.destinationStoreId} and m.component = p."component" and m.source_id = p."sourceId"
      and not p."moved" and m.destination_path <> p."destinationPath"`.execute(tx)
  await sql`
    insert into moved_addresses as m (organisation_id, source_store_id, destination_store_id, component, source_id, source_path,
      destination_path, storefront)
    select ${pair.organisationId}, ${pair.sourceStoreId}, ${pair.destinationStoreId}, p."component", p."sourceId", p."key",
      p."destinationPath", p."storefront" from ${given} where p."moved"
    on conflict (source_store_id, destination_store_id, component, source_id) do update set
      source_path = excluded.source_path, destination_path = excluded.destination_path,
      storefront = excluded.storefront, followed = m.followed
        and m.source_path = excluded.source_path and m.destination_path = excluded.destination_path`.execute(tx)
}

/** Whether pages of the pair have another path at the destination, and whether texts may still contain the old one. */
export async function findMovedState(
  database: Database,
  pair: StorePair,
): Promise<{ any: boolean; unfollowed: boolean }> {
  const { rows } = await sql<{ any: boolean; unfollowed: boolean }>`
    select count(*) > 0 as any, count(*) filter (where not followed) > 0 as unfollowed from moved_addresses
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId}`.execute(database)
  return rows[0] ?? { any: false, unfollowed: false }
}

/** The pages of each of these source paths, where they are elsewhere at the destination. */
export async function movedPaths(
  database: Database,
  pair: StorePair,
  paths: string[],
): Promise<Map<string, MovedPage[]>> {
  if (paths.length === 0) return new Map()
  const { rows } = await sql<MovedPage & Columns<'moved_addresses', 'sourcePath'>>`
    select source_path as "sourcePath", destination_path as "destinationPath", storefront from moved_addresses
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and source_path = any(${paths.map(withoutLastSlash)})
    order by source_path, component, source_id`.execute(database)
  return Map.groupBy(rows, ({ sourcePath }) => sourcePath)
}

/** Called once every text that may contain one of these paths has been checked. */
export async function noteFollowed(tx: InTransaction, pair: StorePair): Promise<void> {
  if (pair.simulatedBy !== undefined) return
  const ofPair = sql`organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
    and destination_store_id = ${pair.destinationStoreId}`
  await sql`delete from moved_addresses where ${ofPair} and source_path = rtrim(destination_path, '/')`.execute(tx)
  await sql`update moved_addresses set followed = true where ${ofPair} and not followed`.execute(tx)
}
