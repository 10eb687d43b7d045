import { describe, expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const ZONES = '/v3/tax/zones'
const RATES = '/v3/tax/rates'
const PROPERTIES = '/v3/tax/properties'
const target = { locations: [{ country_code: 'IT' }] }
const rate = (tax_zone_id: unknown, name = 'Sales tax') => ({
  name,
  tax_zone_id,
  class_rates: [{ rate: 8.25, tax_class_id: 0 }],
})

describe('zones', () => {
  test('the default zone has id 1, is for all shoppers and can be neither created nor deleted', async () => {
    const { call, get } = await aProductWorld()
    expect((await get(ZONES)).body.data[0]).toMatchObject({ id: 1, enabled: true })
    expect((await call('DELETE', `${ZONES}?id:in=1`)).status).toBe(422)
    expect((await call('PUT', ZONES, [{ id: 1, shopper_target_settings: target }])).status).toBe(422)
    expect((await call('PUT', ZONES, [{ id: 1, name: 'Everybody' }])).body.data).toMatchObject([{ name: 'Everybody' }])
  })

  test('lists are plain and unpaged: the requested ids only, or all', async () => {
    const { call, get } = await aProductWorld()
    const zones = Array.from({ length: 260 }, (_, at) => ({ name: `Zone ${at}`, shopper_target_settings: target }))
    const made = (await call('POST', ZONES, zones)).body.data
    const all = (await get(ZONES)).body
    expect((await get(`${ZONES}?page=2&limit=10`)).status).toBe(422)
    expect(all.data.length).toBeGreaterThan(260)
    expect(all.meta).toEqual({})
    expect((await get(`${ZONES}?id:in=${made[3].id}`)).body.data).toEqual([made[3]])
  })

  test('one invalid row refuses the batch and is identified by position', async () => {
    const { call, get } = await aProductWorld()
    const before = (await get(ZONES)).body.data.length
    const answer = await call('POST', ZONES, [{ name: 'Good', shopper_target_settings: target }, { enabled: true }])
    expect(answer).toMatchObject({ status: 422, body: { errors: { '1.name': expect.any(String) } } })
    expect((await get(ZONES)).body.data.length).toBe(before)
  })

  test('a zone can be limited to customer groups, and is deleted with its rates', async () => {
    const { call, get } = await aProductWorld()
    const trade = { ...target, customer_groups: [3] }
    const [{ id, ...zone }] = (await call('POST', ZONES, [{ name: 'Trade', shopper_target_settings: trade }])).body.data
    expect(zone.shopper_target_settings).toMatchObject({ customer_groups: [3] })
    await call('POST', RATES, [rate(id), rate(1)])
    expect((await get(`${RATES}?tax_zone_id:in=${id}`)).body.data).toHaveLength(1)
    expect((await call('DELETE', `${ZONES}?id:in=${id}`)).status).toBe(204)
    expect((await get(`${RATES}?tax_zone_id:in=${id}`)).body.data).toEqual([])
  })
})

test('a rate belongs to a zone and names existing tax classes, each once', async () => {
  const { call } = await aProductWorld()
  expect((await call('POST', RATES, [rate(1)])).body.data).toMatchObject([
    { enabled: true, priority: 1, tax_zone_id: 1 },
  ])
  expect((await call('POST', RATES, [rate(987_654)])).status).toBe(422)
  const unknown = { ...rate(1), class_rates: [{ rate: 1, tax_class_id: 254 }] }
  expect((await call('POST', RATES, [unknown])).status).toBe(422)
  const own = rate(1).class_rates
  expect((await call('POST', RATES, [{ ...rate(1), class_rates: [...own, ...own] }])).status).toBe(422)
})

test('properties are identified by type and code', async () => {
  const { call } = await aProductWorld()
  const property = { code: 'A-1', display_name: 'One', type: 'PRODUCT' }
  expect((await call('POST', PROPERTIES, [property, { ...property, type: 'CUSTOMER' }])).status).toBe(200)
  expect((await call('POST', PROPERTIES, [{ ...property, code: 'a-1' }])).status).toBe(422)
  expect((await call('POST', PROPERTIES, [{ code: 'B-1', type: 'PRODUCT' }])).status).toBe(422)
})

test('settings name existing zones and keep absent fields', async () => {
  const { call, get } = await aProductWorld()
  const path = '/v3/tax/settings'
  expect((await get(path)).body.data).toMatchObject({ store_tax_zone_id: 1, fallback_strategy: 'FIXED' })
  expect((await call('PUT', path, { fallback_strategy: 'BASIC' })).body.data).toMatchObject({ store_tax_zone_id: 1 })
  for (const field of ['store_tax_zone_id', 'guest_shopper_tax_zone_id']) {
    expect((await call('PUT', path, { [field]: 1 })).body.data).toMatchObject({ [field]: 1 })
    expect((await call('PUT', path, { [field]: 987_654 })).status).toBe(422)
  }
})
