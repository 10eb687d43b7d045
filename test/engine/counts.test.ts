import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

test('F2: a counts run reports totals by component, reads no item and never calls the destination', async () => {
  const world = await aWorld()
  await world.resetRequests('source')
  await world.resetRequests('destination')
  const run = await world.complete({ mode: 'counts' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const source = await world.state('source')
  const count = (table: string) => source[table]?.length ?? 0
  const totals = Object.fromEntries(
    run.phases.flatMap(({ components }) => components).map(({ key, total }) => [key, total]),
  )
  expect(totals).toMatchObject({
    categories: count('categories'),
    brands: count('brands'),
    products: count('products'),
    'product-variants': count('variants'),
    'product-metafields': count('product_metafields'),
    'price-lists': count('price_lists'),
    'price-records': count('price_records'),
    'price-list-assignments': count('price_list_assignments'),
    'customer-groups': count('customer_groups'),
    customers: count('customers'),
    subscribers: count('subscribers'),
    segments: count('segments'),
    'segment-members': count('segment_members'),
    wishlists: count('wishlists'),
    coupons: count('coupons'),
    promotions: count('promotions'),
    banners: count('banners'),
    scripts: count('scripts'),
    'gift-certificates': count('gift_certificates'),
  })
  const counters = Object.values(run.counters).reduce((sum, some) => sum + some, 0)
  expect(counters).toBe(0)
  for (const { total: _t, key: _k, label: _l, errors, ...others } of run.phases.flatMap((one) => one.components))
    expect([errors, ...Object.values(others)].filter(Boolean)).toEqual([])
  expect(await world.requests('destination')).toEqual([])
  const lists = (await world.requests('source')).filter(({ path }) => path.startsWith('/v3/catalog'))
  expect(lists.filter(({ query }) => !query.includes('limit=1') && query !== '')).toEqual([])
  expect(run.summaryLine).toMatch(/^Counted .*\b6 categories, 12 products\b.* more kinds/)
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('F2: a counts run counts only what is in its scope', async () => {
  const world = await aWorld({ catalogueOnly: true })
  const run = await world.complete({ mode: 'counts', entities: ['brands'] })
  expect(run.phases.map(({ key, total }) => [key, total])).toEqual([['brands', expect.any(Number)]])
  expect(run.phases[0]?.total).toBeGreaterThan(3)
})

test('F2: a counts run asks each shipping zone for its methods once', async () => {
  const world = await aWorld()
  const { requestId } = await world.complete({ mode: 'counts', entities: ['shipping-zones'] })
  const { started } = (await world.detail(requestId)).timestamps
  const asked = (await world.requests('source')).filter(({ at, path }) => at >= `${started}` && /methods$/.test(path))
  const { shipping_zones = [] } = await world.state('source')
  expect(shipping_zones.length).toBeGreaterThan(1)
  expect(asked.map(({ path }) => path).sort()).toEqual(
    shipping_zones.map(({ id }) => `/v2/shipping/zones/${id}/methods`).sort(),
  )
})

test('F2: a counts run over one order status counts its orders exactly, and fewer order metafields than the source has', async () => {
  const world = await aWorld()
  const [metafield] = (await world.state('source')).order_metafields ?? []
  for (let more = 0; more < 8; more++)
    await world.change('source', { op: 'double', table: 'order_metafields', id: metafield?.id ?? 0 })
  const counted = async (settings: object) => {
    const run = await world.complete({ mode: 'counts', entities: ['orders'], ...settings })
    const components = run.phases.flatMap((phase) => phase.components)
    return ['orders', 'order-metafields'].map((name) => components.find(({ key }) => key === name)?.total)
  }
  const { orders = [], order_metafields = [] } = await world.state('source')
  const completed = orders.filter(({ status_id }) => status_id === 10)
  expect(await counted({})).toEqual([orders.length, order_metafields.length])
  // No call counts the metafields of these orders alone, so their number is the forecast's.
  const [requested, onThem] = await counted({ orderStatuses: ['10'] })
  expect(requested).toBe(completed.length)
  expect(onThem).toBeLessThan(order_metafields.length)
  const every = [...new Set(orders.map(({ status_id }) => String(status_id)))]
  expect(await counted({ orderStatuses: every })).toEqual([orders.length, order_metafields.length])
})
