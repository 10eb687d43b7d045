import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { generous } from './replace-story.ts'
import { firstPair, outletOf, type Row, rows } from './two-storefronts.ts'

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
