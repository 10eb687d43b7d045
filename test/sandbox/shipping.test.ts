import { describe, expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const ZONES = '/v2/shipping/zones'
const COUNTRY = { name: 'Mexico', type: 'country', locations: [{ country_iso2: 'MX' }] }
const FLAT = { name: 'Flat', type: 'perorder', settings: { rate: 7 } }

async function aZone(call: Awaited<ReturnType<typeof aProductWorld>>['call'], body: object = COUNTRY): Promise<number> {
  return (await call('POST', ZONES, body)).body.id
}

describe('zones', () => {
  test('the list is whole and a plain array, and refuses parameters of paging; POST answers 201', async () => {
    const { call, get } = await aProductWorld()
    const before = (await get(ZONES)).body?.length ?? 0
    for (let n = 0; n < 60; n++) expect((await call('POST', ZONES, { ...COUNTRY, name: `Zone ${n}` })).status).toBe(201)
    expect((await get(ZONES)).body).toHaveLength(before + 60)
    expect((await get(`${ZONES}?page=2&limit=10`)).status).toBe(400)
  })

  test('types are zip, country, state and global, and all but global need locations', async () => {
    const { call } = await aProductWorld()
    expect((await call('POST', ZONES, { name: 'All', type: 'global' })).body.locations).toEqual([])
    const texas = { name: 'Texas', type: 'state', locations: [{ state_iso2: 'TX', country_iso2: 'US' }] }
    expect((await call('POST', ZONES, texas)).body.type).toBe('state')
    for (const type of ['zip', 'country', 'state', 'planet'])
      expect((await call('POST', ZONES, { name: 'Nowhere', type })).status, type).toBe(400)
    expect((await call('POST', ZONES, { ...COUNTRY, type: 'state' })).status).toBe(400)
  })

  test('at most 40,000 zip locations', async () => {
    const { call } = await aProductWorld()
    const locations = Array.from({ length: 40_001 }, (_, at) => ({ zip: String(at), country_iso2: 'US' }))
    expect((await call('POST', ZONES, { name: 'Many', type: 'zip', locations })).status).toBe(400)
    const fits = { name: 'Many', type: 'zip', locations: locations.slice(1) }
    expect((await call('POST', ZONES, fits)).body.locations).toHaveLength(40_000)
  })

  test('an update needs the name, keeps absent fields and replaces all locations', async () => {
    const { call } = await aProductWorld()
    const path = `${ZONES}/${await aZone(call)}`
    expect(await call('PUT', path, { enabled: false })).toMatchObject({ status: 400, body: [{ status: 400 }] })
    const changed = await call('PUT', path, { name: 'South', locations: [{ country_iso2: 'PE' }] })
    expect(changed.body).toMatchObject({ name: 'South', type: 'country', enabled: true })
    expect(changed.body.locations).toMatchObject([{ id: expect.any(Number), country_iso2: 'PE' }])
  })

  test('fees are a fixed amount or a percentage, stored as strings', async () => {
    const { call } = await aProductWorld()
    const fees = async (handling_fees: object) => call('POST', ZONES, { ...COUNTRY, handling_fees })
    expect((await fees({ fixed_surcharge: 2.5 })).body.handling_fees).toEqual({
      fixed_surcharge: '2.5',
      display_separately: false,
    })
    expect((await fees({ fixed_surcharge: 1, percentage_surcharge: 2 })).status).toBe(400)
  })

  test('a zone is deleted with its methods, and an unknown one is an array of errors', async () => {
    const { call, get } = await aProductWorld()
    const path = `${ZONES}/${await aZone(call)}`
    const method = (await call('POST', `${path}/methods`, FLAT)).body
    expect((await get(`${path}/methods/${method.id}`)).body).toMatchObject(FLAT)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await get(`${path}/methods/${method.id}`)).body).toEqual([{ status: 404, message: expect.any(String) }])
  })
})

