import type { Row, SandboxStore } from '../../../store/store.ts'
import { variantTable } from '../../../tables/product-tables.ts'

/** The most that the catalogue counts, of one variant and of all variants of a product together. */
export const MOST_STOCK = 2_147_483_647

/** Products that are counted by their variants show the sum; what their own row says is not looked at. */
export function withStockOfVariants(store: SandboxStore, products: Row[]): Row[] {
  const ids = products.filter((product) => product.inventory_tracking === 'variant').map((product) => product.id)
  if (ids.length === 0) return products
  const sums = variantTable(store).sums('inventory_level', 'product_id', { product_id: ids })
  return products.map((product) =>
    product.inventory_tracking === 'variant' ? { ...product, inventory_level: sums.get(product.id) ?? 0 } : product,
  )
}

/** A body without what cannot be saved of it, and the reasons; the rest of it is saved, which is a 207. */
export interface Savable {
  body: Record<string, unknown>
  unsaved: Record<string, string>
}

/**
 * The stock of one variant beside that of its siblings: too much of it is cut to the most where no sibling has any, and not
 * saved where one has. Source: `inventory_level` of the published variants, and their 207.
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
