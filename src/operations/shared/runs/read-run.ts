import type { MigrationDetail } from '../../../contract/migration.ts'
import { isLive } from '../../../contract/status.ts'
import { findRun, type RunRow } from '../../../db/runs/runs.ts'
import { detailOf } from '../../../db/runs/snapshots.ts'
import { orNotFound } from '../find-migration.ts'
import type { Deps, ReadSource } from '../operation.ts'

/**
 * Reads a run, and says from which system.
 *
 * @throws ServiceError `not_found`
 */
export async function readRun(
  { database, search }: Pick<Deps, 'database' | 'search'>,
  organisationId: string,
  id: string,
): Promise<{ run: RunRow; detail: MigrationDetail; readSource: ReadSource }> {
  const run = orNotFound(await findRun(database, organisationId, id), id)
  const isEnded = !isLive(run.status)
  const indexed = isEnded && search.name ? await search.findDetail(run) : undefined
  if (search.name && indexed) return { run, detail: indexed, readSource: search.name }
  return { run, detail: await detailOf(database, run), readSource: isEnded ? 'postgres' : 'engine' }
}
