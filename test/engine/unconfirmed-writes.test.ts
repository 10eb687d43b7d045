import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { isBornWith } from '../entities/entity-facts.ts'
import { longTest } from '../harness/long-form.ts'
import { mappingsWhere } from '../harness/map-items.ts'
import { until } from '../harness/until.ts'
import { aWorld, startWorld, type World, type WorldOptions } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

const options: WorldOptions = {
  catalogueOnly: true,
  entities: ['categories', 'brands', 'products'],
  requestTimeoutSeconds: 1,
}

/** A value without a variant is not created with the product, so it has a call of its own. */
async function addUnusedValue(world: World): Promise<void> {
  const { options: axes = [] } = await world.state('source')
  const option = axes.find(({ type }) => type === 'swatch')
  const path = `/v3/catalog/products/${option?.product_id}/options/${option?.id}/values`
  const value = { label: 'Unused', sort_order: 9, value_data: { colors: ['#101010'] } }
  await callStore(world, 'source', 'POST', path, value)
}

/** One line per component that creates: its calls, the table of its items, and the number of calls of an undisturbed run. */
const creations = [
  { component: 'categories', method: 'POST', path: '/v3/catalog/trees/categories$', table: 'categories', calls: 3 },
  { component: 'brands', method: 'POST', path: '/v3/catalog/brands$', table: 'brands', calls: 4 },
  { component: 'products', method: 'POST', path: '/v3/catalog/products$', table: 'products', calls: 12 },
  { component: 'product-modifiers', method: 'POST', path: '/products/\\d+/modifiers$', table: 'modifiers', calls: 2 },
  {
    component: 'product-option-values',
    method: 'POST',
    path: '/options/\\d+/values$',
    table: 'option_values',
    calls: 1,
  },
  {
    component: 'product-metafields',
    method: 'POST',
    path: '/products/metafields$',
    table: 'product_metafields',
    calls: 1,
  },
]
const assignments = { method: 'PUT', path: '/products/channel-assignments$', table: 'product_channel_assignments' }

async function callsTo(world: World, { method, path }: { method: string; path: string }): Promise<number> {
  return (await world.requests('destination', method)).filter((request) => new RegExp(path).test(request.path)).length
}

async function rowsIn(world: World, side: 'source' | 'destination', table: string): Promise<number> {
  return (await world.state(side))[table]?.length ?? 0
}

describe('when the answer to one write of each component is lost', () => {
  let world: World
  let run: MigrationDetail
  beforeAll(async () => {
    world = await startWorld(options)
    await addUnusedValue(world)
    for (const { method, path } of [...creations, assignments])
      await world.fault('destination', { kind: 'reset_after_applying', method, path })
    run = await world.complete()
  })
  afterAll(() => world?.stop())

  for (const creation of creations)
    test(`B2: ${creation.component} are looked for, found and not sent again`, async () => {
      const fault = (await world.faults('destination')).find(({ path }) => path === creation.path)
      expect(fault?.hits).toBe(1)
      expect(await callsTo(world, creation)).toBe(creation.calls)
      expect(await rowsIn(world, 'destination', creation.table)).toBe(await rowsIn(world, 'source', creation.table))
    })

  test('B3: channel assignments, which are upserts, are complete and not duplicated', async () => {
    const fault = (await world.faults('destination')).find(({ path }) => path === assignments.path)
    expect(fault?.hits).toBe(1)
    expect(await rowsIn(world, 'destination', assignments.table)).toBe(await rowsIn(world, 'source', assignments.table))
  })

  test('E3: the copy is complete, equal, and counted once', async () => {
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectCountersToEqualTheLedger(world, run.requestId)
    for (const [component, counts] of Object.entries(await counted(world, run.requestId)))
      if (!isBornWith(component))
        expect(counts, component).toEqual({ discovered: counts.discovered, created: counts.discovered })
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })
})

describe('when one write of each component never arrives', () => {
  let world: World
  let run: MigrationDetail
  beforeAll(async () => {
    world = await startWorld(options)
    await addUnusedValue(world)
    for (const { method, path } of [...creations, assignments])
      await world.fault('destination', { kind: 'reset_before_applying', method, path })
    run = await world.complete()
  })
  afterAll(() => world?.stop())

  for (const creation of creations)
    test(`B2: ${creation.component} are looked for, not found, and sent once more`, async () => {
      expect(await callsTo(world, creation)).toBe(creation.calls + 1)
      expect(await rowsIn(world, 'destination', creation.table)).toBe(await rowsIn(world, 'source', creation.table))
    })

  test('B2: the copy is complete and equal', async () => {
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })
})

