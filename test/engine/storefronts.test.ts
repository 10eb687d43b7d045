import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { requestControl } from '../kills/request-control.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'
import { pausedAtProducts } from './paused-at-products.ts'
import { comparedWithItsPlan } from './planned.ts'
import {
  addStorefront,
  editTheFirst,
  expectOutletUnchangedBy,
  firstPair,
  outletOf,
  outletPair,
  ownOf,
  type Row,
  rows,
  rowsOf,
  shownBy,
} from './two-storefronts.ts'

const catalogue = ['categories', 'brands', 'products']
const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }

/** The same two storefronts on both sides; nothing has been copied yet. */
const aWorldOfEquals = (entities = catalogue) =>
  aWorld({ seeds: { source: 'tiny-two-storefronts', destination: 'tiny-two-storefronts' }, entities })

/** Two storefronts on both sides, empty at the destination. */
async function aWorldToFill(entities = catalogue): Promise<World> {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities })
  await addStorefront(world)
  return world
}

const shown = async (world: World, side: Side, channelId: number) => shownBy(await world.state(side), channelId)

async function cataloguesDiffer(world: World) {
  const all = compareStores(await world.state('source'), await world.state('destination'))
  return all.filter(({ entity }) => entity.startsWith('product') || catalogue.includes(entity))
}

/** A product that both storefronts sell. */
async function productOnBoth(world: World): Promise<Row> {
  const sold = Map.groupBy(await rows(world, 'source', 'product_channel_assignments'), ({ product_id }) => product_id)
  const product = (await rows(world, 'source', 'products')).find(({ id }) => (sold.get(id)?.length ?? 0) > 1)
  if (!product) throw new Error('The seed has a product that both storefronts sell.')
  return product
}

const asPlanned = { onlyPlanned: [], onlyDone: [] }

/** A product that only the second storefront sells. */
async function productOfOutlet(world: World): Promise<Row> {
  const sold = ownOf(await world.state('source'), 1).assignments.map(({ product_id }) => product_id)
  const product = (await rows(world, 'source', 'products')).find(({ id }) => !sold.includes(id))
  if (!product) throw new Error('The seed has a product that the second storefront alone sells.')
  return product
}

longTest(
  'D3: replace makes one storefront match the source, and leaves the other one unchanged byte for byte',
  async () => {
    const world = await aWorldOfEquals(['store-settings', 'customer-groups', ...catalogue, 'price-lists'])
    await editTheFirst(world)
    await expectOutletUnchangedBy(world, async () => {
      const run = await world.complete({ ...firstPair, conflictStrategy: 'replace', ...limits })
      expect(run).toMatchObject({ status: 'completed', ...firstPair })
      await expectCountersToEqualTheLedger(world, run.requestId)
    })
    expect(await shown(world, 'destination', 1)).toEqual(await shown(world, 'source', 1))
  },
)

longTest(
  'D3, C2: update writes one storefront only, verify reports differences of that one alone, and a second run writes nothing',
  async () => {
    const world = await aWorldOfEquals()
    await editTheFirst(world)
    const update = { ...firstPair, conflictStrategy: 'update' }
    await expectOutletUnchangedBy(world, () => world.complete(update))
    const [expected, there] = [await shown(world, 'source', 1), await shown(world, 'destination', 1)]
    expect(there.products).toEqual(expected.products)
    const extra = there.categories.filter((category) => !expected.categories.includes(category))
    expect(extra.map((one) => one.trim())).toEqual(['/Only There'])
    await world.resetRequests('destination')
    const second = await world.complete(update)
    expect(await writesTo(world)).toEqual([])

    const describeOne = async (channelId: number) => {
      const [one] = ownOf(await world.state('destination'), channelId).categories
      const edited = [{ category_id: one?.id, description: '<p>Edited</p>' }]
      await callStore(world, 'destination', 'PUT', '/v3/catalog/trees/categories', edited)
    }
    const reported = async () =>
      (await world.verify(second.requestId)).differences.map(({ component, kind }) => `${component} ${kind}`)
    await describeOne(await outletOf(world, 'destination'))
    expect(await reported()).toEqual(['categories extra'])
    await describeOne(1)
    expect((await reported()).sort()).toEqual(['categories different', 'categories extra'])
  },
)

