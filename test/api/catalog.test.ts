import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aMerchant, type Merchant, pair } from '../spec/a-merchant.ts'
import { anOrganisation, aService } from './a-service.ts'

interface Item {
  id: string
  name: string | null
}

let merchant: Merchant
beforeAll(async () => {
  merchant = await aMerchant()
})
afterAll(() => merchant?.close())

const at = (path: string) => `/v2/stores/${pair.source}/catalog/${path}`
const inStore = (table: string) => merchant.sandbox.store('From').table(table).find({})
const itemsOf = async (path: string): Promise<Item[]> => (await merchant.get(at(path))).json().items

test('the products of a connected store are listed page by page', async () => {
  const found: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await merchant.get(at(`products?limit=5${cursor && `&cursor=${encodeURIComponent(cursor)}`}`))
    expect(page.statusCode, page.body).toBe(200)
    const { items, nextCursor } = page.json()
    expect(items.length).toBeLessThanOrEqual(5)
    found.push(...items)
    cursor = nextCursor
  }
  const ids = found.map(({ id }) => Number(id))
  expect(ids.toSorted((one, other) => one - other)).toEqual(inStore('products').map(({ id }) => id))
})

test('a search finds only items with the text in their names', async () => {
  const [brand] = inStore('brands')
  const name = String(brand?.name)
  expect(await itemsOf(`brands?text=${encodeURIComponent(name)}`)).toContainEqual(expect.objectContaining({ name }))
  expect(await itemsOf('brands?text=no+brand+is+called+so')).toEqual([])
})

test('one item is shown as a migration would read it', async () => {
  const [brand] = inStore('brands')
  const answer = await merchant.get(at(`brands/${brand?.id}`))
  expect(answer.json()).toMatchObject({
    item: { id: String(brand?.id), name: brand?.name },
    fields: { name: brand?.name },
  })
  expect((await merchant.get(at('brands/999999'))).statusCode).toBe(404)
})

test('an order is found by its id', async () => {
  const order = inStore('orders').at(-1)
  const answer = await merchant.get(at(`orders/${order?.id}`))
  expect(answer.json()).toMatchObject({ item: { id: String(order?.id), name: null }, fields: null })
  expect((await merchant.get(at('orders/999999'))).statusCode).toBe(404)
})

test('an item id that no store can have given is a 404, even if the store is away, because it is not asked', async () => {
  const away = await aService({ bigcommerceApiUrl: 'http://127.0.0.1:9' })
  onTestFinished(() => away.close())
  const token = await (await anOrganisation(away)).token()
  const impossible = ['0', '-1', '01', '1,2', '1 or 1', 'abc', '1&range=1', '\0', '9'.repeat(16), '../customers']
  for (const id of impossible)
    for (const entity of ['brands', 'products', 'orders', 'scripts']) {
      const answer = await away.get(`/v2/stores/store1/catalog/${entity}/${encodeURIComponent(id)}`, token)
      expect([id, entity, answer.statusCode]).toEqual([id, entity, id === '\0' ? 422 : 404])
    }
})

test('S9: shoppers are shown by id only', async () => {
  const [customer] = inStore('customers')
  const items = await itemsOf('customers')
  expect(items.length).toBeGreaterThan(0)
  for (const item of items) expect(item).toEqual({ id: expect.any(String), name: null, sku: null, path: null })
  const one = (await merchant.get(at(`customers/${customer?.id}`))).json()
  expect(one).toMatchObject({ item: { name: null }, fields: null })
  expect(JSON.stringify([items, one])).not.toContain(String(customer?.email))
})

test('both stores are counted in one request, and nothing is stored', async () => {
  const counted = await merchant.post('/v2/counts', { hash: pair.source, compareWith: pair.destination })
  expect(counted.statusCode, counted.body).toBe(200)
  const [source, destination] = counted.json().stores
  expect(source).toMatchObject({ hash: pair.source, counts: { products: inStore('products').length } })
  expect(destination).toMatchObject({ hash: pair.destination, counts: { products: 0 } })
  expect((await merchant.get('/v2/migrations')).json().items).toEqual([])
})

test('a store is not counted beside itself', async () => {
  const refused = await merchant.post('/v2/counts', { hash: pair.source, compareWith: pair.source })
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['compareWith']])
})

test('an unknown entity is refused by name, and a store that is not connected is not found', async () => {
  const unknown = await merchant.get(at('spaceships'))
  expect([unknown.statusCode, Object.keys(unknown.json().errors)]).toEqual([422, ['entity']])
  expect((await merchant.get('/v2/stores/elsewhere1/catalog/products')).statusCode).toBe(404)
  expect((await merchant.post('/v2/counts', { hash: 'elsewhere1' })).statusCode).toBe(404)
})

test('S2: another organisation sees nothing, and a viewer everything', async () => {
  const stranger = await (await anOrganisation(merchant.service, { stores: ['other1', 'other2'] })).token()
  expect((await merchant.service.get(at('brands'), stranger)).statusCode).toBe(404)
  const viewer = await merchant.organisation.token('viewer')
  expect((await merchant.service.get(at('brands'), viewer)).statusCode).toBe(200)
})

test('the list of entities says what each needs, what of it stays behind, and the scopes of an API account', async () => {
  const { items, scopes } = (await merchant.get('/v2/entities')).json()
  const named = (key: string) => items.find((one: { key: string }) => one.key === key)
  expect(named('products')).toMatchObject({ group: 'catalog', pickable: true, browsable: true, personal: false })
  expect(named('customers')).toMatchObject({
    pickable: true,
    personal: true,
    after: expect.arrayContaining(['customer-groups']),
  })
  expect(named('customers').notMoved).toContainEqual({ what: 'passwords', why: expect.any(String) })
  expect(named('themes')).toMatchObject({ optional: true })
  expect(scopes).toContainEqual({
    name: 'Orders',
    read: 'store_v2_orders_read_only',
    write: 'store_v2_orders',
    for: ['Orders'],
  })
})

test('page templates are those with pages of their own, and whether all pages share something', async () => {
  const { items, siteWide } = (await merchant.get(`/v2/stores/${pair.source}/page-templates`)).json()
  expect(items).toContainEqual({ file: 'pages/home', pages: expect.any(Number) })
  // The seed has widgets on pages of items, too.
  expect(items.length).toBeGreaterThan(1)
  for (const { file } of items) expect(file).toMatch(/^pages\//)
  expect(siteWide).toBe(true)
  expect(
    (await merchant.get(`/v2/stores/${pair.source}/page-templates?storefront=1`)).json().items.length,
  ).toBeGreaterThan(0)
})

test.each([
  'page-templates',
  'catalog/products',
  'catalog/categories',
])('an unknown storefront is refused, not answered as if it had no %s', async (list) => {
  const answer = await merchant.get(`/v2/stores/${pair.source}/${list}?storefront=77`)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().errors).toEqual({ storefront: [expect.stringContaining('has no storefront with this id')] })
})
