import type { SandboxStore } from '../store/store.ts'
import { type AwkwardProduct, type AwkwardShop, addProducts } from './awkward/awkward-shop.ts'
import { plantAwkwardBrands } from './awkward/brands.ts'
import { plantAwkwardCategories, putInOddOrder } from './awkward/categories.ts'
import { plantClosedChannels } from './awkward/channels-and-settings.ts'
import { plantGroups } from './awkward/groups.ts'
import { plantAwkwardMarketing } from './awkward/marketing.ts'
import { OLD_PRODUCTS } from './awkward/older-than-rules.ts'
import { ORPHANS, plantLeftovers } from './awkward/orphans.ts'
import { PARENT_PRODUCTS } from './awkward/product-children.ts'
import { FIELD_PRODUCTS } from './awkward/product-fields.ts'
import { MODIFIER_PRODUCTS } from './awkward/product-modifiers.ts'
import { OPTION_PRODUCTS } from './awkward/product-options.ts'
import { TEXT_PRODUCTS } from './awkward/product-texts.ts'
import { plantPrices, plantStock, STOCKED_PRODUCTS } from './awkward/stock-and-prices.ts'
import { AWKWARD_PARTS } from './parts.ts'

/** Earlier items refer to these, so a copy can only complete those items later. */
const LAST: AwkwardProduct = { name: 'Last of the awkward', in: ['Sale'] }

const PRODUCTS: readonly AwkwardProduct[] = [
  ...TEXT_PRODUCTS,
  ...FIELD_PRODUCTS,
  ...OPTION_PRODUCTS,
  ...MODIFIER_PRODUCTS,
  ...PARENT_PRODUCTS,
  ...STOCKED_PRODUCTS,
  ...ORPHANS,
  ...OLD_PRODUCTS,
  LAST,
]

/**
 * Adds one of everything that is hard to copy: the limits of every length and count, texts in all scripts, duplicates,
 * deleted items, and items that refer to each other. Kept small, so that a run over it is short.
 */
export function plantAwkward(store: SandboxStore, treeId: number): void {
  const shop: AwkwardShop = { store, treeId, categories: new Map(), brands: new Map(), products: new Map() }
  plantAwkwardCategories(shop)
  plantAwkwardBrands(shop)
  addProducts(shop, PRODUCTS)
  putInOddOrder(shop)
  plantLeftovers(shop)
  plantStock(shop)
  plantPrices(shop)
  plantAwkwardMarketing(shop)
  plantGroups(shop)
  plantClosedChannels(shop)
  for (const plant of AWKWARD_PARTS) plant(shop)
}
