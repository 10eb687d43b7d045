/** Everything in a sandbox store, table by table, as its admin API returns it. */
export type StoreState = Record<string, StateRow[]>
type StateRow = { id: number } & Record<string, unknown>

/** Items created by one call, as declared by the engine's entities. */
export interface BatchSizes {
  categories: number
  channelAssignments: number
  metafields: number
}

export interface CallCount {
  sourceReads: number
  /** Existing items must be known before anything is matched or created. */
  destinationListing: number
  destinationWrites: number
}

const metafieldTables = [
  ...['product_metafields', 'category_metafields', 'brand_metafields', 'variant_metafields'],
  'customer_metafields',
]
/** Tables with a list of their own, including children. */
const listedTables = [
  ...metafieldTables,
  ...['customs_information', 'price_lists', 'price_list_assignments', 'customer_groups'],
  ...['coupons', 'gift_certificates', 'promotions', 'wishlists', 'segments', 'shopper_profiles'],
  ...['currencies', 'tax_classes', 'locations', 'tax_zones', 'tax_rates', 'tax_properties', 'shipping_zones'],
  ...['customers', 'customer_attributes', 'subscribers'],
  ...['pages', 'blog_posts', 'redirects', 'sites'],
]

/** The platform's largest page, in general and for products with their options and modifiers. */
const page = 250
const fullProductPage = 10

/** Products per updating call, and products per call that sets customs information. */
const productUpdateBatch = 10
const customsBatch = 50
/** Prices of one list, and assignments of price lists, per call. */
const priceBatch = 1000
const assignmentBatch = 25
/** Segments, profiles and members of a segment per call. */
const segmentBatch = 50
/** Customers, addresses and attribute values per call, and those inside a customer's create call. */
const customerBatch = 10
/** Tax classes per call; for other batches besides the catalogue the platform documents no limit. */
const taxClassBatch = 50
const plainBatch = 10
/** Redirects per call; the platform documents no limit. */
const redirectBatch = 50

/** Settings have no list: each group is read separately, for the store and for each storefront that can override it. */
const settingsOfStore = 16
const settingsOfStorefront = 15
/** Settings stored elsewhere: those of customers, and the store's own tax settings. */
const otherSettings = { store: 2, storefront: 1 }
/** Storefronts and their currencies. */
const channelLists = 2

/** Shipping methods with prices set by the store; those of carriers cannot be copied. */
const ownPrices: readonly unknown[] = ['perorder', 'peritem', 'weight', 'total', 'freeshipping']

/**
 * The fewest calls that copy the catalogue in `source` to `destination`, calculated from the content of the stores and
 * not from what the engine did. Source: the platform's documented page sizes, batch sizes and inline children.
 */
export function minimumCalls(source: StoreState, destination: StoreState, batches: BatchSizes): CallCount {
  return {
    sourceReads:
      1 +
      pages(rows(source, 'categories'), page) +
      pages(rows(source, 'brands'), page) +
      pages(rows(source, 'products'), fullProductPage) +
      sum(listedTables, (table) => pages(rows(source, table), page)) +
      // Prices are listed per price list, and codes per promotion.
      sum(pricesByList(source), (prices) => pages(prices, page)) +
      sum(codesByPromotion(source), (codes) => pages(codes, page)) +
      // The list of customers contains their segments.
      (rows(source, 'segments').length > 0 ? pages(rows(source, 'customers'), page) : 0) +
      // Shipping methods are listed per zone, and long lists of a customer separately.
      rows(source, 'shipping_zones').length +
      sum(['customer_addresses', 'customer_attribute_values'], (table) => pagesOfMany(rows(source, table))) +
      settingCalls(source) +
      // No list contains the order of products in a category or the complex rules of a product.
      rows(source, 'categories').length +
      new Set(rows(source, 'modifier_values').map((value) => value.product_id)).size,
    destinationListing:
      1 +
      rows(destination, 'shipping_zones').length +
      settingCalls(destination) +
      sum(['categories', 'brands', 'products', ...listedTables], (table) => pages(rows(destination, table), page)),
    destinationWrites: writes(source, destination, batches),
  }
}

