import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Of smaller tables every plan is fast. */
const fewestChanges = 500

/**
 * Has PostgreSQL analyse the tables that have grown by half since it last did. Until then it knows neither their sizes
 * nor what tells rows apart, and reads all mappings of a component to find the one of an item. By itself it looks once a
 * minute, in which a run writes thousands of rows.
 *
 * @returns the names of the tables
 */
export async function analyseGrown(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_stat_user_tables
    where schemaname = current_schema() and n_mod_since_analyze >= ${fewestChanges}
      and n_mod_since_analyze * 3 >= n_live_tup
    order by 1`.execute(database)
  const names = rows.map(({ name }) => name)
  // Another host may be analysing one.
  if (names.length > 0)
    await sql`analyze (skip_locked) ${sql.join(names.map((name) => sql.table(name)))}`.execute(database)
  return names
}
