import { expect, test } from 'vitest'
import { makeCertificate } from '../../sandbox/server/certificate.ts'
import { aProductWorld } from './product-world.ts'

const SITES = '/v3/sites'
const ROUTES = `${SITES}/1000/routes`
const CART = { type: 'cart', matching: '*', route: '/basket' }

async function aSecondChannel() {
  const world = await aProductWorld()
  const channel = { name: 'second', type: 'storefront', platform: 'custom' }
  const { id } = (await world.call('POST', '/v3/channels', channel)).body.data
  return { ...world, channelId: id }
}

test('a new store has site 1000 on its default channel', async () => {
  const { get } = await aProductWorld()
  const { data, meta } = (await get(SITES)).body
  expect(data).toMatchObject([{ id: 1000, channel_id: 1, url: 'https://shop.example' }])
  expect(data[0].urls.map((url: { type: string }) => url.type)).toEqual(['primary', 'canonical'])
  expect(meta.pagination.total).toBe(1)
  expect((await get(`${SITES}/1000`)).body.data).toEqual(data[0])
  expect((await get('/v3/channels/1/site')).body.data).toEqual(data[0])
})

test('a site is created with 201, changed and deleted, and it is the site of its channel', async () => {
  const { call, get, channelId } = await aSecondChannel()
  const made = await call('POST', SITES, { url: 'https://second.example', channel_id: channelId })
  expect(made).toMatchObject({ status: 201, body: { data: { url: 'https://second.example', channel_id: channelId } } })
  const { id } = made.body.data
  expect((await get(`${SITES}?channel_id:in=${channelId}`)).body.data).toMatchObject([{ id }])
  expect((await get(`/v3/channels/${channelId}/site`)).body.data.id).toBe(id)
  const changed = await call('PUT', `${SITES}/${id}`, { url: 'https://third.example' })
  expect(changed.body.data.url).toBe('https://third.example')
  expect((await call('DELETE', `${SITES}/${id}`)).status).toBe(204)
  expect((await get(`${SITES}/${id}`)).status).toBe(404)
  expect((await get(`/v3/channels/${channelId}/site`)).status).toBe(404)
})

test('a channel has one site, which can also be created and deleted below the channel', async () => {
  const { call, channelId } = await aSecondChannel()
  const path = `/v3/channels/${channelId}/site`
  expect((await call('POST', path, { url: 'https://second.example' })).status).toBe(200)
  expect((await call('POST', path, { url: 'https://other.example' })).status).toBe(409)
  expect((await call('PUT', path, { url: 'https://other.example' })).body.data.url).toBe('https://other.example')
  expect((await call('DELETE', path)).status).toBe(200)
})

test('a site needs an address and an existing channel', async () => {
  const { call, channelId } = await aSecondChannel()
  expect((await call('POST', SITES, { url: 'shop', channel_id: channelId })).status).toBe(422)
  expect((await call('POST', SITES, { channel_id: channelId })).status).toBe(422)
  expect((await call('POST', SITES, { url: 'https://second.example', channel_id: 99 })).status).toBe(404)
})

test('a route is created, read, changed and deleted below its site', async () => {
  const { call, get } = await aProductWorld()
  const made = await call('POST', ROUTES, CART)
  expect(made).toMatchObject({ status: 201, body: { data: CART } })
  const path = `${ROUTES}/${made.body.data.id}`
  expect((await get(path)).body.data).toEqual(made.body.data)
  expect((await call('PUT', path, { ...CART, route: '/cart' })).body.data.route).toBe('/cart')
  expect((await get(`${ROUTES}?type=cart`)).body.data).toHaveLength(1)
  expect((await get(`${ROUTES}?type=home`)).body.data).toEqual([])
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await get(path)).status).toBe(404)
})

