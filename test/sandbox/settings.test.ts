import { expect, test } from 'vitest'
import { SETTING_GROUPS } from '../../sandbox/settings/setting-groups.ts'
import { aProductWorld } from './product-world.ts'

const PROFILE = '/v3/settings/store/profile'
const CATALOG = '/v3/settings/catalog'
const LOCALE = '/v3/settings/store/locale'

test('a new store has every group of settings, and takes back what it shows', async () => {
  const { call, get } = await aProductWorld()
  for (const { path } of SETTING_GROUPS) {
    const { status, body } = await get(`/v3/settings/${path}`)
    expect([path, status, Object.values(body.data).includes(null)]).toEqual([path, 200, false])
    expect([path, (await call('PUT', `/v3/settings/${path}`, body.data)).body.data]).toEqual([path, body.data])
  }
})

test('a setting is changed and the others stay', async () => {
  const { call, get } = await aProductWorld()
  const before = (await get(PROFILE)).body.data
  expect(before).toMatchObject({ store_name: 'shop', store_address_type: 'Home Office' })
  await call('PUT', PROFILE, { store_name: 'Corner Shop' })
  expect((await get(PROFILE)).body.data).toEqual({ ...before, store_name: 'Corner Shop' })
})

test('a channel shows null for what it inherits, and a put replaces all its overrides', async () => {
  const { call, get } = await aProductWorld()
  const ofChannel = `${CATALOG}?channel_id=1`
  const nothing = { auto_approve_reviews: null, enable_product_comparisons: null }
  expect((await get(ofChannel)).body.data).toEqual(nothing)
  await call('PUT', ofChannel, { auto_approve_reviews: true, enable_product_comparisons: false })
  expect((await get(ofChannel)).body.data).toEqual({ auto_approve_reviews: true, enable_product_comparisons: false })
  expect((await get(CATALOG)).body.data).toEqual({ auto_approve_reviews: false, enable_product_comparisons: true })
  await call('PUT', ofChannel, { enable_product_comparisons: false })
  expect((await get(ofChannel)).body.data).toEqual({ ...nothing, enable_product_comparisons: false })
  await call('PUT', ofChannel, nothing)
  expect((await get(ofChannel)).body.data).toEqual(nothing)
})

test('null for the whole store, an unknown choice and a missing language are 422, an unknown channel is 404', async () => {
  const { call, get } = await aProductWorld()
  expect((await call('PUT', CATALOG, { auto_approve_reviews: null })).status).toBe(422)
  expect((await call('PUT', PROFILE, { store_address_type: 'Moon' })).status).toBe(422)
  expect((await call('PUT', LOCALE, { store_country: 'France' })).status).toBe(422)
  expect((await call('PUT', LOCALE, { default_shopper_language: 'fr' })).status).toBe(200)
  expect((await get(`${CATALOG}?channel_id=7`)).status).toBe(404)
})

test('the locale is one for all channels', async () => {
  const { call, get } = await aProductWorld()
  await call('PUT', `${LOCALE}?channel_id=1`, { default_shopper_language: 'fr' })
  expect((await get(LOCALE)).body.data.default_shopper_language).toBe('fr')
})
