import { expect, test } from 'vitest'
import { PRODUCTS, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const ITEMS = '/v3/inventory/items'
const ABSOLUTE = '/v3/inventory/adjustments/absolute'
const RELATIVE = '/v3/inventory/adjustments/relative'

/** A product counted as a whole, one counted by variant, one without tracking, and a second location. */
async function aStockroom() {
  const world = await aProductWorld()
  const mug = await world.create({ name: 'Mug', sku: 'MUG', inventory_tracking: 'product', inventory_level: 4 })
  const shirt = await world.create({
    name: 'Shirt',
    inventory_tracking: 'variant',
    variants: [variant('S-1', { Size: 'S' }, { inventory_level: 7 }), variant('M-1', { Size: 'M' })],
  })
  await world.create({ name: 'Poster', sku: 'POSTER' })
  const east = world.store.table('locations').insert({ code: 'EAST', label: 'East', enabled: true }).id
  const [small, medium] = shirt.variants
  const set = (fields: Record<string, unknown>) =>
    world.call('PUT', ABSOLUTE, { reason: 'count', items: [{ location_id: east, quantity: 3, ...fields }] })
  return { ...world, mug, small, medium, east, set }
}

test('an item is a tracked variant or a product tracked as a whole, with its stock at every location', async () => {
  const { get, mug, small, medium, east } = await aStockroom()
  const { data, meta } = (await get(ITEMS)).body
  const identities = data.map((item: { identity: object }) => item.identity)
  expect(identities).toMatchObject([
    { sku: 'MUG', product_id: mug.id },
    { sku: 'S-1', variant_id: small.id },
    { sku: 'M-1', variant_id: medium.id },
  ])
  expect(meta.pagination.total).toBe(3)
  expect(data[1].locations).toMatchObject([
    { location_id: 1, available_to_sell: 7, total_inventory_onhand: 7 },
    { location_id: east, location_code: 'EAST', total_inventory_onhand: 0 },
  ])
})

test('items are filtered by SKU, variant, product and location, and paged', async () => {
  const { get, mug, small, east } = await aStockroom()
  const skus = async (query: string) =>
    (await get(`${ITEMS}?${query}`)).body.data.map((item: { identity: { sku: string } }) => item.identity.sku)
  expect(await skus('sku:in=s-1')).toEqual(['S-1'])
  expect(await skus(`variant_id:in=${small.id}`)).toEqual(['S-1'])
  expect(await skus(`product_id:in=${mug.id}`)).toEqual(['MUG'])
  expect(await skus('limit=1&page=3')).toEqual(['M-1'])
  const [item] = (await get(`${ITEMS}?location_id:in=${east}`)).body.data
  expect(item.locations).toHaveLength(1)
})

test('an absolute adjustment sets the stock of one location and answers with a transaction id only', async () => {
  const { get, mug, small, east, set } = await aStockroom()
  const answer = await set({ sku: 'S-1' })
  expect(answer).toEqual({ status: 200, body: { transaction_id: expect.any(String) } })
  expect((await set({ product_id: mug.id, quantity: 9 })).status).toBe(200)
  const atEast = (await get(`/v3/inventory/locations/${east}/items?sku:in=S-1,MUG`)).body.data
  expect(atEast).toMatchObject([{ total_inventory_onhand: 9 }, { total_inventory_onhand: 3 }])
  const atHome = (await get(`/v3/inventory/locations/1/items?variant_id:in=${small.id}`)).body.data
  expect(atHome).toMatchObject([{ identity: { variant_id: small.id }, total_inventory_onhand: 7 }])
})

test('the stock of location 1 is the stock that the catalogue shows', async () => {
  const { get, mug, small, set } = await aStockroom()
  await set({ location_id: 1, variant_id: small.id, quantity: 11 })
  await set({ location_id: 1, product_id: mug.id, quantity: 12 })
  expect((await get(`${PRODUCTS}/${small.product_id}/variants/${small.id}`)).body.data.inventory_level).toBe(11)
  const shown = (await get(`${PRODUCTS}/${mug.id}?include=variants`)).body.data
  expect([shown.inventory_level, shown.variants[0].inventory_level]).toEqual([12, 12])
})

test('a relative adjustment adds and subtracts if there is a stock level already', async () => {
  const { call, get, east, set } = await aStockroom()
  const move = (location_id: number, quantity: number) =>
    call('POST', RELATIVE, { items: [{ location_id, sku: 'S-1', quantity }] })
  expect((await move(east, 1)).status).toBe(422)
  await set({ sku: 'S-1', quantity: 3 })
  expect((await move(east, -2)).body).toEqual({ transaction_id: expect.any(String) })
  expect((await move(east, -2)).status).toBe(422)
  expect((await move(1, 5)).status).toBe(200)
  const [item] = (await get(`${ITEMS}?sku:in=S-1`)).body.data
  expect(item.locations.map((at: { total_inventory_onhand: number }) => at.total_inventory_onhand)).toEqual([12, 1])
})

test('an item is adjusted by the id that it is tracked by', async () => {
  const { mug, small, set } = await aStockroom()
  const byVariant = await set({ variant_id: mug.base_variant_id })
  expect([byVariant.status, byVariant.body.title]).toEqual([422, expect.stringContaining('tracked by product')])
  expect((await set({ product_id: small.product_id })).status).toBe(422)
  expect((await set({ sku: 'POSTER' })).status).toBe(422)
  expect((await set({ sku: 'nowhere' })).status).toBe(422)
  expect((await set({})).status).toBe(422)
})

test('one invalid item refuses the whole adjustment', async () => {
  const { call, get, east } = await aStockroom()
  const good = { location_id: east, sku: 'S-1', quantity: 3 }
  for (const bad of [{ quantity: -1 }, { quantity: 1.5 }, { location_id: 9 }, { quantity: undefined }]) {
    expect([bad, (await call('PUT', ABSOLUTE, { items: [good, { ...good, ...bad }] })).status]).toEqual([bad, 422])
  }
  const [item] = (await get(`/v3/inventory/locations/${east}/items?sku:in=S-1`)).body.data
  expect(item.total_inventory_onhand).toBe(0)
})

test('settings of an item belong to one location, and safety stock is not for sale', async () => {
  const { call, get, small, east, set } = await aStockroom()
  await set({ sku: 'S-1', quantity: 5 })
  const path = `/v3/inventory/locations/${east}/items`
  const settings = [{ identity: { sku: 'S-1' }, safety_stock: 2, warning_level: 1, bin_picking_number: 'A-1' }]
  expect((await call('PUT', path, { settings })).body).toEqual({ transaction_id: expect.any(String) })
  const [item] = (await get(`${path}?variant_id:in=${small.id}`)).body.data
  expect(item).toMatchObject({
    available_to_sell: 3,
    total_inventory_onhand: 5,
    settings: { safety_stock: 2, is_in_stock: true, warning_level: 1, bin_picking_number: 'A-1' },
  })
  const [atHome] = (await get(`/v3/inventory/locations/1/items?variant_id:in=${small.id}`)).body.data
  expect(atHome.settings).toMatchObject({ safety_stock: 0, warning_level: 0 })
  expect((await call('PUT', path, { settings: [{ identity: { sku: 'S-1' } }] })).status).toBe(422)
})

test('stock is deleted with its location and with its product', async () => {
  const { call, store, small, east, set } = await aStockroom()
  await set({ sku: 'S-1' })
  await set({ sku: 'MUG' })
  await call('DELETE', `${PRODUCTS}/${small.product_id}`)
  expect(store.table('stock').count()).toBe(1)
  await call('DELETE', `/v3/inventory/locations?location_id:in=${east}`)
  expect(store.table('stock').count()).toBe(0)
})
