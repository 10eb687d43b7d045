import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { systemClock } from '../../src/clock.ts'
import { type Forecast, forecast as forecastShape } from '../../src/contract/migration.ts'
import { findStore } from '../../src/db/accounts/stores.ts'
import { queuedRuns } from '../../src/db/runs/admission.ts'
import { findCorrection, saveForecast } from '../../src/db/runs/forecasts.ts'
import { readRunCalls } from '../../src/db/runs/run-calls.ts'
import { priceScope, priceUnpriced } from '../../src/engine/forecast/price-runs.ts'
import { defaultLatencies, defaultQuota, type Price } from '../../src/model/forecast/forecast.ts'
import { phasesInScope } from '../../src/operations/shared/runs/run-scope.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'
import { bringTo } from './migration-rows.ts'

const storeToken = 'sandbox-token'
const adminToken = 'sandbox-admin'
let sandbox: Sandbox
let service: Service
let organisation: Organisation
let token: string
beforeAll(async () => {
  sandbox = await startSandbox({
    // So many forecasts in a few seconds would use up a smaller one.
    plan: 'unlimited',
    adminToken,
    stores: [
      { name: 'Source', hash: 'source1', seed: 'tiny', token: storeToken },
      { name: 'Destination', hash: 'dest1', seed: 'empty', token: storeToken },
    ],
  })
  service = await aService({ bigcommerceApiUrl: sandbox.url })
  organisation = await anOrganisation(service, { stores: ['source1', 'dest1', 'closed1'], storeToken })
  token = await organisation.token()
})
afterAll(async () => {
  await service.close()
  await sandbox.close()
})

const pair = { source: 'source1', destination: 'dest1' }

function post(path: string, body: object) {
  return service.inject({ method: 'POST', url: path, payload: body, headers: { authorization: `Bearer ${token}` } })
}

async function pricedForecast(id: string): Promise<Forecast> {
  const deadlineMs = performance.now() + 20_000
  while (performance.now() < deadlineMs) {
    // Of the database: so many reads would use up the caller's requests per minute.
    const { rows } = await sql<{ forecast: unknown }>`select forecast from runs where id = ${id}`.execute(
      service.deps.database,
    )
    if (rows[0]?.forecast) return forecastShape.parse(rows[0].forecast)
    await systemClock.sleep(20)
  }
  throw new Error('The migration got no forecast.')
}

function priceWith(forecast: Forecast): Price {
  const none = { sourceReads: 0, destinationReads: 0, writes: 0, heavyWrites: 0 }
  const basis = {
    shapes: [],
    opening: { source: 0, destination: 0 },
    latencies: defaultLatencies,
    quotas: { source: defaultQuota, destination: defaultQuota },
    correction: 1,
  }
  return { forecast, calculatedSeconds: {}, calls: none, basis }
}

function inStore(name: 'Source' | 'Destination', table: string): number {
  return sandbox.store(name).table(table).count()
}

test('a migration is created without a price and then priced from the content of both stores', async () => {
  const answer = await post('/v2/migrations', { ...pair, entities: ['categories', 'brands'] })
  expect(answer.json().forecast).toBeNull()
  const forecast = await pricedForecast(answer.json().requestId)
  const categories = inStore('Source', 'categories')
  const brands = inStore('Source', 'brands')
  expect(forecast).toMatchObject({
    products: inStore('Source', 'products'),
    categories,
    brands,
    counts: { categories, brands },
    estimated: [],
    destProducts: 0,
    strategy: 'skip',
    tier: 'small',
    memMB: 256,
    cpus: 0.25,
    basis: 'forecast',
  })
  expect(Object.keys(forecast.etaBreakdown).sort()).toEqual(['brands', 'categories'])
  expect(forecast.etaSeconds).toBeGreaterThan(0)
})

