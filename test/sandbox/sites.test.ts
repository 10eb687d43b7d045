import { expect, test } from 'vitest'
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

test('a site is made with 201, changed and deleted, and it is the site of its channel', async () => {
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

test('a channel has one site, which can be made and deleted below the channel too', async () => {
  const { call, channelId } = await aSecondChannel()
  const path = `/v3/channels/${channelId}/site`
  expect((await call('POST', path, { url: 'https://second.example' })).status).toBe(200)
  expect((await call('POST', path, { url: 'https://other.example' })).status).toBe(409)
  expect((await call('PUT', path, { url: 'https://other.example' })).body.data.url).toBe('https://other.example')
  expect((await call('DELETE', path)).status).toBe(200)
})

test('a site needs an address and a channel that is there', async () => {
  const { call, channelId } = await aSecondChannel()
  expect((await call('POST', SITES, { url: 'shop', channel_id: channelId })).status).toBe(422)
  expect((await call('POST', SITES, { channel_id: channelId })).status).toBe(422)
  expect((await call('POST', SITES, { url: 'https://second.example', channel_id: 99 })).status).toBe(404)
})

test('a route is made, read, changed and deleted below its site', async () => {
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

test('a bulk of routes changes by id and adds the rest, and a duplicate refuses all of it', async () => {
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
