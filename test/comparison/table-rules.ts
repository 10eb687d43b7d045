import { shopText } from './shop-texts.ts'
import type { Row, StoreSide } from './store-side.ts'

type Fields = Record<string, unknown>

/** How the rows of one table are recognised in another store. */
export interface TableRules {
  table: string
  entity: string
  /** Fields that hold an id of a table. */
  references: Record<string, string>
  /** Which of the references say what the row hangs on; the first that is not 0 counts. */
  parents: string[]
  /** The row may hang on something else and still be the same row. */
  mayMove?: boolean
  /** Natural keys among rows that hang on the same thing, strongest first. None: what it looks like decides. */
  keys(row: Row, side: StoreSide): string[]
  /** Whether the row says anything; one that does not is as good as none. */
  says?(row: Row): boolean
  /** What a person calls it when it has no keys. */
  label?(row: Row): string
  /** Replaces fields that hold ids or addresses deeper inside. */
  rewritten?(row: Row, side: StoreSide): Fields
}

const text = (value: unknown): string => String(value ?? '').trim()

/** Parents and everything referred to come first. */
export const tableRules: readonly TableRules[] = [
  {
    table: 'tax_classes',
    entity: 'tax-classes',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
  },
  {
    table: 'locations',
    entity: 'locations',
    references: {},
    parents: [],
    keys: (row) => [row.id === bornWith ? 'default location' : text(row.code)],
    // A plain run leaves alone what every store has.
    rewritten: (row) => (row.id === bornWith ? Object.fromEntries(Object.keys(row).map((field) => [field, ''])) : {}),
  },
  {
    table: 'currencies',
    entity: 'currencies',
    references: {},
    parents: [],
    keys: (row) => [text(row.currency_code)],
    rewritten: ({ currency_exchange_rate: rate, auto_update }) => ({
      // A rate that the platform keeps up to date is another one every day.
      currency_exchange_rate: auto_update === true ? 'of the day' : Number(rate),
    }),
  },
  {
    table: 'category_trees',
    entity: 'category-trees',
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [text(side.refer('channels', row.channel_id))],
  },
  {
    table: 'categories',
    entity: 'categories',
    references: { tree_id: 'category_trees', parent_id: 'categories' },
    parents: ['parent_id', 'tree_id'],
    mayMove: true,
    keys: (row) => [text(row.name)],
    rewritten: (row, side) => ({ ...withPictureName(row), ...withTexts(row, side, 'description') }),
  },
  {
    table: 'brands',
    entity: 'brands',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
    rewritten: (row, side) => ({ ...withPictureName(row), ...withTexts(row, side, 'meta_description') }),
  },
  {
    table: 'products',
    entity: 'products',
    references: { brand_id: 'brands', tax_class_id: 'tax_classes' },
    parents: [],
    // Prefixed, so that a SKU that is spelled like another product's name finds nobody.
    keys: (row) => [...(row.sku ? [`SKU ${text(row.sku)}`] : []), text(row.name)],
    rewritten: (row, side) => ({
      ...withTexts(row, side, 'description', 'warranty'),
      categories: categoriesOf(row, side),
      related_products: relatedTo(row, side),
      // The store shows the sum of the variants, which are compared themselves, and never looks at this.
      ...(row.inventory_tracking === 'variant' && { inventory_level: undefined }),
    }),
  },
  {
    table: 'options',
    entity: 'product-options',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [text(row.display_name)],
  },
  {
    table: 'option_values',
    entity: 'product-option-values',
    references: { product_id: 'products', option_id: 'options' },
    parents: ['option_id'],
    keys: (row) => [text(row.label)],
    rewritten: ({ value_data }, side) => ({ value_data: pointing(value_data, side) }),
  },
  {
    table: 'variants',
    entity: 'product-variants',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row, side) => [choicesOf(row, side).join(', ') || 'base variant'],
    rewritten: (row, side) => ({ option_values: choicesOf(row, side), image_url: pictureName(row.image_url) }),
  },
  {
    table: 'modifiers',
    entity: 'product-modifiers',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [text(row.display_name)],
  },
  {
    table: 'modifier_values',
    entity: 'product-modifier-values',
    references: { product_id: 'products', modifier_id: 'modifiers' },
    parents: ['modifier_id'],
    keys: (row) => [text(row.label)],
    rewritten: ({ value_data, adjusters }, side) => ({
      value_data: pointing(value_data, side),
      adjusters: isObject(adjusters) ? { ...adjusters, ...withPictureName(adjusters) } : adjusters,
    }),
  },
  {
    table: 'images',
    entity: 'product-images',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => [],
    label: (row) => pictureName(row.image_file),
    rewritten: (row) => ({ image_file: pictureName(row.image_file) }),
  },
  {
    table: 'custom_fields',
    entity: 'product-custom-fields',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [`${text(row.name)}: ${text(row.value)}`],
  },
  {
    table: 'product_videos',
    entity: 'product-videos',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => [],
    label: (row) => text(row.title),
  },
  {
    table: 'bulk_pricing_rules',
    entity: 'product-bulk-pricing-rules',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row) => [`from ${row.quantity_min}`],
  },
  {
    table: 'complex_rules',
    entity: 'product-complex-rules',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: (row, side) => [conditionsOf(row, side).join(', ')],
    rewritten: (row, side) => ({ conditions: conditionsOf(row, side), ...withPictureName(row) }),
  },
  {
    table: 'reviews',
    entity: 'product-reviews',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => [],
    label: (row) => text(row.title),
  },
  {
    table: 'customs_information',
    entity: 'product-customs-information',
    references: { product_id: 'products' },
    parents: ['product_id'],
    keys: () => ['customs'],
  },
  {
    table: 'product_channel_assignments',
    entity: 'product-channel-assignments',
    references: { product_id: 'products', channel_id: 'channels' },
    parents: ['product_id'],
    keys: (row, side) => [text(side.refer('channels', row.channel_id))],
  },
  {
    table: 'price_lists',
    entity: 'price-lists',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
  },
  {
    table: 'price_records',
    entity: 'price-records',
    references: { price_list_id: 'price_lists', variant_id: 'variants', product_id: 'products' },
    parents: ['price_list_id'],
    keys: (row, side) => [`${text(side.refer('variants', row.variant_id))} in ${text(row.currency)}`],
    // The platform leaves out a price that is not set, however that was said.
    rewritten: ({ price, sale_price, retail_price, map_price }) => ({
      price: price ?? null,
      sale_price: sale_price ?? null,
      retail_price: retail_price ?? null,
      map_price: map_price ?? null,
    }),
  },
  {
    table: 'customer_groups',
    entity: 'customer-groups',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
    rewritten: (row, side) => ({ discount_rules: rulesOf(row, side), category_access: accessOf(row, side) }),
  },
  {
    table: 'price_list_assignments',
    entity: 'price-list-assignments',
    references: { price_list_id: 'price_lists', customer_group_id: 'customer_groups', channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [
      `${text(side.refer('customer_groups', row.customer_group_id))} in ${text(side.refer('channels', row.channel_id))}`,
    ],
  },
  {
    table: 'shipping_zones',
    entity: 'shipping-zones',
    references: {},
    parents: [],
    keys: (row) => [`${text(row.name)} (${row.type})`],
    rewritten: ({ locations }) => ({ locations: placesOf(locations) }),
  },
  {
    table: 'shipping_methods',
    entity: 'shipping-methods',
    references: { zone_id: 'shipping_zones' },
    parents: ['zone_id'],
    keys: (row) => [`${text(row.name)} (${row.type})`],
    rewritten: ({ channel_ids }, side) => ({
      channel_ids: (channel_ids as unknown[]).map((id) => text(side.refer('channels', id))).sort(),
    }),
  },
  {
    table: 'tax_zones',
    entity: 'tax-zones',
    references: {},
    parents: [],
    keys: (row) => [row.id === bornWith ? 'default zone' : text(row.name)],
    rewritten: ({ shopper_target_settings: target }, side) => ({ shopper_target_settings: targetOf(target, side) }),
  },
  {
    table: 'tax_rates',
    entity: 'tax-rates',
    references: { tax_zone_id: 'tax_zones' },
    parents: ['tax_zone_id'],
    keys: (row) => [text(row.name)],
    rewritten: ({ class_rates }, side) => ({ class_rates: classRatesOf(class_rates, side) }),
  },
  {
    table: 'tax_properties',
    entity: 'tax-properties',
    references: {},
    parents: [],
    keys: (row) => [`${text(row.code)} (${row.type})`],
  },
  metafieldRules('product_metafields', 'product-metafields', 'products'),
  metafieldRules('category_metafields', 'category-metafields', 'categories'),
  metafieldRules('brand_metafields', 'brand-metafields', 'brands'),
  metafieldRules('variant_metafields', 'variant-metafields', 'variants'),
  {
    table: 'customer_attributes',
    entity: 'customer-attributes',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
  },
  {
    table: 'customers',
    entity: 'customers',
    references: { origin_channel_id: 'channels', customer_group_id: 'customer_groups' },
    parents: [],
    keys: (row, side) => [`${text(row.email).toLowerCase()} in ${entered(row, side)}`],
    rewritten: (row, side) => ({ channel_ids: entered(row, side) }),
  },
  {
    table: 'customer_addresses',
    entity: 'customer-addresses',
    references: { customer_id: 'customers' },
    parents: ['customer_id'],
    keys: ({ id: _id, customer_id: _owner, ...row }) => [Object.values(row).map(text).join('/')],
  },
  {
    table: 'customer_attribute_values',
    entity: 'customer-attribute-values',
    references: { customer_id: 'customers', attribute_id: 'customer_attributes' },
    parents: ['customer_id'],
    keys: (row, side) => [text(side.refer('customer_attributes', row.attribute_id))],
  },
  {
    table: 'customer_form_fields',
    entity: 'customer-form-fields',
    references: { customer_id: 'customers', address_id: 'customer_addresses' },
    parents: ['address_id', 'customer_id'],
    keys: (row) => [text(row.name)],
  },
  {
    table: 'customer_consents',
    entity: 'customer-consents',
    references: { customer_id: 'customers' },
    parents: ['customer_id'],
    keys: () => ['consent'],
    rewritten: ({ allow, deny }) => ({ allow: sorted(allow), deny: sorted(deny) }),
  },
  metafieldRules('customer_metafields', 'customer-metafields', 'customers'),
  {
    table: 'orders',
    entity: 'orders',
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row) => [orderNumber(row)],
    rewritten: (row, side) => ({
      customer_id: side.nameOf('customers', row.customer_id)?.full ?? 'nobody',
      staff_notes: text(row.staff_notes).split('--- Copied from another store ---')[0]?.trim(),
      goods: side.where('order_products', 'order_id', row.id).map((line) => goodsOf(line, side)),
      addresses: side.where('order_addresses', 'order_id', row.id).map(withoutIds),
      fees: side.where('order_fees', 'order_id', row.id).map(withoutIds),
      // One that failed at first comes behind the others.
      shipments: side
        .where('order_shipments', 'order_id', row.id)
        .map((shipment) => JSON.stringify(shipmentOf(shipment, side)))
        .sort(),
    }),
  },
  metafieldRules('order_metafields', 'order-metafields', 'orders'),
  {
    table: 'stock',
    entity: 'inventory',
    references: { product_id: 'products', variant_id: 'variants', location_id: 'locations' },
    parents: ['variant_id', 'product_id'],
    keys: (row, side) => [text(side.refer('locations', row.location_id))],
    // The default location's is with the catalogue; where nobody has counted there is nothing.
    says: ({ location_id, quantity }) => location_id !== bornWith && Number(quantity ?? 0) !== 0,
  },
  {
    table: 'subscribers',
    entity: 'subscribers',
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [`${text(row.email).toLowerCase()} in ${text(side.refer('channels', row.channel_id))}`],
  },
  {
    table: 'scripts',
    entity: 'scripts',
    references: { channel_id: 'channels' },
    parents: ['channel_id'],
    keys: (row) => [text(row.name)],
    rewritten: (row, side) => withTexts(row, side, 'html', 'src'),
  },
  {
    table: 'banners',
    entity: 'banners',
    references: {},
    parents: [],
    keys: (row, side) => [`${row.page} ${row.location} ${text(shownWith(row, side))} ${text(row.name)}`],
    rewritten: (row, side) => ({ ...withTexts(row, side, 'content'), item_id: shownWith(row, side) }),
  },
  {
    table: 'segments',
    entity: 'segments',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
  },
  {
    table: 'shopper_profiles',
    entity: 'shopper-profiles',
    references: { customer_id: 'customers' },
    parents: ['customer_id'],
    keys: () => ['profile'],
  },
  {
    table: 'segment_members',
    entity: 'segment-members',
    references: { segment_id: 'segments', shopper_profile_id: 'shopper_profiles' },
    parents: ['segment_id'],
    keys: (row, side) => [text(side.refer('shopper_profiles', row.shopper_profile_id))],
  },
  {
    table: 'pages',
    entity: 'pages',
    references: { parent_id: 'pages', channel_id: 'channels' },
    parents: ['parent_id', 'channel_id'],
    mayMove: true,
    keys: (row) => [text(row.name), ...(row.url ? [text(row.url)] : [])],
    rewritten: (row, side) => withTexts(row, side, 'body', 'link'),
  },
  {
    table: 'blog_posts',
    entity: 'blog-posts',
    references: {},
    parents: [],
    keys: (row) => [text(row.url), text(row.title)],
    rewritten: (row, side) => ({
      published_date: Date.parse(text(row.published_date)),
      ...withTexts(row, side, 'body'),
    }),
  },
  {
    table: 'redirects',
    entity: 'redirects',
    references: {},
    parents: [],
    keys: (row) => [text(row.from_path)],
    rewritten: ({ to }, side) => ({ to: leadingTo(to, side) }),
  },
  {
    table: 'wishlists',
    entity: 'wishlists',
    references: { customer_id: 'customers' },
    parents: ['customer_id'],
    keys: (row) => [text(row.name)],
    rewritten: (row, side) => ({ items: wishesOf(row, side) }),
  },
  {
    table: 'gift_certificates',
    entity: 'gift-certificates',
    references: { customer_id: 'customers' },
    parents: [],
    keys: (row) => [text(row.code)],
  },
  {
    table: 'promotions',
    entity: 'promotions',
    references: {},
    parents: [],
    keys: (row) => [`${text(row.redemption_type)} ${text(row.name)}`],
    rewritten: (row, side) => ({
      rules: namesInside(row.rules, side),
      customer: namesInside(row.customer, side),
      channels: namesInside(row.channels, side, 'channels'),
    }),
  },
  {
    table: 'promotion_codes',
    entity: 'promotion-codes',
    references: { promotion_id: 'promotions' },
    parents: ['promotion_id'],
    keys: (row) => [text(row.code)],
  },
  {
    table: 'coupons',
    entity: 'coupons',
    references: {},
    parents: [],
    keys: (row) => [text(row.code)],
    rewritten: ({ applies_to }, side) => ({ applies_to: namingMembers(applies_to, side) }),
  },
  {
    table: 'widget_templates',
    entity: 'widget-templates',
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [`${text(row.kind)} ${text(row.name)} of ${text(side.refer('channels', row.channel_id))}`],
  },
  {
    table: 'custom_template_associations',
    entity: 'custom-template-associations',
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [
      `${text(itemOf(row.entity_type, row.entity_id, side))} in ${text(side.refer('channels', row.channel_id))}`,
    ],
    rewritten: (row, side) => ({ entity_id: itemOf(row.entity_type, row.entity_id, side) }),
  },
  {
    table: 'search_filter_contexts',
    entity: 'search-filter-contexts',
    references: { channel_id: 'channels', category_id: 'categories' },
    parents: [],
    keys: (row, side) => [
      `channel ${text(side.refer('channels', row.channel_id))} category ${text(side.refer('categories', row.category_id))}`,
    ],
    rewritten: ({ data }) => ({ data: filtersIn(data) }),
  },
  {
    table: 'themes',
    entity: 'themes',
    references: {},
    parents: [],
    keys: (row) => [text(row.name)],
    rewritten: (row) => ({ variations: namedVariations(row) }),
  },
  {
    table: 'theme_activations',
    entity: 'theme-activations',
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [text(side.refer('channels', row.channel_id))],
    rewritten: shownOn,
  },
  contextRules('page_contexts', 'page-widgets'),
  contextRules('global_contexts', 'global-widgets'),
]

