import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const CURRENCIES = '/v2/currencies'

const EURO = {
  currency_code: 'EUR',
  currency_exchange_rate: '0.9200000000',
  token_location: 'left',
  token: '€',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
  name: 'Euro',
}

test('a store has its default currency, listed in a plain array that ends with 204', async () => {
  const { get } = await aProductWorld()
  const { body } = await get(CURRENCIES)
  expect(body).toMatchObject([{ currency_code: 'USD', is_default: true, is_transactional: true }])
  expect((await get(`${CURRENCIES}?page=2`)).status).toBe(204)
  expect((await get(`${CURRENCIES}/${body[0].id}`)).body).toEqual(body[0])
})

test('a display currency is created, changed and deleted', async () => {
  const { call, get } = await aProductWorld()
  const made = await call('POST', CURRENCIES, EURO)
  expect(made).toMatchObject({ status: 200, body: { ...EURO, is_default: false, is_transactional: false } })
  const path = `${CURRENCIES}/${made.body.id}`
  expect((await call('PUT', path, { currency_code: 'CHF' })).status).toBe(400)
  const changed = await call('PUT', path, { currency_exchange_rate: '0.9' })
  expect(changed.body).toMatchObject({ currency_exchange_rate: '0.9', currency_code: 'EUR' })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await get(path)).body).toEqual([{ status: 404, message: expect.any(String) }])
})

test('a code is unique and the fields of a currency are required', async () => {
  const { call } = await aProductWorld()
  expect((await call('POST', CURRENCIES, { ...EURO, currency_code: 'usd' })).status).toBe(409)
  expect((await call('POST', CURRENCIES, { ...EURO, token: undefined })).status).toBe(400)
  expect((await call('POST', CURRENCIES, { ...EURO, token_location: 'above' })).status).toBe(400)
})

test('the API cannot make a currency transactional or unset the default', async () => {
  const { call, get } = await aProductWorld()
  const [dollar] = (await get(CURRENCIES)).body
  expect((await call('POST', CURRENCIES, { ...EURO, is_transactional: true })).status).toBe(400)
  expect((await call('PUT', `${CURRENCIES}/${dollar.id}`, { is_default: false })).status).toBe(400)
  expect((await call('PUT', `${CURRENCIES}/${dollar.id}`, { auto_update: true })).status).toBe(400)
})

test('a new default replaces the old and has the exchange rate 1, and the default cannot be deleted', async () => {
  const { call, get } = await aProductWorld()
  const euro = (await call('POST', CURRENCIES, EURO)).body
  await call('PUT', `${CURRENCIES}/${euro.id}`, { is_default: true })
  const flags = (await get(CURRENCIES)).body.map((row: { is_default: boolean }) => row.is_default)
  expect(flags.filter(Boolean)).toHaveLength(1)
  expect((await call('DELETE', `${CURRENCIES}/${euro.id}`)).status).toBe(400)
  expect((await call('DELETE', CURRENCIES)).status).toBe(204)
  const [own, ...others] = (await get(CURRENCIES)).body
  expect([own.id, own.is_default, Number(own.currency_exchange_rate), others]).toEqual([euro.id, true, 1, []])
  const rates = ['0.5', '1.0'].map((rate) => call('PUT', `${CURRENCIES}/${euro.id}`, { currency_exchange_rate: rate }))
  expect((await Promise.all(rates)).map(({ status }) => status)).toEqual([400, 200])
})

test('an exchange rate is a number above 0, or such a number as a string', async () => {
  const { call } = await aProductWorld()
  const rate = async (currency_exchange_rate: unknown) => {
    const { status, body } = await call('POST', CURRENCIES, { ...EURO, currency_exchange_rate })
    return status === 200 ? body.currency_exchange_rate : status
  }
  expect([await rate('much'), await rate('0'), await rate(-1), await rate(0.92)]).toEqual([400, 400, 400, '0.92'])
})
