import { GLOBAL } from '../../sandbox/resources/settings/stored-settings.ts'
import type { Side, StoreState } from '../harness/world-sandbox.ts'

/** A call by which components move. `path`, `query` and `body` are regular expressions, as the sandbox's faults take them. */
export interface Subject {
  components: readonly string[]
  method: 'GET' | 'POST' | 'PUT'
  path: string
  query?: string
  body?: string
}

const below = (what: string) => `^/v3/catalog/products/\\d+/${what}$`
const products = '^/v3/catalog/products$'

/** What a product's creation carries, and the table that tells which products have some. */
const inline: Record<string, string> = {
  'product-options': 'options',
  'product-option-values': 'option_values',
  'product-variants': 'variants',
  'product-images': 'images',
  'product-custom-fields': 'custom_fields',
  'product-videos': 'product_videos',
  'product-bulk-pricing-rules': 'bulk_pricing_rules',
}

function writing(component: string, path: string, more: Partial<Subject> = {}): Subject {
  return { components: [component], method: 'POST', path, ...more }
}

const writes: readonly Subject[] = [
  writing('currencies', '^/v2/currencies$'),
  writing('tax-classes', '^/v3/tax/classes$'),
  writing('locations', '^/v3/inventory/locations$'),
  writing('shipping-zones', '^/v2/shipping/zones$'),
  writing('shipping-methods', '^/v2/shipping/zones/\\d+/methods$'),
  writing('tax-zones', '^/v3/tax/zones$'),
  writing('tax-rates', '^/v3/tax/rates$'),
  writing('categories', '^/v3/catalog/trees/categories$'),
  writing('brands', '^/v3/catalog/brands$'),
  writing('products', products),
  writing('products', '^/v3/catalog/products(/\\d+)?$', { method: 'PUT' }),
  writing('product-options', below('options/\\d+'), { method: 'PUT' }),
  writing('product-option-values', below('options/\\d+/values')),
  writing('product-variants', below('variants/\\d+'), { method: 'PUT' }),
  writing('product-modifiers', below('modifiers')),
  writing('product-modifier-values', below('modifiers'), { body: '"option_values":\\[' }),
  writing('product-reviews', below('reviews')),
  writing('product-complex-rules', below('complex-rules')),
  writing('product-channel-assignments', '^/v3/catalog/products/channel-assignments$', { method: 'PUT' }),
  writing('product-customs-information', '^/v3/shipping/products/customs-information$', { method: 'PUT' }),
  writing('customer-attributes', '^/v3/customers/attributes$'),
  writing('customers', '^/v3/customers$'),
  writing('customer-addresses', '^/v3/customers$', { body: '"addresses":\\[\\{' }),
  writing('customer-attribute-values', '^/v3/customers$', { body: '"attributes":\\[\\{' }),
  writing('customer-address-form-fields', '^/v3/customers/addresses$', { method: 'PUT' }),
  writing('customer-form-fields', '^/v3/customers$', { method: 'PUT' }),
  writing('customer-consents', '^/v3/customers/\\d+/consent$', { method: 'PUT' }),
  writing('subscribers', '^/v3/customers/subscribers$'),
  writing('segments', '^/v3/segments$'),
  writing('shopper-profiles', '^/v3/shopper-profiles$'),
  writing('segment-members', '^/v3/segments/[-0-9a-f]+/shopper-profiles$'),
  writing('wishlists', '^/v3/wishlists$'),
  writing('pages', '^/v3/content/pages$'),
  writing('blog-posts', '^/v2/blog/posts$'),
  writing('redirects', '^/v3/storefront/redirects$', { method: 'PUT' }),
  writing('gift-certificates', '^/v2/gift_certificates$'),
  writing('coupons', '^/v2/coupons$'),
  writing('promotions', '^/v3/promotions$'),
  writing('promotions', '^/v3/promotions/\\d+$', { method: 'PUT' }),
  writing('scripts', '^/v3/content/scripts$'),
  writing('scripts', '^/v3/content/scripts/[-0-9a-f]+$', { method: 'PUT' }),
  writing('banners', '^/v2/banners$'),
  writing('promotion-codes', '^/v3/promotions/\\d+/codes$'),
  writing('category-product-order', '^/v3/catalog/categories/\\d+/products/sort-order$', { method: 'PUT' }),
  writing('price-lists', '^/v3/pricelists$'),
  writing('price-records', '^/v3/pricelists/\\d+/records$', { method: 'PUT' }),
  writing('price-list-assignments', '^/v3/pricelists/assignments$'),
  writing('themes', '^/v3/themes$'),
  writing('theme-activations', '^/v3/themes/actions/activate$'),
  writing('widget-templates', '^/v3/content/widget-templates$'),
  writing('custom-template-associations', '^/v3/storefront/custom-template-associations$', { method: 'PUT' }),
  writing('page-widgets', '^/v3/content/page-widgets$', { body: '"template_file":' }),
  writing('global-widgets', '^/v3/content/page-widgets$', { body: '--global' }),
  writing('customer-groups', '^/v2/customer_groups$'),
  writing('customer-metafields', '^/v3/customers/metafields$'),
  writing('orders', '^/v2/orders$'),
  writing('order-shipments', '^/v2/orders/\\d+/shipments$'),
  writing('order-metafields', '^/v3/orders/metafields$'),
  writing('inventory', '^/v3/inventory/adjustments/absolute$', { method: 'PUT' }),
  ...['brand', 'category', 'product', 'variant'].map((kind) =>
    writing(`${kind}-metafields`, `^/v3/catalog/${kind === 'category' ? 'categories' : `${kind}s`}/metafields$`),
  ),
]

