import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../clock.ts'
import type { IssueCounts } from '../contract/issues.ts'
import { type CountRow, sumOfCounts } from './issue-counts.ts'
import {
  canLookFor,
  type FoundIssue,
  facets,
  type IssueFilter,
  type IssueQuery,
  type RunDocument,
  type RunKey,
  type SearchStore,
} from './search-store.ts'
import { SqliteFile } from './sqlite-file.ts'
import { compact, eraseRun, write, writeRun } from './sqlite-runs.ts'

/**
 * The search store for one machine: a file next to the embedded database. Other processes may use the file at the same
 * time. Reads and writes have separate connections, so that no reader sees an unfinished transaction.
 *
 * @param options `mostSorted`: of a text with more matches, the latest issues are read one by one until a page is full
 */
export function openSqliteStore(path: string, clock: Clock, { mostSorted = 20_000 } = {}): SearchStore {
  // In WAL mode, readers wait for a writer only while the file is being created.
  const reading = new SqliteFile(path, { busyMs: 250 })
  const file = new SqliteFile(path, { busyMs: 0 })
  const writing = { file, clock }
  return {
    name: 'sqlite',
    isComplete: async () =>
      reading.use((database) => database.prepare("select 1 from meta where name = 'complete'").get() !== undefined),
    markComplete: () =>
      write(writing, (database) => database.exec("insert or ignore into meta values ('complete', 'yes')")),
    clear: () => write(writing, clear),
    compact: () => compact(writing),
    replaceRun: (run, issues) => writeRun(writing, run, issues),
    removeRun: (run) => eraseRun(writing, run),
    listRuns: async (after, limit) => reading.use((database) => listRuns(database, after, limit)),
    findRun: async (key) => reading.use((database) => findRun(database, key)),
    findIssue: async (organisationId, id) =>
      reading.use(
        (database) =>
          database.prepare(`${select('issues')} where i.organisation_id = ? and i.id = ?`).get(organisationId, id) as
            | FoundIssue
            | undefined,
      ),
    searchIssues: async (organisationId, query) =>
      canLookFor(query.text)
        ? reading.use((database) => search(database, organisationId, query, mostSorted))
        : undefined,
    countIssues: async (organisationId, filter) =>
      canLookFor(filter.text) ? reading.use((database) => count(database, organisationId, filter)) : undefined,
    async close() {
      reading.close()
      file.close()
    },
  }
}

/** The columns have the names of the properties of `FoundIssue`. @param issues a table, or a query in brackets */
function select(issues: string): string {
  return `select i.organisation_id as organisationId, i.run_id as runId, r.revision, i.body from ${issues} i
    join runs r on r.organisation_id = i.organisation_id and r.run_id = i.run_id and r.writing = i.writing`
}

function search(database: DatabaseSync, organisationId: string, query: IssueQuery, mostSorted: number): FoundIssue[] {
  const { text, after, limit } = query
  const conditions = conditionsOf(organisationId, query)
  if (after) conditions.push(['(i.first_micros, i.id) < (?, ?)', Number(after.firstMicros), after.id])
  if (text !== undefined && isFrequent(database, text, mostSorted)) {
    const found = searchLatest(database, organisationId, query)
    if (found.length === limit) return found
  }
  const { where, values } = together(conditions)
  return database
    .prepare(`${select('issues')} where ${where} order by i.first_micros desc, i.id desc limit ?`)
    .all(...values, limit) as unknown as FoundIssue[]
}

function isFrequent(database: DatabaseSync, text: string, mostSorted: number): boolean {
  const some = `select 1 from issue_texts where issue_texts match ? limit ${mostSorted}`
  const counted = database.prepare(`select count(*) as texts from (${some})`).get(quoted(text))
  return counted?.texts === mostSorted
}

/** Some fit a page of a frequent text; each costs 60 µs. */
const mostLookedAt = 2_000

