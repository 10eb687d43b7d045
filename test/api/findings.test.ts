import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { type DeletionToWrite, saveDeletions, settleDeletions } from '../../src/db/ledger/deletions.ts'
import { mapItems, mappingsWhere } from '../harness/map-items.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'
import { addDifference, addIssue, bringTo, setCount } from './migration-rows.ts'

let service: Service
let organisation: Organisation
let owner: string
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  owner = await organisation.token()
})
afterAll(() => service.close())
beforeEach(async () => {
  await sql`update runs set status = 'cancelled' where status = 'queued'`.execute(service.deps.database)
})

const post = (path: string, payload: object = {}, token = owner) =>
  service.inject({ method: 'POST', url: path, payload, headers: { authorization: `Bearer ${token}` } })
const read = async (path: string, token = owner) => (await service.get(path, token)).json()

async function aRun(mode = 'full'): Promise<string> {
  const answer = await post('/v2/migrations', { source: 'store1', destination: 'store2', mode, label: 'Spring copy' })
  return answer.json().requestId
}

const of = (id: string) => ({ organisationId: organisation.id, id })

test('the history of an item has nothing about another item with the same id in another store', async () => {
  const agency = await anOrganisation(service, { stores: ['store1', 'store2', 'store3'] })
  const token = await agency.token()
  const pair = { source: 'store1', destination: 'store3' }
  const { requestId } = (await post('/v2/migrations', pair, token)).json()
  const other = (await post('/v2/migrations', { ...pair, destination: 'store2' }, token)).json()
  const { database } = service.deps
  await mapItems(database, other.requestId, [{ sourceId: '12', destinationId: '130' }], requestId)
  await mapItems(database, requestId, [
    { sourceId: '12', destinationId: '145' },
    { sourceId: '27', destinationId: '130' },
  ])
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body)
    values (${agency.id}, ${requestId}, 'brands', '130', 'update', '{}')`.execute(database)
  await addDifference(database, { organisationId: agency.id, id: requestId }, { kind: 'extra', destinationId: '130' })
  const eventsOf = async (query: string) =>
    (await read(`/v2/items/history?component=brands&${query}`, token)).events.map(
      ({ event }: { event: string }) => event,
    )
  expect(await eventsOf('sourceId=12')).toEqual([])
  expect((await eventsOf('sourceId=27')).sort()).toEqual(['difference', 'overwritten'])
  expect((await eventsOf('destinationId=130')).sort()).toEqual(['difference', 'overwritten'])
})

test.each([
  [
    'reads',
    'mapping_sets',
    limits.longRequestsAtOnce,
    (id: string) => service.get(`/v2/migrations/${id}/mappings?text=lamp`, owner),
  ],
  // The others wait for the migration.
  ['changes', 'issues', 1, (id: string) => post(`/v2/migrations/${id}/issues/dismiss`, { text: 'lamp' })],
])('S25: %s that may go through a whole migration wait for those of their organisation, and nobody else waits for them', async (_, table, waiting, ask) => {
  const other = await (await anOrganisation(service)).token()
  const id = await aRun()
  const { database } = service.deps
  const reads = await database.transaction().execute(async (tx) => {
    // They begin, and none of them ends.
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    const begun = Array.from({ length: 12 }, () => ask(id))
    await sleep(500)
    const answer = await Promise.race([service.get('/v2/stores', other), sleep(2_000)])
    expect(answer?.statusCode).toBe(200)
    const { rows } = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query ~ 'from mapping_sets s|update issues'`.execute(tx)
    expect(rows).toEqual([{ waiting }])
    return begun
  })
  expect((await Promise.all(reads)).map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200))
})