test('D3: of related products, those of the other storefront are kept, and those of this one match the source', async () => {
  const world = await aWorldOfEquals()
  const source = await world.state('source')
  const sold = new Set(ownOf(source, 1).assignments.map(({ product_id }) => product_id))
  const [one, related] = rowsOf(source, 'products').filter(({ id }) => sold.has(id))
  const elsewhere = rowsOf(source, 'products').find(({ id }) => !sold.has(id))
  const copyOf = async (row?: Row) =>
    (await rows(world, 'destination', 'products')).find(({ name }) => name === row?.name)
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${one?.id}`, { related_products: [related?.id] })
  const theirs = { related_products: [(await copyOf(elsewhere))?.id] }
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${(await copyOf(one))?.id}`, theirs)
  await world.complete({ ...firstPair, conflictStrategy: 'update' })
  const now = (await copyOf(one))?.related_products as number[]
  expect(now.sort()).toEqual([(await copyOf(related))?.id, (await copyOf(elsewhere))?.id].sort())
})

longTest('D3: under replace nothing that belongs to the whole store is deleted', async () => {
  const world = await aWorldOfEquals()
  const brand = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Only There Goods' })
  const lamp = { name: 'Only There Lamp', type: 'physical', weight: 1, price: 1 }
  const product = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/products', lamp)
  await world.complete({ ...firstPair, conflictStrategy: 'replace', ...limits })
  expect((await rows(world, 'destination', 'brands')).map(({ id }) => id)).toContain(brand.id)
  expect((await rows(world, 'destination', 'products')).map(({ id }) => id)).toContain(product.id)
})

longTest('D3: a storefront copied alone gets its tree and its products, and the first one gets nothing', async () => {
  const world = await aWorldToFill()
  const run = await world.complete(await outletPair(world))
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const outlet = await shown(world, 'destination', await outletOf(world, 'destination'))
  expect(outlet).toEqual(await shown(world, 'source', await outletOf(world, 'source')))
  // The platform puts new products on the default storefront, which the run must undo.
  expect(await shown(world, 'destination', 1)).toEqual({ categories: [], products: [] })
  await expectCountersToEqualTheLedger(world, run.requestId)
  expect((await world.verify(run.requestId)).differences).toEqual([])
})

longTest(
  'D3, C2: skip assigns, but does not change, products that another storefront run copied, and repeating both runs writes nothing',
  async () => {
    const world = await aWorldToFill()
    const pair = await outletPair(world)
    await world.complete(pair)
    const outlet = await outletOf(world, 'destination')
    const before = ownOf(await world.state('destination'), outlet)
    const [shared] = await rows(world, 'destination', 'products')
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${shared?.id}`, { price: 4.56 })
    const run = await world.complete(firstPair)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const state = await world.state('destination')
    expect(shownBy(state, 1)).toEqual(await shown(world, 'source', 1))
    expect(ownOf(state, outlet)).toEqual(before)
    expect(rowsOf(state, 'products').find(({ id }) => id === shared?.id)?.price).toBe(4.56)
    const names = (products: Row[]) => products.map(({ name }) => name).sort()
    expect(names(rowsOf(state, 'products'))).toEqual(names(await rows(world, 'source', 'products')))
    await expectCountersToEqualTheLedger(world, run.requestId)

    await world.resetRequests('destination')
    await world.complete(firstPair)
    await world.complete(pair)
    expect(await writesTo(world)).toEqual([])
  },
)

test('D3, C1: under skip, a run over the whole store puts the products of a storefront run on the other storefronts, and leaves them where the merchant has put them', async () => {
  const world = await aWorldToFill()
  await world.complete(firstPair)
  const state = await world.state('destination')
  const [outlet, shop] = [await outletOf(world, 'destination'), ownOf(state, 1)]
  const both = await productOnBoth(world)
  const copy = rowsOf(state, 'products').find(({ name }) => name === both.name)
  // The merchant moves it to another category, takes it from the first storefront and changes its price.
  const other = shop.categories.find(
    ({ id }) => !shop.links.some((one) => one.product_id === copy?.id && one.category_id === id),
  )
  const edit = { categories: [other?.id], price: 4.56 }
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${copy?.id}`, edit)
  const assignment = `/v3/catalog/products/channel-assignments?product_id:in=${copy?.id}&channel_id:in=1`
  await callStore(world, 'destination', 'DELETE', assignment)
  const dry = await world.complete({ mode: 'dry-run' })
  const run = await world.complete({})
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const products = (one: typeof run) => one.phases.find(({ key }) => key === 'products')
  expect(products(dry)).toMatchObject({ created: products(run)?.created, updated: products(run)?.updated })
  const now = await world.state('destination')
  const expected = await shown(world, 'source', await outletOf(world, 'source'))
  expect(shownBy(now, outlet)).toEqual(expected)
  expect(ownOf(now, 1).links.filter(({ product_id }) => product_id === copy?.id)).toHaveLength(1)
  expect(ownOf(now, 1).assignments.filter(({ product_id }) => product_id === copy?.id)).toEqual([])
  expect(rowsOf(now, 'products').find(({ id }) => id === copy?.id)?.price).toBe(4.56)
  await expectCountersToEqualTheLedger(world, run.requestId)
  await world.resetRequests('destination')
  for (const pair of [{}, firstPair, await outletPair(world)]) await world.complete(pair)
  expect(await writesTo(world)).toEqual([])
})

