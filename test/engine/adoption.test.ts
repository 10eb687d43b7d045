import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** Two shops that hold only what each test puts into them. */
const twoEmptyShops = () => aWorld({ seeds: { source: 'empty' }, entities: ['products'] })

async function plant(world: World, side: Side, name: string, sku: string): Promise<string> {
  const product = { name, sku, type: 'physical', weight: 1, price: 10 }
  const { id } = await callStore<{ id: number }>(world, side, 'POST', '/v3/catalog/products', product)
  return String(id)
}

/** The differences that a comparison finds. */
const compared = async (world: World) => world.differences((await world.complete({ mode: 'verify' })).requestId)

async function writesSeen(world: World): Promise<string[]> {
  const requests = await world.requests('destination')
  return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
}

test('B6: a destination that already has the whole catalogue is adopted one to one, counted as skipped and not written to', async () => {
  // As if the items had been copied by hand.
  const world = await aWorld({ seeds: { destination: 'tiny-catalogue' }, catalogueOnly: true })
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await writesSeen(world)).toEqual([])
  for (const [component, { discovered, ...counts }] of Object.entries(await counted(world, run.requestId)))
    expect(counts, component).toEqual({ skipped: discovered })
  await expectCountersToEqualTheLedger(world, run.requestId)
  const { rows } = await sql<{ component: string; items: number; counterparts: number }>`
    select component, count(*)::integer as items, count(distinct destination_id)::integer as counterparts from mappings_of_pairs
    where run_id = ${run.requestId} and origin = 'adopted' and component in ('brands', 'categories', 'products')
    group by 1 order by 1`.execute(world.database)
  expect(rows).toEqual([
    { component: 'brands', items: 4, counterparts: 4 },
    { component: 'categories', items: 6, counterparts: 6 },
    { component: 'products', items: 12, counterparts: 12 },
  ])
})

test('B6: the same name with another SKU is a conflict, never the same product', async () => {
  const world = await twoEmptyShops()
  const id = await plant(world, 'source', 'Field Lamp', 'LAMP-1')
  const other = await plant(world, 'destination', 'Field Lamp', 'LAMP-2')
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await world.issues(run.requestId)).toMatchObject([
    { code: 'natural_key_conflict', severity: 'failure', item: { sourceId: id, sku: 'LAMP-1' }, destinationId: other },
  ])
  expect(await writesSeen(world)).toEqual([])
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('B6: a customer attribute with the same name and another type is a conflict, and its values are left out', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customer-attributes', 'customers'] })
  const attribute = (side: 'source' | 'destination', type: string) =>
    callStore<{ id: number }[]>(world, side, 'POST', '/v3/customers/attributes', [{ name: 'Shoe size', type }])
  const [sized] = await attribute('source', 'number')
  const [other] = await attribute('destination', 'date')
  const values = [{ attribute_id: sized?.id, attribute_value: '42' }]
  const shopper = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example', attributes: values }
  await callStore(world, 'source', 'POST', '/v3/customers', [shopper])
  for (const conflictStrategy of ['skip', 'update']) {
    const run = await world.complete({ conflictStrategy })
    const issues = await world.issues(run.requestId)
    expect(issues.map(({ code }) => code).sort()).toEqual(['natural_key_conflict', 'reference_left_out'])
    const conflict = issues.find(({ code }) => code === 'natural_key_conflict')
    expect(conflict).toMatchObject({ destinationId: String(other?.id) })
    expect(conflict?.message).toContain('is of another type')
  }
  expect((await world.state('destination')).customer_attribute_values ?? []).toEqual([])
})

test('B6: when two source items match the same destination item, the second is a collision that names both', async () => {
  const world = await twoEmptyShops()
  const first = await plant(world, 'source', 'Canvas Bag', 'BAG-1')
  const second = await plant(world, 'source', 'Leather Bag', '')
  const existing = await plant(world, 'destination', 'Leather Bag', 'BAG-1')
  const run = await world.complete()
  expect(run.status).toBe('partial_completed')
  const [issue, ...others] = await world.issues(run.requestId)
  expect(others).toEqual([])
  expect(issue).toMatchObject({ code: 'natural_key_collision', item: { sourceId: second }, destinationId: existing })
  expect(issue?.message).toContain(first)
  await expectCountersToEqualTheLedger(world, run.requestId)
})

