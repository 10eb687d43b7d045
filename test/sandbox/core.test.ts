import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { fetchImage, imageExists, pngFor } from '../../sandbox/images/images.ts'
import { startSandbox } from '../../sandbox/start.ts'
import { aSandbox } from './a-sandbox.ts'
import { ADMIN, type Answer, ask, running, stopAfterTest, until } from './a-shop.ts'

const BRANDS = '/v3/catalog/brands'
const CATEGORIES = '/v3/catalog/trees/categories'

async function treeId(call: (method: string, path: string) => Promise<Answer>): Promise<number> {
  return (await call('GET', '/v3/catalog/trees')).body.data[0].id
}

test('the same seed creates the same ids and fields at every start', async () => {
  const rows = async () =>
    (await aSandbox({ store: { seed: 'tiny' } })).sandbox.store('source').table('categories').find({})
  const [first, second] = [await rows(), await rows()]
  expect(first).toEqual(second)
  expect(first).toHaveLength(6)
})

test('the small seed has four levels, the same name under two parents, and links into the store', async () => {
  const { call } = await aSandbox({ store: { seed: 'small' } })
  const nested = (await call('GET', `/v3/catalog/trees/${await treeId(call)}/categories`)).body.data
  const depths = (nodes: { depth: number; children: [] }[]): number[] =>
    nodes.flatMap((node) => [node.depth, ...depths(node.children)])
  expect(Math.max(...depths(nested))).toBe(3)
  const shoes = (await call('GET', `${CATEGORIES}?name=Shoes`)).body.data
  expect(shoes.map((row: { url: { path: string } }) => row.url.path)).toEqual([
    '/men/shoes/',
    '/women/shoes/',
    '/kids/shoes/',
  ])
  expect(shoes[0].description).toContain('<a href="/men/">')
})

test('a store in a data directory keeps its rows, its ids and its token', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sandbox-'))
  try {
    const start = () => startSandbox({ stores: [{ name: 'source', seed: 'tiny' }], dataDirectory })
    const first = await start()
    first.store('source').table('brands').insert({ name: 'Kept' })
    const token = first.stores.source?.token
    await first.close()
    const second = await start()
    stopAfterTest(second)
    expect(second.stores.source?.token).toBe(token)
    const kept = second.store('source').table('brands').find({ name_key: 'kept' })
    expect(kept).toHaveLength(1)
    expect(second.store('source').table('brands').count()).toBe(5)
  } finally {
    await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
    rmSync(dataDirectory, { recursive: true })
  }
})

test('a tree belongs to one channel, and a batch of more than 50 is refused', async () => {
  const { call } = await aSandbox()
  const outlet = (await call('POST', '/v3/channels', { name: 'Outlet', type: 'storefront', platform: 'bigcommerce' }))
    .body.data
  const created = await call('PUT', '/v3/catalog/trees', [{ name: 'Outlet tree', channels: [outlet.id] }])
  expect(created.body).toMatchObject({
    data: [{ name: 'Outlet tree', channels: [outlet.id] }],
    meta: { total: 1, success: 1, failed: 0 },
  })
  expect((await call('PUT', '/v3/catalog/trees', [{ name: 'Second', channels: [outlet.id] }])).status).toBe(422)
  const { id } = created.body.data[0]
  expect((await call('PUT', '/v3/catalog/trees', [{ id, name: 'Renamed', channels: [outlet.id] }])).status).toBe(422)
  expect((await call('PUT', '/v3/catalog/trees', [{ id, name: 'Renamed' }])).body.data[0].name).toBe('Renamed')
  const many = Array.from({ length: 51 }, (_, at) => ({ id, name: `Name ${at}` }))
  expect((await call('PUT', '/v3/catalog/trees', many)).status).toBe(413)
  expect((await call('DELETE', '/v3/catalog/trees')).status).toBe(422)
  expect((await call('DELETE', `/v3/catalog/trees?id:in=${id}`)).status).toBe(204)
})

test('categories created together answer 201 with data and counts', async () => {
  const { call } = await aSandbox()
  const tree = await treeId(call)
  const created = await call('POST', CATEGORIES, [
    { name: 'Men', tree_id: tree },
    { name: 'Women', tree_id: tree },
  ])
  expect(created.status).toBe(201)
  expect(created.body.meta).toEqual({ total: 2, success: 2, failed: 0 })
  expect(created.body.data[0]).toMatchObject({
    tree_id: tree,
    parent_id: 0,
    name: 'Men',
    url: { path: '/men/', is_customized: false },
  })
  expect(created.body.data[0].category_uuid).toMatch(/^[0-9a-f-]{36}$/)
})

