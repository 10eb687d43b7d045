import { expect, test } from 'vitest'
import { PRODUCTS } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const SHELF = { namespace: 'shelf', key: 'location', value: 'A-12', permission_set: 'write' }

const ADDRESS = {
  address1: '2 Sample Street',
  city: 'Reno',
  state: 'Nevada',
  zip: '89501',
  email: 'shed@shop.example',
  country_code: 'US',
  geo_coordinates: { latitude: 39.5, longitude: -119.8 },
}

type World = Awaited<ReturnType<typeof aProductWorld>>

interface Kind {
  resourceType: string
  bulk: string
  /** Creates an owner: its id, its path, and the call that deletes it. */
  anOwner(world: World): Promise<{ id: number; path: string; removal: string }>
}

const KINDS: Kind[] = [
  {
    resourceType: 'product',
    bulk: `${PRODUCTS}/metafields`,
    anOwner: async (world) => {
      const { id } = await world.create()
      return { id, path: `${PRODUCTS}/${id}`, removal: `${PRODUCTS}/${id}` }
    },
  },
  {
    resourceType: 'brand',
    bulk: '/v3/catalog/brands/metafields',
    anOwner: async (world) => {
      const id = world.aBrand('Loom')
      return { id, path: `/v3/catalog/brands/${id}`, removal: `/v3/catalog/brands/${id}` }
    },
  },
  {
    resourceType: 'category',
    bulk: '/v3/catalog/categories/metafields',
    anOwner: async (world) => {
      const id = world.aCategory('Shirts')
      return {
        id,
        path: `/v3/catalog/categories/${id}`,
        removal: `/v3/catalog/trees/categories?category_id:in=${id}`,
      }
    },
  },
  {
    resourceType: 'variant',
    bulk: '/v3/catalog/variants/metafields',
    anOwner: async (world) => {
      const product = await world.create()
      const id = product.base_variant_id
      const path = `${PRODUCTS}/${product.id}/variants/${id}`
      return { id, path, removal: path }
    },
  },
  {
    resourceType: 'location',
    bulk: '/v3/inventory/locations/metafields',
    anOwner: async ({ call, get }) => {
      const locations = '/v3/inventory/locations'
      await call('POST', locations, [{ code: 'SHED', label: 'Shed', address: ADDRESS }])
      const [{ id }] = (await get(`${locations}?location_code:in=SHED`)).body.data
      return { id, path: `${locations}/${id}`, removal: `${locations}?location_id:in=${id}` }
    },
  },
]

async function anOwner(kind: Kind) {
  const world = await aProductWorld()
  const { id, path, removal } = await kind.anOwner(world)
  return { ...world, id, path: `${path}/metafields`, removal, bulk: kind.bulk }
}

test.each(KINDS)('a metafield of a $resourceType is created, read, changed and deleted below it', async (kind) => {
  const { call, get, id, path } = await anOwner(kind)
  const { data } = (await call('POST', path, SHELF)).body
  expect(data).toMatchObject({ ...SHELF, resource_id: id, resource_type: kind.resourceType, description: '' })
  expect((await call('POST', path, SHELF)).status).toBe(409)
  expect((await get(`${path}/${data.id}`)).body.data).toEqual(data)
  expect((await get(path)).body.data).toEqual([data])
  expect((await call('PUT', `${path}/${data.id}`, { value: 'B-1' })).body.data.value).toBe('B-1')
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get(path)).body.data).toEqual([])
})

test.each(KINDS)('metafields are deleted with their $resourceType and not found without one', async (kind) => {
  const { call, get, bulk, path, removal } = await anOwner(kind)
  await call('POST', path, SHELF)
  expect((await get(bulk)).body.data).toHaveLength(1)
  expect((await call('DELETE', removal)).status).toBeLessThan(300)
  expect((await get(bulk)).body.data).toEqual([])
  expect((await get(path)).status).toBe(404)
})

