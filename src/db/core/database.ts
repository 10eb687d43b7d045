import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'

/** We write SQL by hand; Kysely parameterises it, pools connections and runs transactions. */
// biome-ignore lint/complexity/noBannedTypes: no table is declared to Kysely; every statement is raw SQL with typed rows.
export type Database = Kysely<{}>
// biome-ignore lint/complexity/noBannedTypes: as above.
export type InTransaction = Transaction<{}>

// 8-byte integers arrive as text by default; ours stay far below 2^53.
pg.types.setTypeParser(20, Number)

/**
 * The server ends a transaction that is idle for so long: its process is frozen or its machine gone, and others wait for its locks,
 * such as a claim of its run. Larger: a run would be taken over later than its job; smaller: a process that is only busy would be
 * interrupted.
 */
export const idleInTransactionMs = 8_000

/** Opens a pool; close it with `await database.destroy()`. */
export function openDatabase(
  connectionString: string,
  options: { connections?: number; name?: string; idleInTransactionMs?: number } = {},
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options.connections ?? 10,
    application_name: options.name ?? 'storeferry',
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? idleInTransactionMs,
  })
  // The next query replaces a lost idle connection; without a listener it would end the process.
  pool.on('error', () => {
    // The next query opens another one.
  })
  // The pool listens to idle connections only. One that is lost between two statements of a transaction would end the process too.
  pool.on('connect', (client) => {
    client.on('error', () => {
      // The next statement of the transaction fails.
    })
    keepPlans(client)
  })
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/** Marks a statement that each connection plans once: every request or page needs it, and its plan does not depend on parameters. */
const kept = /^\s*\/\* kept: ([a-z-]+) \*\//

/** Kysely does not name statements, and PostgreSQL plans unnamed ones every time: for a few look-ups that is most of the work. */
function keepPlans(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const named = (text: unknown, values?: unknown, ...more: unknown[]) => {
    const name = typeof text === 'string' ? kept.exec(text)?.[1] : undefined
    return name === undefined ? query(text, values, ...more) : query({ name, text, values }, ...more)
  }
  // Covers the call with a text and values; all other forms of `query` pass unchanged.
  client.query = named as typeof client.query
}
