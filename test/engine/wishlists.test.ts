import { expect, test } from 'vitest'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { testEntityStory } from './entity-story.ts'
import { tablesContaining } from './tables-containing.ts'

const path = '/v3/wishlists'
const wishedFor = ['categories', 'brands', 'products', 'customer-groups', 'customer-attributes', 'customers']

testEntityStory({
  name: 'wishlists',
  phases: ['wishlists'],
  component: 'wishlists',
  table: 'wishlists',
  judged: ['wishlists'],
  edit: { name: 'Renamed there' },
  creation: { method: 'POST', path: `^${path}$` },
  onlyThere: async (there) => {
    const [customer] = (await there.state('destination')).customers ?? []
    const list = { customer_id: customer?.id, name: 'Only there', is_public: false, items: [] }
    return callStore(there, 'destination', 'POST', path, list)
  },
  arrange: (world) => world.complete({ entities: wishedFor }),
})

/** A store with one customer, who may wish for one product. */
async function oneCustomer() {
  const world = await aWorld({ seeds: { source: 'empty' }, entities: ['products', 'customers', 'wishlists'] })
  const product = { name: 'Kite', type: 'physical', weight: 1, price: 10 }
  const { id: product_id } = await callStore<{ id: number }>(world, 'source', 'POST', '/v3/catalog/products', product)
  const customer = { email: 'wisher@example.com', first_name: 'Ada', last_name: 'Example' }
  const customers = await callStore<{ id: number }[]>(world, 'source', 'POST', '/v3/customers', [customer])
  const customer_id = customers[0]?.id
  const wish = (name: string, more: object = {}) =>
    callStore<{ id: number }>(world, 'source', 'POST', path, {
      customer_id,
      name,
      is_public: true,
      items: [],
      ...more,
    })
  return { world, wish, items: [{ product_id }] }
}

const rows = async (world: World, table: string, side: Side = 'destination') => (await world.state(side))[table] ?? []
const differences = async (world: World) =>
  compareStores(await world.state('source'), await world.state('destination')).filter(
    ({ entity }) => entity === 'wishlists',
  )

longTest(
  'B2: of two lists with one name whose answers are lost, one before and one after creation, neither is mistaken for the other',
  async () => {
    const { world, wish, items } = await oneCustomer()
    await wish('Wished for twice')
    await wish('Wished for twice', { is_public: false, items })
    const lost = { method: 'POST', path: `^${path}$`, times: 1 } as const
    const body = (open: boolean) => `(?=.*Wished for twice)(?=.*"is_public":${open})`
    await world.fault('destination', { ...lost, kind: 'error_after_applying', body: body(true) })
    await world.fault('destination', { ...lost, kind: 'error_before_applying', body: body(false) })
    expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1, 1])
    expect(await rows(world, 'wishlists')).toHaveLength(2)
    expect(await differences(world)).toEqual([])
  },
)

longTest(
  'B3: a customer’s lists are read before a list is created, except for customers that the run created',
  async () => {
    const { world, wish } = await oneCustomer()
    const countListReads = async () =>
      (await world.requests('destination', 'GET')).filter(
        (one) => one.path === path && one.query.includes('customer_id='),
      ).length
    await wish('Wished for at once')
    await world.complete()
    expect(await countListReads()).toBe(0)
    await wish('Wished for later')
    await world.complete()
    expect(await countListReads()).toBe(1)
    expect(await rows(world, 'wishlists')).toHaveLength(2)
    expect(await differences(world)).toEqual([])
  },
)

longTest(
  'S9: the names of lists are nowhere in the database, neither while they are in flight nor after the run',
  async () => {
    const { world, wish } = await oneCustomer()
    await wish('A Planted Wish')
    const texts = ['A Planted Wish', 'a planted wish']
    await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: `^${path}$` })
    const id = await world.migrate()
    await until('a list is held', async () =>
      (await world.requests('destination', 'POST')).some((one) => one.path === path && one.status === null),
    )
    expect(await tablesContaining(world, texts)).toEqual([])
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await tablesContaining(world, texts)).toEqual([])
    expect(await differences(world)).toEqual([])
  },
)

longTest('C2: update restores a product removed from a list', async () => {
  const { world, wish, items } = await oneCustomer()
  await wish('Birthday', { items })
  await world.complete()
  const [item] = await rows(world, 'wishlist_items')
  await world.change('destination', { op: 'remove', table: 'wishlist_items', id: item?.id ?? 0 })
  expect(await differences(world)).toHaveLength(1)
  await world.complete({ conflictStrategy: 'update' })
  expect(await differences(world)).toEqual([])
})

