import type { MigrationDetail } from '../../../contract/migration.ts'
import { isLive } from '../../../contract/status.ts'
import type { Database } from '../../../db/core/database.ts'
import { findRun, type RunRow } from '../../../db/runs/runs.ts'
import { findSnapshot, readDetail } from '../../../db/runs/snapshots.ts'
import { orNotFound } from '../find-migration.ts'
import type { ReadSource } from '../operation.ts'

/**
 * Reads a run. The status of its row decides between the engine's tables and the snapshot (F3).
 *
 * @throws ServiceError `not_found`.
 */
export async function readRun(
  database: Database,
  organisationId: string,
  id: string,
): Promise<{ run: RunRow; detail: MigrationDetail; readSource: ReadSource }> {
  const run = orNotFound(await findRun(database, organisationId, id), id)
  if (isLive(run.status)) return { run, detail: await readDetail(database, run), readSource: 'engine' }
  const snapshot = await findSnapshot(database, organisationId, run.id)
  return { run, detail: snapshot ?? (await readDetail(database, run)), readSource: 'postgres' }
}
