import { insertCategory } from '../../resources/catalog/categories.ts'
import { channelCurrencyTable } from '../../resources/channels/channel-currencies.ts'
import { channelsTable, DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { sitesTable } from '../../resources/channels/sites.ts'
import { insertTemplate, PLANTED } from '../../resources/content/widget-tables.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { categoriesTable, treesTable } from '../../tables/category-tables.ts'
import { priceAssignmentTable, priceListTable } from '../../tables/price-tables.ts'
import {
  channelAssignmentTable,
  productCategoryTable,
  productTable,
  variantTable,
} from '../../tables/product-tables.ts'
import { deleteRows } from '../../tables/rows.ts'
import { insertPrice } from '../products/price-row.ts'
import { PagePlanter, region } from './content.ts'
import { insertSettings, type Setting } from './setting-rows.ts'

const MOMENT = '2024-02-29T12:00:00Z'

/** Names that the first storefront has too, in another tree and order. */
const OUTLET_CATEGORIES = [
  'Women',
  'Women/Shoes',
  'Men',
  'Men/Shoes',
  'Men/Clothing',
  'Last Pieces',
  'Last Pieces/Singles',
]

const OVERRIDES: readonly Setting[] = [
  ['store/profile', { store_name: 'Outlet', store_email: 'outlet@example.com' }],
  ['storefront/seo', { page_title: 'The Outlet', meta_keywords: 'outlet,last pieces' }],
  ['storefront/product', { show_product_price: false, show_add_to_wishlist: false }],
  ['storefront/category', { default_product_sort: 'priceasc' }],
]

/** Of every four products, one is on both storefronts, one only on the second, and two only on the first. */
const DISTRIBUTION = ['both', 'second', 'first', 'first'] as const

const PRODUCTS_AT_ONCE = 500

/**
 * Adds a second storefront with its own site, tree, prices and settings. Products are on one of the two or both. Some
 * that are only on the second are still in categories of the first.
 */
export function plantSecondStorefront(store: SandboxStore): void {
  const channelId = plantChannel(store)
  const categoryIds = plantTree(store, channelId)
  const priceListId = plantPriceLists(store, channelId)
  let n = 0
  for (const product of productsOf(store)) {
    const storefront = DISTRIBUTION[n % DISTRIBUTION.length]
    if (storefront !== 'first') moveToOutlet(store, product, channelId, storefront === 'second', n)
    if (storefront !== 'first') sellInOutlet(store, product, { categoryIds, priceListId }, n)
    n++
  }
  for (const { id } of categoriesTable(store).page({ offset: 0, limit: 5 }).rows) putInOrder(store, id)
  for (const id of categoryIds) putInOrder(store, id)
  insertSettings(store, channelId, OVERRIDES)
  plantOutletPages(store, channelId)
  channelCurrencyTable(store).insert({ channel_id: channelId, enabled_currencies: ['USD'], default_currency: 'USD' })
}

function plantOutletPages(store: SandboxStore, channelId: number): void {
  const template = '<b>{{title}}</b>'
  const uuid = String(insertTemplate(store, { name: 'Countdown', template, channel_id: channelId, ...PLANTED }).uuid)
  const planter = new PagePlanter(store, channelId)
  const text = planter.widget('text', 'Text', { text: 'Last pieces only' })
  planter.plant('pages/home', '', [region('home_below_menu', [text, planter.custom(uuid, 'Countdown')])])
  planter.plant('', '', [region('header_bottom--global', [planter.widget('text', 'Text', { text: 'No returns' })])])
}

function plantChannel(store: SandboxStore): number {
  const { id } = channelsTable(store).insert({
    name: 'Outlet',
    type: 'storefront',
    platform: 'bigcommerce',
    status: 'active',
    external_id: '',
    is_listable_from_ui: true,
    is_visible: true,
    icon_url: '',
    date_created: MOMENT,
    date_modified: MOMENT,
  })
  const times = { created_at: MOMENT, updated_at: MOMENT }
  sitesTable(store).insert({
    url: `https://outlet.${store.hash}.example`,
    channel_id: id,
    ...times,
    ssl_status: 'shared',
  })
  return id
}

function plantTree(store: SandboxStore, channelId: number): number[] {
  const treeId = treesTable(store).insert({ name: 'Outlet', channel_id: channelId }).id
  const ids = new Map<string, number>()
  for (const [at, path] of OUTLET_CATEGORIES.entries()) {
    const parentId = ids.get(path.split('/').slice(0, -1).join('/')) ?? 0
    const fields = { name: path.split('/').pop(), sort_order: OUTLET_CATEGORIES.length - at }
    ids.set(path, insertCategory(store, { treeId, parentId }, fields).id)
  }
  return [...ids.values()]
}

/** Adds a price list for each storefront. If the first has one already, that one stays assigned. */
function plantPriceLists(store: SandboxStore, channelId: number): number {
  const [first = 0, second = 0] = ['First storefront', 'Outlet'].map(
    (name) => priceListTable(store).insert({ name, active: true, date_created: MOMENT, date_modified: MOMENT }).id,
  )
  for (const [price_list_id, channel_id] of [
    [first, DEFAULT_CHANNEL_ID],
    [second, channelId],
  ]) {
    const position = { customer_group_id: null, channel_id: channel_id ?? 0 }
    if (priceAssignmentTable(store).count(position) === 0)
      priceAssignmentTable(store).insert({ price_list_id, ...position })
  }
  return second
}

function* productsOf(store: SandboxStore): Generator<Row> {
  for (let minId = 0; ; ) {
    const { rows } = productTable(store).page({ minId, offset: 0, limit: PRODUCTS_AT_ONCE })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    minId = last.id + 1
  }
}

function moveToOutlet(store: SandboxStore, { id }: Row, channelId: number, only: boolean, n: number): void {
  // Searched by product alone: the index on channels would match half of the store.
  const elsewhere = channelAssignmentTable(store).find({ product_id: id })
  for (const link of only ? elsewhere : [])
    if (link.channel_id === DEFAULT_CHANNEL_ID) channelAssignmentTable(store).delete(link.id)
  if (only && n % 8 === 1) deleteRows(productCategoryTable(store), { product_id: id })
  channelAssignmentTable(store).insert({ product_id: id, channel_id: channelId })
}

function sellInOutlet(
  store: SandboxStore,
  { id, price }: Row,
  { categoryIds, priceListId }: { categoryIds: number[]; priceListId: number },
  n: number,
): void {
  const category_id = categoryIds[n % categoryIds.length]
  productCategoryTable(store).insert({ product_id: id, category_id })
  const variant = variantTable(store).find({ product_id: id })[0]
  insertPrice(store, priceListId, 'usd', variant, { price: Math.round(Number(price) * 70) / 100 })
}

/** Puts the newest first. The last product gets no sort order. */
function putInOrder(store: SandboxStore, category_id: number): void {
  const links = productCategoryTable(store).find({ category_id }).slice(0, -1)
  for (const [at, link] of links.entries())
    productCategoryTable(store).update(link.id, { sort_order: links.length - 1 - at })
}