/** Variations of a theme, by their names. The file of an activated one spells out what it shares with the others. */
function namedVariations({ variations, settings }: Row): unknown {
  const all = (variations ?? []) as Fields[]
  return all.map(({ uuid: _uuid, settings: own, ...said }) => ({
    ...said,
    settings: { ...asFields(settings), ...asFields(own) },
  }))
}

function asFields(value: unknown): Fields {
  return isObject(value) ? value : {}
}

/** What a storefront shows: the theme and its variation by name, and the settings it is shown with. */
function shownOn(row: Row, side: StoreSide): Fields {
  const [theme] = side.where('themes', 'uuid', row.theme_uuid)
  const [configuration] = side.where('theme_configurations', 'uuid', row.configuration_uuid)
  const variations = (theme?.variations ?? []) as Fields[]
  return {
    theme_uuid: theme ? text(theme.name) : 'the theme that every store has',
    variation_id: variations.find(({ uuid }) => uuid === configuration?.variation_id)?.name ?? 'another',
    configuration_uuid: configuration?.settings,
  }
}

/** What stands on a page, recognised by where it stands. */
function contextRules(table: string, entity: string): TableRules {
  const about = (row: Row, side: StoreSide) => {
    const [, type] = /^pages\/(?:custom\/)?(product|category|brand|page)(?:\/|$)/.exec(text(row.template_file)) ?? []
    return row.entity_id === '' ? '' : itemOf(type, row.entity_id, side)
  }
  return {
    table,
    entity,
    references: { channel_id: 'channels' },
    parents: [],
    keys: (row, side) => [
      [text(row.template_file), text(about(row, side)), 'in', text(side.refer('channels', row.channel_id))]
        .filter((part) => part !== '')
        .join(' '),
    ],
    rewritten: (row, side) => ({ entity_id: about(row, side), regions: namedOnPage(row.regions, side) }),
  }
}

