import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'
import { counted } from './counted.ts'

test('stores that refuse every parameter and field which no published file names are copied whole, and a second run writes nothing', async () => {
  const strict = { unknown_parameters: 'refuse', unknown_fields: 'refuse', order_stock: 'cut' }
  const world = await aWorld({ switches: { source: strict, destination: strict } })
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, run.requestId)
  const requests = [...(await world.requests('source')), ...(await world.requests('destination'))]
  const lists = requests
    .filter(({ status }) => status === 400 || status === 422)
    .map(({ path }) => path.replace(/\d+/g, (id) => (/^[23]$/.test(id) ? id : '{id}')))
  // Of these lists no file says how they are paged.
  expect([...new Set(lists)].sort()).toEqual([
    '/v2/banners',
    '/v2/coupons',
    '/v2/shipping/zones',
    '/v2/shipping/zones/{id}/methods',
    '/v3/catalog/categories/{id}/products/sort-order',
    '/v3/channels/currency-assignments',
    '/v3/settings/search/filters/contexts',
    '/v3/tax/properties',
    '/v3/tax/rates',
    '/v3/tax/zones',
  ])
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

const tables = [
  'banners',
  'blog_posts',
  'coupons',
  'currencies',
  'customer_groups',
  'gift_certificates',
  'shipping_zones',
]

test('G16: a field that the platform adds to its answers is compared and not sent, so that no item is refused for it', async () => {
  const strict = { unknown_fields: 'refuse' }
  const entities = [
    'banners',
    'blog-posts',
    'categories',
    'brands',
    'coupons',
    'currencies',
    'customer-groups',
    'customers',
  ]
  const world = await aWorld({
    entities: [...entities, 'gift-certificates', 'shipping-zones', 'products'],
    switches: { destination: strict },
    requestTimeoutSeconds: 1,
    settleSeconds: 0,
  })
  const before = await world.state('source')
  for (const table of tables)
    for (const { id } of before[table] ?? [])
      await world.change('source', { op: 'set', table, id, fields: { brand_new: 'x' } })
  // What was sent without the field is still recognised after a lost answer.
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '^/v2/coupons$', times: 1 })
  const run = await world.complete()
  expect(run).toMatchObject({ failuresOpen: 0 })
  expect(await counted(world, run.requestId)).toMatchObject({ coupons: { created: before.coupons?.length } })
  const there = await world.state('destination')
  for (const table of tables) expect([table, there[table]?.length]).toEqual([table, before[table]?.length])
  const { differences } = await world.verify(run.requestId)
  expect(new Set(differences.flatMap(({ fields }) => fields?.map(({ path }) => path) ?? []))).toEqual(
    new Set(['brand_new']),
  )
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})
