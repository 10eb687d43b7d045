import type { Client } from '@opensearch-project/opensearch'
import type { IssueCounts } from '../contract/issues.ts'
import { type Hidden, readHidden } from './opensearch-hidden.ts'
import type { RunsOfIndex } from './opensearch-runs.ts'
import { canLookFor, type FoundIssue, facets, type IssueFilter, type IssueQuery } from './search-store.ts'

export async function searchShownIssues(
  deps: RunsOfIndex,
  organisationId: string,
  { after, limit, ...filter }: IssueQuery,
): Promise<FoundIssue[] | undefined> {
  if (!canLookFor(filter.text)) return undefined
  return readShown(deps, organisationId, async (client, hidden) => {
    const { body } = await client.search({
      index: deps.index.alias,
      body: {
        query: { bool: conditionsOf(organisationId, filter, hidden) },
        sort: [{ firstMicros: 'desc' }, { id: 'desc' }],
        ...(after && { search_after: [Number(after.firstMicros), after.id] }),
        size: limit,
        _source: foundFields,
        track_total_hits: false,
      },
    })
    return body.hits.hits.map(({ _source }) => _source as FoundIssue)
  })
}

const foundFields = ['organisationId', 'runId', 'revision', 'body']

export async function findShownIssue(
  deps: RunsOfIndex,
  organisationId: string,
  id: string,
): Promise<FoundIssue | undefined> {
  return readShown(deps, organisationId, async (client, hidden) => {
    const { filter, must_not } = conditionsOf(organisationId, { withoutRuns: [] }, hidden)
    const query = { bool: { filter: [...filter, { term: { id } }], must_not } }
    const { body } = await client.search({
      index: deps.index.alias,
      body: { query, size: 1, _source: foundFields, track_total_hits: false },
    })
    return body.hits.hits[0]?._source as FoundIssue | undefined
  })
}

/** More values than any facet has, so that none is left out. */
const mostValues = 500

export async function countShownIssues(
  deps: RunsOfIndex,
  organisationId: string,
  filter: IssueFilter,
): Promise<IssueCounts | undefined> {
  if (!canLookFor(filter.text)) return undefined
  return readShown(deps, organisationId, async (client, hidden) => {
    const { body } = await client.search({
      index: deps.index.alias,
      body: {
        query: { bool: conditionsOf(organisationId, filter, hidden) },
        size: 0,
        track_total_hits: true,
        aggs: Object.fromEntries(facets.map((field) => [field, { terms: { field, size: mostValues } }])),
      },
    })
    const { total } = body.hits
    const counted = body.aggregations as unknown as Record<string, { buckets: { key: string; doc_count: number }[] }>
    const [code, severity, phase, state] = facets.map((field) =>
      Object.fromEntries((counted[field]?.buckets ?? []).map(({ key, doc_count }) => [key, doc_count])),
    ) as [Counts, Counts, Counts, Counts]
    return { total: typeof total === 'object' ? total.value : (total ?? 0), code, severity, phase, state }
  })
}

type Counts = Record<string, number>

function conditionsOf(organisationId: string, query: IssueFilter, { list, begun }: Hidden) {
  const { text, code, severity, phase, state, itemId, lastFromMicros, withoutRuns } = query
  const filter: object[] = [{ term: { kind: 'issue' } }, { term: { organisationId } }]
  for (const [field, value] of Object.entries({ code, severity, phase, state }))
    if (value !== undefined) filter.push({ term: { [field]: value } })
  if (text !== undefined) filter.push({ match_phrase: { texts: text } })
  if (itemId !== undefined)
    filter.push({ bool: { should: [{ term: { sourceId: itemId } }, { term: { destinationId: itemId } }] } })
  if (lastFromMicros !== undefined) filter.push({ range: { lastMicros: { gte: Number(lastFromMicros) } } })
  const must_not = [
    { terms: { runId: withoutRuns } },
    { terms: { writing: list.map(({ writing }) => writing) } },
    { range: { begun: { gt: begun } } },
  ]
  return { filter, must_not }
}

/** Replaced writings are kept for this long, for searches whose list still shows them. */
export const readersMs = 5_000

/**
 * A search sees the index as it was at its last refresh, and its list as it was before. What the list shows is complete
 * in the index until `readersMs` later, and what began after it is left out, so both agree; a slower search is left to
 * PostgreSQL.
 */
async function readShown<Result>(
  deps: RunsOfIndex,
  organisationId: string,
  read: (client: Client, hidden: Hidden) => Promise<Result>,
): Promise<Result | undefined> {
  const begun = deps.clock.monotonicMs()
  const hidden = await readHidden(deps, organisationId)
  const found = await deps.openSearch.read((client) => read(client, hidden))
  return deps.clock.monotonicMs() - begun < readersMs ? found : undefined
}
