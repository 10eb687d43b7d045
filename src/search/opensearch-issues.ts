import { idOfRun, type RunsOfIndex, type StoredRun } from './opensearch-runs.ts'
import type { FoundIssue, IssueQuery, RunKey } from './search-store.ts'

/** An issue of the index, perhaps of a writing that is not shown. */
interface StoredIssue extends RunKey {
  writing: string
  body: string
}

interface Hit {
  issue: StoredIssue
  position: Position
}

type Position = (string | number)[]

/** Which writing of each run is shown and which was begun last. */
type Runs = Map<string, Pick<StoredRun, 'writing' | 'opened' | 'revision'>>

/** A trigram needs three characters. */
function canLookFor(text: string | undefined): boolean {
  return text === undefined || [...text].length >= 3
}

export async function searchShownIssues(
  deps: RunsOfIndex,
  organisationId: string,
  query: IssueQuery,
): Promise<FoundIssue[] | undefined> {
  if (!canLookFor(query.text)) return undefined
  // An issue being written again is there twice; nothing sorts after the empty writing.
  const after = query.after && [Number(query.after.firstMicros), query.after.id, '']
  return searchShown(deps, conditionsOf(organisationId, query), after, query.limit)
}

export async function findShownIssue(
  deps: RunsOfIndex,
  organisationId: string,
  id: string,
): Promise<FoundIssue | undefined> {
  const filter = [...ofOrganisation(organisationId), { term: { id } }]
  return (await searchShown(deps, { filter }, null, 1))?.[0]
}

function ofOrganisation(organisationId: string): object[] {
  return [{ term: { kind: 'issue' } }, { term: { organisationId } }]
}

function conditionsOf(organisationId: string, query: IssueQuery): Conditions {
  const { text, code, itemId, lastFromMicros, withoutRuns } = query
  const filter = ofOrganisation(organisationId)
  if (text !== undefined) filter.push({ match_phrase: { texts: text } })
  if (code !== undefined) filter.push({ term: { code } })
  if (itemId !== undefined)
    filter.push({ bool: { should: [{ term: { sourceId: itemId } }, { term: { destinationId: itemId } }] } })
  if (lastFromMicros !== undefined) filter.push({ range: { lastMicros: { gte: Number(lastFromMicros) } } })
  return withoutRuns.length > 0 ? { filter, must_not: [{ terms: { runId: withoutRuns } }] } : { filter }
}

interface Conditions {
  filter: object[]
  must_not?: object[]
}

/** How often runs may be written again while they are searched, before PostgreSQL is asked. */
const mostSearches = 3

/**
 * A search sees the index as it was at its last refresh, and which writing of a run is shown is read after it. If
 * another writing was shown in between, the search may have missed its issues, and is done again.
 */
async function searchShown(
  deps: RunsOfIndex,
  conditions: Conditions,
  after: Position | null,
  limit: number,
): Promise<FoundIssue[] | undefined> {
  const known: Runs = new Map()
  for (let searches = 0; searches < mostSearches; searches++) {
    const found = await collect(deps, { conditions, after, limit }, known)
    if (found) return found
  }
  return undefined
}

/**
 * @param known the runs as they were before this search; those that are read are added.
 * @returns undefined if the search may have missed issues.
 */
async function collect(
  deps: RunsOfIndex,
  { conditions, after, limit }: { conditions: Conditions; after: Position | null; limit: number },
  known: Runs,
): Promise<FoundIssue[] | undefined> {
  const shown: FoundIssue[] = []
  let isSure = true
  let position = after
  for (;;) {
    const hits = await searchOnce(deps, conditions, position, limit)
    const runs = await readRuns(deps, hits)
    for (const { issue } of hits) {
      const key = idOfRun(issue)
      const run = runs.get(key)
      const { organisationId, runId, body } = issue
      if (run?.writing === issue.writing && run.revision !== undefined)
        shown.push({ organisationId, runId, revision: run.revision, body })
      else if (run?.opened !== issue.writing && known.get(key)?.writing !== run?.writing) isSure = false
    }
    for (const [key, run] of runs) known.set(key, run)
    if (!isSure) return undefined
    if (shown.length >= limit || hits.length < limit) return shown.slice(0, limit)
    position = hits.at(-1)?.position ?? null
  }
}

async function searchOnce(
  { openSearch, index }: RunsOfIndex,
  conditions: Conditions,
  after: Position | null,
  limit: number,
): Promise<Hit[]> {
  const { body } = await openSearch.read((client) =>
    client.search({
      index: index.alias,
      body: {
        query: { bool: conditions },
        sort: [{ firstMicros: 'desc' }, { id: 'desc' }, { writing: 'desc' }],
        ...(after && { search_after: after }),
        size: limit,
        _source: ['organisationId', 'runId', 'writing', 'body'],
        track_total_hits: false,
      },
    }),
  )
  return body.hits.hits.map(({ _source, sort }) => ({
    issue: _source as StoredIssue,
    position: (sort ?? []) as Position,
  }))
}

async function readRuns({ openSearch, index }: RunsOfIndex, hits: Hit[]): Promise<Runs> {
  const ids = [...new Set(hits.map(({ issue }) => idOfRun(issue)))]
  if (ids.length === 0) return new Map()
  const { body } = await openSearch.read((client) =>
    client.mget({ index: index.alias, _source_includes: ['writing', 'opened', 'revision'], body: { ids } }),
  )
  return new Map(
    body.docs.flatMap((found) =>
      'found' in found && found.found
        ? [[found._id, found._source as Pick<StoredRun, 'writing' | 'opened' | 'revision'>]]
        : [],
    ),
  )
}
