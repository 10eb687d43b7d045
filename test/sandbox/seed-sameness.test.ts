import { afterEach, expect, test } from 'vitest'
import { plantSeed, SEEDS } from '../../sandbox/seeds/plant-seed.ts'
import { SqliteStore } from '../../sandbox/store/sqlite-store.ts'

const QUICK = SEEDS.filter((seed) => !/^(medium|large)/.test(seed))

const opened: SqliteStore[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})

const TABLES_WITH_OTHER_IDS = ['products', 'variants', 'categories', 'brands', 'options', 'images', 'price_lists']

/** Fields that hold an id, and the table it belongs to. */
const TABLE_OF: Record<string, string> = {
  product_id: 'products',
  related_products: 'products',
  variant_id: 'variants',
  base_variant_id: 'variants',
  sku_id: 'variants',
  option_id: 'options',
  modifier_id: 'modifiers',
  modifier_value_id: 'modifier_values',
  category_id: 'categories',
  parent_id: 'categories',
  brand_id: 'brands',
  tree_id: 'category_trees',
  channel_id: 'channels',
  categories: 'categories',
  customer_group_id: 'customer_groups',
  customer_group_ids: 'customer_groups',
  channel_ids: 'channels',
  guest_customer_group_id: 'customer_groups',
  price_list_id: 'price_lists',
  location_id: 'locations',
  tax_class_id: 'tax_classes',
  promotion_id: 'promotions',
  products: 'products',
  brands: 'brands',
  variants: 'variants',
  zone_id: 'shipping_zones',
  tax_zone_id: 'tax_zones',
  customer_groups: 'customer_groups',
  // Ids of a zone's locations, which are in no table.
  locations: 'places of zones',
  customer_id: 'customers',
  address_id: 'customer_addresses',
  attribute_id: 'customer_attributes',
  wishlist_id: 'wishlists',
  productId: 'products',
  productIds: 'products',
  categoryId: 'categories',
  brandId: 'brands',
  pageId: 'pages',
  segment_id: 'segments',
  shopper_profile_id: 'shopper_profiles',
  order_id: 'orders',
  order_address_id: 'order_addresses',
  order_product_id: 'order_products',
}

/** Tables that redirects lead to. */
const LED_TO: Record<string, string> = {
  ...{ product: 'products', brand: 'brands', category: 'categories', page: 'pages', post: 'blog_posts' },
}

/** Fields that differ between stores. */
const OWN = [
  ...['category_uuid', 'created_at', 'updated_at', 'last_updated', 'token', 'uuid'],
  ...['current_version_uuid', 'widget_template_uuid', 'placement_uuid'],
]
const OWN_OF: Record<string, string[]> = {
  channels: ['date_created', 'date_modified'],
  // Another field names the table of the id.
  page_contexts: ['entity_id'],
  custom_template_associations: ['entity_id'],
}

/** A store regardless of its ids: each is replaced by its position in its table. */
function asSeen(store: SqliteStore): Record<string, unknown[]> {
  const places = new Map(
    store.tableNames().map((name) => [
      name,
      new Map(
        store
          .table(name)
          .find({})
          .map(({ id }, at) => [id, at]),
      ),
    ]),
  )
  const placeOf = (table: string | undefined, id: number) => places.get(table ?? '')?.get(id) ?? 'gone'
  // Ids of search filters are opaque and contain the store's hash.
  const filter = (value: string) => {
    const told = Buffer.from(value, 'base64').toString()
    return told.includes(`:${store.hash}:`) ? told : value
  }
  const text = (value: string) =>
    filter(value)
      .replaceAll(store.hash, 'STORE')
      .replaceAll(store.hash.toUpperCase(), 'STORE')
      .replace(/(product_id|productId)=\d+/gi, '$1=ID')
      .replace(/(data-[a-z]+-id=["']?|product_id" value="|\/compare\/|\/products\/)\d+/g, '$1ID')
      .replace(/-\d+$/, (id) => (places.get('products')?.has(Number(id.slice(1))) ? '-ID' : id))
  const seen = (value: unknown, table?: string): unknown => {
    // Widgets hold ids as strings, too.
    if (typeof value === 'string' && table !== undefined && /^[1-9]\d*$/.test(value))
      return placeOf(table, Number(value))
    if (typeof value === 'string' && table !== undefined && Number(value) > 0) return placeOf(table, Number(value))
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return table !== undefined && value > 0 ? placeOf(table, value) : value
    if (Array.isArray(value)) return value.map((item) => seen(item, table))
    return value === null || typeof value !== 'object' ? value : fieldsSeen(value, table)
  }
  const fieldsSeen = (row: object, table?: string) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([field]) => !OWN.includes(field) && !OWN_OF[table ?? '']?.includes(field))
        .map(([field, value]) => [field, seen(value, tableOf(field, row, table))]),
    )
  return Object.fromEntries(
    store.tableNames().map((name) => [
      name,
      store
        .table(name)
        .find({})
        .map((row) => fieldsSeen({ ...row, owner_key: '' }, name)),
    ]),
  )
}

/** The table of the id in a field, from the row that has it. */
function tableOf(field: string, row: object, table: string | undefined): string | undefined {
  if (field === 'ids' && 'entity' in row) return String(row.entity)
  if (field === 'id') return table
  if (field === 'parent_id' && table === 'pages') return 'pages'
  if (field === 'option_values') return 'option_values'
  if (field === 'entity_id' && 'type' in row) return LED_TO[String(row.type)]
  // Banners hold numbers as strings.
  if (field === 'item_id' && 'page' in row)
    return { category_page: 'categories', brand_page: 'brands' }[String(row.page)]
  if (field !== 'resource_id') return TABLE_OF[field]
  const { resource, resource_type } = row as { resource?: string; resource_type?: string }
  return `${resource ?? resource_type}s`.replace('ys', 'ies')
}

function aStore(name: string, seed: (typeof SEEDS)[number]): SqliteStore {
  const store = new SqliteStore({ name, hash: name, file: ':memory:', switches: {} })
  store.imageBase = `http://127.0.0.1:1/stores/${name}/images`
  plantSeed(store, seed)
  opened.push(store)
  return store
}

test.each(QUICK)('the seed %s creates the same content in every store, with other ids', (seed) => {
  const stores = [aStore('shopleft', seed), aStore('shopright', seed)]
  const [left = {}, right = {}] = stores.map(asSeen)
  expect(Object.keys(left)).toEqual(Object.keys(right))
  for (const [table, rows] of Object.entries(left)) expect({ [table]: rows }).toEqual({ [table]: right[table] })
  for (const table of ['category_trees', ...TABLES_WITH_OTHER_IDS].filter((name) => left[name]?.length)) {
    const [one, other] = stores.map((store) => store.table(table).find({})[0]?.id)
    expect([table, one]).not.toEqual([table, other])
  }
})

test('two stores that differ in a product’s category are not considered the same', () => {
  const [left, right] = [aStore('shopleft', 'tiny'), aStore('shopright', 'tiny')]
  const link = right.table('product_categories').find({})[0]
  const other = right
    .table('categories')
    .find({})
    .find(({ id }) => id !== link?.category_id)
  right.table('product_categories').update(link?.id ?? 0, { category_id: other?.id })
  expect(asSeen(left)).not.toEqual(asSeen(right))
})
