import { ServiceError } from '../../contract/service-error.ts'
import type { Database } from '../../db/core/database.ts'
import { findRunOfAny, type RunOfAll } from '../../db/reports/run-history.ts'
import type { RunRow } from '../../db/runs/runs.ts'

/** The response is the same whether the migration belongs to another organisation or does not exist. */
export function orNotFound(run: RunRow | undefined, id: string): RunRow {
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
export async function requireAnyRun(database: Database, id: string): Promise<RunOfAll> {
  const run = await findRunOfAny(database, id)
  if (run) return run
  throw new ServiceError('not_found', `There is no migration ${id}; GET /admin/api/migrations lists all.`)
}