test('D2, D3: under skip, a run over one storefront leaves the products that the whole store has copied where the merchant has put them', async () => {
  const world = await aWorldToFill()
  await world.complete()
  const both = await productOnBoth(world)
  const copy = async () => (await rows(world, 'destination', 'products')).find(({ name }) => name === both.name)
  const id = (await copy())?.id
  const assignment = `/v3/catalog/products/channel-assignments?product_id:in=${id}&channel_id:in=1`
  await callStore(world, 'destination', 'DELETE', assignment)
  await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${id}`, { categories: [] })
  await world.resetRequests('destination')
  for (const pair of [firstPair, await outletPair(world), {}])
    expect(await world.complete(pair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await writesTo(world)).toEqual([])
  const now = await world.state('destination')
  expect(ownOf(now, 1).assignments.filter(({ product_id }) => product_id === id)).toEqual([])
})

test.each([
  'the second one',
  'the whole store',
])('D3, C1: under skip, a product of two storefronts gets the related products that only the second one sells once %s is copied after the first', async (next) => {
  const world = await aWorldToFill()
  const [both, other] = [await productOnBoth(world), await productOfOutlet(world)]
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${both.id}`, { related_products: [other.id] })
  const first = await world.complete(firstPair)
  expect((await world.issues(first.requestId)).filter(({ code }) => code === 'reference_left_out')).toEqual([])
  const related = async () => {
    const copies = await rows(world, 'destination', 'products')
    const ids = copies.find(({ name }) => name === both.name)?.related_products as number[]
    return ids.map((id) => copies.find((copy) => copy.id === id)?.name)
  }
  expect(await related()).toEqual([])
  const settings = next === 'the second one' ? await outletPair(world) : {}
  expect(await comparedWithItsPlan(world, settings)).toMatchObject(asPlanned)
  expect(await related()).toEqual([other.name])
  const outlet = await shown(world, 'destination', await outletOf(world, 'destination'))
  expect(outlet).toEqual(await shown(world, 'source', await outletOf(world, 'source')))
  await world.resetRequests('destination')
  for (const pair of [firstPair, settings]) await world.complete(pair)
  expect(await writesTo(world)).toEqual([])
})

test('D3, C4: a product list is copied without the product that only the second storefront sells, with a warning, and gets it with that one', async () => {
  const world = await aWorldToFill()
  const [both, other] = [await productOnBoth(world), await productOfOutlet(world)]
  await callStore(world, 'source', 'POST', `/v3/catalog/products/${both.id}/modifiers`, {
    ...{ type: 'product_list', required: false, display_name: 'Goes with' },
    config: { product_list_adjusts_inventory: true, product_list_shipping_calc: 'weight' },
    option_values: [both, other].map(({ id }, at) => ({
      label: `Set ${at + 1}`,
      sort_order: at,
      value_data: { product_id: id },
    })),
  })
  const labels = async () => {
    const values = await rows(world, 'destination', 'modifier_values')
    return values.map(({ label }) => String(label)).filter((label) => label.startsWith('Set '))
  }
  const first = await world.complete(firstPair)
  const reported = (await world.issues(first.requestId)).filter(({ code }) => code === 'reference_left_out')
  expect(reported.map(({ item }) => item.sourceId)).toEqual([String(both.id)])
  expect(await labels()).toEqual(['Set 1'])
  await world.complete(await outletPair(world))
  expect(await labels()).toEqual(['Set 1', 'Set 2'])
})

