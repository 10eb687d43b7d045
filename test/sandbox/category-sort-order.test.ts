import { expect, test } from 'vitest'
import { PRODUCTS } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

/** A category with three products in it. */
async function aCategory() {
  const world = await aProductWorld()
  const categoryId = world.aCategory('Shirts')
  const ids: number[] = []
  for (const name of ['First', 'Second', 'Third']) ids.push((await world.create({ name, categories: [categoryId] })).id)
  return { ...world, categoryId, ids, path: `/v3/catalog/categories/${categoryId}/products/sort-order` }
}

test('products are listed by sort order, and those without one come last', async () => {
  const { call, get, ids, path } = await aCategory()
  const order = [
    { product_id: ids[2], sort_order: 0 },
    { product_id: ids[1], sort_order: 1 },
  ]
  const put = await call('PUT', path, order)
  expect([put.status, put.body]).toEqual([200, order])
  const listed = await get(path)
  expect(listed.body.data).toEqual([...order, { product_id: ids[0], sort_order: null }])
  expect(listed.body.meta.pagination.total).toBe(3)
  expect((await get(`${path}?limit=1&page=2`)).body.data).toEqual(order.slice(1))
})

test('a product outside the category refuses all with 422', async () => {
  const { call, create, get, ids, path } = await aCategory()
  const stranger = await create({ name: 'Elsewhere' })
  const answer = await call('PUT', path, [
    { product_id: ids[0], sort_order: 1 },
    { product_id: stranger.id, sort_order: 2 },
  ])
  expect(answer.status).toBe(422)
  expect((await get(path)).body.data.every((row: { sort_order: unknown }) => row.sort_order === null)).toBe(true)
})

test('a sort order is a whole number from 0', async () => {
  const { call, ids, path } = await aCategory()
  for (const [sort_order, status] of [
    [-1, 422],
    [1.5, 422],
    [undefined, 422],
    [0, 200],
  ]) {
    expect([sort_order, (await call('PUT', path, [{ product_id: ids[0], sort_order }])).status]).toEqual([
      sort_order,
      status,
    ])
  }
})

test('an update of a product keeps its sort order in the categories it stays in', async () => {
  const { call, get, ids, path, categoryId, aCategory: another } = await aCategory()
  await call('PUT', path, [{ product_id: ids[0], sort_order: 7 }])
  await call('PUT', `${PRODUCTS}/${ids[0]}`, { categories: [another('Sale'), categoryId] })
  expect((await get(path)).body.data[0]).toEqual({ product_id: ids[0], sort_order: 7 })
})

test('an unknown category is 404', async () => {
  const { call, get } = await aProductWorld()
  expect((await get('/v3/catalog/categories/1/products/sort-order')).status).toBe(404)
  expect((await call('PUT', '/v3/catalog/categories/1/products/sort-order', [])).status).toBe(404)
})