test('ten categories may leave out their url, eleven may not', async () => {
  const { call } = await aSandbox()
  const tree = await treeId(call)
  const rows = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, at) => ({ name: `${prefix} ${at}`, tree_id: tree }))
  expect((await call('POST', CATEGORIES, rows(10, 'Ten'))).status).toBe(201)
  const refused = await call('POST', CATEGORIES, rows(11, 'Eleven'))
  expect(refused.status).toBe(422)
  expect(refused.body.errors.errors['1.url']).toContain('Url is required')
  const withUrls = rows(11, 'Eleven').map((row, at) => ({ ...row, url: { path: `/eleven-${at}/` } }))
  expect((await call('POST', CATEGORIES, withUrls)).status).toBe(201)
})

test('the category batch maximum is a switch', async () => {
  const { call } = await aSandbox({ store: { switches: { category_batch_max: 2 } } })
  const tree = await treeId(call)
  const rows = ['A', 'B', 'C'].map((name) => ({ name, tree_id: tree }))
  expect((await call('POST', CATEGORIES, rows)).status).toBe(413)
  expect((await call('POST', CATEGORIES, rows.slice(0, 2))).status).toBe(201)
})

test('a category moves with everything below it, and never below itself', async () => {
  const { call } = await aSandbox({ store: { seed: 'tiny' } })
  const byName = async (name: string) => (await call('GET', `${CATEGORIES}?name=${name}`)).body.data[0]
  const [shoes, sneakers, home] = [await byName('Shoes'), await byName('Sneakers'), await byName('Home')]
  const loop = await call('PUT', CATEGORIES, [{ category_id: shoes.category_id, parent_id: sneakers.category_id }])
  expect(loop.status).toBe(422)
  expect(
    (await call('PUT', CATEGORIES, [{ category_id: shoes.category_id, parent_id: home.category_id }])).status,
  ).toBe(200)
  expect((await byName('Shoes')).parent_id).toBe(home.category_id)
})

test('deleting categories needs a filter and deletes those below; with `category_deletion: accepted` it counts them', async () => {
  const { call } = await aSandbox({ store: { seed: 'tiny', switches: { category_deletion: 'accepted' } } })
  const [apparel] = (await call('GET', `${CATEGORIES}?name=Apparel`)).body.data
  expect((await call('DELETE', CATEGORIES)).status).toBe(422)
  const deleted = await call('DELETE', `${CATEGORIES}?category_id:in=${apparel.category_id}`)
  expect(deleted).toMatchObject({ status: 202, body: { meta: { total: 4, success: 4, failed: 0 } } })
  const left = (await call('GET', CATEGORIES)).body.data.map((row: { name: string }) => row.name)
  expect(left).toEqual(['Home', 'Kitchen'])
})

test('an address belongs to one item, whether brand or category', async () => {
  const { call } = await aSandbox()
  const tree = await treeId(call)
  await call('POST', BRANDS, { name: 'Acme', custom_url: { url: '/shared/' } })
  const category = await call('POST', CATEGORIES, [{ name: 'Shared', tree_id: tree, url: { path: '/SHARED' } }])
  expect(category.body.errors.errors).toHaveProperty('0.url')
  const brand = await call('POST', BRANDS, { name: 'Other', custom_url: { url: '/shared/' } })
  expect(brand).toMatchObject({ status: 207, body: { data: { name: 'Other', custom_url: { url: '/brands/other/' } } } })
})

test('a brand is created, read, changed and deleted one at a time', async () => {
  const { call } = await aSandbox()
  const created = await call('POST', BRANDS, { name: 'Brindle & Oak', meta_keywords: ['wood'] })
  expect(created).toMatchObject({
    status: 200,
    body: {
      data: { name: 'Brindle & Oak', custom_url: { url: '/brands/brindle-oak/', is_customized: false } },
      meta: {},
    },
  })
  const path = `${BRANDS}/${created.body.data.id}`
  expect((await call('PUT', path, { page_title: 'Oak' })).body.data).toMatchObject({
    name: 'Brindle & Oak',
    page_title: 'Oak',
    meta_keywords: ['wood'],
  })
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
})

