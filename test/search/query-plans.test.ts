import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { countIssues, searchIssues } from '../../src/search/sqlite-issues.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { anIndexFile } from './an-index-file.ts'
import { anIssue } from './search-store-contract.ts'

const mostSorted = 10

/** The index of some issues that all match "lamp". */
async function anIndex(issues: number): Promise<DatabaseSync> {
  const path = anIndexFile()
  const store = openSqliteStore(path, new FakeClock())
  const run = { organisationId: 'one', runId: 'run', revision: 1, document: '{}' }
  await store.replaceRun(run, inOneBatch(issues))
  await store.close()
  const database = new DatabaseSync(path)
  onTestFinished(() => database.close())
  return database
}

async function* inOneBatch(issues: number) {
  yield Array.from({ length: issues }, (_, at) => anIssue(String(at)))
}

/** The steps that SQLite takes for the last statement of some work. */
function lastPlan(database: DatabaseSync, work: () => unknown): string[] {
  const prepare = vi.spyOn(database, 'prepare')
  work()
  const statement = prepare.mock.lastCall?.[0] ?? ''
  prepare.mockRestore()
  const values = Array.from(statement.matchAll(/\?/g), () => null)
  return database
    .prepare(`explain query plan ${statement}`)
    .all(...values)
    .map(({ detail }) => String(detail))
}

const ofText = { text: 'lamp', withoutRuns: [] }
const byNumber = expect.stringMatching(/^SEARCH i USING INTEGER PRIMARY KEY/)
const inAllTexts = expect.stringMatching(/^SCAN issue_texts/)

test('issues with a rare text are found and counted by their numbers, without a look at all other issues', async () => {
  const database = await anIndex(mostSorted - 1)
  const search = () => searchIssues(database, 'one', { ...ofText, after: null, limit: 5 }, mostSorted)
  expect(lastPlan(database, search)).toContainEqual(byNumber)
  expect(lastPlan(database, () => countIssues(database, 'one', ofText))).toContainEqual(byNumber)
})

test('a page of issues with a frequent text is filled from the latest ones, by number, and not from all that match', async () => {
  const database = await anIndex(mostSorted)
  const search = () => searchIssues(database, 'one', { ...ofText, after: null, limit: 5 }, mostSorted)
  const plan = lastPlan(database, search)
  expect(plan).toContainEqual(byNumber)
  expect(plan).not.toContainEqual(inAllTexts)
})
