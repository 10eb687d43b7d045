import { SETTING_GROUPS } from '../resources/settings/setting-groups.ts'
import {
  brandMetafieldTable,
  categoryMetafieldTable,
  productMetafieldTable,
  variantMetafieldTable,
} from '../tables/product-tables.ts'
import {
  batchedSkus,
  categoryAssignments,
  channelAssignments,
  countedProducts,
  countedSkus,
  firstPictures,
  modifiers,
  options,
  products,
  skus,
  stock,
} from './product-kinds.ts'
import type { WatchedKind } from './row-changes.ts'
import {
  categories,
  categoryTrees,
  channelCurrencies,
  channels,
  checkoutUrls,
  currencies,
  locations,
  metafieldsOf,
  priceListAssignments,
  priceLists,
  priceRecords,
  settings,
  siteRoutes,
  sites,
  storeMetafields,
} from './store-kinds.ts'

type Calls = Record<string, readonly WatchedKind[]>

const PRODUCTS = '/v3/catalog/products'
const PRODUCT = `${PRODUCTS}/:productId`
const VARIANT = `${PRODUCT}/variants/:variantId`
const LISTS = '/v3/pricelists'
const LIST = `${LISTS}/:priceListId`
const LOCATIONS = '/v3/inventory/locations'

/** Gives several calls the same kinds; `POST|PUT` means either. */
function on(methods: string, path: string, ...kinds: WatchedKind[]): Calls {
  return Object.fromEntries(methods.split('|').map((method) => [`${method} ${path}`, kinds]))
}

function onMetafields(kind: WatchedKind, bulk: string, ofOwner: string): Calls {
  return {
    ...on('POST|PUT|DELETE', bulk, kind),
    ...on('POST', ofOwner, kind),
    ...on('PUT|DELETE', `${ofOwner}/:metafieldId`, kind),
  }
}

/**
 * The calls that may raise events, with the kinds of rows they change. Other calls raise none: there are no events for
 * brands, custom fields, videos, bulk pricing and complex rules.
 */
export const WATCHED_CALLS: Calls = {
  ...on('POST|PUT|DELETE', PRODUCTS, products, skus),
  ...on('PUT|DELETE', PRODUCT, products, skus),
  ...on('POST', `${PRODUCT}/variants`, skus),
  ...on('PUT|DELETE', VARIANT, skus),
  ...on('PUT', '/v3/catalog/variants', batchedSkus),
  ...on('POST', `${PRODUCT}/images`, firstPictures),
  ...on('PUT|DELETE', `${PRODUCT}/options/:optionId`, options, skus),
  ...on('POST', `${PRODUCT}/options/:optionId/values`, options),
  ...on('PUT|DELETE', `${PRODUCT}/options/:optionId/values/:valueId`, options, skus),
  ...on('PUT|DELETE', `${PRODUCT}/modifiers/:modifierId`, modifiers),
  ...on('POST', `${PRODUCT}/modifiers/:modifierId/values`, modifiers),
  ...on('PUT|DELETE', `${PRODUCT}/modifiers/:modifierId/values/:valueId`, modifiers),
  ...on('POST', `${PRODUCT}/reviews`, products),
  ...on('PUT|DELETE', `${PRODUCT}/reviews/:childId`, products),
  ...on('PUT|DELETE', `${PRODUCTS}/channel-assignments`, channelAssignments),
  ...on('PUT|DELETE', `${PRODUCTS}/category-assignments`, categoryAssignments),
  ...onMetafields(
    metafieldsOf('product', 'product', productMetafieldTable),
    `${PRODUCTS}/metafields`,
    `${PRODUCT}/metafields`,
  ),
  ...onMetafields(
    metafieldsOf('product/variant', 'variant', variantMetafieldTable),
    '/v3/catalog/variants/metafields',
    `${VARIANT}/metafields`,
  ),
  ...onMetafields(
    metafieldsOf('category', 'category', categoryMetafieldTable),
    '/v3/catalog/categories/metafields',
    '/v3/catalog/categories/:categoryId/metafields',
  ),
  ...onMetafields(
    metafieldsOf('brand', 'brand', brandMetafieldTable),
    '/v3/catalog/brands/metafields',
    '/v3/catalog/brands/:brandId/metafields',
  ),
  ...onMetafields(
    metafieldsOf('channel', 'channel', (store) => store.table('channel_metafields')),
    '/v3/channels/metafields',
    '/v3/channels/:channelId/metafields',
  ),
  ...onMetafields(
    metafieldsOf('inventory/location', 'location', (store) => store.table('location_metafields')),
    `${LOCATIONS}/metafields`,
    `${LOCATIONS}/:locationId/metafields`,
  ),
  ...on('POST|PUT|DELETE', '/v3/store/metafields', storeMetafields),
  ...on('PUT|DELETE', '/v3/store/metafields/:metafieldId', storeMetafields),
  ...on('POST|PUT|DELETE', '/v3/catalog/trees/categories', categories),
  ...on('POST|DELETE', '/v3/catalog/categories', categories),
  ...on('PUT|DELETE', '/v3/catalog/categories/:categoryId', categories),
  ...on('POST|DELETE', '/v3/catalog/categories/:categoryId/image', categories),
  ...on('PUT|DELETE', '/v3/catalog/trees', categoryTrees, categories),
  ...on('PUT', '/v3/inventory/adjustments/absolute', stock, countedProducts, countedSkus),
  ...on('POST', '/v3/inventory/adjustments/relative', stock, countedProducts, countedSkus),
  ...on('PUT', `${LOCATIONS}/:locationId/items`, stock),
  ...on('POST|PUT', LOCATIONS, locations),
  ...on('POST|DELETE', LISTS, priceLists),
  ...on('PUT|DELETE', LIST, priceLists),
  ...on('POST|PUT', `${LISTS}/records`, priceRecords),
  ...on('POST|PUT|DELETE', `${LIST}/records`, priceRecords),
  ...on('PUT|DELETE', `${LIST}/records/:variantId/:currency`, priceRecords),
  ...on('POST|DELETE', `${LISTS}/assignments`, priceListAssignments),
  ...on('PUT', `${LIST}/assignments`, priceListAssignments),
  ...on('POST', '/v3/channels', channels),
  ...on('PUT', '/v3/channels/:channelId', channels),
  ...on('POST|PUT', '/v3/channels/currency-assignments', channelCurrencies),
  ...on('POST|PUT|DELETE', '/v3/channels/:channelId/currency-assignments', channelCurrencies),
  ...on('POST', '/v3/sites', sites),
  ...on('PUT|DELETE', '/v3/sites/:siteId', sites),
  ...on('POST|PUT|DELETE', '/v3/channels/:channelId/site', sites),
  ...on('PUT|DELETE', '/v3/channels/:channelId/site/checkout-url', checkoutUrls),
  ...on('POST|PUT', '/v3/sites/:siteId/routes', siteRoutes),
  ...on('PUT|DELETE', '/v3/sites/:siteId/routes/:routeId', siteRoutes),
  ...on('POST', '/v2/currencies', currencies),
  ...on('PUT', '/v2/currencies/:currencyId', currencies),
  ...Object.fromEntries(SETTING_GROUPS.map(({ path }) => [`PUT /v3/settings/${path}`, [settings]])),
}