describe('deletions', () => {
  const planned = (component: string, destinationId: string): DeletionToWrite => ({
    phase: component,
    component,
    destinationId,
    parentId: '',
    parentName: null,
    sourceId: null,
    above: null,
    item: { name: `Item ${destinationId}`, sku: null, path: null },
    reason: 'destination_only',
  })

  test('are found by text, in every state', async () => {
    const id = await aRun()
    const lantern = { ...planned('brands', '51'), item: { name: 'Lantern', sku: null, path: null } }
    const part = { ...planned('product-images', '5'), parentName: 'Lamp Orla' }
    await service.deps.database
      .transaction()
      .execute((tx) => saveDeletions(tx, of(id), 'brands', [lantern, part], 'planned'))
    const found = async (query: string) =>
      (await read(`/v2/migrations/${id}/deletions?${query}`)).items.map(
        ({ destinationId }: { destinationId: string }) => destinationId,
      )
    expect(await found('text=orla')).toEqual(['5'])
    expect(await found('text=LANT')).toEqual(['51'])
    expect(await found('text=51')).toEqual(['51'])
    // Part of an id is no id.
    expect(await found('text=5')).toEqual(['5'])
    expect(await found('state=kept&text=item')).toEqual([])
  })

  test('are counted by component and state', async () => {
    const id = await aRun()
    const rows = [planned('brands', '1'), planned('brands', '2'), planned('pages', '3')]
    await service.deps.database.transaction().execute(async (tx) => {
      await saveDeletions(tx, of(id), 'brands', rows, 'planned')
      await saveDeletions(tx, of(id), 'brands', [planned('brands', '4')], 'kept')
      await settleDeletions(tx, of(id), 'brands', ['1'], 'deleted')
    })
    expect(await read(`/v2/migrations/${id}/deletions/summary`)).toEqual({
      parts: [
        { component: 'brands', label: 'Brands', planned: 1, deleted: 1, kept: 1 },
        { component: 'pages', label: 'Pages', planned: 1, deleted: 0, kept: 0 },
      ],
    })
    expect(await read(`/v2/migrations/${await aRun()}/deletions/summary`)).toEqual({ parts: [] })
  })
})

describe('item pairs', () => {
  function map(
    id: string,
    made: string,
    pairs: [string, string, string | null, 'created' | 'adopted'][],
  ): Promise<void> {
    const items = pairs.map(([sourceId, destinationId, name, origin]) => ({ sourceId, destinationId, name, origin }))
    return mapItems(service.deps.database, id, items, made)
  }

  test('have names, and are found by name, SKU or either id, by origin, and by the migration that made them', async () => {
    const id = await aRun()
    await map(id, id, [
      ['11', '111', 'Lampé Ester', 'created'],
      ['12', '112', null, 'adopted'],
    ])
    await map(id, await aRun(), [['13', '113', 'Lamp Orla', 'created']])
    const found = async (query: string) =>
      (await read(`/v2/migrations/${id}/mappings?component=brands&${query}`)).items.map(
        ({ sourceId }: { sourceId: string }) => sourceId,
      )
    expect((await read(`/v2/migrations/${id}/mappings?text=ester`)).items).toEqual([
      {
        component: 'brands',
        storefronts: 'store',
        sourceId: '11',
        item: { name: 'Lampé Ester', sku: 'SKU-Lampé Ester' },
        destinationId: '111',
        origin: 'created',
        owed: [],
      },
    ])
    expect(await found('text=LAMP')).toEqual(['11', '13'])
    expect(await found('text=sku-lamp%20o')).toEqual(['13'])
    expect(await found('text=112')).toEqual(['12'])
    // Part of an id is no id: order 1 is not order 112.
    expect(await found('text=1')).toEqual([])
    expect(await found('origin=adopted')).toEqual(['12'])
    expect(await found('made=here')).toEqual(['11', '12'])
    expect(await found('made=here&origin=created&text=lamp')).toEqual(['11'])
    await sql`delete from mappings where ${mappingsWhere(sql`component = 'brands'`)}`.execute(service.deps.database)
  })

  test.each([
    ['a text that is too long', `text=${'x'.repeat(limits.textLength + 1)}`, 'text'],
    ['an unknown origin', 'origin=elsewhere', 'origin'],
    ['another maker', 'made=there', 'made'],
  ])('%s is refused by path', async (_what, query, path) => {
    const answer = await service.get(`/v2/migrations/${await aRun()}/mappings?${query}`, owner)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [path]])
    const longest = await service.get(
      `/v2/migrations/${await aRun()}/mappings?text=${'x'.repeat(limits.textLength)}`,
      owner,
    )
    expect(longest.statusCode).toBe(200)
  })
})