function writes(source: StoreState, destination: StoreState, batches: BatchSizes): number {
  const levels = [...Map.groupBy(rows(source, 'categories'), levelIn(source)).values()]
  const modifiers = rows(source, 'modifiers')
  return (
    sum(levels, (level) => Math.ceil(level.length / batches.categories)) +
    rows(source, 'brands').length +
    rows(source, 'products').length +
    optionCalls(source) +
    modifiers.length +
    modifiers.filter((modifier) => isAdjustedCheckbox(source, modifier)).length +
    rows(source, 'reviews').length +
    rows(source, 'complex_rules').length +
    Math.ceil(rows(source, 'products').filter(namesProducts).length / productUpdateBatch) +
    orderedCategories(source) +
    Math.ceil(rows(source, 'customs_information').length / customsBatch) +
    Math.ceil(assignments(source, destination) / batches.channelAssignments) +
    sum(metafieldTables, (table) => Math.ceil(rows(source, table).length / batches.metafields)) +
    rows(source, 'price_lists').length +
    sum(pricesByList(source), (prices) => Math.ceil(prices.length / priceBatch)) +
    rows(source, 'customer_groups').length +
    rows(source, 'wishlists').length +
    rows(source, 'pages').length +
    rows(source, 'blog_posts').length +
    Math.ceil(rows(source, 'redirects').length / redirectBatch) +
    Math.ceil(rows(source, 'segments').length / segmentBatch) +
    Math.ceil(rows(source, 'shopper_profiles').length / segmentBatch) +
    sum(membersBySegment(source), (members) => Math.ceil(members.length / segmentBatch)) +
    rows(source, 'coupons').length +
    rows(source, 'gift_certificates').length +
    rows(source, 'promotions').length +
    // They are created disabled, and enabled at the end.
    rows(source, 'promotions').filter(({ status }) => status === 'ENABLED').length +
    rows(source, 'promotion_codes').length +
    Math.ceil(rows(source, 'price_list_assignments').length / assignmentBatch) +
    aroundTheCatalogue(source, destination) +
    shoppers(source, destination)
  )
}

function membersBySegment(source: StoreState): StateRow[][] {
  return [...Map.groupBy(rows(source, 'segment_members'), ({ segment_id }) => segment_id).values()]
}

/** Defaults of every store are left as they are. */
function aroundTheCatalogue(source: StoreState, destination: StoreState): number {
  const missingIn = (table: string, key: string) => without(rows(source, table), rows(destination, table), key)
  const channels = new Set(rows(destination, 'channels').map(({ id }) => id))
  return (
    missingIn('currencies', 'currency_code').length +
    Math.ceil(missingIn('tax_classes', 'name').length / taxClassBatch) +
    Math.ceil(missingIn('locations', 'id').length / plainBatch) +
    Math.ceil(missingIn('tax_zones', 'id').length / plainBatch) +
    Math.ceil(rows(source, 'tax_rates').length / plainBatch) +
    Math.ceil(rows(source, 'tax_properties').length / plainBatch) +
    rows(source, 'shipping_zones').length +
    rows(source, 'shipping_methods').filter(({ type }) => ownPrices.includes(type)).length +
    rows(source, 'settings').filter(({ channel_id }) => channels.has(Number(channel_id))).length
  )
}

/** A customer's create call contains ten addresses and values, and form fields; subscribers are created one by one. */
function shoppers(source: StoreState, destination: StoreState): number {
  const beyond = (table: string) =>
    sum([...byCustomer(rows(source, table)).values()], (own) => Math.max(0, own.length - customerBatch))
  return (
    Math.ceil(
      without(rows(source, 'customer_attributes'), rows(destination, 'customer_attributes'), 'name').length /
        plainBatch,
    ) +
    Math.ceil(rows(source, 'customers').length / customerBatch) +
    Math.ceil(beyond('customer_addresses') / customerBatch) +
    Math.ceil(beyond('customer_attribute_values') / customerBatch) +
    rows(source, 'subscribers').length
  )
}

/** Items that the other store does not have. Default locations and zones have the same id in both stores. */
function without(desired: StateRow[], existing: StateRow[], key: string): StateRow[] {
  const known = new Set(existing.map((row) => row[key]))
  return desired.filter((row) => !known.has(row[key]))
}

function byCustomer(of: StateRow[]): Map<unknown, StateRow[]> {
  return Map.groupBy(of, ({ customer_id }) => customer_id)
}

/** Pages for customers with more than their own page contains. */
function pagesOfMany(of: StateRow[]): number {
  const many = [...byCustomer(of).values()].filter((own) => own.length > customerBatch).flat()
  return many.length === 0 ? 0 : pages(many, page)
}

function settingCalls(state: StoreState): number {
  const storefronts = rows(state, 'channels').filter(
    ({ type, status }) => type === 'storefront' && status !== 'deleted',
  )
  const each = settingsOfStorefront + otherSettings.storefront
  return channelLists + settingsOfStore + otherSettings.store + storefronts.length * each
}

