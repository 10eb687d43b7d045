import { expect, test } from 'vitest'
import { PRODUCTS } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const CUSTOMS = '/v3/shipping/products/customs-information'

async function aProductAbroad() {
  const world = await aProductWorld()
  const { id } = await world.create()
  const information = {
    product_id: id,
    country_of_origin: 'PT',
    commodity_description: 'Linen shirts',
    international_shipping: true,
    hs_codes: { CA: '620520', ALL: '620590' },
  }
  return { ...world, id, information }
}

test('customs information exists once per product, and a second write replaces it', async () => {
  const { call, get, id, information } = await aProductAbroad()
  const { data } = (await call('PUT', CUSTOMS, [information])).body
  expect(data).toEqual([{ ...information, created_at: expect.any(String), updated_at: expect.any(String) }])
  await call('PUT', CUSTOMS, [{ ...information, hs_codes: { US: '620520' } }])
  expect((await get(CUSTOMS)).body.data).toMatchObject([{ product_id: id, hs_codes: { US: '620520' } }])
  expect((await get(CUSTOMS)).body.data[0].hs_codes).not.toHaveProperty('CA')
  expect((await get(`${CUSTOMS}?product_id:in=99`)).body.data).toEqual([])
})

test('customs information is deleted by product, and with its product', async () => {
  const { call, get, id, information } = await aProductAbroad()
  await call('PUT', CUSTOMS, [information])
  expect((await call('DELETE', CUSTOMS)).status).toBe(422)
  expect((await call('DELETE', `${CUSTOMS}?product_id:in=${id}`)).status).toBe(204)
  expect((await get(CUSTOMS)).body.data).toEqual([])
  await call('PUT', CUSTOMS, [information])
  await call('DELETE', `${PRODUCTS}/${id}`)
  expect((await get(CUSTOMS)).body.data).toEqual([])
})

test('customs information requires every field, codes of 6 to 14 letters or digits and an existing product', async () => {
  const { call, get, information } = await aProductAbroad()
  for (const fields of [
    { product_id: 99 },
    { country_of_origin: 'Portugal' },
    { commodity_description: undefined },
    { commodity_description: 'x'.repeat(101) },
    { international_shipping: undefined },
    { hs_codes: undefined },
    { hs_codes: { CA: '12345' } },
    { hs_codes: { Canada: '620520' } },
  ]) {
    const refused = await call('PUT', CUSTOMS, [information, { ...information, ...fields }])
    expect([fields, refused.status]).toEqual([fields, 422])
  }
  expect((await get(CUSTOMS)).body.data).toEqual([])
  expect((await call('PUT', CUSTOMS, [{ ...information, commodity_description: '' }])).status).toBe(200)
})
