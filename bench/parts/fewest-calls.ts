type Row = { id: number } & Record<string, unknown>
/** Table to rows, as a sandbox store tells them. */
export type State = Record<string, Row[]>

/** The two stores before a copy, as the formula counts in them. */
export class Shops {
  private readonly source: State
  private readonly destination: State

  constructor(source: State, destination: State) {
    this.source = source
    this.destination = destination
  }

  rows(table: string): Row[] {
    return this.source[table] ?? []
  }

  count(table: string, counts: (row: Row) => boolean = () => true): number {
    return this.rows(table).filter(counts).length
  }

  /** What an empty store was born with is not made again. */
  fresh(table: string): number {
    return Math.max(0, this.count(table) - this.born(table))
  }

  /** With how many of them the destination was born. */
  born(table: string): number {
    return this.destination[table]?.length ?? 0
  }

  /** How many have something of the table hanging on them. */
  owners(table: string, field: string, counts: (row: Row) => boolean = () => true): number {
    return this.sizes(table, field, counts).size
  }

  /** How much of the table hangs on each of its owners. */
  sizes(table: string, field: string, counts: (row: Row) => boolean = () => true): Map<unknown, number> {
    const groups = Map.groupBy(this.rows(table).filter(counts), (row) => row[field])
    return new Map([...groups].map(([owner, { length }]) => [owner, length]))
  }
}

/** The fewest calls that one entity can be copied with into a store that has none of it. */
interface Fewest {
  entity: string
  /** What its calls are addressed to, with a star for each id: nobody else's calls begin so. */
  paths: RegExp
  tables: string[]
  /** Pages of the source, and what no page shows. */
  reads(shops: Shops): number
  /**
   * What a rule of the engine has it ask the destination. An empty list costs a call as well; a list below something that does not
   * stand there yet costs none.
   */
  looks(shops: Shops): number
  writes(shops: Shops): number
}

/** The most that the platform shows at once: of most lists, and of places with what is in them. */
const page = 250
const pageOfPlaces = 1_000
/** Products with their options and modifiers. */
const pageOfProducts = 10

/**
 * The most that one call takes, where the platform says so. Where it does not, what it never refused: ten of most things, fifty of
 * metafields and redirects.
 */
const batches = {
  attributes: 10,
  categories: 10,
  customers: 10,
  locations: 10,
  pages: 10,
  tax: 10,
  relatedProducts: 10,
  assignmentsOfPriceLists: 25,
  customs: 50,
  metafields: 50,
  redirects: 50,
  segments: 50,
  taxClasses: 50,
  templateAssociations: 100,
  channelAssignments: 250,
  priceRecords: 1_000,
  stock: 2_000,
}

const calls = (items: number, size: number) => Math.ceil(items / size)
/** A list is read until it ends, so that an empty one costs a call. */
const pages = (items: number, size = page) => Math.max(1, calls(items, size))
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)

/** The list of metafields of a kind. */
const metafields = (kind: string) => ({
  reads: (shops: Shops) => pages(shops.count(`${kind}_metafields`)),
  looks: 1,
  writes: (shops: Shops) => calls(shops.count(`${kind}_metafields`), batches.metafields),
})

/** Settings of a store, each read on both sides and written where the source has something of its own. */
const settingGroups = 13

/**
 * A list of which each item takes a call. `looksPerItem`: the platform enforces no key, so that what stands there is asked for just
 * before each call (B3). Others may make the like at any time, so that no list from before says it.
 */
function oneByOne(entity: string, paths: RegExp, table: string, looksPerItem: 0 | 1 = 0): Fewest {
  return {
    entity,
    paths,
    tables: [table],
    reads: (shops) => pages(shops.count(table)),
    looks: (shops) => 1 + looksPerItem * shops.fresh(table),
    writes: (shops) => shops.fresh(table),
  }
}

