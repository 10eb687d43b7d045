import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'
import type { StorePair } from './mappings.ts'

export interface Preflight {
  /** Address below which the source serves the originals of its pictures; null: their reduced form is copied. */
  originals: string | null
}

export async function findPreflight(database: Database, runId: string): Promise<Preflight | undefined> {
  const { rows } = await sql<Preflight>`select originals from preflights where run_id = ${runId}`.execute(database)
  return rows[0]
}

export async function savePreflight(tx: InTransaction, runId: string, { originals }: Preflight): Promise<void> {
  await sql`insert into preflights (run_id, originals) values (${runId}, ${originals})`.execute(tx)
}

/** Items of a component that the destination has from this source already. */
export async function countMapped(database: Database, pair: StorePair, component: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from mappings
    where organisation_id = ${pair.organisationId} and source_store_id = ${pair.sourceStoreId}
      and destination_store_id = ${pair.destinationStoreId} and component = ${component}`.execute(database)
  return rows[0]?.count ?? 0
}
