/** Scenarios of `node-bigcommerce`, one per run; the client is in the folder that `CLIENT_FOLDER` names. */
import { createRequire } from 'node:module'
import { runScenario } from '../sandbox/clients/run-scenario.ts'

const { STORE_HASH = '', ACCESS_TOKEN = '', CLIENT_FOLDER = '' } = process.env

// biome-ignore lint/suspicious/noExplicitAny: the client has no types
type Client = Record<'get' | 'post' | 'put' | 'delete', (path: string, body?: object) => Promise<any>>

const BigCommerce = createRequire(`${CLIENT_FOLDER}/`)('node-bigcommerce') as new (config: object) => Client
const config = { clientId: 'client', accessToken: ACCESS_TOKEN, storeHash: STORE_HASH, responseType: 'json' }
const v3 = new BigCommerce({ ...config, apiVersion: 'v3' })
const v2 = new BigCommerce({ ...config, apiVersion: 'v2' })

const person = {
  ...{ first_name: 'Ada', last_name: 'Example', street_1: '1 Road', city: 'Austin', state: 'Texas', zip: '78701' },
  ...{ country: 'United States', country_iso2: 'US', email: 'ada@example.com' },
}

await runScenario({
  catalogue: async () => {
    const brand = await v3.post('/catalog/brands', { name: 'Loom' })
    const variants = ['S', 'M'].map((label) => ({
      sku: `LS-${label}`,
      option_values: [{ option_display_name: 'Size', label }],
    }))
    const shirt = { name: 'Linen Shirt', type: 'physical', weight: 0.4, price: 49, brand_id: brand.data.id, variants }
    const { data: product } = await v3.post('/catalog/products', shirt)
    await v3.put(`/catalog/products/${product.id}`, { price: 45 })
    const listed = await v3.get('/catalog/products?include=variants,options&limit=250&page=1')
    await v3.delete(`/catalog/products/${product.id}`)
    return { listed, left: await v3.get('/catalog/products') }
  },
  orders: async () => {
    const products = [{ name: 'Linen Shirt', quantity: 2, price_inc_tax: 54, price_ex_tax: 49 }]
    const { id } = await v2.post('/orders', { customer_id: 0, billing_address: person, products })
    const changed = await v2.put(`/orders/${id}`, { status_id: 2, staff_notes: 'By phone' })
    return { changed, lines: await v2.get(`/orders/${id}/products`), count: await v2.get('/orders/count') }
  },
  refusals: async () => {
    const refusalOf = (work: Promise<unknown> | undefined) =>
      Promise.resolve(work).then(
        (gave) => ({ gave }),
        ({ code, message }: { code: number; message: string }) => ({ code, message }),
      )
    return {
      parameter: await refusalOf(v3.get('/customers?foo=bar')),
      field: await refusalOf(v2.post('/customer_groups', { name: 'Trade', zzz: 1 })),
    }
  },
})
