import { expect } from 'vitest'
import type { World } from '../harness/world.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'

export type Row = { id: number } & Record<string, unknown>

export const firstPair = { sourceStorefront: '1', destStorefront: '1' }

/** Gives an empty destination a second storefront, named like the one in the seed `tiny-two-storefronts`. */
export function addStorefront(world: World): Promise<unknown> {
  const storefront = { name: 'Outlet', type: 'storefront', platform: 'bigcommerce', status: 'active' }
  return callStore(world, 'destination', 'POST', '/v3/channels', storefront)
}

export async function outletOf(world: World, side: Side): Promise<number> {
  const outlet = (await rows(world, side, 'channels')).find(({ name }) => name === 'Outlet')
  if (!outlet) throw new Error(`The ${side} has no storefront named Outlet.`)
  return outlet.id
}

export async function outletPair(world: World) {
  return {
    sourceStorefront: String(await outletOf(world, 'source')),
    destStorefront: String(await outletOf(world, 'destination')),
  }
}

export const rowsOf = (state: StoreState, table: string) => (state[table] ?? []) as Row[]
export const rows = async (world: World, side: Side, table: string) => rowsOf(await world.state(side), table)

/** Everything in a store that belongs to one storefront and to no other. */
export function ownOf(state: StoreState, channelId: number) {
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

/** A link has no id of its own on the platform: the joined ids and its position are all there is. */
function linksOf(state: StoreState, categories: Set<number>): Omit<Row, 'id'>[] {
  const own = rowsOf(state, 'product_categories').filter(({ category_id }) => categories.has(Number(category_id)))
  const joined = ({ category_id, product_id }: Omit<Row, 'id'>) => `${category_id}/${product_id}`
  return own.map(({ id: _id, ...link }) => link).sort((a, b) => (joined(a) < joined(b) ? -1 : 1))
}

export async function expectOutletUnchangedBy(world: World, run: () => Promise<unknown>): Promise<void> {
  const outlet = await outletOf(world, 'destination')
  const before = ownOf(await world.state('destination'), outlet)
  // Comparing nothing with nothing would prove nothing.
  for (const part of ['trees', 'categories', 'links', 'assignments', 'prices', 'settings'] as const)
    expect(before[part].length, part).toBeGreaterThan(0)
  await run()
  expect(ownOf(await world.state('destination'), outlet)).toEqual(before)
}

/** Edits what the first storefront of the destination shows: fields, a new category, and a product without its categories. */
export async function editTheFirst(world: World): Promise<void> {
  const state = await world.state('destination')
  const first = ownOf(state, 1)
  const theirs = (method: string, path: string, body?: unknown) => callStore(world, 'destination', method, path, body)
  const [one, two] = first.categories
  await theirs('PUT', '/v3/catalog/trees/categories', [{ category_id: one?.id, description: '<p>Edited there</p>' }])
  await theirs('POST', '/v3/catalog/trees/categories', [{ name: 'Only There', tree_id: two?.tree_id, parent_id: 0 }])
  const outlet = await outletOf(world, 'destination')
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

/** What one storefront shows, by names: its categories, and its products with their categories. */
export function shownBy(state: StoreState, channelId: number) {
  const { categories, links, assignments } = ownOf(state, channelId)
  const names = new Map(rowsOf(state, 'products').map((row) => [row.id, String(row.name)]))
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