test('D3, C1: under skip, a product that was copied with the first storefront and without its brand comes to the categories of the second one together with the brand', async () => {
  const world = await aWorldToFill()
  const both = await productOnBoth(world)
  const [brand] = await rows(world, 'source', 'brands')
  await callStore(world, 'source', 'PUT', `/v3/catalog/products/${both.id}`, { brand_id: brand?.id })
  await world.complete({ ...firstPair, entities: ['categories', 'products'] })
  expect(await comparedWithItsPlan(world, await outletPair(world))).toMatchObject(asPlanned)
  const copy = (await rows(world, 'destination', 'products')).find(({ name }) => name === both.name)
  expect((await rows(world, 'destination', 'brands')).find(({ id }) => id === copy?.brand_id)?.name).toBe(brand?.name)
  const outlet = await shown(world, 'destination', await outletOf(world, 'destination'))
  expect(outlet).toEqual(await shown(world, 'source', await outletOf(world, 'source')))
})

test('D3, C1: a run that was paused while another one copied its products leaves them where the merchant has put them since', async () => {
  const world = await aWorldToFill()
  const paused = await pausedAtProducts(world)
  await world.complete()
  const outlet = await outletOf(world, 'destination')
  const { assignments } = ownOf(await world.state('destination'), outlet)
  const ids = assignments.map(({ product_id }) => product_id)
  const address = `/v3/catalog/products/channel-assignments?product_id:in=${ids}&channel_id:in=${outlet}`
  await callStore(world, 'destination', 'DELETE', address)
  for (const id of ids) await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${id}`, { categories: [] })
  await requestControl(world, paused, 'resume')
  expect(await world.finished(paused)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const now = await world.state('destination')
  expect(ownOf(now, outlet).assignments).toEqual([])
  expect(rowsOf(now, 'product_categories').filter(({ product_id }) => ids.includes(product_id))).toEqual([])
  await expectCountersToEqualTheLedger(world, paused)
})

longTest(
  'D3, C2: a run over the whole store completes what a storefront run copied, and neither takes the other’s writes for edits',
  async () => {
    const world = await aWorldToFill()
    const pair = { ...(await outletPair(world)), conflictStrategy: 'update' }
    await world.complete(pair)
    const whole = async () => {
      const run = await world.complete({ conflictStrategy: 'update' })
      expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await world.issues(run.requestId)).toEqual([])
      expect(await cataloguesDiffer(world)).toEqual([])
    }
    await whole()
    const { id } = await productOnBoth(world)
    const edit = (price: number) => world.change('source', { op: 'set', table: 'products', id, fields: { price } })
    await edit(17.5)
    expect(await world.issues((await world.complete(pair)).requestId)).toEqual([])
    await edit(18.5)
    await whole()
  },
)

longTest('D3: a pick of a storefront run is copied with its categories of that storefront only', async () => {
  const world = await aWorldToFill()
  const source = await world.state('source')
  const outlet = ownOf(source, await outletOf(world, 'source'))
  const all = rowsOf(source, 'product_categories')
  const mixed = outlet.links.find(({ product_id }) => all.filter((link) => link.product_id === product_id).length > 1)
  if (!mixed) throw new Error('The seed has a product in categories of both storefronts.')
  const selection = { products: { ids: [String(mixed.product_id)] } }
  const { requestId, ...run } = await world.complete({ ...(await outletPair(world)), entities: undefined, selection })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { scope } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${requestId}/request`)).body
  const tree = outlet.categories.map((row) => String(row.id))
  const inScope = scope?.find(({ component }) => component === 'categories')?.ids ?? []
  expect(inScope.length).toBeGreaterThan(0)
  expect(inScope.filter((one) => !tree.includes(one))).toEqual([])
  expect(await world.issues(requestId)).toEqual([])
  expect((await shown(world, 'destination', await outletOf(world, 'destination'))).products).toHaveLength(1)
})

