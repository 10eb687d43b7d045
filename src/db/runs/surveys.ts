import { sql } from 'kysely'
import type { PassShape } from '../../model/forecast/calls.ts'
import { type KeptShape, shapeToKeep } from '../../model/forecast/kept-shape.ts'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** Saves what a survey of two stores found, in place of what an earlier one found. */
export async function saveSurvey(
  tx: InTransaction,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  choices: string,
  shapes: readonly PassShape[],
): Promise<void> {
  await sql`
    insert into surveys (organisation_id, source_store_id, destination_store_id, choices, shapes)
    values (${organisationId}, ${sourceStoreId}, ${destinationStoreId}, ${choices},
      ${JSON.stringify(shapes.map(shapeToKeep))}::jsonb)
    on conflict (source_store_id, destination_store_id) do update
      set surveyed_at = now(), choices = excluded.choices, shapes = excluded.shapes`.execute(tx)
}

/** The last survey of two stores, if it was for these choices and is not older than that. */
export async function findSurvey(
  database: Database,
  { organisationId, sourceStoreId, destinationStoreId }: StorePair,
  choices: string,
  { days }: { days: number },
): Promise<KeptShape[] | undefined> {
  const { rows } = await sql<Columns<'surveys', 'shapes'>>`
    select shapes from surveys
    where organisation_id = ${organisationId} and source_store_id = ${sourceStoreId}
      and destination_store_id = ${destinationStoreId} and choices = ${choices}
      and surveyed_at > now() - ${days} * interval '1 day'`.execute(database)
  return rows[0]?.shapes
}
