import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../clock.ts'
import {
  canLookFor,
  type FoundIssue,
  type RunDocument,
  type RunKey,
  type SearchStore,
  SearchStoreAway,
} from './search-store.ts'
import { type KeptStatement, logBytes, SqliteFile } from './sqlite-file.ts'
import { isQuickSearch, searchIssues, select } from './sqlite-issues.ts'
import { QueryProcess } from './sqlite-query-process.ts'
import { compact, eraseRun, write, writeRun } from './sqlite-runs.ts'

/** The log is emptied between searches, of which each may take 10 s. */
const mostTries = 10

/**
 * The search store for one machine: a file next to the embedded database. Other processes may use the file at the same
 * time. Reads and writes have separate connections, so that no reader sees an unfinished transaction. SQLite blocks the
 * process that it works in, so what may take long is asked of another one.
 *
 * @param options `mostSorted`: of a text with more matches, the latest issues are searched first;
 *   `mostMs`: after this time a search or count is ended, and the store is away; `mostLogBytes`: a longer log slows
 *   every read, because a page is looked for in it first
 */
export function openSqliteStore(
  path: string,
  clock: Clock,
  { mostSorted = 20_000, mostMs = 10_000, mostLogBytes = 16e6 } = {},
): SearchStore {
  // In WAL mode, readers wait for a writer only while the file is being created.
  const reading = new SqliteFile(path, { busyMs: 250 })
  const file = new SqliteFile(path, { busyMs: 0 })
  const queries = new QueryProcess(path, { clock, mostMs })
  const writing = {
    file,
    clock,
    async keepLogShort() {
      // If it cannot be emptied now, the next transaction tries again.
      if (logBytes(path) > mostLogBytes) await queries.ask('emptyLog').catch(() => undefined)
    },
    async emptyLog() {
      for (let tries = 0; tries < mostTries; tries++) if (await reading.lend(() => queries.ask('emptyLog'))) return
      throw new SearchStoreAway('The search index is read by another process.')
    },
  }
  return {
    name: 'sqlite',
    isComplete: async () =>
      reading.use((_, kept) => kept("select 1 from meta where name = 'complete'").get() !== undefined),
    markComplete: () =>
      write(writing, (database) => database.exec("insert or ignore into meta values ('complete', 'yes')")),
    clear: () => write(writing, clear),
    compact: () => compact(writing),
    replaceRun: (run, issues) => writeRun(writing, run, issues),
    removeRun: (run) => eraseRun(writing, run),
    listRuns: async (after, limit) => reading.use((database) => listRuns(database, after, limit)),
    findRun: async (key) => reading.use((_, kept) => findRun(kept, key)),
    findIssue: async (organisationId, id) =>
      reading.use(
        (database) =>
          database.prepare(`${select('issues')} where i.organisation_id = ? and i.id = ?`).get(organisationId, id) as
            | FoundIssue
            | undefined,
      ),
    async searchIssues(organisationId, query) {
      if (!canLookFor(query.text)) return undefined
      if (isQuickSearch(query))
        return reading.use((database) => searchIssues(database, organisationId, query, mostSorted))
      return reading.lend(() => queries.ask('search', organisationId, query, mostSorted))
    },
    async countIssues(organisationId, filter) {
      if (!canLookFor(filter.text)) return undefined
      return reading.lend(() => queries.ask('count', organisationId, filter))
    },
    async close() {
      queries.close()
      reading.close()
      file.close()
    },
  }
}

function listRuns(database: DatabaseSync, after: RunKey | undefined, limit: number): RunKey[] {
  // A visible run always has a writing.
  return database
    .prepare(
      `select distinct organisation_id as organisationId, run_id as runId from writings
      where (organisation_id, run_id) > (?, ?) order by organisation_id, run_id limit ?`,
    )
    .all(after?.organisationId ?? '', after?.runId ?? '', limit) as unknown as RunKey[]
}

function findRun(kept: KeptStatement, { organisationId, runId }: RunKey): RunDocument | undefined {
  return kept(
    `select organisation_id as organisationId, run_id as runId, revision, document from runs
    where organisation_id = ? and run_id = ?`,
  ).get(organisationId, runId) as RunDocument | undefined
}

function clear(database: DatabaseSync): void {
  database.exec(
    'delete from meta; delete from issue_texts; delete from counts; delete from issues; delete from writings; delete from runs',
  )
}
