import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import { resources } from '../../sandbox/registry.ts'
import { makeCertificate } from '../../sandbox/server/certificate.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { covers, isKnownScope } from '../../sandbox/webhooks/event-scopes.ts'
import { SuccessRate } from '../../sandbox/webhooks/success-rate.ts'
import { WATCHED_CALLS } from '../../sandbox/webhooks/watched-calls.ts'
import { ADMIN, ask, PRODUCTS, product, until, variant } from './a-shop.ts'

const HOOKS = '/v3/hooks'
const CATEGORIES = '/v3/catalog/trees/categories'

interface Letter {
  path: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the data of every event has its own shape
  body: any
}

/** The answer of a receiver to its n-th delivery; undefined leaves the sender waiting. */
type Answering = (count: number, letter: Letter) => number | undefined

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A store with two API accounts; it is closed after the test. */
async function aShop(switches: Record<string, unknown> = {}, options: Partial<SandboxStoreOptions> = {}) {
  const account = { name: 'other', token: 'other-secret' }
  const store = { name: 'shop', seed: 'empty' as const, token: 'secret', accounts: [account], switches, ...options }
  const sandbox: Sandbox = await startSandbox({ stores: [store], adminToken: ADMIN })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= sandbox.close()
    return closed
  }
  closing.push(close)
  const { url = '' } = sandbox.stores.shop ?? {}
  const as = (token: string) => (method: string, path: string, body?: unknown) =>
    ask(`${url}${path}`, method, body, { 'X-Auth-Token': token })
  const admin = (method: string, path: string, body?: unknown) =>
    ask(`${sandbox.url}/__sandbox/stores/shop${path}`, method, body, { 'X-Sandbox-Admin': ADMIN })
  const call = as('secret')
  const subscribe = async (scope: string, destination: string, fields: object = {}) => {
    const answer = await call('POST', HOOKS, { scope, destination, ...fields })
    if (answer.status !== 200) throw new Error(`${scope}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const made = async (path: string, body: unknown) => {
    const answer = await call('POST', path, body)
    if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const tree = sandbox.store('shop').table('category_trees').find({})[0]?.id
  const aCategory = async (name: string, fields: object = {}) =>
    (await made(CATEGORIES, [{ name, tree_id: tree, url: { path: `/${name}/`, is_customized: false }, ...fields }]))[0]
      .category_id as number
  return { sandbox, close, call, as, admin, subscribe, made, aCategory }
}

/** A receiver on this machine that records its deliveries. */
async function aReceiver(answering: Answering = () => 200, server: Server = createServer()) {
  const letters: Letter[] = []
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const letter = { path: request.url ?? '', headers: request.headers, body }
      letters.push(letter)
      const status = answering(letters.length, letter)
      if (status !== undefined) response.writeHead(status, { Location: '/elsewhere' }).end()
    })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  })
  const { port } = server.address() as AddressInfo
  return {
    letters,
    server,
    url: `http://127.0.0.1:${port}/hook`,
    port,
  }
}

test('a created product raises an event with a hash, the number of the store and the id of the product', async () => {
  const { subscribe, made } = await aShop()
  const receiver = await aReceiver()
  await subscribe('store/product/created', receiver.url, { headers: { 'X-Secret': 'sesame' } })
  const { id } = await made(PRODUCTS, product())
  await until(() => receiver.letters.length === 1)
  const [letter] = receiver.letters
  expect(letter?.body).toEqual({
    producer: 'stores/shop',
    hash: expect.stringMatching(/^[0-9a-f]{40}$/),
    created_at: expect.any(Number),
    store_id: expect.stringMatching(/^\d+$/),
    scope: 'store/product/created',
    data: { type: 'product', id },
  })
  expect(letter?.path).toBe('/hook')
  expect(letter?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-secret': 'sesame',
    'webhook-id': letter?.body.hash,
  })
})

test('deliveries are signed as in Standard Webhooks if the switch sets the client’s secret', async () => {
  const { subscribe, made } = await aShop({ webhook_client_secret: 'hush' })
  const receiver = await aReceiver()
  await subscribe('store/product/created', receiver.url)
  await made(PRODUCTS, product())
  await until(() => receiver.letters.length === 1)
  const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: {} }] = receiver.letters
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${JSON.stringify(body)}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', 'hush').update(signed).digest('base64')}`)
})

