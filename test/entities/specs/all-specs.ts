import { brands } from './catalog/brands.ts'
import { categories } from './catalog/categories.ts'
import { products } from './catalog/products.ts'
import { banners } from './content/banners.ts'
import { blogPosts } from './content/blog-posts.ts'
import { emailTemplates } from './content/email-templates.ts'
import { pageWidgets } from './content/page-widgets.ts'
import { pages } from './content/pages.ts'
import { redirects } from './content/redirects.ts'
import { scripts } from './content/scripts.ts'
import { widgetTemplates } from './content/widget-templates.ts'
import { customerAttributes } from './customers/customer-attributes.ts'
import { customerGroups } from './customers/customer-groups.ts'
import { customerSettings } from './customers/customer-settings.ts'
import { customers } from './customers/customers.ts'
import { segments } from './customers/segments.ts'
import { subscribers } from './customers/subscribers.ts'
import { wishlists } from './customers/wishlists.ts'
import { inventory } from './orders/inventory.ts'
import { orders } from './orders/orders.ts'
import { channelCurrencies } from './pricing/channel-currencies.ts'
import { coupons } from './pricing/coupons.ts'
import { currencies } from './pricing/currencies.ts'
import { giftCertificates } from './pricing/gift-certificates.ts'
import { priceLists } from './pricing/price-lists.ts'
import { promotions } from './pricing/promotions.ts'
import { taxClasses } from './pricing/tax-classes.ts'
import { taxZones } from './pricing/tax-zones.ts'
import { locations } from './settings/locations.ts'
import { searchFilters } from './settings/search-filters.ts'
import { shippingZones } from './settings/shipping-zones.ts'
import { storeSettings } from './settings/store-settings.ts'
import type { EntitySpec } from './spec.ts'
import { customTemplateAssociations } from './themes/custom-template-associations.ts'
import { themeActivations } from './themes/theme-activations.ts'
import { themeTemplates } from './themes/theme-templates.ts'
import { themes } from './themes/themes.ts'

/** One for each entity, in the order of the registry. */
export const specs: readonly EntitySpec[] = [
  currencies,
  taxClasses,
  locations,
  storeSettings,
  channelCurrencies,
  categories,
  brands,
  products,
  priceLists,
  customerGroups,
  customerSettings,
  customerAttributes,
  customers,
  segments,
  subscribers,
  wishlists,
  giftCertificates,
  coupons,
  shippingZones,
  taxZones,
  promotions,
  pages,
  blogPosts,
  redirects,
  themes,
  themeActivations,
  themeTemplates,
  widgetTemplates,
  customTemplateAssociations,
  pageWidgets,
  searchFilters,
  scripts,
  banners,
  emailTemplates,
  orders,
  inventory,
]
