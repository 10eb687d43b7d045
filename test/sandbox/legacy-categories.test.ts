import { expect, test } from 'vitest'
import { aProductWorld } from './product-world.ts'

const LEGACY = '/v3/catalog/categories'
const CATEGORIES = '/v3/catalog/trees/categories'

type World = Awaited<ReturnType<typeof aProductWorld>>

async function made({ call }: World, name: string, fields: Record<string, unknown> = {}) {
  const { status, body } = await call('POST', LEGACY, { name, parent_id: 0, ...fields })
  expect(status).toBe(200)
  return body.data
}

test('the older category calls show the categories of the trees under other field names', async () => {
  const world = await aProductWorld()
  const lamps = await made(world, 'Lamps', { custom_url: { url: '/lamps/', is_customized: true }, sort_order: 3 })
  expect(lamps).toMatchObject({ parent_id: 0, name: 'Lamps', sort_order: 3, custom_url: { url: '/lamps/' } })
  for (const field of ['category_id', 'category_uuid', 'tree_id', 'url']) expect(lamps).not.toHaveProperty(field)
  const [inTree] = (await world.get(CATEGORIES)).body.data
  expect(inTree).toMatchObject({ category_id: lamps.id, name: 'Lamps', url: { path: '/lamps/' } })
})

test('the older calls cover the categories of the default tree only', async () => {
  const world = await aProductWorld()
  const { call, get } = world
  const channel = await call('POST', '/v3/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
  const tree = await call('PUT', '/v3/catalog/trees', [{ name: 'Second', channels: [channel.body.data.id] }])
  const rows = [{ name: 'Hidden', tree_id: tree.body.data[0].id, url: { path: '/hidden/' } }]
  const { category_id } = (await call('POST', CATEGORIES, rows)).body.data[0]
  expect((await get(LEGACY)).body.data).toEqual([])
  expect((await get(`${LEGACY}/${category_id}`)).status).toBe(404)
  expect((await call('PUT', `${LEGACY}/${category_id}`, { name: 'Shown' })).status).toBe(404)
  expect((await call('DELETE', `${LEGACY}/${category_id}`)).status).toBe(404)
})

test('a duplicate name or URL is 409 in the older calls, for a new category and for a changed one', async () => {
  const world = await aProductWorld()
  const { call } = world
  await made(world, 'Lamps', { custom_url: { url: '/lamps/' } })
  const chairs = await made(world, 'Chairs')
  expect((await call('POST', LEGACY, { name: 'lamps', parent_id: 0 })).status).toBe(409)
  expect((await call('POST', LEGACY, { name: 'New', parent_id: 0, custom_url: { url: '/lamps' } })).status).toBe(409)
  expect((await call('PUT', `${LEGACY}/${chairs.id}`, { name: 'Lamps' })).status).toBe(409)
  expect((await call('PUT', `${LEGACY}/${chairs.id}`, { custom_url: { url: '/lamps/' } })).status).toBe(409)
  expect((await call('PUT', `${LEGACY}/${chairs.id}`, { name: 'CHAIRS' })).status).toBe(200)
  await made(world, 'Lamps', { parent_id: chairs.id })
})

test('parent_id and name are required, a parent must exist, and a name has at most 50 characters', async () => {
  const world = await aProductWorld()
  const { call } = world
  expect((await call('POST', LEGACY, { name: 'No parent' })).status).toBe(422)
  expect((await call('POST', LEGACY, { parent_id: 0 })).status).toBe(422)
  expect((await call('POST', LEGACY, { name: 'Orphan', parent_id: 99 })).status).toBe(422)
  await made(world, 'n'.repeat(50))
  expect((await call('POST', LEGACY, { name: 'n'.repeat(51), parent_id: 0 })).status).toBe(422)
  expect(
    (await call('POST', LEGACY, { name: 'Far', parent_id: 0, custom_url: { url: `/${'u'.repeat(254)}` } })).status,
  ).toBe(200)
  expect(
    (await call('POST', LEGACY, { name: 'Farther', parent_id: 0, custom_url: { url: `/${'u'.repeat(255)}` } })).status,
  ).toBe(422)
})

test('a category that contains products cannot be deleted: 422', async () => {
  const world = await aProductWorld()
  const { call, create, get } = world
  const parent = await made(world, 'Furniture')
  const child = await made(world, 'Chairs', { parent_id: parent.id })
  const chair = await create({ categories: [child.id] })
  expect((await call('DELETE', `${LEGACY}/${child.id}`)).status).toBe(422)
  expect((await call('DELETE', `${LEGACY}/${parent.id}`)).status).toBe(422)
  expect((await call('DELETE', `${LEGACY}?id:in=${child.id}`)).status).toBe(422)
  await call('PUT', `/v3/catalog/products/${chair.id}`, { categories: [] })
  expect((await call('DELETE', `${LEGACY}/${parent.id}`)).status).toBe(204)
  expect((await get(LEGACY)).body.data).toEqual([])
})

test('deleting several categories needs a filter', async () => {
  const world = await aProductWorld()
  const { call, get } = world
  for (const name of ['Lamps', 'Table lamps', 'Chairs']) await made(world, name)
  expect((await call('DELETE', LEGACY)).status).toBe(422)
  expect((await call('DELETE', `${LEGACY}?limit=1`)).status).toBe(422)
  expect((await call('DELETE', `${LEGACY}?name:like=lamp`)).status).toBe(204)
  expect((await get(LEGACY)).body.data.map((row: { name: string }) => row.name)).toEqual(['Chairs'])
})

test('the older list filters by id, parent, name, title, keyword and visibility, sorts and selects fields', async () => {
  const world = await aProductWorld()
  const lamps = await made(world, 'Lamps', { page_title: 'Light', description: 'bright', sort_order: 2 })
  const desk = await made(world, 'Desk lamps', { parent_id: lamps.id, is_visible: false, sort_order: 1 })
  const chairs = await made(world, 'Chairs', { sort_order: 3 })
  const found = async (query: string) =>
    (await world.get(`${LEGACY}?${query}`)).body.data.map((row: { id: number }) => row.id)
  expect(await found(`id:in=${lamps.id},${chairs.id}`)).toEqual([lamps.id, chairs.id])
  expect(await found(`id:not_in=${lamps.id}`)).toEqual([desk.id, chairs.id])
  expect(await found(`id:greater=${lamps.id}`)).toEqual([desk.id, chairs.id])
  expect(await found(`parent_id=${lamps.id}`)).toEqual([desk.id])
  expect(await found('parent_id:greater=0')).toEqual([desk.id])
  expect(await found('name=LAMPS')).toEqual([lamps.id])
  expect(await found('name:like=lamp')).toEqual([lamps.id, desk.id])
  expect(await found('page_title:like=igh')).toEqual([lamps.id])
  expect(await found('keyword=bright')).toEqual([lamps.id])
  expect(await found('is_visible=false')).toEqual([desk.id])
  expect(await found('sort=name')).toEqual([chairs.id, desk.id, lamps.id])
  expect(await found('sort=sort_order')).toEqual([desk.id, lamps.id, chairs.id])
  expect((await world.get(`${LEGACY}?sort=price`)).status).toBe(422)
  expect(Object.keys((await world.get(`${LEGACY}?include_fields=name`)).body.data[0])).toEqual(['id', 'name'])
})

test('a store has at most 16,000 categories; a switch sets another limit, and one more is 403', async () => {
  const world = await aProductWorld({ switches: { category_limit: 2 } })
  const { call, get } = world
  await made(world, 'First')
  const treeId = (await get('/v3/catalog/trees')).body.data[0].id
  const rows = ['Second', 'Third'].map((name) => ({ name, tree_id: treeId, url: { path: `/${name}/` } }))
  expect((await call('POST', CATEGORIES, rows)).status).toBe(403)
  expect((await call('POST', CATEGORIES, rows.slice(1))).status).toBe(201)
  expect((await call('POST', LEGACY, { name: 'Fourth', parent_id: 0 })).status).toBe(403)
})

test('a store has at most 30,000 brands; a switch sets another limit, and one more is 403, also by name in a product', async () => {
  const { call } = await aProductWorld({ switches: { brand_limit: 1 } })
  expect((await call('POST', '/v3/catalog/brands', { name: 'First' })).status).toBe(200)
  expect((await call('POST', '/v3/catalog/brands', { name: 'Second' })).status).toBe(403)
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 1 }
  expect((await call('POST', '/v3/catalog/products', { ...lamp, brand_name: 'Second' })).status).toBe(403)
  expect((await call('POST', '/v3/catalog/products', { ...lamp, brand_name: 'First' })).status).toBe(200)
})
