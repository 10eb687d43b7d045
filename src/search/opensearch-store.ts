import type { Clock } from '../clock.ts'
import { type OpenSearch, type OpenSearchAddress, openSearchClient } from './opensearch-client.ts'
import { createSearchIndex, type SearchIndex } from './opensearch-index.ts'
import { countShownIssues, findShownIssue, searchShownIssues } from './opensearch-issues.ts'
import { keepReplacedWritings, removeHiddenIssues } from './opensearch-replaced.ts'
import { eraseRun, idOfRun, listDocuments, type StoredRun, writeRun } from './opensearch-runs.ts'
import type { RunDocument, RunKey, SearchStore } from './search-store.ts'

/**
 * The search store that several hosts share. Every document begins with its organisation, which is also a filter of
 * every search and never part of a text query (S12).
 */
export function openOpenSearchStore({ url, prefix }: OpenSearchAddress, clock: Clock): SearchStore {
  const openSearch = openSearchClient(url, clock)
  const index = createSearchIndex(openSearch, prefix, clock)
  const deps = { openSearch, index, clock }
  const replaced = keepReplacedWritings(deps)
  return {
    name: 'opensearch',
    isComplete: () => index.isComplete(),
    markComplete: () => index.markComplete(),
    clear: () => index.clear(),
    async compact() {
      await removeHiddenIssues(deps)
      await index.compact()
    },
    async replaceRun(run, issues) {
      await replaced.removeDue()
      replaced.add(run.organisationId, await writeRun(deps, run, issues))
    },
    removeRun: (run) => eraseRun(deps, run),
    async listRuns(after, limit) {
      await index.ensure()
      const key = ['organisationId', 'runId']
      const last = after && [after.organisationId, after.runId]
      return listDocuments<RunKey>(deps, { kind: 'run', order: key, fields: key, after: last, limit })
    },
    findRun: (key) => findRun(openSearch, index, key),
    findIssue: (organisationId, id) => findShownIssue(deps, organisationId, id),
    searchIssues: (organisationId, query) => searchShownIssues(deps, organisationId, query),
    countIssues: (organisationId, filter) => countShownIssues(deps, organisationId, filter),
    async close() {
      await replaced.removeAll().catch(() => undefined)
      await openSearch.close()
    },
  }
}

async function findRun(openSearch: OpenSearch, index: SearchIndex, key: RunKey): Promise<RunDocument | undefined> {
  const { body } = await openSearch.read((client) =>
    client.get({ index: index.alias, id: idOfRun(key) }, { ignore: [404] }),
  )
  if (!body.found) return undefined
  const { organisationId, runId, revision, document } = body._source as StoredRun
  return revision === undefined || document === undefined ? undefined : { organisationId, runId, revision, document }
}