/** Every store has other ids for the same filters, which say of what type they are and what by. */
function filtersIn(data: unknown): unknown {
  if (!Array.isArray(data)) return data
  return data.map((filter: unknown) => {
    if (!isObject(filter)) return filter
    const [type, , name] = Buffer.from(text(filter.id), 'base64').toString().split(':')
    return { ...filter, id: `${type}: ${name}` }
  })
}

const tablesOfTypes: Record<string, string> = {
  ...{ product: 'products', category: 'categories', brand: 'brands', page: 'pages' },
}

function itemOf(type: unknown, id: unknown, side: StoreSide): unknown {
  const table = tablesOfTypes[text(type)]
  return table ? side.refer(table, Number(id)) : id
}

/** The settings of widgets with names in the place of ids and addresses; what every store numbers by itself is left out. */
function namedOnPage(value: unknown, side: StoreSide): unknown {
  if (Array.isArray(value)) return value.map((one) => namedOnPage(one, side))
  if (!isObject(value)) return shopText(value, side)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !['uuid', 'placement_uuid'].includes(field))
      .map(([field, of]) => [field, namedSetting(field, of, side)]),
  )
}

function namedSetting(field: string, value: unknown, side: StoreSide): unknown {
  if (field === 'widget_template_uuid')
    return side.refer('widget_templates', side.where('widget_templates', 'uuid', value)[0]?.id ?? text(value))
  const [, type] = /^(product|category|brand|page)Ids?$/.exec(field) ?? []
  const name = (id: unknown) => (/^[1-9]\d*$/.test(text(id)) ? `${typeof id} ${text(itemOf(type, id, side))}` : id)
  if (type === undefined) return namedOnPage(value, side)
  return Array.isArray(value) ? value.map(name) : name(value)
}