test('a priced migration shows the totals of its components and its remaining time', async () => {
  const id = (await post('/v2/migrations', pair)).json().requestId
  const forecast = await pricedForecast(id)
  const detail = (await service.get(`/v2/migrations/${id}`, token)).json()
  const totals = new Map(
    detail.phases.map((phase: { components: { key: string; total: number }[]; key: string }) => [
      phase.key,
      phase.components.find(({ key }) => key === phase.key)?.total,
    ]),
  )
  const { categories, brands, products } = forecast
  expect(Object.fromEntries(totals)).toMatchObject({ categories, brands, products })
  expect(detail.progress).toMatchObject({ etaSeconds: forecast.etaSeconds, overallEtaSeconds: forecast.etaSeconds })
})

test('POST /forecast stores nothing, and without a strategy prices creation only', async () => {
  const before = (await service.get('/v2/migrations', token)).json().items.length
  const answer = await post('/v2/forecast', pair)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toMatchObject({ basis: 'forecast', brands: inStore('Source', 'brands') })
  expect(answer.json()).not.toHaveProperty('strategy')
  expect((await post('/v2/forecast', { ...pair, conflictStrategy: 'skip' })).json().strategy).toBe('skip')
  expect((await service.get('/v2/migrations', token)).json().items).toHaveLength(before)
})

test('a forecast reads the first page of each list of the catalogue once, and counts the list by it', async () => {
  const requests = `${sandbox.url}/__sandbox/stores/source1/requests`
  const headers = { 'x-sandbox-admin': adminToken }
  await fetch(requests, { method: 'DELETE', headers })
  expect(
    (await post('/v2/forecast', { ...pair, entities: ['categories', 'brands', 'products'] })).json().counts,
  ).toEqual(expect.objectContaining({ products: inStore('Source', 'products'), brands: inStore('Source', 'brands') }))
  const { paths } = (await (await fetch(requests, { headers })).json()) as { paths: Record<string, number> }
  // The products of the seed fill two pages.
  expect(paths).toMatchObject({
    'GET /v3/catalog/products': 2,
    'GET /v3/catalog/brands': 1,
    'GET /v3/catalog/trees/categories': 1,
  })
})

test('POST /forecast estimates what a copy would do, and only for modes that copy', async () => {
  const forecastOf = async (body: object) =>
    (await post('/v2/forecast', { ...pair, entities: ['brands'], ...body })).json()
  const outlookOf = async (body: object) => (await forecastOf(body)).outlook
  const counts: Record<string, number> = (await forecastOf({ conflictStrategy: 'skip' })).counts
  const items = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const [added, matched] = [
    await outlookOf({ conflictStrategy: 'skip' }),
    await outlookOf({ conflictStrategy: 'replace' }),
  ]
  // Each of the numbers is rounded.
  expect(Math.abs(added.created + added.kept - items)).toBeLessThanOrEqual(3)
  expect(added).toMatchObject({ compared: 0, deleted: 0 })
  expect(Math.abs(matched.created + matched.compared + matched.kept - items)).toBeLessThanOrEqual(3)
  expect(await outlookOf({ mode: 'dry-run', conflictStrategy: 'skip' })).toEqual(added)
  expect(await outlookOf({ mode: 'counts' })).toBeNull()
})

/** Of a run made with this body. Unlike the seconds, they do not depend on how fast the stores answered the probe. */
async function predictedCalls(body: object): Promise<{ source: number; destination: number }> {
  const id = (await post('/v2/migrations', { ...pair, ...body })).json().requestId
  await pricedForecast(id)
  const calls = await readRunCalls(service.deps.database, organisation.id, id)
  const of = (wanted: string) =>
    calls.filter(({ side }) => side === wanted).reduce((sum, { predicted }) => sum + (predicted ?? 0), 0)
  return { source: of('source'), destination: of('destination') }
}

