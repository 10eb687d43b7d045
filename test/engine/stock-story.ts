import { sql } from 'kysely'
import { expect } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { sideEffects } from './side-effect-story.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

export const stockedCatalogue = ['tax-classes', 'locations', 'categories', 'brands', 'products', 'inventory']
export const creating = { method: 'POST', path: '^/v2/orders$' } as const
export const adjusting = { method: 'PUT', path: '^/v3/inventory/adjustments/absolute$' } as const

interface Level {
  identity: { product_id: number; variant_id: number; sku: string }
  locations: { location_id: number; total_inventory_onhand: number }[]
}

/** Stock by `product/variant/location`. */
type Stock = Record<string, number>

/**
 * A destination with the catalogue of the source and without its orders, which the runs of the test copy. By default its stock falls
 * to nothing at most, so that every order takes some.
 */
export async function aCopiedCatalogue(options: WorldOptions = {}): Promise<World> {
  const switches = {
    ...options.switches,
    destination: { order_stock: 'cut', ...options.switches?.destination },
  }
  // Longer than a test holds an order, so that no write becomes unconfirmed.
  const world = await aWorld({ entities: ['currencies', 'orders'], requestTimeoutSeconds: 30, ...options, switches })
  await world.complete({ entities: stockedCatalogue })
  return world
}

export const levelsOf = (world: World) =>
  callStore<Level[]>(world, 'destination', 'GET', '/v3/inventory/items?limit=1000')

export async function stockOf(world: World): Promise<Stock> {
  return Object.fromEntries(
    (await levelsOf(world)).flatMap(({ identity, locations }) =>
      locations.map((one) => [
        `${identity.product_id}/${identity.variant_id}/${one.location_id}`,
        one.total_inventory_onhand,
      ]),
    ),
  )
}

export const ordersOf = async (world: World) => (await world.state('destination')).orders ?? []

/** Shops of this world that may have stock to be given back. */
export const openWatches = async (world: World) => (await sideEffects(world, 'stock')).length

export const stockIssues = async (world: World, id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'stock_not_restored')

interface Bestseller {
  key: string
  sold: number
}

/**
 * Three items that the orders of the source sell more than one of, by their locations at the destination; those sold most come
 * first.
 */
export async function bestsellers(world: World): Promise<[Bestseller, Bestseller, Bestseller]> {
  const lines = (await world.state('source')).order_products ?? []
  const [first, second, third] = (await levelsOf(world))
    .map(({ identity: { sku, product_id, variant_id } }) => ({
      key: `${product_id}/${variant_id}/1`,
      sold: lines.filter((line) => line.sku === sku).reduce((sum, { quantity }) => sum + Number(quantity), 0),
    }))
    .filter(({ sold }) => sold > 1)
    .sort((a, b) => b.sold - a.sold)
  if (!first || !second || !third) throw new Error('The orders of the seed sell more than one of three things.')
  return [first, second, third]
}

/** Sets a level at the destination, as a stock count does, or changes it by a quantity, as a sale or a return does. */
export async function setStock(
  world: World,
  key: string,
  quantity: number,
  how: 'absolute' | 'relative' = 'absolute',
): Promise<void> {
  const [product_id, variant_id, location_id] = key.split('/').map(Number)
  const product = await callStore(world, 'destination', 'GET', `/v3/catalog/products/${product_id}`)
  const named = product.inventory_tracking === 'product' ? { product_id } : { variant_id }
  const items = [{ location_id, ...named, quantity }]
  const method = how === 'absolute' ? 'PUT' : 'POST'
  await callStore(world, 'destination', method, `/v3/inventory/adjustments/${how}`, { reason: 'Counted', items })
}

export async function runHeldAtAnOrder(world: World, settings: object = {}): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: 1 })
  const id = await world.migrate(settings)
  await until('an order is under way', async () => (await ordersOf(world)).length > 0)
  return id
}

/** Stops a run while its answers are held; the stock that its orders took is still to be given back. */
export async function stop(world: World, id: string, how: 'pause' | 'cancel'): Promise<void> {
  await world.api('POST', `/v2/migrations/${id}/${how}`)
  await waitUntilChildKnows(world, id)
  await world.release('destination')
  await world.finished(id, { status: how === 'pause' ? 'paused' : 'cancelled' })
  expect(await openWatches(world)).toBe(1)
}

/** All orders exist, and what they took has not been given back. */
export async function cancelledRun(world: World, settings: object = {}): Promise<{ id: string; before: Stock }> {
  const [{ key }] = await bestsellers(world)
  await setStock(world, key, 50)
  const before = await stockOf(world)
  const expected = ((await world.state('source')).orders ?? []).length
  const id = await runHeldAtAnOrder(world, settings)
  await until('all orders are there', async () => (await ordersOf(world)).length === expected)
  await stop(world, id, 'cancel')
  expect(await stockOf(world)).not.toEqual(before)
  return { id, before }
}

/** Of the stock being given back, the item of which most is missing. */
export async function mostPending({ database, address }: World): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    select concat_ws('/', product_id, variant_id, location_id) as key from stock_before
    where target is not null and store_hash = ${address('destination').hash} order by target - seen desc`.execute(
    database,
  )
  return rows[0]?.key
}
