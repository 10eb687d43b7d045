import type { IssueCounts } from '../contract/issues.ts'
import type { Database } from '../db/core/database.ts'
import { TimeLimitReached, withinTime } from '../db/core/time-limit.ts'
import { listRevisions, prepareIssueSearch } from '../db/reports/issues-to-index.ts'
import {
  countIssues,
  type IssuePosition,
  type IssueRow,
  type IssueSearch,
  mostSearchSeconds,
  searchIssues,
} from '../db/reports/run-findings.ts'
import type { RunHead } from '../db/runs/snapshots.ts'
import { addCounts, sumOfCounts } from './issue-counts.ts'
import type { FoundIssue, IssueFilter, SearchStore } from './search-store.ts'

/**
 * Reads runs that have ended. If anything is wrong with the search store, the answer is undefined and the caller reads
 * from PostgreSQL. PostgreSQL also says who owns a run and which revision it has: documents of another organisation or
 * revision are dropped and counted (S12).
 */
export interface SearchReader {
  readonly name: SearchStore['name'] | null
  /** Documents dropped by this process. */
  readonly dropped: { foreign: number; stale: number }
  /** The detail of a run that has ended, as JSON. */
  findDetail(run: Omit<RunHead, 'status'>): Promise<string | undefined>
  findIssue(organisationId: string, id: string): Promise<IssueRow | undefined>
  /** The page that PostgreSQL would give; runs in progress or not yet indexed are read there. */
  searchIssues(organisationId: string, search: IssueSearch, page: IssuePage): Promise<IssueRow[] | undefined>
  /** The counts that PostgreSQL would give. */
  countIssues(organisationId: string, search: IssueSearch): Promise<IssueCounts | undefined>
}

interface IssuePage {
  after: IssuePosition | null
  limit: number
}

interface ReaderDeps {
  database: Database
  log: { warn(fields: object, message: string): void }
}

/** Used where there is no search store, as with several hosts: PostgreSQL answers everything. */
export const noSearch: SearchReader = {
  name: null,
  dropped: { foreign: 0, stale: 0 },
  findDetail: async () => undefined,
  findIssue: async () => undefined,
  searchIssues: async () => undefined,
  countIssues: async () => undefined,
}

/** With more unindexed runs than this, PostgreSQL alone is as fast. */
const mostUnindexedRuns = 200

export function createSearchReader(store: SearchStore, { database, log }: ReaderDeps): SearchReader {
  const dropped = { foreign: 0, stale: 0 }
  const ask = orNothing(store, log)

  function isCurrent(found: Owned, organisationId: string, revision: number | null | undefined): boolean {
    if (found.organisationId !== organisationId || revision === undefined) return drop('foreign', found)
    return found.revision === revision || drop('stale', found)
  }

  function drop(why: keyof typeof dropped, { runId }: Owned): false {
    dropped[why] += 1
    if (why === 'foreign') log.warn({ runId }, 'A document of another organisation was dropped from the search index.')
    return false
  }

  async function areCurrent(organisationId: string, found: FoundIssue[]): Promise<boolean> {
    if (found.length === 0) return true
    const revisions = await listRevisions(database, organisationId, [...new Set(found.map(({ runId }) => runId))])
    return found.filter((one) => !isCurrent(one, organisationId, revisions.get(one.runId))).length === 0
  }

  async function countBoth(organisationId: string, search: IssueSearch): Promise<IssueCounts | undefined> {
    const filter = await prepare(database, organisationId, search)
    const counted = filter && (await store.countIssues(organisationId, filter))
    if (!counted) return undefined
    const others = await ofRuns(database, filter.withoutRuns, (limited, runIds) =>
      countIssues(limited, organisationId, { ...search, runIds }),
    )
    return addCounts(counted, sumOfCounts(others))
  }

  async function searchBoth(organisationId: string, search: IssueSearch, { after, limit }: IssuePage) {
    const filter = await prepare(database, organisationId, search)
    const found = filter && (await store.searchIssues(organisationId, { ...filter, after, limit }))
    if (!found || !(await areCurrent(organisationId, found))) return undefined
    const others = await ofRuns(database, filter.withoutRuns, (limited, runIds) =>
      searchIssues(limited, organisationId, { ...search, runIds }, { after, limit }),
    )
    return [...found.map(rowOf), ...others].sort(latestFirst).slice(0, limit)
  }

  return {
    name: store.name,
    dropped,
    findDetail: (run) =>
      ask(async () => {
        const found = await store.findRun({ organisationId: run.organisationId, runId: run.id })
        if (!found || !isCurrent(found, run.organisationId, run.revision)) return undefined
        return found.document
      }),
    findIssue: (organisationId, id) =>
      ask(async () => {
        const found = await store.findIssue(organisationId, id)
        return found && (await areCurrent(organisationId, [found])) ? rowOf(found) : undefined
      }),
    searchIssues: (organisationId, search, page) => ask(() => searchBoth(organisationId, search, page)),
    countIssues: (organisationId, search) => ask(() => countBoth(organisationId, search)),
  }
}

/** @returns undefined if the store lacks so many runs that PostgreSQL alone is as fast. */
async function prepare(
  database: Database,
  organisationId: string,
  search: IssueSearch,
): Promise<IssueFilter | undefined> {
  const { unindexedRuns, text, sinceMicros } = await prepareIssueSearch(database, organisationId, search)
  if (unindexedRuns.length > mostUnindexedRuns) return undefined
  const { code, severity, phase, state, itemId } = search
  const given = { code, severity, phase, state, itemId }
  return { ...given, text: text ?? undefined, lastFromMicros: sinceMicros ?? undefined, withoutRuns: unindexedRuns }
}

async function ofRuns<Row>(
  database: Database,
  runIds: readonly string[],
  read: (limited: Database, runIds: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (runIds.length === 0) return []
  return withinTime(database, mostSearchSeconds, (limited) => read(limited, [...runIds]))
}

/** Turns a failure of the store into undefined, so that PostgreSQL answers instead. */
function orNothing(store: SearchStore, log: ReaderDeps['log']) {
  let wasAway = false
  return async <Result>(read: () => Promise<Result | undefined>): Promise<Result | undefined> => {
    try {
      const found = (await store.isComplete()) ? await read() : undefined
      wasAway = false
      return found
    } catch (error) {
      // PostgreSQL, which would take even longer for everything.
      if (error instanceof TimeLimitReached) throw error
      if (!wasAway) log.warn({ err: error }, 'The search index cannot be read; PostgreSQL answers.')
      wasAway = true
      return undefined
    }
  }
}

type Owned = Pick<FoundIssue, 'organisationId' | 'runId' | 'revision'>

/** The row as PostgreSQL gives it: JSON has turned its dates into strings. */
function rowOf({ body }: FoundIssue): IssueRow {
  const row: IssueRow = JSON.parse(body)
  return { ...row, firstAt: new Date(row.firstAt), lastAt: new Date(row.lastAt) }
}

function latestFirst(one: IssuePosition, other: IssuePosition): number {
  const difference = Number(other.firstMicros) - Number(one.firstMicros)
  if (difference !== 0) return difference
  return one.id < other.id ? 1 : -1
}