test('orders outside the requested statuses are neither counted nor priced, nor are their children', async () => {
  const all = (await post('/v2/forecast', { ...pair, entities: ['orders'] })).json()
  const orders = sandbox.store('Source').table('orders').find({})
  expect(all.counts.orders).toBe(orders.length)
  const completed = orders.filter(({ status_id }) => status_id === 10).length
  expect(completed).toBeGreaterThan(0)
  expect(completed).toBeLessThan(orders.length)
  const some = (await post('/v2/forecast', { ...pair, entities: ['orders'], orderStatuses: ['10'] })).json()
  expect(some.counts.orders).toBe(completed)
  expect(some.counts['order-metafields']).toBeLessThan(all.counts['order-metafields'])
  const ofAll = await predictedCalls({ entities: ['orders'] })
  const ofSome = await predictedCalls({ entities: ['orders'], orderStatuses: ['10'] })
  expect(ofSome.destination).toBeLessThan(ofAll.destination)
})

test('customers are counted even if few are members of a segment', async () => {
  const { counts } = (await post('/v2/forecast', { ...pair, entities: ['customers', 'segments'] })).json()
  expect(counts.customers).toBe(inStore('Source', 'customers'))
  expect(counts['segment-members']).toBe(inStore('Source', 'segment_members'))
  expect(counts.customers).not.toBe(counts['segment-members'])
})

test('calls for settings grow with the number of storefronts, except in a storefront run', async () => {
  const readsOf = async (body: object) => (await predictedCalls({ entities: ['store-settings'], ...body })).source
  const [storefront] = sandbox.store('Source').table('channels').find({ type: 'storefront' })
  const whole = await readsOf({})
  const one = await readsOf({ sourceStorefront: String(storefront?.id), destStorefront: '1' })
  // Settings of the store, which a run over one storefront leaves alone.
  expect(whole - one).toBeGreaterThan(14)
})

test('a forecast of stores that are not connected is refused by path', async () => {
  expect((await post('/v2/forecast', { source: 'nowhere1', destination: 'dest1' })).json().errors).toHaveProperty(
    'source',
  )
  expect((await post('/v2/forecast', { ...pair, autoHeal: true })).json().errors).toHaveProperty('autoHeal')
})

test.each([
  ['overwriteLiving', 'brands'],
  ['recreateErased', 'brands'],
  ['pruneLive', 'orders'],
])('names in %s that a migration refuses are refused by its forecast and its preflight, too', async (setting, name) => {
  const body = { ...pair, conflictStrategy: 'replace', [setting]: [name] }
  for (const path of ['/v2/migrations', '/v2/forecast', '/v2/preflight']) {
    const answer = await post(path, body)
    expect([answer.statusCode, Object.keys(answer.json().errors ?? {})], path).toEqual([422, [`${setting}.0`]])
  }
})

test('an unreachable source is priced from defaults, and marked as such', async () => {
  const answer = (await post('/v2/forecast', { source: 'closed1', destination: 'dest1' })).json()
  expect(answer).toMatchObject({ basis: 'fallback', destProducts: 0, outlook: null })
  expect(answer.estimated).toEqual(Object.keys(answer.counts))
})

test('the forecast leaves out the size of an unreachable destination', async () => {
  const answer = (await post('/v2/forecast', { source: 'source1', destination: 'closed1' })).json()
  expect(answer.basis).toBe('forecast')
  expect(answer.fallbackReason).toMatch(/^The destination store closed1 /)
  expect(answer).not.toHaveProperty('destProducts')
  expect(answer.outlook).toBeNull()
})

test('an undecryptable store token costs the exact price, not the forecast', async () => {
  const { database } = service.deps
  await sql`update stores set token_encrypted = 'spoilt' where organisation_id = ${organisation.id} and hash = 'closed1'`.execute(
    database,
  )
  const answer = await post('/v2/forecast', { source: 'closed1', destination: 'dest1' })
  expect(answer.json()).toMatchObject({ basis: 'fallback' })
})

