/** Parts whose items are pages of settings, and whether those of one storefront. */
const parts: Record<string, 'store' | 'storefront'> = {
  'store-settings': 'store',
  'store-contacts': 'store',
  'store-pictures': 'store',
  'channel-settings': 'storefront',
  'channel-contacts': 'storefront',
  'channel-pictures': 'storefront',
  'customer-settings': 'store',
  'channel-customer-settings': 'storefront',
  'promotion-settings': 'store',
}

/** Pages of settings as the control panel calls them, by the names that the API has for their items. */
const pages: Record<string, string> = {
  'store/profile': 'Store profile',
  'store/locale': 'Language and country',
  'store/units-of-measurement': 'Units of measurement',
  catalog: 'Catalog settings',
  inventory: 'Inventory settings',
  'inventory/notifications': 'Stock notifications',
  'email-statuses': 'Transactional emails',
  logo: 'Logo',
  favicon: 'Favicon',
  'storefront/category': 'Category display settings',
  'storefront/product': 'Product display settings',
  'storefront/robotstxt': 'Robots.txt',
  'storefront/search': 'Search settings',
  'storefront/security': 'Security and privacy settings',
  'storefront/seo': 'SEO settings',
  'storefront/status': 'Storefront status',
  shipping: 'Shipping settings',
  customers: 'Customer settings',
  promotions: 'Promotion settings',
}

/** The API's name of a page. Where names are private, it follows that of the part, and for a storefront its number. */
const apiName = /(?:^| )(?:\d+\/)?([a-z-]+(?:\/[a-z-]+)?)$/

/** The name of an item, in the control panel's words if it is a page of settings. */
export function shownName(component: string, name: string | null): string | null {
  const whose = parts[component]
  const page = pages[name?.match(apiName)?.[1] ?? '']
  if (whose === undefined || page === undefined) return name
  return whose === 'storefront' ? `${page} of the storefront` : page
}

/** A sentence about an item, which has its name in quotation marks. */
export function withShownName(component: string, name: string | null, text: string): string {
  const shown = shownName(component, name)
  return name === null || shown === name ? text : text.replaceAll(`"${name}"`, `"${shown}"`)
}
