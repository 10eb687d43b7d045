import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conflictStrategies, modes } from '../../src/contract/modes.ts'
import { migrationStatuses } from '../../src/contract/status.ts'
import { defaultCounts } from '../../src/model/forecast/forecast.ts'
import { anOrganisation } from '../api/a-service.ts'
import { addIssue, bringTo, setCount } from '../api/migration-rows.ts'
import { callStore } from '../engine/call-store.ts'
import { pageOf, widgetsOf } from '../engine/content.ts'
import { until } from '../harness/until.ts'
import { aWorld, startWorld, type World } from '../harness/world.ts'
import { aMerchant, type Merchant, pair, storeToken } from './a-merchant.ts'

type Fields = Record<string, unknown>

/** For what a service says that works on no runs. */
let merchant: Merchant
/** For what runs do. Nothing changes it. */
let world: World
/** Of a finished copy of brands and products, and of one of picked page templates; and what a forecast says that creates nothing. */
let detail: Fields
let ofPages: Fields
let forecast: Fields
beforeAll(async () => {
  merchant = await aMerchant()
  world = await startWorld()
  detail = { ...(await world.complete({ entities: ['brands', 'products'] })) }
  ofPages = { ...(await world.complete(pagesWithGlobals)) }
  const stores = { source: world.address('source').hash, destination: world.address('destination').hash }
  forecast = (await world.api<Fields>('POST', '/v2/forecast', { ...stores, conflictStrategy: 'update' })).body
})
afterAll(async () => {
  await world?.stop()
  await merchant?.close()
})

const pagesWithGlobals = { selection: { pageTemplates: [{ file: 'pages/home', globals: true }] } }

async function aRun(body: object): Promise<string> {
  const created = await merchant.post('/v2/migrations', { ...pair, ...body })
  expect(created.statusCode, created.body).toBe(202)
  return created.json().requestId
}

const writesTo = async ({ requests }: World) =>
  (await requests('destination'))
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)

const first = (list: unknown) => (list as Fields[])[0] ?? {}

const migrationDetailRows = [
  'requestId | string | the migration request id',
  'platform | string | enum: `BC`',
  'source | StoreRef | source store',
  'destination | StoreRef | destination store',
  'status | MigrationStatus | see States and transitions',
  'autoHeal | boolean',
  'mode | string | enum: `full`, `dry-run`, `verify`, `counts`',
  'conflictStrategy | string | enum: `skip`, `update`, `replace`',
  'timestamps | object | `created`, `started`, `updated`, each string, format date-time',
  'progress | object | see below',
  'counters | object | see below',
  'phases | array of PhaseResult',
  'summaryLine | string',
  'failuresOpen | integer | items still needing review',
  'pageTemplates | object | present only on selective page-template runs; see below',
  'forecast | Forecast or null',
  'selective | boolean',
  'sourceStorefront | string or null',
  'destStorefront | string or null',
]

const progressRows = [
  'phase | string | entity phase currently running',
  'done | integer',
  'discovered | integer',
  'percent | number',
  'ratePerSec | number',
  'etaSeconds | integer | remaining seconds for the current phase',
]

const pageTemplatesRows = [
  'picked | array of string | picked template files, path-like names',
  'globalsRequested | boolean | whether any pick opted in to global widget content',
]

const storeRefRows = ['hash | string (store hash used on all migration endpoints)', 'label | string']

const phaseResultRows = [
  'key | string',
  'label | string',
  'created | integer',
  'updated | integer',
  'matched | integer',
  'failed | integer',
  'pruned | integer',
  'total | integer',
  'components | array of ComponentResult',
]

const componentResultRows = [
  'key | string',
  'label | string',
  'discovered | integer',
  'success | integer',
  'failed | integer',
  'errors | integer or null',
  'total | integer',
]

const forecastRows = [
  'products, variants, brands, categories | integer',
  'counts | object, string to integer | per-entity counts the estimate was priced from, scoped by `selection` when supplied',
  'estimated | array of string | count keys that are sampled estimates, not exact totals',
  'memMB | integer | memory the run is given, MiB',
  'cpus | number | CPUs the run is given',
  'etaSeconds | integer | estimated total wall-clock for the run',
  'etaBreakdown | object, string to number | per-phase seconds',
  'etaAssumedRttMs | number | blended latency assumed',
  'etaAssumedMs | object | `read`, `write`, `heavy`, each number: per-operation-class latencies assumed',
  'strategy | string | enum `skip`, `update`, `replace`; strategy the ETA was priced with; absent means create-only',
  'destProducts | integer | destination catalogue size at kickoff; absent or `0` when the destination was unknown',
  'tier | string | enum `small`, `medium`, `large`, `xlarge`, `xxlarge`, `xxxlarge`; capacity band',
  'at | string, date-time',
]