longTest(
  'B6: an item that another app creates during the run is adopted after the 409 and counted as skipped',
  async () => {
    const world = await twoEmptyShops()
    const id = await plant(world, 'source', 'Oak Stool', 'STOOL-1')
    const late = await plant(world, 'source', 'Pine Stool', 'STOOL-2')
    const creation = { method: 'POST', path: '/v3/catalog/products$' }
    await world.fault('destination', { kind: 'slow', ...creation, body: '"STOOL-2"', seconds: 1 })
    const started = await world.migrate()
    // Both writes are in flight; another app creates the same item before the second is applied.
    await until(
      'both were sent',
      async () => (await writesSeen(world)).filter((call) => /POST .*products$/.test(call)).length === 2,
    )
    const existing = await plant(world, 'destination', 'Pine Stool', 'STOOL-2')
    const run = await world.finished(started)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await counted(world, run.requestId)).toMatchObject({ products: { created: 1, skipped: 1 } })
    const { rows } = await sql`
    select source_id, destination_id, origin from mappings_of_pairs
    where run_id = ${run.requestId} and component = 'products' order by source_id::bigint`.execute(world.database)
    expect(rows).toMatchObject([
      { source_id: id, origin: 'created' },
      { source_id: late, destination_id: existing, origin: 'adopted' },
    ])
    await expectCountersToEqualTheLedger(world, run.requestId)
  },
)

test.each([
  'skip',
  'update',
  'replace',
])('B6: under `%s` an item that was deleted in the source and created again takes over the copy of the first one', async (conflictStrategy) => {
  const world = await aWorld({
    seeds: { source: 'empty' },
    entities: ['brands', 'products', 'customers', 'price-lists'],
  })
  const shopper = { email: 'again@shoppers.example', first_name: 'Again', last_name: 'Shopper' }
  const list = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/pricelists', { name: 'Trade' })
  const make = async () => {
    const brand = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', { name: 'Again' })
    const product = await plant(world, 'source', 'Again Lamp', 'AGAIN-1')
    const [customer] = await callStore<{ id: number }[]>(world, 'source', 'POST', '/v3/customers', [shopper])
    const metafield = { namespace: 'specs', key: 'glow', value: 'warm', permission_set: 'write' }
    await callStore(world, 'source', 'POST', `/v3/catalog/products/${product}/metafields`, metafield)
    const { base_variant_id: variant_id } = await callStore(world, 'source', 'GET', `/v3/catalog/products/${product}`)
    await callStore(world, 'source', 'PUT', `/v3/pricelists/${list.id}/records`, [
      { variant_id, currency: 'usd', price: 5 },
    ])
    return { brand, product, customer }
  }
  const first = await make()
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const there = async () => {
    const { brands = [], products = [], customers = [] } = await world.state('destination')
    return [...brands, ...products, ...customers].map(({ id }) => id)
  }
  const before = await there()
  await callStore(world, 'source', 'DELETE', `/v3/catalog/brands/${first.brand.id}`)
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${first.product}`)
  await callStore(world, 'source', 'DELETE', `/v3/customers?id:in=${first.customer?.id}`)
  await make()
  expect(await compared(world)).toEqual([])
  const run = await world.complete({ conflictStrategy, pruneLimitPercent: 100 })
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await there()).toEqual(before)
  await expectCountersToEqualTheLedger(world, run.requestId)
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

longTest('B6: so does one of a kind that may share its key with others', async () => {
  const entities = ['blog-posts', 'promotions', 'banners']
  const world = await aWorld({ entities })
  await world.complete({ entities: ['categories', 'brands', 'products', ...entities] })
  const before = await world.state('destination')
  for (const table of ['blog_posts', 'promotions', 'banners']) {
    const [row] = (await world.state('source'))[table] ?? []
    await world.change('source', { op: 'double', table, id: Number(row?.id) })
    await world.change('source', { op: 'remove', table, id: Number(row?.id) })
  }
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const after = await world.state('destination')
  for (const table of ['blog_posts', 'promotions', 'banners']) expect(after[table]).toEqual(before[table])
})

test('B6: what somebody made at the destination in the place of a deleted copy is adopted, and no second one is created', async () => {
  const entities = ['blog-posts', 'promotions', 'banners']
  const world = await aWorld({ entities })
  await world.complete({ entities: ['categories', 'brands', 'products', ...entities] })
  const there = async () => {
    const { blog_posts = [], promotions = [], banners = [] } = await world.state('destination')
    return { blog_posts, promotions, banners }
  }
  for (const [table, [row]] of Object.entries(await there())) {
    await world.change('destination', { op: 'double', table, id: Number(row?.id) })
    await world.change('destination', { op: 'remove', table, id: Number(row?.id) })
  }
  const before = await there()
  expect((await compared(world)).filter(({ kind }) => kind !== 'different')).toEqual([])
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.issues(run.requestId)).map(({ code }) => code)).not.toContain('destination_deleted')
  expect(await there()).toEqual(before)
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('D2: skip adds nothing to an adopted product, not even metafields', async () => {
  const world = await twoEmptyShops()
  const id = await plant(world, 'source', 'Wool Rug', 'RUG-1')
  const metafield = { namespace: 'specs', key: 'pile', value: '9 mm', permission_set: 'write' }
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${id}/metafields`, metafield)
  await plant(world, 'destination', 'Wool Rug', 'RUG-1')
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run.status).toBe('completed')
  expect(await writesSeen(world)).toEqual([])
  expect((await world.state('destination')).product_metafields ?? []).toEqual([])
  // Nor does it once `update` has written the product: it stays the merchant's.
  await world.complete({ conflictStrategy: 'update' })
  const another = { ...metafield, key: 'width' }
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${id}/metafields`, another)
  await world.complete()
  expect((await world.state('destination')).product_metafields?.map(({ key }) => key)).toEqual(['pile'])
})

longTest('C4: a new promotion refers to variants of products that already existed, and is enabled', async () => {
  const world = await aWorld({ seeds: { source: 'tiny', destination: 'tiny' } })
  const like = (await world.state('source')).promotions?.find(({ rules }) => JSON.stringify(rules).includes('variants'))
  const { id } = await world.change('source', { op: 'double', table: 'promotions', id: Number(like?.id) })
  const fields = { name: 'Names a variant', status: 'ENABLED' }
  await world.change('source', { op: 'set', table: 'promotions', id: Number(id), fields })
  const run = await world.complete({ entities: ['promotions'] })
  expect(await world.issues(run.requestId)).toEqual([])
  const copy = (await world.state('destination')).promotions?.find(({ name }) => name === fields.name)
  expect(copy).toMatchObject({ status: 'ENABLED' })
  expect(
    compareStores(await world.state('source'), await world.state('destination')).filter(
      ({ entity }) => entity === 'promotions',
    ),
  ).toEqual([])
})

test('D2: of an adopted product, `skip` does not say that it was copied without a brand', async () => {
  const world = await twoEmptyShops()
  for (const side of ['source', 'destination'] as const) await plant(world, side, 'Mug', 'MUG')
  const { id: brand_id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/brands', {
    name: 'Acme',
  })
  const [mug] = (await world.state('source')).products ?? []
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${mug?.id}`, { brand_id })
  const { requestId } = await world.complete()
  expect((await world.issues(requestId)).map(({ code }) => code)).toEqual([])
})

