import { expect, test } from 'vitest'
import { PRODUCTS, product } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const rule = (quantity_min: number, quantity_max: number, fields: Record<string, unknown> = {}) => ({
  quantity_min,
  quantity_max,
  type: 'percent',
  amount: 5,
  ...fields,
})

async function aProduct() {
  const world = await aProductWorld()
  const { id } = await world.create()
  return { ...world, id, path: `${PRODUCTS}/${id}/bulk-pricing-rules` }
}

test('a bulk pricing rule is created, read, changed and deleted below its product', async () => {
  const { call, get, path } = await aProduct()
  const { data } = (await call('POST', path, rule(10, 19))).body
  expect(data).toEqual({ id: expect.any(Number), ...rule(10, 19) })
  expect((await get(`${path}/${data.id}`)).body.data).toEqual(data)
  expect((await call('PUT', `${path}/${data.id}`, rule(10, 29))).body.data.quantity_max).toBe(29)
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get(path)).body.data).toEqual([])
})

test('an overlapping range is 409, an adjacent one is accepted', async () => {
  const { call, get, path } = await aProduct()
  expect((await call('POST', path, rule(10, 19))).status).toBe(200)
  for (const [min, max, status] of [
    [19, 30, 409],
    [1, 10, 409],
    [12, 13, 409],
    [1, 0, 409],
    [1, 9, 200],
    [20, 0, 200],
    [500, 600, 409],
  ] as const) {
    expect([min, max, (await call('POST', path, rule(min, max))).status]).toEqual([min, max, status])
  }
  const [first] = (await get(path)).body.data
  expect((await call('PUT', `${path}/${first.id}`, rule(10, 25))).status).toBe(409)
  expect((await call('PUT', `${path}/${first.id}`, rule(11, 19))).status).toBe(200)
})

test('a rule with a missing field, an end before its start or an unknown type is 422', async () => {
  const { call, path } = await aProduct()
  expect((await call('POST', path, { quantity_min: 1, quantity_max: 2, type: 'price' })).status).toBe(422)
  expect((await call('POST', path, rule(9, 8))).status).toBe(422)
  expect((await call('POST', path, rule(1, 2, { type: 'gift' }))).status).toBe(422)
})

test('rules in a new product are created with it and shown on request, and overlapping ones refuse it', async () => {
  const { call, get, store } = await aProductWorld()
  const overlapping = await call('POST', PRODUCTS, product({ bulk_pricing_rules: [rule(1, 5), rule(5, 9)] }))
  expect([overlapping.status, store.table('products').count()]).toEqual([409, 0])
  const made = (await call('POST', PRODUCTS, product({ bulk_pricing_rules: [rule(1, 5), rule(6, 9)] }))).body.data
  expect(made.bulk_pricing_rules).toEqual([
    { id: expect.any(Number), ...rule(1, 5) },
    { id: expect.any(Number), ...rule(6, 9) },
  ])
  const listed = (await get(`${PRODUCTS}?include=bulk_pricing_rules`)).body.data[0]
  expect(listed.bulk_pricing_rules).toEqual(made.bulk_pricing_rules)
})
