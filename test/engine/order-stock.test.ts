import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { startWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'

/** Orders that are copied later than what they sold leave its stock as it was (D1). */
const catalogue = ['tax-classes', 'locations', 'categories', 'brands', 'products', 'inventory']
const history = { entities: ['currencies', 'orders'] }
const creating = { method: 'POST', path: '^/v2/orders$' } as const
const adjusting = { method: 'PUT', path: '^/v3/inventory/adjustments/absolute$' } as const

let world: World
beforeEach(() => world?.stop())
afterAll(() => world?.stop())

interface Level {
  identity: { product_id: number; variant_id: number; sku: string }
  locations: { location_id: number; total_inventory_onhand: number }[]
}

/** A destination with the catalogue of the source, and nothing of its history. */
async function aCopiedCatalogue(options: WorldOptions = {}): Promise<World> {
  world = await startWorld({ requestTimeoutSeconds: 1, ...options })
  await world.complete({ entities: catalogue })
  return world
}

const levels = () => callStore<Level[]>(world, 'destination', 'GET', '/v3/inventory/items?limit=1000')

async function stock(): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await levels()).flatMap(({ identity, locations }) =>
      locations.map((one) => [
        `${identity.product_id}/${identity.variant_id}/${one.location_id}`,
        one.total_inventory_onhand,
      ]),
    ),
  )
}

const orders = async () => (await world.state('destination')).orders ?? []
const writes = async () =>
  (await world.requests('destination')).filter(({ method, path }) => method === 'PUT' && /adjustments/.test(path))
const openRows = async () => (await sql`select from stock_watches`.execute(world.database)).rows.length
const told = async (id: string) => (await world.issues(id)).filter(({ code }) => code === 'stock_not_restored')

/** What the orders of the source sell more than one of, by the name of its stock at the destination; most of it first. */
async function bestsellers(): Promise<{ key: string; sold: number }[]> {
  const lines = (await world.state('source')).order_products ?? []
  return (await levels())
    .map(({ identity: { sku, product_id, variant_id } }) => ({
      key: `${product_id}/${variant_id}/1`,
      sold: lines.filter((line) => line.sku === sku).reduce((sum, { quantity }) => sum + Number(quantity), 0),
    }))
    .filter(({ sold }) => sold > 1)
    .sort((a, b) => b.sold - a.sold)
}

/** Counted by somebody at the destination, or sold and brought back by so many. */
async function setStock(key: string, quantity: number, how: 'absolute' | 'relative' = 'absolute'): Promise<void> {
  const [product_id, variant_id, location_id] = key.split('/').map(Number)
  const product = await callStore(world, 'destination', 'GET', `/v3/catalog/products/${product_id}`)
  const named = product.inventory_tracking === 'product' ? { product_id } : { variant_id }
  const items = [{ location_id, ...named, quantity }]
  const method = how === 'absolute' ? 'PUT' : 'POST'
  await callStore(world, 'destination', method, `/v3/inventory/adjustments/${how}`, { reason: 'Counted', items })
}

async function runHeldAtAnOrder(): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: 1 })
  const id = await world.migrate(history)
  await until('an order is under way', async () => (await orders()).length > 0)
  return id
}

/** Something of which enough is there, as it is before orders are copied, and changed by the shop meanwhile. */
async function changedMeanwhile(change: number) {
  const [best, clamped] = await bestsellers()
  if (!best || !clamped) throw new Error('The orders of the seed sell more than one of two things.')
  await setStock(best.key, 50)
  await setStock(clamped.key, 1)
  const before = await stock()
  const id = await runHeldAtAnOrder()
  // Other orders are written at the same time.
  await setStock(best.key, change, 'relative')
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  return { id, best, before }
}

test('D1: orders that are copied after the catalogue leave its stock as it was, and a second run changes nothing', async () => {
  await aCopiedCatalogue()
  const before = await stock()
  await world.resetRequests('destination')
  const run = await world.complete(history)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await orders()).length).toBeGreaterThan(0)
  // All of it in one call: without it the stock would be lower.
  expect((await writes()).length).toBe(1)
  expect(await stock()).toEqual(before)
  expect(await told(run.requestId)).toEqual([])
  expect(await openRows()).toBe(0)
  await world.resetRequests('destination')
  await world.complete(history)
  const asked = (await world.requests('destination')).map(({ path }) => path)
  expect(asked.filter((path) => path.startsWith('/v3/inventory'))).toEqual([])
  expect(await stock()).toEqual(before)
})

