import { isDatabaseAway } from '../../db/core/database-away.ts'

/**
 * Whether an operation failed because the database is away. Here because the API and MCP do not import the database.
 */
export function failedWithoutDatabase(error: unknown): boolean {
  return isDatabaseAway(error)
}