test('a brand name is required, and unique regardless of case', async () => {
  const { call } = await aSandbox()
  await call('POST', BRANDS, { name: 'Café Lumen' })
  expect((await call('POST', BRANDS, { name: 'CAFÉ LUMEN' })).status).toBe(409)
  expect((await call('POST', BRANDS, {})).status).toBe(422)
  expect((await call('POST', BRANDS, { name: 'x'.repeat(255) })).status).toBe(200)
  expect((await call('POST', BRANDS, { name: 'x'.repeat(256) })).status).toBe(422)
})

test('deleting several brands needs a name filter', async () => {
  const { call } = await aSandbox({ store: { seed: 'tiny' } })
  expect((await call('DELETE', BRANDS)).status).toBe(422)
  expect((await call('DELETE', `${BRANDS}?name=northfold`)).status).toBe(204)
  expect((await call('GET', BRANDS)).body.meta.pagination.total).toBe(3)
})

test('originals and resized pictures are valid PNGs with different bytes, and a missing one is 404', async () => {
  const { url } = await aSandbox()
  const original = await fetchImage(`${url}/images/a/shirt.png`)
  const resized = await fetchImage(`${url}/images/a/shirt.1280.1280.png`)
  expect(original?.subarray(1, 4).toString()).toBe('PNG')
  expect(original?.equals(resized ?? Buffer.alloc(0))).toBe(false)
  expect(original?.equals(pngFor('shirt.png'))).toBe(true)
  expect(await imageExists(`${url}/images/missing-shirt.png`)).toBe(false)
  expect(await imageExists('https://images.example/shirt.png')).toBe(false)
})

test('a brand’s picture is stored under its own address with the same bytes', async () => {
  const { call, url } = await aSandbox()
  const { body } = await call('POST', BRANDS, { name: 'Acme', image_url: `${url}/images/logo.png` })
  expect(body.data.image_url).toMatch(/\/images\/[a-z]\/logo__\d{5}\.png$/)
  expect((await fetchImage(body.data.image_url))?.equals(pngFor('logo.png'))).toBe(true)
  expect((await call('POST', BRANDS, { name: 'Other', image_url: `${url}/images/missing.png` })).status).toBe(422)
  expect((await call('GET', `${BRANDS}?name=Other`)).body.data).toEqual([])
})

const brandCount = async (call: (method: string, path: string) => Promise<Answer>) =>
  (await call('GET', BRANDS)).body.meta.pagination.total

test('fault hold_after_applying: the write is applied, the answer waits for the release', async () => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'hold_after_applying', method: 'POST', path: BRANDS })
  const held = call('POST', BRANDS, { name: 'Acme' })
  await until(async () => (await brandCount(call)) === 1)
  const waiting = (await admin('GET', '/requests?method=POST')).body.requests
  expect(waiting).toMatchObject([{ method: 'POST', path: BRANDS, status: null }])
  await until(async () => (await admin('POST', '/release')).body.released === 1)
  expect((await held).status).toBe(200)
})

test('fault hold_after_applying: a release counts for a call that is still to be carried out', async () => {
  const { call, admin } = await aSandbox({ latencyMs: { write: 300 } })
  await admin('POST', '/faults', { kind: 'hold_after_applying', method: 'POST', path: BRANDS })
  const held = call('POST', BRANDS, { name: 'Acme' })
  await until(async () => (await admin('GET', '/faults')).body[0].hits === 1)
  expect((await admin('POST', '/release')).body).toEqual({ released: 1 })
  expect((await held).status).toBe(200)
})

test('fault hold_after_applying: a client that disconnects is forgotten', async () => {
  const { call, admin, url } = await aSandbox()
  await admin('POST', '/faults', { kind: 'hold_after_applying' })
  const hangUp = new AbortController()
  const held = ask(`${url}${BRANDS}`, 'POST', { name: 'Acme' }, { 'X-Auth-Token': 'secret' }, hangUp.signal)
  await until(async () => (await admin('GET', '/faults')).body[0].hits === 1)
  hangUp.abort()
  await expect(held).rejects.toThrow()
  await until(async () => (await brandCount(call)) === 1)
  await until(async () => (await admin('POST', '/release')).body.released === 0)
})

