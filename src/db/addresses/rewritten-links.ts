import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** How many addresses and ids (`links`) were rewritten in how many items. */
export type RewrittenLinks = Columns<'rewritten_links', 'component' | 'items' | 'links'>

export async function addRewritten(tx: InTransaction, runId: string, counts: RewrittenLinks): Promise<void> {
  if (counts.links === 0) return
  await sql`
    insert into rewritten_links as r (run_id, component, items, links)
    values (${runId}, ${counts.component}, ${counts.items}, ${counts.links})
    on conflict (run_id, component) do update
      set items = r.items + excluded.items, links = r.links + excluded.links`.execute(tx)
}

export async function rewrittenOf(database: Database, runId: string): Promise<RewrittenLinks[]> {
  const { rows } = await sql<RewrittenLinks>`
    select component, items, links from rewritten_links where run_id = ${runId} order by component`.execute(database)
  return rows
}
