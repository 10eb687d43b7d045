import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { SearchStoreAway } from '../../src/search/search-store.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { anIndexFile } from './an-index-file.ts'
import { anIssue, holdToContract } from './search-store-contract.ts'

async function aStore(path = anIndexFile(), options = {}) {
  const store = openSqliteStore(path, systemClock, options)
  onTestFinished(() => store.close())
  return store
}

async function* oneIssue() {
  yield [anIssue('a')]
}

function countsIn(path: string): Record<string, unknown> {
  const database = new DatabaseSync(path, { readOnly: true })
  const counts = ['writings', 'issues', 'issue_texts'].map((table) => {
    const counted = database.prepare(`select count(*) as count from ${table}`).get()
    return [table, counted?.count]
  })
  database.close()
  return Object.fromEntries(counts)
}

/** Two readers, of whom one begins before the other ends. */
function keepReading(path: string): () => void {
  const [one, other] = [new DatabaseSync(path, { readOnly: true }), new DatabaseSync(path, { readOnly: true })]
  const begin = (database: DatabaseSync) => {
    database.exec('begin')
    database.prepare('select count(*) from runs').get()
  }
  begin(one)
  const timer = setInterval(() => {
    const [ending, beginning] = one.isTransaction ? [one, other] : [other, one]
    begin(beginning)
    ending.exec('rollback')
  }, 20)
  return () => {
    clearInterval(timer)
    one.close()
    other.close()
  }
}

/** Whether this machine has no `prlimit`, which Linux brings. */
const cannotLimit = spawnSync('prlimit', ['--version']).error !== undefined

