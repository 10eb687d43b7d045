import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { generous } from './replace-story.ts'
import { addStorefront, firstPair, outletOf, ownOf, type Row, rows, rowsOf } from './two-storefronts.ts'

test.each([
  'skip',
  'update',
  'replace',
])('D3: of two storefronts that are copied to one under `%s`, a product that both sell keeps its category of each', async (conflictStrategy) => {
  const world = await aWorld({
    seeds: { source: 'tiny-two-storefronts' },
    entities: ['categories', 'brands', 'products'],
  })
  const outlet = await outletOf(world, 'source')
  const trees = await rows(world, 'source', 'category_trees')
  const make = async (channel: number, name: string) => {
    const tree_id = trees.find(({ channel_id }) => channel_id === channel)?.id
    const made = await callStore<Row[]>(world, 'source', 'POST', '/v3/catalog/trees/categories', [
      { name, tree_id, parent_id: 0 },
    ])
    return Number(made[0]?.category_id)
  }
  const categories = [await make(1, 'Of the first'), await make(outlet, 'Of the outlet')]
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1, categories }
  const { id: product_id } = await callStore<Row>(world, 'source', 'POST', '/v3/catalog/products', lamp)
  const assigned = [1, outlet].map((channel_id) => ({ product_id, channel_id }))
  await callStore(world, 'source', 'PUT', '/v3/catalog/products/channel-assignments', assigned)
  const shownIn = async () => {
    const copy = (await rows(world, 'destination', 'products')).find(({ name }) => name === 'Lamp')
    const links = (await rows(world, 'destination', 'product_categories')).filter((row) => row.product_id === copy?.id)
    const named = await rows(world, 'destination', 'categories')
    return links.map(({ category_id }) => named.find(({ id }) => id === category_id)?.name).sort()
  }
  const pairs = [firstPair, { sourceStorefront: String(outlet), destStorefront: '1' }]
  for (const pair of pairs) await world.complete({ ...pair, ...generous, conflictStrategy })
  expect(await shownIn()).toEqual(['Of the first', 'Of the outlet'])
  for (const pair of pairs) {
    await world.complete({ ...pair, ...generous, conflictStrategy })
    expect(await shownIn()).toEqual(['Of the first', 'Of the outlet'])
  }
})

test('D3: of two storefronts that are copied to one, each `update` keeps related products, discounts and wishes that name products of the other one alone', async () => {
  const world = await aWorld({
    seeds: { source: 'tiny-two-storefronts' },
    entities: ['categories', 'brands', 'products', 'customer-groups', 'customers', 'wishlists'],
  })
  const outlet = await outletOf(world, 'source')
  const source = await world.state('source')
  const sellers = Map.groupBy(rowsOf(source, 'product_channel_assignments'), ({ product_id }) => product_id)
  const soldBy = (...channels: number[]) =>
    rowsOf(source, 'products').find(({ id }) => {
      const sellersOf = (sellers.get(id) ?? []).map(({ channel_id }) => channel_id)
      return sellersOf.length === channels.length && channels.every((one) => sellersOf.includes(one))
    })
  const alone = [soldBy(1)?.id, soldBy(outlet)?.id]
  const call = (method: string, path: string, body: unknown) => callStore<Row>(world, 'source', method, path, body)
  await call('PUT', `/v3/catalog/products/${soldBy(1, outlet)?.id}`, { related_products: alone })
  const discount = { type: 'product', method: 'percent', amount: '10.0000' }
  const discount_rules = alone.map((product_id) => ({ ...discount, product_id }))
  await call('POST', '/v2/customer_groups', { name: 'Resellers', discount_rules })
  const customer = rowsOf(source, 'customers').find(({ channel_ids }) => channel_ids === null)
  const items = alone.map((product_id) => ({ product_id }))
  await call('POST', '/v3/wishlists', { customer_id: customer?.id, name: 'For both', items })
  const copies = async () => {
    const state = await world.state('destination')
    const named = (table: string, name: unknown) => rowsOf(state, table).find((row) => row.name === name)
    const { id } = named('wishlists', 'For both') ?? {}
    const inOrder = (ids: unknown[]) =>
      ids.map((one) => rowsOf(state, 'products').find((row) => row.id === one)?.name).sort()
    return {
      related: inOrder(named('products', soldBy(1, outlet)?.name)?.related_products as unknown[]),
      discounts: inOrder((named('customer_groups', 'Resellers')?.discount_rules as Row[]).map((one) => one.product_id)),
      wishes: inOrder(rowsOf(state, 'wishlist_items').flatMap((row) => (row.wishlist_id === id ? row.product_id : []))),
    }
  }
  const names = [soldBy(1)?.name, soldBy(outlet)?.name].sort()
  const pairs = [firstPair, { sourceStorefront: String(outlet), destStorefront: '1' }]
  for (const pair of pairs) await world.complete({ ...pair, conflictStrategy: 'update' })
  expect(await copies()).toEqual({ related: names, discounts: names, wishes: names })
  await world.resetRequests('destination')
  for (const pair of pairs) {
    const { requestId } = await world.complete({ ...pair, conflictStrategy: 'update' })
    expect(await writesTo(world)).toEqual([])
    const { differences } = await world.verify(requestId)
    expect(differences.filter(({ kept }) => !kept)).toEqual([])
  }
})

test.each([
  'update',
  'replace',
])('D3, F1: a product of a storefront that was copied to one that is not its counterpart stays there, in its category, under a whole-store `%s`', async (conflictStrategy) => {
  const world = await aWorld({
    seeds: { source: 'tiny-two-storefronts' },
    entities: ['categories', 'brands', 'products'],
  })
  await addStorefront(world)
  const outletToFirst = { sourceStorefront: String(await outletOf(world, 'source')), destStorefront: '1' }
  const shown = async () => {
    const { assignments, links } = ownOf(await world.state('destination'), 1)
    return [...assignments, ...links].map(({ product_id, category_id }) => `${product_id} ${category_id}`)
  }
  const settings = { ...generous, conflictStrategy }
  await world.complete({ ...outletToFirst, ...settings })
  const before = await shown()
  expect(before.length).toBeGreaterThan(2)
  for (const pair of [{}, outletToFirst, {}]) {
    await world.resetRequests('destination')
    const { requestId } = await world.complete({ ...pair, ...settings })
    expect(await shown()).toEqual(expect.arrayContaining(before))
    const { differences } = await world.verify(requestId)
    // Of two copies of a category, one gets another address.
    expect(differences.filter(({ kind, kept }) => kind === 'extra' && !kept)).toEqual([])
  }
  expect(await writesTo(world)).toEqual([])
})
