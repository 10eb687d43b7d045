import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../src/clock.ts'
import { modes } from '../../src/contract/modes.ts'
import { countOutbox } from '../../src/db/runs/outbox.ts'
import { readersMs } from '../../src/search/opensearch-issues.ts'
import { openOpenSearchStore } from '../../src/search/opensearch-store.ts'
import { SearchStoreAway } from '../../src/search/search-store.ts'
import { anOrganisation, type Organisation } from '../api/a-service.ts'
import { bringTo } from '../api/migration-rows.ts'
import { runProgram } from '../cli/run-program.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { startForwarding } from '../harness/forward-calls.ts'
import { longTest } from '../harness/long-form.ts'
import { missingOpenSearch } from '../harness/opensearch-files.ts'
import { until } from '../harness/until.ts'
import { anAccessToken } from '../mcp/a-connection.ts'
import { anEndedRun } from './a-search.ts'
import { aStartedService, type StartedService } from './a-started-service.ts'
import { notOurs, type OpenSearchServer, startOpenSearch } from './opensearch-server.ts'
import { anIssue, holdToContract } from './search-store-contract.ts'

interface Body {
  count?: number
  error?: { type: string }
  _all?: { primaries: { docs: object; segments: { count: number } } }
}

const missing = missingOpenSearch()
const run = { organisationId: 'one', runId: 'run', revision: 1, document: '{}' }

async function* oneIssue() {
  yield [anIssue('a')]
}

let server: OpenSearchServer
beforeAll(async () => {
  if (missing) return
  server = await startOpenSearch()
  console.log(`OpenSearch ${server.version}`)
})
afterAll(() => server?.stop())

