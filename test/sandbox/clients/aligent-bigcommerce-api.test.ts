import { expect, it } from 'vitest'
import { PRICE_LISTS, times } from '../facts/fact-shop.ts'
import { aPlatform, type Platform, runClient } from './run-client.ts'

const ask = (platform: Platform, scenario: string, wishes?: { token?: string; input?: unknown }) =>
  runClient('aligent-bigcommerce-api.ts', platform, scenario, wishes)

const nameOf = ({ name }: { name: string }) => name

it('lists the brands that it names by their ids', async () => {
  const platform = await aPlatform()
  const [loom, , weft] = ['Loom', 'Mill', 'Weft'].map((name) => platform.aBrand(name))
  expect((await ask(platform, 'getBrands', { input: [loom, weft] })).map(nameOf)).toEqual(['Loom', 'Weft'])
})

it('pages through brands until a page is empty', async () => {
  const platform = await aPlatform()
  const names = times(510, (n) => `Loom ${n}`)
  platform.store.transaction(() => names.forEach((name) => void platform.aBrand(name)))
  expect((await ask(platform, 'pageThroughBrands', { input: 250 })).map(nameOf)).toEqual(names)
  expect(await platform.statuses()).toEqual([200, 200, 200, 200])
})

it('pages through products with options without missing one, although a page has ten', async () => {
  const platform = await aPlatform()
  const ids = times(23, (n) => platform.store.table('products').insert({ name: `Shirt ${n}`, sku: '' }).id)
  const found = await ask(platform, 'pageThroughProductsWithOptions')
  expect(found.map(({ id }: { id: number }) => id)).toEqual(ids)
})

it('creates a product', async () => {
  const platform = await aPlatform()
  const { id } = await ask(platform, 'createProduct')
  expect(platform.store.table('products').get(id)).toMatchObject({ name: 'Linen Shirt', price: 49 })
})

it('updates a brand and deletes it', async () => {
  const platform = await aPlatform()
  const id = platform.aBrand('Loom')
  expect(await ask(platform, 'updateBrand', { input: id })).toMatchObject({ id, name: 'Mill' })
  expect(platform.store.table('brands').get(id)).toMatchObject({ name: 'Mill' })
  expect(await ask(platform, 'deleteBrand', { input: id })).toBeNull()
  expect(platform.store.table('brands').count()).toBe(0)
})

it('reads which categories of a batch were refused', async () => {
  const platform = await aPlatform()
  const tree_id = platform.treeId()
  const { status, body } = await ask(platform, 'createCategories', {
    input: ['Shirts', ''].map((name) => ({ name, tree_id })),
  })
  expect([status, body.data.map(nameOf), Object.keys(body.errors.errors)]).toEqual([207, ['Shirts'], ['1.name']])
})

it('reads which metafields of a batch were saved although the answer is 422', async () => {
  const platform = await aPlatform()
  const { status, body } = await ask(platform, 'saveMetafields', { input: platform.aBrand('Loom') })
  expect([status, body.meta]).toEqual([422, { total: 2, success: 1, failed: 1 }])
  expect(platform.store.table('brand_metafields').count()).toBe(1)
})

it('sets prices of a list by SKU and pages through them', async () => {
  const platform = await aPlatform()
  await platform.aProduct({ sku: 'LS-1' })
  const { id } = await platform.made('POST', PRICE_LISTS, { name: 'Wholesale' })
  expect(await ask(platform, 'pricesOfList', { input: id })).toMatchObject([{ currency: 'usd', price: 5 }])
})

it('reads a list of version 2 to its end', async () => {
  const { first, behind } = await ask(await aPlatform(), 'currencies')
  expect([first, behind]).toEqual([[expect.objectContaining({ currency_code: 'USD' })], null])
})

it('meets 401 with a wrong token', async () => {
  const { message } = await ask(await aPlatform(), 'refusedList', { token: 'wrong' })
  expect(message).toMatch(/^ERROR DURING GET \/catalog\/brands: 401 - \{"status":401,/)
})

it('takes 404 for nothing', async () => {
  expect(await ask(await aPlatform(), 'nothingThere')).toBeNull()
})

it('meets 409 with the title of the platform', async () => {
  const platform = await aPlatform()
  await platform.aProduct()
  const { message } = await ask(platform, 'duplicate')
  expect(message).toMatch(/409 - .*"The product name is a duplicate"/)
})

it('meets 422 with the fields that are missing', async () => {
  const { message } = await ask(await aPlatform(), 'incomplete')
  expect(message).toMatch(/422 - .*"type":.*"weight":.*"price":/)
})

it('waits when it meets 429 and goes on until all is done', async () => {
  const platform = await aPlatform({}, { quota: { requests: 2, windowMs: 1_000 } })
  expect(await ask(platform, 'createInTurn', { input: ['A', 'B', 'C'] })).toBe(3)
  expect(platform.store.table('brands').count()).toBe(3)
  expect(await platform.statuses()).toContain(429)
})

it('tries again after a 503', async () => {
  const platform = await aPlatform()
  await platform.fault({ kind: 'error_before_applying', status: 503 })
  await ask(platform, 'createInTurn', { input: ['A'] })
  expect(await platform.statuses()).toEqual([503, 200])
})