/** In the order of the run. Symbols and sizes are those of the platform's documentation, and the rules those of the engine. */
export const fewest: readonly Fewest[] = [
  oneByOne('currencies', /^\/v2\/currencies/, 'currencies'),
  {
    entity: 'tax-classes',
    paths: /^\/(v2\/tax_classes|v3\/tax\/classes)/,
    tables: ['tax_classes'],
    reads: (shops) => pages(shops.count('tax_classes')),
    looks: () => 1,
    writes: (shops) => calls(shops.fresh('tax_classes'), batches.taxClasses),
  },
  {
    entity: 'locations',
    paths: /^\/v3\/inventory\/locations/,
    tables: ['locations'],
    reads: (shops) => pages(shops.count('locations'), pageOfPlaces),
    // The answer to new ones names no ids.
    looks: (shops) => 1 + calls(shops.fresh('locations'), batches.locations),
    writes: (shops) => calls(shops.fresh('locations'), batches.locations),
  },
  {
    entity: 'settings',
    paths: /^\/v3\/settings\/(?!email-statuses|search\/filters)/,
    tables: ['settings'],
    reads: () => settingGroups,
    looks: () => settingGroups,
    writes: (shops) => shops.count('settings'),
  },
  oneByOne('channel-currencies', /^\/v3\/channels\/currency-assignments/, 'channel_currencies'),
  {
    entity: 'categories',
    paths: /^\/v3\/catalog\/(trees|categories(?!\/\*\/products))/,
    tables: ['category_trees', 'categories', 'category_metafields'],
    reads: (shops) =>
      pages(shops.count('category_trees')) + pages(shops.count('categories')) + metafields('category').reads(shops),
    looks: () => 1 + 1 + metafields('category').looks,
    // Parents before what is below them (C5).
    writes: (shops) =>
      sum(levels(shops).map((size) => calls(size, batches.categories))) + metafields('category').writes(shops),
  },
  {
    entity: 'brands',
    paths: /^\/v3\/catalog\/brands/,
    tables: ['brands', 'brand_metafields'],
    reads: (shops) => pages(shops.count('brands')) + metafields('brand').reads(shops),
    looks: () => 1 + metafields('brand').looks,
    writes: (shops) => shops.count('brands') + metafields('brand').writes(shops),
  },
  {
    entity: 'products',
    paths: /^\/v3\/(catalog\/(products|variants|summary|categories\/\*\/products)|shipping\/products)/,
    tables: [
      'products',
      'options',
      'modifiers',
      'complex_rules',
      'reviews',
      'product_metafields',
      'variant_metafields',
    ],
    reads: (shops) =>
      pages(shops.count('products'), pageOfProducts) +
      // The platform lists rules by product, and an order of products by category: those that can have any are asked one by one.
      shops.owners('modifiers', 'product_id', hasValues(shops)) +
      shops.count('categories') +
      pages(shops.count('customs_information')) +
      metafields('product').reads(shops) +
      metafields('variant').reads(shops),
    // The list, and once more what was written, for its checksum (C2); customs.
    looks: (shops) =>
      1 + calls(shops.count('products'), page) + 1 + metafields('product').looks + metafields('variant').looks,
    writes: (shops) =>
      // The platform makes products, options, modifiers, rules and reviews one by one. Each option has a look or an order that no new
      // product can say.
      shops.count('products') +
      shops.count('options') +
      shops.count('modifiers') +
      shops.owners('modifier_values', 'modifier_id', isAdjusted(shops)) +
      shops.count('complex_rules') +
      shops.count('reviews') +
      calls(shops.count('products', namesLater), batches.relatedProducts) +
      calls(shops.count('product_channel_assignments'), batches.channelAssignments) +
      shops.owners('product_categories', 'category_id', ({ sort_order }) => Number(sort_order ?? 0) !== 0) +
      calls(shops.count('customs_information'), batches.customs) +
      metafields('product').writes(shops) +
      metafields('variant').writes(shops),
  },
  {
    entity: 'price-lists',
    paths: /^\/v3\/pricelists/,
    tables: ['price_lists', 'price_records', 'price_list_assignments'],
    reads: (shops) =>
      pages(shops.count('price_lists')) +
      // Prices are listed by their list.
      sum(recordsOf(shops).map((count) => pages(count))) +
      pages(shops.count('price_list_assignments')),
    looks: () => 1 + 1,
    writes: (shops) =>
      shops.count('price_lists') +
      sum(recordsOf(shops).map((count) => calls(count, batches.priceRecords))) +
      calls(shops.count('price_list_assignments'), batches.assignmentsOfPriceLists),
  },
  oneByOne('customer-groups', /^\/v2\/customer_groups/, 'customer_groups'),
  {
    entity: 'customer-settings',
    paths: /^\/v3\/customers\/settings/,
    tables: ['customer_settings'],
    // The general ones, and those of each storefront.
    reads: (shops) => 1 + shops.count('channels'),
    looks: (shops) => 1 + shops.count('channels'),
    writes: (shops) => shops.count('customer_settings'),
  },
  {
    entity: 'customer-attributes',
    paths: /^\/v3\/customers\/attributes/,
    tables: ['customer_attributes'],
    reads: (shops) => pages(shops.count('customer_attributes')),
    looks: () => 1,
    writes: (shops) => calls(shops.count('customer_attributes'), batches.attributes),
  },
  {
    entity: 'customers',
    paths: /^\/v3\/customers(?!\/(subscribers|settings|attributes))/,
    tables: ['customers', 'customer_addresses', 'customer_form_fields', 'customer_metafields'],
    reads: (shops) => pages(shops.count('customers')) + metafields('customer').reads(shops),
    looks: (shops) => 1 + calls(shops.count('customers'), page) + metafields('customer').looks,
    writes: (shops) =>
      calls(shops.count('customers'), batches.customers) +
      calls(overflow(shops, 'customer_addresses'), batches.customers) +
      calls(overflow(shops, 'customer_attribute_values'), batches.customers) +
      metafields('customer').writes(shops),
  },
  {
    entity: 'segments',
    paths: /^\/v3\/(segments|shopper-profiles)/,
    tables: ['segments', 'shopper_profiles', 'segment_members'],
    reads: (shops) => pages(shops.count('segments')) + pages(shops.count('shopper_profiles')),
    looks: () => 1 + 1,
    writes: (shops) =>
      calls(shops.count('segments'), batches.segments) +
      calls(shops.count('shopper_profiles'), batches.segments) +
      sum([...shops.sizes('segment_members', 'segment_id').values()].map((size) => calls(size, batches.segments))),
  },
  oneByOne('subscribers', /^\/v3\/customers\/subscribers/, 'subscribers'),
  oneByOne('wishlists', /^\/v3\/wishlists/, 'wishlists'),
  oneByOne('gift-certificates', /^\/v2\/gift_certificates/, 'gift_certificates'),
  oneByOne('coupons', /^\/v2\/coupons/, 'coupons'),
  {
    entity: 'shipping',
    paths: /^\/(v2\/shipping|v3\/shipping\/settings)/,
    tables: ['shipping_zones', 'shipping_methods'],
    reads: (shops) =>
      // Methods are listed by their zone.
      pages(shops.count('shipping_zones')) + shops.count('shipping_zones') + 1 + shops.count('channels'),
    // Methods of zones that stand there.
    looks: (shops) => 1 + shops.born('shipping_zones') + 1 + shops.count('channels'),
    writes: (shops) => shops.fresh('shipping_zones') + shops.fresh('shipping_methods'),
  },
  {
    entity: 'tax',
    paths: /^\/v3\/tax\/(settings|zones|rates|properties)/,
    tables: ['tax_zones', 'tax_rates', 'tax_properties'],
    reads: (shops) => 1 + sum(taxLists.map((table) => pages(shops.count(table)))),
    // Of zones and rates what stands there is looked at before each call (B3).
    looks: (shops) =>
      1 + taxLists.length + sum(taxLists.slice(0, 2).map((table) => calls(shops.fresh(table), batches.tax))),
    writes: (shops) => sum(taxLists.map((table) => calls(shops.fresh(table), batches.tax))),
  },
  {
    entity: 'promotions',
    paths: /^\/v3\/promotions/,
    tables: ['promotions', 'promotion_codes'],
    // The platform lists codes by their promotion.
    reads: (shops) => 1 + pages(shops.count('promotions')) + sum(codesOf(shops).map((count) => pages(count))),
    // What has no key of its own is asked for before each call (B3).
    looks: (shops) => 1 + 1 + shops.count('promotions'),
    // They sell nothing before everything is there: the enabled ones are switched on at the end (D5).
    writes: (shops) =>
      shops.count('promotions') +
      shops.count('promotion_codes') +
      shops.count('promotions', ({ status }) => status === 'ENABLED'),
  },
  {
    ...oneByOne('pages', /^\/v3\/content\/pages/, 'pages'),
    writes: (shops) => calls(shops.fresh('pages'), batches.pages),
  },
  oneByOne('blog-posts', /^\/v2\/blog/, 'blog_posts', 1),
  {
    entity: 'redirects',
    paths: /^\/v3\/storefront\/redirects/,
    tables: ['redirects'],
    reads: (shops) => pages(shops.count('redirects')),
    looks: () => 1,
    writes: (shops) => calls(shops.count('redirects'), batches.redirects),
  },
  oneByOne('widget-templates', /^\/v3\/content\/widget-templates/, 'widget_templates', 1),
  {
    entity: 'custom-template-associations',
    paths: /^\/v3\/storefront\/custom-template-associations/,
    tables: ['custom_template_associations'],
    reads: (shops) => pages(shops.count('custom_template_associations')),
    looks: () => 1,
    writes: (shops) => calls(shops.count('custom_template_associations'), batches.templateAssociations),
  },
  {
    entity: 'page-widgets',
    paths: /^\/v3\/content\/(page-widgets|placements)/,
    tables: ['page_contexts', 'global_contexts'],
    // A list of the places, then each of them.
    reads: (shops) => 1 + shops.count('page_contexts') + shops.count('global_contexts'),
    looks: () => 1 + 1,
    writes: (shops) => shops.count('page_contexts') + shops.count('global_contexts'),
  },
  {
    entity: 'search-filters',
    paths: /^\/v3\/settings\/search\/filters/,
    tables: ['search_filter_contexts'],
    reads: (shops) => 1 + pages(shops.count('search_filter_contexts')),
    looks: () => 1 + 1,
    writes: (shops) => shops.count('search_filter_contexts'),
  },
  {
    ...oneByOne('scripts', /^\/v3\/content\/scripts/, 'scripts', 1),
    writes: (shops) => shops.count('scripts') + shops.count('scripts', ({ enabled }) => enabled === true),
  },
  oneByOne('banners', /^\/v2\/banners/, 'banners', 1),
  oneByOne('email-templates', /^\/v3\/marketing\/email-templates/, 'email_templates'),
  {
    entity: 'orders',
    paths: /^\/(v2\/orders|v3\/orders\/metafields)/,
    tables: ['orders', 'order_shipments', 'order_metafields'],
    // No list shows more than the first lines of an order, nor its coupons and shipments: it says which orders have any.
    reads: (shops) =>
      pages(shops.count('orders')) +
      sum([...shops.sizes('order_products', 'order_id').values()].map((lines) => calls(lines - inlineLines, page))) +
      shops.owners('order_coupons', 'order_id') +
      shops.owners('order_shipments', 'order_id') +
      metafields('order').reads(shops),
    looks: () => 1 + metafields('order').looks,
    writes: (shops) => shops.count('orders') + shops.count('order_shipments') + metafields('order').writes(shops),
  },
  {
    entity: 'inventory',
    paths: /^\/v3\/inventory\/(items|adjustments)/,
    tables: ['stock'],
    reads: (shops) => pages(shops.count('stock'), pageOfPlaces),
    looks: (shops) => pages(shops.count('stock'), pageOfPlaces),
    writes: (shops) => calls(shops.count('stock'), batches.stock),
  },
  {
    entity: 'whatever is copied',
    // What both stores are, where they sell, what they show there, and the mails that are muted meanwhile (D5).
    paths:
      /^\/(v2\/(store|time|payments)|v3\/(channels(?!\/currency)|sites|hooks|themes|orders\/settings|settings\/email-statuses))/,
    tables: ['channels', 'sites'],
    reads: (shops) => 1 + 1 + pages(shops.count('channels')) + pages(shops.count('sites')),
    looks: () => 1 + 1 + 1 + 1 + 1,
    writes: () => 1 + 1,
  },
]

