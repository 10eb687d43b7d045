import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { expectCountersToEqualTheLedger } from './counted.ts'

type Row = { id: number } & Record<string, unknown>

let world: World

/** Two storefronts on both sides; at the destination they may be empty. */
function inAWorld(destination: 'tiny-two-storefronts' | 'empty') {
  beforeAll(async () => {
    world = await startWorld({ seeds: { source: 'tiny-two-storefronts', destination } })
    if (destination === 'empty')
      await callStore(world, 'destination', 'POST', '/v3/channels', {
        name: 'Outlet',
        type: 'storefront',
        platform: 'bigcommerce',
        status: 'active',
      })
  })
  afterAll(() => world?.stop())
}

const rowsOf = (state: StoreState, table: string) => (state[table] ?? []) as Row[]
const rows = async (side: Side, table: string) => rowsOf(await world.state(side), table)
const outletOf = async (side: Side) => {
  const outlet = (await rows(side, 'channels')).find(({ name }) => name === 'Outlet')
  if (!outlet) throw new Error('The seed plants a storefront named Outlet.')
  return outlet.id
}
/** A product that both storefronts sell. */
async function productOnBoth(): Promise<Row> {
  const sold = Map.groupBy(await rows('source', 'product_channel_assignments'), ({ product_id }) => product_id)
  const product = (await rows('source', 'products')).find(({ id }) => (sold.get(id)?.length ?? 0) > 1)
  if (!product) throw new Error('The seed has a product that both storefronts sell.')
  return product
}
const firstPair = { sourceStorefront: '1', destStorefront: '1' }

/** Everything of a store that belongs to one storefront and to no other. */
function ownOf(state: StoreState, channelId: number) {
  const trees = rowsOf(state, 'category_trees').filter((tree) => tree.channel_id === channelId)
  const categories = rowsOf(state, 'categories').filter(({ tree_id }) => trees.some(({ id }) => id === tree_id))
  const inTree = new Set(categories.map(({ id }) => id))
  const ofChannel = (table: string) => rowsOf(state, table).filter(({ channel_id }) => channel_id === channelId)
  return {
    trees,
    categories,
    links: linksOf(state, inTree),
    metafields: rowsOf(state, 'category_metafields').filter(({ resource_id }) => inTree.has(Number(resource_id))),
    assignments: ofChannel('product_channel_assignments'),
    prices: ofChannel('price_list_assignments'),
    settings: ofChannel('settings'),
    sites: ofChannel('sites'),
    currencies: ofChannel('channel_currencies'),
  }
}

/** A link has no id of its own on the platform: what it joins and its place are all there is. */
function linksOf(state: StoreState, categories: Set<number>): Omit<Row, 'id'>[] {
  const own = rowsOf(state, 'product_categories').filter(({ category_id }) => categories.has(Number(category_id)))
  const joined = ({ category_id, product_id }: Omit<Row, 'id'>) => `${category_id}/${product_id}`
  return own.map(({ id: _id, ...link }) => link).sort((a, b) => (joined(a) < joined(b) ? -1 : 1))
}

async function expectOutletUntouchedBy(run: () => Promise<unknown>): Promise<void> {
  const outlet = await outletOf('destination')
  const before = ownOf(await world.state('destination'), outlet)
  // Nothing is shown by comparing nothing.
  for (const part of ['trees', 'categories', 'links', 'assignments', 'prices', 'settings'] as const)
    expect(before[part].length, part).toBeGreaterThan(0)
  await run()
  expect(ownOf(await world.state('destination'), outlet)).toEqual(before)
}

/** Edits of what the first storefront of the destination shows: more than a copy, and less. */
async function editTheFirst(): Promise<void> {
  const state = await world.state('destination')
  const first = ownOf(state, 1)
  const theirs = (method: string, path: string, body?: unknown) => callStore(world, 'destination', method, path, body)
  const [one, two] = first.categories
  await theirs('PUT', '/v3/catalog/trees/categories', [{ category_id: one?.id, description: '<p>Edited there</p>' }])
  if (!first.categories.some(({ name }) => name === 'Only There'))
    await theirs('POST', '/v3/catalog/trees/categories', [{ name: 'Only There', tree_id: two?.tree_id, parent_id: 0 }])
  const outlet = await outletOf('destination')
  const shared = rowsOf(state, 'products').filter(({ id }) => {
    const channels = rowsOf(state, 'product_channel_assignments').filter(({ product_id }) => product_id === id)
    return channels.length === 2 && channels.some(({ channel_id }) => channel_id === outlet)
  })
  expect(shared.length).toBeGreaterThan(1)
  // A product on both storefronts loses its categories of the first one and keeps those of the other.
  const [emptied, cheap] = shared
  const kept = ownOf(state, outlet).links.filter(({ product_id }) => product_id === emptied?.id)
  await theirs('PUT', `/v3/catalog/products/${emptied?.id}`, { categories: kept.map(({ category_id }) => category_id) })
  await theirs('PUT', `/v3/catalog/products/${cheap?.id}`, { price: 4.56 })
}