test('B1: an intent is in the database when its request arrives, and gone once the result is recorded', async () => {
  const world = await aWorld({ ...options, entities: ['categories'] })
  const call = { method: 'POST', path: '/v3/catalog/trees/categories$' }
  await world.fault('destination', { kind: 'hold_after_applying', ...call })
  const id = await world.migrate()
  await until('a batch of categories is held', async () => (await callsTo(world, call)) === 1)
  const { rows } = await sql<{
    component: string
    action: string
    items: { sourceId: string }[]
    unconfirmed: boolean
  }>`
    select component, action, items, doubtful_until is not null as unconfirmed from intents
    where run_id = ${id}`.execute(world.database)
  const { categories = [] } = await world.state('source')
  const top = categories.filter(({ parent_id }) => parent_id === 0)
  expect(rows).toMatchObject([{ component: 'categories', action: 'create', unconfirmed: false }])
  expect(rows[0]?.items.map(({ sourceId }) => sourceId)).toEqual(top.map((category) => String(category.id)))
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed' })
  const after = await sql`select id from intents where run_id = ${id}`.execute(world.database)
  expect(after.rows).toEqual([])
})

longTest(
  'B2: after a truncated answer, a 500 or no answer, a write is not sent again, and every item is there once',
  async () => {
    // A late write has been applied by the time of the search.
    const world = await aWorld({ ...options, entities: ['brands'], settleSeconds: 7 })
    const kinds = ['truncated_body', 'error_after_applying', 'apply_late', 'hold_after_applying'] as const
    const call = { method: 'POST', path: '/v3/catalog/brands$' }
    for (const kind of kinds)
      await world.fault('destination', { kind, ...call, ...(kind === 'apply_late' && { seconds: 1.1 }) })
    const run = await world.complete()
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 1, 1, 1])
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await callsTo(world, call)).toBe(4)
    expect(await counted(world, run.requestId)).toMatchObject({ brands: { discovered: 4, created: 4 } })
    expect(await rowsIn(world, 'destination', 'brands')).toBe(4)
  },
)

describe('when the store refuses what it has created', () => {
  test.each([
    ['a product', 409, '/v3/catalog/products$'],
    ['a product', 404, '/v3/catalog/products$'],
    ['a modifier', 422, '/v3/catalog/products/\\d+/modifiers$'],
  ])('B2: %s with %i, it is there once, with all of its parts', async (_what, status, path) => {
    const world = await aWorld({ catalogueOnly: true, requestTimeoutSeconds: 1 })
    await world.fault('destination', { kind: 'error_after_applying', status, method: 'POST', path })
    const run = await world.complete()
    expect((await world.faults('destination'))[0]?.hits).toBe(1)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectWhole(world, run.requestId)
  })

  test('B2: tax rates of one call with 422, each is there once', async () => {
    const world = await aWorld({ entities: ['tax-classes', 'tax-zones'], requestTimeoutSeconds: 1 })
    const call = { method: 'POST', path: '/v3/tax/rates$' }
    await world.fault('destination', { kind: 'error_after_applying', status: 422, ...call })
    const run = await world.complete()
    expect((await world.faults('destination'))[0]?.hits).toBe(1)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await rowsIn(world, 'source', 'tax_rates')).toBeGreaterThan(1)
    expect(await rowsIn(world, 'destination', 'tax_rates')).toBe(await rowsIn(world, 'source', 'tax_rates'))
  })

  test('B7: an order with 409, as if it were out of stock, it is there once, with its shipments', async () => {
    const world = await aWorld({ entities: ['currencies', 'orders'], requestTimeoutSeconds: 1 })
    const call = { method: 'POST', path: '/v2/orders$' }
    await world.fault('destination', { kind: 'error_after_applying', status: 409, ...call })
    const run = await world.complete()
    expect((await world.faults('destination'))[0]?.hits).toBe(1)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    for (const table of ['orders', 'order_shipments'])
      expect(await rowsIn(world, 'destination', table)).toBe(await rowsIn(world, 'source', table))
  })
})

test('B4: unconfirmed writes of a cancelled run are looked for by the next run before its first write', async () => {
  const world = await aWorld({ ...options, entities: ['products'], requestTimeoutSeconds: 3 })
  const call = { method: 'POST', path: '/v3/catalog/products$' }
  await world.fault('destination', { kind: 'hold_after_applying', ...call, times: null })
  const id = await world.migrate()
  await until('a product is held', async () => (await callsTo(world, call)) > 0)
  expect(await world.api('POST', `/v2/migrations/${id}/cancel`)).toMatchObject({ status: 202 })
  const cancelled = await world.finished(id, { status: 'cancelled' })
  await expectCountersToEqualTheLedger(world, id)
  expect(cancelled.counters.cancelled).toBeGreaterThan(0)
  const { rows: left } = await sql`select id from intents where run_id = ${id}`.execute(world.database)
  expect(left.length).toBeGreaterThan(0)
  await world.clearFaults('destination')
  await world.release('destination')
  await world.resetRequests('destination')
  const next = await world.complete()
  expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const requests = await world.requests('destination')
  const firstWrite = requests.findIndex(({ method }) => method !== 'GET')
  const lookups = requests
    .slice(0, firstWrite)
    .filter(({ path, query }) => path === '/v3/catalog/products' && /(^|&)(sku|name)=/.test(query))
  expect(lookups.length).toBeGreaterThanOrEqual(left.length)
  expect(await rowsIn(world, 'destination', 'products')).toBe(12)
  await expectCountersToEqualTheLedger(world, next.requestId)
  expect((await world.verify(next.requestId)).differences).toEqual([])
})

