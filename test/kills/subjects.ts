import type { World } from '../harness/world.ts'

/** A component that creates by calls of its own, and how its calls look to the destination. Paths are regular expressions. */
export interface Subject {
  component: string
  pass: string
  write: { method: 'POST' | 'PUT'; path: string }
  /** A call before the first write: slowed down, it gives the time to arrange something. */
  before: { method: 'GET' | 'POST'; path: string }
  /** A call that looks for items whose answer is lost. */
  probe: { path: string; query: RegExp }
}

const below = (what: string) => `^/v3/catalog/products/\\d+/${what}$`
const product = { method: 'POST', path: '^/v3/catalog/products$' } as const

/** What has a list of its own, which is asked for what an unanswered call made. */
function listed(component: string, path: string, write: Subject['write'] = { method: 'POST', path }): Subject {
  return { component, pass: component, write, before: { method: 'GET', path }, probe: { path, query: /limit/ } }
}

export const currencies = listed('currencies', '^/v2/currencies$')
export const taxClasses = listed('tax-classes', '^/v2/tax_classes$', { method: 'POST', path: '^/v3/tax/classes$' })
export const locations = listed('locations', '^/v3/inventory/locations$')
export const shippingZones = listed('shipping-zones', '^/v2/shipping/zones$')
export const shippingMethods = listed('shipping-methods', '^/v2/shipping/zones/\\d+/methods$')
export const taxZones = listed('tax-zones', '^/v3/tax/zones$')
export const taxRates = listed('tax-rates', '^/v3/tax/rates$')
export const taxProperties = listed('tax-properties', '^/v3/tax/properties$')

export const banners = listed('banners', '^/v2/banners$')
export const scripts = listed('scripts', '^/v3/content/scripts$')

/** Put as a whole, and put again when nobody answers. */
export const channelSettings = listed('channel-settings', '^/v3/settings/storefront/seo$', {
  method: 'PUT',
  path: '^/v3/settings/storefront/seo$',
})
export const channelContacts = listed('channel-contacts', '^/v3/settings/store/profile$', {
  method: 'PUT',
  path: '^/v3/settings/store/profile$',
})

/** Known by where they are shown. */
export const storePictures = listed('store-pictures', '^/v3/settings/logo$', {
  method: 'POST',
  path: '^/v3/settings/favicon/image$',
})
export const channelPictures = listed('channel-pictures', '^/v3/settings/logo$', {
  method: 'POST',
  path: '^/v3/settings/logo/image$',
})

export const brands: Subject = {
  component: 'brands',
  pass: 'brands',
  write: { method: 'POST', path: '^/v3/catalog/brands$' },
  before: { method: 'GET', path: '^/v3/catalog/brands$' },
  probe: { path: '^/v3/catalog/brands$', query: /name=/ },
}

export const categories: Subject = {
  component: 'categories',
  pass: 'categories',
  write: { method: 'POST', path: '^/v3/catalog/trees/categories$' },
  before: { method: 'GET', path: '^/v3/catalog/trees/categories$' },
  probe: { path: '^/v3/catalog/trees/categories$', query: /parent_id/ },
}

export const products: Subject = {
  component: 'products',
  pass: 'products',
  write: product,
  before: { method: 'GET', path: '^/v3/catalog/products$' },
  probe: { path: '^/v3/catalog/products$', query: /sku=/ },
}

export const options: Subject = {
  component: 'product-options',
  pass: 'products',
  write: { method: 'PUT', path: below('options/\\d+') },
  before: product,
  probe: { path: below('options'), query: /limit/ },
}

export const optionValues: Subject = {
  component: 'product-option-values',
  pass: 'products',
  write: { method: 'POST', path: below('options/\\d+/values') },
  before: product,
  probe: { path: below('options/\\d+/values'), query: /limit/ },
}

export const modifiers: Subject = {
  component: 'product-modifiers',
  pass: 'products',
  write: { method: 'POST', path: below('modifiers') },
  before: product,
  probe: { path: below('modifiers'), query: /limit/ },
}

