import type { StoreName, StoreState, WorldSandbox } from '../harness/world-sandbox.ts'

type Stores = Pick<WorldSandbox, 'address' | 'state'>

/** Parts of a catalogue that no seed has, created through the platform's own calls. */
export async function addCatalogueParts(stores: Stores, side: StoreName): Promise<void> {
  const state = await stores.state(side)
  const call = <Data = { id: number }>(method: string, path: string, body: object) =>
    ask<Data>(stores, side, method, path, body)
  const below = (sku: string, what: string) => `/v3/catalog/products/${idOf(state, sku)}/${what}`
  for (const [sku, video] of videos) await call('POST', below(sku, 'videos'), video)
  for (const [sku, rule] of bulkPricingRules) await call('POST', below(sku, 'bulk-pricing-rules'), rule)
  const modifiers: Modifier[] = []
  for (const modifier of choices)
    modifiers.push(await call<Modifier>('POST', below('SKU-00007', 'modifiers'), modifier))
  for (const rule of rulesOver(modifiers, state)) await call('POST', below('SKU-00007', 'complex-rules'), rule)
  for (const [category, order] of orders(state))
    await call('PUT', `/v3/catalog/categories/${category}/products/sort-order`, order)
  const customs = customsInformation.map(([sku, body]) => ({ ...body, product_id: idOf(state, sku) }))
  await call('PUT', '/v3/shipping/products/customs-information', customs)
  for (const [path, owner] of metafieldOwners(state)) await call('POST', path, metafieldsOf(owner))
  for (const [sku, others] of related)
    await call('PUT', `/v3/catalog/products/${idOf(state, sku)}`, {
      related_products: others.map((other) => idOf(state, other)),
    })
  for (const [sku, review] of reviews) await call('POST', below(sku, 'reviews'), review)
  await keepBack(state, call)
}

/** Stock at a location has a safety stock, a warning level and a shelf. */
async function keepBack(
  { stock = [], variants = [] }: StoreState,
  call: (method: string, path: string, body: object) => Promise<unknown>,
): Promise<void> {
  const [level] = stock
  // The seed of a catalogue alone has one location.
  if (!level) return
  const sku = variants.find(({ id }) => id === level.variant_id)?.sku
  const settings = {
    identity: { sku },
    safety_stock: 1,
    is_in_stock: true,
    warning_level: 2,
    bin_picking_number: 'B-7',
  }
  await call('PUT', `/v3/inventory/locations/${level.location_id}/items`, { settings: [settings] })
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

interface Modifier {
  id: number
  option_values: { id: number }[]
}

/** Two choices that rules can name. */
const choices = ['Wrapping', 'Ribbon'].map((display_name) => ({
  type: 'dropdown',
  required: false,
  display_name,
  option_values: ['None', 'Fine'].map((label, sort_order) => ({ label, sort_order })),
}))

/** One over two modifiers, one over a modifier and a variant. */
function rulesOver([wrapping, ribbon]: Modifier[], state: StoreState): object[] {
  const fine = (modifier?: Modifier) => ({
    modifier_id: modifier?.id,
    modifier_value_id: modifier?.option_values[1]?.id,
    variant_id: null,
  })
  const variant = state.variants?.find((row) => row.product_id === idOf(state, 'SKU-00007'))
  const adjusters = {
    price_adjuster: { adjuster: 'relative', adjuster_value: -1.5 },
    weight_adjuster: { adjuster: 'percentage', adjuster_value: 2 },
  }
  return [
    { sort_order: 1, ...adjusters, conditions: [fine(wrapping), fine(ribbon)] },
    {
      enabled: false,
      stop: true,
      purchasing_disabled: true,
      purchasing_disabled_message: 'Not together',
      purchasing_hidden: true,
      conditions: [fine(wrapping), { modifier_id: null, modifier_value_id: null, variant_id: variant?.id }],
    },
  ]
}

/** Reorders the category with the most products to differ from the order of their ids. */
function orders(state: StoreState): [categoryId: number, order: object[]][] {
  const links = [...Map.groupBy(state.product_categories ?? [], (link) => link.category_id).entries()]
  const [category, own = []] = links.sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  return [[Number(category), own.slice(0, 2).map(({ product_id }, at) => ({ product_id, sort_order: 5 - at }))]]
}

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

const customsInformation: [sku: string, body: object][] = [
  ['SKU-00003', customs('PT', { ALL: '640399' }, true)],
  ['SKU-00005', customs('PE', { CA: '940542', AU: '940549' }, false)],
]

function customs(country_of_origin: string, hs_codes: object, international_shipping: boolean) {
  return { country_of_origin, commodity_description: 'Household goods', international_shipping, hs_codes }
}

/** In every state, not only those that shoppers see. */
const reviews: [sku: string, body: object][] = [
  ['SKU-00002', { ...review('Solid'), status: 'approved', rating: 5, email: 'reader@shop.example' }],
  ['SKU-00002', { ...review('Solid'), status: 'pending', name: 'B. Second' }],
  ['SKU-00004', { ...review('Too small'), status: 'disapproved', rating: 1 }],
]

function review(title: string) {
  return { title, text: `${title}, I would say.`, name: 'A. Reader', date_reviewed: '2025-03-04T05:06:07+00:00' }
}

async function ask<Data>(stores: Stores, side: StoreName, method: string, path: string, body: object): Promise<Data> {
  const { url, token } = stores.address(side)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`The sandbox refused ${method} ${path}: ${response.status} ${await response.text()}`)
  // The caller names the shape, as the platform documents it.
  return ((await response.json()) as { data: Data }).data
}
