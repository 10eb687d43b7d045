import type { SandboxResource } from './http/resource.ts'
import { brandImages } from './resources/catalog/brand-images.ts'
import { brandMetafields } from './resources/catalog/brand-metafields.ts'
import { brands } from './resources/catalog/brands.ts'
import { catalogSummary } from './resources/catalog/catalog-summary.ts'
import { categories } from './resources/catalog/categories.ts'
import { categoryImages } from './resources/catalog/category-images.ts'
import { categoryMetafields } from './resources/catalog/category-metafields.ts'
import { categorySortOrder } from './resources/catalog/category-sort-order.ts'
import { categoryTrees } from './resources/catalog/category-trees.ts'
import { legacyCategories } from './resources/catalog/legacy-categories.ts'
import { channelCurrencyAssignments } from './resources/channels/channel-currency-assignments.ts'
import { channelListings } from './resources/channels/channel-listings.ts'
import { channelMenus } from './resources/channels/channel-menus.ts'
import { channelMetafields } from './resources/channels/channel-metafields.ts'
import { channels } from './resources/channels/channels.ts'
import { currencies } from './resources/channels/currencies.ts'
import { siteCertificates } from './resources/channels/site-certificates.ts'
import { siteRoutes } from './resources/channels/site-routes.ts'
import { sites } from './resources/channels/sites.ts'
import { blog } from './resources/content/blog.ts'
import { contentRegions } from './resources/content/content-regions.ts'
import { customTemplateAssociations } from './resources/content/custom-template-associations.ts'
import { pageWidgets } from './resources/content/page-widgets.ts'
import { pages } from './resources/content/pages.ts'
import { placements } from './resources/content/placements.ts'
import { redirects } from './resources/content/redirects.ts'
import { scripts } from './resources/content/scripts.ts'
import { widgetTemplates } from './resources/content/widget-templates.ts'
import { widgets } from './resources/content/widgets.ts'
import { customerAddresses } from './resources/customers/customer-addresses.ts'
import { customerAttributeValues } from './resources/customers/customer-attribute-values.ts'
import { customerAttributes } from './resources/customers/customer-attributes.ts'
import { customerConsents } from './resources/customers/customer-consents.ts'
import { customerFormFieldValues } from './resources/customers/customer-form-field-values.ts'
import { customerGroups } from './resources/customers/customer-groups.ts'
import { customerMetafields } from './resources/customers/customer-metafields.ts'
import { customers } from './resources/customers/customers.ts'
import { segments } from './resources/customers/segments.ts'
import { subscribers } from './resources/customers/subscribers.ts'
import { wishlists } from './resources/customers/wishlists.ts'
import { inventoryAdjustments } from './resources/inventory/inventory-adjustments.ts'
import { inventoryItemLists } from './resources/inventory/inventory-items.ts'
import { locationMetafields } from './resources/inventory/location-metafields.ts'
import { locations } from './resources/inventory/locations.ts'
import { pickupMethods } from './resources/inventory/pickup-methods.ts'
import { banners } from './resources/marketing/banners.ts'
import { coupons } from './resources/marketing/coupons.ts'
import { giftCertificates } from './resources/marketing/gift-certificates.ts'
import { promotionCodes } from './resources/marketing/promotion-codes.ts'
import { promotionSettings } from './resources/marketing/promotion-settings.ts'
import { promotions } from './resources/marketing/promotions.ts'
import { orderMetafields } from './resources/orders/order-metafields.ts'
import { orderShipments } from './resources/orders/order-shipments.ts'
import { orders } from './resources/orders/orders.ts'
import { priceListAssignments } from './resources/pricing/price-list-assignments.ts'
import { priceLists } from './resources/pricing/price-lists.ts'
import { priceRecords } from './resources/pricing/price-records.ts'
import { bulkPricingRules } from './resources/products/bulk-pricing-rules.ts'
import { categoryAssignments } from './resources/products/category-assignments.ts'
import { channelAssignments } from './resources/products/channel-assignments.ts'
import { complexRules } from './resources/products/complex-rules.ts'
import { customFields } from './resources/products/custom-fields.ts'
import { customsInformation } from './resources/products/customs-information.ts'
import { modifiers } from './resources/products/modifiers.ts'
import { options } from './resources/products/options.ts'
import { productImages } from './resources/products/product-images.ts'
import { productMetafields } from './resources/products/product-metafields.ts'
import { productVideos } from './resources/products/product-videos.ts'
import { products } from './resources/products/products.ts'
import { reviews } from './resources/products/reviews.ts'
import { variantMetafields } from './resources/products/variant-metafields.ts'
import { variants } from './resources/products/variants.ts'
import { analytics } from './resources/settings/analytics.ts'
import { countries } from './resources/settings/countries.ts'
import { customerSettings } from './resources/settings/customer-settings.ts'
import { emailTemplates } from './resources/settings/email-templates.ts'
import { orderSettings } from './resources/settings/order-settings.ts'
import { searchFilters } from './resources/settings/search-filters.ts'
import { settingImages } from './resources/settings/setting-images.ts'
import { settings } from './resources/settings/settings.ts'
import { storeInformation } from './resources/settings/store-information.ts'
import { storeMetafields } from './resources/settings/store-metafields.ts'
import { carrierConnections } from './resources/shipping/carrier-connections.ts'
import { shippingMethods } from './resources/shipping/shipping-methods.ts'
import { shippingSettings } from './resources/shipping/shipping-settings.ts'
import { shippingZones } from './resources/shipping/shipping-zones.ts'
import { taxClasses } from './resources/tax/tax-classes.ts'
import { taxProperties } from './resources/tax/tax-properties.ts'
import { taxRates } from './resources/tax/tax-rates.ts'
import { taxSettings } from './resources/tax/tax-settings.ts'
import { taxZones } from './resources/tax/tax-zones.ts'
import { activeThemes } from './resources/themes/active-themes.ts'
import { themeCustomTemplates } from './resources/themes/theme-custom-templates.ts'
import { themes } from './resources/themes/themes.ts'
import { hooks } from './webhooks/hooks.ts'

/** The resources of this BigCommerce, one line each. */
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