test('deliveries over TLS accept a receiver’s self-signed certificate', async () => {
  const { subscribe, made } = await aShop()
  const { certificate, privateKey } = await makeCertificate()
  const receiver = await aReceiver(undefined, createTlsServer({ cert: certificate, key: privateKey }))
  await subscribe('store/product/created', `https://localhost:${receiver.port}/`)
  await made(PRODUCTS, product())
  await until(() => receiver.letters.length === 1)
})

test('a receiver that fails first gets the same event again', async () => {
  const { subscribe, made, admin } = await aShop({ webhook_retry_scale: 0.0001 })
  const receiver = await aReceiver((count) => (count === 1 ? 500 : count === 2 ? 302 : 204))
  const { id } = await subscribe('store/product/created', receiver.url)
  await made(PRODUCTS, product())
  await until(() => receiver.letters.length === 3)
  expect(new Set(receiver.letters.map(({ body }) => body.hash)).size).toBe(1)
  const last = async () => (await admin('GET', '/deliveries')).body.deliveries[0]
  await until(async () => (await last()).status === 'delivered')
  expect(await last()).toMatchObject({ hook_id: id, scope: 'store/product/created', attempts: 3, failure: null })
  expect(receiver.letters.every(({ path }) => path === '/hook')).toBe(true)
})

test('a hook is switched off when all attempts have failed, and a PUT switches it on again', async () => {
  const { subscribe, made, call, admin } = await aShop({ webhook_retry_scale: 0 })
  const receiver = await aReceiver(() => 503)
  const { id } = await subscribe('store/product/created', receiver.url)
  await made(PRODUCTS, product())
  await until(async () => (await call('GET', `${HOOKS}/${id}`)).body.data.is_active === false)
  expect(receiver.letters).toHaveLength(12)
  expect((await admin('GET', '/deliveries')).body.deliveries).toMatchObject([
    { status: 'failed', attempts: 12, failure: 'answered with 503' },
  ])
  expect((await call('GET', `${HOOKS}/admin`)).body.data.hooks_list).toMatchObject([{ id, status: 'deactivated' }])
  await call('PUT', `${HOOKS}/${id}`, { is_active: true })
  expect((await call('GET', `${HOOKS}/admin`)).body.data.hooks_list).toMatchObject([{ id, status: 'active' }])
})

test('failed deliveries are reported to the client’s exception hook', async () => {
  const { subscribe, made } = await aShop({ webhook_retry_scale: 0 })
  const broken = await aReceiver(() => 500)
  const listener = await aReceiver()
  const { id } = await subscribe('store/product/created', broken.url)
  await subscribe('store/hook/deliveryException', listener.url)
  await made(PRODUCTS, product())
  const codes = () => new Set(listener.letters.map(({ body }) => body.data.error_code))
  await until(() => codes().has(90_002))
  expect(codes()).toEqual(new Set([90_001, 90_002]))
  expect(listener.letters[0]?.body.data).toMatchObject({ type: 'webhook', id })
})

test('a client sees and changes only its own hooks', async () => {
  const { subscribe, call, as } = await aShop()
  const other = as('other-secret')
  const { id } = await subscribe('store/product/*', 'http://localhost:1/')
  const theirs = await other('POST', HOOKS, { scope: 'store/product/*', destination: 'http://localhost:1/' })
  expect(theirs.status).toBe(200)
  expect(theirs.body.data.client_id).not.toBe((await call('GET', `${HOOKS}/${id}`)).body.data.client_id)
  for (const [method, body] of [['GET'], ['PUT', { is_active: false }], ['DELETE']] as const) {
    const refused = await other(method, `${HOOKS}/${id}`, body)
    expect([method, refused.status, refused.body.title]).toEqual([method, 404, `Webhook with id [${id}] not found`])
  }
  expect((await other('GET', HOOKS)).body.data.map((hook: { id: number }) => hook.id)).toEqual([theirs.body.data.id])
  expect((await other('GET', `${HOOKS}/admin`)).body.data.hooks_list).toHaveLength(1)
})

test('a client’s changes raise events for the hooks of every client', async () => {
  const { as, made } = await aShop()
  const receiver = await aReceiver()
  await as('other-secret')('POST', HOOKS, { scope: 'store/product/*', destination: receiver.url })
  await made(PRODUCTS, product())
  await until(() => receiver.letters.length === 1)
})