const byName = (state: StoreState, table: string) =>
  new Map(rowsOf(state, table).map((row) => [row.id, String(row.name)]))

/** What one storefront shows, by names: its categories, and its products with their categories. */
function shownBy(state: StoreState, channelId: number) {
  const { categories, links, assignments } = ownOf(state, channelId)
  const names = byName(state, 'products')
  const pathOf = (id: unknown): string => {
    const row = categories.find((one) => one.id === id)
    return row ? `${row.parent_id === 0 ? '' : pathOf(row.parent_id)}/${row.name}` : '?'
  }
  return {
    categories: categories.map(({ id, description }) => `${pathOf(id)} ${description}`).sort(),
    products: assignments
      .map(({ product_id }) => {
        const own = links.filter((link) => link.product_id === product_id).map(({ category_id }) => pathOf(category_id))
        return `${names.get(Number(product_id))}: ${own.sort().join(', ')}`
      })
      .sort(),
  }
}

describe('a run from the first storefront to the first', () => {
  inAWorld('tiny-two-storefronts')

  test.each([
    'update',
    'replace',
  ])('D3: the second of two storefronts is the same byte for byte, under %s', async (conflictStrategy) => {
    await editTheFirst()
    await expectOutletUntouchedBy(async () => {
      const run = await world.complete({
        ...firstPair,
        conflictStrategy,
        pruneLimitPercent: 100,
        pruneLimitItems: 1000,
      })
      expect(run).toMatchObject({ status: 'completed', ...firstPair })
      await expectCountersToEqualTheLedger(world, run.requestId)
    })
    const [source, destination] = [await world.state('source'), await world.state('destination')]
    const [wanted, shown] = [shownBy(source, 1), shownBy(destination, 1)]
    expect(shown.products).toEqual(wanted.products)
    const extra = shown.categories.filter((category) => !wanted.categories.includes(category))
    expect(extra.map((one) => one.trim())).toEqual(conflictStrategy === 'replace' ? [] : ['/Only There'])
  })

  test('D3: verify tells differences of the pair and none of the other storefront', async () => {
    const run = await world.complete({ ...firstPair, conflictStrategy: 'update' })
    expect((await world.verify(run.requestId)).differences).toEqual([])
    const outlet = await outletOf('destination')
    const theirs = ownOf(await world.state('destination'), outlet)
    await callStore(world, 'destination', 'PUT', '/v3/catalog/trees/categories', [
      { category_id: theirs.categories[0]?.id, description: '<p>Of the other one</p>' },
    ])
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })

  test('D3: of related products those of the other storefront stay, and those of this one are as in the source', async () => {
    const source = await world.state('source')
    const sold = new Set(ownOf(source, 1).assignments.map(({ product_id }) => product_id))
    const [one, related] = rowsOf(source, 'products').filter(({ id }) => sold.has(id))
    const elsewhere = rowsOf(source, 'products').find(({ id }) => !sold.has(id))
    const copyOf = async (row?: Row) => (await rows('destination', 'products')).find(({ name }) => name === row?.name)
    await callStore(world, 'source', 'PUT', `/v3/catalog/products/${one?.id}`, { related_products: [related?.id] })
    const theirs = { related_products: [(await copyOf(elsewhere))?.id] }
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${(await copyOf(one))?.id}`, theirs)
    await world.complete({ ...firstPair, conflictStrategy: 'update' })
    const shown = (await copyOf(one))?.related_products as number[]
    expect(shown.sort()).toEqual([(await copyOf(related))?.id, (await copyOf(elsewhere))?.id].sort())
  })

  test('C2: a second run over the unchanged pair writes nothing', async () => {
    await world.resetRequests('destination')
    await world.complete({ ...firstPair, conflictStrategy: 'update' })
    expect(
      (await world.requests('destination'))
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual([])
  })

  test('D3: under replace nothing that belongs to the whole store is deleted', async () => {
    const brand = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/brands', { name: 'Only There Goods' })
    const product = await callStore<Row>(world, 'destination', 'POST', '/v3/catalog/products', {
      name: 'Only There Lamp',
      type: 'physical',
      weight: 1,
      price: 1,
    })
    await world.complete({ ...firstPair, conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 })
    expect((await rows('destination', 'brands')).map(({ id }) => id)).toContain(brand.id)
    expect((await rows('destination', 'products')).map(({ id }) => id)).toContain(product.id)
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${product.id}`)
    await callStore(world, 'destination', 'DELETE', `/v3/catalog/brands/${brand.id}`)
  })
})

