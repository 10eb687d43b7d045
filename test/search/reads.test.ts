import { mkdirSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/core/database.ts'
import { countOutbox } from '../../src/db/runs/outbox.ts'
import { searchIssues } from '../../src/operations/issues/search-issues.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { indexSome } from '../../src/search/indexer.ts'
import { noSearch } from '../../src/search/search-reader.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { addIssue, bringTo } from '../api/migration-rows.ts'
import { anEndedRun, aSearch } from './a-search.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

const aMerchant = async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  return { organisation, token }
}

const read = async (path: string, token: string) => {
  const { statusCode, headers, body } = await service.get(path, token)
  expect([path, statusCode]).toEqual([path, 200])
  return { source: headers['x-read-source'], body }
}

/** As an assistant asks. */
const search = async ({ id, userId }: Organisation, input: object = {}) => {
  const by = { organisationId: id, userId, role: 'owner' as const, sessionHash: Buffer.alloc(32), provedAt: new Date() }
  const { output, beside } = await perform(searchIssues, input, by as never, service.deps)
  return { source: beside.readSource, body: JSON.stringify(output), items: output.items, nextCursor: output.nextCursor }
}

/** What PostgreSQL alone answers. */
const withoutSearch = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const { search: before } = service.deps
  service.deps.search = noSearch
  try {
    return await work()
  } finally {
    service.deps.search = before
  }
}

const statuses = ['completed', 'partial_completed', 'failed', 'cancelled'] as const

test('F3: what has ended is read from the index, with the bytes that PostgreSQL has', async () => {
  const { organisation, token } = await aMerchant()
  const ids: string[] = []
  for (const status of statuses) ids.push(await anEndedRun(service, organisation, { status }))
  const paths = ids.map((id) => `/v2/migrations/${id}`)
  const issues = JSON.parse((await read(`${paths[0]}/issues`, token)).body).items
  for (const { id } of issues) paths.push(`${paths[0]}/issues/${id}`)
  const fromPostgres = await Promise.all(paths.map((path) => read(path, token)))
  expect(new Set(fromPostgres.map(({ source }) => source))).toEqual(new Set(['postgres']))
  const { index } = aSearch(service)
  expect(await Promise.all(paths.map((path) => read(path, token)))).toEqual(fromPostgres)
  await index()
  const fromIndex = await Promise.all(paths.map((path) => read(path, token)))
  expect(fromIndex).toEqual(fromPostgres.map(({ body }) => ({ source: 'sqlite', body })))
})

test('F3: what is under way is read from the engine, also when it had ended before', async () => {
  const { organisation, token } = await aMerchant()
  const { index } = aSearch(service)
  const id = await anEndedRun(service, organisation, { status: 'partial_completed' })
  await index()
  await bringTo(service, organisation.id, id, 'in_progress')
  expect((await read(`/v2/migrations/${id}`, token)).source).toBe('engine')
  const [issue] = JSON.parse((await read(`/v2/migrations/${id}/issues`, token)).body).items
  expect((await read(`/v2/migrations/${id}/issues/${issue.id}`, token)).source).toBe('postgres')
})

describe('issues of all migrations', () => {
  test('are the same from the index and from PostgreSQL, page by page, with runs that are not indexed among them', async () => {
    const { organisation } = await aMerchant()
    const { index } = aSearch(service)
    for (const name of ['Brass lamp', 'Oak CHAIR', 'Ölkanne für 2']) await anEndedRun(service, organisation, { name })
    await index()
    await anEndedRun(service, organisation, { name: 'Brass chair' })
    const live = await anEndedRun(service, organisation, { name: 'Steel lamp' })
    await bringTo(service, organisation.id, live, 'in_progress')
    await addIssue(service.deps.database, { id: live, organisationId: organisation.id }, { sourceId: '3' })
    const texts = ['lamp', 'chair', 'ÖLK', 'was refused', 'platform_ref', 'ass', 'no such', 'AND', '"', 'x']
    const queries = [{}, ...texts.map((text) => ({ text })), { itemId: '2' }, { code: 'platform_refused' }]
    for (const query of [...queries, { since: new Date(0).toISOString() }, { since: '2099-01-01T00:00:00Z' }]) {
      const expected = await withoutSearch(() => search(organisation, query))
      const { source, body } = await search(organisation, query)
      expect([query, body]).toEqual([query, expected.body])
      if (!('text' in query) || query.text.length > 2) expect([query, source]).toEqual([query, 'sqlite'])
    }
    const all = (await search(organisation)).items.map(({ id }) => id)
    expect(new Set(all).size).toBe(11)
    const paged: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await search(organisation, { limit: 2, ...(cursor && { cursor }) })
      paged.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    expect(paged).toEqual(all)
  })
})