/** Fields that hold ids wherever they stand in a promotion, and the table whose ids these are. */
const idsInside: Record<string, string> = {
  ...{ brands: 'brands', categories: 'categories', products: 'products', variants: 'variants' },
  ...{ product_id: 'products', variant_id: 'variants', zone_ids: 'shipping_zones' },
  ...{ group_ids: 'customer_groups', excluded_group_ids: 'customer_groups' },
}

/** `table` is that of the ids which the value, or a field called `id` of it, holds. */
function namesInside(value: unknown, side: StoreSide, table?: string): unknown {
  if (Array.isArray(value)) {
    const members = value.map((member) => namesInside(member, side, table))
    return value.every((member) => typeof member === 'number') ? members.map(String).sort() : members
  }
  if (typeof value === 'number') return table === undefined ? value : side.refer(table, value)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, of]) => [
      field,
      namesInside(of, side, field === 'id' ? table : idsInside[field]),
    ]),
  )
}

/** Ids of what a coupon holds for; 0 stands for everything. */
function namingMembers(scope: unknown, side: StoreSide): unknown {
  if (!isObject(scope) || !Array.isArray(scope.ids)) return scope
  const names = scope.ids.map((id: unknown) => (id === 0 ? 'all' : text(side.refer(text(scope.entity), id))))
  return { ...scope, ids: names.sort() }
}

