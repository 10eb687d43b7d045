import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { expectWhole } from '../kills/expect-whole.ts'
import { counted } from './counted.ts'

test('G16: nothing is sent that no published file names, the copy is whole, and a second run writes nothing', async () => {
  const strict = { order_stock: 'cut' }
  const world = await aWorld({ switches: { source: strict, destination: strict } })
  const run = await world.complete()
  expect(await world.issues(run.requestId)).toEqual([])
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectWhole(world, run.requestId)
  const requests = [...(await world.requests('source')), ...(await world.requests('destination'))]
  const refused = requests.filter(({ status }) => status === 400 || status === 422)
  expect(refused.map(({ method, path }) => `${method} ${path}`)).toEqual([])
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
