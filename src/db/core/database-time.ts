import { sql } from 'kysely'
import type { Database } from './database.ts'

/** The clock that all processes share (G9). */
export async function databaseTime(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  return rows[0]?.now ?? new Date(Number.NaN)
}