function pricesByList(source: StoreState): StateRow[][] {
  const prices = Map.groupBy(rows(source, 'price_records'), (price) => price.price_list_id)
  return rows(source, 'price_lists').map(({ id }) => prices.get(id) ?? [])
}

function codesByPromotion(source: StoreState): StateRow[][] {
  const codes = Map.groupBy(rows(source, 'promotion_codes'), (code) => code.promotion_id)
  const byCoupon = rows(source, 'promotions').filter(({ redemption_type }) => redemption_type === 'COUPON')
  return byCoupon.map(({ id }) => codes.get(id) ?? [])
}

/** Level of a category in its tree. */
function levelIn(source: StoreState): (category: StateRow) => number {
  const categories = new Map(rows(source, 'categories').map((category) => [category.id, category]))
  return function level(category): number {
    const parent = categories.get(Number(category.parent_id))
    return parent ? 1 + level(parent) : 0
  }
}

/**
 * Creating variants also creates their options: as radio buttons, in order of first appearance, without colours or a
 * default. One call per option corrects any difference; a value that no variant uses takes a separate call.
 */
function optionCalls(source: StoreState): number {
  const values = Map.groupBy(rows(source, 'option_values'), (value) => value.option_id)
  const variants = Map.groupBy(rows(source, 'variants'), (variant) => variant.product_id)
  return sum([...Map.groupBy(rows(source, 'options'), (option) => option.product_id).values()], (options) => {
    const chosen = choicesOf(variants.get(options[0]?.product_id) ?? [])
    const order = [...new Set(chosen.map((choice) => choice.option_id))]
    return sum(options, (option) => {
      const used = [...new Set(chosen.filter((choice) => choice.option_id === option.id).map((choice) => choice.id))]
      const own = values.get(option.id) ?? []
      if (used.length === 0) return 1
      const born = option.type === 'radio_buttons' && option.sort_order === order.indexOf(option.id)
      const plain = own.every((value) => isAsBorn(value, used.indexOf(value.id)))
      return (born && plain && isEmpty(option.config) ? 0 : 1) + (own.length - used.length)
    })
  })
}

interface Choice {
  option_id: number
  id: number
}

function choicesOf(variants: StateRow[]): Choice[] {
  // The sandbox stores option_values of a variant as pairs of ids.
  return variants.toSorted((a, b) => a.id - b.id).flatMap((variant) => (variant.option_values ?? []) as Choice[])
}

function isAsBorn(value: StateRow, position: number): boolean {
  if (position < 0) return true
  return value.sort_order === position && isEmpty(value.value_data) && !value.is_default
}

/** A checkbox is created with the values Yes and No; their adjusters take a second call. */
function isAdjustedCheckbox(source: StoreState, modifier: StateRow): boolean {
  if (modifier.type !== 'checkbox') return false
  const own = rows(source, 'modifier_values').filter((value) => value.modifier_id === modifier.id)
  return own.some((value) => hasAdjuster(value.adjusters))
}

function hasAdjuster(adjusters: unknown): boolean {
  const { price, weight, image_url, purchasing_disabled } = (adjusters ?? {}) as Record<string, unknown>
  const disabled = (purchasing_disabled as { status?: boolean } | undefined)?.status === true
  return !isEmpty(price) || !isEmpty(weight) || Boolean(image_url) || disabled
}

/** In a batch at the end, because the other products may not exist earlier. */
function namesProducts({ related_products: related }: StateRow): boolean {
  return Array.isArray(related) && related.some((id) => id > 0)
}

function orderedCategories(source: StoreState): number {
  const positioned = rows(source, 'product_categories').filter(({ sort_order }) => typeof sort_order === 'number')
  return new Set(positioned.map((link) => link.category_id)).size
}

/** Assignments to channels of both stores. The platform does not guarantee that a new product is on the first one. */
function assignments(source: StoreState, destination: StoreState): number {
  const channels = new Set(rows(destination, 'channels').map((channel) => channel.id))
  return rows(source, 'product_channel_assignments').filter(({ channel_id }) => channels.has(Number(channel_id))).length
}

function rows(state: StoreState, table: string): StateRow[] {
  return state[table] ?? []
}

/** Even an empty list takes a call. */
function pages(items: unknown[], perPage: number): number {
  return Math.max(1, Math.ceil(items.length / perPage))
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function sum<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