test('D3: the order of a category in which only products of another storefront are sorted is written by no run', async () => {
  const world = await aWorldToFill()
  const sorted = async () => {
    const writes = (await world.requests('destination')).filter(({ method }) => method === 'PUT')
    return writes.filter(({ path }) => path.endsWith('/products/sort-order')).length
  }
  const run = { ...firstPair, conflictStrategy: 'update' }
  await world.complete(run)
  const inOrder = (await rows(world, 'destination', 'product_categories')).filter(
    ({ sort_order }) => typeof sort_order === 'number',
  )
  expect(await sorted()).toBe(new Set(inOrder.map(({ category_id }) => category_id)).size)
  await world.resetRequests('destination')
  const { requestId } = await world.complete(run)
  expect(await world.issues(requestId)).toEqual([])
  expect(await writesTo(world)).toEqual([])
})

test('D3, F1: a comparison of one storefront says nothing about the order of a category in which only products of another storefront are sorted', async () => {
  const world = await aWorldToFill()
  await world.complete()
  const { requestId } = await world.complete({ ...firstPair, conflictStrategy: 'update' })
  expect((await world.verify(requestId)).differences).toEqual([])
})

test('D3, G3: under replace, pages that another storefront of the source has copied to the same one stay', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['pages'] })
  const outlet = String(await outletOf(world, 'source'))
  const make = (channel_id: number, name: string) =>
    callStore(world, 'source', 'POST', '/v3/content/pages', { type: 'page', channel_id, name, body: name })
  await make(1, 'Of the first')
  await make(Number(outlet), 'Of the outlet')
  await make(Number(outlet), 'Deleted later')
  const limits = { pruneLimitPercent: 100, pruneLimitItems: 1000 }
  const names = async () => (await rows(world, 'destination', 'pages')).map(({ name }) => name)
  await world.complete({ ...firstPair, conflictStrategy: 'replace', ...limits })
  await world.complete({ sourceStorefront: outlet, destStorefront: '1', conflictStrategy: 'replace', ...limits })
  expect(await names()).toEqual(expect.arrayContaining(['Of the first', 'Of the outlet', 'Deleted later']))
  const gone = (await rows(world, 'source', 'pages')).find(({ name }) => name === 'Deleted later')
  await callStore(world, 'source', 'DELETE', `/v3/content/pages/${gone?.id}`)
  await world.complete({ ...firstPair, conflictStrategy: 'replace', ...limits })
  expect(await names()).toEqual(expect.arrayContaining(['Of the first', 'Of the outlet', 'Deleted later']))
  await world.complete({ sourceStorefront: outlet, destStorefront: '1', conflictStrategy: 'replace', ...limits })
  expect(await names()).not.toContain('Deleted later')
  expect(await names()).toEqual(expect.arrayContaining(['Of the first', 'Of the outlet']))
})

test('D3, G3: under replace of the whole store, pages stay that a storefront has copied to one that is not its counterpart, and the other way round', async () => {
  const world = await aWorldToFill(['pages'])
  const outlet = await outletOf(world, 'source')
  const make = (side: Side, channel_id: number, name: string) =>
    callStore<Row>(world, side, 'POST', '/v3/content/pages', { type: 'page', channel_id, name, body: name })
  await make('source', 1, 'Of the first')
  await make('source', outlet, 'Of the outlet')
  const whole = { conflictStrategy: 'replace', ...limits }
  const there = async () =>
    (await rows(world, 'destination', 'pages')).map(({ name, channel_id }) => `${channel_id} ${name}`)
  await world.complete({ sourceStorefront: String(outlet), destStorefront: '1', ...whole })
  await make('destination', 1, 'Only there')
  await world.complete(whole)
  const own = await outletOf(world, 'destination')
  expect(await there()).toEqual(expect.arrayContaining(['1 Of the first', '1 Of the outlet', `${own} Of the outlet`]))
  expect(await there()).not.toContain('1 Only there')
  await make('destination', 1, 'Only there')
  await world.complete({ sourceStorefront: String(outlet), destStorefront: '1', ...whole })
  expect(await there()).toEqual(expect.arrayContaining(['1 Of the first', '1 Of the outlet']))
  expect(await there()).not.toContain('1 Only there')
})

