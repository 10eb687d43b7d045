import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

test('a store reports its identity, its units and its default channel and site', async () => {
  const { get } = await aProductWorld({ switches: { weight_units: 'KGS', dimension_units: 'Centimeters' } })
  const { body } = await get('/v2/store')
  expect(body).toMatchObject({ id: 'shop', name: 'shop', default_channel_id: 1, default_site_id: 1000 })
  expect(body).toMatchObject({ weight_units: 'KGS', dimension_units: 'Centimeters', currency: 'USD' })
  expect((await get(`/v3/channels/${body.default_channel_id}`)).status).toBe(200)
  expect((await get(`/v3/sites/${body.default_site_id}`)).body.data.channel_id).toBe(1)
})

test('the information of a store reflects its settings and its default currency', async () => {
  const { call, get } = await aProductWorld()
  await call('PUT', '/v3/settings/store/profile', { store_name: 'Corner Shop', store_phone: '555-0199' })
  await call('PUT', '/v3/settings/store/units-of-measurement', { weight_measurement: 'KGS', decimal_token: ',' })
  await call('PUT', '/v3/settings/store/locale', { default_shopper_language: 'fr' })
  const euro = { currency_code: 'EUR', currency_exchange_rate: '0.92', token: '€', token_location: 'right' }
  const spelling = { decimal_token: ',', thousands_token: '.', decimal_places: 2, name: 'Euro', is_default: true }
  await call('POST', '/v2/currencies', { ...euro, ...spelling })
  const { body } = await get('/v2/store')
  expect(body).toMatchObject({ name: 'Corner Shop', phone: '555-0199', language: 'fr', weight_units: 'KGS' })
  expect(body).toMatchObject({ dimension_decimal_token: ',', currency: 'EUR', currency_symbol: '€' })
  expect(body).toMatchObject({ currency_symbol_location: 'right', decimal_separator: ',', thousands_separator: '.' })
})

test('the time is the number of seconds since 1970', async () => {
  const { get } = await aProductWorld()
  const before = Math.floor(Date.now() / 1000)
  const { time } = (await get('/v2/time')).body
  expect(Number.isInteger(time)).toBe(true)
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Math.floor(Date.now() / 1000))
})
