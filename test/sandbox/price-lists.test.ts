import { expect, test } from 'vitest'
import { insertGroup } from '../../sandbox/tables/group-tables.ts'
import { PRODUCTS, variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const LISTS = '/v3/pricelists'
const ASSIGNMENTS = `${LISTS}/assignments`

/** A price list and a product with two variants. */
async function aPriceList() {
  const world = await aProductWorld()
  for (const at of [3, 4]) insertGroup(world.store, { id: at, name: `Group ${at}` })
  const { id } = (await world.call('POST', LISTS, { name: 'Wholesale' })).body.data
  const variants = [variant('S-1', { Size: 'S' }), variant('M-1', { Size: 'M' }, { price: 60 })]
  const product = await world.create({ name: 'Shirt', sku: 'SHIRT', variants })
  const [small, medium] = product.variants
  return { ...world, id, product, small, medium, records: `${LISTS}/${id}/records` }
}

test('a price list is created, read, changed and deleted', async () => {
  const { call, get } = await aProductWorld()
  const { data } = (await call('POST', LISTS, { name: 'Wholesale' })).body
  expect(data).toEqual({
    id: expect.any(Number),
    name: 'Wholesale',
    active: true,
    date_created: expect.stringMatching(/Z$/),
    date_modified: expect.stringMatching(/Z$/),
  })
  expect((await get(`${LISTS}/${data.id}`)).body.data).toEqual(data)
  const changed = await call('PUT', `${LISTS}/${data.id}`, { name: 'Trade', active: false })
  expect(changed.body.data).toMatchObject({ name: 'Trade', active: false })
  expect((await call('DELETE', `${LISTS}/${data.id}`)).status).toBe(204)
  expect((await get(`${LISTS}/${data.id}`)).status).toBe(404)
})

test('a name is required and unique', async () => {
  const { call } = await aProductWorld()
  const { id } = (await call('POST', LISTS, { name: 'Wholesale' })).body.data
  await call('POST', LISTS, { name: 'Retail' })
  expect((await call('POST', LISTS, { name: 'WHOLESALE' })).status).toBe(409)
  expect((await call('PUT', `${LISTS}/${id}`, { name: 'Retail' })).status).toBe(409)
  expect((await call('PUT', `${LISTS}/${id}`, { name: 'Wholesale' })).status).toBe(200)
  expect((await call('POST', LISTS, {})).status).toBe(422)
})

test('a record is upserted by variant or SKU, and unset fields are left out', async () => {
  const { call, get, id, product, small, medium, records } = await aPriceList()
  const rows = [
    { variant_id: small.id, currency: 'USD', price: 10, sale_price: 8 },
    { sku: 'm-1', currency: 'usd', retail_price: 12 },
  ]
  expect(await call('PUT', records, rows)).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
  const { data, meta } = (await get(records)).body
  const dates = { date_created: expect.any(String), date_modified: expect.any(String) }
  const common = { price_list_id: id, product_id: product.id, currency: 'usd', ...dates }
  expect(data).toEqual([
    { ...common, variant_id: small.id, price: 10, sale_price: 8, calculated_price: 8 },
    { ...common, variant_id: medium.id, retail_price: 12, calculated_price: 60 },
  ])
  expect(Object.keys(meta)).toEqual(['pagination', 'cursor_pagination'])
  await call('PUT', records, [{ variant_id: small.id, currency: 'usd', sale_price: null }])
  expect((await get(`${records}/${small.id}/usd`)).body.data).toMatchObject({ price: 10, calculated_price: 10 })
  expect((await get(records)).body.data).toHaveLength(2)
})

test('valid records are saved and invalid ones are reported', async () => {
  const { call, get, id, small, records } = await aPriceList()
  const answer = await call('PUT', records, [
    { sku: 'SHIRT', currency: 'usd', price: 1 },
    { variant_id: small.id, currency: 'usd', price: 1 },
    { variant_id: small.id, currency: 'dollars', price: 1 },
    { variant_id: small.id, currency: 'eur', price: -1 },
    { currency: 'usd' },
  ])
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body)).toEqual(['batch_errors'])
  expect(answer.body.batch_errors[0]).toEqual({
    data: { price_list_id: id, sku: 'SHIRT', currency: 'usd' },
    field_errors: { sku: expect.any(String) },
  })
  const fields = answer.body.batch_errors.map((error: { field_errors: object }) => Object.keys(error.field_errors))
  expect(fields).toEqual([['sku'], ['currency'], ['price'], ['sku']])
  expect((await get(records)).body.data).toHaveLength(1)
})

test('a create refuses an existing price', async () => {
  const { call, get, small, medium, records } = await aPriceList()
  const rows = [small, medium].map(({ id }) => ({ variant_id: id, currency: 'usd', price: 5 }))
  expect((await call('POST', records, rows.slice(1))).status).toBe(200)
  const again = await call('POST', records, rows)
  expect([again.status, again.body.batch_errors.length]).toEqual([422, 1])
  expect((await get(records)).body.data).toHaveLength(2)
})