test('stores that do not respond within 10 s are not waited for', async () => {
  const clock = new FakeClock({ skipUpToMs: 10_000 })
  const { deps } = service
  const store = await findStore(deps.database, organisation.id, 'source1')
  if (!store) throw new Error('The store is connected above.')
  const silent = {
    ...deps,
    clock,
    openStore: () => ({
      get: (_path: string, _query: unknown, { signal }: { signal?: AbortSignal } = {}) =>
        new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    }),
  }
  const scope = { mode: 'full', strategy: 'skip', phases: phasesInScope(undefined) } as const
  const { forecast } = await priceScope(silent, scope, { source: store, destination: store })
  expect(forecast.basis).toBe('fallback')
  expect(clock.slept).toEqual([10_000])
})

test('a host prices a run that a dead server left without a price, and a run is priced once', async () => {
  const { database } = service.deps
  const id = (await post('/v2/migrations', pair)).json().requestId
  const first = await pricedForecast(id)
  await sql`update runs set forecast = null where id = ${id}`.execute(database)
  await priceUnpriced(service.deps)
  expect((await service.get(`/v2/migrations/${id}`, token)).json().forecast).toBeNull()
  await sql`update runs set created_at = now() - interval '1 minute' where id = ${id}`.execute(database)
  await priceUnpriced(service.deps)
  const second = await pricedForecast(id)
  expect(second.counts).toEqual(first.counts)
  await database
    .transaction()
    .execute((tx) =>
      saveForecast(tx, { organisationId: organisation.id, id }, priceWith({ ...second, basis: 'fallback' })),
    )
  expect((await pricedForecast(id)).basis).toBe('forecast')
})

test('a migration has the forecast that was shown before it was started with the same choices', async () => {
  const choices = { ...pair, entities: ['brands', 'products'], conflictStrategy: 'update' }
  const { outlook: _, fallbackReason: __, ...shown } = (await post('/v2/forecast', choices)).json()
  const started = async (body: object) => pricedForecast((await post('/v2/migrations', body)).json().requestId)
  service.clock.jumpSeconds(60)
  expect(await started(choices)).toEqual(shown)
  expect((await started({ ...choices, entities: ['brands'] })).at).not.toBe(shown.at)
  service.clock.jumpSeconds(600)
  expect((await started(choices)).at).not.toBe(shown.at)
})

test('a run that ends before it is priced gets the price in its snapshot', async () => {
  const id = (await post('/v2/migrations', pair)).json().requestId
  const forecast = await pricedForecast(id)
  await sql`update runs set forecast = null where id = ${id}`.execute(service.deps.database)
  await bringTo(service, organisation.id, id, 'completed')
  const read = async () => (await service.get(`/v2/migrations/${id}`, token)).json()
  expect((await read()).forecast).toBeNull()
  await service.deps.database
    .transaction()
    .execute((tx) => saveForecast(tx, { organisationId: organisation.id, id }, priceWith(forecast)))
  expect((await read()).forecast).toEqual(forecast)
})

test('latencies of earlier runs over the pair replace the defaults', async () => {
  const { database } = service.deps
  const id = (await post('/v2/migrations', pair)).json().requestId
  await pricedForecast(id)
  await sql`insert into run_calls (run_id, side, class, calls, latency_ms) values
    (${id}, 'source', 'read', 100, 11000), (${id}, 'destination', 'read', 100, 11000),
    (${id}, 'destination', 'write', 100, 33000), (${id}, 'destination', 'heavy', 100, 77000)
    on conflict (run_id, side, class) do update set calls = excluded.calls, latency_ms = excluded.latency_ms`.execute(
    database,
  )
  const { etaAssumedMs } = (await post('/v2/forecast', pair)).json()
  expect(etaAssumedMs).toEqual({ read: 110, write: 330, heavy: 770 })
})