test('a hook that is switched off or deleted receives nothing', async () => {
  const { subscribe, made, call } = await aShop()
  const receiver = await aReceiver()
  const off = await subscribe('store/product/created', `${receiver.url}/off`, { is_active: false })
  const gone = await subscribe('store/product/created', `${receiver.url}/gone`)
  await subscribe('store/product/created', `${receiver.url}/on`)
  const removed = await call('DELETE', `${HOOKS}/${gone.id}`)
  expect([removed.status, removed.body.data]).toEqual([200, gone])
  await made(PRODUCTS, product())
  await made(PRODUCTS, product({ name: 'Wool Shirt' }))
  await until(() => receiver.letters.length === 2)
  expect(receiver.letters.map(({ path }) => path)).toEqual(['/hook/on', '/hook/on'])
  expect(off.is_active).toBe(false)
})

test('pending deliveries of a hook that is switched off are dropped', async () => {
  const { subscribe, made, call, admin } = await aShop({ webhook_delay_ms: 1_000 })
  const receiver = await aReceiver()
  const { id } = await subscribe('store/product/created', receiver.url)
  await made(PRODUCTS, product())
  await call('PUT', `${HOOKS}/${id}`, { is_active: false })
  await until(async () => (await admin('GET', '/deliveries')).body.deliveries[0].status === 'dropped')
  expect(receiver.letters).toEqual([])
})

test('a slow receiver delays neither the answer nor other receivers', async () => {
  const { subscribe, made, admin } = await aShop()
  const hanging = await aReceiver(() => undefined)
  const prompt = await aReceiver()
  await subscribe('store/product/created', hanging.url)
  await subscribe('store/product/created', prompt.url)
  await made(PRODUCTS, product())
  await until(() => prompt.letters.length === 1 && hanging.letters.length === 1)
  const statuses = (await admin('GET', '/deliveries')).body.deliveries.map((one: { status: string }) => one.status)
  expect(statuses).toContain('waiting')
})

test('a receiver that takes too long counts as failed', async () => {
  const { subscribe, made, admin } = await aShop({ webhook_timeout_ms: 20 })
  const hanging = await aReceiver(() => undefined)
  await subscribe('store/product/created', hanging.url)
  await made(PRODUCTS, product())
  await until(async () => (await admin('GET', '/deliveries')).body.deliveries[0].status === 'retrying')
  expect((await admin('GET', '/deliveries')).body.deliveries[0].failure).toBe('no answer within 20 ms')
})

test('a closed sandbox leaves no delivery behind', async () => {
  // Far longer than the test, so that only closing the sandbox can end the attempt.
  const { close, subscribe, made } = await aShop({ webhook_timeout_ms: 3_600_000 })
  const hanging = await aReceiver(() => undefined)
  const failing = await aReceiver(() => 500)
  const hungUp = new Promise((resolve) => hanging.server.on('connection', (socket) => socket.on('close', resolve)))
  await subscribe('store/product/created', hanging.url)
  await subscribe('store/product/created', failing.url)
  await made(PRODUCTS, product())
  await until(() => hanging.letters.length === 1 && failing.letters.length === 1)
  await close()
  await hungUp
})

test('with duplicates switched on, every event is delivered twice with one hash', async () => {
  const { subscribe, made } = await aShop({ webhook_duplicates: true })
  const receiver = await aReceiver()
  await subscribe('store/product/created', receiver.url)
  await made(PRODUCTS, product())
  await until(() => receiver.letters.length === 2)
  expect(receiver.letters[0]?.body).toEqual(receiver.letters[1]?.body)
})

test('a call whose answer is lost raises its event, a refused one does not', async () => {
  const { subscribe, made, admin, call } = await aShop()
  const receiver = await aReceiver()
  await subscribe('store/product/*', receiver.url)
  await admin('POST', '/faults', { kind: 'error_after_applying', method: 'POST', path: `${PRODUCTS}$` })
  expect((await call('POST', PRODUCTS, product())).status).toBe(500)
  expect((await call('POST', PRODUCTS, product())).status).toBe(409)
  const { id } = await made(PRODUCTS, product({ name: 'Wool Shirt' }))
  await until(() => receiver.letters.length === 2)
  expect(receiver.letters.map(({ body }) => body.data.id)).toContain(id)
})