export const reviews: Subject = {
  component: 'product-reviews',
  pass: 'products',
  write: { method: 'POST', path: below('reviews') },
  before: product,
  probe: { path: below('reviews'), query: /limit/ },
}

export const complexRules: Subject = {
  component: 'product-complex-rules',
  pass: 'products',
  write: { method: 'POST', path: below('complex-rules') },
  before: product,
  probe: { path: below('complex-rules'), query: /limit/ },
}

export const customsInformation: Subject = {
  component: 'product-customs-information',
  pass: 'product-customs-information',
  write: { method: 'PUT', path: '^/v3/shipping/products/customs-information$' },
  before: { method: 'GET', path: '^/v3/shipping/products/customs-information$' },
  probe: { path: '^/v3/shipping/products/customs-information$', query: /limit/ },
}

/** One call for many products; nothing is looked for, it is sent again. */
export const channelAssignments: Subject = {
  component: 'product-channel-assignments',
  pass: 'products',
  write: { method: 'PUT', path: '^/v3/catalog/products/channel-assignments$' },
  before: product,
  probe: { path: '^/v3/catalog/products/channel-assignments$', query: /limit/ },
}

/** One call for a whole category; nothing is looked for, it is sent again. */
export const productOrder: Subject = {
  component: 'category-product-order',
  pass: 'category-product-order',
  write: { method: 'PUT', path: '^/v3/catalog/categories/\\d+/products/sort-order$' },
  before: { method: 'GET', path: '^/v3/catalog/variants/metafields$' },
  probe: { path: '^/v3/catalog/categories/\\d+/products/sort-order$', query: /limit/ },
}

/** Completes a product that names one which was copied later; nothing is looked for, it is sent again. */
export const relatedProducts: Subject = {
  component: 'products',
  pass: 'products',
  write: { method: 'PUT', path: '^/v3/catalog/products$' },
  before: product,
  probe: { path: '^/v3/catalog/products/\\d+$', query: /./ },
}

export const customerAttributes: Subject = {
  component: 'customer-attributes',
  pass: 'customer-attributes',
  write: { method: 'POST', path: '^/v3/customers/attributes$' },
  before: { method: 'GET', path: '^/v3/customers/attributes$' },
  probe: { path: '^/v3/customers/attributes$', query: /limit=/ },
}

export const customers: Subject = {
  component: 'customers',
  pass: 'customers',
  write: { method: 'POST', path: '^/v3/customers$' },
  before: { method: 'GET', path: '^/v3/customers$' },
  probe: { path: '^/v3/customers$', query: /include=/ },
}

export const subscribers: Subject = {
  component: 'subscribers',
  pass: 'subscribers',
  write: { method: 'POST', path: '^/v3/customers/subscribers$' },
  before: { method: 'GET', path: '^/v3/customers/subscribers$' },
  probe: { path: '^/v3/customers/subscribers$', query: /limit=/ },
}

export const customerFormFields: Subject = {
  component: 'customer-form-fields',
  pass: 'customers',
  write: { method: 'PUT', path: '^/v3/customers$' },
  before: { method: 'POST', path: '^/v3/customers$' },
  probe: { path: '^/v3/customers$', query: /include=/ },
}

export const addressFormFields: Subject = {
  component: 'customer-address-form-fields',
  pass: 'customers',
  write: { method: 'PUT', path: '^/v3/customers/addresses$' },
  before: { method: 'POST', path: '^/v3/customers$' },
  probe: { path: '^/v3/customers$', query: /include=/ },
}

export const customerConsents: Subject = {
  component: 'customer-consents',
  pass: 'customers',
  write: { method: 'PUT', path: '^/v3/customers/\\d+/consent$' },
  before: { method: 'POST', path: '^/v3/customers$' },
  probe: { path: '^/v3/customers$', query: /include=/ },
}

export const segments = listed('segments', '^/v3/segments$')
export const shopperProfiles = listed('shopper-profiles', '^/v3/shopper-profiles$')
export const segmentMembers: Subject = {
  component: 'segment-members',
  pass: 'segment-members',
  write: { method: 'POST', path: '^/v3/segments/[-0-9a-f]+/shopper-profiles$' },
  before: { method: 'POST', path: '^/v3/shopper-profiles$' },
  probe: { path: '^/v3/segments/[-0-9a-f]+/shopper-profiles$', query: /limit=/ },
}