test('B6: an item that took the key of one that the source does not have any more becomes the owner of its copy', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customers', 'subscribers'] })
  const email = 'comes-back@example.com'
  const list = '/v3/customers/subscribers'
  const customer = (first_name: string) => [{ email, first_name, last_name: 'Example' }]
  const register = (name: string) =>
    callStore<{ id: number }[]>(world, 'source', 'POST', '/v3/customers', customer(name))
  const subscribe = () => callStore<{ id: number }>(world, 'source', 'POST', list, { email })
  const [[person], subscription] = [await register('Ada'), await subscribe()]
  await world.complete()
  await callStore(world, 'source', 'DELETE', `/v3/customers?id:in=${person?.id}`)
  await callStore(world, 'source', 'DELETE', `${list}/${subscription.id}`)
  await register('Ada Maria')
  await subscribe()
  for (const mode of ['dry-run', 'full'])
    expect(await world.complete({ mode, conflictStrategy: 'update' })).toMatchObject({
      status: 'completed',
      failuresOpen: 0,
    })
  const { customers, subscribers } = await world.state('destination')
  expect(customers).toMatchObject([{ email, first_name: 'Ada Maria' }])
  expect(subscribers).toMatchObject([{ email }])
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect(await writesSeen(world)).toEqual([])
})