/** All events that one receiver of several scopes gets because of `act`, in order. */
async function heardDuring(
  scopes: string[],
  act: (shop: Awaited<ReturnType<typeof aShop>>) => Promise<unknown>,
  switches: Record<string, unknown> = {},
  prepare: (shop: Awaited<ReturnType<typeof aShop>>) => Promise<unknown> = async () => undefined,
) {
  const shop = await aShop(switches)
  await prepare(shop)
  const receiver = await aReceiver()
  for (const scope of scopes) await shop.subscribe(scope, receiver.url)
  await act(shop)
  const delivered = async (): Promise<{ status: string; hash: string }[]> =>
    (await shop.admin('GET', '/deliveries')).body.deliveries
  await until(async () => (await delivered()).every(({ status }) => status === 'delivered'))
  const bodies = new Map(receiver.letters.map(({ body }) => [body.hash, body]))
  return (await delivered()).map(({ hash }) => [bodies.get(hash).scope, bodies.get(hash).data])
}

test('a product raises events for its changes, and a write that changes nothing raises none', async () => {
  let id = 0
  const heard = await heardDuring(['store/product/*', 'store/sku/*'], async ({ call, made }) => {
    id = (await made(PRODUCTS, product())).id
    await call('PUT', `${PRODUCTS}/${id}`, { price: 51 })
    await call('PUT', `${PRODUCTS}/${id}`, { price: 51 })
    await call('PUT', `${PRODUCTS}/${id}`, { mpn: 'M-1' })
    await call('PUT', PRODUCTS, [{ id, inventory_tracking: 'product', inventory_level: 4 }])
    await call('DELETE', `${PRODUCTS}?name=Linen Shirt`)
  })
  expect(heard).toEqual([
    ['store/product/created', { type: 'product', id }],
    ['store/product/updated', { type: 'product', id }],
    ['store/product/updated', { type: 'product', id }],
    [
      'store/product/inventory/updated',
      { type: 'product', id, inventory: { product_id: id, method: 'absolute', value: 4 } },
    ],
    ['store/product/deleted', { type: 'product', id }],
  ])
})

test('variants raise SKU events with the id of the SKU, and no update of their product', async () => {
  let data: { id: number; variants: { id: number; sku_id: number }[] } = { id: 0, variants: [] }
  const heard = await heardDuring(['store/product/*', 'store/sku/*'], async ({ call, made }) => {
    data = await made(PRODUCTS, product({ variants: [variant('S-1', { Size: 'S' })] }))
    const [first] = data.variants
    await call('PUT', `${PRODUCTS}/${data.id}/variants/${first?.id}`, { price: 12 })
    await call('PUT', `${PRODUCTS}/${data.id}/variants/${first?.id}`, { price: 12 })
    await call('PUT', '/v3/catalog/variants', [{ id: first?.id, inventory_level: 3 }])
  })
  const [{ id: variant_id, sku_id } = { id: 0, sku_id: 0 }] = data.variants
  const sku = { product_id: data.id, variant_id }
  expect(heard).toEqual([
    ['store/product/created', { type: 'product', id: data.id }],
    ['store/sku/created', { type: 'sku', id: sku_id, sku }],
    ['store/sku/updated', { type: 'sku', id: sku_id, sku }],
    ['store/sku/inventory/updated', { type: 'sku', id: sku_id, inventory: { ...sku, method: 'absolute', value: 3 } }],
  ])
})

test('an adjustment raises an event with the stock at its location and the difference', async () => {
  let id = 0
  const scopes = ['store/channel/*/inventory/product/stock_changed', 'store/product/inventory/updated']
  const heard = await heardDuring(scopes, async ({ call, made }) => {
    id = (await made(PRODUCTS, product({ sku: 'L-1', inventory_tracking: 'product', inventory_level: 5 }))).id
    const adjust = (quantity: number) =>
      call('PUT', '/v3/inventory/adjustments/absolute', { items: [{ location_id: 1, sku: 'L-1', quantity }] })
    expect([(await adjust(3)).status, (await adjust(3)).status]).toEqual([200, 200])
  })
  expect(heard).toEqual([
    [
      'store/channel/*/inventory/product/stock_changed',
      { variant_id: expect.any(Number), product_id: id, location_id: 1 },
    ],
    [
      'store/product/inventory/updated',
      { type: 'product', id, inventory: { product_id: id, method: 'absolute', value: -2 } },
    ],
  ])
})

test('a batch of categories raises one event each, for the store and for the channel, including deleted subcategories', async () => {
  const ids: number[] = []
  const heard = await heardDuring(['store/category/*', 'store/channel/1/category/*'], async ({ call, aCategory }) => {
    ids.push(await aCategory('shoes'))
    ids.push(await aCategory('boots', { parent_id: ids[0] }))
    await call(
      'PUT',
      CATEGORIES,
      ids.map((category_id) => ({ category_id, description: 'Leather' })),
    )
    await call('DELETE', `${CATEGORIES}?category_id:in=${ids[0]}`)
  })
  const words = ['created', 'updated', 'deleted']
  expect(heard.filter(([scope]) => words.includes(scope.replace('store/category/', '')))).toHaveLength(6)
  expect(heard.filter(([scope]) => scope === 'store/category/deleted').map(([, data]) => data)).toEqual(
    ids.map((id) => ({ type: 'category', id })),
  )
  expect(heard.filter(([scope]) => scope.startsWith('store/channel/1/category/'))).toHaveLength(6)
})

