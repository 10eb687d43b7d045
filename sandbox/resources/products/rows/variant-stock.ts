import type { Row, SandboxStore } from '../../../store/store.ts'
import { variantTable } from '../../../tables/product-tables.ts'

/** The highest stock level, of one variant and of all variants of a product together. */
export const MOST_STOCK = 2_147_483_647

/** If stock is tracked by variant, the level of a product is their sum, whatever its own row says. */
export function withStockOfVariants(store: SandboxStore, products: Row[]): Row[] {
  const ids = products.filter((product) => product.inventory_tracking === 'variant').map((product) => product.id)
  if (ids.length === 0) return products
  const sums = variantTable(store).sums('inventory_level', 'product_id', { product_id: ids })
  return products.map((product) =>
    product.inventory_tracking === 'variant' ? { ...product, inventory_level: sums.get(product.id) ?? 0 } : product,
  )
}

/** A body without the fields that cannot be saved, and the reasons why. The rest is saved, with a 207. */
export interface Savable {
  body: Record<string, unknown>
  unsaved: Record<string, string>
}

/**
 * Handles a variant's level that would exceed the maximum together with its siblings': it is reduced to the maximum if
 * no sibling has stock, and not saved otherwise. Source: `inventory_level` of the published variants, and their 207.
 */
export function savableVariantStock(
  store: SandboxStore,
  productId: number,
  body: Record<string, unknown>,
  ownId?: number,
): Savable {
  const { inventory_level, ...rest } = body
  if (typeof inventory_level !== 'number') return { body, unsaved: {} }
  if (inventory_level < 0) return { body: rest, unsaved: { inventory_level: 'inventory_level must not be negative' } }
  const others = variantTable(store)
    .find({ product_id: productId })
    .filter((variant) => variant.id !== ownId)
    .reduce((sum, variant) => sum + Number(variant.inventory_level ?? 0), 0)
  if (inventory_level + others <= MOST_STOCK) return { body, unsaved: {} }
  if (others === 0) return { body: { ...rest, inventory_level: MOST_STOCK }, unsaved: {} }
  return { body: rest, unsaved: { inventory_level: `all variants together can have at most ${MOST_STOCK}` } }
}
