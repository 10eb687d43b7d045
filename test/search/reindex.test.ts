import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { prepareIssueSearch } from '../../src/db/reports/issues-to-index.ts'
import {
  countOutbox,
  countToIndex,
  indexAllAgain,
  removeFromOutbox,
  takeChangedRuns,
} from '../../src/db/runs/outbox.ts'
import { type ReindexProgress, reindex } from '../../src/search/reindex.ts'
import { type RunKey, type SearchStore, SearchStoreAway } from '../../src/search/search-store.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { longTest } from '../harness/long-form.ts'
import { anEndedRun, aSearch } from './a-search.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

/** An organisation whose migrations are indexed, and what is read of it. */
async function anIndexed({ runs = 3 } = {}) {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const search = aSearch(service)
  const ids: string[] = []
  for (let at = 0; at < runs; at++) ids.push(await anEndedRun(service, organisation, { name: `Lamp ${at}` }))
  const readAll = () =>
    Promise.all(
      ids.map(async (id) => {
        const { statusCode, headers, body } = await service.get(`/v2/migrations/${id}`, token)
        return { statusCode, source: headers['x-read-source'], body }
      }),
    )
  const start = (store: SearchStore = search.store, options: Partial<Parameters<typeof reindex>[1]> = {}) => {
    const { database, clock } = service.deps
    const signal = new AbortController().signal
    return reindex({ database, store, clock }, { signal, onProgress: () => undefined, ...options })
  }
  await search.index()
  return { organisation, token, ids, readAll, start, ...search }
}

const aRun = ({ id }: Pick<Organisation, 'id'>, runId: string): RunKey => ({ organisationId: id, runId })
async function* noIssues() {}

const everyRun = async (store: SearchStore) => (await store.listRuns(undefined, 1_000)).map(({ runId }) => runId)

test('every migration is indexed anew, what PostgreSQL does not have is removed, and the progress says how far it is', async () => {
  const { organisation, ids, store, start, readAll } = await anIndexed()
  const before = await readAll()
  expect(before.map(({ source }) => source)).toEqual(['sqlite', 'sqlite', 'sqlite'])
  const document = JSON.stringify({ ...JSON.parse(before[0]?.body ?? ''), summaryLine: 'Wrong.' })
  const wrong = { ...aRun(organisation, ids[0] ?? ''), revision: 1, document }
  await store.replaceRun(wrong, noIssues())
  await store.replaceRun({ ...aRun(organisation, randomUUID()), revision: 1, document: '{}' }, noIssues())
  expect((await readAll())[0]?.body).not.toBe(before[0]?.body)
  const progress: ReindexProgress[] = []
  const found = await start(store, { onProgress: (one) => progress.push(one) })
  expect(found).toMatchObject({ failed: 0, removed: 1 })
  expect(found.runs).toBeGreaterThanOrEqual(ids.length)
  expect(progress.at(0)).toEqual({ done: 0, total: found.runs })
  expect(progress.at(-1)).toEqual({ done: found.runs, total: found.runs })
  expect(await readAll()).toEqual(before)
  expect(await store.searchIssues(organisation.id, { withoutRuns: [], after: null, limit: 10 })).toHaveLength(6)
})

test('reads go on meanwhile, each with the same bytes', async () => {
  const { store, start, readAll } = await anIndexed({ runs: 5 })
  const bodies = (await readAll()).map(({ statusCode, body }) => ({ statusCode, body }))
  const sources = new Set<unknown>()
  const reading: SearchStore = {
    ...store,
    async replaceRun(run, issues) {
      await store.replaceRun(run, issues)
      const reads = await readAll()
      expect(reads.map(({ statusCode, body }) => ({ statusCode, body }))).toEqual(bodies)
      for (const { source } of reads) sources.add(source)
    },
  }
  await start(reading)
  expect(sources).toEqual(new Set(['sqlite']))
})

test('meanwhile the index also answers for migrations that wait, unless it was lost or a migration has changed since', async () => {
  const { organisation, ids, start, store, index } = await anIndexed()
  const { database } = service.deps
  const unindexed = async () => (await prepareIssueSearch(database, organisation.id, {})).unindexedRuns.sort()
  let waiting = 0
  const watched: SearchStore = {
    ...store,
    async replaceRun(run, issues) {
      waiting = Math.max(waiting, (await countOutbox(database)).waiting)
      expect(await unindexed()).toEqual([])
      await store.replaceRun(run, issues)
    },
  }
  expect(await start(watched)).toMatchObject({ failed: 0 })
  expect(waiting).toBeGreaterThanOrEqual(ids.length)
  await indexAllAgain(database, true)
  const changed = await anEndedRun(service, organisation, { name: 'Later lamp' })
  expect(await unindexed()).toEqual([changed])
  await indexAllAgain(database, true)
  expect(await unindexed()).toEqual([changed])
  await indexAllAgain(database, false)
  expect(await unindexed()).toEqual([...ids, changed].sort())
  await index()
  expect(await unindexed()).toEqual([])
})