test('issues of all migrations are counted the same from the index and from PostgreSQL, with runs that are not indexed among them', async () => {
  const [{ organisation, token }, other] = [await aMerchant(), await aMerchant()]
  const { index } = aSearch(service)
  for (const name of ['Brass lamp', 'Oak chair']) await anEndedRun(service, organisation, { name })
  await anEndedRun(service, other.organisation)
  await index()
  const live = await anEndedRun(service, organisation, { name: 'Steel lamp' })
  await bringTo(service, organisation.id, live, 'in_progress')
  const counts = async (query: string) => {
    const { statusCode, headers, body } = await service.get(`/v2/issues/counts?${query}`, token)
    return { statusCode, source: headers['x-read-source'], body }
  }
  for (const [query, total] of [
    ['', 6],
    ['text=lamp', 4],
    ['severity=warning', 3],
    ['code=platform_refused&state=open', 6],
    ['itemId=1', 3],
    ['phase=products', 0],
    ['since=2099-01-01T00:00:00Z', 0],
  ] as const) {
    const expected = await withoutSearch(() => counts(query))
    expect([query, expected.statusCode, expected.source, JSON.parse(expected.body).total]).toEqual([
      ...[query, 200, 'postgres', total],
    ])
    expect(await counts(query)).toEqual({ ...expected, source: 'sqlite' })
  }
  expect(JSON.parse((await counts('')).body)).toEqual({
    ...{ total: 6, code: { platform_refused: 6 }, severity: { failure: 3, warning: 3 } },
    ...{ phase: { brands: 6 }, state: { open: 6 } },
  })
})

test('issues of all migrations are listed by the API, with filters, pages and the errors of wrong ones', async () => {
  const [{ organisation, token }, other] = [await aMerchant(), await aMerchant()]
  const id = await anEndedRun(service, organisation)
  await anEndedRun(service, other.organisation)
  const first = JSON.parse((await read('/v2/issues?limit=1', token)).body)
  const cursor = encodeURIComponent(first.nextCursor)
  const rest = JSON.parse((await read(`/v2/issues?limit=1&cursor=${cursor}`, token)).body)
  expect([...first.items, ...rest.items].map(({ requestId, severity }) => [requestId, severity]).sort()).toEqual([
    [id, 'failure'],
    [id, 'warning'],
  ])
  expect(rest.nextCursor).toBeNull()
  expect(JSON.parse((await read('/v2/issues?severity=warning', token)).body).items).toHaveLength(1)
  const refused = async (path: string, by?: string) => (await service.get(path, by)).statusCode
  // A cursor belongs to its filters and its organization.
  expect(await refused(`/v2/issues?severity=warning&cursor=${cursor}`, token)).toBe(422)
  expect(await refused(`/v2/issues?cursor=${cursor}`, other.token)).toBe(422)
  for (const query of ['severity=fatal', 'code=none', 'since=yesterday', 'limit=0', 'component=brands', 'text=%00'])
    expect([query, await refused(`/v2/issues?${query}`, token)]).toEqual([query, 422])
  expect(await refused('/v2/issues/counts?limit=1', token)).toBe(422)
  for (const path of ['/v2/issues', '/v2/issues/counts']) expect(await refused(path)).toBe(401)
})

describe('a document of the index', () => {
  test('S12: of another organisation is dropped and counted, and PostgreSQL answers', async () => {
    const [ours, theirs] = [await aMerchant(), await aMerchant()]
    const { store, dropped, index } = aSearch(service)
    const own = await anEndedRun(service, ours.organisation)
    const foreign = await anEndedRun(service, theirs.organisation, { name: 'Their secret lamp' })
    await index()
    const expected = await search(ours.organisation, { text: 'lamp' })
    expect(expected.source).toBe('sqlite')
    const document = { organisationId: ours.organisation.id, runId: foreign, revision: 1, document: '{"theirs": true}' }
    const planted = {
      id: own,
      firstMicros: '9',
      lastMicros: '9',
      code: '',
      sourceId: '',
      destinationId: null,
      severity: '',
      phase: '',
      state: '',
    }
    async function* issues() {
      yield [{ ...planted, texts: ['their secret lamp'], body: '{"message": "Their secret lamp"}' }]
    }
    await store.replaceRun(document, issues())
    expect(await search(ours.organisation, { text: 'lamp' })).toEqual({ ...expected, source: 'postgres' })
    expect((await service.get(`/v2/migrations/${own}/issues/${own}`, ours.token)).statusCode).toBe(404)
    expect((await service.get(`/v2/migrations/${foreign}`, ours.token)).statusCode).toBe(404)
    expect(dropped).toEqual({ foreign: 2, stale: 0 })
  })

  test('S12: of an earlier revision is dropped and counted, and PostgreSQL answers', async () => {
    const { organisation, token } = await aMerchant()
    const { store, dropped, index } = aSearch(service)
    const id = await anEndedRun(service, organisation)
    await index()
    const fresh = await read(`/v2/migrations/${id}`, token)
    async function* none() {}
    await store.replaceRun({ organisationId: organisation.id, runId: id, revision: 0, document: '{}' }, none())
    expect(await read(`/v2/migrations/${id}`, token)).toEqual({ ...fresh, source: 'postgres' })
    expect(dropped).toEqual({ foreign: 0, stale: 1 })
  })
})