test.each([
  ['reset_after_applying', 1],
  ['reset_before_applying', 0],
])('fault %s: the connection breaks and there are %i brands', async (kind, brands) => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind, method: 'POST' })
  await expect(call('POST', BRANDS, { name: 'Acme' })).rejects.toThrow()
  expect(await brandCount(call)).toBe(brands)
})

test.each([
  ['error_after_applying', undefined, 500, 1],
  ['error_before_applying', undefined, 503, 0],
  ['error_before_applying', 502, 502, 0],
])('fault %s with status %s answers %i and leaves %i brands', async (kind, status, answered, brands) => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind, status, method: 'POST' })
  expect((await call('POST', BRANDS, { name: 'Acme' })).status).toBe(answered)
  expect(await brandCount(call)).toBe(brands)
})

test('fault apply_late: there is no answer, and the write is applied after the client has disconnected', async () => {
  const { call, admin, url } = await aSandbox()
  await admin('POST', '/faults', { kind: 'apply_late', seconds: 0.2, method: 'POST' })
  const hangUp = new AbortController()
  const lost = ask(`${url}${BRANDS}`, 'POST', { name: 'Acme' }, { 'X-Auth-Token': 'secret' }, hangUp.signal)
  await until(async () => (await admin('GET', '/faults')).body[0].hits === 1)
  hangUp.abort()
  await expect(lost).rejects.toThrow()
  await until(async () => (await brandCount(call)) === 1)
})

test('fault slow: one answer waits while others are sent, and a short wait ends', async () => {
  const { call, admin, url } = await aSandbox()
  await admin('POST', '/faults', { kind: 'slow', seconds: 600 })
  await admin('POST', '/faults', { kind: 'slow', seconds: 0.01, path: 'time' })
  const hangUp = new AbortController()
  const waiting = ask(`${url}${BRANDS}`, 'GET', undefined, { 'X-Auth-Token': 'secret' }, hangUp.signal)
  await until(async () => (await admin('GET', '/faults')).body[0].hits === 1)
  expect((await call('GET', '/v2/time')).status).toBe(200)
  expect((await admin('GET', '/requests')).body.requests).toMatchObject([{ status: null }, { status: 200 }])
  hangUp.abort()
  await expect(waiting).rejects.toThrow()
})

test('fault truncated_body: the write is applied and half an answer arrives', async () => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'truncated_body', method: 'POST' })
  await expect(call('POST', BRANDS, { name: 'Acme' })).rejects.toThrow()
  expect(await brandCount(call)).toBe(1)
})

test('fault empty_body: the write is applied and its answer has no body', async () => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'empty_body', method: 'POST' })
  expect(await call('POST', BRANDS, { name: 'Acme' })).toMatchObject({ status: 200, body: undefined })
  expect(await brandCount(call)).toBe(1)
})

test('faults too_many_requests and overloaded: 429 with and without the quota headers', async () => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'too_many_requests' })
  await admin('POST', '/faults', { kind: 'overloaded' })
  const [quota, overload] = [await call('GET', BRANDS), await call('GET', BRANDS)]
  expect([quota.status, overload.status]).toEqual([429, 429])
  expect(quota.headers.get('x-rate-limit-time-reset-ms')).not.toBeNull()
  expect(overload.headers.get('x-rate-limit-time-reset-ms')).toBeNull()
  expect((await call('GET', BRANDS)).status).toBe(200)
})

test('fault list_ends_early: an empty page with the same total', async () => {
  const { call, admin } = await aSandbox({ store: { seed: 'tiny' } })
  await admin('POST', '/faults', { kind: 'list_ends_early', path: BRANDS })
  expect((await call('GET', BRANDS)).body).toMatchObject({ data: [], meta: { pagination: { total: 4, count: 0 } } })
  expect((await call('GET', BRANDS)).body.data).toHaveLength(4)
})

test('faults rows_reordered, row_missing, row_twice and rows_rewritten: the answer shows other rows than the store saved', async () => {
  const { call, admin } = await aSandbox()
  const path = '/v3/customers/attributes'
  const answered = async (fault: object, names: string[]) => {
    await admin('POST', '/faults', { method: 'POST', ...fault })
    const { body } = await call(
      'POST',
      path,
      names.map((name) => ({ name, type: 'string' })),
    )
    return body.data.map(({ name }: { name: string }) => name)
  }
  expect(await answered({ kind: 'rows_reordered' }, ['One', 'Two'])).toEqual(['Two', 'One'])
  expect(await answered({ kind: 'row_missing' }, ['Three', 'Four'])).toEqual(['Four'])
  expect(await answered({ kind: 'row_twice' }, ['Six'])).toEqual(['Six', 'Six'])
  expect(await answered({ kind: 'rows_rewritten', rewrites: { name: 'lower case' } }, ['Five'])).toEqual(['five'])
  const { data } = (await call('GET', path)).body
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['One', 'Two', 'Three', 'Four', 'Six', 'Five'])
})