function metafieldRules(table: string, entity: string, owners: string): TableRules {
  return {
    table,
    entity,
    references: { resource_id: owners },
    parents: ['resource_id'],
    keys: (row) => [`${text(row.namespace)}.${text(row.key)}`],
  }
}

const targetTables: Record<string, string> = {
  ...{ product: 'products', brand: 'brands', category: 'categories', page: 'pages', post: 'blog_posts' },
}

function leadingTo(to: unknown, side: StoreSide): unknown {
  if (!isObject(to)) return to
  const table = targetTables[text(to.type)]
  return table ? { ...to, entity_id: side.refer(table, to.entity_id) } : { ...to, ...withTexts(to, side, 'url') }
}

/** The storefronts that let a customer in. */
function entered({ channel_ids: ids }: Row, side: StoreSide): string {
  return Array.isArray(ids)
    ? ids
        .map((id) => text(side.refer('channels', id)))
        .sort()
        .join(' ')
    : 'all'
}

/** What is on a list, in any order. */
function wishesOf({ id }: Row, side: StoreSide): string[] {
  return side
    .where('wishlist_items', 'wishlist_id', id)
    .map((item) => `${side.refer('products', item.product_id)}: ${side.refer('variants', item.variant_id)}`)
    .sort()
}

/** A product that stands twice in one category is not the same as one that stands there once. */
function categoriesOf(product: Row, side: StoreSide): string[] {
  return side
    .where('product_categories', 'product_id', product.id)
    .map(({ category_id, sort_order }) => {
      const category = text(side.refer('categories', category_id))
      return typeof sort_order === 'number' ? `${category}, place ${sort_order}` : category
    })
    .sort()
}

