import type { Side, StoreState, WorldSandbox } from '../harness/world-sandbox.ts'

type Stores = Pick<WorldSandbox, 'address' | 'state'>

/** What a catalogue can hold and the seeds have none of, planted through the platform's own calls. */
export async function addCatalogueParts(stores: Stores, side: Side): Promise<void> {
  const state = await stores.state(side)
  const call = (method: string, path: string, body: object) => ask(stores, side, method, path, body)
  const below = (sku: string, what: string) => `/v3/catalog/products/${idOf(state, sku)}/${what}`
  for (const [sku, video] of videos) await call('POST', below(sku, 'videos'), video)
  for (const [sku, rule] of bulkPricingRules) await call('POST', below(sku, 'bulk-pricing-rules'), rule)
  for (const [path, owner] of metafieldOwners(state)) await call('POST', path, metafieldsOf(owner))
  for (const [sku, others] of related)
    await call('PUT', `/v3/catalog/products/${idOf(state, sku)}`, {
      related_products: others.map((other) => idOf(state, other)),
    })
  for (const [sku, review] of reviews) await call('POST', below(sku, 'reviews'), review)
}

export function idOf(state: StoreState, sku: string): number {
  const product = state.products?.find((row) => row.sku === sku)
  if (!product) throw new Error(`The seed has no product ${sku}.`)
  return product.id
}

const videos: [sku: string, body: object][] = [
  ['SKU-00001', { video_id: 'aaaaaaaaaaa', title: 'How it is made', description: 'In our workshop' }],
  ['SKU-00001', { video_id: 'bbbbbbbbbbb', title: 'On the road', sort_order: 4 }],
  ['SKU-00004', { video_id: 'aaaaaaaaaaa', title: 'How it is made' }],
]

const bulkPricingRules: [sku: string, body: object][] = [
  ['SKU-00001', { quantity_min: 5, quantity_max: 9, type: 'percent', amount: 7.5 }],
  ['SKU-00001', { quantity_min: 10, quantity_max: 0, type: 'fixed', amount: 3.99 }],
  ['SKU-00005', { quantity_min: 3, quantity_max: 0, type: 'price', amount: 1 }],
]

/** A brand, a category and a variant that have some; the first of each has none. */
function metafieldOwners(state: StoreState): [path: string, ownerId: number][] {
  const variant = state.variants?.find((row) => row.product_id === idOf(state, 'SKU-00007'))
  return [
    ['/v3/catalog/brands/metafields', idAt(state, 'brands', 2)],
    ['/v3/catalog/categories/metafields', idAt(state, 'categories', 1)],
    ['/v3/catalog/variants/metafields', Number(variant?.id)],
  ]
}

function metafieldsOf(resource_id: number): object[] {
  const field = { resource_id, namespace: 'care', permission_set: 'read', description: '' }
  return [
    { ...field, key: 'washing', value: '30 degrees' },
    { ...field, key: 'colour', value: 'keeps', description: 'Seen in the workshop', permission_set: 'write' },
  ]
}

function idAt(state: StoreState, table: string, at: number): number {
  const row = state[table]?.[at]
  if (!row) throw new Error(`The seed has no row ${at} of ${table}.`)
  return row.id
}

/** In a circle, and on both pages that the source is read in. */
const related: [sku: string, others: string[]][] = [
  ['SKU-00002', ['SKU-00011', 'SKU-00003']],
  ['SKU-00011', ['SKU-00002']],
]

/** In every state, not only those that shoppers see. */
const reviews: [sku: string, body: object][] = [
  ['SKU-00002', { ...review('Solid'), status: 'approved', rating: 5, email: 'reader@shop.example' }],
  ['SKU-00002', { ...review('Solid'), status: 'pending', name: 'B. Second' }],
  ['SKU-00004', { ...review('Too small'), status: 'disapproved', rating: 1 }],
]

function review(title: string) {
  return { title, text: `${title}, I would say.`, name: 'A. Reader', date_reviewed: '2025-03-04T05:06:07+00:00' }
}

async function ask(stores: Stores, side: Side, method: string, path: string, body: object): Promise<void> {
  const { url, token } = stores.address(side)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`The sandbox refused ${method} ${path}: ${response.status} ${await response.text()}`)
}
