import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('F2: a counts run tells totals by component, reads no item and never calls the destination', async () => {
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
  expect(run.summaryLine).toMatch(/^Counted .*\b6 categories, 4 brands, 12 products\b/)
  await expectCountersToEqualTheLedger(world, run.requestId)
})

test('F2: it counts what is in its scope only', async () => {
  const run = await world.complete({ mode: 'counts', entities: ['brands'] })
  expect(run.phases.map(({ key, total }) => [key, total])).toEqual([['brands', expect.any(Number)]])
  expect(run.phases[0]?.total).toBeGreaterThan(3)
})
