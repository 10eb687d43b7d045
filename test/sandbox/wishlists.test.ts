import { expect, test } from 'vitest'
import { variant } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const WISHLISTS = '/v3/wishlists'

/** A customer, and a product with two variants. */
async function aWishWorld(switches = {}) {
  const world = await aProductWorld({ switches })
  const person = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Example' }
  const [customer] = (await world.call('POST', '/v3/customers', [person])).body.data
  const { id, variants } = await world.create({ variants: [variant('S', { Size: 'S' }), variant('M', { Size: 'M' })] })
  const items = variants.map((one: { id: number }) => ({ product_id: id, variant_id: one.id }))
  const made = await world.call('POST', WISHLISTS, {
    customer_id: customer.id,
    name: 'For later',
    token: 'mine',
    items,
  })
  return { ...world, customer, items, made, wishlist: made.body.data, path: `${WISHLISTS}/${made.body.data.id}` }
}

test('a wishlist is created with its items and a token of the platform, and the list shows both', async () => {
  const { get, made, wishlist, items, customer } = await aWishWorld()
  expect(wishlist.token).toEqual(expect.any(String))
  expect(wishlist.token).not.toBe('mine')
  expect(made.status).toBe(201)
  expect(wishlist).toMatchObject({ name: 'For later', is_public: false, customer_id: customer.id, items })
  expect((await get(`${WISHLISTS}?customer_id=${customer.id}`)).body.data).toEqual([wishlist])
  expect((await get(`${WISHLISTS}?customer_id=99`)).body.data).toEqual([])
})

test('the items of an update replace all others; a single item can be added and removed', async () => {
  const { call, get, wishlist, items, path, customer } = await aWishWorld()
  const [first] = wishlist.items
  const changed = await call('PUT', path, { customer_id: customer.id, name: 'Soon', items: [first] })
  expect(changed).toMatchObject({ status: 201, body: { data: { name: 'Soon', items: [first] } } })
  const grown = (await call('POST', `${path}/items`, { items: [items[1]] })).body.data
  expect(grown.items).toHaveLength(2)
  expect((await call('DELETE', `${path}/items/${first.id}`)).body.data.items).toEqual([grown.items[1]])
  const anew = await call('PUT', path, { customer_id: customer.id, name: 'Soon', items: [items[0]] })
  expect(anew.body.data.items).toEqual([{ id: expect.any(Number), ...items[0] }])
  expect((await call('PUT', path, { customer_id: customer.id, name: 'Soon' })).status).toBe(422)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await get(path)).status).toBe(404)
})

test('customer and products must exist, and two lists may have the same name', async () => {
  const { call, customer } = await aWishWorld()
  const send = async (body: object) => (await call('POST', WISHLISTS, { customer_id: customer.id, ...body })).status
  expect(await send({ customer_id: 99 })).toBe(422)
  expect(await send({ items: [{ product_id: 99 }] })).toBe(422)
  expect(await send({ name: 'For later' })).toBe(201)
})

test('the list says that there are none, beside those that it shows', async () => {
  const { get } = await aWishWorld()
  const { data, meta } = (await get(WISHLISTS)).body
  expect([data.length, meta.pagination]).toMatchObject([1, { total: 0, total_pages: 0, count: 1 }])
})

test('a page has at most 250 lists', async () => {
  const { get, store } = await aWishWorld({ wishlists_counted: true })
  store.transaction(() => {
    for (let at = 0; at < 250; at++) store.table('wishlists').insert({ customer_id: 0, name: `List ${at}` })
  })
  const { data, meta } = (await get(`${WISHLISTS}?limit=1000`)).body
  expect([data.length, meta.pagination.total]).toEqual([250, 251])
})

test('a list is deleted with its customer', async () => {
  const { call, get, customer } = await aWishWorld()
  await call('DELETE', `/v3/customers?id:in=${customer.id}`)
  expect((await get(WISHLISTS)).body.data).toEqual([])
})
