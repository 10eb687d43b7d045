import { DEFAULT_CHANNEL_ID } from '../../resources/channels.ts'
import type { SandboxStore } from '../../store.ts'
import { insertSettings, WHOLE_STORE } from '../setting-rows.ts'
import { type AwkwardProduct, type AwkwardShop, addProducts } from './awkward-shop.ts'
import { plantAwkwardBanners, plantAwkwardScripts } from './banners-and-scripts.ts'
import { plantAwkwardBrands } from './brands.ts'
import { plantAwkwardCategories, putInOddOrder } from './categories.ts'
import { AWKWARD_SETTINGS, OWN_SETTINGS, plantClosedChannels, plantCurrencies } from './channels-and-settings.ts'
import { plantAwkwardPages, plantAwkwardPosts, plantAwkwardRedirects } from './content.ts'
import { plantAwkwardCustomers } from './customers.ts'
import { plantGroups } from './groups.ts'
import { plantAwkwardMarketing } from './marketing.ts'
import { plantAwkwardOrders } from './orders.ts'
import { ORPHANS, plantLeftovers } from './orphans.ts'
import { PARENT_PRODUCTS } from './product-children.ts'
import { FIELD_PRODUCTS } from './product-fields.ts'
import { MODIFIER_PRODUCTS } from './product-modifiers.ts'
import { OPTION_PRODUCTS } from './product-options.ts'
import { TEXT_PRODUCTS } from './product-texts.ts'
import { plantAwkwardFilters } from './search-filters.ts'
import { plantAwkwardSegments } from './segments.ts'
import { plantAwkwardShipping } from './shipping.ts'
import { plantPrices, plantStock, STOCKED_PRODUCTS } from './stock-and-prices.ts'
import { plantAwkwardTax } from './tax.ts'
import { plantAwkwardContent } from './widgets.ts'
import { plantAwkwardWishlists } from './wishlists.ts'

/** Named by earlier ones, so that a copy has to come back to those. */
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
 * One of everything that copies get wrong: the limits of every length and number of things, texts of all scripts, equal
 * things, things that are gone, and things that name each other. Small, so that a run over it is over soon.
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