async function endedRun(seconds: { calculated: number; worked: number }): Promise<string> {
  const { database } = service.deps
  const id = (await post('/v2/migrations', pair)).json().requestId
  await pricedForecast(id)
  await sql`update run_phase_times set calculated_seconds = ${seconds.calculated}, worked_seconds = ${seconds.worked},
    finished_at = now() where run_id = ${id} and phase = 'products'`.execute(database)
  await sql`update run_phase_times set calculated_seconds = null where run_id = ${id} and phase <> 'products'`.execute(
    database,
  )
  await bringTo(service, organisation.id, id, 'completed')
  await sql`update runs set finished_at = clock_timestamp() where id = ${id}`.execute(database)
  return id
}

test('earlier runs over the pair give one correction factor, within bounds: the median of the latest five', async () => {
  const { database } = service.deps
  const source = await findStore(database, organisation.id, 'source1')
  const destination = await findStore(database, organisation.id, 'dest1')
  if (!source || !destination) throw new Error('The stores are connected above.')
  const learned = () =>
    findCorrection(
      database,
      { organisationId: organisation.id, sourceStoreId: source.id, destinationStoreId: destination.id },
      { mode: 'full', strategy: 'skip' },
    )
  expect(await learned()).toBe(1)
  await endedRun({ calculated: 100, worked: 130 })
  expect(await learned()).toBeCloseTo(1.3)
  await endedRun({ calculated: 100, worked: 900 })
  await endedRun({ calculated: 100, worked: 110 })
  expect(await learned()).toBeCloseTo(1.3)
  // Too short to tell anything.
  await endedRun({ calculated: 1, worked: 1.9 })
  expect(await learned()).toBeCloseTo(1.3)
  for (let n = 0; n < 3; n++) await endedRun({ calculated: 100, worked: 900 })
  expect(await learned()).toBe(2)
  const changedHands = await endedRun({ calculated: 100, worked: 10 })
  await sql`insert into restarts (run_id, reason) values (${changedHands}, 'killed')`.execute(database)
  expect(await learned()).toBe(2)
})

test('the forecast is shown beside the actual calls and seconds', async () => {
  const { database } = service.deps
  const id = (await post('/v2/migrations', pair)).json().requestId
  const { etaBreakdown, counts } = await pricedForecast(id)
  const calls = await readRunCalls(database, organisation.id, id)
  expect(calls.map(({ side, class: kind }) => `${side} ${kind}`).sort()).toEqual([
    'destination heavy',
    'destination read',
    'destination write',
    'source read',
  ])
  const pictures = (counts['store-pictures'] ?? 0) + (counts['channel-pictures'] ?? 0)
  expect(pictures).toBe(3)
  expect(calls.find((one) => one.class === 'heavy')).toMatchObject({
    calls: 0,
    // One for all prices, one for all stock, one for each page with widgets, and one for each logo and icon.
    predicted:
      ['products', 'orders', 'page_contexts', 'global_contexts'].reduce(
        (sum, table) => sum + inStore('Source', table),
        0,
      ) +
      1 +
      1 +
      pictures,
  })
  const times = await sql<{ phase: string; predicted: number }>`
    select phase, predicted_seconds as predicted from run_phase_times where run_id = ${id}`.execute(database)
  for (const { phase, predicted } of times.rows) expect(predicted).toBeCloseTo(etaBreakdown[phase] ?? -1, 3)
})

test('a run is not admitted before it has its price, which decides its memory', async () => {
  const { database } = service.deps
  const id = (await post('/v2/migrations', pair)).json().requestId
  await pricedForecast(id)
  const waiting = () =>
    database.transaction().execute(async (tx) => (await queuedRuns(tx)).map((run) => run.id).includes(id))
  expect(await waiting()).toBe(true)
  await sql`update runs set forecast = null where id = ${id}`.execute(database)
  expect(await waiting()).toBe(false)
  await sql`update runs set created_at = now() - interval '1 minute' where id = ${id}`.execute(database)
  expect(await waiting()).toBe(true)
})