test('metafields of one kind do not appear among those of another', async () => {
  const world = await aProductWorld()
  const { id, base_variant_id } = await world.create()
  await world.call('POST', `${PRODUCTS}/${id}/metafields`, SHELF)
  await world.call('POST', `${PRODUCTS}/${id}/variants/${base_variant_id}/metafields`, SHELF)
  expect((await world.get(`${PRODUCTS}/metafields`)).body.data).toMatchObject([{ resource_id: id }])
  expect((await world.get('/v3/catalog/variants/metafields')).body.data).toMatchObject([
    { resource_id: base_variant_id },
  ])
})

test('a channel has metafields', async () => {
  const { call, get } = await aProductWorld()
  const path = '/v3/channels/1/metafields'
  const { data } = (await call('POST', path, SHELF)).body
  expect(data).toMatchObject({ ...SHELF, resource_id: 1, resource_type: 'channel' })
  expect((await call('POST', path, SHELF)).status).toBe(409)
  expect((await get('/v3/channels/metafields')).body.data).toEqual([data])
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get('/v3/channels/99/metafields')).status).toBe(404)
})

const OF_STORE = '/v3/store/metafields'

test('the store’s metafields name no owner and have their numbers as strings', async () => {
  const { call, get } = await aProductWorld()
  const [made] = (await call('POST', OF_STORE, [SHELF])).body.data
  const { store_id } = (await get('/v2/store')).body
  expect(made).toMatchObject({ ...SHELF, resource_type: 'store', resource_id: String(store_id) })
  expect(made.id).toMatch(/^\d+$/)
  expect((await get(`${OF_STORE}/${made.id}`)).body.data).toEqual(made)
  expect((await get(`${OF_STORE}?key=location`)).body.data).toEqual([made])
  expect((await call('POST', OF_STORE, [SHELF])).body.errors).toMatchObject([{ status: 409 }])
  expect((await call('PUT', `${OF_STORE}/${made.id}`, { value: 'B-1' })).body.data.value).toBe('B-1')
  expect((await call('PUT', OF_STORE, [{ id: made.id, value: 'B-2' }])).body.data[0].value).toBe('B-2')
  expect((await call('DELETE', OF_STORE, [Number(made.id)])).body.meta).toEqual({ total: 1, success: 1, failed: 0 })
  expect((await get(`${OF_STORE}/${made.id}`)).status).toBe(404)
})

test('other clients’ app_only metafields of the store are only visible with the scope for all', async () => {
  const { call, get, store } = await aProductWorld({ scopes: ['store_v2_information'] })
  const [made] = (await call('POST', OF_STORE, [{ ...SHELF, permission_set: 'app_only' }])).body.data
  expect((await get(OF_STORE)).body.data).toEqual([made])
  store.table('store_metafields').update(Number(made.id), { owner_client_id: 'another' })
  expect((await get(OF_STORE)).body.data).toEqual([])
  expect((await get(`${OF_STORE}/${made.id}`)).status).toBe(404)
  store.table('store_metafields').update(Number(made.id), { permission_set: 'write' })
  expect((await call('PUT', `${OF_STORE}/${made.id}`, { value: 'B-1' })).status).toBe(200)
  expect((await call('DELETE', `${OF_STORE}/${made.id}`)).status).toBe(403)
})

test.each([
  { owner: 'the store', table: 'store_metafields', path: OF_STORE, most: 10_000, one: (row: object) => [row] },
  {
    owner: 'a location',
    table: 'location_metafields',
    path: '/v3/inventory/locations/1/metafields',
    most: 250,
    one: (row: object) => row,
  },
])('one client has at most $most metafields on $owner', async ({ table, path, most, one }) => {
  const { call, store } = await aProductWorld()
  await call('POST', path, one(SHELF))
  const [first] = store.table(table).find({})
  const { id: _id, ...row } = first ?? { id: 0 }
  store.transaction(() => {
    for (let at = 1; at < most - 1; at++) store.table(table).insert({ ...row, key: `key ${at}` })
  })
  expect((await call('POST', path, one({ ...SHELF, key: 'last' }))).status).toBe(200)
  expect((await call('POST', path, one({ ...SHELF, key: 'one more' }))).status).toBe(422)
})
