import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import type { Tables } from '../core/tables.ts'
import { writeSnapshot } from './snapshots.ts'

/**
 * What a run works with, which nothing reads once the run cannot go on. Its scope and what it found out about its
 * stores stay: a later comparison has the same scope, and a later copy needs to know which account wrote last. Mappings
 * and unconfirmed writes stay too, because they belong to the stores (B4, G10).
 */
export const workTables = [
  ...([
    'run_counters',
    'run_leases',
    'ledger',
    'ledger_pages',
    'checkpoints',
    'failed_items',
    'rewritten_links',
  ] as const),
  ...(['staged_items', 'destination_items', 'destination_keys', 'source_keys', 'source_ids', 'named_items'] as const),
  ...(['prune_candidates', 'planned_mappings', 'planned_keys', 'plan_bases'] as const),
] satisfies (keyof Tables)[]

/**
 * Deletes the remaining work of one run that ended that many days ago and cannot go on; its snapshot answers for it
 * from then on. One that is completed loses it after a day: it is a third of what the database keeps of each item. Where
 * it has encrypted originals, `erase` needs it to find those of a shopper. A run that still has something to put back
 * waits. Across organisations: for hosts only.
 *
 * @returns whether there was one.
 */
export async function forgetEndedRun(database: Database, days: number): Promise<boolean> {
  return database.transaction().execute(async (tx) => {
    const { rows } = await sql<Columns<'runs', 'id' | 'organisationId'> & { isWhole: boolean }>`
      select run.id, run.organisation_id as "organisationId",
        exists (select from snapshots where run_id = run.id and reading is not null) as "isWhole"
      from run_leases lease join runs run on run.id = lease.run_id
      where run.status in ('completed', 'failed', 'cancelled')
        and (run.finished_at < now() - ${days} * interval '1 day'
          or run.status = 'completed' and run.finished_at < now() - interval '1 day' and not exists (
            select from before_images image where image.run_id = run.id and image.body_sealed is not null))
        and not exists (select from side_effects where run_id = run.id)
      order by run.finished_at limit 1 for update of run skip locked`.execute(tx)
    const run = rows[0]
    if (!run) return false
    // The run ended before snapshots had everything.
    if (!run.isWhole) await writeSnapshot(tx, run.organisationId, run.id)
    for (const table of workTables) await sql`delete from ${sql.table(table)} where run_id = ${run.id}`.execute(tx)
    return true
  })
}