/** What a type of the specification admits. */
const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  'string, date-time': (value) => typeof value === 'string' && new Date(value).toISOString() === value,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  object: isObject,
  'object, string to integer': (value) => isObject(value) && Object.values(value as Fields).every(Number.isInteger),
  'object, string to number': (value) => isObject(value) && Object.values(value as Fields).every(Number.isFinite),
  'array of string': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'array of PhaseResult': isListOfKeys,
  'array of ComponentResult': isListOfKeys,
  'string or null': (value) => value === null || typeof value === 'string',
  'integer or null': (value) => value === null || Number.isInteger(value),
  'Forecast or null': (value) => value === null || isObject(value),
  MigrationStatus: (value) => migrationStatuses.some((status) => status === value),
  StoreRef: (value) =>
    Object.keys(value as Fields)
      .sort()
      .join() === 'hash,label',
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOfKeys(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(({ key, label }) => key !== '' && label !== '')
}

/** Holds a value that the service gave to a row: the names are there, of the type, and among what an `enum` lists. */
function expectRow(row: string, given: Fields): void {
  const [names = '', said = '', notes = ''] = row.split(' | ')
  const type = said.replace(/ \(.*\)$/, '')
  for (const name of names.split(', ')) {
    expect(given, row).toHaveProperty(name)
    expect(types[type]?.(given[name]), `${name} is ${JSON.stringify(given[name])}`).toBe(true)
    const [, listed] = /enum:? ((`[\w-]+`(, )?)+)/.exec(notes) ?? []
    if (listed !== undefined) expect(listed.match(/[\w-]+/g)).toContain(given[name])
  }
}