const taxLists = ['tax_zones', 'tax_rates', 'tax_properties']
/** Lines of an order that the list of orders shows. */
const inlineLines = 50
/** A new customer takes so many addresses and so many values. */
const inlineParts = 10

/** What is copied after it cannot be named when it is made. */
const namesLater = ({ id, related_products: ids }: Row) => Array.isArray(ids) && ids.some((one) => Number(one) > id)

function overflow(shops: Shops, table: string): number {
  return sum([...shops.sizes(table, 'customer_id').values()].map((size) => Math.max(0, size - inlineParts)))
}

/** Only what has a value to choose can take part in a rule. */
function hasValues(shops: Shops): (modifier: Row) => boolean {
  const owners = shops.sizes('modifier_values', 'modifier_id')
  return ({ id }) => owners.has(id)
}

/** A checkbox brings its own Yes and No; what they add to the price is said afterwards. */
function isAdjusted(shops: Shops): (value: Row) => boolean {
  const checkboxes = new Set(shops.rows('modifiers').flatMap(({ id, type }) => (type === 'checkbox' ? [id] : [])))
  return ({ modifier_id }) => checkboxes.has(Number(modifier_id))
}

function recordsOf(shops: Shops): number[] {
  const sizes = shops.sizes('price_records', 'price_list_id')
  return shops.rows('price_lists').map(({ id }) => sizes.get(id) ?? 0)
}

function codesOf(shops: Shops): number[] {
  const sizes = shops.sizes('promotion_codes', 'promotion_id')
  return shops
    .rows('promotions')
    .flatMap(({ id, redemption_type: type }) => (type === 'COUPON' ? [sizes.get(id) ?? 0] : []))
}

/** How many categories there are at each depth. */
function levels(shops: Shops): number[] {
  const sizes: number[] = []
  for (let parents = new Set([0]); ; ) {
    const below = shops.rows('categories').filter(({ parent_id }) => parents.has(Number(parent_id)))
    if (below.length === 0) return sizes
    sizes.push(below.length)
    parents = new Set(below.map(({ id }) => id))
  }
}