export const pages = listed('pages', '^/v3/content/pages$')
export const blogPosts = listed('blog-posts', '^/v2/blog/posts$')
/** Put as a whole, and put again when nobody answers. */
export const redirects = listed('redirects', '^/v3/storefront/redirects$', {
  method: 'PUT',
  path: '^/v3/storefront/redirects$',
})

export const wishlists: Subject = {
  component: 'wishlists',
  pass: 'wishlists',
  write: { method: 'POST', path: '^/v3/wishlists$' },
  before: { method: 'GET', path: '^/v3/wishlists$' },
  probe: { path: '^/v3/wishlists$', query: /customer_id=/ },
}

export const coupons: Subject = {
  component: 'coupons',
  pass: 'coupons',
  write: { method: 'POST', path: '^/v2/coupons$' },
  before: { method: 'GET', path: '^/v2/coupons$' },
  probe: { path: '^/v2/coupons$', query: /limit=/ },
}

export const giftCertificates: Subject = {
  component: 'gift-certificates',
  pass: 'gift-certificates',
  write: { method: 'POST', path: '^/v2/gift_certificates$' },
  before: { method: 'GET', path: '^/v2/gift_certificates$' },
  probe: { path: '^/v2/gift_certificates$', query: /limit=/ },
}

export const priceLists: Subject = {
  component: 'price-lists',
  pass: 'price-lists',
  write: { method: 'POST', path: '^/v3/pricelists$' },
  before: { method: 'GET', path: '^/v3/pricelists$' },
  probe: { path: '^/v3/pricelists$', query: /name=/ },
}

/** An upsert: nothing is looked for, it is sent again. */
export const priceRecords: Subject = {
  component: 'price-records',
  pass: 'price-records',
  write: { method: 'PUT', path: '^/v3/pricelists/\\d+/records$' },
  before: { method: 'POST', path: '^/v3/pricelists$' },
  probe: { path: '^/v3/pricelists/\\d+/records$', query: /sku=/ },
}

export const customerGroups: Subject = {
  component: 'customer-groups',
  pass: 'customer-groups',
  write: { method: 'POST', path: '^/v2/customer_groups$' },
  before: { method: 'GET', path: '^/v2/customer_groups$' },
  probe: { path: '^/v2/customer_groups$', query: /name=/ },
}

export const priceAssignments: Subject = {
  component: 'price-list-assignments',
  pass: 'price-list-assignments',
  write: { method: 'POST', path: '^/v3/pricelists/assignments$' },
  before: { method: 'POST', path: '^/v2/customer_groups$' },
  probe: { path: '^/v3/pricelists/assignments$', query: /limit/ },
}

export const promotions: Subject = {
  component: 'promotions',
  pass: 'promotions',
  write: { method: 'POST', path: '^/v3/promotions$' },
  before: { method: 'GET', path: '^/v3/promotions$' },
  probe: { path: '^/v3/promotions$', query: /name=/ },
}

export const promotionCodes: Subject = {
  component: 'promotion-codes',
  pass: 'promotion-codes',
  write: { method: 'POST', path: '^/v3/promotions/\\d+/codes$' },
  before: { method: 'POST', path: '^/v3/promotions$' },
  probe: { path: '^/v3/promotions/\\d+/codes$', query: /limit=/ },
}

const templates = '^/v3/content/widget-templates$'
const widgetPages = '^/v3/content/page-widgets$'
const associations = '^/v3/storefront/custom-template-associations$'