test('B6: a product that the source deleted and made again keeps its copy, with prices and stock', async () => {
  const entities = ['locations', 'customer-attributes', 'products', 'price-lists', 'inventory']
  const world = await aWorld({ seeds: { source: 'empty' }, entities })
  const product = { name: 'Kite', sku: 'KITE', type: 'physical', weight: 1, price: 10 }
  const stocked = { ...product, inventory_tracking: 'product', inventory_level: 4 }
  const create = <Data>(path: string, body: object) => callStore<Data>(world, 'source', 'POST', path, body)
  const list = await create<{ id: number }>('/v3/pricelists', { name: 'Wholesale' })
  const make = async () => {
    const [attribute] = await create<{ id: number }[]>('/v3/customers/attributes', [{ name: 'Size', type: 'string' }])
    const made = await create<{ id: number; base_variant_id: number }>('/v3/catalog/products', stocked)
    const price = { variant_id: made.base_variant_id, currency: 'usd', price: 8 }
    await callStore(world, 'source', 'PUT', `/v3/pricelists/${list.id}/records`, [price])
    return { product: made.id, attribute: attribute?.id }
  }
  const first = await make()
  await world.complete()
  const copy = (await world.state('destination')).products?.[0]
  await callStore(world, 'source', 'DELETE', `/v3/catalog/products/${first.product}`)
  await callStore(world, 'source', 'DELETE', `/v3/customers/attributes?id:in=${first.attribute}`)
  await make()
  for (const conflictStrategy of ['skip', 'update', 'replace'])
    expect(await world.complete({ conflictStrategy })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { products, price_records, customer_attributes } = await world.state('destination')
  expect(products).toMatchObject([{ id: copy?.id, sku: 'KITE' }])
  expect(price_records).toMatchObject([{ price: 8 }])
  expect(customer_attributes).toMatchObject([{ name: 'Size' }])
})

test('B6: `skip` names the way out for a product with the name that another one had when it was copied', async () => {
  const world = await twoEmptyShops()
  const first = await plant(world, 'source', 'Lamp', 'LAMP-1')
  await world.complete()
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${first}`, { name: 'Old Lamp' })
  await plant(world, 'source', 'Lamp', 'LAMP-2')
  const run = await world.complete()
  const [issue, ...others] = await world.issues(run.requestId)
  expect(others).toEqual([])
  expect(issue).toMatchObject({
    code: 'natural_key_conflict',
    remedy: expect.stringContaining('Run again with `update`'),
  })
  expect(await world.complete({ conflictStrategy: 'update' })).toMatchObject({ status: 'completed', failuresOpen: 0 })
})

test('an order of products that the destination had already is linked to them, with variants and choices', async () => {
  const entities = ['tax-classes', 'categories', 'brands', 'products', 'currencies', 'orders']
  const switches = { destination: { order_stock: 'cut' } }
  const world = await aWorld({ seeds: { destination: 'tiny-catalogue' }, entities, switches })
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const linked = async (side: Side) => {
    const { order_products: lines = [], products = [], variants = [] } = await world.state(side)
    return lines
      .map(({ name, product_id, variant_id }) => {
        const product = products.find(({ id }) => id === product_id)
        return [name, product?.name, variants.find(({ id }) => id === variant_id)?.sku].join(' ')
      })
      .sort()
  }
  expect(await linked('destination')).toEqual(await linked('source'))
  expect((await writesSeen(world)).filter((call) => call.includes('/catalog/'))).toEqual([])
})

test('the products of a new category are sorted, although one of them was there already and is in no category', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['categories', 'products'] })
  const [tree] = await callStore<{ id: number }[]>(world, 'source', 'GET', '/v3/catalog/trees')
  const path = '/v3/catalog/trees/categories'
  const [lamps] = await callStore<{ category_id: number }[]>(world, 'source', 'POST', path, [
    { tree_id: tree?.id, name: 'Lamps', parent_id: 0 },
  ])
  const order: { product_id: number; sort_order: number }[] = []
  for (const [sort_order, name] of ['Oak Lamp', 'Pine Lamp', 'Elm Lamp'].entries()) {
    const product_id = Number(await plant(world, 'source', name, ''))
    await callStore(world, 'source', 'PUT', `/v3/catalog/products/${product_id}`, { categories: [lamps?.category_id] })
    order.unshift({ product_id, sort_order })
  }
  await callStore(world, 'source', 'PUT', `/v3/catalog/categories/${lamps?.category_id}/products/sort-order`, order)
  await plant(world, 'destination', 'Pine Lamp', '')
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const sorted = async () => {
    const { products = [], product_categories = [] } = await world.state('destination')
    const position = (id: number) => product_categories.find(({ product_id }) => product_id === id)?.sort_order
    return Object.fromEntries(products.map(({ id, name }) => [name, position(id)]))
  }
  expect(await sorted()).toEqual({ 'Oak Lamp': 0, 'Elm Lamp': 2 })
  expect(await world.complete({ conflictStrategy: 'update' })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await sorted()).toEqual({ 'Oak Lamp': 0, 'Pine Lamp': 1, 'Elm Lamp': 2 })
})
