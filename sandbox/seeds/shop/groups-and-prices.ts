import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { insertGroup } from '../../tables/group-tables.ts'
import { priceAssignmentTable, priceListTable } from '../../tables/price-tables.ts'
import { productTable, variantTable } from '../../tables/product-tables.ts'
import { insertPrice } from '../products/price-row.ts'

/** The numbers of groups, of price lists, and of prices in each list. */
export interface GroupsAndPrices {
  groups: number
  priceLists: number
  pricesPerList: number
}

const MOMENT = '2024-03-01T09:00:00Z'
const GROUP_MOMENT = '2024-03-01 09:00:00'

const NAMES = ['Trade', 'Retail', 'Guests', 'Resale', 'Staff', 'Press', 'Schools', 'Clubs']

function nameOf(n: number): string {
  const round = Math.floor(n / NAMES.length)
  return `${NAMES[n % NAMES.length]}${round === 0 ? '' : ` ${round + 1}`}`
}

/** Adds groups with discounts of every kind, and price lists for the first variants, each for one group. */
export function plantGroupsAndPrices(store: SandboxStore, size: GroupsAndPrices): void {
  const named = namedByRules(store)
  const lists = Array.from({ length: size.priceLists }, (_none, n) => plantList(store, n, size.pricesPerList))
  const groups = Array.from({ length: size.groups }, (_none, n) => plantGroup(store, n, named, lists))
  for (const [at, price_list_id] of lists.entries()) {
    const customer_group_id = groups[at]
    if (customer_group_id !== undefined)
      priceAssignmentTable(store).insert({ price_list_id, customer_group_id, channel_id: DEFAULT_CHANNEL_ID })
  }
}

interface Named {
  products: number[]
  categories: number[]
}

function namedByRules(store: SandboxStore): Named {
  const ids = (rows: Row[]) => rows.map(({ id }) => id)
  return {
    products: ids(productTable(store).page({ offset: 0, limit: 10 }).rows),
    categories: ids(categoriesTable(store).page({ offset: 0, limit: 10 }).rows),
  }
}

function plantGroup(store: SandboxStore, n: number, named: Named, lists: number[]): number {
  return insertGroup(store, {
    name: nameOf(n),
    is_default: n === 1,
    is_group_for_guests: n === 2,
    discount_rules: rulesOf(n, named, lists),
    category_access: n % 4 === 3 ? { type: 'specific', categories: named.categories.slice(0, 3) } : { type: 'all' },
    date_created: GROUP_MOMENT,
    date_modified: GROUP_MOMENT,
  }).id
}

function rulesOf(n: number, { products, categories }: Named, lists: number[]): object[] {
  // New customers and guests see the prices of the catalogue.
  if (n === 1 || n === 2) return []
  if (n % 3 === 1 && lists.length > 0) return [{ type: 'price_list', price_list_id: lists[n % lists.length] }]
  return [
    { type: 'all', method: 'percent', amount: `${n + 5}.0000` },
    { type: 'category', category_id: categories[n % categories.length], method: 'percent', amount: '10.0000' },
    { type: 'product', product_id: products[n % products.length], method: 'fixed', amount: '1.5000' },
  ]
}

function plantList(store: SandboxStore, n: number, prices: number): number {
  const list = { name: `${nameOf(n)} prices`, active: true, date_created: MOMENT, date_modified: MOMENT }
  const { id } = priceListTable(store).insert(list)
  for (let offset = 0; offset < prices; offset += VARIANTS_AT_ONCE) {
    const limit = Math.min(VARIANTS_AT_ONCE, prices - offset)
    const { rows } = variantTable(store).page({ offset, limit })
    for (const [at, variant] of rows.entries()) insertPrice(store, id, 'usd', variant, priceOf(n, offset + at))
  }
  return id
}

const VARIANTS_AT_ONCE = 500

function priceOf(n: number, at: number): object {
  const price = 5 + ((at * 7 + n * 3) % 90)
  if (at % 5 === 1) return { price, sale_price: price - 1.5 }
  if (at % 5 !== 2) return { price }
  return { price, bulk_pricing_tiers: [{ quantity_min: 10, quantity_max: 0, type: 'percent', amount: 5 }] }
}