test('metafields raise events for their owner and for metafields of any kind', async () => {
  let ids = { product: 0, metafield: 0 }
  const heard = await heardDuring(['store/product/metafield/*', 'store/metafield/*'], async ({ call, made }) => {
    const { id } = await made(PRODUCTS, product())
    const body = { namespace: 'n', key: 'k', value: 'v', permission_set: 'read' }
    ids = { product: id, metafield: (await made(`${PRODUCTS}/${id}/metafields`, body)).id }
    await call('PUT', `${PRODUCTS}/metafields`, [{ id: ids.metafield, value: 'w' }])
    await call('DELETE', `${PRODUCTS}/metafields`, [ids.metafield])
  })
  const data = { metafield_id: ids.metafield, resource_id: String(ids.product) }
  expect(heard).toEqual(
    ['created', 'updated', 'deleted'].flatMap((word) => [
      [`store/product/metafield/${word}`, data],
      [`store/metafield/${word}`, { ...data, resource_type: 'product' }],
    ]),
  )
})

test('price lists, their prices and their assignments have events of their own', async () => {
  let ids = { list: 0, variant: 0, group: 0 }
  const heard = await heardDuring(['store/priceList/*', 'store/priceLists/deleted'], async ({ call, made }) => {
    const group = (await call('POST', '/v2/customer_groups', { name: 'Trade' })).body
    const { base_variant_id } = await made(PRODUCTS, product({ sku: 'L-1' }))
    ids = { list: (await made('/v3/pricelists', { name: 'Trade' })).id, variant: base_variant_id, group: group.id }
    const list = `/v3/pricelists/${ids.list}`
    await call('PUT', list, { active: false })
    await call('PUT', `${list}/records`, [{ sku: 'L-1', currency: 'usd', price: 9 }])
    await call('PUT', `${list}/records/${ids.variant}/usd`, { price: 8 })
    await call('PUT', `${list}/assignments`, { channel_id: 1, customer_group_id: ids.group })
    await call('DELETE', `/v3/pricelists?id:in=${ids.list}`)
  })
  const record = { price_list_id: ids.list, variant_id: ids.variant, currency: 'USD' }
  expect(heard).toEqual([
    ['store/priceList/created', { price_list_id: ids.list }],
    ['store/priceList/deactivated', { price_list_id: ids.list }],
    ['store/priceList/records/created', [record]],
    ['store/priceList/record/updated', record],
    ['store/priceList/assignment/updated', { price_list_id: ids.list, channel_id: 1, customer_group_id: ids.group }],
    ['store/priceLists/deleted', { price_list_ids: [ids.list] }],
  ])
})

test('channels, sites, settings and product assignments raise events for the channel', async () => {
  let ids = { product: 0, category: 0, channel: 0, site: 0 }
  const heard = await heardDuring(
    ['store/channel/*', 'store/information/updated'],
    async ({ call, made, aCategory }) => {
      const channel = (await made('/v3/channels', { name: 'second', type: 'storefront', platform: 'custom' })).id
      const site = (await made(`/v3/channels/${channel}/site`, { url: 'https://second.example' })).id
      const checkout = `/v3/channels/${channel}/site/checkout-url`
      expect((await call('PUT', checkout, { url: 'https://pay.second.example' })).status).toBe(200)
      await call('DELETE', checkout)
      ids = { product: (await made(PRODUCTS, product())).id, category: await aCategory('shoes'), channel, site }
      const assigned = `${PRODUCTS}/channel-assignments`
      await call('PUT', assigned, [{ product_id: ids.product, channel_id: channel }])
      await call('DELETE', `${assigned}?product_id:in=${ids.product}&channel_id:in=${channel}`)
      await call('PUT', `${PRODUCTS}/category-assignments`, [{ product_id: ids.product, category_id: ids.category }])
      await call('PUT', '/v3/settings/store/profile', { store_name: 'Corner Shop' })
      await call('PUT', `/v3/settings/email-statuses?channel_id=${channel}`, { invoice_email: false })
    },
  )
  const { channel } = ids
  expect(heard.filter(([scope]) => !scope.includes('/category/created'))).toEqual([
    ['store/channel/created', { type: 'channel', id: channel }],
    [`store/channel/${channel}/settings/site/updated`, { site_id: ids.site }],
    [`store/channel/${channel}/settings/site/checkoutUrl/updated`, { site_id: ids.site }],
    [`store/channel/${channel}/settings/site/checkoutUrl/deleted`, { site_id: ids.site }],
    [`store/channel/${channel}/product/assigned`, { product_id: ids.product }],
    [`store/channel/${channel}/product/unassigned`, { product_id: ids.product }],
    ['store/channel/1/category/product/assigned', { product_id: ids.product }],
    ['store/information/updated', { type: 'store' }],
    ['store/channel/1/settings/profile/updated', {}],
    [`store/channel/${channel}/settings/profile/updated`, {}],
    [`store/channel/${channel}/settings/emailStatus/updated`, { template_kind: 'invoice_email' }],
  ])
})

