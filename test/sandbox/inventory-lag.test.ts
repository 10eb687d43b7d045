import { expect, test } from 'vitest'
import { until } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const ITEMS = '/v3/inventory/items'
const AT_LOCATION = '/v3/inventory/locations/1/items'
const HOUR_MS = 3_600_000

/** A store with one tracked product of 5 pieces. */
async function aStock(inventory_lag_ms: number) {
  const world = await aProductWorld({ switches: { inventory_lag_ms } })
  const { id } = await world.create({ inventory_tracking: 'product', inventory_level: 5 })
  const shown = async () => [
    (await world.get(ITEMS)).body.data[0].locations[0].total_inventory_onhand,
    (await world.get(AT_LOCATION)).body.data[0].total_inventory_onhand,
  ]
  const set = (quantity: number) =>
    world.call('PUT', '/v3/inventory/adjustments/absolute', {
      reason: 'count',
      items: [{ location_id: 1, product_id: id, quantity }],
    })
  return { ...world, id, shown, set }
}

test('without the switch a stock level is visible at once', async () => {
  const { shown, set } = await aStock(0)
  await set(8)
  expect(await shown()).toEqual([8, 8])
})

test('switch inventory_lag_ms: lists show the old stock, the catalogue and adjustments the new one', async () => {
  const { shown, set, get, call, id, store } = await aStock(HOUR_MS)
  expect((await set(8)).status).toBe(200)
  await set(9)
  expect(await shown()).toEqual([5, 5])
  expect((await get(`/v3/catalog/products/${id}`)).body.data.inventory_level).toBe(9)
  const items = [{ location_id: 1, product_id: id, quantity: -2 }]
  await call('POST', '/v3/inventory/adjustments/relative', { reason: 'sale', items })
  expect(await shown()).toEqual([5, 5])
  store.switches.inventory_lag_ms = 0
  expect(await shown()).toEqual([7, 7])
})

test('switch inventory_lag_ms: every write becomes visible after the delay', async () => {
  const { shown, set } = await aStock(100)
  await set(8)
  await until(async () => (await shown()).join() === '8,8')
})

test('switch inventory_lag_ms: settings of an item are delayed as well', async () => {
  const { call, get, id, store } = await aStock(HOUR_MS)
  const settings = [{ identity: { product_id: id }, safety_stock: 2 }]
  expect((await call('PUT', AT_LOCATION, { settings })).status).toBe(200)
  const safety = async () => (await get(AT_LOCATION)).body.data[0].settings.safety_stock
  expect(await safety()).toBe(0)
  store.switches.inventory_lag_ms = 0
  expect(await safety()).toBe(2)
})