describe('methods', () => {
  test('a new one is on every channel by default, and an unknown channel is refused', async () => {
    const { call } = await aProductWorld()
    const path = `${ZONES}/${await aZone(call)}/methods`
    expect((await call('POST', path, FLAT)).body.channel_ids).toEqual([1])
    expect((await call('POST', path, { ...FLAT, channel_ids: [] })).body.channel_ids).toEqual([])
    expect((await call('POST', path, { ...FLAT, channel_ids: [987_654] })).status).toBe(400)
  })

  test('flat rates need a rate, ranged ones need ranges, and carrier settings are not checked', async () => {
    const { call } = await aProductWorld()
    const path = `${ZONES}/${await aZone(call)}/methods`
    expect((await call('POST', path, { ...FLAT, settings: {} })).status).toBe(400)
    const ranged = { name: 'By weight', type: 'weight', settings: { range: [{ lower_limit: 0, upper_limit: 5 }] } }
    expect((await call('POST', path, ranged)).status).toBe(400)
    for (const type of ['weight', 'total']) {
      const settings = { range: [{ lower_limit: 0, upper_limit: 5, shipping_cost: 4 }] }
      const { body } = await call('POST', path, { name: 'Ranged', type, settings })
      expect(body.type).toBe(type)
      expect((await call('PUT', `${path}/${body.id}`, { type: 'perorder' })).status).toBe(400)
    }
    expect((await call('POST', path, { ...FLAT, type: 'peritem' })).body.type).toBe('peritem')
    const settings = { carrier_options: { delivery_services: ['Express'] } }
    const carriers = ['auspost', 'canadapost', 'endicia', 'usps', 'fedex', 'royalmail', 'upsready', 'freeshipping']
    for (const type of carriers)
      expect((await call('POST', path, { name: 'Carrier', type, settings })).body).toMatchObject({ type, settings })
    expect((await call('POST', path, { ...FLAT, type: 'pigeon' })).status).toBe(400)
  })
})

test('carrier connections are write-only and answer 204', async () => {
  const { call, get } = await aProductWorld()
  const path = '/v2/shipping/carrier/connection'
  const connection = { key: 'k', password: 'p', account_number: '1', meter_number: '2' }
  expect((await call('POST', path, { carrier_id: 'fedex', connection })).status).toBe(204)
  // The sandbox does not check them with the carrier.
  expect((await call('PUT', path, { carrier_id: 'fedex', connection })).status).toBe(204)
  expect((await call('PUT', path, { carrier_id: 'fedex', connection: { key: 'k' } })).body).toEqual([
    { status: 400, message: 'Required fields missing [password, account_number, meter_number]' },
  ])
  expect((await get(path)).status).toBe(405)
  expect((await call('DELETE', path, { carrier_id: 'fedex' })).status).toBe(204)
})

test('shipping settings are the store’s or a channel’s, whose message can be removed', async () => {
  const { call, get } = await aProductWorld()
  const path = '/v3/shipping/settings'
  const saved = await call('PUT', path, { checkout: { out_of_delivery_zone_message: 'Not there.' } })
  expect(saved.body.data.checkout).toEqual({
    country_list_strategy: 'DISPLAY_ALL_COUNTRIES',
    out_of_delivery_zone_message: 'Not there.',
  })
  const channel = `${path}/channels/1`
  expect((await get(channel)).body.data).toEqual({ checkout: {} })
  await call('PUT', channel, { checkout: { out_of_delivery_zone_message: 'Ask us.' } })
  expect((await get(channel)).body.data).toEqual({ checkout: { out_of_delivery_zone_message: 'Ask us.' } })
  expect((await get(path)).body.data.checkout.out_of_delivery_zone_message).toBe('Not there.')
  await call('PUT', channel, { checkout: { out_of_delivery_zone_message: null } })
  expect((await get(channel)).body.data).toEqual({ checkout: {} })
})