test('before-images are found by action, by name, SKU or parent, and by the whole id', async () => {
  const id = await aRun()
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed, item) values
      (${organisation.id}, ${id}, 'brands', '7', 'update', '{"name": "Acme"}', null, '{"name": "Acme", "sku": null, "parent": null}'),
      (${organisation.id}, ${id}, 'product-images', '77', 'delete', '{}', null, '{"name": null, "sku": null, "parent": "Acme lamp"}'),
      (${organisation.id}, ${id}, 'brands', '8', 'update', '{}', null, '{"name": "Bolt", "sku": "B-1", "parent": null}'),
      (${organisation.id}, ${id}, 'customers', '9', 'update', null, ${Buffer.from('sealed')}, null)`.execute(
    service.deps.database,
  )
  const found = async (query: string) =>
    (await read(`/v2/migrations/${id}/before-images?${query}`)).items.map(
      ({ destinationId }: { destinationId: string }) => destinationId,
    )
  expect(await found('text=acme')).toEqual(['7', '77'])
  expect(await found('text=b-1')).toEqual(['8'])
  expect(await found('text=7')).toEqual(['7'])
  expect(await found('action=delete')).toEqual(['77'])
  expect(await found('action=update&text=acme')).toEqual(['7'])
  expect(await found('component=brands&destinationId=8')).toEqual(['8'])
  const [personal] = (await read(`/v2/migrations/${id}/before-images?component=customers`)).items
  expect(personal).toMatchObject({ item: { name: null, sku: null, parentName: null }, body: null, isSealed: true })
})

describe('issues', () => {
  async function withIssues(): Promise<string> {
    const id = await aRun()
    const { database } = service.deps
    await addIssue(database, of(id), { sourceId: '1', name: 'Acme' })
    await addIssue(database, of(id), { sourceId: '2', name: 'Bolt' })
    await addIssue(database, of(id), { sourceId: '3', name: 'Cord', code: 'unexpected' })
    await addIssue(database, of(id), { sourceId: '4', severity: 'warning', code: 'source_gone' })
    await bringTo(service, organisation.id, id, 'partial_completed')
    return id
  }
  interface Group {
    key: string
    total: number
    example: { id: string }
  }
  const groups = async (id: string, query: string): Promise<[string, number][]> =>
    (await read(`/v2/migrations/${id}/issues/summary?${query}`)).groups.map(({ key, total }: Group) => [key, total])

  test('are counted by cause, and only those that match are', async () => {
    const id = await withIssues()
    expect(await groups(id, 'severity=failure&state=open')).toEqual([
      ['platform_refused', 2],
      ['unexpected', 1],
    ])
    expect(await groups(id, 'severity=warning')).toEqual([['source_gone', 1]])
    expect(await groups(id, 'severity=failure&text=bolt')).toEqual([['platform_refused', 1]])
    expect(await groups(id, 'component=pages')).toEqual([])
    expect(await groups(id, 'groupBy=component&code=platform_refused')).toEqual([['brands', 2]])
    expect(await groups(id, 'groupBy=state&phase=brands&severity=failure')).toEqual([['open', 3]])
    await post(`/v2/migrations/${id}/issues/dismiss`, { code: 'unexpected' })
    expect(await groups(id, 'state=dismissed')).toEqual([['unexpected', 1]])
    expect((await read(`/v2/migrations/${id}/issues/summary?groupBy=state`)).groups).toMatchObject([
      { key: 'open', total: 3, failures: 2, warnings: 1 },
      { key: 'dismissed', total: 1, failures: 1, warnings: 0 },
    ])
    expect((await service.get(`/v2/migrations/${id}/issues/summary?state=gone`, owner)).statusCode).toBe(422)
  })

  test('have the oldest open failure as the example of their group', async () => {
    const id = await aRun()
    const { database } = service.deps
    await addIssue(database, of(id), { sourceId: '1', severity: 'warning' })
    await addIssue(database, of(id), { sourceId: '2', code: 'unexpected' })
    await addIssue(database, of(id), { sourceId: '3' })
    await addIssue(database, of(id), { sourceId: '4' })
    await bringTo(service, organisation.id, id, 'partial_completed')
    await post(`/v2/migrations/${id}/issues/dismiss`, { code: 'unexpected' })
    const example = async (query: string) => {
      const { groups } = await read(`/v2/migrations/${id}/issues/summary?groupBy=phase&${query}`)
      return groups.map(({ example }: { example: { item: { sourceId: string } } }) => example.item.sourceId)
    }
    expect(await example('')).toEqual(['3'])
    expect(await example('state=dismissed')).toEqual(['2'])
    expect(await example('severity=warning')).toEqual(['1'])
  })

  test('are read one by one, within their migration only', async () => {
    const [id, other] = [await withIssues(), await withIssues()]
    const { groups: found } = await read(`/v2/migrations/${id}/issues/summary`)
    const issueId = found[0].example.id
    expect(await read(`/v2/migrations/${id}/issues/${issueId}`)).toMatchObject({ id: issueId, requestId: id })
    for (const path of [`${other}/issues/${issueId}`, `${id}/issues/${randomUUID()}`, `${id}/issues/x`])
      expect((await service.get(`/v2/migrations/${path}`, owner)).statusCode, path).toBe(404)
    const stranger = await (await anOrganisation(service)).token()
    expect((await service.get(`/v2/migrations/${id}/issues/${issueId}`, stranger)).statusCode).toBe(404)
  })

  test.each(['dismiss', 'reopen', 'retry'])('an empty text does not %s every issue', async (change) => {
    const id = await withIssues()
    if (change === 'reopen') await post(`/v2/migrations/${id}/issues/dismiss`, { severity: 'warning' })
    const before = await groups(id, 'groupBy=state')
    for (const text of ['', ' ']) {
      const refused = await post(`/v2/migrations/${id}/issues/${change}`, { text })
      expect([refused.statusCode, refused.json().errors]).toEqual([422, { text: ['Must not be empty.'] }])
    }
    expect(await groups(id, 'groupBy=state')).toEqual(before)
  })

  test(`S25: a reason has ${limits.reasonLength} characters at most, and is shown with what was accepted`, async () => {
    const id = await withIssues()
    const longest = 'r'.repeat(limits.reasonLength)
    const dismiss = (reason: string) => post(`/v2/migrations/${id}/issues/dismiss`, { code: 'unexpected', reason })
    for (const reason of ['', '  ', `${longest}r`]) {
      const refused = await dismiss(reason)
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['reason']])
    }
    expect((await dismiss(` ${longest} `)).json()).toEqual({ dismissed: 1 })
    const { items } = await read(`/v2/migrations/${id}/issues?state=dismissed`)
    expect(items).toMatchObject([{ code: 'unexpected', reason: longest }])
    const [open] = (await read(`/v2/migrations/${id}/issues?state=open&severity=failure`)).items
    const one = await post(`/v2/migrations/${id}/issues/${open.id}/dismiss`, { reason: 'We sell it no more.' })
    expect(one.json()).toMatchObject({ state: 'dismissed', reason: 'We sell it no more.' })
    // What was accepted keeps its first reason.
    const again = await post(`/v2/migrations/${id}/issues/${open.id}/dismiss`, { reason: 'Another.' })
    expect(again.json().reason).toBe('We sell it no more.')
  })

  const chosen = async (id: string) =>
    (
      await sql<{ source_id: string }>`
        select source_id from issues join runs on runs.id = run_id
        where run_id = ${id} and heal_chosen and chosen_round = heal_round order by source_id`.execute(
        service.deps.database,
      )
    ).rows.map(({ source_id: sourceId }) => sourceId)

  test.each([
    ['a cause', { code: 'platform_refused' }, ['1', '2']],
    ['a text', { text: 'cord' }, ['3']],
  ])('F4: %s names those that are tried again, in one request', async (_what, body, expected) => {
    const id = await withIssues()
    const answer = await post(`/v2/migrations/${id}/issues/retry`, body)
    expect([answer.statusCode, answer.json().status]).toEqual([202, 'queued'])
    expect(await chosen(id)).toEqual(expected)
  })

  test('F4: a retry without a choice, of nothing, or of a migration that has not ended is refused', async () => {
    const id = await withIssues()
    const [first] = (await read(`/v2/migrations/${id}/issues`)).items
    expect((await post(`/v2/migrations/${id}/issues/retry`)).statusCode).toBe(422)
    const none = await post(`/v2/migrations/${id}/issues/retry`, { text: 'in none of them' })
    expect([none.statusCode, none.json().error]).toEqual([409, 'invalid_transition'])
    const viewer = await organisation.token('viewer')
    expect((await post(`/v2/migrations/${id}/issues/retry`, { ids: [first.id] }, viewer)).statusCode).toBe(403)
    const stranger = await (await anOrganisation(service)).token()
    expect((await post(`/v2/migrations/${id}/issues/retry`, { ids: [first.id] }, stranger)).statusCode).toBe(404)
    expect(await chosen(id)).toEqual([])
    const operator = await organisation.token('operator')
    expect((await post(`/v2/migrations/${id}/issues/retry`, { ids: [first.id] }, operator)).statusCode).toBe(202)
    expect(await chosen(id)).toEqual(['1'])
    expect((await post(`/v2/migrations/${id}/issues/retry`, { ids: [first.id] })).statusCode).toBe(409)
  })

  test('F4: healing all again after some were chosen is not limited to those', async () => {
    const id = await withIssues()
    await post(`/v2/migrations/${id}/issues/retry`, { code: 'unexpected' })
    await bringTo(service, organisation.id, id, 'partial_completed')
    expect((await post(`/v2/migrations/${id}/heal`)).statusCode).toBe(202)
    expect(await chosen(id)).toEqual([])
  })
})

describe('a phase or component that a migration does not have is refused with those it has, and not answered with nothing', () => {
  const has: Record<string, string> = { phase: 'brands', component: 'brands, brand-metafields' }
  const saysOf = (name: string, said: object) =>
    expect(said).toMatchObject({
      error: 'validation_failed',
      errors: { [name]: [`No such ${name}; this migration has ${has[name]}.`] },
    })
  async function aRunOfBrands(mode = 'full'): Promise<string> {
    const body = { source: 'store1', destination: 'store2', mode, entities: ['brands'] }
    return (await post('/v2/migrations', body)).json().requestId
  }

  test.each([
    ['issues', ['phase', 'component']],
    ['issues.csv', ['phase', 'component']],
    ['issues/summary', ['phase', 'component']],
    ['differences', ['phase', 'component']],
    ['differences.csv', ['phase', 'component']],
    ['mappings', ['component']],
    ['mappings.csv', ['component']],
    ['deletions', ['component']],
    ['before-images', ['component']],
  ])('%s', async (list, names) => {
    const id = await aRunOfBrands()
    for (const name of names) {
      const answer = await service.get(`/v2/migrations/${id}/${list}?${name}=brand`, owner)
      expect(answer.statusCode).toBe(422)
      saysOf(name, answer.json())
      expect((await service.get(`/v2/migrations/${id}/${list}?${name}=brands`, owner)).statusCode).toBe(200)
    }
  })

  test.each([
    'issues/dismiss',
    'issues/reopen',
    'issues/retry',
    'differences/dismiss',
    'differences/reopen',
  ])('%s', async (change) => {
    const id = await aRunOfBrands(change.startsWith('d') ? 'verify' : 'full')
    await bringTo(service, organisation.id, id, 'partial_completed')
    for (const name of ['phase', 'component']) {
      const answer = await post(`/v2/migrations/${id}/${change}`, { [name]: 'brand' })
      expect(answer.statusCode).toBe(422)
      saysOf(name, answer.json())
    }
  })

  test.each(['issues', 'issues/counts'])('%s of all migrations', async (list) => {
    const answer = await service.get(`/v2/${list}?phase=brand`, owner)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.phase).toEqual([
      expect.stringContaining('No such phase; this version has currencies, '),
    ])
    expect((await service.get(`/v2/${list}?phase=banners`, owner)).statusCode).toBe(200)
  })
})

test('differences are found by text, and with or without those of values that the shop changes itself', async () => {
  const id = await aRun('verify')
  const { database } = service.deps
  await addDifference(database, of(id), { kind: 'different', sourceId: '1', destinationId: '21' })
  await addDifference(database, of(id), { kind: 'different', sourceId: '2', destinationId: '22', living: true })
  const found = async (query: string) =>
    (await read(`/v2/migrations/${id}/differences?${query}`)).items.map(
      ({ item }: { item: { sourceId: string } }) => item.sourceId,
    )
  expect(await found('living=without')).toEqual(['1'])
  expect(await found('living=only')).toEqual(['2'])
  expect(await found('text=ACM')).toEqual(['1', '2'])
  expect(await found('text=22')).toEqual(['2'])
  expect(await found('text=nothing')).toEqual([])
  expect(await read(`/v2/migrations/${id}/differences/summary`)).toMatchObject({
    counts: [{ phase: 'brands', kind: 'different', count: 2, living: 1 }],
  })
})

test('a copy is not counted as a comparison that found nothing different', async () => {
  const [copy, comparison] = [await aRun(), await aRun('verify')]
  for (const id of [copy, comparison]) {
    await setCount(service.deps.database, id, 'brands', { discovered: 9, matched: 9 })
    await bringTo(service, organisation.id, id, 'completed')
  }
  const counted = (id: string) => read(`/v2/migrations/${id}/differences/summary`)
  expect(await counted(copy)).toMatchObject({ mode: 'full', compared: 0, matched: 0, counts: [] })
  expect(await counted(comparison)).toMatchObject({ mode: 'verify', compared: 9, matched: 9, counts: [] })
})

test('the timeline names the person behind each control, and nobody for what the service did', async () => {
  const id = await aRun()
  await post(`/v2/migrations/${id}/pause`)
  await bringTo(service, organisation.id, id, 'completed')
  const { events } = await read(`/v2/migrations/${id}/timeline`)
  // The clock of the test and that of the database are not the same, so the order says nothing here.
  const by = Object.fromEntries(events.map((one: { event: string; by: string | null }) => [one.event, one.by]))
  expect(by).toEqual({ created: 'Ada Lovelace', asked_to_pause: 'Ada Lovelace', started: null })
})

describe('sign-off', () => {
  /** A copy that ended, and a comparison begun before or after that. */
  async function aCopy(comparedSeconds: number): Promise<{ id: string; comparison: string }> {
    const [id, comparison] = [await aRun(), await aRun('verify')]
    await bringTo(service, organisation.id, id, 'partial_completed')
    await bringTo(service, organisation.id, comparison, 'completed')
    await sql`update runs set finished_at = now() where id = ${id}`.execute(service.deps.database)
    await sql`
      update runs set verifies_run_id = ${id}, created_at = now() + make_interval(secs => ${comparedSeconds})
      where id = ${comparison}`.execute(service.deps.database)
    return { id, comparison }
  }

  test('a copy is signed on its latest comparison, with the name, a note and the time, and this is audited', async () => {
    const { id, comparison } = await aCopy(1)
    expect((await read(`/v2/migrations/${id}/request`)).comparison).toMatchObject({
      requestId: comparison,
      isCurrent: true,
    })
    const operator = await organisation.token('operator')
    const answer = await post(`/v2/migrations/${id}/sign-off`, { comparison, note: 'Checked by hand, too.' }, operator)
    expect(answer.statusCode, answer.body).toBe(201)
    const signed = {
      id: expect.any(String),
      comparison,
      signedBy: 'Ada Lovelace',
      note: 'Checked by hand, too.',
      at: service.clock.now().toISOString(),
      isCurrent: true,
    }
    expect(answer.json()).toEqual(signed)
    await post(`/v2/migrations/${id}/sign-off`, { comparison })
    expect((await read(`/v2/migrations/${id}/sign-off`)).items).toEqual([
      { ...signed, id: expect.any(String), note: null },
      signed,
    ])
    const { rows } = await sql`
      select from audit where action = 'migration.sign-off' and details ->> 'runId' = ${id}`.execute(
      service.deps.database,
    )
    expect(rows).toHaveLength(2)
  })

  test('S2: the id of a sign-off is the same wherever it is shown, and no number of all that there are', async () => {
    const { id, comparison } = await aCopy(1)
    const signed = (await post(`/v2/migrations/${id}/sign-off`, { comparison })).json()
    expect((await read(`/v2/migrations/${id}/sign-off`)).items[0].id).toBe(signed.id)
    expect(signed.id).not.toMatch(/^\d+$/)
  })

  test('a sign-off is no longer current once the copy went on', async () => {
    const { id, comparison } = await aCopy(1)
    await post(`/v2/migrations/${id}/sign-off`, { comparison })
    await sql`update runs set finished_at = now() + interval '1 minute' where id = ${id}`.execute(service.deps.database)
    expect((await read(`/v2/migrations/${id}/sign-off`)).items).toMatchObject([{ isCurrent: false }])
    expect((await read(`/v2/migrations/${id}/request`)).comparison).toMatchObject({ isCurrent: false })
  })

  test('nothing is signed without a comparison that is newer than the copy, on another one, or while it runs', async () => {
    const { id, comparison } = await aCopy(-1)
    const sign = (run: string, body: object, token = owner) => post(`/v2/migrations/${run}/sign-off`, body, token)
    const old = await sign(id, { comparison })
    expect([old.statusCode, old.json().message]).toEqual([409, expect.stringContaining('Compare the two stores first')])
    const fresh = await aCopy(1)
    expect((await sign(fresh.id, { comparison })).json().errors).toEqual({
      comparison: [expect.stringContaining(fresh.comparison)],
    })
    expect((await sign(fresh.comparison, { comparison })).statusCode).toBe(409)
    expect((await sign(await aRun(), { comparison })).statusCode).toBe(409)
    for (const note of ['', 'n'.repeat(limits.reasonLength + 1)])
      expect(Object.keys((await sign(fresh.id, { comparison, note })).json().errors)).toEqual(['note'])
    expect(
      (await sign(fresh.id, { comparison: fresh.comparison }, await organisation.token('viewer'))).statusCode,
    ).toBe(403)
    const stranger = await (await anOrganisation(service)).token()
    expect((await sign(fresh.id, { comparison: fresh.comparison }, stranger)).statusCode).toBe(404)
    expect((await read(`/v2/migrations/${fresh.id}/sign-off`)).items).toEqual([])
  })
})