export const widgetTemplates = listed('widget-templates', templates)
export const templateAssociations = listed('custom-template-associations', associations, {
  method: 'PUT',
  path: associations,
})
const filterContexts = '^/v3/settings/search/filters/contexts$'
export const searchFilterContexts = listed('search-filter-contexts', filterContexts, {
  method: 'PUT',
  path: filterContexts,
})
/** The platform answers with a job, and the theme is there when that is done. */
export const themes = listed('themes', '^/v3/themes$')
/** Shown again when nobody answers. */
export const themeActivations = listed('theme-activations', '^/v3/themes$', {
  method: 'POST',
  path: '^/v3/themes/actions/activate$',
})
/** One call puts a page there as a whole, and the same call again changes nothing. */
export const pageWidgets: Subject = {
  component: 'page-widgets',
  pass: 'page-widgets',
  write: { method: 'POST', path: widgetPages },
  before: { method: 'GET', path: widgetPages },
  probe: { path: widgetPages, query: /template_file/ },
}
export const globalWidgets: Subject = { ...pageWidgets, component: 'global-widgets', pass: 'global-widgets' }

/** Switched on when all else is done; nothing is looked for, it is sent again. */
export const dutyOfPromotions: Subject = {
  component: 'promotions',
  pass: 'promotions',
  write: { method: 'PUT', path: '^/v3/promotions/\\d+$' },
  before: { method: 'POST', path: '^/v3/promotions/\\d+/codes$' },
  probe: { path: '^/v3/promotions/\\d+$', query: /./ },
}

function metafieldsOf(kind: string, what: string, probe: string): Subject {
  const all = `^/v3/catalog/${what}/metafields$`
  return {
    component: `${kind}-metafields`,
    pass: `${kind}-metafields`,
    write: { method: 'POST', path: all },
    before: { method: 'GET', path: all },
    probe: { path: probe, query: /limit/ },
  }
}

export const metafields = metafieldsOf('product', 'products', below('metafields'))
export const brandMetafields = metafieldsOf('brand', 'brands', '^/v3/catalog/brands/\\d+/metafields$')
export const categoryMetafields = metafieldsOf('category', 'categories', '^/v3/catalog/categories/\\d+/metafields$')
export const customerMetafields: Subject = {
  component: 'customer-metafields',
  pass: 'customer-metafields',
  write: { method: 'POST', path: '^/v3/customers/metafields$' },
  before: { method: 'GET', path: '^/v3/customers/metafields$' },
  probe: { path: '^/v3/customers/\\d+/metafields$', query: /limit/ },
}

export const orderMetafields: Subject = {
  component: 'order-metafields',
  pass: 'order-metafields',
  write: { method: 'POST', path: '^/v3/orders/metafields$' },
  before: { method: 'GET', path: '^/v3/orders/metafields$' },
  probe: { path: '^/v3/orders/\\d+/metafields$', query: /limit/ },
}
export const orders = listed('orders', '^/v2/orders$')
const shipments = '^/v2/orders/\\d+/shipments$'
export const orderShipments: Subject = {
  component: 'order-shipments',
  pass: 'orders',
  write: { method: 'POST', path: shipments },
  before: { method: 'POST', path: '^/v2/orders$' },
  probe: { path: shipments, query: /limit/ },
}
/** Absolute: put again when nobody answers. */
export const inventory = listed('inventory', '^/v3/inventory/items$', {
  method: 'PUT',
  path: '^/v3/inventory/adjustments/absolute$',
})

export const variantMetafields = metafieldsOf('variant', 'variants', below('variants/\\d+/metafields'))

/**
 * What the creation of its parent carries has no write of its own: a window of that call is a window of everything in it, and the
 * comparison of the stores tells whether any of it is missing or there twice.
 */
export const carriedBy: Record<string, Subject> = {
  'product-variants': products,
  'product-images': products,
  'product-custom-fields': products,
  'product-videos': products,
  'product-bulk-pricing-rules': products,
  'product-modifier-values': modifiers,
  'customer-addresses': customers,
  'customer-attribute-values': customers,
}

/** The source gets an option value that no variant uses: only such a one is created by a call of its own. */
export async function plantSpareValue(world: World): Promise<void> {
  const value = (await world.state('source')).option_values?.[0]
  if (!value) throw new Error('The source has no option values.')
  const { id } = await world.change('source', { op: 'double', table: 'option_values', id: value.id })
  await world.change('source', {
    op: 'set',
    table: 'option_values',
    id: Number(id),
    fields: { label: 'Spare', sort_order: 99, is_default: false },
  })
}