describe('MigrationDetail', () => {
  test.each(migrationDetailRows)('%s', (row) => {
    expectRow(row, row.startsWith('pageTemplates') ? ofPages : detail)
    if (row.startsWith('pageTemplates')) expect(detail).not.toHaveProperty('pageTemplates')
    if (row.startsWith('timestamps')) {
      const { created, updated } = detail.timestamps as Fields
      for (const time of [created, updated]) expect(types['string, date-time']?.(time)).toBe(true)
    }
  })

  test('has no field beyond those', () => {
    const named = migrationDetailRows.map((row) => row.split(' | ')[0])
    expect(named).toEqual(expect.arrayContaining([...Object.keys(detail), ...Object.keys(ofPages)]))
  })

  test('offers what the enums name', () => {
    expect([...modes].sort()).toEqual(['counts', 'dry-run', 'full', 'verify'])
    expect([...conflictStrategies].sort()).toEqual(['replace', 'skip', 'update'])
  })

  test.each(progressRows)('%s', (row) => expectRow(row, detail.progress as Fields))

  test('`counters` fields (all integer): `done`, `inProgress`, `failed`, `skipped`, `cancelled`, `exceptions`, `warnings`.', () => {
    const names = ['cancelled', 'done', 'exceptions', 'failed', 'inProgress', 'skipped', 'warnings']
    expect(Object.keys(detail.counters as Fields).sort()).toEqual(names)
    expect(Object.values(detail.counters as Fields).every(Number.isInteger)).toBe(true)
  })

  test('Warnings are non-blocking issues and do not fail the run.', async () => {
    const { service, organisation } = merchant
    const id = await aRun({ entities: ['brands'] })
    await setCount(service.deps.database, id, 'brands', { discovered: 1, created: 1, warnings: 1 })
    await addIssue(
      service.deps.database,
      { organisationId: organisation.id, id },
      { sourceId: '1', severity: 'warning' },
    )
    await bringTo(service, organisation.id, id, 'completed')
    const { status, failuresOpen, counters } = (await merchant.get(`/v2/migrations/${id}`)).json()
    expect({ status, failuresOpen, warnings: counters.warnings }).toEqual({
      status: 'completed',
      failuresOpen: 0,
      warnings: 1,
    })
  })

  test.each(pageTemplatesRows)('%s', (row) => expectRow(row, ofPages.pageTemplates as Fields))

  test('overallEtaSeconds | integer | remaining seconds for the whole run, calibrated against observed latency as the run proceeds', async () => {
    const id = await aRun({ entities: ['brands', 'products'] })
    const eta = async () => {
      const read = await merchant.get(`/v2/migrations/${id}`)
      expect(read.statusCode, read.body).toBe(200)
      return read.json().progress.overallEtaSeconds
    }
    const { database } = merchant.service.deps
    await until('it is priced', async () => (await merchant.get(`/v2/migrations/${id}`)).json().forecast !== null)
    await bringTo(merchant.service, merchant.organisation.id, id, 'in_progress')
    await setCount(database, id, 'brands', { expected: 10, discovered: 10, created: 10 })
    const predicted = { etaSeconds: 1_100, etaBreakdown: { brands: 100, products: 1_000 } }
    const worked = (seconds: number) =>
      sql`
      update runs set phase = 'products', forecast = (forecast::jsonb || ${JSON.stringify(predicted)}::jsonb)::json, admitted_at = now(),
        worked_ms = ${seconds * 1000}, progress_samples = ${JSON.stringify([[seconds * 1000 - 40_000, 10]])}::jsonb where id = ${id}`.execute(
        database,
      )
    // The brands took as long as predicted, three times as long, half as long; no product has been copied yet.
    await worked(100)
    expect(await eta()).toBeCloseTo(1_000, -1)
    await worked(300)
    expect(await eta()).toBeCloseTo(3_000, -2)
    await worked(50)
    expect(await eta()).toBeCloseTo(500, -1)
  })

  test('lastProgressAt | string, date-time', async () => {
    const own = await aWorld({ entities: ['brands'] })
    const startedMs = Date.now()
    const copy = await own.complete()
    const { lastProgressAt } = copy.progress
    expect(types['string, date-time']?.(lastProgressAt)).toBe(true)
    // Not before the last brand was written, and not after the run ended.
    const written = (await own.requests('destination', 'POST')).map(({ at }) => Date.parse(at))
    expect(Date.parse(lastProgressAt)).toBeGreaterThanOrEqual(Math.max(startedMs, ...written))
    expect(Date.parse(lastProgressAt)).toBeLessThanOrEqual(Date.parse(copy.timestamps.updated))
  })

  test('globalContextsPublished | integer | channel global contexts actually migrated; `0` together with `globalsRequested` true means requested but empty or failed', async () => {
    const published = (run: Fields) => (run.pageTemplates as Fields).globalContextsPublished
    expect((await world.state('source')).global_contexts).toHaveLength(1)
    expect((await world.state('destination')).global_contexts).toHaveLength(1)
    expect(published(ofPages)).toBe(1)
    const failing = await aWorld({ entities: ['page-widgets'] })
    await failing.fault('destination', {
      kind: 'error_before_applying',
      status: 422,
      path: '/v3/content/page-widgets',
      method: 'POST',
      times: null,
    })
    const failed = await failing.complete(pagesWithGlobals)
    expect(failed.pageTemplates).toMatchObject({ globalsRequested: true, globalContextsPublished: 0 })
    expect((await failing.state('destination')).global_contexts ?? []).toEqual([])
    const empty = await aWorld({ seeds: { source: 'empty' } })
    expect((await empty.complete(pagesWithGlobals)).pageTemplates).toMatchObject({
      globalsRequested: true,
      globalContextsPublished: 0,
    })
  })
})

describe('StoreRef', () => {
  test.each(storeRefRows)('%s', (row) => {
    expectRow(row, detail.source as Fields)
    expectRow(row, detail.destination as Fields)
    const hashes = [world.address('source').hash, world.address('destination').hash]
    expect([detail.source, detail.destination]).toMatchObject(hashes.map((hash) => ({ hash })))
  })
})

