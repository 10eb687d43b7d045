import { randomUUID } from 'node:crypto'
import type { Client } from '@opensearch-project/opensearch'
import { DocumentChanged, type OpenSearch, ofAnswer } from './opensearch-client.ts'
import type { SearchIndex } from './opensearch-index.ts'
import { type IssueDocument, type RunDocument, type RunKey, RunReplaced } from './search-store.ts'

export interface RunsOfIndex {
  openSearch: OpenSearch
  index: SearchIndex
}

/** What the index has of a run beside its issues. */
export interface StoredRun extends RunKey {
  kind: 'run'
  /** The writing that was begun last. */
  opened: string
  /** The writing that is shown, with the run as it was then; absent until the first one is whole. */
  writing?: string
  revision?: number
  document?: string
}

/** Begins with the organization (S12). */
export function idOfRun({ organisationId, runId }: RunKey): string {
  return `${organisationId}:${runId}`
}

/** Small enough for the smallest request limits of hosted clusters, 10 MiB. */
const atOnce = 200

/**
 * Writes a run and its issues. Readers see the old state until the run's document names the new writing. If the process
 * dies, no reader sees the issues it leaves, and the next writing of the run removes them.
 *
 * @throws RunReplaced
 */
export async function writeRun(
  deps: RunsOfIndex,
  run: RunDocument,
  issues: AsyncIterable<IssueDocument[]>,
): Promise<void> {
  await deps.index.ensure()
  const writing = await beginWriting(deps, run)
  try {
    for await (const page of issues)
      for (let from = 0; from < page.length; from += atOnce)
        await writeIssues(deps, run, writing, page.slice(from, from + atOnce))
    await refresh(deps)
    await changeRun(deps, run, (stored) => {
      expectOpen(stored, writing)
      const { revision, document } = run
      return { ...stored, writing, revision, document }
    })
  } catch (error) {
    // The writer that closed it may have removed its issues before the last of them arrived.
    if (error instanceof RunReplaced) await removeIssues(deps, run, { filter: [{ term: { writing } }] })
    throw error
  }
  await removeIssues(deps, run, { must_not: [{ term: { writing } }] })
}

export async function eraseRun(deps: RunsOfIndex, run: RunKey): Promise<void> {
  const { openSearch, index } = deps
  await index.ensure()
  await openSearch.write((client) => client.delete({ index: index.alias, id: idOfRun(run) }, { ignore: [404] }))
  await removeIssues(deps, run, {})
}

async function beginWriting(deps: RunsOfIndex, { organisationId, runId }: RunKey): Promise<string> {
  const opened = randomUUID()
  await changeRun(deps, { organisationId, runId }, (stored) => ({
    kind: 'run' as const,
    organisationId,
    runId,
    ...stored,
    opened,
  }))
  return opened
}

/** How often others may come first. */
const mostConflicts = 20

async function changeRun(
  { openSearch, index }: RunsOfIndex,
  run: RunKey,
  change: (stored: StoredRun | undefined) => StoredRun,
): Promise<void> {
  const id = idOfRun(run)
  for (let conflicts = 0; ; conflicts++) {
    const found = await findStoredRun(openSearch, index, run)
    const unchanged = found
      ? { if_seq_no: found.seqNo, if_primary_term: found.primaryTerm }
      : { op_type: 'create' as const }
    try {
      const body = change(found?.stored)
      await openSearch.write((client) =>
        client.index({ index: index.alias, id, require_alias: true, ...unchanged, body }),
      )
      return
    } catch (error) {
      if (!(error instanceof DocumentChanged) || conflicts === mostConflicts) throw error
    }
  }
}

async function findStoredRun(openSearch: OpenSearch, index: SearchIndex, run: RunKey) {
  const { body } = await openSearch.write((client) =>
    client.get({ index: index.alias, id: idOfRun(run) }, { ignore: [404] }),
  )
  if (!body.found) return undefined
  return { stored: body._source as StoredRun, seqNo: body._seq_no, primaryTerm: body._primary_term }
}

function expectOpen(stored: StoredRun | undefined, writing: string): asserts stored is StoredRun {
  if (stored?.opened !== writing) throw new RunReplaced('This run is written to the search index by another process.')
}

async function writeIssues(
  { openSearch, index }: RunsOfIndex,
  { organisationId, runId }: RunKey,
  writing: string,
  issues: IssueDocument[],
): Promise<void> {
  const found = await findStoredRun(openSearch, index, { organisationId, runId })
  expectOpen(found?.stored, writing)
  const operations = issues.flatMap(({ firstMicros, lastMicros, ...issue }) => [
    { index: { _id: `${organisationId}:${runId}:${writing}:${issue.id}` } },
    {
      kind: 'issue',
      organisationId,
      runId,
      writing,
      firstMicros: Number(firstMicros),
      lastMicros: Number(lastMicros),
      ...issue,
    },
  ])
  await bulk(openSearch, index, operations)
}

async function bulk(openSearch: OpenSearch, index: SearchIndex, body: object[]): Promise<void> {
  await openSearch.write(async (client) => {
    const { body: answer } = await client.bulk({ index: index.alias, require_alias: true, body })
    if (!answer.errors) return
    for (const item of answer.items) {
      const { status, error } = Object.values(item)[0] ?? {}
      if (error) throw ofAnswer(status ?? 0, error.type, error.reason ?? '')
    }
  })
}

async function refresh({ openSearch, index }: RunsOfIndex): Promise<void> {
  await openSearch.write((client) => client.indices.refresh({ index: index.alias }))
}

const removedAtOnce = 1_000

/** Deletes them by their ids, because not every distribution can delete what a query finds. */
async function removeIssues(
  deps: RunsOfIndex,
  { organisationId, runId }: RunKey,
  which: { filter?: object[]; must_not?: object[] },
): Promise<void> {
  const { openSearch, index } = deps
  const ofRun = [{ term: { kind: 'issue' } }, { term: { organisationId } }, { term: { runId } }]
  const query = { bool: { ...which, filter: [...ofRun, ...(which.filter ?? [])] } }
  for (;;) {
    await refresh(deps)
    const ids = await openSearch.write((client) => findIds(client, index, query))
    if (ids.length === 0) return
    await bulk(
      openSearch,
      index,
      ids.map((id) => ({ delete: { _id: id } })),
    )
  }
}

async function findIds(client: Client, index: SearchIndex, query: object): Promise<string[]> {
  const { body } = await client.search({
    index: index.alias,
    body: { query, size: removedAtOnce, _source: false, track_total_hits: false },
  })
  return body.hits.hits.map(({ _id }) => _id ?? '')
}
