import { expect, test } from 'vitest'
import { SEEDS } from '../../sandbox/seeds/plant-seed.ts'
import { startSandbox } from '../../sandbox/start.ts'
import type { Row } from '../../sandbox/store/store.ts'
import { stopAfterTest } from './a-shop.ts'

const QUICK = SEEDS.filter((seed) => /^(tiny|small|awkward)-two-storefronts$/.test(seed))

/** A store with two storefronts, its rows, and the channel of the second. */
async function aShop(seed: (typeof SEEDS)[number]) {
  const sandbox = await startSandbox({ stores: [{ name: 'shop', seed, token: 'secret', profile: 'documented' }] })
  stopAfterTest(sandbox)
  const rows = (table: string): Row[] => sandbox.store('shop').table(table).find({})
  const get = async (path: string) => {
    const answer = await fetch(`${sandbox.stores.shop?.url}${path}`, { headers: { 'X-Auth-Token': 'secret' } })
    return ((await answer.json()) as { data: Record<string, unknown>[] }).data
  }
  return { rows, get, outlet: rows('channels').find(({ name }) => name === 'Outlet')?.id ?? 0 }
}

test('every seed but the empty one has a version with two storefronts', () => {
  const plain = SEEDS.filter((seed) => !seed.endsWith('-two-storefronts'))
  expect(plain).toEqual(['empty', 'tiny', 'tiny-catalogue', 'small', 'medium', 'large', 'awkward'])
  expect(SEEDS.length).toBe(plain.length * 2 - 1)
})

test.each(QUICK)('%s has a second storefront with its own site and its own category tree', async (seed) => {
  const { get, outlet } = await aShop(seed)
  expect(await get(`/v3/channels/${outlet}`)).toMatchObject({
    type: 'storefront',
    platform: 'bigcommerce',
    status: 'active',
  })
  expect(await get(`/v3/channels/${outlet}/site`)).toMatchObject({ url: 'https://outlet.shop.example' })
  const [tree] = await get(`/v3/catalog/trees?channel_id:in=${outlet}`)
  const categories = await get(`/v3/catalog/trees/categories?tree_id:in=${tree?.id}&limit=250`)
  expect(categories.length).toBe(7)
  // A name that is also in the first tree is another category here.
  expect(categories.filter(({ name }) => name === 'Shoes').length).toBe(2)
})

test.each(QUICK)('%s has products on one storefront, the other and both, in categories of both trees', async (seed) => {
  const { rows, outlet } = await aShop(seed)
  const places = Map.groupBy(
    rows('product_channel_assignments').filter(({ channel_id }) => channel_id === 1 || channel_id === outlet),
    ({ product_id }) => product_id,
  )
  const count = (...channels: number[]) =>
    [...places.values()].filter((links) => String(links.map((link) => link.channel_id)) === String(channels)).length
  for (const products of [count(1), count(outlet), count(1, outlet)]) expect(products).toBeGreaterThan(1)
  const treeOf = new Map(rows('categories').map(({ id, tree_id }) => [id, tree_id]))
  const trees = Map.groupBy(rows('product_categories'), ({ product_id }) => product_id)
  const inBoth = [...trees.values()].filter(
    (links) => new Set(links.map((link) => treeOf.get(Number(link.category_id)))).size === 2,
  )
  expect(inBoth.length).toBeGreaterThan(1)
})

test.each(QUICK)('%s has a price list for each storefront, and prices in that of the second', async (seed) => {
  const { rows, outlet } = await aShop(seed)
  const ofEverybody = rows('price_list_assignments').filter(({ customer_group_id }) => customer_group_id === null)
  const listOf = (channel: number) => ofEverybody.filter(({ channel_id }) => channel_id === channel)
  expect([listOf(1).length, listOf(outlet).length]).toEqual([1, 1])
  const prices = rows('price_records').filter((price) => price.price_list_id === listOf(outlet)[0]?.price_list_id)
  expect(prices.length).toBeGreaterThan(2)
})

test.each(QUICK)('%s has settings that the second storefront overrides, and inherits the others', async (seed) => {
  const { get, outlet } = await aShop(seed)
  const profile = await get(`/v3/settings/store/profile?channel_id=${outlet}`)
  expect(profile).toMatchObject({ store_name: 'Outlet', store_phone: null })
  expect(await get('/v3/settings/store/profile')).not.toMatchObject({ store_name: 'Outlet' })
})

test.each(
  QUICK,
)('%s has products in an order of their own in the categories of the second storefront', async (seed) => {
  const { rows, get, outlet } = await aShop(seed)
  const tree = rows('category_trees').find(({ channel_id }) => channel_id === outlet)
  const { id = 0 } = rows('categories').find(({ tree_id, name }) => tree_id === tree?.id && name === 'Women') ?? {}
  const order = await get(`/v3/catalog/categories/${id}/products/sort-order?limit=250`)
  const places = order.map(({ sort_order }) => sort_order)
  expect(places).toEqual([...places.keys()].map((at) => (at === places.length - 1 ? null : at)))
  // Younger products have higher ids and come first.
  const ids = order.slice(0, -1).map(({ product_id }) => Number(product_id))
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
})
