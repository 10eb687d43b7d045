/** Scenarios of the client of the same name, one per run; the result is printed as JSON. */
import { BigCommerceApiClient } from 'bigcommerce-api-client'
import { runScenario } from './run-scenario.ts'

const { STORE_HASH = '', ACCESS_TOKEN = '' } = process.env

/**
 * The client's cache is off unless a scenario needs it. The client picks random waits up to this limit, which is short.
 */
const config = { storeHash: STORE_HASH, accessToken: ACCESS_TOKEN, retryDelay: 50, maxRetries: 100 }
const client = new BigCommerceApiClient(config)
const { brands, products, categoriesBatch, productVariants } = client.catalog

/** The error that the client throws, with the answer that it keeps as the cause. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { gave: await work }
  } catch (error) {
    const { message, cause } = error as Error & {
      cause?: { message?: string; response?: { status?: number; data?: unknown } }
    }
    return { message, because: cause?.message, status: cause?.response?.status, body: cause?.response?.data }
  }
}

const shirt = { name: 'Linen Shirt', type: 'physical' as const, weight: 0.4, price: 49 }

await runScenario({
  listBrands: () => brands.getAllBrands(),
  pageThroughBrands: (limit: number) => brands.getAllBrands({}, 1, limit),
  pageThroughProductsWithOptions: (limit: number) =>
    products.getAllProducts({ sort: 'id', include: 'options' } as never, 1, limit),
  createProduct: () => products.createProduct(shirt as never),
  createProductWithVariants: async () => {
    const choice = (label: string) => ({ sku: `LS-${label}`, option_values: [{ option_display_name: 'Size', label }] })
    const { data }: { data?: { id?: number } } = await products.createProduct({
      ...shirt,
      variants: [choice('S'), choice('M')],
    } as never)
    return productVariants.getAllVariants(Number(data?.id))
  },
  updateBrand: (id: number) => brands.updateBrand(id, { name: 'Mill' } as never),
  updateManyProducts: (ids: number[]) => products.batchUpdateProducts(ids.map((id) => ({ id, price: 5 })) as never),
  deleteBrand: (id: number) => brands.deleteBrand(id),
  createCategories: (rows: object[]) => categoriesBatch.createCategories(rows as never),
  changedSince: (day: string) => products.getAllProducts({ 'date_modified:min': new Date(day) } as never),
  dates: async (id: number) => {
    const { data } = await products.getProduct(id)
    const created: unknown = data?.date_created
    return { isDate: created instanceof Date, year: created instanceof Date ? created.getUTCFullYear() : undefined }
  },
  storeAndCurrencies: async () => ({
    store: await client.storeInformation.getStoreInformation(),
    currencies: await client.currencies.getAllCurrencies(),
  }),
  nothingThere: () => brands.getBrand(99_999_999),
  nothingThereAsError: () =>
    refusalOf(new BigCommerceApiClient({ ...config, failOn404: true }).catalog.brands.getBrand(99_999_999)),
  refusedList: () => refusalOf(brands.getAllBrands()),
  duplicate: () => refusalOf(products.createProduct(shirt as never)),
  incomplete: () => refusalOf(products.createProduct({ name: 'Linen Shirt' } as never)),
  createInTurn: async (names: string[]) => {
    for (const name of names) await brands.createBrand({ name } as never)
    return names.length
  },
  elsewhere: () => refusalOf(fetch('https://example.com/')),
})
