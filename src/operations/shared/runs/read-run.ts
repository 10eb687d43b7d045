import type { MigrationDetail } from '../../../contract/migration.ts'
import { isLive } from '../../../contract/status.ts'
import type { Database } from '../../../db/core/database.ts'
import { findRun, type RunRow } from '../../../db/runs/runs.ts'
import { detailOf } from '../../../db/runs/snapshots.ts'
import { orNotFound } from '../find-migration.ts'
import type { ReadSource } from '../operation.ts'

/**
 * Reads a run, and says where from.
 *
 * @throws ServiceError `not_found`.
 */
export async function readRun(
  database: Database,
  organisationId: string,
  id: string,
): Promise<{ run: RunRow; detail: MigrationDetail; readSource: ReadSource }> {
  const run = orNotFound(await findRun(database, organisationId, id), id)
  return { run, detail: await detailOf(database, run), readSource: isLive(run.status) ? 'engine' : 'postgres' }
}