/** The bytes that this process may write into one file: beyond, a write is refused, as on a full disk. */
function limitFiles(bytes: string): void {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`])
}

const run = { organisationId: 'one', runId: 'run', revision: 1, document: '{}' }

describe('the store in SQLite', () => {
  holdToContract(aStore)

  describe('to which every text is a frequent one', () => {
    holdToContract(() => aStore(anIndexFile(), { mostSorted: 1 }))
  })

  test('leaves texts of less than three characters to PostgreSQL', async () => {
    const store = await aStore()
    const query = { withoutRuns: [], after: null, limit: 1 }
    expect(await store.searchIssues('one', { ...query, text: 'la' })).toBeUndefined()
    expect(await store.searchIssues('one', { ...query, text: '💡💡' })).toBeUndefined()
  })

  test('fills a page of a frequent text with the latest issues, wherever older ones are in the file', async () => {
    const store = await aStore(anIndexFile(), { mostSorted: 1 })
    const other = { texts: ['a chair'] }
    const at = (firstMicros: number, more = {}) =>
      anIssue(String(firstMicros), { firstMicros: String(firstMicros), ...more })
    const [recent, old] = [3_000, 10].map((from) => Array.from({ length: 2_000 }, (_, nr) => at(from + nr, other)))
    async function* inTwoParts() {
      yield [at(6_000), at(1), at(5_001), at(5_002), ...(recent ?? [])]
      yield [...(old ?? []), at(5)]
    }
    await store.replaceRun(run, inTwoParts())
    const found = await store.searchIssues('one', { text: 'lamp', withoutRuns: [], after: null, limit: 4 })
    expect(found?.map(({ body }) => JSON.parse(body).id)).toEqual(['6000', '5002', '5001', '5'])
  })

  test('keeps its log short beside searches that follow each other without a gap', async () => {
    const path = anIndexFile()
    const store = await aStore(path, { mostLogBytes: 2e6 })
    const many = Array.from({ length: 400 }, (_, at) => anIssue(`issue ${at}`))
    async function* whole() {
      yield many
    }
    await store.replaceRun(run, whole())
    const stopReading = keepReading(path)
    let longest = 0
    for (let round = 0; round < 20; round++) {
      await store.replaceRun(run, whole())
      longest = Math.max(longest, statSync(`${path}-wal`).size)
    }
    stopReading()
    expect(longest).toBeLessThan(6e6)
    expect(await store.countIssues('one', { withoutRuns: [] })).toMatchObject({ total: 400 })
  })

  test('keeps nothing of a run that was replaced, or whose writing broke off', async () => {
    const path = anIndexFile()
    const store = await aStore(path)
    const many = (prefix: string) => Array.from({ length: 450 }, (_, at) => anIssue(`${prefix}${at}`))
    async function* breaking() {
      yield many('broken')
      throw new Error('away')
    }
    async function* whole(prefix: string) {
      yield many(prefix)
    }
    await expect(store.replaceRun(run, breaking())).rejects.toThrow('away')
    await store.replaceRun(run, whole('first'))
    await store.replaceRun(run, whole('second'))
    expect(countsIn(path)).toEqual({ writings: 1, issues: 450, issue_texts: 450 })
    await store.removeRun(run)
    expect(countsIn(path)).toEqual({ writings: 0, issues: 0, issue_texts: 0 })
  })

  test('lets others have their turn while it writes and removes a run of many issues', async () => {
    const store = await aStore()
    const turns = async (work: Promise<void>) => {
      let count = 0
      let isWorking = true
      const takeTurn = () => {
        count += 1
        if (isWorking) setImmediate(takeTurn)
      }
      setImmediate(takeTurn)
      await work
      isWorking = false
      return count
    }
    async function* onePage() {
      yield Array.from({ length: 1_000 }, (_, at) => anIssue(`issue ${at}`))
    }
    expect(await turns(store.replaceRun(run, onePage()))).toBeGreaterThan(3)
    expect(await turns(store.removeRun(run))).toBeGreaterThan(3)
  })

  test('waits for a writer of another process, and lets others have their turn meanwhile', async () => {
    const path = anIndexFile()
    const store = await aStore(path)
    await store.markComplete()
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    let isWritten = false
    const writing = store.replaceRun(run, oneIssue()).then(() => {
      isWritten = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([isWritten, await store.isComplete(), await store.findRun(run)]).toEqual([false, true, undefined])
    other.exec('commit')
    other.close()
    await writing
    expect(await store.findRun(run)).toEqual(run)
  })

  test('keeps what it has when it is opened again, and shows it to another process', async () => {
    const path = anIndexFile()
    const store = await aStore(path)
    const other = await aStore(path)
    await store.replaceRun(run, oneIssue())
    await store.markComplete()
    expect(await other.findRun(run)).toEqual(run)
    await store.close()
    expect(await store.isComplete()).toBe(true)
  })

  test('begins anew, and is not complete, when its file was deleted under it', async () => {
    const path = anIndexFile()
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
    const path = anIndexFile()
    writeFileSync(path, 'something else'.repeat(1000))
    const store = await aStore(path)
    await expect(store.isComplete()).rejects.toThrow(SearchStoreAway)
    expect(await store.isComplete()).toBe(false)
  })

  test('is away while its disk refuses writes, and goes on afterwards', async () => {
    const path = anIndexFile()
    mkdirSync(`${path}-wal`)
    const store = await aStore(path)
    await expect(store.replaceRun(run, oneIssue())).rejects.toThrow(SearchStoreAway)
    await expect(store.findRun(run)).rejects.toThrow(SearchStoreAway)
    rmSync(`${path}-wal`, { recursive: true })
    await store.replaceRun(run, oneIssue())
    expect(await store.findRun(run)).toEqual(run)
  })

  const needs = cannotLimit ? ' (prlimit is missing)' : ''
  test.skipIf(cannotLimit)(
    `is away while its disk is full, keeps what it had, and goes on afterwards${needs}`,
    async () => {
      const path = anIndexFile()
      const store = await aStore(path)
      const many = Array.from({ length: 1_000 }, (_, at) => anIssue(`issue ${at}`))
      async function* manyIssues() {
        yield many
      }
      await store.replaceRun(run, oneIssue())
      await store.markComplete()
      onTestFinished(() => limitFiles('unlimited'))
      // As many bytes as fit, and not all of the run.
      limitFiles(String(statSync(`${path}-wal`).size + 300_000))
      await expect(store.replaceRun({ ...run, revision: 2 }, manyIssues())).rejects.toThrow(SearchStoreAway)
      expect(await store.isComplete()).toBe(true)
      expect(await store.findRun(run)).toEqual(run)
      expect(await store.findIssue('one', 'a')).toMatchObject({ revision: 1 })
      expect(await store.findIssue('one', 'issue 1')).toBeUndefined()
      limitFiles('unlimited')
      await store.replaceRun({ ...run, revision: 2 }, manyIssues())
      expect(await store.findIssue('one', 'issue 1')).toMatchObject({ revision: 2 })
      expect(countsIn(path)).toEqual({ writings: 1, issues: 1_000, issue_texts: 1_000 })
    },
  )
})
