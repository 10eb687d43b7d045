import { expect, test } from 'vitest'
import { aProductWorld, PRODUCTS } from './product-world.ts'

const BULK = `${PRODUCTS}/metafields`
const SHELF = { namespace: 'shelf', key: 'location', value: 'A-12', permission_set: 'write' }

async function aProduct(scopes?: string[]) {
  const world = await aProductWorld(scopes ? { scopes } : {})
  const { id } = await world.create()
  const plant = (fields: Record<string, unknown>) =>
    world.store
      .table('product_metafields')
      .insert({ ...SHELF, resource_id: id, owner_client_id: 'another-app', ...fields })
  return { ...world, id, path: `${PRODUCTS}/${id}/metafields`, plant }
}

test('a metafield is made, read, changed and deleted below its product', async () => {
  const { call, get, id, path } = await aProduct()
  const { data } = (await call('POST', path, SHELF)).body
  expect(data).toMatchObject({ ...SHELF, resource_id: id, resource_type: 'product', description: '' })
  expect((await get(`${path}/${data.id}`)).body.data).toEqual(data)
  expect((await call('PUT', `${path}/${data.id}`, { value: 'B-1' })).body.data.value).toBe('B-1')
  expect((await call('DELETE', `${path}/${data.id}`)).status).toBe(204)
  expect((await get(path)).body.data).toEqual([])
})

test('the same namespace and key of one client is a 409, of another client it is not', async () => {
  const { call, path, plant } = await aProduct()
  plant({})
  expect((await call('POST', path, SHELF)).status).toBe(200)
  expect((await call('POST', path, SHELF)).status).toBe(409)
})

test('a batch saves its good rows and says 422 when another was refused', async () => {
  const { call, id } = await aProduct()
  const good = { ...SHELF, resource_id: id }
  const allGood = await call('POST', BULK, [good])
  expect([allGood.status, allGood.body.errors, allGood.body.meta]).toEqual([
    200,
    [],
    { total: 1, success: 1, failed: 0 },
  ])
  const mixed = await call('POST', BULK, [good, { ...good, key: 'fresh' }])
  expect([mixed.status, mixed.body.data.length, mixed.body.errors[0].status]).toEqual([422, 1, 409])
  expect(mixed.body.meta).toEqual({ total: 2, success: 1, failed: 1 })
})

test('a batch updates by id and deletes by a list of ids', async () => {
  const { call, get, id } = await aProduct()
  const { data } = (await call('POST', BULK, [{ ...SHELF, resource_id: id }])).body
  expect((await call('PUT', BULK, [{ id: data[0].id, value: 'new' }])).body.data[0].value).toBe('new')
  const deleted = await call('DELETE', BULK, [data[0].id, 1])
  expect([deleted.status, deleted.body.data, deleted.body.meta.failed]).toEqual([422, [data[0].id], 1])
  expect((await get(BULK)).body.data).toEqual([])
})

test('a product takes 250 metafields of a client and no more', async () => {
  const { call, id, path, plant, store } = await aProduct()
  const owner_client_id = (await call('POST', path, SHELF)).body.data.owner_client_id
  store.transaction(() => {
    for (let at = 0; at < 248; at++) plant({ key: `k${at}`, owner_client_id })
  })
  expect((await call('POST', path, { ...SHELF, key: 'the 250th' })).status).toBe(200)
  expect((await call('POST', path, { ...SHELF, key: 'the 251st' })).status).toBe(422)
  expect(store.table('product_metafields').count({ resource_id: id })).toBe(250)
})

test('another client’s app_only metafield is there only for a token that may write all', async () => {
  for (const [scopes, seen] of [
    [['store_v2_products'], 0],
    [['store_v2_products', 'store_metafield_write_all'], 1],
  ] as const) {
    const { get, path, plant } = await aProduct([...scopes])
    const { id } = plant({ permission_set: 'app_only' })
    expect((await get(BULK)).body.data).toHaveLength(seen)
    expect((await get(path)).body.data).toHaveLength(seen)
    expect((await get(`${path}/${id}`)).status).toBe(seen === 1 ? 200 : 404)
  }
})

test('another client’s metafield is changed only when its permission set allows, and never deleted', async () => {
  const { call, path, plant } = await aProduct(['store_v2_products'])
  const [open, closed] = [plant({}), plant({ key: 'closed', permission_set: 'read' })]
  expect((await call('PUT', `${path}/${open.id}`, { value: 'x' })).status).toBe(200)
  expect((await call('PUT', `${path}/${closed.id}`, { value: 'x' })).status).toBe(403)
  expect((await call('DELETE', `${path}/${open.id}`)).status).toBe(403)
})

test('keys and namespaces filter', async () => {
  const { get, plant } = await aProduct()
  const [a, b, c] = [plant({ key: 'a' }), plant({ key: 'b' }), plant({ namespace: 'specs', key: 'a' })]
  const expected: [string, number[]][] = [
    ['key=a', [a.id, c.id]],
    ['key:in=a,b', [a.id, b.id, c.id]],
    ['namespace=specs', [c.id]],
    ['namespace:in=specs,none', [c.id]],
    ['key=a&namespace=shelf', [a.id]],
  ]
  for (const [query, ids] of expected) {
    expect([query, (await get(`${BULK}?${query}`)).body.data.map((row: { id: number }) => row.id)]).toEqual([
      query,
      ids,
    ])
  }
})

test('a page has at most 250 metafields and cursors lead to the end and back', async () => {
  const { get, plant, store } = await aProduct()
  store.transaction(() => {
    for (let at = 0; at < 251; at++) plant({ key: `k${at}` })
  })
  const first = (await get(`${BULK}?limit=251`)).body
  expect([first.data.length, first.meta.pagination.total]).toEqual([250, 251])
  const next = (await get(`${BULK}${first.meta.cursor_pagination.links.next}`)).body
  expect(next.data).toHaveLength(1)
  expect(next.meta).toEqual({ cursor_pagination: expect.objectContaining({ count: 1, per_page: 250 }) })
  expect(next.meta.cursor_pagination.links).not.toHaveProperty('next')
  const back = (await get(`${BULK}${next.meta.cursor_pagination.links.previous}`)).body
  expect(back.data).toEqual(first.data)
})