test('a batch of routes changes by id and adds the rest, and a duplicate refuses all of it', async () => {
  const { call, get } = await aProductWorld()
  const { id } = (await call('POST', ROUTES, CART)).body.data
  const home = { type: 'home', matching: '*', route: '/' }
  const saved = await call('PUT', ROUTES, [{ id, ...CART, route: '/cart' }, home])
  expect([saved.status, saved.body.data]).toEqual([
    200,
    [
      { id, ...CART, route: '/cart' },
      { id: expect.any(Number), ...home },
    ],
  ])
  const refused = await call('PUT', ROUTES, [{ ...home, type: 'blog' }, home])
  expect(refused).toMatchObject({ status: 422, body: { meta: { saved_records: 0 } } })
  expect(Object.keys(refused.body.errors)).toEqual(['1.matching.type'])
  expect((await get(ROUTES)).body.data).toHaveLength(2)
})

test('routes of an unknown type are 422 and routes of an unknown site are 404', async () => {
  const { call, get } = await aProductWorld()
  expect((await call('POST', ROUTES, { ...CART, type: 'moon' })).status).toBe(422)
  expect((await call('POST', ROUTES, { type: 'cart' })).status).toBe(422)
  expect((await get(`${SITES}/7/routes`)).status).toBe(404)
})

test('a checkout address is below the address of the shop and always secure', async () => {
  const { call, get } = await aProductWorld()
  const path = '/v3/channels/1/site/checkout-url'
  expect((await call('PUT', path, { url: 'https://checkout.other.example' })).status).toBe(422)
  expect((await call('PUT', path, { url: 'https://shop.example' })).status).toBe(422)
  const put = await call('PUT', path, { url: 'http://checkout.shop.example' })
  expect(put).toMatchObject({ status: 200, body: { id: 1000, is_checkout_url_customized: true } })
  const { data } = (await get('/v3/channels/1/site')).body
  expect(data.urls[2]).toMatchObject({ type: 'checkout', url: 'https://checkout.shop.example' })
  expect((await get(`${SITES}?url_type:in=checkout`)).body.data).toEqual([data])
  expect((await call('DELETE', path)).body).toEqual({ data: {}, meta: {} })
  expect((await get(`${SITES}?url_type:in=checkout`)).body.data).toEqual([])
  expect((await get(`${SITES}/1000`)).body.data.is_checkout_url_customized).toBe(false)
})

test('a site shows the fields of its certificate and never the private key', async () => {
  const { call, get } = await aProductWorld()
  const path = `${SITES}/1000/certificate`
  expect((await get(path)).body.data).toEqual({ status: 'shared', installed_certificate: null })
  const { certificate, privateKey } = await makeCertificate()
  const put = await call('PUT', path, { certificate: { certificate, private_key: privateKey } })
  expect(put).toEqual({ status: 200, body: { data: {}, meta: {} } })
  const shown = (await get(path)).body.data
  expect(shown).toMatchObject({ status: 'dedicated', installed_certificate: { common_name: 'localhost', certificate } })
  expect(shown.installed_certificate.subject_alternative_names).toContain('api.bigcommerce.com')
  expect(Date.parse(shown.installed_certificate.validity_not_after)).toBeGreaterThan(Date.now())
  expect(JSON.stringify(shown)).not.toContain('PRIVATE KEY')
  expect((await get(`${SITES}/1000`)).body.data.ssl_status).toBe('dedicated')
  expect((await get(`${SITES}/certificates`)).body.data).toEqual([shown.installed_certificate])
  expect((await get(`${SITES}/certificates?urls:in=https://other.example`)).body.data).toEqual([])
})

test('a certificate matches its key and an address of the site', async () => {
  const { call } = await aProductWorld()
  const [one, two] = [await makeCertificate(), await makeCertificate()]
  const status = async (body: object) => (await call('PUT', `${SITES}/1000/certificate`, body)).status
  const fitting = { certificate: one.certificate, private_key: one.privateKey }
  expect(await status({ certificate: { ...fitting, private_key: two.privateKey } })).toBe(422)
  expect(await status({ certificate: { ...fitting, certificate: 'none' } })).toBe(422)
  expect(await status({ url: 'https://other.example', certificate: fitting })).toBe(422)
  expect(await status({ url: 'https://shop.example', certificate: fitting })).toBe(200)
})
