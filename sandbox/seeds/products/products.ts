import { insertBaseVariant } from '../../resources/products/rows/variant-rows.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { freeUrl, slug, urlIsFree } from '../../store/urls.ts'
import { channelAssignmentTable, productCategoryTable, productTable } from '../../tables/product-tables.ts'
import { seedOptionsAndVariants } from './product-choices.ts'
import {
  createdDate,
  description,
  modifiedDate,
  seedCustomFields,
  seedImages,
  seedMetafields,
} from './product-details.ts'
import { seedModifiers } from './product-modifiers.ts'
import { productName } from './product-names.ts'
import { insertProductRow } from './product-row.ts'

/** The default channel that every store has. */
const CHANNEL_ID = 1

interface Surroundings {
  store: SandboxStore
  random: () => number
  /** The number of products in the seed. */
  count: number
  categoryIds: number[]
  brandIds: number[]
  /** The number of products with options in the seed. */
  withOptions: number
}

/**
 * Writes products straight into the tables, which is much faster than creating them over HTTP. Seeds of a thousand
 * products or more have three times as many variants. Only one product at a time is in memory. The same seed gives
 * every store the same catalogue, with different ids.
 *
 * Categories and brands must already exist.
 */
export function seedProducts(store: SandboxStore, count: number, random: () => number): void {
  const surroundings: Surroundings = {
    store,
    random,
    count,
    categoryIds: store
      .table('categories')
      .find({})
      .map((row) => row.id),
    brandIds: store
      .table('brands')
      .find({})
      .map((row) => row.id),
    withOptions: Math.ceil(count / 3),
  }
  store.transaction(() => {
    let neighbour: Row | undefined
    for (let n = 0; n < count; n++) neighbour = seedProduct(surroundings, n, neighbour)
  })
}

function seedProduct(around: Surroundings, n: number, neighbour: Row | undefined): Row {
  const { store } = around
  const product = insertProduct(around, n, neighbour)
  seedCategories(around, product)
  channelAssignmentTable(store).insert({ product_id: product.id, channel_id: CHANNEL_ID })
  if (n % 10 !== 9) seedImages(store, product, n)
  if (n % 2 === 0) seedCustomFields(store, product, n)
  if (n % 5 === 1) seedMetafields(store, product, Math.floor(n / 5))
  if ([1, 8, 15].includes(n % 20)) seedModifiers(store, product, Math.floor(n / 7))
  if (n % 3 !== 0)
    return productTable(store).update(product.id, { base_variant_id: insertBaseVariant(store, product).id })
  const turn = n / 3
  seedOptionsAndVariants(store, product, turn, turn >= around.withOptions - (around.withOptions % 6))
  return product
}

function insertProduct(around: Surroundings, n: number, neighbour: Row | undefined): Row {
  const { store } = around
  const name = productName(n)
  return insertProductRow(store, {
    fields: fieldsOf(around, n, name, neighbour),
    custom_url: urlFor(store, name, n),
    total_sold: n % 17,
    date_created: createdDate(n, around.count),
    date_modified: modifiedDate(n, around.count),
  })
}

/** Most addresses come from the name; the merchant chose every fourth. */
function urlFor(store: SandboxStore, name: string, n: number): { url: string; is_customized: boolean } {
  const chosen = `/shop/${slug(name)}.html`
  if (n % 4 === 2 && urlIsFree(store, chosen)) return { url: chosen, is_customized: true }
  return { url: freeUrl(store, '/', name), is_customized: false }
}

function fieldsOf(around: Surroundings, n: number, name: string, neighbour: Row | undefined): Record<string, unknown> {
  const price = Math.round((4 + around.random() * 240) * 100) / 100
  return {
    name,
    type: n % 25 === 24 ? 'digital' : 'physical',
    // Some merchants give simple products no SKU, so a copy can only match them by name.
    sku: n % 33 === 16 ? '' : `SKU-${String(n + 1).padStart(5, '0')}`,
    description: description(name, (neighbour?.custom_url as { url?: string } | undefined)?.url, n),
    price,
    weight: Math.round(around.random() * 4_000) / 1_000,
    brand_id: n % 10 === 3 ? 0 : (pick(around.random, around.brandIds) ?? 0),
    ...moneyOf(n, price),
    ...shelfOf(n),
    ...shopWindowOf(n, name),
    ...(n % 12 === 7 && neighbour ? { related_products: [neighbour.id] } : {}),
  }
}

