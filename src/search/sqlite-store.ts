import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../clock.ts'
import type { FoundIssue, IssueQuery, RunDocument, RunKey, SearchStore } from './search-store.ts'
import { SqliteFile } from './sqlite-file.ts'
import { compact, eraseRun, write, writeRun } from './sqlite-runs.ts'

/**
 * The search store for one machine: a file next to the embedded database. Other processes may use the file at the same
 * time. Reads and writes have separate connections, so that no reader sees an unfinished transaction.
 */
export function openSqliteStore(path: string, clock: Clock): SearchStore {
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
          database.prepare(`${selectIssues} where i.organisation_id = ? and i.id = ?`).get(organisationId, id) as
            | FoundIssue
            | undefined,
      ),
    searchIssues: async (organisationId, query) =>
      canLookFor(query.text) ? reading.use((database) => search(database, organisationId, query)) : undefined,
    async close() {
      reading.close()
      file.close()
    },
  }
}

/** The columns have the names of the properties of `FoundIssue`. */
const selectIssues = `
  select i.organisation_id as organisationId, i.run_id as runId, r.revision, i.body
  from issues i join runs r on r.organisation_id = i.organisation_id and r.run_id = i.run_id and r.writing = i.writing`

/** A trigram needs three characters. */
function canLookFor(text: string | undefined): boolean {
  return text === undefined || [...text].length >= 3
}

function search(database: DatabaseSync, organisationId: string, query: IssueQuery): FoundIssue[] {
  const { text, code, itemId, lastFromMicros, withoutRuns, after, limit } = query
  const conditions: [string, ...(string | number)[]][] = [['i.organisation_id = ?', organisationId]]
  if (text !== undefined)
    conditions.push(['i.number in (select rowid from issue_texts where issue_texts match ?)', quoted(text)])
  if (code !== undefined) conditions.push(['i.code = ?', code])
  if (itemId !== undefined) conditions.push(['? in (i.source_id, i.destination_id)', itemId])
  if (lastFromMicros !== undefined) conditions.push(['i.last_micros >= ?', Number(lastFromMicros)])
  if (withoutRuns.length > 0)
    conditions.push(['i.run_id not in (select value from json_each(?))', JSON.stringify(withoutRuns)])
  if (after) conditions.push(['(i.first_micros, i.id) < (?, ?)', Number(after.firstMicros), after.id])
  const where = conditions.map(([condition]) => condition).join(' and ')
  const values = conditions.flatMap(([, ...given]) => given)
  return database
    .prepare(`${selectIssues} where ${where} order by i.first_micros desc, i.id desc limit ?`)
    .all(...values, limit) as unknown as FoundIssue[]
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
  database.exec('delete from meta; delete from issue_texts; delete from issues; delete from writings; delete from runs')
}
