import type { SandboxResource } from './resource.ts'
import { activeThemes } from './resources/active-themes.ts'
import { analytics } from './resources/analytics.ts'
import { banners } from './resources/banners.ts'
import { blog } from './resources/blog.ts'
import { brandImages } from './resources/brand-images.ts'
import { brandMetafields } from './resources/brand-metafields.ts'
import { brands } from './resources/brands.ts'
import { bulkPricingRules } from './resources/bulk-pricing-rules.ts'
import { carrierConnections } from './resources/carrier-connections.ts'
import { catalogSummary } from './resources/catalog-summary.ts'
import { categories } from './resources/categories.ts'
import { categoryAssignments } from './resources/category-assignments.ts'
import { categoryImages } from './resources/category-images.ts'
import { categoryMetafields } from './resources/category-metafields.ts'
import { categorySortOrder } from './resources/category-sort-order.ts'
import { categoryTrees } from './resources/category-trees.ts'
import { channelAssignments } from './resources/channel-assignments.ts'
import { channelCurrencyAssignments } from './resources/channel-currency-assignments.ts'
import { channelListings } from './resources/channel-listings.ts'
import { channelMenus } from './resources/channel-menus.ts'
import { channelMetafields } from './resources/channel-metafields.ts'
import { channels } from './resources/channels.ts'
import { complexRules } from './resources/complex-rules.ts'
import { contentRegions } from './resources/content-regions.ts'
import { countries } from './resources/countries.ts'
import { coupons } from './resources/coupons.ts'
import { currencies } from './resources/currencies.ts'
import { customFields } from './resources/custom-fields.ts'
import { customTemplateAssociations } from './resources/custom-template-associations.ts'
import { customerAddresses } from './resources/customer-addresses.ts'
import { customerAttributeValues } from './resources/customer-attribute-values.ts'
import { customerAttributes } from './resources/customer-attributes.ts'
import { customerConsents } from './resources/customer-consents.ts'
import { customerFormFieldValues } from './resources/customer-form-field-values.ts'
import { customerGroups } from './resources/customer-groups.ts'
import { customerMetafields } from './resources/customer-metafields.ts'
import { customerSettings } from './resources/customer-settings.ts'
import { customers } from './resources/customers.ts'
import { customsInformation } from './resources/customs-information.ts'
import { emailTemplates } from './resources/email-templates.ts'
import { giftCertificates } from './resources/gift-certificates.ts'
import { hooks } from './resources/hooks.ts'
import { inventoryAdjustments } from './resources/inventory-adjustments.ts'
import { inventoryItemLists } from './resources/inventory-items.ts'
import { legacyCategories } from './resources/legacy-categories.ts'
import { locationMetafields } from './resources/location-metafields.ts'
import { locations } from './resources/locations.ts'
import { modifiers } from './resources/modifiers.ts'
import { options } from './resources/options.ts'
import { orderMetafields } from './resources/order-metafields.ts'
import { orderSettings } from './resources/order-settings.ts'
import { orderShipments } from './resources/order-shipments.ts'
import { orders } from './resources/orders.ts'
import { pageWidgets } from './resources/page-widgets.ts'
import { pages } from './resources/pages.ts'
import { pickupMethods } from './resources/pickup-methods.ts'
import { placements } from './resources/placements.ts'
import { priceListAssignments } from './resources/price-list-assignments.ts'
import { priceLists } from './resources/price-lists.ts'
import { priceRecords } from './resources/price-records.ts'
import { productImages } from './resources/product-images.ts'
import { productMetafields } from './resources/product-metafields.ts'
import { productVideos } from './resources/product-videos.ts'
import { products } from './resources/products.ts'
import { promotionCodes } from './resources/promotion-codes.ts'
import { promotionSettings } from './resources/promotion-settings.ts'
import { promotions } from './resources/promotions.ts'
import { redirects } from './resources/redirects.ts'
import { reviews } from './resources/reviews.ts'
import { scripts } from './resources/scripts.ts'
import { searchFilters } from './resources/search-filters.ts'
import { segments } from './resources/segments.ts'
import { settingImages } from './resources/setting-images.ts'
import { settings } from './resources/settings.ts'
import { shippingMethods } from './resources/shipping-methods.ts'
import { shippingSettings } from './resources/shipping-settings.ts'
import { shippingZones } from './resources/shipping-zones.ts'
import { siteCertificates } from './resources/site-certificates.ts'
import { siteRoutes } from './resources/site-routes.ts'
import { sites } from './resources/sites.ts'
import { storeInformation } from './resources/store-information.ts'
import { storeMetafields } from './resources/store-metafields.ts'
import { subscribers } from './resources/subscribers.ts'
import { taxClasses } from './resources/tax-classes.ts'
import { taxProperties } from './resources/tax-properties.ts'
import { taxRates } from './resources/tax-rates.ts'
import { taxSettings } from './resources/tax-settings.ts'
import { taxZones } from './resources/tax-zones.ts'
import { themeCustomTemplates } from './resources/theme-custom-templates.ts'
import { themes } from './resources/themes.ts'
import { variantMetafields } from './resources/variant-metafields.ts'
import { variants } from './resources/variants.ts'
import { widgetTemplates } from './resources/widget-templates.ts'
import { widgets } from './resources/widgets.ts'
import { wishlists } from './resources/wishlists.ts'

/** What this BigCommerce has. One line per resource. */
export const resources: SandboxResource[] = [
  storeInformation,
  storeMetafields,
  settings,
  settingImages,
  searchFilters,
  analytics,
  currencies,
  countries,
  taxClasses,
  taxZones,
  taxRates,
  taxProperties,
  taxSettings,
  shippingZones,
  shippingMethods,
  carrierConnections,
  shippingSettings,
  channels,
  channelCurrencyAssignments,
  channelListings,
  channelMenus,
  activeThemes,
  channelMetafields,
  sites,
  siteRoutes,
  siteCertificates,
  categoryTrees,
  categories,
  legacyCategories,
  categoryImages,
  brands,
  brandImages,
  products,
  modifiers,
  variants,
  options,
  productImages,
  customFields,
  productVideos,
  bulkPricingRules,
  complexRules,
  reviews,
  customsInformation,
  channelAssignments,
  categoryAssignments,
  productMetafields,
  variantMetafields,
  categoryMetafields,
  categorySortOrder,
  brandMetafields,
  catalogSummary,
  locations,
  locationMetafields,
  pickupMethods,
  inventoryItemLists,
  inventoryAdjustments,
  priceLists,
  priceRecords,
  priceListAssignments,
  customers,
  customerAddresses,
  customerAttributes,
  customerAttributeValues,
  customerFormFieldValues,
  customerConsents,
  customerSettings,
  customerMetafields,
  subscribers,
  giftCertificates,
  coupons,
  customerGroups,
  segments,
  wishlists,
  promotions,
  promotionCodes,
  promotionSettings,
  pages,
  blog,
  redirects,
  widgetTemplates,
  widgets,
  placements,
  contentRegions,
  pageWidgets,
  themes,
  themeCustomTemplates,
  customTemplateAssociations,
  banners,
  scripts,
  emailTemplates,
  hooks,
  orderMetafields,
  orderSettings,
  orders,
  orderShipments,
]
