import { refuse } from '../../http/answers.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { productTable, variantTable } from '../../tables/product-tables.ts'
import { type InventoryItem, inventoryItems } from './stock.ts'

/** The item that a body identifies by `variant_id`, `sku` or `product_id`, in this order. */
export function itemNamed(store: SandboxStore, identity: Record<string, unknown>): InventoryItem {
  const { variant_id, sku, product_id } = identity
  if (variant_id !== undefined) return itemOfVariant(store, variantTable(store).get(Number(variant_id)), identity)
  if (sku !== undefined) return itemOfSku(store, String(sku), identity)
  const product = product_id === undefined ? undefined : productTable(store).get(Number(product_id))
  return itemOfProduct(store, product, identity)
}

function itemOfVariant(store: SandboxStore, variant: Row | undefined, identity: Record<string, unknown>) {
  const item = variant && inventoryItems(store, { id: variant.id })[0]
  if (!item) return refuseUnknown(identity)
  return item.variant ? item : refuseTracking(identity, 'product')
}

/** A product with stock for the whole product is found by its own SKU. */
function itemOfSku(store: SandboxStore, sku: string, identity: Record<string, unknown>): InventoryItem {
  const product = productTable(store).find({ sku_key: sku })[0]
  if (product?.inventory_tracking === 'product') return itemOfProduct(store, product, identity)
  return itemOfVariant(store, sku === '' ? undefined : variantTable(store).find({ sku_key: sku })[0], identity)
}

function itemOfProduct(store: SandboxStore, product: Row | undefined, identity: Record<string, unknown>) {
  const item = product && inventoryItems(store, { product_id: product.id })[0]
  if (!item) return refuseUnknown(identity)
  return item.variant ? refuseTracking(identity, 'variant') : item
}

export function nameOf({ variant_id, sku, product_id }: Record<string, unknown>): string {
  if (variant_id !== undefined) return `variant_id ${String(variant_id)}`
  return sku === undefined ? `product_id ${String(product_id)}` : `sku ${String(sku)}`
}

/** Source: the 422 of the published adjustments. */
function refuseTracking(identity: Record<string, unknown>, by: 'product' | 'variant'): never {
  return refuse(422, `[Item with ${nameOf(identity)} is tracked by ${by}, please update stock by ${by} id]`)
}

function refuseUnknown(identity: Record<string, unknown>): never {
  return refuse(422, `There is no tracked item with ${nameOf(identity)}`)
}
