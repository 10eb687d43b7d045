import { expect, test } from 'vitest'
import { PRODUCTS } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

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

test('a duplicate namespace and key is a 409 for the same client only', async () => {
  const { call, path, plant } = await aProduct()
  plant({})
  expect((await call('POST', path, SHELF)).status).toBe(200)
  expect((await call('POST', path, SHELF)).status).toBe(409)
})

test('another client’s app_only metafield is visible only to a token that may write all', async () => {
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

test('another client’s metafield can be changed if its permission set allows it, and never deleted', async () => {
  const { call, path, plant } = await aProduct(['store_v2_products'])
  const [open, closed] = [plant({}), plant({ key: 'closed', permission_set: 'read' })]
  expect((await call('PUT', `${path}/${open.id}`, { value: 'x' })).status).toBe(200)
  expect((await call('PUT', `${path}/${closed.id}`, { value: 'x' })).status).toBe(403)
  expect((await call('DELETE', `${path}/${open.id}`)).status).toBe(403)
})

test('a page has at most 250 metafields, and cursors lead to the end and back', async () => {
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