test('a fault strikes as often as requested, for calls with a matching method, path and body', async () => {
  const { call, admin } = await aSandbox()
  const added = await admin('POST', '/faults', {
    kind: 'error_before_applying',
    method: 'POST',
    path: 'brands$',
    body: 'Acme',
    times: 2,
  })
  expect(added.body).toEqual({ id: 1 })
  const statuses = []
  for (const name of ['Other', 'Acme', 'Acme', 'Acme']) statuses.push((await call('POST', BRANDS, { name })).status)
  expect(statuses).toEqual([200, 503, 503, 200])
  expect((await admin('GET', '/faults')).body).toMatchObject([{ id: 1, hits: 2, times: 0 }])
  await admin('DELETE', '/faults')
  expect((await admin('GET', '/faults')).body).toEqual([])
  expect((await admin('POST', '/faults', { kind: 'nonsense' })).status).toBe(400)
  expect((await admin('POST', '/faults', { kind: 'slow', path: '(' })).status).toBe(400)
})

test('a fault with a query strikes a request with a matching query', async () => {
  const { call, admin } = await aSandbox()
  const wish = { kind: 'error_before_applying', path: BRANDS, query: '(^|&)limit=1(&|$)', times: null }
  await admin('POST', '/faults', wish)
  const statuses = []
  for (const query of ['', '?limit=10', '?page=1&limit=1', '?limit=1'])
    statuses.push((await call('GET', `${BRANDS}${query}`)).status)
  expect(statuses).toEqual([200, 200, 503, 503])
  expect((await admin('GET', '/faults')).body).toMatchObject([{ query: wish.query, hits: 2 }])
  expect((await admin('POST', '/faults', { kind: 'slow', query: '(' })).status).toBe(400)
})

test('a fault without an end strikes until the faults are cleared', async () => {
  const { call, admin } = await aSandbox()
  await admin('POST', '/faults', { kind: 'error_before_applying', times: null })
  for (let turn = 0; turn < 5; turn++) expect((await call('GET', BRANDS)).status).toBe(503)
  await admin('DELETE', '/faults')
  expect((await call('GET', BRANDS)).status).toBe(200)
})

test('the admin API sets, removes and doubles rows without the platform’s checks', async () => {
  const { admin, sandbox } = await aSandbox({ store: { seed: 'tiny' } })
  const [brand, other] = (await admin('GET', '/state')).body.brands
  await admin('POST', '/state', { op: 'set', table: 'brands', id: brand.id, fields: { name: other.name } })
  sandbox.store('source').table('notes_of_brands', ['brand_id']).insert({ brand_id: brand.id, text: 'child' })
  const { id } = (await admin('POST', '/state', { op: 'double', table: 'brands', id: brand.id })).body
  await admin('POST', '/state', { op: 'remove', table: 'brands', id: other.id })
  const state = (await admin('GET', '/state')).body
  expect(state.brands.find((row: { id: number }) => row.id === id)).toMatchObject({ name: other.name })
  expect(state.brands).toHaveLength(4)
  expect(state.notes_of_brands.map((row: { brand_id: number }) => row.brand_id)).toEqual([brand.id, id])
  expect((await admin('POST', '/state', { op: 'set', table: 'nowhere', id: 1, fields: {} })).status).toBe(404)
})

test('S19: the admin API is absent without an admin token', async () => {
  const { sandbox } = await aSandbox({ adminToken: undefined })
  const answer = await ask(`${sandbox.url}/__sandbox/stores/source/state`, 'GET', undefined, {
    'X-Sandbox-Admin': ADMIN,
  })
  expect(answer.status).toBe(404)
})

