import type { Clock } from '../clock.ts'
import { type OpenSearch, type OpenSearchAddress, openSearchClient } from './opensearch-client.ts'
import { createSearchIndex, type SearchIndex } from './opensearch-index.ts'
import { countShownIssues, findShownIssue, searchShownIssues } from './opensearch-issues.ts'
import { keepReplacedWritings, removeHiddenIssues } from './opensearch-replaced.ts'
import { eraseRun, idOfRun, type StoredRun, writeRun } from './opensearch-runs.ts'
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
      replaced.add(run, await writeRun(deps, run, issues))
    },
    removeRun: (run) => eraseRun(deps, run),
    async listRuns(after, limit) {
      await index.ensure()
      return listRuns(openSearch, index, after, limit)
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

function listRuns(
  openSearch: OpenSearch,
  index: SearchIndex,
  after: RunKey | undefined,
  limit: number,
): Promise<RunKey[]> {
  return openSearch.write(async (client) => {
    await client.indices.refresh({ index: index.alias })
    const { body } = await client.search({
      index: index.alias,
      body: {
        query: { bool: { filter: [{ term: { kind: 'run' } }] } },
        sort: [{ organisationId: 'asc' }, { runId: 'asc' }],
        ...(after && { search_after: [after.organisationId, after.runId] }),
        size: limit,
        _source: ['organisationId', 'runId'],
        track_total_hits: false,
      },
    })
    return body.hits.hits.map(({ _source }) => _source as RunKey)
  })
}