/** Calls that write; each child that a product carries meets its fault in the creation of another product. */
export function writesOf(source: StoreState): Subject[] {
  const used = new Set<string>()
  const carried = Object.entries(inline).flatMap(([component, table]): Subject[] => {
    const owners = new Set(source[table]?.filter(isMadeWithIt).map((row) => row.product_id))
    const name = source.products
      ?.filter(({ id }) => owners.has(id))
      .map((product) => String(product.name))
      .find((one) => /^[\w ]+$/.test(one) && !/gone/i.test(one) && !used.has(one))
    if (name === undefined) return []
    used.add(name)
    return [writing(component, products, { body: `"name":"${name}"` })]
  })
  return [...carried, ...writes]
}

/** A base variant comes into being by itself. */
function isMadeWithIt(row: Record<string, unknown>): boolean {
  return !Array.isArray(row.option_values) || row.option_values.length > 0
}

/** The one call to a source that is no GET. */
export const download = writing('themes', '^/v3/themes/[-0-9a-f]+/actions/download$')

function reading(components: string[], path: string, query?: string): Subject {
  return { components, method: 'GET', path, ...(query !== undefined && { query }) }
}

/** What a channel has of its own, where the store's is asked for at the same address. */
const ofChannel = 'channel_id=\\d'
const ofStore = '^(?!.*channel_id=)'

/** Calls that list what there is. */
const lists: readonly Subject[] = [
  reading(['currencies'], '^/v2/currencies$'),
  reading(['tax-classes'], '^/v2/tax_classes$'),
  reading(['locations'], '^/v3/inventory/locations$'),
  reading(['store-settings'], '^/v3/settings/catalog$', ofStore),
  reading(['channel-settings'], '^/v3/settings/catalog$', ofChannel),
  reading(['store-contacts'], '^/v3/settings/store/profile$', ofStore),
  reading(['channel-contacts'], '^/v3/settings/store/profile$', ofChannel),
  reading(['store-pictures'], '^/v3/settings/logo$', ofStore),
  reading(['channel-pictures'], '^/v3/settings/logo$', ofChannel),
  reading(['channel-currencies'], '^/v3/channels/currency-assignments$'),
  reading(['shipping-zones', 'shipping-methods'], '^/v2/shipping/zones$'),
  reading(['tax-zones'], '^/v3/tax/zones$'),
  reading(['tax-rates'], '^/v3/tax/rates$'),
  reading(['tax-properties'], '^/v3/tax/properties$'),
  reading(['tax-settings'], '^/v3/tax/settings$'),
  reading(['category-trees'], '^/v3/catalog/trees$'),
  reading(['categories', 'category-product-order'], '^/v3/catalog/trees/categories$'),
  reading(['category-metafields'], '^/v3/catalog/categories/metafields$'),
  reading(['brands'], '^/v3/catalog/brands$'),
  reading(['brand-metafields'], '^/v3/catalog/brands/metafields$'),
  reading(
    [
      'products',
      ...Object.keys(inline),
      'product-modifiers',
      'product-modifier-values',
      'product-reviews',
      'product-channel-assignments',
    ],
    products,
  ),
  reading(['product-metafields'], '^/v3/catalog/products/metafields$'),
  reading(['variant-metafields'], '^/v3/catalog/variants/metafields$'),
  reading(['product-customs-information'], '^/v3/shipping/products/customs-information$'),
  reading(['customer-settings'], '^/v3/customers/settings$'),
  reading(['channel-customer-settings'], '^/v3/customers/settings/channels/\\d+$'),
  reading(['customer-attributes'], '^/v3/customers/attributes$'),
  reading(
    [
      'customers',
      'customer-addresses',
      'customer-attribute-values',
      'customer-form-fields',
      'customer-address-form-fields',
    ],
    '^/v3/customers$',
  ),
  reading(['customer-metafields'], '^/v3/customers/metafields$'),
  reading(['subscribers'], '^/v3/customers/subscribers$'),
  reading(['orders'], '^/v2/orders$'),
  reading(['order-metafields'], '^/v3/orders/metafields$'),
  reading(['inventory'], '^/v3/inventory/items$'),
  reading(['segments', 'segment-members'], '^/v3/segments$'),
  reading(['shopper-profiles'], '^/v3/shopper-profiles$'),
  reading(['wishlists'], '^/v3/wishlists$'),
  reading(['pages'], '^/v3/content/pages$'),
  reading(['blog-posts'], '^/v2/blog/posts$'),
  reading(['redirects'], '^/v3/storefront/redirects$'),
  reading(['gift-certificates'], '^/v2/gift_certificates$'),
  reading(['coupons'], '^/v2/coupons$'),
  reading(['price-lists', 'price-records'], '^/v3/pricelists$'),
  reading(['price-records'], '^/v3/pricelists/\\d+/records$'),
  reading(['price-list-assignments'], '^/v3/pricelists/assignments$'),
  reading(['customer-groups'], '^/v2/customer_groups$'),
  reading(['promotions', 'promotion-codes'], '^/v3/promotions$'),
  reading(['promotion-settings'], '^/v3/promotions/settings$'),
  reading(['themes', 'theme-activations'], '^/v3/themes$'),
  reading(['theme-templates'], '^/v3/themes/custom-templates/[-0-9a-f]+$'),
  reading(['widget-templates'], '^/v3/content/widget-templates$'),
  reading(['custom-template-associations'], '^/v3/storefront/custom-template-associations$'),
  reading(['page-widgets', 'global-widgets'], '^/v3/content/page-widgets$'),
  reading(['available-filters'], '^/v3/settings/search/filters/available$'),
  reading(['search-filters'], '^/v3/settings/search/filters$'),
  reading(['search-filter-contexts'], '^/v3/settings/search/filters/contexts$'),
  reading(['scripts'], '^/v3/content/scripts$'),
  reading(['banners'], '^/v2/banners$'),
  reading(['email-templates'], '^/v3/marketing/email-templates$'),
]

