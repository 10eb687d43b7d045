/** Tax classes, zones, rates and properties, and where a store sends its parcels. Left out: what either comes to in a cart. */
import { describe, expect, it } from 'vitest'
import { aShop, type Shop, times } from './fact-shop.ts'

const CLASSES = '/v3/tax/classes'
const ZONES = '/v3/tax/zones'
const RATES = '/v3/tax/rates'
const PROPERTIES = '/v3/tax/properties'
const TAX_SETTINGS = '/v3/tax/settings'
const SHIPPING_ZONES = '/v2/shipping/zones'
const CONNECTION = '/v2/shipping/carrier/connection'

const zone = (name: string, fields: object = {}) => ({
  name,
  shopper_target_settings: { locations: [{ country_code: 'IT' }], ...fields },
})
const rate = (tax_zone_id: number, name = 'VAT') => ({
  name,
  tax_zone_id,
  class_rates: [{ rate: 22, tax_class_id: 0 }],
})

async function aTaxZone({ made }: Shop, name = 'Italy'): Promise<number> {
  return (await made('POST', ZONES, [zone(name)]))[0].id
}

async function aShippingZone({ call }: Shop): Promise<string> {
  const body = { name: 'Italy', type: 'country', locations: [{ country_iso2: 'IT' }] }
  return `${SHIPPING_ZONES}/${(await call('POST', SHIPPING_ZONES, body)).body.id}`
}

describe('tax classes', () => {
  it('are written by version 3 and read by version 2 only', async () => {
    const { call, made } = await aShop()
    await made('POST', CLASSES, [{ name: 'Books' }])
    expect((await call('GET', CLASSES)).status).toBe(405)
    const { body } = await call('GET', '/v2/tax_classes')
    expect(body.map(({ name }: { name: string }) => name)).toContain('Books')
  })

  it('are taken 50 a call: 51 are 413', async () => {
    const { call } = await aShop()
    const classes = times(51, (n) => ({ name: `Class ${n}` }))
    expect((await call('POST', CLASSES, classes)).status).toBe(413)
    expect((await call('POST', CLASSES, classes.slice(1))).status).toBeLessThan(300)
  })

  it('do not share a name: 409 with one of the store, 422 with one of the batch', async () => {
    const { call, made } = await aShop()
    await made('POST', CLASSES, [{ name: 'Books' }])
    expect((await call('POST', CLASSES, [{ name: 'Books' }])).status).toBe(409)
    expect((await call('POST', CLASSES, [{ name: 'Food' }, { name: 'Food' }])).status).toBe(422)
  })

  it('are there from the start, and products are in the class 0 unless told', async () => {
    const shop = await aShop()
    expect((await shop.call('GET', '/v2/tax_classes')).body.length).toBeGreaterThan(0)
    expect((await shop.aProduct()).tax_class_id).toBe(0)
  })
})

describe('tax zones', () => {
  it('come all at once, whatever page is asked for', async () => {
    const { made, rows } = await aShop()
    await made(
      'POST',
      ZONES,
      times(60, (n) => zone(`Zone ${n}`)),
    )
    expect(await rows(`${ZONES}?page=2&limit=10`)).toHaveLength(61)
  })

  it('have a default with id 1 that no call makes or deletes', async () => {
    const { call, rows } = await aShop()
    expect(await rows(ZONES)).toMatchObject([{ id: 1 }])
    expect((await call('DELETE', `${ZONES}?id:in=1`)).status).toBe(422)
  })

  it('may be for certain groups of customers', async () => {
    const { made } = await aShop()
    const [made1] = await made('POST', ZONES, [zone('Trade', { customer_groups: [3] })])
    expect(made1.shopper_target_settings.customer_groups).toEqual([3])
  })

  it('take their rates along when they are deleted', async () => {
    const shop = await aShop()
    const id = await aTaxZone(shop)
    await shop.made('POST', RATES, [rate(id), rate(1)])
    expect((await shop.call('DELETE', `${ZONES}?id:in=${id}`)).status).toBe(204)
    expect(await shop.rows(RATES)).toMatchObject([{ tax_zone_id: 1 }])
  })
})

describe('tax rates and properties', () => {
  it('of rates name a zone and classes that exist', async () => {
    const { call } = await aShop()
    expect((await call('POST', RATES, [rate(1)])).status).toBe(200)
    expect((await call('POST', RATES, [rate(99)])).status).toBe(422)
    const unknown = { ...rate(1), class_rates: [{ rate: 22, tax_class_id: 254 }] }
    expect((await call('POST', RATES, [unknown])).status).toBe(422)
  })

  it('of properties are told apart by code and type', async () => {
    const { call } = await aShop()
    const property = (type: string) => ({ code: 'ALCOHOL', display_name: 'Alcohol', type })
    expect((await call('POST', PROPERTIES, [property('PRODUCT'), property('CUSTOMER')])).status).toBe(200)
    expect((await call('POST', PROPERTIES, [property('PRODUCT')])).status).toBe(422)
  })
})

