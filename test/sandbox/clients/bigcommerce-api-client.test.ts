import { expect, it } from 'vitest'
import { product, times } from '../a-shop.ts'
import { aPlatform, type Platform, runClient } from './run-client.ts'

const ask = (platform: Platform, scenario: string, wishes?: { token?: string; input?: unknown }) =>
  runClient('bigcommerce-api-client.ts', platform, scenario, wishes)

const nameOf = ({ name }: { name: string }) => name

it('lists brands', async () => {
  const platform = await aPlatform()
  for (const name of ['Loom', 'Mill']) platform.aBrand(name)
  const { data, meta } = await ask(platform, 'listBrands')
  expect(data.map(nameOf)).toEqual(['Loom', 'Mill'])
  expect(meta.pagination).toMatchObject({ total: 2, per_page: 250 })
})

it('pages through more brands than fit on a page', async () => {
  const platform = await aPlatform()
  const names = times(510, (n) => `Loom ${n}`)
  platform.store.transaction(() => names.forEach((name) => void platform.aBrand(name)))
  const { data } = await ask(platform, 'pageThroughBrands', { input: 1_000 })
  expect(data.map(nameOf)).toEqual(names)
  expect(await platform.statuses()).toEqual([200, 200, 200])
})

it('pages through products with options, ten at a time', async () => {
  const platform = await aPlatform()
  const ids = times(23, (n) => platform.store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
  const { data } = await ask(platform, 'pageThroughProductsWithOptions', { input: 50 })
  expect(data.map(({ id }: { id: number }) => id)).toEqual(ids)
  expect(await platform.statuses()).toEqual([200, 200, 200])
})

it('creates a product', async () => {
  const platform = await aPlatform()
  const { data } = await ask(platform, 'createProduct')
  expect(platform.store.table('products').get(data.id)).toMatchObject({ name: 'Linen Shirt', price: 49 })
})

it('creates a product with variants and reads them', async () => {
  const { data } = await ask(await aPlatform(), 'createProductWithVariants')
  expect(data).toMatchObject([
    { sku: 'LS-S', option_values: [{ label: 'S' }] },
    { sku: 'LS-M', option_values: [{ label: 'M' }] },
  ])
})

it('updates a brand', async () => {
  const platform = await aPlatform()
  const id = platform.aBrand('Loom')
  expect((await ask(platform, 'updateBrand', { input: id })).data).toMatchObject({ id, name: 'Mill' })
  expect(platform.store.table('brands').get(id)).toMatchObject({ name: 'Mill' })
})

it('updates 25 products in batches of ten', async () => {
  const platform = await aPlatform()
  const ids = times(25, (n) => platform.store.table('products').insert({ name: `Shirt ${n}`, sku: '', price: 1 }).id)
  await ask(platform, 'updateManyProducts', { input: ids })
  expect(
    new Set(
      platform.store
        .table('products')
        .find({})
        .map(({ price }) => price),
    ),
  ).toEqual(new Set([5]))
  expect(await platform.statuses()).toEqual([200, 200, 200])
})

it('deletes a brand', async () => {
  const platform = await aPlatform()
  await ask(platform, 'deleteBrand', { input: platform.aBrand('Loom') })
  expect(platform.store.table('brands').count()).toBe(0)
})

it('creates categories and reads which of them were refused', async () => {
  const platform = await aPlatform()
  const tree_id = platform.treeId()
  const { data, errors, meta } = await ask(platform, 'createCategories', {
    input: ['Shirts', ''].map((name) => ({ name, tree_id })),
  })
  expect(data.map(nameOf)).toEqual(['Shirts'])
  expect([Object.keys(errors.errors), meta]).toEqual([['1.name'], { total: 2, success: 1, failed: 1 }])
})

it('reads dates as dates and finds products by them', async () => {
  const platform = await aPlatform()
  const made = [await platform.aProduct(), await platform.aProduct({ name: 'Wool Shirt' })]
  for (const [at, year] of ['2023', '2025'].entries()) {
    const day = `${year}-01-01T12:00:00+00:00`
    platform.store.table('products').update(made[at].id, { date_created: day, date_modified: day })
  }
  expect(await ask(platform, 'dates', { input: made[0].id })).toEqual({ isDate: true, year: 2023 })
  const { data } = await ask(platform, 'changedSince', { input: '2024-01-01' })
  expect(data.map(nameOf)).toEqual(['Wool Shirt'])
})

it('reads the store and its currencies from v2', async () => {
  const platform = await aPlatform()
  const { store, currencies } = await ask(platform, 'storeAndCurrencies')
  expect([store.id, currencies]).toEqual([platform.hash, [expect.objectContaining({ currency_code: 'USD' })]])
})

it('gets 401 with a wrong token', async () => {
  const platform = await aPlatform()
  expect(await ask(platform, 'refusedList', { token: 'wrong' })).toMatchObject({ status: 401, body: { status: 401 } })
})

it('gets 403 with a token without the scope', async () => {
  const platform = await aPlatform({ scopes: ['store_inventory'] })
  expect(await ask(platform, 'refusedList')).toMatchObject({ status: 403 })
})

it('treats 404 as no result, or as an error if configured', async () => {
  const platform = await aPlatform()
  expect(await ask(platform, 'nothingThere')).toBeNull()
  expect(await ask(platform, 'nothingThereAsError')).toMatchObject({ status: 404, body: { status: 404 } })
})

it('gets 409 with the name of the duplicate field', async () => {
  const platform = await aPlatform()
  await platform.made('POST', '/v3/catalog/products', product())
  expect(await ask(platform, 'duplicate')).toMatchObject({
    status: 409,
    body: { title: 'The product name is a duplicate', errors: { name: expect.any(String) } },
  })
})

it('gets 422 with the missing fields', async () => {
  const { status, body } = await ask(await aPlatform(), 'incomplete')
  expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['price', 'type', 'weight']])
})

it('waits after a 429 and continues until all is done', async () => {
  const platform = await aPlatform({}, { quota: { requests: 2, windowMs: 1_000 } })
  expect(await ask(platform, 'createInTurn', { input: ['A', 'B', 'C'] })).toBe(3)
  expect(platform.store.table('brands').count()).toBe(3)
  expect(await platform.statuses()).toContain(429)
})

it('retries after a 503', async () => {
  const platform = await aPlatform()
  await platform.fault({ kind: 'error_before_applying', status: 503, times: 2 })
  await ask(platform, 'createInTurn', { input: ['A'] })
  expect(await platform.statuses()).toEqual([503, 503, 200])
})

it('can only reach the sandbox', async () => {
  const { because } = await ask(await aPlatform(), 'elsewhere')
  expect(because).toBe('A connection to example.com is refused: it is not the sandbox')
})
