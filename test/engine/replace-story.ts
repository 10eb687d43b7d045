import type { Deletion } from '../../src/contract/deletions.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'

export type Row = { id: number } & Record<string, unknown>

export const generous = { conflictStrategy: 'replace', pruneLimitPercent: 100, pruneLimitItems: 1000 }

export const rows = async (world: World, side: 'source' | 'destination', table: string) =>
  ((await world.state(side))[table] ?? []) as Row[]

export const deletes = async (world: World) =>
  (await world.requests('destination')).filter(({ method }) => method === 'DELETE')

export const writes = async (world: World) =>
  (await world.requests('destination')).filter(({ method }) => method !== 'GET')

export const differences = async (world: World) =>
  compareStores(await world.state('source'), await world.state('destination'))

/** The list of deletions of a run. */
export const listed = async (world: World, id: string, query = '') =>
  (await world.api<{ items: Deletion[]; nextCursor: string | null }>('GET', `/v2/migrations/${id}/deletions${query}`))
    .body

const shrinking = 'Amber Linen Sneaker'

/** A product by its name, as a store has it. */
export async function productOf(world: World, side: 'source' | 'destination', name = shrinking): Promise<Row> {
  const product = (await rows(world, side, 'products')).find((row) => row.name === name)
  if (!product) throw new Error(`The ${side} store has no ${name}.`)
  return product
}

/** The last row of a table that belongs to the product. */
export async function partOf(world: World, side: 'source' | 'destination', table: string): Promise<Row> {
  const { id } = await productOf(world, side)
  const part = (await rows(world, side, table)).findLast(({ product_id }) => product_id === id)
  if (!part) throw new Error(`The product has none of ${table} in the ${side} store.`)
  return part
}

/** A copied product that has lost a variant, a picture and a modifier in the source since. */
export async function aProductThatShrank(): Promise<World> {
  const world = await aWorld({ catalogueOnly: true, entities: ['categories', 'brands', 'products'] })
  const path = `/v3/catalog/products/${(await productOf(world, 'source')).id}`
  const modifier = { display_name: 'Gift note', type: 'text', required: false }
  const { id } = await callStore<Row>(world, 'source', 'POST', `${path}/modifiers`, modifier)
  await world.complete()
  for (const table of ['variants', 'images'])
    await callStore(world, 'source', 'DELETE', `${path}/${table}/${(await partOf(world, 'source', table)).id}`)
  await callStore(world, 'source', 'DELETE', `${path}/modifiers/${id}`)
  return world
}