test.each([
  'skip',
  'update',
])('D3, G12: a customer of two storefronts that are copied one after the other may sign in to both under `%s`, and does not count as erased', async (conflictStrategy) => {
  const world = await aWorldToFill(['customers'])
  const channel_ids = [1, await outletOf(world, 'source')]
  const shopper = { email: 'both@example.com', first_name: 'Both', last_name: 'Shops', channel_ids }
  await callStore(world, 'source', 'POST', '/v3/customers', [shopper])
  const channels = async () => {
    const copies = (await rows(world, 'destination', 'customers')).filter(({ email }) => email === shopper.email)
    return copies.map((row) => (row.channel_ids as number[]).toSorted((a, b) => a - b))
  }
  await world.complete({ ...firstPair, conflictStrategy })
  expect(await channels()).toEqual([[1]])
  for (const _twice of [1, 2]) {
    await world.resetRequests('destination')
    const run = await world.complete({ ...(await outletPair(world)), conflictStrategy })
    expect((await world.issues(run.requestId)).filter(({ code }) => code === 'not_recreated')).toEqual([])
    expect(await channels()).toEqual([[1, await outletOf(world, 'destination')]])
  }
  expect(await writesTo(world)).toEqual([])
})

/** A customer of both storefronts of the source. @returns what finds the copy */
async function aShopperOfBoth(world: World) {
  const shopper = { email: 'both@example.com', first_name: 'Both', last_name: 'Shops' }
  const channel_ids = [1, await outletOf(world, 'source')]
  await callStore(world, 'source', 'POST', '/v3/customers', [{ ...shopper, channel_ids }])
  return async () => (await rows(world, 'destination', 'customers')).find(({ email }) => email === shopper.email)
}