test('several at once share the work, and each migration is in the index once', async () => {
  const { organisation, ids, path, start, readAll, store } = await anIndexed({ runs: 30 })
  const other = openSqliteStore(path, systemClock)
  onTestFinished(() => other.close())
  const all = await Promise.all([start(), start(other), start()])
  expect(all.map(({ failed }) => failed)).toEqual([0, 0, 0])
  expect((await readAll()).map(({ source }) => source)).toEqual(ids.map(() => 'sqlite'))
  expect((await everyRun(store)).filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort())
  expect(await store.searchIssues(organisation.id, { withoutRuns: [], after: null, limit: 100 })).toHaveLength(60)
})

test('migrations that another one queues while this one counts are due, and have not failed', async () => {
  const { ids, index } = await anIndexed()
  const { database } = service.deps
  await indexAllAgain(database, true)
  // Their times are later than that of the transaction that counts.
  await sql`update outbox set next_try_at = now() + interval '1 second'`.execute(database)
  const { due, failed } = await countToIndex(database)
  expect([due >= ids.length, failed]).toEqual([true, 0])
  await sql`update outbox set next_try_at = now()`.execute(database)
  await index()
})

test('a migration that another indexer writes meanwhile is written again at once, and has not failed', async () => {
  const { ids, path, start, readAll, store } = await anIndexed()
  const other = openSqliteStore(path, systemClock)
  onTestFinished(() => other.close())
  const overtaken = new Set<string>()
  const overtaking: SearchStore = {
    ...store,
    replaceRun(run, issues) {
      async function* overtakenOnce() {
        for await (const page of issues) {
          if (!overtaken.has(run.runId)) await other.replaceRun(run, noIssues())
          overtaken.add(run.runId)
          yield page
        }
      }
      return store.replaceRun(run, overtakenOnce())
    },
  }
  const before = await readAll()
  expect(await start(overtaking)).toMatchObject({ failed: 0 })
  expect([...overtaken]).toEqual(expect.arrayContaining(ids))
  expect(await readAll()).toEqual(before)
})

test('an interrupted one leaves the rest to the service', async () => {
  const { ids, start, readAll, index } = await anIndexed()
  const stopping = new AbortController()
  const onProgress = () => stopping.abort(new Error('Ctrl-C'))
  await expect(start(undefined, { signal: stopping.signal, onProgress })).rejects.toThrow('Ctrl-C')
  expect((await countOutbox(service.deps.database)).waiting).toBeGreaterThanOrEqual(ids.length)
  await index()
  expect((await readAll()).map(({ source }) => source)).toEqual(['sqlite', 'sqlite', 'sqlite'])
})

longTest('a store that fails once is tried again; one that always fails ends it', async () => {
  const { store, start, readAll, index } = await anIndexed()
  let failures = 1
  const failing: SearchStore = {
    ...store,
    isComplete: () => (failures-- > 0 ? Promise.reject(new SearchStoreAway('The disk is full.')) : store.isComplete()),
  }
  expect(await start(failing)).toMatchObject({ failed: 0 })
  failures = Number.POSITIVE_INFINITY
  await expect(start(failing)).rejects.toThrow('The disk is full.')
  await index()
  expect((await readAll()).map(({ source }) => source)).toEqual(['sqlite', 'sqlite', 'sqlite'])
})

test('a migration that another indexer has read from PostgreSQL already, for an index that has gone, is indexed again', async () => {
  const { organisation, store, index } = await anIndexed()
  const { database } = service.deps
  const id = await anEndedRun(service, organisation)
  await database.transaction().execute(async (tx) => {
    const [held] = await takeChangedRuns(tx, 1)
    expect(held?.runId).toBe(id)
    await indexAllAgain(database, false)
    if (held) await removeFromOutbox(tx, held)
  })
  await index()
  expect(await store.findRun(aRun(organisation, id))).toBeDefined()
})
