import { expect, test } from 'vitest'
import { aProductWorld, PRODUCTS } from './product-world.ts'

const SHELF = { namespace: 'shelf', key: 'location', value: 'A-12', permission_set: 'write' }

type World = Awaited<ReturnType<typeof aProductWorld>>

interface Kind {
  resourceType: string
  bulk: string
  /** Makes an owner: its id, its path and the call that takes it away. */
  anOwner(world: World): Promise<{ id: number; path: string; removal: string }>
}

const KINDS: Kind[] = [
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
]

async function anOwner(kind: Kind) {
  const world = await aProductWorld()
  const { id, path, removal } = await kind.anOwner(world)
  return { ...world, id, path: `${path}/metafields`, removal, bulk: kind.bulk }
}

test.each(KINDS)('a metafield of a $resourceType is made, read, changed and deleted below it', async (kind) => {
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

test.each(KINDS)('a batch of metafields of a $resourceType saves its good rows and says 422', async (kind) => {
  const { call, get, id, bulk } = await anOwner(kind)
  const rows = [
    { ...SHELF, resource_id: id },
    { ...SHELF, resource_id: 1, key: 'stray' },
  ]
  const mixed = await call('POST', bulk, rows)
  expect([mixed.status, mixed.body.meta, mixed.body.errors[0].status]).toEqual([
    422,
    { total: 2, success: 1, failed: 1 },
    404,
  ])
  const [made] = mixed.body.data
  expect((await get(`${bulk}?resource_id:in=${id}`)).body.data).toEqual([made])
  expect((await call('PUT', bulk, [{ id: made.id, value: 'new' }])).body.data[0].value).toBe('new')
  expect((await call('DELETE', bulk, [made.id])).body).toMatchObject({ data: [made.id], errors: [] })
})

test.each(KINDS)('metafields go with their $resourceType and are not found without one', async (kind) => {
  const { call, get, bulk, path, removal } = await anOwner(kind)
  await call('POST', path, SHELF)
  expect((await get(bulk)).body.data).toHaveLength(1)
  expect((await call('DELETE', removal)).status).toBeLessThan(300)
  expect((await get(bulk)).body.data).toEqual([])
  expect((await get(path)).status).toBe(404)
})

test('metafields of one kind are not seen among those of another', async () => {
  const world = await aProductWorld()
  const { id, base_variant_id } = await world.create()
  await world.call('POST', `${PRODUCTS}/${id}/metafields`, SHELF)
  await world.call('POST', `${PRODUCTS}/${id}/variants/${base_variant_id}/metafields`, SHELF)
  expect((await world.get(`${PRODUCTS}/metafields`)).body.data).toMatchObject([{ resource_id: id }])
  expect((await world.get('/v3/catalog/variants/metafields')).body.data).toMatchObject([
    { resource_id: base_variant_id },
  ])
})
