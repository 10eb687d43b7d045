/**
 * How endpoints are addressed and what their statuses mean. Left out: XML of v2 (the sandbox supports JSON only), the
 * 401 that some published files show as plain text, and statuses of pages, themes, coupons, orders and others.
 */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { aLocation, aShop, ask, BRANDS, CATEGORIES, LOCATIONS, PRODUCTS, product, type Shop } from '../a-shop.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('addressing the platform', () => {
  it.each([
    ['/v3/catalog/summary', 'version 3'],
    ['/v2/store', 'version 2'],
  ])('serves %s below the hash of the store, by %s', async (path) => {
    const { get, sandbox, url, hash } = await aShop()
    expect(url).toBe(`${sandbox.url}/stores/${hash}`)
    expect((await get(path)).status).toBe(200)
    const elsewhere = `${sandbox.url}/stores/another${path}`
    expect((await ask(elsewhere, 'GET', undefined, { 'X-Auth-Token': 'secret' })).status).toBe(404)
  })

  it('requires a token and nothing else: no client id, no other header', async () => {
    const { url, sandbox } = await aShop()
    const options = { port: sandbox.port, path: `${new URL(url).pathname}${BRANDS}` }
    const status = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        request({ ...options, headers }, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end()
      })
    expect(await status({ 'X-Auth-Token': 'secret' })).toBe(200)
    expect(await status({ 'X-Auth-Client': 'secret' })).toBe(401)
  })

  it('reads header names in any case and accepts a correlation id', async () => {
    const { url } = await aShop()
    const headers = { 'x-AUTH-token': 'secret', 'X-Correlation-Id': '6a1f8fd0-6e3c-4f5b-9d39-6f0d8f6f4a11' }
    expect((await ask(`${url}${BRANDS}`, 'GET', undefined, headers)).status).toBe(200)
  })

  it('refuses a body of another content type with 415 and one that is not JSON with 400', async () => {
    const { call, store } = await aShop()
    expect((await call('POST', BRANDS, { name: 'Loom' }, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await call('POST', BRANDS, '{"name":', JSON_TYPE)).status).toBe(400)
    expect(store.table('brands').count()).toBe(0)
  })

  it('supports UTF-8 in both directions', async () => {
    const { made, get } = await aShop()
    const name = 'Größe “L” 日本語 🧵 עברית'
    const { id } = await made('POST', BRANDS, { name })
    const answer = await get(`${BRANDS}/${id}`)
    expect(answer.body.data.name).toBe(name)
    expect(answer.headers.get('Content-Type')).toContain('application/json')
  })

  it.each([
    '/v2/store',
    '/v2/time',
    '/v2/currencies',
  ])('answers %s in the same way with .json at its end', async (path) => {
    const { get } = await aShop()
    const plain = await get(path)
    const extended = await get(`${path}.json`)
    expect([extended.status, Object.keys(extended.body)]).toEqual([200, Object.keys(plain.body)])
  })

  it('reports the identity of a store, its default channel and site, its plan, features, currency and units', async () => {
    const { get, hash } = await aShop()
    expect((await get('/v2/store')).body).toMatchObject({
      id: hash,
      default_channel_id: 1,
      default_site_id: 1000,
      plan_level: expect.any(String),
      features: { multi_storefront_enabled: expect.any(Boolean), storefront_limits: expect.any(Object) },
      currency: 'USD',
      weight_units: expect.any(String),
      dimension_units: expect.any(String),
      is_price_entered_with_tax: expect.any(Boolean),
    })
  })
})

/** A call with its expected status and path. */
type Meeting = [status: number, what: string, meet: (shop: Shop) => Promise<{ status: number }>]

const brands = (method: string, body?: unknown) => (shop: Shop) => shop.call(method, BRANDS, body)
const two = (shop: Shop) => [
  { name: 'Shirts', tree_id: shop.treeId() },
  { name: '', tree_id: shop.treeId() },
]