describe.skipIf(missing)(missing ?? 'the store in OpenSearch', () => {
  /** Bodies of the server as they are; for what the store itself must not be asked. */
  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(`${server.url}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }

  function open(prefix: string, url = server.url, clock: Clock = skippingClock()) {
    const store = openOpenSearchStore({ url, prefix }, clock)
    onTestFinished(() => store.close())
    return store
  }

  function aStore(clock?: Clock) {
    const prefix = `test-${randomUUID()}`
    onTestFinished(async () => {
      await ask('DELETE', `${prefix}-*`)
    })
    return { prefix, store: open(prefix, server.url, clock) }
  }

  /** Waits for readers take no time. */
  const skippingClock = () => new FakeClock({ skipUpToMs: readersMs })

  holdToContract(async () => aStore().store)

  test('leaves texts of less than three characters to PostgreSQL', async () => {
    const { store } = aStore()
    await store.markComplete()
    const query = { withoutRuns: [], after: null, limit: 1 }
    expect(await store.searchIssues('one', { ...query, text: 'la' })).toBeUndefined()
    expect(await store.searchIssues('one', { ...query, text: '💡💡' })).toBeUndefined()
  })

  test('finds nothing twice, and misses nothing, where a page ends between the old and the new writing of an issue', async () => {
    const { store } = aStore()
    const issues = ['a', 'b', 'c', 'd'].map((id) => anIssue(id))
    const pages: unknown[] = []
    async function* again() {
      yield issues
      for (let after = null as { firstMicros: string; id: string } | null; ; ) {
        const page = await store.searchIssues('one', { withoutRuns: [], after, limit: 1 })
        const id = page?.[0] && JSON.parse(page[0].body).id
        if (id === undefined) return
        pages.push(id)
        after = { firstMicros: '1000', id }
      }
    }
    await store.replaceRun(run, inOnePage(issues))
    await store.replaceRun({ ...run, revision: 2 }, again())
    expect(pages).toEqual(['d', 'c', 'b', 'a'])
  })

  test('keeps nothing of a run that was replaced, or whose writing broke off, when the next run is written', async () => {
    const clock = skippingClock()
    const { prefix, store } = aStore(clock)
    const many = (name: string) => Array.from({ length: 1_100 }, (_, at) => anIssue(`${name}${at}`))
    const count = async () => (await ask('GET', `${prefix}-v2/_count`)).body.count
    async function* breaking() {
      yield many('broken')
      throw new Error('away')
    }
    await expect(store.replaceRun(run, breaking())).rejects.toThrow('away')
    await store.replaceRun(run, inOnePage(many('first')))
    await store.replaceRun(run, inOnePage(many('second')))
    clock.jump(readersMs)
    await store.replaceRun({ ...run, runId: 'other' }, oneIssue())
    expect(await count()).toBe(1_104)
    await store.removeRun(run)
    expect(await count()).toBe(3)
  })

  /** Its searches reach OpenSearch only when they are let through. */
  async function aSlowReader(prefix: string) {
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url, stop } = await startForwarding(server.url, async ({ url }) => {
      if (!url?.endsWith('/_search')) return
      arrived.resolve()
      await released.promise
    })
    onTestFinished(stop)
    const clock = skippingClock()
    return { reader: open(prefix, url, clock), clock, arrived: arrived.promise, release: () => released.resolve() }
  }

  test('a search answers with a run as it was, if the run is replaced between its list and its search', async () => {
    const { prefix, store } = aStore()
    await store.replaceRun(run, inOnePage(['a', 'b'].map((id) => anIssue(id))))
    const { reader, arrived, release } = await aSlowReader(prefix)
    const searching = reader.searchIssues('one', { withoutRuns: [], after: null, limit: 10 })
    const counting = reader.countIssues('one', { withoutRuns: [] })
    await arrived
    await store.replaceRun({ ...run, revision: 2 }, inOnePage(['b', 'c', 'd'].map((id) => anIssue(id))))
    release()
    expect((await searching)?.map(({ body, revision }) => [JSON.parse(body).id, revision])).toEqual([
      ['b', 1],
      ['a', 1],
    ])
    expect((await counting)?.total).toBe(2)
  })

  test('a search that takes longer than replaced issues are kept is left to PostgreSQL', async () => {
    const { prefix, store } = aStore()
    await store.replaceRun(run, oneIssue())
    const { reader, clock, arrived, release } = await aSlowReader(prefix)
    const searching = reader.searchIssues('one', { withoutRuns: [], after: null, limit: 10 })
    await arrived
    clock.jump(readersMs)
    release()
    expect(await searching).toBeUndefined()
  })

  test('keeps nothing of a writing that another one has overtaken', async () => {
    const { prefix, store } = aStore()
    async function* overtaken() {
      yield [anIssue('a'), anIssue('b')]
      await store.replaceRun({ ...run, revision: 2 }, inOnePage([anIssue('c')]))
      yield [anIssue('d')]
    }
    await expect(store.replaceRun(run, overtaken())).rejects.toThrow('by another process')
    expect((await ask('GET', `${prefix}-v2/_count`)).body.count).toBe(3)
  })

  test('begins anew, and is not complete, when its index was deleted under it; no index is made by chance', async () => {
    const { prefix, store } = aStore()
    await store.replaceRun(run, oneIssue())
    await store.markComplete()
    await ask('DELETE', `${prefix}-v2-data`)
    expect(await store.isComplete()).toBe(false)
    expect(await store.findRun(run)).toBeUndefined()
    async function* deletedMeanwhile() {
      yield [anIssue('a')]
      await ask('DELETE', `${prefix}-v2-data`)
      yield [anIssue('b')]
    }
    await expect(store.replaceRun(run, deletedMeanwhile())).rejects.toThrow(SearchStoreAway)
    expect((await ask('GET', `${prefix}-*`)).body).toEqual({})
    await store.replaceRun(run, oneIssue())
    expect(await store.findRun(run)).toEqual(run)
    expect(await store.isComplete()).toBe(false)
  })

  test('deletes the index of an earlier version, and leaves one of a later version alone', async () => {
    const { prefix, store } = aStore()
    const names = async () => Object.keys((await ask('GET', `${prefix}*`)).body)
    await ask('PUT', `${prefix}-v0-data`)
    await ask('PUT', `${prefix}-other`)
    await store.markComplete()
    expect(await names()).toEqual([`${prefix}-other`, `${prefix}-v2-data`])
    await ask('PUT', `${prefix}-v3-data`)
    await expect(store.replaceRun(run, oneIssue())).rejects.toThrow('later version')
    await expect(store.clear()).rejects.toThrow('later version')
  })

  test('refuses what it does not know in a document, so that a mistake shows', async () => {
    const { prefix, store } = aStore()
    await store.markComplete()
    const answer = await ask('POST', `${prefix}-v2/_doc`, { kind: 'issue', surprise: 1 })
    expect([answer.status, answer.body.error?.type]).toEqual([400, 'strict_dynamic_mapping_exception'])
  })

  test('is away while nothing answers, and while OpenSearch takes no more documents', async () => {
    const { prefix, store } = aStore()
    const nowhere = open(prefix, 'http://127.0.0.1:9')
    await expect(nowhere.isComplete()).rejects.toThrow(SearchStoreAway)
    const secret = open(prefix, 'http://ferry:planted@127.0.0.1:9')
    expect(inspect(await secret.isComplete().catch((error: unknown) => error), { depth: 9 })).toMatch(
      /^SearchStoreAway(?!.*planted)/s,
    )
    await expect(nowhere.replaceRun(run, oneIssue())).rejects.toThrow(SearchStoreAway)
    await store.replaceRun(run, oneIssue())
    await store.markComplete()
    // As OpenSearch does by itself when its disk is full.
    await ask('PUT', `${prefix}-v2-data/_settings`, { 'index.blocks.read_only_allow_delete': true })
    await expect(store.replaceRun({ ...run, revision: 2 }, oneIssue())).rejects.toThrow(SearchStoreAway)
    expect(await store.isComplete()).toBe(true)
    expect(await store.findRun(run)).toEqual(run)
    await ask('PUT', `${prefix}-v2-data/_settings`, { 'index.blocks.read_only_allow_delete': null })
    await store.replaceRun({ ...run, revision: 2 }, oneIssue())
    expect(await store.findIssue('one', 'a')).toMatchObject({ revision: 2 })
  })

  // OpenSearch renews what keeps deleted documents every 30 s.
  longTest(
    'S9: what was removed, or another process has replaced, is in no document or segment after it was compacted',
    async () => {
      const { prefix, store } = aStore(systemClock)
      const another = open(prefix)
      await store.replaceRun(run, inOnePage([anIssue('a'), anIssue('b')]))
      await store.replaceRun({ ...run, runId: 'other' }, oneIssue())
      await another.replaceRun({ ...run, runId: 'other', revision: 2 }, oneIssue())
      await store.removeRun(run)
      await store.compact()
      const { body } = await ask('GET', `${prefix}-v2/_stats/docs,segments`)
      expect(body._all?.primaries.docs).toEqual({ count: 3, deleted: 0 })
      expect(body._all?.primaries.segments.count).toBe(1)
    },
  )
})

async function* inOnePage(issues: ReturnType<typeof anIssue>[]) {
  yield issues
}

const endings = ['completed', 'partial_completed', 'failed', 'cancelled'] as const

interface Answer {
  path: string
  source: string | null
  body: string
}

describe.skipIf(missing)(missing ?? 'a service whose index is there', () => {
  const prefix = `test-${randomUUID()}`
  let service: StartedService
  let organisation: Organisation
  let assistant: string
  let ids: string[]
  let fromPostgres: Answer[]
  let found: string
  beforeAll(async () => {
    service = await aStartedService({ OPENSEARCH_URL: server.url, OPENSEARCH_INDEX: prefix })
    organisation = await anOrganisation(service.planting)
    assistant = (await anAccessToken(service.planting, organisation, { audience: service.url })).token
    ids = await service.withoutIndexing(() =>
      Promise.all(modes.flatMap((mode) => endings.map((status) => aRun(mode, status)))),
    )
    fromPostgres = await readAll()
    found = await search()
  })
  afterAll(async () => {
    await service?.stop()
  })

  async function aRun(mode: string, status: (typeof endings)[number]): Promise<string> {
    const id = await anEndedRun(service.planting, organisation, { status, name: `${mode} ${status}` })
    await sql`update runs set mode = ${mode} where id = ${id}`.execute(service.database)
    // Once more, with the snapshot of that mode.
    await bringTo(service.planting, organisation.id, id, status)
    return id
  }

  async function readAll(): Promise<Answer[]> {
    const { rows } = await sql<{ path: string }>`
      select '/v2/migrations/' || run_id || '/issues/' || id as path from issues
      where run_id = any(${ids}::uuid[]) order by run_id, first_at, id`.execute(service.database)
    // Its own, as each may be used 600 times a minute.
    const owner = await organisation.token()
    const paths = [...ids.map((id) => `/v2/migrations/${id}`), ...rows.map(({ path }) => path)]
    return Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${owner}` } })
        expect([path, answer.status]).toEqual([path, 200])
        return { path, source: answer.headers.get('x-read-source'), body: await answer.text() }
      }),
    )
  }

  /** What an assistant finds in the issues of all migrations. */
  async function search(): Promise<string> {
    const call = { name: 'search_issues', arguments: { query: 'refused', limit: 100 } }
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${assistant}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    })
    return answer.text()
  }

  const from = (source: string) => fromPostgres.map((one) => ({ ...one, source }))

  async function catchUp(): Promise<void> {
    await service.indexWaiting()
    await until('the index has every run', async () => (await countOutbox(service.database)).waiting === 0, {
      seconds: 60,
    })
  }

  test('F3: migrations of every mode, however they ended, are read from it with the bytes that PostgreSQL gives', async () => {
    expect(fromPostgres).toEqual(from('postgres'))
    await catchUp()
    expect(await readAll()).toEqual(from('opensearch'))
    expect(await search()).toBe(found)
  })

  test.skipIf(notOurs)(
    `no read fails while OpenSearch hangs, and it is read again afterwards${notOurs ?? ''}`,
    async () => {
      await catchUp()
      server.signal('SIGSTOP')
      expect(await readAll()).toEqual(from('postgres'))
      expect(await search()).toBe(found)
      server.signal('SIGCONT')
      await until('it is read again', async () => (await readAll()).every(({ source }) => source === 'opensearch'))
      expect(await search()).toBe(found)
    },
  )

  test('a deleted index fills itself again, and PostgreSQL answers meanwhile', async () => {
    await service.withoutIndexing(async () => {
      await fetch(`${server.url}/${prefix}-v2-data`, { method: 'DELETE' })
      await until('it is known to be gone', async () => (await countOutbox(service.database)).waiting > 0)
      expect(await readAll()).toEqual(from('postgres'))
    })
    await catchUp()
    expect(await readAll()).toEqual(from('opensearch'))
  })

  longTest('"storeferry reindex" fills it beside the running service', async () => {
    const answer = await fetch(`${server.url}/${prefix}-v2/_doc/${organisation.id}:${ids[0]}`, { method: 'DELETE' })
    expect(answer.status).toBe(200)
    expect((await readAll())[0]?.source).toBe('postgres')
    const { code, output, errors } = await runProgram(['reindex'], { environment: service.environment })
    expect([code, errors]).toEqual([0, ''])
    expect(output).toContain(`The search index is filled again: ${ids.length} migrations.`)
    expect(await readAll()).toEqual(from('opensearch'))
  })

  // The command waits until OpenSearch merges what was deleted.
  longTest(
    'S9: beside the running service a shopper is erased from the index, too',
    async () => {
      const email = 'jane@mail.example'
      const own = await anOrganisation(service.planting, { name: 'Reed Lamps' })
      await anEndedRun(service.planting, own, { name: `Gift set for ${email}` })
      await catchUp()
      expect(await documentsWith(email)).toBe(2)
      await sql`update stores set token_encrypted = null, disconnected_at = now()
        where organisation_id = ${own.id}`.execute(service.database)
      const options = ['--organisation', 'Reed Lamps', '--customer', email, '--yes']
      const { code, errors } = await runProgram(['erase', ...options], { environment: service.environment })
      expect([code, errors]).toEqual([0, ''])
      expect(await documentsWith(email)).toBe(0)
      expect(await documentsWith('[erased]')).toBe(2)
    },
    180_000,
  )

  /** In whichever field; as many as a page has. */
  async function documentsWith(text: string): Promise<number> {
    const answer = await fetch(`${server.url}/${prefix}-v2/_search?size=1000`)
    const { hits } = (await answer.json()) as { hits: { hits: { _source: object }[] } }
    return hits.hits.filter(({ _source }) => JSON.stringify(_source).includes(text)).length
  }
})