describe('PhaseResult', () => {
  test.each(phaseResultRows)('%s', (row) => expectRow(row, first(detail.phases)))

  test('skipped | integer', async () => {
    const own = await aWorld({ entities: ['brands'] })
    const brands = (await own.state('source')).brands ?? []
    const theirs = { name: String(brands[0]?.name), page_title: 'Written by the merchant' }
    await callStore(own, 'destination', 'POST', '/v3/catalog/brands', theirs)
    await own.resetRequests('destination')
    const copy = await own.complete()
    expect(first(copy.phases)).toMatchObject({ skipped: 1, created: brands.length - 1, updated: 0, matched: 0 })
    expect((await own.state('destination')).brands).toContainEqual(expect.objectContaining(theirs))
  })

  test('matched | integer | already in sync with the source: examined, no write needed', async () => {
    const own = await aWorld({ entities: ['brands'] })
    const total = (await own.state('source')).brands?.length ?? 0
    await own.complete()
    await own.resetRequests('destination')
    const again = await own.complete({ conflictStrategy: 'update' })
    expect(first(again.phases)).toMatchObject({ matched: total, updated: 0, created: 0, skipped: 0 })
    expect(await writesTo(own)).toEqual([])
    const [brand] = (await own.state('destination')).brands ?? []
    await own.change('destination', {
      op: 'set',
      table: 'brands',
      id: brand?.id ?? 0,
      fields: { page_title: 'Edited' },
    })
    const repaired = await own.complete({ conflictStrategy: 'update' })
    expect(first(repaired.phases)).toMatchObject({ matched: total - 1, updated: 1 })
  })

  test('matched and skipped, under skip: only what was compared in this run counts as matched', async () => {
    const own = await aWorld({ entities: ['brands', 'products'] })
    await own.complete()
    const [brand] = (await own.state('destination')).brands ?? []
    const edit = { op: 'set' as const, table: 'brands', id: brand?.id ?? 0 }
    await own.change('destination', { ...edit, fields: { page_title: 'Edited' } })
    await own.resetRequests('destination')
    const again = await own.complete()
    const componentOf = (key: string) =>
      again.phases.flatMap(({ components }) => components).find((component) => component.key === key)
    const total = componentOf('brands')?.total ?? 0
    expect(componentOf('brands')).toMatchObject({ matched: total - 1, skipped: 1, success: 0 })
    // The list of products is read for what recognises them, and shows little else.
    const products = componentOf('products')
    expect(products).toMatchObject({ matched: 0, skipped: products?.total, success: 0 })
    expect(await writesTo(own)).toEqual([])
  })
})

describe('ComponentResult', () => {
  test.each(componentResultRows)('%s', (row) => expectRow(row, first(first(detail.phases).components)))

  test('widgets | integer | page widgets only: widget nodes landed on the destination', async () => {
    const pages = ['channel_id=1&template_file=pages/home', 'channel_id=1']
    const landed = await Promise.all(pages.map((query) => pageOf(world, 'destination', query)))
    const nodes = landed.flatMap(widgetsOf).length
    // Those of the page and those that all pages of the channel show are two components.
    const components = (ofPages.phases as { components: Fields[] }[]).flatMap((phase) => phase.components)
    const counted = components.reduce((sum, { widgets = 0 }) => sum + Number(widgets), 0)
    expect(nodes).toBeGreaterThan(1)
    expect(counted).toBe(nodes)
    expect(JSON.stringify(detail.phases)).not.toContain('"widgets"')
  })

  test('pruned | integer | destination-only items deleted under `replace`', async () => {
    const own = await aWorld({ entities: ['brands'] })
    await own.complete()
    const copied = (await own.state('destination')).brands
    await callStore(own, 'destination', 'POST', '/v3/catalog/brands', { name: 'Only There Goods' })
    const brands = ({ phases }: { phases: unknown }) => first(first(phases).components)
    expect(brands(await own.complete({ conflictStrategy: 'update' }))).toMatchObject({ pruned: 0 })
    const replace = { conflictStrategy: 'replace', pruneLimitPercent: 100 }
    expect(brands(await own.complete(replace))).toMatchObject({ pruned: 1 })
    expect((await own.state('destination')).brands).toEqual(copied)
  })
})