test('creating and changing a location raises an event, deleting it does not', async () => {
  const address = { address1: '1 Main', city: 'Elko', state: 'NV', zip: '1', email: 'a@b.example', country_code: 'US' }
  const place = { ...address, geo_coordinates: { latitude: 1, longitude: 2 } }
  let id = 0
  const heard = await heardDuring(['store/inventory/location/*'], async ({ call, sandbox }) => {
    await call('POST', '/v3/inventory/locations', [{ code: 'east', label: 'East', address: place }])
    id = sandbox.store('shop').table('locations').find({ code_key: 'east' })[0]?.id ?? 0
    await call('PUT', '/v3/inventory/locations', [{ id, label: 'Far East' }])
    expect((await call('DELETE', `/v3/inventory/locations?location_id:in=${id}`)).status).toBe(200)
  })
  expect(heard).toEqual([
    ['store/inventory/location/created', { location_id: id }],
    ['store/inventory/location/updated', { location_id: id }],
  ])
})

test('brands, pending reviews and second pictures raise no event', async () => {
  const prepare = async ({ made, sandbox }: Awaited<ReturnType<typeof aShop>>) => {
    const { id } = await made(PRODUCTS, product())
    const picture = `${sandbox.store('shop').imageBase}/a.png`
    await made(`${PRODUCTS}/${id}/images`, { image_url: picture })
  }
  const heard = await heardDuring(
    ['store/product/*', 'store/channel/*'],
    async ({ made, sandbox }) => {
      const id = sandbox.store('shop').table('products').find({})[0]?.id
      await made('/v3/catalog/brands', { name: 'Acme' })
      await made(`${PRODUCTS}/${id}/images`, { image_url: `${sandbox.store('shop').imageBase}/b.png` })
      await made(`${PRODUCTS}/${id}/reviews`, { title: 'Fine', date_reviewed: '2026-01-01T00:00:00Z' })
    },
    {},
    prepare,
  )
  expect(heard).toEqual([])
})

test('the first picture, an approved review and a deleted modifier count as updates of the product', async () => {
  const heard = await heardDuring(['store/product/updated'], async ({ call, made, sandbox }) => {
    const { id } = await made(PRODUCTS, product())
    await made(`${PRODUCTS}/${id}/images`, { image_url: `${sandbox.store('shop').imageBase}/a.png` })
    const review = { title: 'Fine', date_reviewed: '2026-01-01T00:00:00Z', status: 'approved' }
    await made(`${PRODUCTS}/${id}/reviews`, review)
    const modifier = await made(`${PRODUCTS}/${id}/modifiers`, { type: 'text', required: false, display_name: 'Note' })
    expect((await call('DELETE', `${PRODUCTS}/${id}/modifiers/${modifier.id}`)).status).toBe(204)
  })
  expect(heard).toHaveLength(3)
})

test('changes of options raise events only with the switch', async () => {
  const rename = async ({ call, made }: Awaited<ReturnType<typeof aShop>>) => {
    const { id } = await made(PRODUCTS, product({ variants: [variant('S-1', { Size: 'S' })] }))
    const [option] = (await call('GET', `${PRODUCTS}/${id}/options`)).body.data
    const path = `${PRODUCTS}/${id}/options/${option.id}`
    expect((await call('PUT', path, { display_name: 'Width' })).status).toBe(200)
  }
  expect(await heardDuring(['store/option/updated'], rename)).toEqual([])
  expect(await heardDuring(['store/option/updated'], rename, { webhook_option_events: true })).toMatchObject([
    ['store/option/updated', { type: 'local_option', affected_product_ids: [expect.any(Number)] }],
  ])
})

