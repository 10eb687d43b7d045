import { sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'
import { until } from './until.ts'

/** Waits until this many statements wait for a lock in this database. */
export async function untilWaiting(database: Database, statements: number): Promise<void> {
  await until(`${statements} statements wait for a lock`, async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database)
    return rows.length >= statements
  })
}
