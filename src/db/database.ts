import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'

/** We write SQL by hand and let Kysely parameterise it, pool connections and hold transactions. */
// biome-ignore lint/complexity/noBannedTypes: no table is declared to Kysely; every statement is raw SQL with typed rows.
export type Database = Kysely<{}>
// biome-ignore lint/complexity/noBannedTypes: as above.
export type InTransaction = Transaction<{}>

// 8-byte integers arrive as text by default; ours stay far below 2^53.
pg.types.setTypeParser(20, Number)

/** Opens a pool; close it with `await database.destroy()`. */
export function openDatabase(
  connectionString: string,
  options: { connections?: number; name?: string } = {},
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options.connections ?? 10,
    application_name: options.name ?? 'storeferry',
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
  })
  // A lost idle connection is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {
    // The next query opens another one.
  })
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
