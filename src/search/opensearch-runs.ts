import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { DocumentChanged, type OpenSearch, ofAnswer } from './opensearch-client.ts'
import { changeHidden, type HiddenWriting, readHidden } from './opensearch-hidden.ts'
import type { SearchIndex } from './opensearch-index.ts'
import { type IssueDocument, type RunDocument, type RunKey, RunReplaced } from './search-store.ts'

export interface RunsOfIndex {
  openSearch: OpenSearch
  index: SearchIndex
  clock: Clock
}

/** A run without its issues. */
export interface StoredRun extends RunKey {
  kind: 'run'
  /** Like the document, absent until the run is whole for the first time. */
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
 * Writes a run and its issues. They are hidden until all of them can be found; then those of earlier writings are
 * hidden instead. If the process dies, what it leaves stays hidden, and the next writing of the run removes it.
 *
 * @returns the writings to remove when no reader needs them any more.
 * @throws RunReplaced
 */
export async function writeRun(
  deps: RunsOfIndex,
  run: RunDocument,
  issues: AsyncIterable<IssueDocument[]>,
): Promise<string[]> {
  await deps.index.ensure()
  const unchanged = await findOrPutRun(deps, run)
  const name = randomUUID()
  const { begun, ended } = await closeOthers(deps, run, name)
  try {
    for await (const page of issues)
      for (let from = 0; from < page.length; from += atOnce)
        await writeIssues(deps, run, { name, begun }, page.slice(from, from + atOnce))
    await refresh(deps)
    const replaced = await show(deps, run, name)
    await putRun(deps, run, unchanged)
    return [...ended, ...replaced]
  } catch (error) {
    // The writer that closed it may have removed its issues before the last of them arrived.
    if (error instanceof RunReplaced) await removeWritings(deps, run.organisationId, [name])
    throw error
  }
}

export async function eraseRun(deps: RunsOfIndex, run: RunKey): Promise<void> {
  const { openSearch, index } = deps
  await index.ensure()
  const { ended } = await closeOthers(deps, run)
  const shown = await show(deps, run)
  await openSearch.write((client) => client.delete({ index: index.alias, id: idOfRun(run) }, { ignore: [404] }))
  await removeWritings(deps, run.organisationId, [...ended, ...shown])
  await forgetOrganisation(deps, run.organisationId)
}

/** Leaves nothing of an organisation that has no runs any more. */
async function forgetOrganisation(deps: RunsOfIndex, organisationId: string): Promise<void> {
  const { openSearch, index } = deps
  const { list, unchanged, id, exists } = await readHidden(deps, organisationId, 'write')
  if (!exists || list.length > 0) return
  const query = { bool: { filter: [{ term: { kind: 'run' } }, { term: { organisationId } }] } }
  await refresh(deps)
  const { body } = await openSearch.write((client) => client.count({ index: index.alias, body: { query } }))
  if (body.count > 0) return
  await openSearch.write((client) => client.delete({ index: index.alias, id, ...unchanged }, { ignore: [404, 409] }))
  await refresh(deps)
}

/**
 * Begins a writing, if there is one to begin, and ends all others of the run. @returns its number, and those that had
 * ended before. Requests of the others may still be on their way, so they stay hidden until the writing after this one.
 */
async function closeOthers(deps: RunsOfIndex, { organisationId, runId }: RunKey, writing?: string) {
  let begun = 0
  let ended: string[] = []
  await changeHidden(deps, organisationId, (hidden) => {
    ended = hidden.list.filter((one) => one.runId === runId && !one.open).map((one) => one.writing)
    const others = hidden.list.map((one) => (one.runId === runId ? { ...one, open: false } : one))
    if (writing === undefined) return { ...hidden, list: others }
    begun = hidden.begun + 1
    return { begun, list: [...others, { runId, writing, open: true }] }
  })
  return { begun, ended }
}

/** Shows this writing, or none, and hides what was shown. @returns what was shown. */
async function show(deps: RunsOfIndex, run: RunKey, writing?: string): Promise<string[]> {
  const { organisationId, runId } = run
  const all = await findWritings(deps, run)
  let shown: string[] = []
  await changeHidden(deps, organisationId, ({ list, begun }) => {
    if (writing !== undefined) expectOpen(list, writing)
    shown = all.filter((one) => one !== writing && !list.some((hidden) => hidden.writing === one))
    const hiddenNow = shown.map((one) => ({ runId, writing: one, open: false }))
    return { begun, list: [...list.filter((one) => one.writing !== writing), ...hiddenNow] }
  })
  return shown
}

export async function removeWritings(deps: RunsOfIndex, organisationId: string, writings: string[]): Promise<void> {
  if (writings.length === 0) return
  await removeIssues(deps, organisationId, writings)
  await changeHidden(deps, organisationId, ({ list, begun }) => ({
    begun,
    list: list.filter(({ writing }) => !writings.includes(writing)),
  }))
}

function expectOpen(list: HiddenWriting[], writing: string): void {
  if (!list.some((one) => one.writing === writing && one.open))
    throw new RunReplaced('This run is written to the search index by another process.')
}

/** @returns what a change of the run's document has to name, so that it fails if others have changed it. */
async function findOrPutRun(deps: RunsOfIndex, { organisationId, runId }: RunKey): Promise<object> {
  const { openSearch, index } = deps
  const find = async () => {
    const id = idOfRun({ organisationId, runId })
    const { body } = await openSearch.write((client) => client.get({ index: index.alias, id }, { ignore: [404] }))
    return body.found ? { if_seq_no: body._seq_no, if_primary_term: body._primary_term } : undefined
  }
  const found = await find()
  if (found) return found
  await putRun(deps, { organisationId, runId }, { op_type: 'create' }).catch((error: unknown) => {
    if (!(error instanceof RunReplaced)) throw error
  })
  return (await find()) ?? { op_type: 'create' }
}

/** @throws RunReplaced */
async function putRun({ openSearch, index }: RunsOfIndex, run: RunKey | RunDocument, unchanged: object): Promise<void> {
  const body: StoredRun = { kind: 'run', ...run }
  try {
    await openSearch.write((client) =>
      client.index({ index: index.alias, id: idOfRun(run), require_alias: true, ...unchanged, body }),
    )
  } catch (error) {
    if (error instanceof DocumentChanged) throw new RunReplaced('Another process has written this run.')
    throw error
  }
}

async function writeIssues(
  deps: RunsOfIndex,
  { organisationId, runId, revision }: RunDocument,
  writing: { name: string; begun: number },
  issues: IssueDocument[],
): Promise<void> {
  expectOpen((await readHidden(deps, organisationId, 'write')).list, writing.name)
  const operations = issues.flatMap(({ firstMicros, lastMicros, ...issue }) => [
    { index: { _id: `${organisationId}:${runId}:${writing.name}:${issue.id}` } },
    {
      kind: 'issue',
      ...{ organisationId, runId, revision, writing: writing.name, begun: writing.begun },
      ...{ firstMicros: Number(firstMicros), lastMicros: Number(lastMicros) },
      ...issue,
    },
  ])
  await bulk(deps, operations)
}

async function bulk({ openSearch, index }: RunsOfIndex, body: object[]): Promise<void> {
  await openSearch.write(async (client) => {
    const { body: answer } = await client.bulk({ index: index.alias, require_alias: true, body })
    if (!answer.errors) return
    for (const item of answer.items) {
      const { status, error } = Object.values(item)[0] ?? {}
      if (error) throw ofAnswer(status ?? 0, error.type, error.reason ?? '')
    }
  })
}

export async function refresh({ openSearch, index }: RunsOfIndex): Promise<void> {
  await openSearch.write((client) => client.indices.refresh({ index: index.alias }))
}

interface DocumentsToList {
  kind: 'run' | 'hidden'
  /** The fields that they are ordered by. */
  order: string[]
  /** The fields of the answer. */
  fields: string[]
  /** Begins after the document with these values of `order`. */
  after: string[] | undefined
  limit: number
}

/** Including what was written a moment ago. */
export async function listDocuments<Document>(
  deps: RunsOfIndex,
  { kind, order, fields, after, limit }: DocumentsToList,
): Promise<Document[]> {
  await refresh(deps)
  const { body } = await deps.openSearch.write((client) =>
    client.search({
      index: deps.index.alias,
      body: {
        query: { bool: { filter: [{ term: { kind } }] } },
        sort: order.map((field) => ({ [field]: 'asc' as const })),
        ...(after && { search_after: after }),
        size: limit,
        _source: fields,
        track_total_hits: false,
      },
    }),
  )
  return body.hits.hits.map(({ _source }) => _source as Document)
}

function issuesOf(organisationId: string): object[] {
  return [{ term: { kind: 'issue' } }, { term: { organisationId } }]
}

/** More writings than there ever are of one run. */
const mostWritings = 1_000

/** Every writing that has issues of the run which can be found. */
async function findWritings({ openSearch, index }: RunsOfIndex, { organisationId, runId }: RunKey): Promise<string[]> {
  const query = { bool: { filter: [...issuesOf(organisationId), { term: { runId } }] } }
  const terms = { field: 'writing', size: mostWritings }
  const { body } = await openSearch.write((client) =>
    client.search({
      index: index.alias,
      body: {
        query,
        size: 0,
        aggs: { writings: { terms } },
      },
    }),
  )
  const { writings } = body.aggregations as unknown as { writings: { buckets: { key: string }[] } }
  return writings.buckets.map(({ key }) => key)
}

const removedAtOnce = 1_000

/** Deletes them by their ids, because not every distribution can delete what a query finds. */
export async function removeIssues(deps: RunsOfIndex, organisationId: string, writings: string[]): Promise<void> {
  const { openSearch, index } = deps
  const query = { bool: { filter: [...issuesOf(organisationId), { terms: { writing: writings } }] } }
  for (;;) {
    await refresh(deps)
    const ids = await openSearch.write(async (client) => {
      const which = { query, size: removedAtOnce, _source: false, track_total_hits: false }
      const { body } = await client.search({ index: index.alias, body: which })
      return body.hits.hits.map(({ _id }) => _id ?? '')
    })
    if (ids.length === 0) return
    await bulk(
      deps,
      ids.map((id) => ({ delete: { _id: id } })),
    )
  }
}
