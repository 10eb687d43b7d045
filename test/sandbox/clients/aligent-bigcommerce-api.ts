/** What `@aligent/bigcommerce-api` is asked to do, one scenario per run; what it gives is printed as JSON. */
import { all, refusalOf, v2, v3 } from './aligent-store.ts'
import { tell } from './tell.ts'

const shirt = { name: 'Linen Shirt', type: 'physical', weight: 0.4, price: 49 } as const

await tell({
  getBrands: (ids: number[]) => v3.get('/catalog/brands', { query: { 'id:in': ids } }),
  pageThroughBrands: (limit: number) => all(v3.list('/catalog/brands', { query: { limit } })),
  pageThroughProductsWithOptions: () =>
    all(v3.list('/catalog/products', { query: { include: 'options', limit: 250 } as never })),
  createProduct: () => v3.post('/catalog/products', { body: shirt as never }),
  updateBrand: (brand_id: number) =>
    v3.put('/catalog/brands/{brand_id}', { path: { brand_id }, body: { name: 'Mill' } as never }),
  deleteBrand: (brand_id: number) => v3.delete('/catalog/brands/{brand_id}', { path: { brand_id } }),
  createCategories: (body: object[]) => v3.send('POST /catalog/trees/categories', { body: body as never }),
  saveMetafields: async (resource_id: number) => {
    const row = { resource_id, namespace: 'shelf', permission_set: 'write' }
    const body = ['A-12', ''].map((value, at) => ({ ...row, key: `key-${at}`, value }))
    return v3.send('POST /catalog/brands/metafields', { body: body as never })
  },
  pricesOfList: async (id: number) => {
    await v3.put('/pricelists/{price_list_id}/records', {
      path: { price_list_id: id },
      body: [{ sku: 'LS-1', currency: 'usd', price: 5 }] as never,
    })
    return all(v3.list('/pricelists/{price_list_id}/records', { path: { price_list_id: id } }))
  },
  currencies: async () => ({
    first: await v2.get('/currencies', { query: { page: 1, limit: 1 } as never }),
    behind: await v2.get('/currencies', { query: { page: 2, limit: 1 } as never }),
  }),
  nothingThere: () => v3.get('/catalog/brands/{brand_id}', { path: { brand_id: 99_999_999 } }),
  refusedList: () => refusalOf(v3.get('/catalog/brands')),
  duplicate: () => refusalOf(v3.post('/catalog/products', { body: shirt as never })),
  incomplete: () => refusalOf(v3.post('/catalog/products', { body: { name: 'Linen Shirt' } as never })),
  createInTurn: async (names: string[]) => {
    for (const name of names) await v3.post('/catalog/brands', { body: { name } as never })
    return names.length
  },
})
