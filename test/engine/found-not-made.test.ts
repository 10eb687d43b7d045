import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { blogPosts } from '../../src/entities/content/blog-posts.ts'
import type { PlatformItem } from '../../src/entities/core/draft.ts'
import { identity } from '../../src/entities/core/references.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

const creation = { method: 'POST', path: '/v3/catalog/products$' }

/** A world in which one product is unconfirmed and not applied, while the merchant makes one with the same SKU. */
async function aMerchantIsFaster(
  body: object,
  options: WorldOptions = {},
): Promise<{ world: World; id: string; theirs: number }> {
  const world = await aWorld({ entities: ['products'], catalogueOnly: true, requestTimeoutSeconds: 1, ...options })
  await callStore(world, 'source', 'POST', '/v3/catalog/products', {
    name: 'Enamel Mug',
    sku: 'MUG-1',
    type: 'physical',
    weight: 1,
    price: 114.54,
    description: 'As in the source',
  })
  const mug = { ...creation, body: '"MUG-1"' }
  await world.fault('destination', { kind: 'error_before_applying', status: 503, ...mug })
  const id = await world.migrate(body)
  await until('the mug was refused', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  const made = await callStore<{ id: number }>(world, 'destination', 'POST', '/v3/catalog/products', {
    name: 'Enamel Mug',
    sku: 'MUG-1',
    type: 'physical',
    weight: 3,
    price: 99.5,
    description: 'The merchant wrote this',
  })
  return { world, id, theirs: made.id }
}

async function mugs(world: World) {
  const { products = [] } = await world.state('destination')
  return products.filter(({ sku }) => sku === 'MUG-1')
}

async function mappingOf(world: World, destinationId: number) {
  const { rows } = await sql`
    select origin, draft_checksum is null as unchecked from mappings_of_pairs
    where organisation_id = ${world.organisationId} and component = 'products' and destination_id = ${String(destinationId)}`.execute(
    world.database,
  )
  return rows
}

longTest(
  'G5: a product that the merchant makes while our own write is unconfirmed is adopted, and `skip` leaves it alone',
  async () => {
    const { world, id, theirs } = await aMerchantIsFaster({})
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await mugs(world)).toMatchObject([{ id: theirs, price: 99.5, description: 'The merchant wrote this' }])
    expect(await mappingOf(world, theirs)).toEqual([{ origin: 'adopted', unchecked: true }])
    const { products } = await counted(world, id)
    expect(products).toMatchObject({ skipped: 1, created: (products?.discovered ?? 0) - 1 })
    await expectCountersToEqualTheLedger(world, id)
  },
)

longTest('G5: `update` compares it and writes what differs', async () => {
  const { world, id, theirs } = await aMerchantIsFaster({ conflictStrategy: 'update' })
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await mugs(world)).toMatchObject([{ id: theirs, price: 114.54, description: 'As in the source' }])
  expect(await mappingOf(world, theirs)).toMatchObject([{ origin: 'adopted' }])
  const { products } = await counted(world, id)
  expect(products).toMatchObject({ updated: 1, created: (products?.discovered ?? 0) - 1 })
  await expectCountersToEqualTheLedger(world, id)
})

test('G5: one left unconfirmed by a cancelled run is adopted by the next run', async () => {
  // Long enough for the cancel to come before the run has looked again.
  const { world, id, theirs } = await aMerchantIsFaster({}, { settleSeconds: 4 })
  await world.api('POST', `/v2/migrations/${id}/cancel`)
  await world.finished(id, { status: 'cancelled' })
  const next = await world.complete()
  expect(next).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await mugs(world)).toMatchObject([{ id: theirs, price: 99.5 }])
  expect(await mappingOf(world, theirs)).toMatchObject([{ origin: 'adopted' }])
})

longTest(
  'B3: what appears between the last look for an unconfirmed write and its second sending is not taken for older',
  async () => {
    const world = await aWorld({ entities: ['blog-posts'], requestTimeoutSeconds: 1, settleSeconds: 6 })
    const path = '/v2/blog/posts$'
    const { blog_posts: posts = [] } = await world.state('source')
    const titles = async () => ((await world.state('destination')).blog_posts ?? []).map(({ title }) => title)
    const reads = async () =>
      (await world.requests('destination', 'GET')).filter((one) => one.path === '/v2/blog/posts')
    const shown = await callStore<PlatformItem[]>(world, 'source', 'GET', '/v2/blog/posts')
    const late = shown.find(({ title }) => title === 'Opening day') ?? {}
    await world.fault('destination', { kind: 'reset_before_applying', method: 'POST', path, body: 'Opening day' })
    const id = await world.migrate()
    await until('all others are copied', async () => (await titles()).length === posts.length - 1)
    const before = (await reads()).length
    await world.fault('destination', { kind: 'slow', method: 'GET', path, seconds: 0.3, times: null })
    await until('the baseline is read', async () => (await reads()).length === before + readsUpToBaseline)
    await callStore(world, 'destination', 'POST', '/v2/blog/posts', blogPosts.passes[0]?.drafts(late, identity).body)
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    // Once by the first sending, which was cut off, and once by the merchant's call, which stands for it.
    expect((await world.requests('destination', 'POST')).length).toBe(posts.length + 1)
    expect((await titles()).toSorted()).toEqual(posts.map(({ title }) => title).toSorted())
  },
)

/** Of the destination's posts: two looks, and the baseline. */
const readsUpToBaseline = 3