/** Of the latest issues only, so that a text whose matches are all older does not read everything one by one. */
function searchLatest(database: DatabaseSync, organisationId: string, query: IssueQuery): FoundIssue[] {
  const { text = '', after, limit, ...filter } = query
  const conditions = conditionsOf(organisationId, filter)
  conditions.push(['exists (select 1 from issue_texts where issue_texts match ? and rowid = i.number)', quoted(text)])
  const { where, values } = together(conditions)
  const [before, from] = after ? ['and (first_micros, id) < (?, ?)', [Number(after.firstMicros), after.id]] : ['', []]
  const latest = `
    select * from issues where organisation_id = ? ${before} order by first_micros desc, id desc limit ${mostLookedAt}`
  return database
    .prepare(`${select(`(${latest})`)} where ${where} order by i.first_micros desc, i.id desc limit ?`)
    .all(organisationId, ...from, ...values, limit) as unknown as FoundIssue[]
}

function count(database: DatabaseSync, organisationId: string, filter: IssueFilter): IssueCounts {
  const rows = isCounted(filter)
    ? readCounts(database, organisationId, filter)
    : countEach(database, organisationId, filter)
  return sumOfCounts(rows)
}

/** Whether the table of counts has the answer. */
function isCounted({ text, itemId, lastFromMicros }: IssueFilter): boolean {
  return text === undefined && itemId === undefined && lastFromMicros === undefined
}

function readCounts(database: DatabaseSync, organisationId: string, filter: IssueFilter): CountRow[] {
  const { where, values } = together(conditionsOf(organisationId, filter, { issue: 'c', run: 'r' }))
  return database
    .prepare(
      `select c.code, c.severity, c.phase, c.state, sum(c.issues) as issues
      from runs r join counts c on c.writing = r.writing where ${where} group by 1, 2, 3, 4`,
    )
    .all(...values) as unknown as CountRow[]
}

function countEach(database: DatabaseSync, organisationId: string, filter: IssueFilter): CountRow[] {
  const { where, values } = together(conditionsOf(organisationId, filter))
  return database
    .prepare(
      `select i.code, i.severity, i.phase, i.state, count(*) as issues
      from issues i join runs r on r.organisation_id = i.organisation_id and r.run_id = i.run_id and r.writing = i.writing
      where ${where} group by 1, 2, 3, 4`,
    )
    .all(...values) as unknown as CountRow[]
}

type Condition = [string, ...(string | number)[]]

/** @param names those of the tables that have the values of issues, and whose run it is. */
function conditionsOf(
  organisationId: string,
  { text, itemId, lastFromMicros, withoutRuns, ...values }: IssueFilter,
  { issue, run } = { issue: 'i', run: 'i' },
): Condition[] {
  const conditions: Condition[] = [[`${run}.organisation_id = ?`, organisationId]]
  for (const facet of facets) {
    const value = values[facet]
    if (value !== undefined) conditions.push([`${issue}.${facet} = ?`, value])
  }
  if (text !== undefined)
    conditions.push(['i.number in (select rowid from issue_texts where issue_texts match ?)', quoted(text)])
  if (itemId !== undefined) conditions.push(['? in (i.source_id, i.destination_id)', itemId])
  if (lastFromMicros !== undefined) conditions.push(['i.last_micros >= ?', Number(lastFromMicros)])
  if (withoutRuns.length > 0)
    conditions.push([`${run}.run_id not in (select value from json_each(?))`, JSON.stringify(withoutRuns)])
  return conditions
}

function together(conditions: Condition[]) {
  return {
    where: conditions.map(([condition]) => condition).join(' and '),
    values: conditions.flatMap(([, ...given]) => given),
  }
}

/** A single token, whatever the text contains (S12). Source: SQLite "FTS5", full-text query syntax. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
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

function findRun(database: DatabaseSync, { organisationId, runId }: RunKey): RunDocument | undefined {
  return database
    .prepare(
      `select organisation_id as organisationId, run_id as runId, revision, document from runs
      where organisation_id = ? and run_id = ?`,
    )
    .get(organisationId, runId) as RunDocument | undefined
}

function clear(database: DatabaseSync): void {
  database.exec(
    'delete from meta; delete from issue_texts; delete from counts; delete from issues; delete from writings; delete from runs',
  )
}
