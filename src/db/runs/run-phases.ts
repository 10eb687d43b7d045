import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import type { StorePair } from '../ledger/store-pair.ts'

/** Which of the runs have the phase in their scope. */
export async function runsWithPhase(
  database: Database,
  { organisationId }: StorePair,
  runIds: string[],
  phase: string,
): Promise<Set<string>> {
  if (runIds.length === 0) return new Set()
  const { rows } = await sql<Columns<'runs', 'id'>>`
    select id from runs
    where organisation_id = ${organisationId} and id = any(${runIds}::uuid[])
      and phases::jsonb @> jsonb_build_array(jsonb_build_object('key', ${phase}::text))`.execute(database)
  return new Set(rows.map(({ id }) => id))
}