function moneyOf(n: number, price: number): Record<string, unknown> {
  return {
    ...(n % 4 === 0 ? { sale_price: Math.round(price * 80) / 100 } : {}),
    ...(n % 3 === 1 ? { cost_price: Math.round(price * 4_321) / 10_000 } : {}),
    ...(n % 6 === 2 ? { retail_price: Math.round(price * 125) / 100 } : {}),
    ...(n % 40 === 11 ? { is_free_shipping: true } : {}),
    ...(n % 40 === 31 ? { fixed_cost_shipping_price: 4.95 } : {}),
  }
}

/** The fields for stock, size and codes. */
function shelfOf(n: number): Record<string, unknown> {
  return {
    ...(n % 2 === 1 ? { width: 10 + (n % 30), height: 5.5, depth: 3.25 + (n % 7) } : {}),
    ...(n % 3 === 2 ? { upc: String(100_000_000_000 + n), gtin: String(4_000_000_000_000 + n) } : {}),
    ...(n % 5 === 2 ? { mpn: `MPN-${n}/${n % 7}` } : {}),
    inventory_tracking: n % 3 === 0 ? 'variant' : n % 3 === 1 ? 'product' : 'none',
    inventory_level: n % 3 === 1 ? (n * 13) % 90 : 0,
    inventory_warning_level: n % 3 === 1 ? 5 : 0,
    bin_picking_number: n % 8 === 0 ? `A${n % 9}-${n % 31}` : '',
    condition: n % 30 === 13 ? 'Refurbished' : n % 30 === 27 ? 'Used' : 'New',
    is_condition_shown: n % 30 === 13 || n % 30 === 27,
  }
}

/** The fields that shoppers and search engines see. */
function shopWindowOf(n: number, name: string): Record<string, unknown> {
  return {
    is_visible: n % 14 !== 6,
    is_featured: n % 50 === 0,
    sort_order: n % 11 === 0 ? n % 7 : 0,
    ...(n % 3 === 0
      ? { page_title: `${name} | Everyday Goods`, meta_description: `All about ${name}: “quality”.` }
      : {}),
    ...(n % 5 === 0 ? { meta_keywords: [slug(name), 'gift', 'été'], search_keywords: `${slug(name)},present` } : {}),
    ...(n % 35 === 8 ? { availability: 'disabled', is_price_hidden: true, price_hidden_label: 'Ask us' } : {}),
    ...(n % 35 === 22 ? { availability: 'preorder', ...PREORDER } : {}),
    ...(n % 9 === 4 ? { availability_description: 'Ships in 2–3 days', order_quantity_minimum: 1 + (n % 3) } : {}),
    ...(n % 13 === 5 ? { warranty: '<p>Two years on everything &amp; anything.</p>' } : {}),
    ...(n % 15 === 10 ? { open_graph_title: `Look: ${name}`, open_graph_use_product_name: false } : {}),
  }
}

const PREORDER = {
  preorder_release_date: '2027-03-01T00:00:00+00:00',
  preorder_message: 'Expected on %%DATE%%',
  is_preorder_only: true,
}

function seedCategories({ store, random, categoryIds }: Surroundings, product: Row): void {
  const requested = 1 + Math.floor(random() * 3)
  const chosen = new Set<number>()
  for (let at = 0; at < requested; at++) {
    const id = pick(random, categoryIds)
    if (id !== undefined) chosen.add(id)
  }
  for (const category_id of chosen) productCategoryTable(store).insert({ product_id: product.id, category_id })
}

function pick<T>(random: () => number, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)]
}
