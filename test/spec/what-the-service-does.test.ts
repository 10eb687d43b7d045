import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'

let world: World
/** A copy of the brands of one shop to another. */
let copied: Awaited<ReturnType<World['complete']>>
beforeAll(async () => {
  world = await startWorld({ catalogueOnly: true })
  copied = await world.complete({ entities: ['brands'] })
})
afterAll(() => world?.stop())

const pair = () => ({ source: world.address('source').hash, destination: world.address('destination').hash })
const namesIn = async (side: 'source' | 'destination') =>
  (await world.state(side)).brands?.map(({ name }) => String(name)).sort()

test("The service migrates a merchant's e-commerce store catalogue and related content from a source store to a destination store, both connected to the same organisation.", async () => {
  expect(copied.status).toBe('completed')
  expect(await namesIn('destination')).toEqual(await namesIn('source'))
  expect((await namesIn('source'))?.length).toBeGreaterThan(0)
  const stranger = await world.anotherOrganisation('Elsewhere Ltd', ['source', 'destination'])
  const unconnected = await stranger.api('POST', '/v2/migrations', { ...pair(), destination: 'nobodys1' })
  expect(unconnected.status).toBe(422)
})

test("All migration endpoints are scoped to the caller's organisation.", async () => {
  const stranger = await world.anotherOrganisation('Nextdoor Ltd', ['source', 'destination'])
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/request'],
    ['GET', '/issues'],
    ['GET', '/mappings'],
    ['GET', '/differences'],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/cancel'],
    ['POST', '/heal'],
    ['POST', '/verify'],
  ] as const) {
    const { status } = await stranger.api(method, `/v2/migrations/${copied.requestId}${path}`)
    expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 404`)
  }
  expect((await stranger.api<{ items: unknown[] }>('GET', '/v2/migrations')).body.items).toEqual([])
})

test('A run has a mode (`full`, `dry-run`, `verify`, `counts`), a conflict strategy (`skip`, `update`, `replace`) and may be selective (only picked items) or bulk.', async () => {
  const [brand] = (await world.state('source')).brands ?? []
  const picked = { selection: { brands: { ids: [String(brand?.id)] } } }
  for (const mode of ['full', 'dry-run', 'verify', 'counts'])
    expect((await world.complete({ mode, ...picked })).mode).toBe(mode)
  for (const conflictStrategy of ['skip', 'update', 'replace'])
    expect((await world.complete({ conflictStrategy, ...picked })).conflictStrategy).toBe(conflictStrategy)
  const selective = await world.complete(picked)
  expect([selective.selective, copied.selective]).toEqual([true, false])
  expect(selective.phases.find(({ key }) => key === 'brands')?.total).toBe(1)
})

test('A run proceeds through entity phases (products, categories and so on).', async () => {
  const { phases } = await world.complete({ mode: 'counts' })
  const keys = phases.map(({ key }) => key)
  expect(keys.indexOf('categories')).toBeGreaterThanOrEqual(0)
  expect(keys.indexOf('products')).toBeGreaterThan(keys.indexOf('categories'))
})

test('Progress, counters, per-phase results and a sizing/ETA forecast can be read.', async () => {
  const brands = (await namesIn('source'))?.length
  expect(copied).toMatchObject({
    progress: { percent: 100, done: brands },
    counters: { done: brands, failed: 0 },
    phases: [{ key: 'brands', created: brands, total: brands }],
    forecast: { counts: { brands }, etaSeconds: expect.any(Number) },
  })
})

test('Run controls exist: pause, resume, cancel, verify-only re-run.', async () => {
  await world.fault('destination', { kind: 'slow', method: 'POST', times: null, seconds: 1 })
  const id = await world.migrate()
  const control = async (name: string) => (await world.api('POST', `/v2/migrations/${id}/${name}`)).status
  expect(await control('pause')).toBe(202)
  await world.finished(id, { status: 'paused' })
  expect(await control('resume')).toBe(202)
  expect(await control('cancel')).toBe(202)
  await world.finished(id, { status: 'cancelled' })
  await world.clearFaults('destination')
  const { detail, differences } = await world.verify(copied.requestId)
  expect(detail).toMatchObject({ mode: 'verify', status: 'completed' })
  expect(differences).toEqual([])
})

test('Sizing endpoints exist (counts and forecast); they never create a run.', async () => {
  const runs = async () => (await world.api<{ items: unknown[] }>('GET', '/v2/migrations?limit=200')).body.items.length
  const before = await runs()
  const { source: hash, destination: compareWith } = pair()
  const counted = await world.api('POST', '/v2/counts', { hash, compareWith, entities: ['brands'] })
  const brands = (await namesIn('source'))?.length
  expect(counted.body).toMatchObject({ stores: [{ hash, counts: { brands } }, { hash: compareWith }] })
  const forecast = await world.api('POST', '/v2/forecast', { ...pair(), entities: ['brands'] })
  expect(forecast.body).toMatchObject({ counts: { brands } })
  expect(await runs()).toBe(before)
})

test("Browsing a store's catalogue, creating migrations, listing history and reading per-item issues exist.", async () => {
  const id = copied.requestId
  const history = await world.api<{ items: { requestId: string }[] }>('GET', '/v2/migrations?limit=200')
  expect(history.body.items.map(({ requestId }) => requestId)).toContain(id)
  expect((await world.api('GET', `/v2/migrations/${id}/issues`)).status).toBe(200)
  const products = await world.api<{ items: { id: string }[] }>('GET', `/v2/stores/${pair().source}/catalog/products`)
  expect(products.status).toBe(200)
  expect(products.body.items.length).toBeGreaterThan(0)
})

test('Server-to-server callers obtain a bearer token by logging in with identity values plus a per-organisation API credential (client id and client secret) issued by an administrator.', async () => {
  const login = await fetch(`${world.url}/v2/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(world.identity),
  })
  const { access_token } = (await login.json()) as { access_token: string }
  const answer = await fetch(`${world.url}/v2/stores`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(answer.status).toBe(200)
})
