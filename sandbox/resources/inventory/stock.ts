import type { Row, SandboxStore } from '../../store/store.ts'
import { productTable, stockTable, variantTable } from '../../tables/product-tables.ts'
import { DEFAULT_LOCATION_ID } from './location-rows.ts'

/** An inventory item: a product, or one of its variants. */
export interface InventoryItem {
  product: Row
  /** undefined if stock is tracked for the whole product. */
  variant: Row | undefined
  identity: { sku: unknown; variant_id: unknown; product_id: number; sku_id: unknown }
}

/** The stock of an item at a location. `quantity` is null if it was never set. */
export interface Stock {
  quantity: number | null
  settings: { safety_stock: number; is_in_stock: boolean; warning_level: unknown; bin_picking_number: unknown }
}

type Where = Parameters<ReturnType<typeof variantTable>['find']>[0]

/**
 * The items to which these variants belong. A product without inventory tracking has none (our choice: the
 * specification does not say).
 */
export function inventoryItems(store: SandboxStore, where: Where): InventoryItem[] {
  return countedVariants(store, where).map(({ product, variant }) =>
    product.inventory_tracking === 'variant' ? variantItem(product, variant) : productItem(product),
  )
}

/**
 * A page of all items. The list of variants is cached, because a list of many pages would otherwise read every variant
 * for each page.
 */
export function pageOfItems(
  store: SandboxStore,
  { offset, limit }: { offset: number; limit: number },
): { items: InventoryItem[]; total: number } {
  const ids = store.untilChanged('inventory items', () =>
    countedVariants(store, { product_id: trackedProducts(store) }).map(({ variant }) => variant.id),
  )
  return { items: inventoryItems(store, { id: ids.slice(offset, offset + limit) }), total: ids.length }
}

/** Their ids, without reading rows: a million products without inventory tracking take no time. */
function trackedProducts(store: SandboxStore): number[] {
  productTable(store)
  const { ids } = store.ask(
    `SELECT json_group_array(id) AS ids FROM t_products WHERE inventory_tracking IN ('product', 'variant')`,
  )
  return JSON.parse(String(ids))
}

/** One variant per item: the item's own, or the first one of a product with stock for the whole product. */
function countedVariants(store: SandboxStore, where: Where): { product: Row; variant: Row }[] {
  const variants = variantTable(store).find(where)
  const productIds = [...new Set(variants.map((variant) => Number(variant.product_id)))]
  const products = new Map(
    productTable(store)
      .find({ id: productIds })
      .map((product) => [product.id, product]),
  )
  const counted = new Set<number>()
  return variants.flatMap((variant) => {
    const product = products.get(Number(variant.product_id))
    if (!product || product.inventory_tracking === 'none' || counted.has(product.id)) return []
    if (product.inventory_tracking !== 'variant') counted.add(product.id)
    return [{ product, variant }]
  })
}

function variantItem(product: Row, variant: Row): InventoryItem {
  const { id, sku, sku_id } = variant
  return { product, variant, identity: { sku, variant_id: id, product_id: product.id, sku_id } }
}

function productItem(product: Row): InventoryItem {
  const { id, sku, base_variant_id } = product
  return { product, variant: undefined, identity: { sku, variant_id: base_variant_id, product_id: id, sku_id: null } }
}

function stockRow(store: SandboxStore, item: InventoryItem, locationId: number): Row | undefined {
  const { product, variant } = item
  // By one field only: with two, SQLite might read all rows without a variant, or all of a location. A product with many
  // variants has many more rows than one of them.
  const rows = stockTable(store).find(variant ? { variant_id: variant.id } : { product_id: product.id })
  return rows.find(({ variant_id, location_id }) => variant_id === (variant?.id ?? null) && location_id === locationId)
}

export type RowOf = (item: InventoryItem, locationId: number) => Row | undefined

/** Reads the rows of many items with two queries, for lists of them. */
export function stockRowsOf(store: SandboxStore, items: InventoryItem[]): RowOf {
  const variantIds = items.flatMap(({ variant }) => variant?.id ?? [])
  const productIds = items.flatMap(({ product, variant }) => (variant ? [] : product.id))
  const keyOf = (variantId: unknown, productId: unknown, locationId: unknown) =>
    variantId === null ? `product ${productId} ${locationId}` : `variant ${variantId} ${locationId}`
  const table = stockTable(store)
  const rows = [
    ...(variantIds.length > 0 ? table.find({ variant_id: variantIds }) : []),
    ...(productIds.length > 0 ? table.find({ product_id: productIds }) : []),
  ]
  const byKey = new Map(rows.map((row) => [keyOf(row.variant_id, row.product_id, row.location_id), row]))
  return ({ product, variant }, locationId) => byKey.get(keyOf(variant?.id ?? null, product.id, locationId))
}

/** The default location's stock is the number in the catalogue. */
export function stockOf(
  store: SandboxStore,
  item: InventoryItem,
  locationId: number,
  rowOf: RowOf = (...of) => stockRow(store, ...of),
): Stock {
  const kept: Record<string, unknown> = rowOf(item, locationId) ?? {}
  const catalog = item.variant ?? item.product
  const isDefault = locationId === DEFAULT_LOCATION_ID
  return {
    quantity: isDefault
      ? Number(catalog.inventory_level ?? 0)
      : kept.quantity === undefined
        ? null
        : Number(kept.quantity),
    settings: {
      safety_stock: Number(kept.safety_stock ?? 0),
      is_in_stock: kept.is_in_stock !== false,
      warning_level: (isDefault ? catalog.inventory_warning_level : kept.warning_level) ?? 0,
      bin_picking_number: (isDefault ? catalog.bin_picking_number : kept.bin_picking_number) ?? '',
    },
  }
}

export function setQuantity(store: SandboxStore, item: InventoryItem, locationId: number, quantity: number): void {
  if (locationId === DEFAULT_LOCATION_ID) writeCatalog(store, item, { inventory_level: quantity })
  else writeStock(store, item, locationId, { quantity })
}

/**
 * Changes fields of `Stock.settings`. For the default location, fields that the catalogue also has are written there.
 */
export function setSettings(
  store: SandboxStore,
  item: InventoryItem,
  locationId: number,
  settings: Record<string, unknown>,
): void {
  writeStock(store, item, locationId, settings)
  if (locationId !== DEFAULT_LOCATION_ID) return
  const { warning_level, bin_picking_number } = settings
  writeCatalog(store, item, {
    ...(warning_level === undefined ? {} : { inventory_warning_level: warning_level }),
    ...(bin_picking_number === undefined ? {} : { bin_picking_number }),
  })
}

function writeStock(store: SandboxStore, item: InventoryItem, locationId: number, fields: Record<string, unknown>) {
  const own = stockRow(store, item, locationId)
  if (own) return stockTable(store).update(own.id, fields)
  const variant_id = item.variant?.id ?? null
  return stockTable(store).insert({ product_id: item.product.id, variant_id, location_id: locationId, ...fields })
}

/** A product with stock for the whole product also has it on the base variant. */
function writeCatalog(store: SandboxStore, { product, variant }: InventoryItem, fields: Record<string, unknown>): void {
  if (variant) variantTable(store).update(variant.id, fields)
  else productTable(store).update(product.id, fields)
  const base = variant ? undefined : variantTable(store).get(Number(product.base_variant_id ?? 0))
  if (base) variantTable(store).update(base.id, fields)
}