test('D2, D3: a customer whom the merchant has taken off a storefront that was copied alone stays off it under skip', async () => {
  const world = await aWorldToFill(['customers'])
  const copy = await aShopperOfBoth(world)
  await world.complete(firstPair)
  const moved = { id: (await copy())?.id, channel_ids: [await outletOf(world, 'destination')] }
  await callStore(world, 'destination', 'PUT', '/v3/customers', [moved])
  for (const _twice of [1, 2]) {
    expect(await world.complete(firstPair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await copy()).toMatchObject(moved)
  }
})

test('D2, D3: a customer whom the merchant has taken off a storefront stays off it under skip, whatever other storefront is copied in between', async () => {
  const world = await aWorldToFill(['customers'])
  const copy = await aShopperOfBoth(world)
  const outlet = await outletPair(world)
  for (const pair of [firstPair, outlet]) await world.complete(pair)
  const [id, theirs] = [(await copy())?.id, await outletOf(world, 'destination')]
  for (const left of [theirs, 1]) {
    await callStore(world, 'destination', 'PUT', '/v3/customers', [{ id, channel_ids: [left] }])
    for (const pair of [firstPair, outlet, firstPair]) {
      expect(await world.complete(pair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await copy()).toMatchObject({ id, channel_ids: [left] })
    }
  }
})

test('D2, D3: a customer whom the merchant has taken off a storefront since the whole store was copied stays off it under skip', async () => {
  const world = await aWorldToFill(['customers'])
  const copy = await aShopperOfBoth(world)
  await world.complete()
  const moved = { id: (await copy())?.id, channel_ids: [await outletOf(world, 'destination')] }
  await callStore(world, 'destination', 'PUT', '/v3/customers', [moved])
  for (const pair of [firstPair, await outletPair(world), {}, firstPair]) {
    expect(await world.complete(pair)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await copy()).toMatchObject(moved)
  }
})

test.each([
  'the second one',
  'the whole store',
])('D3, C1: under skip, groups, customers, wishlists, promotions and shipping methods of two storefronts are for both once %s is copied after the first', async (next) => {
  const world = await aWorldToFill([
    ...catalogue,
    'customer-groups',
    'customers',
    'wishlists',
    'shipping-zones',
    'promotions',
  ])
  const outlet = await outletOf(world, 'source')
  const source = await world.state('source')
  const [ours, theirs] = [1, outlet].map((channel) => ownOf(source, channel).categories[0]?.id)
  const call = (method: string, path: string, body: unknown) => callStore<Row>(world, 'source', method, path, body)
  const rule = (category_id?: number) => ({ type: 'category', method: 'percent', amount: '10.0000', category_id })
  await call('POST', '/v2/customer_groups', {
    name: 'Resellers',
    discount_rules: [rule(ours), rule(theirs)],
    category_access: { type: 'specific', categories: [ours, theirs] },
  })
  const [promotion] = rowsOf(source, 'promotions').filter(({ name }) => name === 'Promotion 4')
  await world.change('source', {
    op: 'set',
    table: 'promotions',
    id: promotion?.id ?? 0,
    fields: {
      channels: [{ id: 1 }, { id: outlet }],
      rules: [{ action: { cart_value: { discount: { fixed_amount: '5' } } } }],
    },
  })
  const [method] = rowsOf(source, 'shipping_methods')
  await world.change('source', {
    op: 'set',
    table: 'shipping_methods',
    id: method?.id ?? 0,
    fields: { channel_ids: [1, outlet] },
  })
  const wishes = [1, outlet].map((channel) => {
    const [only] = ownOf(source, channel).assignments.filter(
      ({ product_id }) => !ownOf(source, 1 + outlet - channel).assignments.some((one) => one.product_id === product_id),
    )
    return { product_id: only?.product_id }
  })
  const customer = rowsOf(source, 'customers').find(({ channel_ids }) => channel_ids === null)
  await call('POST', '/v3/wishlists', { customer_id: customer?.id, name: 'For both', items: wishes })
  const shopper = { email: 'both@example.com', first_name: 'Both', last_name: 'Shops', channel_ids: [1, outlet] }
  await call('POST', '/v3/customers', [shopper])
  const inOrder = (ids: unknown) => (ids as number[]).toSorted((a, b) => a - b)
  const copies = async () => {
    const there = await world.state('destination')
    const named = (table: string, name: unknown) => rowsOf(there, table).find((row) => row.name === name)
    const [group, offer] = [named('customer_groups', 'Resellers'), named('promotions', promotion?.name)]
    const wishlist = named('wishlists', 'For both')
    return {
      rules: (group?.discount_rules as unknown[]).length,
      access: (group?.category_access as { type: string; categories: unknown[] }).categories.length,
      promotion: [offer?.status, inOrder((offer?.channels as Row[]).map(({ id }) => id))],
      method: inOrder(named('shipping_methods', method?.name)?.channel_ids),
      shopper: inOrder(rowsOf(there, 'customers').find(({ email }) => email === shopper.email)?.channel_ids),
      wishes: rowsOf(there, 'wishlist_items').filter((row) => row.wishlist_id === wishlist?.id).length,
    }
  }
  await world.complete(firstPair)
  expect(await copies()).toEqual({
    rules: 1,
    access: 1,
    promotion: ['ENABLED', [1]],
    method: [1],
    shopper: [1],
    wishes: 1,
  })
  const channel = await outletOf(world, 'destination')
  const both = {
    rules: 2,
    access: 2,
    promotion: ['ENABLED', [1, channel]],
    method: [1, channel],
    shopper: [1, channel],
    wishes: 2,
  }
  const again = next === 'the whole store' ? {} : await outletPair(world)
  for (const pair of [again, firstPair, again]) {
    await world.resetRequests('destination')
    expect((await world.complete(pair)).status).toBe('completed')
    expect(await copies()).toEqual(both)
  }
  expect(await writesTo(world)).toEqual([])
})

test.each([
  ['the whole store', 'the first storefront', firstPair, {}],
  ['the first storefront', 'the whole store', {}, firstPair],
])('B6: %s does not get a second copy of a category or page that was renamed since it was copied with %s', async (_next, _first, first, next) => {
  const world = await aWorld({ entities: ['categories', 'pages'] })
  await world.complete(first)
  const category = (await rows(world, 'source', 'categories'))[0]
  const page = (await rows(world, 'source', 'pages')).find(({ type }) => type === 'page')
  const renamed = { name: 'Renamed', url: { path: '/renamed/', is_customized: true } }
  await callStore(world, 'source', 'PUT', '/v3/catalog/trees/categories', [{ category_id: category?.id, ...renamed }])
  await callStore(world, 'source', 'PUT', `/v3/content/pages/${page?.id}`, {
    name: 'Renamed page',
    url: '/renamed-page/',
  })
  const count = async () => [
    (await rows(world, 'destination', 'categories')).length,
    (await rows(world, 'destination', 'pages')).length,
  ]
  const before = await count()
  for (const conflictStrategy of ['skip', 'update']) {
    expect(await world.complete({ ...next, conflictStrategy })).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await count(), conflictStrategy).toEqual(before)
  }
  const names = async (table: string) => (await rows(world, 'destination', table)).map(({ name }) => name)
  expect(await names('categories')).toContain('Renamed')
  expect(await names('pages')).toContain('Renamed page')
})
