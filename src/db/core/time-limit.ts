import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

/** PostgreSQL ended a statement at its time limit. */
export class TimeLimitReached extends Error {
  override name = 'TimeLimitReached'
}

/** SQLSTATE query_canceled. */
const cancelled = '57014'

/**
 * For statements that read as much as there is: a connection that one of them keeps for minutes is missing to everybody
 * else.
 *
 * @param seconds of each statement
 * @throws TimeLimitReached
 */
export async function withinTime<Result>(
  database: Database,
  seconds: number,
  work: (limited: InTransaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(tx)
      return work(tx)
    })
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== cancelled) throw cause
    throw new TimeLimitReached(`A statement was ended after ${seconds} s.`, { cause })
  }
}
