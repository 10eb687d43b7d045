import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

export type StagedItem = Columns<'staged_items', 'sourceId' | 'parentId' | 'body'>

/**
 * Stages a page; an item already staged is updated.
 *
 * @param level in a list without a hierarchy the group in which they are planned; null where `levelItems` numbers the
 *   levels once the list is complete
 */
export async function stageItems(
  tx: InTransaction,
  runId: string,
  { pass, level }: { pass: string; level: number | null },
  items: StagedItem[],
): Promise<void> {
  if (items.length === 0) return
  // An item that moves while the page is being read appears on it twice.
  const once = [...new Map(items.map((item) => [item.sourceId, item])).values()]
  await sql`
    insert into staged_items (run_id, pass, source_id, parent_id, level, body)
    select ${runId}, ${pass}, s."sourceId", s."parentId", ${level}::integer, s."body"
    from jsonb_to_recordset(${JSON.stringify(once)}::jsonb) as s("sourceId" text, "parentId" text, "body" jsonb)
    on conflict (run_id, pass, source_id) do update set body = excluded.body, parent_id = excluded.parent_id,
      level = excluded.level`.execute(tx)
}

/** Numbers the levels of a hierarchy, parents first. Orphans and loops get none. */
export async function levelItems(tx: InTransaction, runId: string, pass: string): Promise<void> {
  await sql`
    with recursive levels as (
      select source_id, 0 as level from staged_items where run_id = ${runId} and pass = ${pass} and parent_id is null
      union all
      select child.source_id, levels.level + 1 from staged_items as child
      join levels on child.parent_id = levels.source_id where child.run_id = ${runId} and child.pass = ${pass})
    update staged_items as s set level = levels.level from levels
    where s.run_id = ${runId} and s.pass = ${pass} and s.source_id = levels.source_id`.execute(tx)
}

/** Those without a level come after every level that the platform allows. */
const levelOf = sql`coalesce(level, 1000000)`

type Placed = StagedItem & Columns<'staged_items', 'level'>

interface Position {
  level: number
  sourceId: string
}

/**
 * The next items in planning order: by level, then by id; those without a level last. All are of one level, because parents
 * are written before their children are planned (C5).
 */
export async function stagedPage(
  database: Database,
  runId: string,
  pass: string,
  after: Position,
  limit: number,
): Promise<Placed[]> {
  const rest = await restOfLevel(database, runId, pass, after, limit)
  if (rest.length > 0) return rest
  const { rows } = await sql<{ level: number }>`
    select ${levelOf} as level from staged_items where run_id = ${runId} and pass = ${pass} and ${levelOf} > ${after.level}
    order by ${levelOf} limit 1`.execute(database)
  return rows[0] ? restOfLevel(database, runId, pass, { level: rows[0].level, sourceId: '' }, limit) : []
}

/** With the level fixed, PostgreSQL reads them from the index; for thousands at a time it would sort all staged items. */
async function restOfLevel(
  database: Database,
  runId: string,
  pass: string,
  { level, sourceId }: Position,
  limit: number,
): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select source_id as "sourceId", parent_id as "parentId", level, body from staged_items
    where run_id = ${runId} and pass = ${pass} and ${levelOf} = ${level}
      and (length(source_id), source_id) > (length(${sourceId}::text), ${sourceId}::text)
    order by length(source_id), source_id limit ${limit}`.execute(database)
  return rows
}

export async function stagedByIds(
  database: Database,
  runId: string,
  pass: string,
  ids: string[],
): Promise<StagedItem[]> {
  const { rows } = await sql<StagedItem>`
    select source_id as "sourceId", parent_id as "parentId", body from staged_items
    where run_id = ${runId} and pass = ${pass} and source_id = any(${ids})
    order by ${levelOf}, length(source_id), source_id`.execute(database)
  return rows
}

export async function countStaged(database: Database, runId: string, pass: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from staged_items where run_id = ${runId} and pass = ${pass}`.execute(database)
  return rows[0]?.count ?? 0
}

/** Deletes the copies of store data that only this run needed, when it ends. */
export async function clearRunCopies(tx: InTransaction, runId: string): Promise<void> {
  await sql`delete from staged_items where run_id = ${runId}`.execute(tx)
  await sql`delete from source_keys where run_id = ${runId}`.execute(tx)
  await sql`delete from source_ids where run_id = ${runId}`.execute(tx)
  await sql`delete from prune_candidates where run_id = ${runId}`.execute(tx)
  await sql`delete from planned_mappings where run_id = ${runId}`.execute(tx)
  await sql`delete from planned_keys where run_id = ${runId}`.execute(tx)
  await sql`delete from named_items where run_id = ${runId}`.execute(tx)
  await sql`delete from scope_items where run_id = ${runId} and why = 'met'`.execute(tx)
  await sql`delete from destination_keys where run_id = ${runId}`.execute(tx)
  await sql`delete from destination_items where run_id = ${runId}`.execute(tx)
}