test('tiers and SKUs are included on request, and tiers do not overlap', async () => {
  const { call, get, small, records } = await aPriceList()
  const tier = (quantity_min: number, quantity_max: number) => ({
    quantity_min,
    quantity_max,
    type: 'percent',
    amount: 5,
  })
  const row = { variant_id: small.id, currency: 'usd', price: 5 }
  const save = (tiers: unknown) => call('PUT', records, [{ ...row, bulk_pricing_tiers: tiers }])
  expect((await save([tier(1, 5), tier(5, 9)])).status).toBe(422)
  expect((await save([tier(1, 5), { quantity_min: 6 }])).status).toBe(422)
  expect((await save([tier(1, 5), tier(6, 0)])).status).toBe(200)
  const [shown] = (await get(`${records}?include=bulk_pricing_tiers,sku`)).body.data
  expect(shown).toMatchObject({ sku: 'S-1', bulk_pricing_tiers: [tier(1, 5), tier(6, 0)] })
  const [plain] = (await get(records)).body.data
  expect(plain).not.toHaveProperty('bulk_pricing_tiers')
})

test('records are read by variant, and deleted by filter or one by one', async () => {
  const { call, get, small, medium, records } = await aPriceList()
  await call('PUT', records, [
    { variant_id: small.id, currency: 'usd', price: 5 },
    { variant_id: small.id, currency: 'eur', price: 6 },
    { variant_id: medium.id, currency: 'usd', price: 7 },
  ])
  const prices = async (query: string) =>
    (await get(`${records}${query}`)).body.data.map((row: { price: number }) => row.price)
  expect(await prices(`/${small.id}`)).toEqual([5, 6])
  expect((await call('DELETE', `${records}?variant_id:in=${small.id}&currency=eur`)).status).toBe(204)
  expect(await prices('')).toEqual([5, 7])
  expect((await call('DELETE', `${records}/${small.id}/usd`)).status).toBe(204)
  expect(await prices('')).toEqual([7])
  expect((await call('DELETE', `${records}?sku:in=M-1`)).status).toBe(204)
  expect(await prices('')).toEqual([])
})

test('records of several lists are saved in one call', async () => {
  const { call, get, id, small, records } = await aPriceList()
  const path = `${LISTS}/records`
  const row = { price_list_id: id, variant_id: small.id, currency: 'usd', price: 5 }
  expect((await call('POST', path, [row])).status).toBe(200)
  const refused = await call('PUT', path, [
    { ...row, price: 6 },
    { ...row, price_list_id: 1 },
  ])
  expect([refused.status, Object.keys(refused.body)]).toEqual([422, ['data', 'field_errors']])
  expect((await get(records)).body.data[0].price).toBe(6)
})

test('assignments are created in a batch that one invalid row refuses, listed, replaced and deleted by a filter', async () => {
  const { call, get, id } = await aPriceList()
  const other = (await call('POST', LISTS, { name: 'Other' })).body.data.id
  const row = { price_list_id: id, customer_group_id: 3, channel_id: 1 }
  const refused = await call('POST', ASSIGNMENTS, [row, { ...row, channel_id: 99 }])
  expect(refused).toMatchObject({ status: 422, body: { meta: { saved_records: 0 } } })
  expect(Object.keys(refused.body.errors)).toEqual(['1.channel_id'])
  expect((await call('POST', ASSIGNMENTS, [row, { price_list_id: id, customer_group_id: 4 }])).status).toBe(200)
  expect((await call('POST', ASSIGNMENTS, [{ ...row, price_list_id: other }])).status).toBe(422)
  expect((await call('POST', ASSIGNMENTS, [{ ...row, customer_group_id: 99 }])).status).toBe(422)
  const nobody = { customer_group_id: 99, channel_id: 1 }
  expect((await call('PUT', `${LISTS}/${other}/assignments`, nobody)).status).toBe(404)
  const { data } = (await get(`${ASSIGNMENTS}?customer_group_id:in=3,4`)).body
  expect(data).toEqual([
    { id: expect.any(Number), ...row },
    { id: expect.any(Number), price_list_id: id, customer_group_id: 4 },
  ])
  const replaced = await call('PUT', `${LISTS}/${other}/assignments`, { customer_group_id: 3, channel_id: 1 })
  expect(replaced.body.data).toEqual({ ...data[0], price_list_id: other })
  expect((await call('DELETE', ASSIGNMENTS)).status).toBe(422)
  expect((await call('DELETE', `${ASSIGNMENTS}?price_list_id=${id}`)).status).toBe(204)
  expect((await get(ASSIGNMENTS)).body.data).toHaveLength(1)
})

test('prices and assignments are deleted with their list, and prices with their product', async () => {
  const { call, id, product, small, records, store } = await aPriceList()
  await call('PUT', records, [{ variant_id: small.id, currency: 'usd', price: 5 }])
  await call('DELETE', `${PRODUCTS}/${product.id}`)
  expect(store.table('price_records').count()).toBe(0)
  const assignments = [{ customer_group_id: 3 }, { channel_id: 1 }].map((to) => ({ price_list_id: id, ...to }))
  expect((await call('POST', ASSIGNMENTS, assignments)).status).toBe(200)
  expect(store.table('price_list_assignments').count()).toBe(2)
  expect((await call('DELETE', `${LISTS}?id:in=${id}`)).status).toBe(204)
  expect(store.table('price_list_assignments').count()).toBe(0)
})