const MEETINGS: Meeting[] = [
  [200, 'a read', brands('GET')],
  [200, 'a new product', (shop) => shop.call('POST', PRODUCTS, product())],
  [200, 'a new brand', brands('POST', { name: 'Loom' })],
  [
    200,
    'a changed product',
    async (shop) => shop.call('PUT', `${PRODUCTS}/${(await shop.aProduct()).id}`, { price: 5 }),
  ],
  [201, 'new categories', (shop) => shop.call('POST', CATEGORIES, two(shop).slice(0, 1))],
  [
    201,
    'a new site',
    async (shop) => {
      const channel = { name: 'Outlet', type: 'storefront', platform: 'bigcommerce' }
      const { id } = await shop.made('POST', '/v3/channels', channel)
      return shop.call('POST', '/v3/sites', { channel_id: id, url: 'https://outlet.example' })
    },
  ],
  [
    204,
    'deleted categories',
    (shop) => shop.call('DELETE', `${CATEGORIES}?category_id:in=${shop.aCategory('Shirts')}`),
  ],
  [204, 'a deleted product', async (shop) => shop.call('DELETE', `${PRODUCTS}/${(await shop.aProduct()).id}`)],
  [204, 'a deleted brand', (shop) => shop.call('DELETE', `${BRANDS}/${shop.aBrand('Loom')}`)],
  [
    204,
    'assigned channels',
    async (shop) => {
      const assignment = { product_id: (await shop.aProduct()).id, channel_id: 1 }
      return shop.call('PUT', `${PRODUCTS}/channel-assignments`, [assignment])
    },
  ],
  [207, 'categories of which some are saved', (shop) => shop.call('POST', CATEGORIES, two(shop))],
  [400, 'a body that is not JSON', brands('POST', 'x')],
  [401, 'another token', (shop) => ask(`${shop.url}${BRANDS}`, 'GET', undefined, { 'X-Auth-Token': 'wrong' })],
  [404, 'something that is not there', (shop) => shop.get(`${PRODUCTS}/99999999`)],
  [404, 'an address that is not one', (shop) => shop.get('/v3/catalog/nothing')],
  [405, 'a method that the address does not have', brands('PUT', {})],
  [
    409,
    'a duplicate',
    async (shop) => {
      await shop.aProduct()
      return shop.call('POST', PRODUCTS, product())
    },
  ],
  [
    413,
    'too long a batch',
    (shop) =>
      shop.call(
        'PUT',
        PRODUCTS,
        Array.from({ length: 11 }, () => ({ id: 1 })),
      ),
  ],
  [415, 'another content type', (shop) => shop.call('POST', BRANDS, {}, { 'Content-Type': 'text/plain' })],
  [422, 'a field that is missing', (shop) => shop.call('POST', PRODUCTS, { name: 'Shirt' })],
  [422, 'locations without an address', (shop) => shop.call('POST', LOCATIONS, [aLocation('D1', { address: null })])],
]

describe('statuses', () => {
  it.each(MEETINGS)('answers %i to %s', async (status, _what, meet) => {
    expect((await meet(await aShop())).status).toBe(status)
  })

  it.each([
    406, 409, 423, 429, 499, 500, 501, 502, 503, 504, 507,
  ])('can answer %i to any call, as the platform can, without applying it', async (status) => {
    const { call, fault, store } = await aShop()
    await fault({ kind: 'error_before_applying', status })
    const answer = await call('POST', BRANDS, { name: 'Loom' })
    expect([answer.status, answer.body.status]).toEqual([status, status])
    expect(store.table('brands').count()).toBe(0)
  })

  it.each([
    '/v2/store',
    '/v2/currencies',
    '/v2/tax_classes',
  ])('answers 304 without a body to a client with the latest %s, and the new one otherwise', async (path) => {
    const { call, get, store } = await aShop()
    const first = await get(path)
    const known = { 'If-Modified-Since': String(first.headers.get('Last-Modified')) }
    const same = await call('GET', path, undefined, known)
    expect([same.status, same.body]).toEqual([304, undefined])
    store.switches.weight_units = 'Grams'
    await call('POST', '/v3/tax/classes', [{ name: 'Books' }])
    const [currency] = store.table('currencies').find({})
    store.table('currencies').update(currency?.id ?? 0, { name: 'Dollar' })
    const news = await call('GET', path, undefined, known)
    expect([news.status, news.body]).toEqual([200, (await get(path)).body])
    expect(news.body).not.toEqual(first.body)
  })

  it('has no 304 in v3', async () => {
    const { call } = await aShop()
    const later = { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }
    expect((await call('GET', BRANDS, undefined, later)).status).toBe(200)
  })
})
