import { DEFAULT_CHANNEL_ID } from '../resources/channels/channels.ts'
import type { SandboxStore } from '../store/store.ts'
import type { AwkwardShop } from './awkward/awkward-shop.ts'
import { plantAwkwardBanners, plantAwkwardScripts } from './awkward/banners-and-scripts.ts'
import { AWKWARD_SETTINGS, OWN_SETTINGS, plantCurrencies } from './awkward/channels-and-settings.ts'
import { plantAwkwardPages, plantAwkwardPosts, plantAwkwardRedirects } from './awkward/content.ts'
import { plantAwkwardCustomers } from './awkward/customers.ts'
import { plantOlderThanRules } from './awkward/older-than-rules.ts'
import { plantAwkwardOrders } from './awkward/orders.ts'
import { plantAwkwardFilters } from './awkward/search-filters.ts'
import { plantAwkwardSegments } from './awkward/segments.ts'
import { plantAwkwardShipping } from './awkward/shipping.ts'
import { plantAwkwardTax } from './awkward/tax.ts'
import { plantAwkwardContent } from './awkward/widgets.ts'
import { plantAwkwardWishlists } from './awkward/wishlists.ts'
import { seedBanners, seedScripts } from './shop/banners-and-scripts.ts'
import { seedBlog } from './shop/blog.ts'
import { seedContent } from './shop/content.ts'
import { seedCustomers } from './shop/customers.ts'
import { plantGroupsAndPrices } from './shop/groups-and-prices.ts'
import { seedOrders } from './shop/orders.ts'
import { seedPages } from './shop/pages.ts'
import { seedRedirects } from './shop/redirects.ts'
import { seedSearchFilters } from './shop/search-filters.ts'
import { seedSegments } from './shop/segments.ts'
import { seedSettingPictures } from './shop/setting-pictures.ts'
import { insertSettings, WHOLE_STORE } from './shop/setting-rows.ts'
import { seedShipping } from './shop/shipping.ts'
import { seedStock } from './shop/stock.ts'
import { seedChannelSettings, seedCurrencies, seedLocations } from './shop/store-base.ts'
import { seedTax } from './shop/tax.ts'
import { seedWishlists } from './shop/wishlists.ts'
import type { Size } from './sizes.ts'

/** What a seeded store has besides its catalogue, in the order in which it is added. */
export const SHOP_PARTS: readonly ((store: SandboxStore, size: Size) => void)[] = [
  (store, size) => plantGroupsAndPrices(store, size.prices),
  (store, size) => seedCurrencies(store, size.currencies),
  (store, size) => seedShipping(store, size.shippingZones),
  (store, size) => seedLocations(store, size.scale),
  (store, size) => seedTax(store, size.tax),
  seedChannelSettings,
  seedSettingPictures,
  (store, size) => seedCustomers(store, size.customers),
  seedWishlists,
  (store, size) => seedSegments(store, size.segments),
  (store, size) => seedPages(store, size.pages),
  (store, size) => seedBlog(store, size.posts),
  (store, size) => seedRedirects(store, size.redirects),
  (store, size) => seedContent(store, size.content),
  seedSearchFilters,
  (store, size) => seedBanners(store, size.banners),
  seedScripts,
  seedStock,
  (store, size) => seedOrders(store, size.orders),
]

/** What else is hard to copy besides the catalogue, in the order in which it is added. */
export const AWKWARD_PARTS: readonly ((shop: AwkwardShop) => void)[] = [
  ({ store }) => insertSettings(store, WHOLE_STORE, AWKWARD_SETTINGS),
  ({ store }) => insertSettings(store, DEFAULT_CHANNEL_ID, OWN_SETTINGS),
  ({ store }) => plantCurrencies(store),
  ({ store }) => plantAwkwardShipping(store),
  ({ store }) => plantAwkwardTax(store),
  plantAwkwardWishlists,
  plantAwkwardSegments,
  ({ store }) => plantAwkwardCustomers(store),
  plantAwkwardOrders,
  plantAwkwardPages,
  plantAwkwardPosts,
  plantAwkwardRedirects,
  plantAwkwardContent,
  plantAwkwardBanners,
  plantAwkwardScripts,
  plantAwkwardFilters,
  plantOlderThanRules,
]
