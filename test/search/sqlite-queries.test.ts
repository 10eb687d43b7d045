import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { SearchStoreAway } from '../../src/search/search-store.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { childrenOf } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { makeEndless } from './an-endless-index.ts'
import { anIndexFile } from './an-index-file.ts'
import { anIssue } from './search-store-contract.ts'

const run = { organisationId: 'one', runId: 'run', revision: 1, document: '{}' }
const ofItem = { itemId: '7', withoutRuns: [] }
const ofText = { text: 'lamp', withoutRuns: [], after: null, limit: 5 }

/** With one run of one issue. Queries are ended by its clock, which the test moves. */
async function aStore() {
  const path = anIndexFile()
  const clock = new FakeClock()
  const store = openSqliteStore(path, clock)
  onTestFinished(() => store.close())
  const write = () => store.replaceRun(run, oneIssue())
  await write()
  await store.markComplete()
  return { path, clock, store, write }
}

async function* oneIssue() {
  yield [anIssue('a')]
}

/** The processes that this one has started for the queries of an index. */
function processesOf(path: string): Promise<number[]> {
  return childrenOf(process.pid, new RegExp(`sqlite-query-main\\.ts\0${path}`))
}

test('a count that takes too long leaves other reads answering meanwhile, and is ended', async () => {
  const { path, clock, store } = await aStore()
  makeEndless(path)
  let isEnded = false
  const counting = store.countIssues('one', ofItem).finally(() => {
    isEnded = true
  })
  const refused = expect(counting).rejects.toThrow(SearchStoreAway)
  await until('a process counts', async () => (await processesOf(path)).length === 1)
  await clock.advance(9_999)
  expect([await store.isComplete(), await store.findRun(run), isEnded]).toEqual([true, run, false])
  await clock.advance(1)
  await refused
  await until('the process is gone', async () => (await processesOf(path)).length === 0)
})

test('a query waits for those before it, and is answered when one of them was ended', async () => {
  const { path, clock, store } = await aStore()
  const mend = makeEndless(path)
  const endless = expect(store.countIssues('one', ofItem)).rejects.toThrow('no answer within 10 s')
  await clock.advance(6_000)
  mend()
  const waiting = store.countIssues('one', ofItem)
  await clock.advance(4_000)
  await endless
  expect(await waiting).toMatchObject({ total: 1 })
})

test('a query that waited too long for those before it is away as well', async () => {
  const { path, clock, store } = await aStore()
  makeEndless(path)
  const both = [store.countIssues('one', ofItem), store.searchIssues('one', ofText)]
  const refused = both.map((one) => expect(one).rejects.toThrow(SearchStoreAway))
  await clock.advance(10_000)
  await Promise.all(refused)
})

test('a process that dies ends its query, and the next query has another one', async () => {
  const { path, store } = await aStore()
  expect(await store.searchIssues('one', ofText)).toHaveLength(1)
  const [first = 0] = await processesOf(path)
  process.kill(first, 'SIGSTOP')
  const stopped = expect(store.countIssues('one', ofItem)).rejects.toThrow(SearchStoreAway)
  process.kill(first, 'SIGKILL')
  await stopped
  expect(await store.countIssues('one', ofItem)).toMatchObject({ total: 1 })
  const [second = 0] = await processesOf(path)
  process.kill(second, 'SIGKILL')
  // A query that is sent before its end is reported ends with it.
  const again = () => store.searchIssues('one', ofText).catch(() => undefined)
  expect(await until('a third one answers', again)).toHaveLength(1)
  expect(await processesOf(path)).not.toContain(second)
})

test('a process goes on when a terminal interrupts everything that it started, and ends with the store', async () => {
  const { path, store } = await aStore()
  await store.searchIssues('one', ofText)
  const [pid = 0] = await processesOf(path)
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  expect(await store.countIssues('one', ofItem)).toMatchObject({ total: 1 })
  expect(await processesOf(path)).toEqual([pid])
  await store.close()
  await until('it is gone', async () => (await processesOf(path)).length === 0)
})

test('a process that is asked nothing for a minute ends, and the next query has another one', async () => {
  const { path, clock, store } = await aStore()
  await store.searchIssues('one', ofText)
  await clock.advance(59_000)
  await store.searchIssues('one', ofText)
  const [pid] = await processesOf(path)
  await clock.advance(59_999)
  expect(await processesOf(path)).toEqual([pid])
  await clock.advance(1)
  await until('it is gone', async () => (await processesOf(path)).length === 0)
  expect(await store.searchIssues('one', ofText)).toHaveLength(1)
})

test('the file deleted under it: a query reads the new one', async () => {
  const { path, store, write } = await aStore()
  expect(await store.countIssues('one', ofItem)).toMatchObject({ total: 1 })
  rmSync(path)
  expect(await store.countIssues('one', ofItem)).toMatchObject({ total: 0 })
  await write()
  expect(await store.countIssues('one', ofItem)).toMatchObject({ total: 1 })
})

test('a query that finds the file damaged has it replaced, and the store is not complete', async () => {
  const { path, store } = await aStore()
  await store.compact()
  await store.close()
  // The first page, which has the schema, stays as it is.
  const pageBytes = 4_096
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(statSync(path).size - pageBytes, 0xff), 0, null, pageBytes)
  closeSync(file)
  await expect(store.countIssues('one', ofItem)).rejects.toThrow(SearchStoreAway)
  expect(await store.isComplete()).toBe(false)
})