test('a hook needs a known event and a destination on this machine, and headers are strings', async () => {
  const { call } = await aShop()
  const good = { scope: 'store/product/*', destination: 'http://127.0.0.1:9/' }
  const refusals: [object, string][] = [
    [{ ...good, scope: undefined }, 'scope'],
    [{ ...good, scope: 'store/brand/created' }, 'scope'],
    [{ ...good, scope: 'store/*' }, 'scope'],
    [{ ...good, destination: undefined }, 'destination'],
    [{ ...good, destination: 'https://example.com/hook' }, 'destination'],
    [{ ...good, destination: 'http://127.0.0.1.example.com/' }, 'destination'],
    [{ ...good, destination: 'http://localhost@example.com/' }, 'destination'],
    [{ ...good, destination: 'http://0.0.0.0/' }, 'destination'],
    [{ ...good, destination: 'ftp://localhost/' }, 'destination'],
    [{ ...good, is_active: 'yes' }, 'is_active'],
    [{ ...good, headers: { 'X-Number': 5 } }, 'headers'],
    [{ ...good, headers: { 'X-Lines': 'a\r\nb' } }, 'headers'],
    [{ ...good, headers: { Host: 'elsewhere' } }, 'headers'],
  ]
  for (const [body, field] of refusals) {
    const { status, body: answer } = await call('POST', HOOKS, body)
    expect([field, status, Object.keys(answer.errors)]).toEqual([field, 422, [field]])
  }
  expect((await call('GET', HOOKS)).body.data).toEqual([])
  expect((await call('POST', HOOKS, good)).body.data).toEqual({
    ...good,
    id: expect.any(Number),
    client_id: expect.any(String),
    store_hash: 'shop',
    is_active: true,
    headers: null,
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
  })
})

test('a client has at most ten hooks of one scope and one per destination', async () => {
  const { call, as, subscribe } = await aShop()
  const hook = (port: number) => ({ scope: 'store/product/*', destination: `http://localhost:${port}/` })
  const first = await subscribe(hook(1).scope, hook(1).destination)
  expect((await call('POST', HOOKS, hook(1))).status).toBe(422)
  expect((await as('other-secret')('POST', HOOKS, hook(1))).status).toBe(200)
  for (let port = 2; port <= 10; port++) await subscribe(hook(port).scope, hook(port).destination)
  expect((await call('POST', HOOKS, hook(11))).status).toBe(422)
  expect((await call('POST', HOOKS, { ...hook(11), scope: 'store/sku/*' })).status).toBe(200)
  expect((await call('PUT', `${HOOKS}/${first.id}`, hook(2))).status).toBe(422)
  expect((await call('PUT', `${HOOKS}/${first.id}`, { headers: { 'X-A': 'b' } })).body.data).toMatchObject({
    ...hook(1),
    headers: { 'X-A': 'b' },
  })
  expect((await call('PUT', `${HOOKS}/${first.id}`, {})).status).toBe(422)
})

test('hooks are filtered by scope, destination and whether they are active', async () => {
  const { call, subscribe } = await aShop()
  const ids = [
    await subscribe('store/product/*', 'http://localhost:1/'),
    await subscribe('store/sku/*', 'http://localhost:2/', { is_active: false }),
    await subscribe('store/sku/*', 'http://localhost:1/'),
  ].map(({ id }) => id)
  const found = async (query: string) =>
    (await call('GET', `${HOOKS}?${query}`)).body.data.map(({ id }: { id: number }) => ids.indexOf(id))
  expect(await found('scope=store/sku/*')).toEqual([1, 2])
  expect(await found('destination=http://localhost:1/')).toEqual([0, 2])
  expect(await found('is_active=false')).toEqual([1])
  expect(await found('limit=1&page=2')).toEqual([1])
})

test('addresses for notices are saved per client', async () => {
  const { call, as } = await aShop()
  expect((await call('PUT', `${HOOKS}/admin`, { emails: ['ops@shop.example'] })).status).toBe(204)
  expect((await call('PUT', `${HOOKS}/admin`, { emails: ['no address'] })).status).toBe(422)
  expect((await call('GET', `${HOOKS}/admin`)).body.data.emails).toEqual(['ops@shop.example'])
  expect((await as('other-secret')('GET', `${HOOKS}/admin`)).body.data.emails).toEqual([])
})

