import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'

/** Text cut in the middle of a character, as by an app that counts code units. */
const cut = '\u{1f56f}'.slice(0, 1)

test('half a character in a text is copied as U+FFFD and NUL is dropped; verify finds no difference and a second run writes nothing', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['brands', 'products'] })
  await callStore(world, 'source', 'POST', '/v3/catalog/brands', {
    name: `Candles ${cut}`,
    meta_keywords: [`wax${cut}`],
  })
  const product = { name: 'Candle', type: 'physical', weight: 1, price: 2, description: `<p>Burns long${cut}\0</p>` }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', product)
  const run = await world.complete()
  expect(run.status).toBe('completed')
  const { brands = [], products = [] } = await world.state('destination')
  expect(brands).toContainEqual(expect.objectContaining({ name: 'Candles \ufffd', meta_keywords: ['wax\ufffd'] }))
  expect(products).toContainEqual(expect.objectContaining({ name: 'Candle', description: '<p>Burns long\ufffd</p>' }))
  expect(await world.verify(run.requestId)).toMatchObject({ differences: [] })
  await world.resetRequests('destination')
  await world.complete()
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a customer whose email has blanks at its ends, as from an old import, is copied without them; verify finds no difference and a second run writes nothing', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['customers'] })
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example' }
  await callStore(world, 'source', 'POST', '/v3/customers', [customer])
  const [made] = (await world.state('source')).customers ?? []
  const fields = { email: ' Ada@Example.com\t' }
  await world.change('source', { op: 'set', table: 'customers', id: made?.id ?? 0, fields })
  const run = await world.complete()
  expect(run.status).toBe('completed')
  expect((await world.state('destination')).customers).toMatchObject([{ email: 'Ada@Example.com' }])
  expect(await world.verify(run.requestId)).toMatchObject({ differences: [] })
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a product whose web address the platform does not accept any more is copied with another one, which an issue names without calling the old one taken', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const candle = { name: 'Candle', type: 'physical', weight: 1, price: 2 }
  const { id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', candle)
  const custom_url = { url: '/coffee%20 (old)/', is_customized: true }
  await world.change('source', { op: 'set', table: 'products', id, fields: { custom_url } })
  const { requestId } = await world.complete({ conflictStrategy: 'update' })
  const [issue, ...more] = (await world.issues(requestId)).filter(({ component }) => component === 'products')
  expect(more).toEqual([])
  expect(issue).toMatchObject({
    code: 'address_changed',
    message: `"Candle" (source ${id}) has the web address /coffee%20 (old)/ in the source, which is taken or not accepted at the destination; there it is /candle/.`,
  })
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('products, brands and categories without a web address, as from an old import, are copied once and left alone afterwards', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['categories', 'brands', 'products'] })
  const product = { name: 'Candle', type: 'physical', weight: 1, price: 2 }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', product)
  await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: 'Wax' })
  const [{ id: tree_id } = {}] = await callStore<{ id: number }[]>(world, 'source', 'GET', '/v3/catalog/trees')
  await callStore(world, 'source', 'POST', '/v3/catalog/trees/categories', [{ name: 'Light', tree_id, parent_id: 0 }])
  const { products = [], brands = [], categories = [] } = await world.state('source')
  const none = { custom_url: { url: '', is_customized: false } }
  await world.change('source', { op: 'set', table: 'products', id: products[0]?.id ?? 0, fields: none })
  await world.change('source', { op: 'set', table: 'brands', id: brands[0]?.id ?? 0, fields: none })
  const fields = { url: { path: '', is_customized: false } }
  await world.change('source', { op: 'set', table: 'categories', id: categories[0]?.id ?? 0, fields })
  const { requestId, status } = await world.complete({ conflictStrategy: 'update' })
  expect([status, await world.issues(requestId)]).toEqual(['completed', []])
  const copied = await world.state('destination')
  expect([copied.products, copied.brands, copied.categories]).toMatchObject([
    [{ name: 'Candle', custom_url: { url: '/candle/' } }],
    [{ name: 'Wax', custom_url: { url: '/brands/wax/' } }],
    [{ name: 'Light', url: { path: '/light/' } }],
  ])
  expect(await world.verify(requestId)).toMatchObject({ differences: [] })
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('prices and weights with more than the four decimals that the platform keeps are copied rounded; verify finds no difference and a second run writes nothing', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'price-lists'] })
  const candle = {
    ...{ name: 'Candle', type: 'physical', weight: 1, price: 2, sku: 'CANDLE' },
    bulk_pricing_rules: [{ quantity_min: 2, quantity_max: 0, type: 'percent', amount: 5 }],
  }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', candle)
  const list = { name: 'Trade', active: true }
  const { id: listId } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/pricelists', list)
  await callStore(world, 'source', 'PUT', `/v3/pricelists/${listId}/records`, [
    { sku: 'CANDLE', currency: 'usd', price: 1 },
  ])
  const before = await world.state('source')
  const spoil = (table: string, fields: object) =>
    world.change('source', { op: 'set', table, id: before[table]?.[0]?.id ?? 0, fields: { ...fields } })
  await spoil('products', { price: 12.34567, weight: 0.00004 })
  await spoil('variants', { price: 12.34567, width: 1.000051 })
  await spoil('bulk_pricing_rules', { amount: 5.55555 })
  const bulk_pricing_tiers = [{ quantity_min: 2, type: 'fixed', amount: 0.33333 }]
  await spoil('price_records', { price: 1.23456, bulk_pricing_tiers })
  const { requestId } = await world.complete()
  const after = await world.state('destination')
  expect(after).toMatchObject({
    products: [{ price: 12.3457, weight: 0 }],
    variants: [{ price: 12.3457, width: 1.0001 }],
    bulk_pricing_rules: [{ amount: 5.5556 }],
    price_records: [{ price: 1.2346, bulk_pricing_tiers: [{ amount: 0.3333 }] }],
  })
  expect(await world.verify(requestId)).toMatchObject({ differences: [] })
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('F4: a custom field and a quantity discount that the platform does not accept any more cost only themselves: their product is copied with all others, and an issue names each', async () => {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products'] })
  const candle = {
    ...{ name: 'Candle', type: 'physical', weight: 1, price: 2 },
    custom_fields: [
      { name: 'Colour', value: 'red' },
      { name: 'Scent', value: 'none' },
    ],
    bulk_pricing_rules: [
      { quantity_min: 2, quantity_max: 9, type: 'percent', amount: 5 },
      { quantity_min: 10, quantity_max: 0, type: 'percent', amount: 10 },
    ],
  }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', candle)
  const { custom_fields = [], bulk_pricing_rules = [] } = await world.state('source')
  const spoil = (table: string, id = 0, fields: object) =>
    world.change('source', { op: 'set', table, id, fields: { ...fields } })
  await spoil('custom_fields', custom_fields[1]?.id, { value: '' })
  await spoil('bulk_pricing_rules', bulk_pricing_rules[0]?.id, { type: 'gift' })
  for (const conflictStrategy of ['skip', 'update'] as const) {
    const { requestId } = await world.complete({ conflictStrategy })
    const failures = (await world.issues(requestId)).filter(({ severity }) => severity === 'failure')
    expect(failures.map(({ code, component }) => `${code} ${component}`).sort()).toEqual([
      'platform_refused product-bulk-pricing-rules',
      'platform_refused product-custom-fields',
    ])
    const after = await world.state('destination')
    expect(after.products).toMatchObject([{ name: 'Candle' }])
    expect(after.custom_fields).toMatchObject([{ name: 'Colour', value: 'red' }])
    expect(after.bulk_pricing_rules).toMatchObject([{ quantity_min: 10, amount: 10 }])
  }
})