describe('the search store fails', () => {
  test('its file deleted: PostgreSQL answers, and the index fills itself again', async () => {
    const { organisation, token } = await aMerchant()
    const { path, index } = aSearch(service)
    const id = await anEndedRun(service, organisation)
    await index()
    const before = [await read(`/v2/migrations/${id}`, token), await search(organisation)]
    rmSync(path)
    const meanwhile = [await read(`/v2/migrations/${id}`, token), await search(organisation)]
    expect(meanwhile).toEqual(before.map((one) => ({ ...one, source: 'postgres' })))
    await index()
    expect([await read(`/v2/migrations/${id}`, token), await search(organisation)]).toEqual(before)
  })

  test('its disk refuses writes: nothing leaves the outbox, and the index catches up', async () => {
    const { organisation, token } = await aMerchant()
    const { path, index, store } = aSearch(service)
    await index()
    await store.close()
    mkdirSync(`${path}-wal`)
    const id = await anEndedRun(service, organisation)
    await expect(index()).rejects.toThrow('The search index cannot be used.')
    expect((await read(`/v2/migrations/${id}`, token)).source).toBe('postgres')
    expect((await search(organisation)).source).toBe('postgres')
    expect(await countOutbox(service.deps.database)).toEqual({ waiting: 1, dead: 0 })
    rmSync(`${path}-wal`, { recursive: true })
    await index()
    expect((await read(`/v2/migrations/${id}`, token)).source).toBe('sqlite')
    expect(await countOutbox(service.deps.database)).toEqual({ waiting: 0, dead: 0 })
  })

  test('it is slow: a run takes longer than a transaction may be idle, and is indexed', async () => {
    const { organisation, token } = await aMerchant()
    const { index, store } = aSearch(service)
    await index()
    const id = await anEndedRun(service, organisation)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(service.deps.database)
    const url = Object.assign(new URL(inject('postgresAdminUrl')), { pathname: `/${rows[0]?.name}` })
    const impatient = openDatabase(url.href, { idleInTransactionMs: 500 })
    onTestFinished(() => impatient.destroy())
    const slow: typeof store = {
      ...store,
      async replaceRun(run, issues) {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await store.replaceRun(run, issues)
      },
    }
    expect(await indexSome({ database: impatient, store: slow })).toBe(1)
    expect((await read(`/v2/migrations/${id}`, token)).source).toBe('sqlite')
    expect(await countOutbox(service.deps.database)).toEqual({ waiting: 0, dead: 0 })
  })

  test('a run that cannot be indexed waits longer each time, is given up, and is read from PostgreSQL; others go on', async () => {
    const { organisation, token } = await aMerchant()
    const { database } = service.deps
    const { index, store } = aSearch(service)
    await index()
    const [bad, good] = [await anEndedRun(service, organisation), await anEndedRun(service, organisation)]
    const refusing: typeof store = {
      ...store,
      replaceRun: (run, issues) =>
        run.runId === bad ? Promise.reject(new TypeError('its text')) : store.replaceRun(run, issues),
    }
    await indexSome({ database, store: refusing })
    expect((await read(`/v2/migrations/${good}`, token)).source).toBe('sqlite')
    expect((await read(`/v2/migrations/${bad}`, token)).source).toBe('postgres')
    expect(await indexSome({ database, store: refusing })).toBe(0)
    for (let attempt = 2; attempt <= 20; attempt++) {
      await sql`update outbox set next_try_at = now()`.execute(database)
      expect(await indexSome({ database, store: refusing })).toBe(1)
    }
    expect(await countOutbox(database)).toEqual({ waiting: 0, dead: 1 })
    const { rows } = await sql`select subject_id, attempts, last_error from outbox_dead_letters`.execute(database)
    expect(rows).toEqual([{ subject_id: bad, attempts: 20, last_error: 'TypeError' }])
    expect((await search(organisation)).items).toHaveLength(4)
    await store.clear()
    await index()
    expect((await read(`/v2/migrations/${bad}`, token)).source).toBe('sqlite')
    expect(await countOutbox(database)).toEqual({ waiting: 0, dead: 0 })
  })
})