test('a destination below 90% of success is blocked for three minutes, but not before 100 calls', () => {
  const rate = new SuccessRate('client', 'http://localhost:1')
  const failing = (count: number, atMs: number) =>
    Array.from({ length: count }, () => rate.note('answered with 500', atMs, 1)).includes(true)
  expect(failing(99, 0)).toBe(false)
  expect(rate.isBlocked(0)).toBe(false)
  expect(failing(1, 1_000)).toBe(true)
  expect([rate.isBlocked(180_999), rate.isBlocked(181_000)]).toEqual([true, false])
  expect(rate.shown(1_000)).toMatchObject({
    time_left: 180,
    reasons: [{ failure_description: 'answered with 500', count: 100 }],
  })
  // Of 100 calls within two minutes ten may fail; earlier ones do not count.
  expect(failing(10, 200_000)).toBe(false)
  expect(Array.from({ length: 90 }, () => rate.note(undefined, 200_001, 1)).includes(true)).toBe(false)
  expect(failing(1, 320_001)).toBe(false)
  expect(failing(10, 320_002)).toBe(false)
})

test('a blocked delivery is listed for the client and not sent', async () => {
  const { subscribe, call, made, admin } = await aShop({ webhook_retry_scale: 1 })
  const receiver = await aReceiver(() => 500)
  await subscribe('store/product/*', receiver.url)
  const sizes = Array.from({ length: 100 }, (_size, at) => product({ name: `Shirt ${at}` }))
  for (const one of sizes) await made(PRODUCTS, one)
  const blocked = async () => (await call('GET', `${HOOKS}/admin`)).body.data.blocked_domains
  await until(async () => (await blocked()).length === 1)
  expect(await blocked()).toMatchObject([{ destination: new URL(receiver.url).origin, reasons: [{ count: 100 }] }])
  await made(PRODUCTS, product({ name: 'One more' }))
  const last = async () => (await admin('GET', '/deliveries')).body.deliveries.at(-1)
  await until(async () => (await last()).status === 'retrying')
  expect((await last()).failure).toBe('the destination is blocked')
  expect(receiver.letters).toHaveLength(100)
})

test('a wildcard covers everything below it, and only documented scopes have events', () => {
  expect(covers('store/product/*', 'store/product/inventory/updated')).toBe(true)
  expect(covers('store/product/*', 'store/productive/created')).toBe(false)
  expect(covers('store/product/created', 'store/product/updated')).toBe(false)
  const places = [
    ...['product', 'sku', 'category', 'order', 'customer', 'customer/address', 'subscriber', 'shipment', 'priceList'],
    ...['channel', 'channel/7/settings', 'channel/7/page', 'channel/7/script', 'channel/7/theme/configuration'],
    ...['inventory/location', 'product/metafield', 'category/metafield', 'brand/metafield', 'order/metafield'],
  ]
  const known = [
    ...places.map((place) => `store/${place}/*`),
    ...['redirects', 'option', 'modifier', 'channel/1/categoryTree'].map((place) => `store/${place}/updated`),
    'store/priceList/updated/',
    'store/cart/lineItem/*',
    'store/order/created',
  ]
  expect(known.filter(isKnownScope)).toEqual(known)
  const things = ['brand', 'coupon', 'promotion', 'widget', 'review', 'giftCertificate']
  const unknown = [...things.map((thing) => `store/${thing}/created`), 'store/coupon/*', 'product/created', '']
  expect(unknown.filter(isKnownScope)).toEqual([])
})

test('hooks do not change the answer of any call', async () => {
  const [quiet, heard] = [await aShop(), await aShop()]
  for (const scope of ['store/product/*', 'store/channel/*']) await heard.subscribe(scope, (await aReceiver()).url)
  const bodies = [undefined, [{ id: 'x', variant_id: {}, sku: [] }], { items: [{ sku: 5, variant_id: 'x' }] }]
  for (const call of Object.keys(WATCHED_CALLS)) {
    const [method = '', template = ''] = call.split(' ')
    for (const body of bodies) {
      const path = template.replace(/:\w+/g, 'x')
      const [plain, watched] = await Promise.all([quiet, heard].map((shop) => shop.call(method, path, body)))
      expect([call, body, watched?.status]).toEqual([call, body, plain?.status])
    }
  }
})

test('every watched call is one that the sandbox serves', () => {
  const served = resources.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))
  expect(Object.keys(WATCHED_CALLS).filter((call) => !served.includes(call))).toEqual([])
})