describe('Forecast', () => {
  test.each(forecastRows)('%s', (row) => {
    expectRow(row, forecast)
    if (!row.startsWith('strategy')) expectRow(row, detail.forecast as Fields)
  })

  test('each of the latencies that were assumed is a number', () => {
    const { read, write, heavy } = forecast.etaAssumedMs as Fields
    for (const latency of [read, write, heavy]) expect(latency).toBeGreaterThan(0)
  })

  test("ETA follows the run's real scope (picks, strategy, order statuses).", async () => {
    const [brand] = merchant.sandbox.store('From').table('brands').find({})
    const whole = (await merchant.post('/v2/forecast', { ...pair, entities: ['brands', 'products'] })).json()
    const picked = (
      await merchant.post('/v2/forecast', { ...pair, selection: { brands: { ids: [String(brand?.id)] } } })
    ).json()
    expect(picked.counts).toMatchObject({ brands: 1 })
    expect(whole.counts.brands).toBeGreaterThan(1)
    expect(Object.keys(picked.etaBreakdown)).toEqual(['brands'])
    expect(picked.etaSeconds).toBeLessThanOrEqual(whole.etaSeconds)
  })

  test('Memory is pinned to store scale, not to the picked subset, because the working set does not shrink with a small pick.', async () => {
    const { service, sandbox } = merchant
    const token = await (
      await anOrganisation(service, { stores: [pair.source, 'large1', pair.destination], storeToken })
    ).token()
    const memoryOf = async (source: string, body: object) => {
      const headers = { authorization: `Bearer ${token}` }
      const payload = { ...pair, source, ...body }
      const { memMB, cpus, tier } = (
        await merchant.ask({ method: 'POST', url: '/v2/forecast', headers, payload })
      ).json()
      return { memMB, cpus, tier }
    }
    const one = (store: string) => {
      const [brand] = sandbox.store(store).table('brands').find({})
      return { selection: { brands: { ids: [String(brand?.id)] } } }
    }
    const ofSmall = await memoryOf(pair.source, {})
    expect(await memoryOf(pair.source, one('From'))).toEqual(ofSmall)
    const large = sandbox.store('Large')
    const [product] = large.table('products').find({})
    const enough = 30_000
    large.load(
      'products',
      Array.from({ length: enough }, (_, n) => ({ ...product, id: 1_000_000 + n })),
    )
    const ofLarge = await memoryOf('large1', { entities: ['brands', 'products'] })
    expect(await memoryOf('large1', one('Large'))).toEqual(ofLarge)
    expect(ofLarge.memMB).toBeGreaterThan(ofSmall.memMB)
    expect(ofLarge.tier).not.toBe(ofSmall.tier)
  })

  test('basis | string | enum `forecast`, `fallback`, `fix`; `fallback` means counts were unavailable and defaults were used', async () => {
    const own = await aWorld({ entities: ['brands'] })
    const stores = { source: own.address('source').hash, destination: own.address('destination').hash }
    const counted = (await own.api<Fields>('POST', '/v2/forecast', stores)).body
    expect(counted).toMatchObject({ basis: 'forecast', products: (await own.state('source')).products?.length })
    const [brand] = (await own.state('source')).brands ?? []
    const refused = { kind: 'error_before_applying' as const, status: 422, method: 'POST', path: '/v3/catalog/brands$' }
    await own.fault('destination', { ...refused, body: `"name":"${brand?.name}"`, times: null })
    const { requestId, forecast: before } = await own.complete({ autoHeal: false })
    await own.clearFaults('destination')
    const tried = (await own.api<{ forecast: Fields }>('POST', `/v2/migrations/${requestId}/heal`)).body.forecast
    expect(tried).toMatchObject({ basis: 'fix', counts: { brands: 1 }, memMB: before?.memMB, tier: before?.tier })
    expect(await own.finished(requestId)).toMatchObject({ status: 'completed', forecast: tried })
    await own.token('source', { action: 'revoke' })
    const guessed = (await own.api<Fields>('POST', '/v2/forecast', stores)).body
    expect(guessed).toMatchObject({ basis: 'fallback', products: defaultCounts.products })
    expect(guessed.fallbackReason).toMatch(/^The source store \w+ does not accept its API token: connect it again/)
    expect(counted.fallbackReason).toBeNull()
    expect(guessed.etaSeconds).toBeGreaterThan(0)
  })
})