test('D1: nothing is written to the stock of a store that does not take from it for copied orders', async () => {
  await aCopiedCatalogue({ switches: { destination: { orders_move_stock: false } } })
  const before = await stock()
  await world.resetRequests('destination')
  const run = await world.complete(history)
  expect((await orders()).length).toBeGreaterThan(0)
  expect(await writes()).toEqual([])
  expect(await stock()).toEqual(before)
  expect(await told(run.requestId)).toEqual([])
  expect(await openRows()).toBe(0)
})

test('D1: what the shop sells meanwhile stays sold, and what had less in stock than was sold has that again', async () => {
  await aCopiedCatalogue()
  const { id, best, before } = await changedMeanwhile(-2)
  expect(await stock()).toEqual({ ...before, [best.key]: 48 })
  expect(await told(id)).toEqual([])
})

test('D1: what fell by less than was sold is left as it is, and told with its numbers', async () => {
  await aCopiedCatalogue()
  const { id, best, before } = await changedMeanwhile(1)
  const left = 50 - best.sold + 1
  expect(await stock()).toEqual({ ...before, [best.key]: left })
  const [issue, ...others] = await told(id)
  expect(others).toEqual([])
  expect(issue).toMatchObject({ severity: 'warning', state: 'open' })
  expect(issue?.message).toContain(`50 before orders were copied, ${left} after, of which they sold ${best.sold}`)
  expect(await openRows()).toBe(0)
})

test('D5: killed between the last order and the giving back, a run gives back all the same', async () => {
  await aCopiedCatalogue({ separateHost: true, settleSeconds: 10 })
  const before = await stock()
  const wanted = ((await world.state('source')).orders ?? []).length
  await world.migrate(history).then(async (id) => {
    await until('all orders are there', async () => (await orders()).length === wanted)
    await world.killChild()
    expect(await stock()).not.toEqual(before)
    await world.finished(id, { seconds: 120 })
  })
  expect(await stock()).toEqual(before)
  expect(await openRows()).toBe(0)
})

test('D5: killed between the adjustment and its recording, a run gives nothing back twice', async () => {
  await aCopiedCatalogue({ separateHost: true })
  const before = await stock()
  await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  const id = await world.migrate(history)
  const begun = sql`select from stock_before where target is not null`
  await until('stock is being given back', async () => (await begun.execute(world.database)).rows.length > 0)
  await until('it has been', async () => JSON.stringify(await stock()) === JSON.stringify(before))
  const [key = ''] = Object.keys(before).filter((one) => (before[one] ?? 0) > 0)
  await world.killChild()
  await world.release('destination')
  // A sale before anybody comes back to it.
  await setStock(key, (before[key] ?? 0) - 1)
  await world.finished(id, { seconds: 120 })
  expect(await stock()).toEqual({ ...before, [key]: (before[key] ?? 0) - 1 })
  expect(await openRows()).toBe(0)
})

test('D5: what a cancelled run took a host gives back, and nothing before it could be seen', async () => {
  await aCopiedCatalogue()
  const [best] = await bestsellers()
  await setStock(best?.key ?? '', 50)
  const before = await stock()
  const id = await runHeldAtAnOrder()
  await world.api('POST', `/v2/migrations/${id}/cancel`)
  await world.release('destination')
  await world.finished(id, { status: 'cancelled' })
  expect(await openRows()).toBe(1)
  await sql`update stock_watches set tried_at = tried_at - interval '2 minutes'`.execute(world.database)
  await sql`update runs set updated_at = updated_at - interval '2 minutes'`.execute(world.database)
  await until('a host has given it back', async () => (await openRows()) === 0)
  expect(await stock()).toEqual(before)
  expect(await told(id)).toEqual([])
})
