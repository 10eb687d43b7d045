import { DEFAULT_CHANNEL_ID } from '../resources/channels/channels.ts'
import type { SandboxStore } from '../store/store.ts'
import { type AwkwardProduct, type AwkwardShop, addProducts } from './awkward/awkward-shop.ts'
import { plantAwkwardBanners, plantAwkwardScripts } from './awkward/banners-and-scripts.ts'
import { plantAwkwardBrands } from './awkward/brands.ts'
import { plantAwkwardCategories, putInOddOrder } from './awkward/categories.ts'
import {
  AWKWARD_SETTINGS,
  OWN_SETTINGS,
  plantClosedChannels,
  plantCurrencies,
} from './awkward/channels-and-settings.ts'
import { plantAwkwardPages, plantAwkwardPosts, plantAwkwardRedirects } from './awkward/content.ts'
import { plantAwkwardCustomers } from './awkward/customers.ts'
import { plantGroups } from './awkward/groups.ts'
import { plantAwkwardMarketing } from './awkward/marketing.ts'
import { plantAwkwardOrders } from './awkward/orders.ts'
import { ORPHANS, plantLeftovers } from './awkward/orphans.ts'
import { PARENT_PRODUCTS } from './awkward/product-children.ts'
import { FIELD_PRODUCTS } from './awkward/product-fields.ts'
import { MODIFIER_PRODUCTS } from './awkward/product-modifiers.ts'
import { OPTION_PRODUCTS } from './awkward/product-options.ts'
import { TEXT_PRODUCTS } from './awkward/product-texts.ts'
import { plantAwkwardFilters } from './awkward/search-filters.ts'
import { plantAwkwardSegments } from './awkward/segments.ts'
import { plantAwkwardShipping } from './awkward/shipping.ts'
import { plantPrices, plantStock, STOCKED_PRODUCTS } from './awkward/stock-and-prices.ts'
import { plantAwkwardTax } from './awkward/tax.ts'
import { plantAwkwardContent } from './awkward/widgets.ts'
import { plantAwkwardWishlists } from './awkward/wishlists.ts'
import { insertSettings, WHOLE_STORE } from './shop/setting-rows.ts'

/** Items that earlier ones refer to, so that a copy has to complete those later. */
const LAST: AwkwardProduct = { name: 'Last of the awkward', in: ['Sale'] }

const PRODUCTS: readonly AwkwardProduct[] = [
  ...TEXT_PRODUCTS,
  ...FIELD_PRODUCTS,
  ...OPTION_PRODUCTS,
  ...MODIFIER_PRODUCTS,
  ...PARENT_PRODUCTS,
  ...STOCKED_PRODUCTS,
  ...ORPHANS,
  LAST,
]

/**
 * One of everything that is hard to copy: the limits of every length and count, texts in all scripts, duplicates,
 * deleted items, and items that refer to each other. Small, so that a run over it is short.
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
  insertSettings(store, WHOLE_STORE, AWKWARD_SETTINGS)
  insertSettings(store, DEFAULT_CHANNEL_ID, OWN_SETTINGS)
  plantCurrencies(store)
  plantAwkwardShipping(store)
  plantAwkwardTax(store)
  plantAwkwardWishlists(shop)
  plantAwkwardSegments(shop)
  plantAwkwardCustomers(store)
  plantAwkwardOrders(shop)
  plantAwkwardPages(shop)
  plantAwkwardPosts(shop)
  plantAwkwardRedirects(shop)
  plantAwkwardContent(shop)
  plantAwkwardBanners(shop)
  plantAwkwardScripts(shop)
  plantAwkwardFilters(shop)
}
