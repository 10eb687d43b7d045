import type { SandboxStore, Table } from '../store/store.ts'
import { deleteRows } from './rows.ts'

/** Fields by which product lists filter or sort, or which the catalogue summary adds up. */
const PRODUCT_INDEXES = [
  ...['name_key', 'sku_key', 'name', 'sku', 'upc', 'mpn', 'brand_id', 'type', 'availability', 'condition_key'],
  ...['is_visible', 'is_featured', 'is_free_shipping', 'price', 'sale_price', 'weight', 'total_sold'],
  ...['date_created', 'date_modified_ms', 'date_last_imported_ms', 'inventory_tracking'],
]

/**
 * The tables of products. Every child row has a `product_id`, so that a page reads each kind of child with one query.
 */
export const productTable = (store: SandboxStore): Table => store.table('products', PRODUCT_INDEXES)
export const optionTable = (store: SandboxStore): Table => store.table('options', ['product_id'])
export const optionValueTable = (store: SandboxStore): Table =>
  store.table('option_values', ['option_id', 'product_id'])
export const variantTable = (store: SandboxStore): Table =>
  store.table('variants', ['product_id', 'sku_key', 'upc', 'price', 'sale_price', 'inventory_level'])
export const modifierTable = (store: SandboxStore): Table => store.table('modifiers', ['product_id'])
export const modifierValueTable = (store: SandboxStore): Table =>
  store.table('modifier_values', ['modifier_id', 'product_id'])
export const imageTable = (store: SandboxStore): Table => store.table('images', ['product_id'])
export const customFieldTable = (store: SandboxStore): Table => store.table('custom_fields', ['product_id'])
export const videoTable = (store: SandboxStore): Table => store.table('product_videos', ['product_id'])
export const bulkPricingRuleTable = (store: SandboxStore): Table => store.table('bulk_pricing_rules', ['product_id'])
export const complexRuleTable = (store: SandboxStore): Table => store.table('complex_rules', ['product_id'])
export const customsInformationTable = (store: SandboxStore): Table =>
  store.table('customs_information', ['product_id'])
export const reviewTable = (store: SandboxStore): Table => store.table('reviews', ['product_id'])
export const priceRecordTable = (store: SandboxStore): Table =>
  store.table('price_records', ['price_list_id', 'variant_id', 'product_id', 'currency_key'])
/** Stock at one location. `variant_id` is null if stock is tracked for the whole product. */
export const stockTable = (store: SandboxStore): Table =>
  store.table('stock', ['product_id', 'variant_id', 'location_id'])
export const channelAssignmentTable = (store: SandboxStore): Table =>
  store.table('product_channel_assignments', ['product_id', 'channel_id'])
export const productCategoryTable = (store: SandboxStore): Table =>
  store.table('product_categories', ['product_id', 'category_id'])
const metafieldTable =
  (name: string) =>
  (store: SandboxStore): Table =>
    store.table(name, ['resource_id', 'namespace', 'key'])
export const productMetafieldTable = metafieldTable('product_metafields')
export const variantMetafieldTable = metafieldTable('variant_metafields')
export const categoryMetafieldTable = metafieldTable('category_metafields')
export const brandMetafieldTable = metafieldTable('brand_metafields')
export const channelMetafieldTable = metafieldTable('channel_metafields')
export const locationMetafieldTable = metafieldTable('location_metafields')
export const storeMetafieldTable = metafieldTable('store_metafields')

const CHILD_TABLES = [
  optionTable,
  optionValueTable,
  modifierTable,
  modifierValueTable,
  imageTable,
  customFieldTable,
  videoTable,
  bulkPricingRuleTable,
  complexRuleTable,
  customsInformationTable,
  reviewTable,
  stockTable,
  channelAssignmentTable,
  productCategoryTable,
]

/** Deletes all of the product's rows except its own. */
export function deleteChildren(store: SandboxStore, productId: number): void {
  for (const variant of variantTable(store).find({ product_id: productId })) deleteVariant(store, variant.id)
  for (const childTable of CHILD_TABLES) deleteRows(childTable(store), { product_id: productId })
  deleteRows(productMetafieldTable(store), { resource_id: productId })
}

/** Deletes a variant with its metafields, stock and prices. */
export function deleteVariant(store: SandboxStore, variantId: number): void {
  deleteRows(variantMetafieldTable(store), { resource_id: variantId })
  deleteRows(stockTable(store), { variant_id: variantId })
  deleteRows(priceRecordTable(store), { variant_id: variantId })
  variantTable(store).delete(variantId)
}