longTest(
  'B3: an image whose answer is lost is distinguished from similar older images, and not sent again',
  async () => {
    const world = await aWorld({ ...options, entities: ['products'] })
    await world.complete()
    const { products = [], images = [] } = await world.state('destination')
    const product = products.find(({ sku }) => sku === 'SKU-00004')
    const own = images.filter(({ product_id }) => product_id === product?.id)
    expect(own).toHaveLength(4)
    // One image is missing, not mapped, and pending: the others look the same except for their files.
    await world.change('destination', { op: 'remove', table: 'images', id: Number(own[1]?.id) })
    await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId} and component = 'product-images' and destination_id = ${String(own[1]?.id)}`)}`.execute(
      world.database,
    )
    await sql`update mappings set owed = '{children}', draft_checksum = null where ${mappingsWhere(sql`organisation_id = ${world.organisationId} and component = 'products' and destination_id = ${String(product?.id)}`)}`.execute(
      world.database,
    )
    await world.resetRequests('destination')
    await world.fault('destination', {
      kind: 'reset_after_applying',
      method: 'POST',
      path: `/products/${product?.id}/images$`,
    })
    const next = await world.complete()
    expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await callsTo(world, { method: 'POST', path: '/images$' })).toBe(1)
    expect(
      (await world.state('destination')).images?.filter(({ product_id }) => product_id === product?.id),
    ).toHaveLength(4)
    expect((await world.verify(next.requestId)).differences).toEqual([])
  },
)

test('B3: an image added by hand during the copy is not mistaken for the one whose answer was lost', async () => {
  const world = await aWorld({ ...options, entities: ['products'] })
  await world.complete()
  const { products = [], images = [] } = await world.state('destination')
  const product = Number(products.find(({ sku }) => sku === 'SKU-00004')?.id)
  const own = images.filter(({ product_id }) => product_id === product)
  expect(own).toHaveLength(4)
  // Two are missing. While the first is in flight, a person adds the other by hand; the call for that one is lost.
  const [, missing, byHand] = own.map(({ id }) => Number(id))
  const move = (product_id: number) =>
    world.change('destination', { op: 'set', table: 'images', id: Number(byHand), fields: { product_id } })
  await world.change('destination', { op: 'remove', table: 'images', id: Number(missing) })
  await move(999_999)
  await sql`delete from mappings where ${mappingsWhere(sql`organisation_id = ${world.organisationId} and component = 'product-images' and destination_id in (${String(missing)}, ${String(byHand)})`)}`.execute(
    world.database,
  )
  await sql`update mappings set owed = '{children}', draft_checksum = null where ${mappingsWhere(sql`organisation_id = ${world.organisationId} and component = 'products' and destination_id = ${String(product)}`)}`.execute(
    world.database,
  )
  await world.resetRequests('destination')
  const creation = { method: 'POST', path: `/products/${product}/images$` }
  await world.fault('destination', { kind: 'slow', ...creation, seconds: 0.8 })
  await world.fault('destination', { kind: 'reset_before_applying', ...creation })
  const id = await world.migrate()
  await until('the first image is on its way', async () => (await callsTo(world, creation)) > 0)
  await move(product)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await callsTo(world, creation)).toBe(3)
  expect((await world.state('destination')).images?.filter(({ product_id }) => product_id === product)).toHaveLength(5)
})

longTest('B2: a list that ends early does not prove that a write was not applied, and is read again', async () => {
  const world = await aWorld({ entities: ['blog-posts'], requestTimeoutSeconds: 1 })
  const posts = '/v2/blog/posts$'
  await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: posts })
  const id = await world.migrate()
  await until('a post is made', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  const early = await world.fault('destination', { kind: 'list_ends_early', method: 'GET', path: posts })
  const run = await world.finished(id)
  expect((await world.faults('destination')).find((fault) => fault.id === early)?.hits).toBe(1)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await rowsIn(world, 'destination', 'blog_posts')).toBe(await rowsIn(world, 'source', 'blog_posts'))
  expect((await world.findings(id)).map(({ code }) => code)).not.toContain('address_changed')
})
