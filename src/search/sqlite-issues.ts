import type { DatabaseSync } from 'node:sqlite'
import type { IssueCounts } from '../contract/issues.ts'
import { type CountRow, sumOfCounts } from './issue-counts.ts'
import { type FoundIssue, facets, type IssueFilter, type IssueQuery } from './search-store.ts'

/** Whether a search reads little more than one page, however many issues there are. */
export function isQuickSearch(filter: IssueFilter): boolean {
  return isCounted(filter) && facets.every((facet) => filter[facet] === undefined)
}

/** The columns have the names of the properties of `FoundIssue`. @param issues a table, or a query in brackets */
export function select(issues: string): string {
  return `select i.organisation_id as organisationId, i.run_id as runId, r.revision, i.body from ${issues} i
    join runs r on r.organisation_id = i.organisation_id and r.run_id = i.run_id and r.writing = i.writing`
}

/** @param mostSorted of a text with more matches, the latest issues are searched first */
export function searchIssues(
  database: DatabaseSync,
  organisationId: string,
  query: IssueQuery,
  mostSorted: number,
): FoundIssue[] {
  const { text, after, limit } = query
  const matches = countMatches(database, text, mostSorted)
  if (matches === mostSorted) {
    const found = searchLatest(database, organisationId, query)
    if (found.length === limit) return found
  }
  const conditions = conditionsOf(organisationId, query, matches)
  if (after) conditions.push(['(i.first_micros, i.id) < (?, ?)', Number(after.firstMicros), after.id])
  return readPage(database, conditions, limit)
}

/** @returns at most `most`; undefined without a text. */
function countMatches(database: DatabaseSync, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const some = `select 1 from issue_texts where issue_texts match ? limit ${most}`
  return Number(database.prepare(`select count(*) as texts from (${some})`).get(quoted(text))?.texts)
}

/** Each takes 16 µs to read by its number; each issue of the organisation, whether it matches or not, 0.1 µs. */
const fewMatches = 2_000

/** Some of them fill a page of a frequent text. */
const mostLookedAt = 2_000
/** Looking for a frequent text in one range takes as long as reading 4,000 of its matches. */
const mostRanges = 50
const mostBetween = 1_000

/** Of the latest issues only, so that a frequent text is not looked for in all of them. */
function searchLatest(database: DatabaseSync, organisationId: string, query: IssueQuery): FoundIssue[] {
  const { text = '', after, limit, ...filter } = query
  const [before, from] = after ? ['and (first_micros, id) < (?, ?)', [Number(after.firstMicros), after.id]] : ['', []]
  const latest = database
    .prepare(
      `select number from issues where organisation_id = ? ${before} order by first_micros desc, id desc
      limit ${mostLookedAt}`,
    )
    .all(organisationId, ...from)
    .map(({ number }) => Number(number))
  const ranges = rangesOf(latest)
  if (ranges.length > mostRanges) return []
  const matching = database.prepare('select rowid from issue_texts where issue_texts match ? and rowid between ? and ?')
  const isLatest = new Set(latest)
  const numbers = ranges
    // Given numbers with fractions, which Node's are to it, FTS5 would read all matches.
    .flatMap(([first, last]) => matching.all(quoted(text), BigInt(first), BigInt(last)))
    .map(({ rowid }) => Number(rowid))
    .filter((number) => isLatest.has(number))
  const conditions = conditionsOf(organisationId, filter, numbers.length)
  conditions.push(['i.number in (select value from json_each(?))', JSON.stringify(numbers)])
  return readPage(database, conditions, limit)
}

function readPage(database: DatabaseSync, conditions: Condition[], limit: number): FoundIssue[] {
  const { where, values } = together(conditions)
  return database
    .prepare(`${select('issues')} where ${where} order by i.first_micros desc, i.id desc limit ?`)
    .all(...values, limit) as unknown as FoundIssue[]
}

function rangesOf(numbers: number[]): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1)
    if (range && number - range[1] <= mostBetween) range[1] = number
    else ranges.push([number, number])
  }
  return ranges
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
  const { where, values } = together(conditionsOf(organisationId, filter, undefined, { issue: 'c', run: 'r' }))
  return database
    .prepare(
      `select c.code, c.severity, c.phase, c.state, sum(c.issues) as issues
      from runs r join counts c on c.writing = r.writing where ${where} group by 1, 2, 3, 4`,
    )
    .all(...values) as unknown as CountRow[]
}

function countEach(database: DatabaseSync, organisationId: string, filter: IssueFilter): CountRow[] {
  const matches = countMatches(database, filter.text, fewMatches)
  const { where, values } = together(conditionsOf(organisationId, filter, matches))
  return database
    .prepare(
      `select i.code, i.severity, i.phase, i.state, count(*) as issues
      from issues i join runs r on r.organisation_id = i.organisation_id and r.run_id = i.run_id and r.writing = i.writing
      where ${where} group by 1, 2, 3, 4`,
    )
    .all(...values) as unknown as CountRow[]
}

type Condition = [string, ...(string | number)[]]

/**
 * @param matches how many issues of any organisation match the text
 * @param names those of the tables that have the values of issues, and whose run it is.
 */
function conditionsOf(
  organisationId: string,
  { text, itemId, lastFromMicros, withoutRuns, ...values }: IssueFilter,
  matches?: number,
  { issue, run } = { issue: 'i', run: 'i' },
): Condition[] {
  // The sign makes SQLite begin with the matches of a text, instead of all issues of the organisation.
  const sign = matches !== undefined && matches < fewMatches ? '+' : ''
  const conditions: Condition[] = [[`${sign}${run}.organisation_id = ?`, organisationId]]
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