test('S19: the admin API needs its own token, JSON and a loopback Host, and allows no other origin', async () => {
  const { sandbox } = await aSandbox()
  const url = `${sandbox.url}/__sandbox/stores/source/faults`
  expect((await ask(url, 'GET', undefined, {})).status).toBe(401)
  expect((await ask(url, 'GET', undefined, { 'X-Sandbox-Admin': `${ADMIN}x` })).status).toBe(401)
  const form = { 'X-Sandbox-Admin': ADMIN, 'Content-Type': 'text/plain' }
  expect((await ask(url, 'POST', '{"kind":"slow"}', form)).status).toBe(415)
  const foreign = await new Promise<number | undefined>((resolve) => {
    const headers = { 'X-Sandbox-Admin': ADMIN, Host: 'evil.example' }
    httpRequest(url, { headers }, (answer) => resolve(answer.resume().statusCode)).end()
  })
  expect(foreign).toBe(403)
  const allowed = await ask(url, 'GET', undefined, { 'X-Sandbox-Admin': ADMIN, Origin: 'http://evil.example' })
  expect(allowed.headers.get('access-control-allow-origin')).toBeNull()
})

test('latency depends on the class: writes wait while reads are answered, and nothing is written once the sandbox closes', async () => {
  const { sandbox, call, admin } = await aSandbox({ latencyMs: { write: 600_000 } })
  const waiting = expect(call('POST', BRANDS, { name: 'Acme' })).rejects.toThrow()
  await until(async () => (await admin('GET', '/requests')).body.requests.length === 1)
  expect(await brandCount(call)).toBe(0)
  expect((await admin('GET', '/requests?method=POST')).body.requests).toMatchObject([{ status: null }])
  running.splice(0)
  await sandbox.close()
  await waiting
})

test('a transaction that throws is rolled back, including the counts', async () => {
  const { sandbox } = await aSandbox()
  const store = sandbox.store('source')
  const things = store.table('things', ['colour'])
  things.insert({ colour: 'red' })
  const broken = () =>
    store.transaction(() => {
      things.insert({ colour: 'blue' })
      throw new Error('no')
    })
  expect(broken).toThrow('no')
  expect(things.count()).toBe(1)
  expect(things.find({ colour: ['red', 'blue'] })).toHaveLength(1)
})

test('a table and an index created in a transaction that throws can be created again', async () => {
  const { sandbox } = await aSandbox()
  const store = sandbox.store('source')
  store.table('old_things', ['colour'])
  const broken = () =>
    store.transaction(() => {
      store.table('new_things', ['colour']).insert({ colour: 'red' })
      store.table('old_things', ['size']).insert({ size: 1 })
      throw new Error('no')
    })
  expect(broken).toThrow('no')
  expect(store.table('new_things', ['colour']).find({ colour: 'red' })).toEqual([])
  store.table('old_things', ['size']).insert({ size: 2 })
  expect(store.table('old_things').find({ size: 2 })).toHaveLength(1)
})

test('a table finds rows by null, by booleans, and regardless of case in a _key', async () => {
  const { sandbox } = await aSandbox()
  const things = sandbox.store('source').table('things', ['owner', 'open', 'name_key'])
  const { id } = things.insert({ owner: null, open: true, name: 'ÄPFEL' })
  things.insert({ owner: 7, open: false, name: 'Birnen' })
  expect(things.find({ owner: null }).map((row) => row.id)).toEqual([id])
  expect(things.find({ open: true, name_key: 'äpfel' }).map((row) => row.id)).toEqual([id])
  expect(() => things.find({ colour: 'red' })).toThrow('no index on colour')
})

test('the sandbox runs as a process of its own and ends when its parent closes the pipe', async () => {
  const options = JSON.stringify({ stores: [{ name: 'source', seed: 'tiny', token: 'secret' }] })
  const child = spawn(process.execPath, ['sandbox/main.ts', options], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    const { stores } = JSON.parse(String(line))
    expect((await ask(`${stores.source.url}/v2/time`, 'GET', undefined, { 'X-Auth-Token': 'secret' })).status).toBe(200)
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  } finally {
    child.kill()
  }
})

test.each([['SIGTERM'], ['disconnect']])('the sandbox process ends on %s', async (way) => {
  const options = JSON.stringify({ stores: [{ name: 'source', seed: 'empty' }] })
  const child = fork('sandbox/main.ts', [options], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  try {
    if (!child.stdout) throw new Error('the child has no output')
    await once(createInterface(child.stdout), 'line')
    if (way === 'SIGTERM') child.kill('SIGTERM')
    else child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  } finally {
    child.kill()
  }
})