describe('tax settings', () => {
  it.each(['guest_shopper_tax_zone_id', 'store_tax_zone_id'])('name by %s a zone that exists', async (field) => {
    const shop = await aShop()
    const id = await aTaxZone(shop)
    expect(await shop.made('PUT', TAX_SETTINGS, { [field]: id })).toMatchObject({ [field]: id })
    expect((await shop.call('PUT', TAX_SETTINGS, { [field]: 99 })).status).toBe(422)
  })
})

describe('shipping zones', () => {
  it('come all at once as a plain array, whatever page is asked for', async () => {
    const { call, get } = await aShop()
    const before = ((await get(SHIPPING_ZONES)).body ?? []).length
    for (const n of times(3, (number) => number))
      expect((await call('POST', SHIPPING_ZONES, { name: `Zone ${n}`, type: 'global' })).status).toBe(201)
    expect((await get(`${SHIPPING_ZONES}?page=2&limit=1`)).body).toHaveLength(before + 3)
  })

  it.each([
    ['zip', [{ zip: '00100', country_iso2: 'IT' }]],
    ['country', [{ country_iso2: 'IT' }]],
    ['state', [{ state_iso2: 'TX', country_iso2: 'US' }]],
    ['global', []],
  ])('may be of the type %s', async (type, locations) => {
    const { call } = await aShop()
    const { status, body } = await call('POST', SHIPPING_ZONES, { name: 'Zone', type, locations })
    expect([status, body.type]).toEqual([201, type])
  })

  it('of zips have 40,000 of them at most', async () => {
    const { call } = await aShop()
    const locations = times(40_001, (n) => ({ zip: String(n), country_iso2: 'US' }))
    const send = async (count: number) =>
      (await call('POST', SHIPPING_ZONES, { name: 'Many', type: 'zip', locations: locations.slice(0, count) })).status
    expect(await send(40_001)).toBe(400)
    expect(await send(40_000)).toBe(201)
  })
})

describe('shipping methods', () => {
  it.each([
    ['perorder', { rate: 7 }],
    ['peritem', { rate: 2 }],
    ['weight', { range: [{ lower_limit: 0, upper_limit: 5, shipping_cost: 4 }] }],
    ['total', { range: [{ lower_limit: 0, upper_limit: 50, shipping_cost: 4 }] }],
    ...['auspost', 'canadapost', 'endicia', 'usps', 'fedex', 'royalmail', 'upsready', 'freeshipping'].map(
      (type): [string, object] => [type, {}],
    ),
  ])('may be of the type %s', async (type, settings) => {
    const shop = await aShop()
    const { body } = await shop.call('POST', `${await aShippingZone(shop)}/methods`, { name: 'Parcel', type, settings })
    expect(body.type).toBe(type)
  })

  it('are of no other type', async () => {
    const shop = await aShop()
    const pigeon = { name: 'Parcel', type: 'pigeon', settings: {} }
    expect((await shop.call('POST', `${await aShippingZone(shop)}/methods`, pigeon)).status).toBe(400)
  })

  it('hang on channels that exist', async () => {
    const shop = await aShop()
    const methods = `${await aShippingZone(shop)}/methods`
    const flat = { name: 'Flat', type: 'perorder', settings: { rate: 7 } }
    expect((await shop.call('POST', methods, { ...flat, channel_ids: [1] })).body.channel_ids).toEqual([1])
    expect((await shop.call('POST', methods, { ...flat, channel_ids: [99] })).status).toBe(400)
  })
})

describe('connections with carriers', () => {
  const connection = { key: 'k', password: 'p', account_number: '1', meter_number: '2' }

  it('are written and never read', async () => {
    const { call } = await aShop()
    expect((await call('POST', CONNECTION, { carrier_id: 'fedex', connection })).status).toBe(204)
    expect((await call('GET', CONNECTION)).status).toBe(405)
  })

  it('are answered with 204 whether or not the carrier takes the credentials', async () => {
    const { call } = await aShop()
    const wrong = { ...connection, password: 'certainly wrong' }
    expect((await call('PUT', CONNECTION, { carrier_id: 'fedex', connection: wrong })).status).toBe(204)
  })
})

describe('shipping settings', () => {
  it('are those of the store, and of a channel where it has its own', async () => {
    const { made, rows } = await aShop()
    const path = '/v3/shipping/settings'
    await made('PUT', path, { checkout: { out_of_delivery_zone_message: 'Not there.' } })
    await made('PUT', `${path}/channels/1`, { checkout: { out_of_delivery_zone_message: 'Ask us.' } })
    expect((await rows(path)).checkout.out_of_delivery_zone_message).toBe('Not there.')
    expect((await rows(`${path}/channels/1`)).checkout.out_of_delivery_zone_message).toBe('Ask us.')
  })
})
