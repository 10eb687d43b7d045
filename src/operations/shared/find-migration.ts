import { ServiceError } from '../../contract/service-error.ts'
import type { Database } from '../../db/core/database.ts'
import { findRunOfAny, type RunOfAny } from '../../db/reports/run-history.ts'

/** The response is the same whether the migration belongs to another organisation or does not exist. */
export function orNotFound<Run extends object>(run: Run | undefined, id: string): Run {
  if (run) return run
  throw new ServiceError(
    'not_found',
    `Your organisation has no migration ${id}; GET /v2/migrations lists its migrations.`,
  )
}

/**
 * For administrators of the platform only.
 * @throws ServiceError `not_found`
 */
export async function requireAnyRun(database: Database, id: string): Promise<RunOfAny> {
  const run = await findRunOfAny(database, id)
  if (run) return run
  throw new ServiceError('not_found', `There is no migration ${id}; GET /admin/api/migrations lists all.`)
}