test('G3: what a shopper adds to a copied list at the destination stays on it', async () => {
  const { world, wish, items } = await oneCustomer()
  const { id } = await wish('Birthday', { items })
  const more = { name: 'Kite string', type: 'physical', weight: 1, price: 2 }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', more)
  await callStore(world, 'source', 'POST', '/v3/catalog/products', { ...more, name: 'Kite tail' })
  await world.complete()
  const wanted = async () => {
    const names = new Map((await rows(world, 'products')).map((product) => [product.id, product.name]))
    return (await rows(world, 'wishlist_items')).map((item) => names.get(Number(item.product_id))).sort()
  }
  const named = async (name: string, side: Side) =>
    (await rows(world, 'products', side)).find((row) => row.name === name)
  const [copy] = await rows(world, 'wishlists')
  const added = { items: [{ product_id: (await named('Kite tail', 'destination'))?.id }] }
  await callStore(world, 'destination', 'POST', `${path}/${copy?.id}/items`, added)
  for (const conflictStrategy of ['update', 'replace']) {
    await world.complete({ conflictStrategy })
    expect(await wanted()).toEqual(['Kite', 'Kite tail'])
  }
  const wishedHere = { items: [{ product_id: (await named('Kite string', 'source'))?.id }] }
  await callStore(world, 'source', 'POST', `${path}/${id}/items`, wishedHere)
  const { requestId } = await world.complete({ conflictStrategy: 'update' })
  expect(await wanted()).toEqual(['Kite', 'Kite string', 'Kite tail'])
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('G3: a list is updated although its shopper wished for a product that the destination has deleted since, and keeps the other wishes', async () => {
  const { world, wish, items } = await oneCustomer()
  const { id } = await wish('Birthday')
  await world.complete()
  const there = (method: string, at: string, body?: object) =>
    callStore<{ id: number }>(world, 'destination', method, at, body)
  const product = (name: string) =>
    there('POST', '/v3/catalog/products', { name, type: 'physical', weight: 1, price: 2 })
  const [gone, kept] = [await product('Sold out'), await product('Only here')]
  const [copy] = await rows(world, 'wishlists')
  const added = { items: [{ product_id: gone.id }, { product_id: kept.id }] }
  await there('POST', `${path}/${copy?.id}/items`, added)
  await there('DELETE', `/v3/catalog/products/${gone.id}`)
  await callStore(world, 'source', 'POST', `${path}/${id}/items`, { items })
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const kite = (await rows(world, 'products')).find(({ name }) => name === 'Kite')
  const wanted = (await rows(world, 'wishlist_items')).map(({ product_id }) => product_id)
  expect(wanted.sort()).toEqual([kept.id, kite?.id].sort())
})

test('C1, G3: a wish for a product that is copied later comes to its list, beside what the shopper has added meanwhile', async () => {
  const { world, wish, items } = await oneCustomer()
  const more = { name: 'Kite tail', type: 'physical', weight: 1, price: 2 }
  await callStore(world, 'source', 'POST', '/v3/catalog/products', more)
  await wish('Birthday', { items })
  await world.fault('destination', {
    ...{ kind: 'error_before_applying', method: 'POST', path: '/catalog/products$', status: 422, times: 1 },
  })
  const { requestId } = await world.complete({ autoHeal: false })
  const wanted = async () => {
    const names = new Map((await rows(world, 'products')).map((product) => [product.id, product.name]))
    return (await rows(world, 'wishlist_items')).map((item) => names.get(Number(item.product_id))).sort()
  }
  expect(await wanted()).toEqual([])
  const [copy] = await rows(world, 'wishlists')
  const [tail] = await rows(world, 'products')
  await callStore(world, 'destination', 'POST', `${path}/${copy?.id}/items`, { items: [{ product_id: tail?.id }] })
  await world.api('POST', `/v2/migrations/${requestId}/heal`)
  expect(await world.finished(requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await wanted()).toEqual(['Kite', 'Kite tail'])
})

longTest(
  'B6: two lists of one customer with the same name are two copies, and a second run mistakes neither for the other',
  async () => {
    const { world, wish, items } = await oneCustomer()
    await wish('Birthday', { items })
    await wish('Birthday')
    await world.complete()
    expect(await rows(world, 'wishlists')).toHaveLength(2)
    await world.resetRequests('destination')
    await world.complete({ conflictStrategy: 'update' })
    expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
    expect(await differences(world)).toEqual([])
  },
)

test('C4: a product that is gone is left out of a list and reported, and a list whose customer is gone is not copied', async () => {
  const { world, wish, items } = await oneCustomer()
  await wish('Birthday', { items })
  const { id } = await wish('Without a customer')
  const [item] = await rows(world, 'wishlist_items', 'source')
  const gone = { product_id: 4711, variant_id: 4711 }
  await world.change('source', { op: 'set', table: 'wishlist_items', id: item?.id ?? 0, fields: gone })
  await world.change('source', { op: 'set', table: 'wishlists', id, fields: { customer_id: 4711 } })
  const run = await world.complete()
  const reported = (await world.issues(run.requestId)).filter(({ component }) => component === 'wishlists')
  expect(reported.map(({ code, item }) => `${code} ${item.sourceId}`).sort()).toEqual([
    `missing_reference ${id}`,
    expect.stringMatching(/^reference_left_out /),
  ])
  expect(await rows(world, 'wishlists')).toHaveLength(1)
})

test('C2: a list that was given to another customer at the destination is given back by update, with a warning', async () => {
  const { world, wish } = await oneCustomer()
  await wish('Birthday')
  await world.complete()
  const other = { email: 'other@example.com', first_name: 'Grace', last_name: 'Example' }
  const [stranger] = await callStore<{ id: number }[]>(world, 'destination', 'POST', '/v3/customers', [other])
  const [copy] = await rows(world, 'wishlists')
  const moved = { customer_id: stranger?.id, name: 'Birthday', is_public: true, items: [] }
  await callStore(world, 'destination', 'PUT', `${path}/${copy?.id}`, moved)

  const run = await world.complete({ conflictStrategy: 'update' })
  expect((await world.issues(run.requestId)).map(({ component, code }) => [component, code])).toEqual([
    ['wishlists', 'destination_changed'],
  ])
  expect(await rows(world, 'wishlists')).toMatchObject([{ id: copy?.id, customer_id: copy?.customer_id }])
})