describe('two storefronts copied one after the other', () => {
  inAWorld('empty')

  const shown = async (side: Side, channelId: number) => shownBy(await world.state(side), channelId)
  const outlets = async () => ({
    sourceStorefront: String(await outletOf('source')),
    destStorefront: String(await outletOf('destination')),
    entities: ['categories', 'brands', 'products'],
  })

  test('D3: the second storefront gets its tree and its products, and the first one nothing', async () => {
    const asked = await outlets()
    // The service may have listed the storefronts before this one came.
    const id = await until('the service knows the new storefront', async () => {
      const pair = { source: 'source', destination: 'destination' }
      const { status, body } = await world.api<{ requestId: string }>('POST', '/v2/migrations', { ...pair, ...asked })
      return status === 202 && body.requestId
    })
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await shown('destination', await outletOf('destination'))).toEqual(
      await shown('source', await outletOf('source')),
    )
    // The platform puts new products on the default storefront; nobody asked for that.
    expect(await shown('destination', 1)).toEqual({ categories: [], products: [] })
    await expectCountersToEqualTheLedger(world, run.requestId)
    expect((await world.verify(run.requestId)).differences).toEqual([])
  })

  test('D3: under skip, products that another pair copied are put on this storefront and otherwise left alone', async () => {
    const outlet = await outletOf('destination')
    const before = {
      own: ownOf(await world.state('destination'), outlet),
      products: await rows('destination', 'products'),
    }
    const [shared] = before.products
    await callStore(world, 'destination', 'PUT', `/v3/catalog/products/${shared?.id}`, { price: 4.56 })
    const run = await world.complete(firstPair)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const state = await world.state('destination')
    expect(shownBy(state, 1)).toEqual(await shown('source', 1))
    expect(ownOf(state, outlet)).toEqual(before.own)
    expect(rowsOf(state, 'products').find(({ id }) => id === shared?.id)?.price).toBe(4.56)
    const wanted = await rows('source', 'products')
    expect(
      rowsOf(state, 'products')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(wanted.map(({ name }) => name).sort())
    await expectCountersToEqualTheLedger(world, run.requestId)
  })

  test('C2: both pairs again write nothing', async () => {
    await world.resetRequests('destination')
    await world.complete(firstPair)
    await world.complete(await outlets())
    const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('D3: a run over the whole store finds what the pairs copied and makes the rest the same', async () => {
    // The pairs copied no stock, and no location but the default one: products that stand there get it only when asked for.
    const run = await world.complete({ conflictStrategy: 'update', overwriteLiving: ['inventory'] })
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
  })

  test('C2: what a run with another view of the stores wrote does not count as edited there', async () => {
    const { id } = await productOnBoth()
    const edit = (price: number) => world.change('source', { op: 'set', table: 'products', id, fields: { price } })
    await edit(17.5)
    const pair = await world.complete({ ...(await outlets()), conflictStrategy: 'update' })
    expect((await world.issues(pair.requestId)).map(({ code }) => code)).toEqual([])
    await edit(18.5)
    const whole = await world.complete({ conflictStrategy: 'update' })
    expect((await world.issues(whole.requestId)).map(({ code }) => code)).toEqual([])
    expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
  })

  test('D3: a pick of a pair comes with its categories of that storefront only', async () => {
    const outlet = await outletOf('source')
    const links = ownOf(await world.state('source'), outlet).links
    const all = await rows('source', 'product_categories')
    const mixed = links.find(({ product_id }) => all.filter((link) => link.product_id === product_id).length > 1)
    if (!mixed) throw new Error('The seed has a product in categories of both storefronts.')
    const selection = { products: { ids: [String(mixed.product_id)] } }
    const id = await world.migrate({ ...(await outlets()), selection, conflictStrategy: 'update' })
    const { scope } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
    const tree = ownOf(await world.state('source'), outlet).categories.map((row) => String(row.id))
    const covered = scope?.find(({ component }) => component === 'categories')?.ids ?? []
    expect(covered.length).toBeGreaterThan(0)
    expect(covered.filter((one) => !tree.includes(one))).toEqual([])
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await world.issues(id)).toEqual([])
    expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
  })
})
