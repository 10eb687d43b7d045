import type { DatabaseSync } from 'node:sqlite'
import type { IssueCounts } from '../contract/issues.ts'
import { type CountRow, sumOfCounts } from './issue-counts.ts'
import { type FoundIssue, facets, type IssueFilter, type IssueQuery } from './search-store.ts'
import { emptyLog } from './sqlite-file.ts'

/** What may take long with many issues, by name, because another process does it. */
export const fileQueries = { search: searchIssues, count: countIssues, emptyLog } as const
export type FileQueries = typeof fileQueries

/** Whether a search reads little more than one page, however many issues there are. */
export function isQuickSearch(filter: IssueFilter): boolean {
  return isCounted(filter) && facets.every((facet) => filter[facet] === undefined)
}

/** The columns have the names of the properties of `FoundIssue`. @param issues a table, or a query in brackets */
export function select(issues: string): string {
  return `select i.organisation_id as organisationId, i.run_id as runId, r.revision, i.body from ${issues} i
    join runs r on r.organisation_id = i.organisation_id and r.run_id = i.run_id and r.writing = i.writing`
}

/** @param mostSorted of a text with more matches, the latest issues are read one by one until a page is full */
export function searchIssues(
  database: DatabaseSync,
  organisationId: string,
  query: IssueQuery,
  mostSorted: number,
): FoundIssue[] {
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

export function countIssues(database: DatabaseSync, organisationId: string, filter: IssueFilter): IssueCounts {
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