describe('Error body', () => {
  test('error | string | machine-readable error code', async () => {
    expect((await merchant.get('/v2/migrations/nowhere')).json().error).toBe('not_found')
  })

  test('message | string | human-readable explanation', async () => {
    expect((await merchant.get('/v2/migrations/nowhere')).json().message).toMatch(/^[A-Z].*\.$/)
  })

  test("status | integer | present on `platform_error` (the code name carries the upstream commerce platform's brand in the original interface): the status the upstream platform returned", async () => {
    const other = await anOrganisation(merchant.service, { stores: [pair.source], storeToken: 'revoked' })
    const refused = await merchant.service.get(`/v2/stores/${pair.source}/storefronts`, await other.token())
    expect(refused.json()).toMatchObject({ error: 'platform_error', status: 401 })
  })

  test('errors | object | present on validation failures: field-level messages', async () => {
    const refused = await merchant.post('/v2/migrations', { ...pair, mode: 'sideways', autoHeal: 'yes' })
    expect(refused.statusCode).toBe(422)
    expect(Object.keys(refused.json().errors).sort()).toEqual(['autoHeal', 'mode'])
  })
})

describe('Organisation API credential', () => {
  const at = (id: string) => `/admin/api/organisations/${id}/credential`
  const listed = async (name: string) =>
    (await merchant.administrator.get(`/admin/api/organisations?text=${encodeURIComponent(name)}`)).json().items[0]

  test('client_id | permanent per organisation; begins with a fixed prefix, then generated characters', async () => {
    const { id, identity } = await anOrganisation(merchant.service)
    expect(identity.client_id).toMatch(/^sfc_[\w-]{20}$/)
    const rotated = (await merchant.administrator.send('POST', `${at(id)}/rotate`)).json()
    await merchant.administrator.send('POST', `${at(id)}/disable`)
    const issued = (await merchant.administrator.send('POST', at(id))).json()
    expect([rotated.clientId, issued.clientId]).toEqual([identity.client_id, identity.client_id])
  })

  test('client_secret | random; regenerated on every issue or rotate; shown exactly once at issue time; only a hash is stored, so it can never be retrieved', async () => {
    const { id, identity } = await anOrganisation(merchant.service)
    const secrets = [identity.client_secret]
    secrets.push((await merchant.administrator.send('POST', `${at(id)}/rotate`)).json().clientSecret)
    await merchant.administrator.send('POST', `${at(id)}/disable`)
    secrets.push((await merchant.administrator.send('POST', at(id))).json().clientSecret)
    expect(new Set(secrets).size).toBe(3)
    const said = JSON.stringify(await listed(identity.organization_name))
    for (const secret of secrets) expect(said).not.toContain(secret)
  })

  test('secret version | integer; increments on every rotate or disable', async () => {
    const { id } = await anOrganisation(merchant.service)
    expect((await merchant.administrator.send('POST', `${at(id)}/rotate`)).json().version).toBe(2)
    expect((await merchant.administrator.send('POST', `${at(id)}/disable`)).json().version).toBe(3)
  })

  test('state | enabled or disabled', async () => {
    const { id, identity } = await anOrganisation(merchant.service)
    expect((await listed(identity.organization_name)).credential.state).toBe('enabled')
    await merchant.administrator.send('POST', `${at(id)}/disable`)
    expect((await listed(identity.organization_name)).credential.state).toBe('disabled')
  })

  test('audit | every issue, rotate, disable records the acting admin and a timestamp', async () => {
    const { id } = await anOrganisation(merchant.service)
    for (const change of ['/rotate', '/disable', '']) await merchant.administrator.send('POST', `${at(id)}${change}`)
    const { items } = (await merchant.administrator.get(`/admin/api/audit?organisation=${id}`)).json()
    const changes = items.filter(({ actor }: { actor: string }) => actor === 'administrator')
    expect(changes.map(({ action }: { action: string }) => action)).toEqual([
      'credential.issue',
      'credential.disable',
      'credential.rotate',
    ])
    for (const { user, at: time } of changes) {
      expect(user.name).toBe('Grace Hopper')
      expect(types['string, date-time']?.(time)).toBe(true)
    }
  })
})

describe('Login response', () => {
  test("Contains the organisation's connected stores (with the store hashes used on all migration endpoints), `access_token`, and its expiry.", async () => {
    const { stores, access_token, expires_in } = (await merchant.service.login(merchant.organisation.identity)).json()
    const [source, destination] = stores.map(({ hash }: { hash: string }) => hash).sort()
    const headers = { authorization: `Bearer ${access_token}` }
    const made = await merchant.ask({
      method: 'POST',
      url: '/v2/migrations',
      headers,
      payload: { source, destination, mode: 'counts' },
    })
    expect(made.statusCode).toBe(202)
    expect(expires_in).toBeGreaterThan(0)
  })
})
