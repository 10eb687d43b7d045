import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** Items of one store whose lists a pass is going to read. */
type NamedFor = Columns<'named_items', 'runId' | 'side' | 'pass'>

export async function saveNamed(tx: InTransaction, { runId, side, pass }: NamedFor, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into named_items (run_id, side, pass, item_id)
    select distinct ${runId}::uuid, ${side}, ${pass}, id from unnest(${ids}::text[]) as id
    on conflict do nothing`.execute(tx)
}

export async function hasNamed(database: Database, { runId, side, pass }: NamedFor): Promise<boolean> {
  const { rows } = await sql`
    select from named_items where run_id = ${runId} and side = ${side} and pass = ${pass} limit 1`.execute(database)
  return rows.length > 0
}

export async function namedAmong(
  database: Database,
  { runId, side, pass }: NamedFor,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await sql<Columns<'named_items', 'itemId'>>`
    select item_id as "itemId" from named_items
    where run_id = ${runId} and side = ${side} and pass = ${pass} and item_id = any(${ids})`.execute(database)
  return new Set(rows.map(({ itemId }) => itemId))
}