/** Kinds of tracking, in any order. */
function sorted(kinds: unknown): string[] {
  return (kinds as string[]).toSorted()
}

/** Discounts of a group of customers, in any order, by the names of what they are on. */
function rulesOf(group: Row, side: StoreSide): Fields[] {
  const rules: Fields[] = Array.isArray(group.discount_rules) ? group.discount_rules : []
  const named = rules.map(({ price_list_id, category_id, product_id, ...rule }) => ({
    ...rule,
    on:
      side.refer('price_lists', price_list_id) ??
      side.refer('categories', category_id) ??
      side.refer('products', product_id) ??
      null,
  }))
  return named.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function accessOf({ category_access }: Row, side: StoreSide): unknown {
  if (!isObject(category_access) || !Array.isArray(category_access.categories)) return category_access
  return {
    ...category_access,
    categories: category_access.categories.map((id) => text(side.refer('categories', id))).sort(),
  }
}

/** Every store has one of these from the start, under this id. */
const bornWith = 1

/** The groups that a zone is for, by the names both stores share. */
function targetOf(target: unknown, side: StoreSide): unknown {
  if (!isObject(target) || !Array.isArray(target.customer_groups)) return target
  const groups = target.customer_groups.map((id) => text(side.refer('customer_groups', id))).sort()
  return { ...target, customer_groups: groups }
}

/** What the source called it. */
function orderNumber({ id, external_source, external_order_id }: Row): string {
  return external_source === 'M-MIG' ? text(external_order_id).split('-').slice(1).join('-') : text(id)
}

/** Goods, of which the catalogue of a store may know nothing any more. */
function goodsOf(line: Row, side: StoreSide): Fields {
  const { name, quantity, quantity_shipped, price_ex_tax, price_inc_tax, total_ex_tax, total_inc_tax, upc } = line
  const { wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax } = line
  const product = side.nameOf('products', line.product_id)?.full ?? 'nothing of the catalogue'
  return {
    ...{ name, quantity, quantity_shipped, price_ex_tax, price_inc_tax, total_ex_tax, total_inc_tax, product, upc },
    ...{ wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax },
  }
}

function shipmentOf(shipment: Row, side: StoreSide): Fields {
  const { items, date_created: _told, ...rest } = withoutIds(shipment)
  const lines = (items as Fields[]).map(
    ({ order_product_id, quantity }) => `${quantity} of ${side.get('order_products', order_product_id)?.name}`,
  )
  return { ...rest, lines }
}

function withoutIds(row: Row): Fields {
  const { id: _id, order_id: _order, order_address_id: _address, tax_class_id: _class, ...rest } = row
  return rest
}

function classRatesOf(given: unknown, side: StoreSide): string[] {
  const rates: Fields[] = Array.isArray(given) ? given : []
  return rates.map(({ rate, tax_class_id }) => `${text(side.refer('tax_classes', tax_class_id))}: ${rate}`).sort()
}

/** Places of a zone have numbers of their own in every store. */
function placesOf(locations: unknown): string[] {
  const places: Fields[] = Array.isArray(locations) ? locations : []
  return places.map(({ id: _own, ...place }) => JSON.stringify(place, Object.keys(place).sort())).sort()
}

/** What a rule is about, by the names both stores share. */
function conditionsOf(rule: Row, side: StoreSide): string[] {
  const conditions: Fields[] = Array.isArray(rule.conditions) ? rule.conditions : []
  const called = (table: string, id: unknown) =>
    id === null ? '' : (side.nameOf(table, id)?.own ?? `no ${table} ${id}`)
  return conditions
    .map(({ modifier_id, modifier_value_id, variant_id }) =>
      [
        called('modifiers', modifier_id),
        called('modifier_values', modifier_value_id),
        called('variants', variant_id),
      ].join('/'),
    )
    .sort()
}

/** -1 asks the platform to choose, in any store. */
function relatedTo({ related_products: related }: Row, side: StoreSide): unknown {
  if (!Array.isArray(related)) return related
  return related.map((id) => (id === -1 ? 'any' : text(side.refer('products', id)))).sort()
}

/** What a shopper picks to get this variant, by the names both stores share. */
function choicesOf(variant: Row, side: StoreSide): string[] {
  const choices = Array.isArray(variant.option_values) ? variant.option_values : []
  const called = (table: string, id: unknown, field: string) =>
    side.nameOf(table, id)?.own ?? text(side.get(table, id)?.[field] ?? side.refer(table, id))
  return choices
    .map(
      ({ option_id, id }) => `${called('options', option_id, 'display_name')}=${called('option_values', id, 'label')}`,
    )
    .sort()
}

/** A value of a product list names a product. */
function pointing(data: unknown, side: StoreSide): unknown {
  if (data === null || typeof data !== 'object' || !('product_id' in data)) return data
  return { ...data, product_id: side.refer('products', data.product_id) }
}

/** What the page of a banner is about. */
function shownWith({ page, item_id }: Fields, side: StoreSide): unknown {
  const table = { category_page: 'categories', brand_page: 'brands' }[String(page)]
  return table === undefined ? item_id : side.refer(table, Number(item_id))
}

/** Texts that name pages of the shop. */
function withTexts(row: Fields, side: StoreSide, ...fields: string[]): Fields {
  return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, shopText(row[field], side)]))
}

function withPictureName(fields: Fields): Fields {
  return 'image_url' in fields ? { image_url: pictureName(fields.image_url) } : {}
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object'
}

/** A store puts pictures into folders of its own, numbers them, and names their sizes; what is left is the picture's name. */
export function pictureName(file: unknown): string {
  const name = text(file).split('?')[0]?.split('/').at(-1) ?? ''
  return name
    .replace(/__\d{5}/g, '')
    .replace(/(\.\d+){2}(?=\.[a-z]+$)/i, '')
    .toLowerCase()
}