/** Lists of single items that no page shows; a destination without the item is not asked for them. */
const details: readonly Subject[] = [
  reading(['product-complex-rules'], below('complex-rules')),
  reading(['order-shipments'], '^/v2/orders/\\d+/shipments$'),
  reading(['category-product-order'], '^/v3/catalog/categories/\\d+/products/sort-order$'),
  reading(['customer-consents'], '^/v3/customers/\\d+/consent$'),
]

export const reads: Record<Side, readonly Subject[]> = { source: [...lists, ...details], destination: lists }

/** Something whose picture cannot be fetched, and the picture's file below `images/`. */
type Rows = NonNullable<StoreState[string]>

export interface Pictured {
  component: string
  name: string
  file: string
  /** How the comparison calls what it hangs on. */
  owner?: string
}

/** The picture is one that the sandbox itself serves. */
const isOwn = (file: unknown) => typeof file === 'string' && /^\w\/(?!missing)/.test(file)

/** Brands, categories, variants and settings have their picture at one address only: that of the original. */
export function picturedByOriginal(source: StoreState): Pictured[] {
  const others = ['categories', 'brands'].flatMap((table) =>
    (source[table] ?? [])
      .filter(({ image_url }) => isOwn(image_url))
      .map(({ name, image_url }) => ({ component: table, name: String(name), file: stem(image_url) })),
  )
  return [...others, ...picturedVariants(source), ...picturesOfSettings(source)]
}

/** The logo and the icon of the store, and the logos of its storefronts, as issues call them. */
function picturesOfSettings({ settings = [] }: StoreState): Pictured[] {
  return settings.flatMap(({ channel_id, pictures }) => {
    const component = channel_id === GLOBAL ? 'store-pictures' : 'channel-pictures'
    return Object.entries(pictures ?? {})
      .filter(([, file]) => isOwn(file))
      .map(([field, file]) => ({ component, name: String(field.match(/^[a-z]+/)), file: stem(file) }))
  })
}

/** Variants whose picture the sandbox itself serves, as issues call them: by their choices. */
function picturedVariants(source: StoreState): Pictured[] {
  const byId = (rows: Rows = []) => new Map(rows.map((row) => [row.id, row]))
  const [options, values, products] = [byId(source.options), byId(source.option_values), byId(source.products)]
  return (source.variants ?? []).flatMap(({ image_url, option_values, product_id }) => {
    if (!isOwn(image_url)) return []
    const chosen = (option_values ?? []) as { option_id: number; id: number }[]
    const labels = chosen.map(({ option_id, id }) => `${options.get(option_id)?.display_name}=${values.get(id)?.label}`)
    const product = products.get(Number(product_id))
    const name = labels
      .map((label) => label.toLowerCase())
      .sort()
      .join(', ')
    const owner = product?.sku ? `SKU ${product.sku}` : String(product?.name)
    return [{ component: 'product-variants', name, file: stem(image_url), owner }]
  })
}

/** A brand, a category and a product. */
export function picturedOf(source: StoreState): Pictured[] {
  const one = (component: string) =>
    picturedByOriginal(source).find((pictured) => pictured.component === component) ?? []
  const names = new Map(source.products?.map(({ id, name }) => [id, String(name)]))
  const image = source.images?.find(
    ({ image_file, product_id }) => isOwn(image_file) && /^[\w ]+$/.test(names.get(Number(product_id)) ?? ''),
  )
  const name = names.get(Number(image?.product_id))
  return [
    one('categories'),
    one('brands'),
    image && name ? { component: 'product-images', name, file: stem(image.image_file) } : [],
  ].flat()
}

function stem(file: unknown): string {
  return String(file).replace(/\.\w+$/, '')
}
