import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SearchStoreAway } from '../../src/search/search-store.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { anIssue, holdToContract } from './search-store-contract.ts'

function aFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'storeferry-search-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'search.sqlite')
}

async function aStore(path = aFile()) {
  const store = openSqliteStore(path)
  onTestFinished(() => store.close())
  return store
}

async function* oneIssue() {
  yield [anIssue('a')]
}

const run = { organisationId: 'one', runId: 'run', revision: 1, document: '{}' }

describe('the store in SQLite', () => {
  holdToContract(aStore)

  test('leaves texts of less than three characters to PostgreSQL', async () => {
    const store = await aStore()
    const query = { withoutRuns: [], after: null, limit: 1 }
    expect(await store.searchIssues('one', { ...query, text: 'la' })).toBeUndefined()
    expect(await store.searchIssues('one', { ...query, text: '💡💡' })).toBeUndefined()
  })

  test('keeps what it has when it is opened again, and shows it to another process', async () => {
    const path = aFile()
    const store = await aStore(path)
    const other = await aStore(path)
    await store.replaceRun(run, oneIssue())
    await store.markComplete()
    expect(await other.findRun(run)).toEqual(run)
    await store.close()
    expect(await store.isComplete()).toBe(true)
  })

  test('begins anew, and is not complete, when its file was deleted under it', async () => {
    const path = aFile()
    const store = await aStore(path)
    await store.replaceRun(run, oneIssue())
    await store.markComplete()
    rmSync(path)
    expect(await store.isComplete()).toBe(false)
    expect(await store.findRun(run)).toBeUndefined()
    await store.replaceRun(run, oneIssue())
    expect(await store.findRun(run)).toEqual(run)
  })

  test('replaces a file that is no index', async () => {
    const path = aFile()
    writeFileSync(path, 'something else'.repeat(1000))
    const store = await aStore(path)
    await expect(store.isComplete()).rejects.toThrow(SearchStoreAway)
    expect(await store.isComplete()).toBe(false)
  })

  test('is away while its disk refuses writes, and goes on afterwards', async () => {
    const path = aFile()
    mkdirSync(`${path}-wal`)
    const store = await aStore(path)
    await expect(store.replaceRun(run, oneIssue())).rejects.toThrow(SearchStoreAway)
    await expect(store.findRun(run)).rejects.toThrow(SearchStoreAway)
    rmSync(`${path}-wal`, { recursive: true })
    await store.replaceRun(run, oneIssue())
    expect(await store.findRun(run)).toEqual(run)
  })
})
