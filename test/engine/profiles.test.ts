import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/start.ts'
import { PROFILES, switchesOf } from '../../sandbox/store/profiles.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { losePictures, setSource } from './healing-story.ts'

/** A shop as it is after some years: what its orders sold is sold out, and some pictures are gone. */
async function anOldShop(profile: string): Promise<World> {
  const quotas = { destination: { requests: 150, windowMs: 2_000 } }
  const world = await aWorld({
    switches: { destination: switchesOf(profile) },
    ...(profile === 'sliding-quota' && { quotas }),
  })
  const { products = [], variants = [], stock = [] } = await world.state('source')
  await losePictures(world)
  for (const { id } of stock) await setSource(world, 'stock', id, { quantity: 0 })
  for (const { id } of products) await setSource(world, 'products', id, { inventory_level: 0 })
  for (const { id } of variants) await setSource(world, 'variants', id, { inventory_level: 0 })
  return world
}

/** What no answer of a store may cost: whole items, and what belongs to them. */
const tables = [
  ...['products', 'variants', 'options', 'option_values', 'modifiers', 'custom_fields', 'product_metafields'],
  ...['brands', 'categories', 'customers', 'customer_groups', 'coupons', 'promotions', 'price_records', 'pages'],
  ...['orders', 'order_products', 'order_shipments', 'order_metafields', 'banners', 'currencies'],
]

/** Pictures that are gone, and the lines of orders that could not be linked. */
const usual = ['picture_not_fetched', 'lines_not_linked']

/** What is reported besides, by profile: code, or phase that the plan of the store does not have. */
const reportedBesides: Record<string, string[]> = {
  // The store says of the product only that something of it is missing.
  'picture-left-out': ['partly_saved'],
  'other-plan': ['segments'],
}

async function expectToBeCopied(profile: string): Promise<void> {
  const world = await anOldShop(profile)
  const { requestId } = await world.complete()
  const issues = await world.issues(requestId)
  const known = [...usual, ...(reportedBesides[profile] ?? [])]
  const others = issues.filter(({ code, phase }) => !known.includes(code) && !known.includes(phase))
  expect(others.map(({ code, message }) => `${code} ${message}`)).toEqual([])
  const [source, destination] = [await world.state('source'), await world.state('destination')]
  const lengths = (state: Record<string, unknown[]>) => tables.map((table) => `${table} ${state[table]?.length ?? 0}`)
  expect(lengths(destination)).toEqual(lengths(source))
  expect(destination.images).toHaveLength((source.images?.length ?? 0) - 1)
  await expectCountersToEqualTheLedger(world, requestId)
  // All but one of the orders sell something that is in stock no more.
  const unlinked = issues.filter(({ code }) => code === 'lines_not_linked')
  expect(unlinked).toHaveLength(profile === 'documented' ? 0 : 8)
  const pictures = issues.filter(({ code }) => code === 'picture_not_fetched')
  expect(pictures).toHaveLength(4)
}

test.each(
  isLong ? Object.keys(PROFILES) : ['documented', 'as-seen'],
)('an old shop is copied to a store that answers as %s: all products, all orders, no children lost', async (profile) => {
  await expectToBeCopied(profile)
})

longTest('values that a store shows otherwise than they were sent are not written again', async () => {
  const normalised = switchesOf('normalised-answers')
  const world = await aWorld({
    entities: ['customer-groups', 'categories', 'brands', 'products'],
    switches: { source: normalised, destination: normalised },
  })
  await world.complete()
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('texts that a store shows as null are copied to one that accepts no null, and are the same as empty ones', async () => {
  const entities = ['categories', 'brands', 'products']
  const switches = { source: switchesOf('normalised-answers') }
  const world = await aWorld({ seeds: { source: 'empty' }, entities, switches })
  const create = (path: string, body: object) => callStore(world, 'source', 'POST', path, body)
  await create('/v3/catalog/brands', { name: 'Acme' })
  await create('/v3/catalog/products', { name: 'Lamp', type: 'physical', weight: 1, price: 10 })
  const [tree] = await callStore<{ id: number }[]>(world, 'source', 'GET', '/v3/catalog/trees')
  await create('/v3/catalog/trees/categories', [{ name: 'Lamps', tree_id: tree?.id, parent_id: 0 }])
  expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
  for (const table of entities) {
    const [{ id = 0 } = {}, ...others] = (await world.state('destination'))[table] ?? []
    expect(others, table).toEqual([])
    const fields = { meta_description: 'Edited' }
    await world.change('destination', { op: 'set', table, id, fields })
  }
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const state = await world.state('destination')
  expect(entities.map((table) => state[table]?.[0]?.meta_description)).toEqual(['', '', ''])
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

test('an unknown profile is refused at the start, together with the known ones', async () => {
  await expect(startSandbox({ stores: [{ name: 'source', profile: 'as-sen' }] })).rejects.toThrow(
    /Unknown profile as-sen; there are documented, as-seen/,
  )
})

test('a name that every object has is no profile', () => {
  expect(() => switchesOf('constructor')).toThrow('Unknown profile constructor')
})

test('a switch given beside a profile wins', async () => {
  const stores = [{ name: 'source', profile: 'as-seen', switches: { order_stock: 'cut' } }]
  const sandbox = await startSandbox({ stores })
  try {
    expect(sandbox.store('source').switches).toMatchObject({ order_stock: 'cut', category_errors: 'flat' })
  } finally {
    await sandbox.close()
  }
})
