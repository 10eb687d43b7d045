import type { MigrationDetail } from '../../../contract/migration.ts'
import { isLive } from '../../../contract/status.ts'
import { findRun, type RunRow } from '../../../db/runs/runs.ts'
import { findHead, findSnapshotText, type RunHead, readDetail } from '../../../db/runs/snapshots.ts'
import { orNotFound } from '../find-migration.ts'
import { type Deps, type ReadSource, StoredJson } from '../operation.ts'

type Needed = Pick<Deps, 'database' | 'search'>

/**
 * Reads a run, and says from which system.
 *
 * @throws ServiceError `not_found`
 */
export async function readRun(
  deps: Needed,
  organisationId: string,
  id: string,
): Promise<{ run: RunRow; detail: MigrationDetail; readSource: ReadSource }> {
  const run = orNotFound(await findRun(deps.database, organisationId, id), id)
  const { detail, readSource } = await readFrom(deps, { ...run, document: null })
  return { run, readSource, detail: detail instanceof StoredJson ? detail.parse() : detail }
}

/**
 * Reads the detail of a run as JSON. What is stored of a run that has ended is not parsed.
 *
 * @throws ServiceError `not_found`
 */
export async function readAsStored(
  deps: Needed,
  organisationId: string,
  id: string,
): Promise<{ detail: StoredJson<MigrationDetail>; readSource: ReadSource }> {
  const withDocument = deps.search.name === null
  const head = orNotFound(await findHead(deps.database, organisationId, id, { withDocument }), id)
  const { detail, readSource } = await readFrom(deps, head)
  return { detail: detail instanceof StoredJson ? detail : new StoredJson(JSON.stringify(detail)), readSource }
}

/** @param head may have the document already */
async function readFrom(
  { database, search }: Needed,
  head: RunHead & { document: string | null },
): Promise<{ detail: MigrationDetail | StoredJson<MigrationDetail>; readSource: ReadSource }> {
  const { organisationId, id } = head
  if (isLive(head.status)) {
    const detail = await readDetail(database, organisationId, id)
    // It may have ended in the meantime.
    return { detail, readSource: isLive(detail.status) ? 'engine' : 'postgres' }
  }
  const indexed = search.name === null ? undefined : await search.findDetail(head)
  if (search.name !== null && indexed !== undefined) return { detail: new StoredJson(indexed), readSource: search.name }
  const document = head.document ?? (await findSnapshotText(database, { organisationId, runId: id }))?.document
  const detail = document ? new StoredJson<MigrationDetail>(document) : await readDetail(database, organisationId, id)
  return { detail, readSource: 'postgres' }
}
