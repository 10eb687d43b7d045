import { expect, test } from 'vitest'
import { PLAN_QUOTAS, Quota } from '../../sandbox/server/quota.ts'
import { aShop, metafield, PRODUCTS } from './a-shop.ts'

const SETTINGS = '/v3/promotions/settings'

test('with `enterprise: false` the settings of that plan keep their values: a change is 403', async () => {
  const { call } = await aShop({ switches: { enterprise: false } })
  const { body: settings } = await call('GET', SETTINGS)
  expect((await call('PUT', SETTINGS, { ...settings, number_of_coupons_allowed_at_checkout: 2 })).status).toBe(403)
  const other = { ...settings, promotions_applied_on_original_product_price: false }
  expect(await call('PUT', SETTINGS, other)).toMatchObject({ status: 200, body: other })
})

test('with `batch_refusal: 422` a batch of too many metafields says in its title how many there may be', async () => {
  const { call, aProduct } = await aShop({ switches: { metafield_batch_max: 2, batch_refusal: 422 } })
  const { id: resource_id } = await aProduct()
  const send = (keys: string[]) =>
    call(
      'POST',
      `${PRODUCTS}/metafields`,
      keys.map((key) => metafield(key, { resource_id })),
    )
  expect((await send(['a', 'b'])).status).toBe(200)
  const { status, body } = await send(['c', 'd', 'e'])
  expect([status, body.title]).toEqual([422, 'Max batch size allowed is 2'])
})

const person = {
  ...{ first_name: 'Ada', last_name: 'Example', street_1: '1 Road', city: 'Austin', state: 'Texas', zip: '78701' },
  ...{ country: 'United States', country_iso2: 'US', email: 'ada@example.com' },
}
const line = { name: 'Linen Shirt', quantity: 1, price_inc_tax: 54, price_ex_tax: 49 }

test.each([
  ['an empty country', { shipping_addresses: [{ ...person, country: '' }] }],
  ['an empty country code', { shipping_addresses: [{ ...person, country_iso2: '' }] }],
  ['an email address of another form', { billing_address: { ...person, email: 'ada' } }],
  ['a state that is null', { shipping_addresses: [{ ...person, state: null }] }],
  ['no lines', { products: [] }],
])('an order with %s is refused, and with `order_addresses: accept` it is not', async (_what, fields) => {
  const { call, store } = await aShop()
  const order = { billing_address: person, products: [line], ...fields }
  expect((await call('POST', '/v2/orders', order)).status).toBe(400)
  store.switches.order_addresses = 'accept'
  expect((await call('POST', '/v2/orders', order)).status).toBe(200)
})

test('a relative adjustment of stock by 0 is refused', async () => {
  const { call, aProduct } = await aShop()
  const { id: product_id } = await aProduct({ inventory_tracking: 'product', inventory_level: 5 })
  const send = async (quantity: number) => {
    const items = [{ location_id: 1, product_id, quantity }]
    return (await call('POST', '/v3/inventory/adjustments/relative', { reason: 'count', items })).status
  }
  expect([await send(1), await send(0)]).toEqual([200, 422])
})

test('with `slow_lists_ms` a list takes that much longer', async () => {
  const { get } = await aShop({ switches: { slow_lists_ms: 100 } })
  const startedMs = performance.now()
  await get('/v3/catalog/brands')
  expect(performance.now() - startedMs).toBeGreaterThan(65)
})

test('a fixed quota is whole again at the end of its window, a sliding one call by call', () => {
  let nowMs = 0
  const settings = { requests: 2, windowMs: 1_000 }
  const takes = (quota: Quota, atMs: number) => {
    nowMs = atMs
    return quota.take()
  }
  const fixed = new Quota(
    settings,
    () => false,
    () => nowMs,
  )
  const sliding = new Quota(
    settings,
    () => true,
    () => nowMs,
  )
  for (const quota of [fixed, sliding])
    expect([takes(quota, 0), takes(quota, 900), takes(quota, 950)]).toEqual([true, true, false])
  nowMs = 950
  expect(sliding.headers()).toMatchObject({ 'X-Rate-Limit-Requests-Left': '0', 'X-Rate-Limit-Time-Reset-Ms': '50' })
  expect([takes(fixed, 1_000), takes(fixed, 1_001)]).toEqual([true, true])
  expect([takes(sliding, 1_000), takes(sliding, 1_001), takes(sliding, 1_900)]).toEqual([true, false, true])
})

test('a plan without a quota never ends, whatever its window', () => {
  const quota = new Quota(PLAN_QUOTAS.unlimited, () => true)
  expect(Array.from({ length: 1_000 }, () => quota.take())).not.toContain(false)
})
