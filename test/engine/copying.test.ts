import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestEntry } from '../../sandbox/server/request-log.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { catalogue } from './catalogue.ts'
import { counted, expectCountersToEqualTheLedger, stateOfUnchanged } from './counted.ts'

/** One store, copied once; the tests only read what happened. */
let world: World
let run: MigrationDetail
let calls: Record<Side, RequestEntry[]>
let writes: string[]
beforeAll(async () => {
  world = await startWorld({ catalogueOnly: true, ...catalogue })
  run = await world.complete()
  calls = { source: await world.requests('source'), destination: await world.requests('destination') }
  writes = callsIn(calls.destination).filter((call) => !call.startsWith('GET'))
})
afterAll(() => world?.stop())

/** A second copy, for tests that edit it. */
async function anotherCopy(): Promise<{ world: World; id: string }> {
  const other = await aWorld({ catalogueOnly: true, ...catalogue })
  return { world: other, id: (await other.complete()).requestId }
}

/** Calls in order, with ids replaced by `*`. */
function callsIn(requests: RequestEntry[]): string[] {
  return requests.map(({ method, path }) => `${method} ${path.replace(/\/\d+(?=\/|$)/g, '/*')}`)
}

/** Calls of the catalogue and those that every run makes; other entities have tests of their own. */
function countsOf(calls: string[]): Record<string, number> {
  const catalogue = calls.filter((call) => /\/(v3\/catalog|v3\/channels|v2\/tax_classes|products)\b/.test(call))
  return Object.fromEntries([...Map.groupBy(catalogue, (call) => call)].map(([call, same]) => [call, same.length]))
}

