import { sql } from 'kysely'
import type { Database, InTransaction } from './database.ts'

/** PostgreSQL ended a statement at its time limit. */
export class TimeLimitReached extends Error {
  override name = 'TimeLimitReached'
}

/** SQLSTATE query_canceled. */
const cancelled = '57014'

/** Whether PostgreSQL ended a statement, at a limit or because an operator cancelled it. */
export function wasEnded(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === cancelled
}

/** SQLSTATE deadlock_detected. */
const deadlock = '40P01'

/** Whether PostgreSQL ended a statement because it and another transaction waited for each other. */
export function wasDeadlocked(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === deadlock
}

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
    if (!wasEnded(cause)) throw cause
    throw new TimeLimitReached(`A statement was ended after ${seconds} s.`, { cause })
  }
}
