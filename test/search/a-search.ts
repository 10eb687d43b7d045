import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { indexSome } from '../../src/search/indexer.ts'
import { createSearchReader, noSearch } from '../../src/search/search-reader.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import type { Organisation, Service } from '../api/a-service.ts'
import { addIssue, aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { anIndexFile } from './an-index-file.ts'

/** A search store of this test, which the service reads from until the test ends. */
export function aSearch(service: Service, options = {}) {
  const path = anIndexFile()
  const store = openSqliteStore(path, systemClock, options)
  const { database, log } = service.deps
  const reader = createSearchReader(store, { database, log })
  service.deps.search = reader
  onTestFinished(async () => {
    service.deps.search = noSearch
    await store.close()
  })
  return {
    path,
    store,
    dropped: reader.dropped,
    /** Until nothing waits. */
    async index(): Promise<void> {
      while ((await indexSome({ database, store })) > 0);
    },
  }
}

/** A run that has ended with two issues, which name their item after `name`. */
export async function anEndedRun(
  service: Service,
  organisation: Organisation,
  { status = 'completed' as MigrationStatus, name = 'Brass lamp' } = {},
): Promise<string> {
  const id = await aQueuedRun(service, organisation)
  const run = { id, organisationId: organisation.id }
  await addIssue(service.deps.database, run, { sourceId: '1', name: `${name} 1` })
  await addIssue(service.deps.database, run, { sourceId: '2', name: `${name} 2`, severity: 'warning' })
  await bringTo(service, organisation.id, id, status)
  return id
}