test('D7: a run sends the source store nothing but GET', async () => {
  expect(calls.source.length).toBeGreaterThan(0)
  expect(calls.source.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('E1: each pass reads its source resource once, for all components that it yields', async () => {
  // A run starts after its forecast, which also queries the stores.
  const { started = '' } = run.timestamps
  const reading = calls.source.filter(({ at, query }) => at >= started && /limit=(10|250)\b/.test(query))
  expect(countsOf(callsIn(reading))).toEqual({
    'GET /v3/channels': 1,
    // Without a total, the end of a list of v2 is read twice (G2).
    'GET /v2/tax_classes': 2,
    'GET /v3/catalog/trees': 1,
    // Categories are read for themselves, and once more each for the order of their products.
    'GET /v3/catalog/trees/categories': 2,
    'GET /v3/catalog/categories/*/products/sort-order': 6,
    'GET /v3/catalog/brands': 1,
    // The only product with a modifier that a rule could name.
    'GET /v3/catalog/products/*/complex-rules': 1,
    // Twelve products in pages of ten. None names one that comes after it.
    'GET /v3/catalog/products': 2,
    'GET /v3/catalog/products/metafields': 1,
    'GET /v3/catalog/variants/metafields': 1,
    'GET /v3/catalog/categories/metafields': 1,
    'GET /v3/catalog/brands/metafields': 1,
    'GET /v3/shipping/products/customs-information': 1,
  })
})

test('E2: a store is written with one call per brand and product, one per part that cannot be inline, and batches', async () => {
  const { 'PUT /v3/catalog/products/channel-assignments': assignments = 0, ...exact } = countsOf(writes)
  const state = await world.state('source')
  expect(exact).toEqual({
    // Three levels, each smaller than a batch.
    'POST /v3/catalog/trees/categories': 3,
    'POST /v3/catalog/brands': state.brands?.length,
    'POST /v3/catalog/products': state.products?.length,
    // The answer to a creation does not say what the platform made of the options, so each is corrected once.
    'PUT /v3/catalog/products/*/options/*': state.options?.length,
    'POST /v3/catalog/products/*/modifiers': state.modifiers?.length,
    // The checkbox comes with its own values, whose adjusters are corrected afterwards.
    'PUT /v3/catalog/products/*/modifiers/*': 1,
    'POST /v3/catalog/products/metafields': 1,
  })
  expect(assignments).toBeGreaterThan(0)
  expect(assignments).toBeLessThan(state.products?.length ?? 0)
})

test('E2: a product with options, variants and images costs its creation and one call per option', async () => {
  const { products = [], options = [], images = [], variants = [] } = await world.state('destination')
  const product = products.find(({ name }) => name === 'Amber Linen Sneaker')
  const ofProduct = (row: Record<string, unknown>) => row.product_id === product?.id
  expect([
    options.filter(ofProduct).length,
    images.filter(ofProduct).length,
    variants.filter(ofProduct).length,
  ]).toEqual([2, 1, 6])
  const own = calls.destination.filter(({ path }) => path.includes(`/products/${product?.id}/`))
  expect(callsIn(own)).toEqual(['PUT /v3/catalog/products/*/options/*', 'PUT /v3/catalog/products/*/options/*'])
})

test('E2: children carried inline get result rows and no call of their own', async () => {
  const counts = await counted(world, run.requestId)
  expect(counts['product-images']).toEqual({ discovered: 28, created: 28 })
  expect(counts['product-variants']).toEqual({ discovered: 32, created: 32 })
  expect(counts['product-custom-fields']).toEqual({ discovered: 9, created: 9 })
  expect(writes.filter((call) => /images|variants|custom-fields/.test(call))).toEqual([])
})

test('E3: the counter rows of a full run equal its folded ledger', async () => {
  expect(run.status).toBe('completed')
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('B1: no intent is left after a run has ended', async () => {
  const { rows } = await sql`select id from intents where run_id = ${run.requestId}`.execute(world.database)
  expect(rows).toEqual([])
})

test('F1: verify finds a fresh copy equal, compares every item, and writes to neither store', async () => {
  const { detail, differences } = await world.verify(run.requestId)
  expect([detail.status, differences]).toEqual(['completed', []])
  const first = await counted(world, run.requestId)
  for (const [component, counts] of Object.entries(await counted(world, detail.requestId)))
    expect(counts, component).toEqual({
      discovered: first[component]?.discovered,
      matched: first[component]?.discovered,
    })
  await expectCountersToEqualTheLedger(world, detail.requestId)
  const sent = [...(await world.requests('destination')), ...(await world.requests('source'))].filter(
    ({ at }) => at >= detail.timestamps.created,
  )
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('C2, G13: a second run over an unchanged pair writes nothing, matches what its lists show whole, and reads each list once', async () => {
  const { world } = await anotherCopy()
  const before = await world.state('destination')
  await world.resetRequests('destination')
  await world.resetRequests('source')
  const second = await world.complete()
  expect(second.status).toBe('completed')
  expect(await world.state('destination')).toEqual(before)
  const { 'category-trees': trees, ...others } = await counted(world, second.requestId)
  // The tree of the default channel existed before the first run.
  expect(trees).toEqual({ discovered: 1, matched: 1 })
  for (const [component, { discovered, ...counts }] of Object.entries(others))
    expect(counts, component).toEqual({ [stateOfUnchanged(component, 'skip')]: discovered })
  await expectCountersToEqualTheLedger(world, second.requestId)
  // Without the calls of the forecast.
  const { started = '' } = second.timestamps
  const sent = (await world.requests('destination')).filter(({ at }) => at >= started)
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(countsOf(callsIn(sent.filter(({ query }) => query.includes('limit=250'))))).toEqual({
    'GET /v3/channels': 1,
    // Without a total, the end of a list of v2 is read twice (G2).
    'GET /v2/tax_classes': 2,
    'GET /v3/catalog/trees': 1,
    'GET /v3/catalog/trees/categories': 2,
    'GET /v3/catalog/brands': 1,
    'GET /v3/catalog/products': 1,
    'GET /v3/catalog/products/metafields': 1,
    'GET /v3/catalog/variants/metafields': 1,
    'GET /v3/catalog/categories/metafields': 1,
    'GET /v3/catalog/brands/metafields': 1,
    'GET /v3/shipping/products/customs-information': 1,
  })
})

longTest(
  'D1: changed stock at the destination is reported as destination-owned and does not make a product unequal',
  async () => {
    const { world, id: copy } = await anotherCopy()
    const { products = [] } = await world.state('destination')
    const counting = products.find(({ inventory_tracking }) => inventory_tracking === 'product')
    await world.change('destination', {
      op: 'set',
      table: 'products',
      id: Number(counting?.id),
      fields: { inventory_level: 4711 },
    })
    const { detail, differences } = await world.verify(copy)
    expect(differences).toMatchObject([
      {
        component: 'products',
        kind: 'different',
        destinationId: String(counting?.id),
        fields: [{ path: 'inventory_level', destination: 4711 }],
        living: true,
      },
    ])
    expect(await counted(world, detail.requestId)).toMatchObject({ products: { discovered: 12, matched: 12 } })
    // Another run leaves it alone as well.
    await world.complete()
    expect((await world.state('destination')).products?.find(({ id }) => id === counting?.id)).toMatchObject({
      inventory_level: 4711,
    })
  },
)

test('F1: verify reports each different, missing and extra item once, and completes', async () => {
  const { world, id: copy } = await anotherCopy()
  const { brands = [], products = [], images = [] } = await world.state('destination')
  const cheaper = products.find(({ id }) => images.some(({ product_id }) => product_id === id))
  const lost = brands[0]
  const thumbnail = images.find(({ product_id }) => product_id === cheaper?.id)
  await world.change('destination', { op: 'set', table: 'products', id: Number(cheaper?.id), fields: { price: 1 } })
  await world.change('destination', { op: 'remove', table: 'images', id: Number(thumbnail?.id) })
  await world.change('destination', {
    op: 'set',
    table: 'brands',
    id: Number(lost?.id),
    fields: { page_title: 'Changed' },
  })
  const other = await callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/brands', {
    name: 'Only here',
  })
  const branded = products.find(({ id, brand_id }) => id !== cheaper?.id && Number(brand_id) > 0)
  const own = brands.find(({ id }) => id === branded?.brand_id)
  const fields = { brand_id: other.id }
  await world.change('destination', { op: 'set', table: 'products', id: Number(branded?.id), fields })
  const original = (await world.state('source')).products?.find(({ name }) => name === branded?.name)
  // An order that happens to be the number of a brand.
  const order = { sort_order: own?.id }
  await world.change('source', { op: 'set', table: 'products', id: Number(original?.id), fields: order })
  const { detail, differences } = await world.verify(copy)
  expect(detail.status).toBe('completed')
  // A brand is named, as its number says nothing to a person; an equal number that is no brand is not.
  const ofBrand = differences.find(({ destinationId }) => destinationId === String(branded?.id))
  expect(ofBrand?.fields).toEqual([
    { path: 'sort_order', source: own?.id, destination: 0 },
    {
      path: 'brand_id',
      source: own?.id,
      destination: other.id,
      names: { [String(own?.id)]: own?.name, [String(other.id)]: 'Only here' },
    },
  ])
  const reported = differences.map(({ component, kind, fields }) =>
    [component, kind, fields.map(({ path }) => path).join()].join(' '),
  )
  expect(reported.sort()).toEqual([
    'brands different page_title',
    'brands extra ',
    'product-images missing ',
    'products different price',
    'products different sort_order,brand_id',
  ])
  await expectCountersToEqualTheLedger(world, detail.requestId)
})

longTest('F1: a product edited during the comparison is reported as changed meanwhile', async () => {
  const { world, id: copy } = await anotherCopy()
  const [product] = (await world.state('destination')).products ?? []
  const edit = (price: number) =>
    world.change('destination', { op: 'set', table: 'products', id: Number(product?.id), fields: { price } })
  await edit(4711)
  // What differs at first is read again by id.
  const again = await world.fault('source', {
    kind: 'hold_after_applying',
    path: '/v3/catalog/products$',
    query: 'id(%3A|:)in=',
  })
  const verifying = world.verify(copy)
  await until('it is read again', async () =>
    (await world.faults('source')).some(({ id, hits }) => id === again && hits > 0),
  )
  await edit(4712)
  await world.release('source')
  expect((await verifying).differences).toMatchObject([
    { component: 'products', destinationId: String(product?.id), changedMeanwhile: true },
  ])
})

test('E2: the products of a page are written while the next page is still being read', async () => {
  const world = await aWorld({ catalogueOnly: true, entities: ['products'], requestTimeoutSeconds: 60 })
  await world.fault('source', { kind: 'hold_after_applying', path: '/v3/catalog/products$', query: 'sort=id.*&id' })
  const id = await world.migrate()
  await until('a product is written', async () =>
    (await world.requests('destination', 'POST')).some(
      ({ path, status }) => path === '/v3/catalog/products' && status === 200,
    ),
  )
  expect((await world.faults('source')).map(({ hits }) => hits)).toEqual([1])
  expect((await counted(world, id)).products).toMatchObject({ discovered: 10 })
  expect(await world.release('source')).toBe(1)
  await world.finished(id)
  expect((await world.state('destination')).products).toHaveLength(12)
})
