import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { shareConnections } from './connection-shares.ts'

/** We write SQL by hand; Kysely parameterises it, pools connections and runs transactions. */
// biome-ignore lint/complexity/noBannedTypes: no table is declared to Kysely; every statement is raw SQL with typed rows.
export type Database = Kysely<{}>
// biome-ignore lint/complexity/noBannedTypes: as above.
export type InTransaction = Transaction<{}>

// 8-byte integers arrive as text by default; ours stay far below 2^53.
pg.types.setTypeParser(20, Number)

/**
 * How long a transaction may be idle before the server ends it: its process is frozen or its machine gone, and others
 * wait for its locks, for example to claim its run. A larger value would let the claim of a run lag behind its job; a
 * smaller one would interrupt a process that is only busy.
 */
export const idleInTransactionMs = 8_000

/** How long to wait for a connection. */
const patienceMs = 10_000

interface Options {
  connections?: number
  name?: string
  idleInTransactionMs?: number
  /** For requests of callers: the limit of a statement, and of the connections that one organisation has (S25). */
  requests?: { statementSeconds: number; perOrganisation: number }
}

/** Opens a pool; close it with `await database.destroy()`. */
export function openDatabase(connectionString: string, options: Options = {}): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options.connections ?? 10,
    application_name: options.name ?? 'storeferry',
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: patienceMs,
    // A server that is gone without a word is noticed while its answer is awaited.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? idleInTransactionMs,
    statement_timeout: options.requests ? options.requests.statementSeconds * 1000 : false,
  })
  if (options.requests) shareConnections(pool, options.requests.perOrganisation, patienceMs)
  // Without a listener, a lost idle connection would end the process.
  pool.on('error', () => {
    // The next query opens a new one.
  })
  // The pool only listens to idle connections; one lost between two statements of a transaction would end the process
  // too.
  pool.on('connect', (client) => {
    client.on('error', () => {
      // The next statement of the transaction fails.
    })
    keepPlans(client)
  })
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Marks a statement that each connection plans only once: nearly every request or page runs it, and its plan does not
 * depend on the parameters.
 */
const kept = /^\s*\/\* kept: ([a-z-]+) \*\//

/**
 * Kysely does not name statements, and PostgreSQL plans unnamed ones each time, which for small look-ups is most of the
 * work.
 */
function keepPlans(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const named = (text: unknown, values?: unknown, ...more: unknown[]) => {
    const name = typeof text === 'string' ? kept.exec(text)?.[1] : undefined
    return name === undefined ? query(text, values, ...more) : query({ name, text, values }, ...more)
  }
  // Only handles calls with text and values; all other forms of `query` pass unchanged.
  client.query = named as typeof client.query
}
