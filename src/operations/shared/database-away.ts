import { isDatabaseAway } from '../../db/core/database-away.ts'

/** Whether an operation failed because the database is away. Interfaces do not import the database itself. */
export function failedWithoutDatabase(error: unknown): boolean {
  return isDatabaseAway(error)
}
