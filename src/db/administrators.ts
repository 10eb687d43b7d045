import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

/** Whether anybody can set this service up yet. */
export async function administratorExists(database: Database | InTransaction): Promise<boolean> {
  const { rows } = await sql`select 1 from users where is_administrator and active limit 1`.execute(database)
  return rows.length > 0
}
