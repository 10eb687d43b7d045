import { address, email, type Method, mark, ref, type Step } from '../call.ts'
import { accepted, anyOf, last, status, titled } from '../verdict.ts'

type Row = Record<string, unknown>

interface Batch {
  key: string
  method?: Method
  path: string
  /** The largest number of rows according to the published files; absent if they name none. */
  documentedMost?: number
  /** The largest number seen at real stores. */
  seenMost?: number
  row: (name: string) => Row
  /** The values that make a valid row invalid. */
  bad: Row
}

/** Numbers on both sides of every known or suspected limit. */
const sizes = [10, 11, 50, 51, 100, 250, 251]

const metafield = (resource: string) => (name: string) => ({
  resource_id: ref(resource),
  namespace: mark('batch'),
  key: mark(name),
  value: 'Value',
  permission_set: 'app_only',
})

const ofMetafields: Batch[] = [
  ['products', '/v3/catalog/products/metafields', 'product'],
  ['variants', '/v3/catalog/variants/metafields', 'variant'],
  ['categories', '/v3/catalog/categories/metafields', 'category'],
  ['brands', '/v3/catalog/brands/metafields', 'brand'],
  ['customers', '/v3/customers/metafields', 'customer'],
  ['orders', '/v3/orders/metafields', 'order'],
  ['locations', '/v3/inventory/locations/metafields', 'location'],
].map(([owner = '', path = '', resource = '']) => ({
  key: `metafields of ${owner}`,
  path,
  seenMost: 10,
  row: metafield(resource),
  bad: { permission_set: 'none' },
}))

const batches: Batch[] = [
  {
    key: 'categories',
    path: '/v3/catalog/trees/categories',
    documentedMost: 50,
    seenMost: 10,
    row: (name) => ({
      name: mark(name),
      tree_id: ref('tree'),
      url: { path: address(name), is_customized: true },
    }),
    bad: { tree_id: 2_000_000_123 },
  },
  ...ofMetafields,
  {
    key: 'metafields of the store',
    path: '/v3/store/metafields',
    seenMost: 10,
    row: (name) => ({ namespace: mark('batch'), key: mark(name), value: 'Value', permission_set: 'app_only' }),
    bad: { permission_set: 'none' },
  },
  {
    key: 'customers',
    path: '/v3/customers',
    documentedMost: 10,
    row: (name) => ({ email: email(name), first_name: 'Robin', last_name: 'Sample' }),
    bad: { first_name: 5 },
  },
  {
    key: 'addresses',
    path: '/v3/customers/addresses',
    row: (name) => ({
      customer_id: ref('customer'),
      first_name: 'Robin',
      last_name: 'Sample',
      address1: mark(name),
      city: 'Austin',
      state_or_province: 'Texas',
      postal_code: '78759',
      country_code: 'US',
    }),
    bad: { country_code: 'XX' },
  },
  {
    key: 'attributes',
    path: '/v3/customers/attributes',
    row: (name) => ({ name: mark(name), type: 'string' }),
    bad: { type: 'none' },
  },
  {
    key: 'segments',
    path: '/v3/segments',
    documentedMost: 50,
    row: (name) => ({ name: mark(name) }),
    bad: { name: mark('segment-two'), description: 5 },
  },
  {
    key: 'tax classes',
    path: '/v3/tax/classes',
    documentedMost: 50,
    row: (name) => ({ name: mark(name) }),
    bad: { name: mark('class-two') },
  },
  {
    key: 'tax properties',
    path: '/v3/tax/properties',
    row: (name) => ({ code: mark(name), display_name: 'Property', description: '', type: 'PRODUCT' }),
    bad: { type: 'NONE' },
  },
  {
    key: 'locations',
    path: '/v3/inventory/locations',
    row: (name) => ({
      code: mark(name),
      label: mark(name),
      type_id: 'PHYSICAL',
      enabled: false,
      address: {
        address1: '2 Sample Street',
        city: 'Austin',
        state: 'Texas',
        zip: '78701',
        email: email(name),
        geo_coordinates: { latitude: 30.2, longitude: -97.7 },
        country_code: 'US',
      },
    }),
    bad: { type_id: 'NONE' },
  },
  {
    key: 'redirects',
    method: 'PUT',
    path: '/v3/storefront/redirects',
    row: (name) => ({ site_id: ref('site'), from_path: address(name), to: { type: 'url', url: '/' } }),
    bad: { site_id: 2_000_000_123 },
  },
  {
    key: 'price records',
    method: 'PUT',
    path: '/v3/pricelists/{price list}/records',
    row: () => ({ variant_id: ref('base variant'), currency: 'usd', price: 9 }),
    bad: { variant_id: 2_000_000_123 },
  },
  {
    key: 'channel assignments',
    method: 'PUT',
    path: '/v3/catalog/products/channel-assignments',
    row: () => ({ product_id: ref('product'), channel_id: 1 }),
    bad: { product_id: 2_000_000_123 },
  },
]

const nameOf = (key: string, size: number, at: number) => `${key.replaceAll(' ', '-')}-${size}-${at}`

function rowsOf({ key, row }: Batch, size: number): Row[] {
  return Array.from({ length: size }, (_none, at) => row(nameOf(key, size, at)))
}

function ofSize(batch: Batch, size: number): Step {
  const { key, method = 'POST', path, documentedMost, seenMost } = batch
  const fits = (most: number | undefined) => size <= (most ?? Number.POSITIVE_INFINITY)
  const refused = anyOf(last(status(413)), last(status(422), titled(/batch|max|limit|too many/i)), last(status(422)))
  return {
    key: `batch of ${size}: ${key}`,
    question: `Does ${path} accept ${size} rows?`,
    calls: [{ method, path, body: rowsOf(batch, size) }],
    documented: fits(documentedMost) ? last(accepted) : refused,
    ...(seenMost !== undefined && { seen: fits(seenMost) ? last(accepted) : refused }),
    quick: false,
  }
}

function oneBad(batch: Batch): Step {
  const { key, method = 'POST', path } = batch
  const [one = {}, other = {}, third = {}] = rowsOf(batch, 3)
  return {
    key: `batch with a bad row: ${key}`,
    question: `Does ${path} save the good rows beside a bad one?`,
    calls: [{ method, path, body: [one, { ...other, ...batch.bad }, third] }],
    documented: last(status(400, 409, 422)),
    seen: last(status(200, 201, 207)),
    quick: false,
  }
}

/** The other kinds have their own calls, which the quick probe tries with one row. */
const oneMetafield = ofMetafields
  .filter(({ key }) => key !== 'metafields of products')
  .map(
    ({ key, path, row }): Step => ({
      key: `${key}: one row`,
      question: `What does ${path} answer to one row?`,
      calls: [{ method: 'POST', path, body: [row('one-row')] }],
      documented: last(accepted),
      quick: true,
    }),
  )

export const batchSteps: Step[] = [
  ...oneMetafield,
  ...batches.flatMap((batch) => [...sizes.map((size) => ofSize(batch, size)), oneBad(batch)]),
]
