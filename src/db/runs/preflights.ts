import { sql } from 'kysely'
import type { Columns, Renamed } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** `originals` is the base address of the source's original pictures; null: the reduced ones are copied. */
export type Preflight = Columns<'preflights', 'originals'>

export async function findPreflight(database: Database, runId: string): Promise<Preflight | undefined> {
  const { rows } = await sql<Preflight>`select originals from preflights where run_id = ${runId}`.execute(database)
  return rows[0]
}

export async function savePreflight(tx: InTransaction, runId: string, { originals }: Preflight): Promise<void> {
  await sql`insert into preflights (run_id, originals) values (${runId}, ${originals})`.execute(tx)
}

/** How many items of a component at the destination came from this source. */
export async function countMapped(database: Database, pair: StorePair, component: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from mappings_of_pairs
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = ${component}`.execute(database)
  return rows[0]?.count ?? 0
}

type DestinationClients = Renamed<'stores', { first: 'platformClientId' }> &
  Renamed<'preflights', { last: 'destinationClient' }>

/**
 * API accounts at the destination: the one that made the first copies, and the one that wrote last. Null if unknown.
 */
export async function destinationClients(
  database: Database,
  { organisationId, destinationStoreId }: StorePair,
): Promise<DestinationClients> {
  const { rows } = await sql<DestinationClients>`
    select platform_client_id as first, (
      select destination_client from preflights p join runs r on r.id = p.run_id
      where r.organisation_id = ${organisationId} and r.destination_store_id = ${destinationStoreId}
        and p.destination_client is not null order by p.at desc limit 1) as last
    from stores where organisation_id = ${organisationId} and id = ${destinationStoreId}`.execute(database)
  return rows[0] ?? { first: null, last: null }
}

/** Keeps the first account: another one may not see the metafields it made. */
export async function keepDestinationClient(
  tx: InTransaction,
  { organisationId, destinationStoreId }: StorePair,
  runId: string,
  client: string,
): Promise<void> {
  await sql`
    update stores set platform_client_id = ${client}
    where organisation_id = ${organisationId} and id = ${destinationStoreId} and platform_client_id is null`.execute(tx)
  await sql`update preflights set destination_client = ${client} where run_id = ${runId}`.execute(tx)
}
