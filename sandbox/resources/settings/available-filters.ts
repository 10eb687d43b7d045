import type { Row, SandboxStore, Table } from '../../store/store.ts'
import {
  channelAssignmentTable,
  customFieldTable,
  optionTable,
  productCategoryTable,
  productTable,
  reviewTable,
} from '../../tables/product-tables.ts'

export type FilterType = 'category' | 'brand' | 'rating' | 'price' | 'product' | 'other'

/** A filter that shoppers can apply to a list of products. */
export interface AvailableFilter {
  id: string
  name: string
  type: FilterType
  product_count?: number
  price_range_min?: number
  price_range_max?: number
}

export interface FilterContext {
  channel_id?: number
  category_id?: number
}

/** An opaque id that differs between stores, so that a filter id of the source is invalid at the destination. */
export function filterId({ hash }: SandboxStore, type: FilterType, name: string): string {
  return Buffer.from(`${type}:${hash}:${name}`).toString('base64')
}

/** Five filters that every store has, and one for each option and custom field of its products. */
export function availableFilters(store: SandboxStore, context: FilterContext = {}): AvailableFilter[] {
  const products = productsIn(store, context)
  const ids = new Set(products.map(({ id }) => id))
  const prices = products.map(({ price }) => Number(price))
  const filter = (type: FilterType, name: string) => ({ id: filterId(store, type, name), name, type })
  const withProducts = (table: Table) => ({ product_count: countOf(ids, table.find({})) })
  const branded = products.filter(({ brand_id }) => Number(brand_id ?? 0) > 0)
  return [
    { ...filter('category', 'Category'), ...withProducts(productCategoryTable(store)) },
    { ...filter('brand', 'Brand'), product_count: branded.length },
    { ...filter('rating', 'Rating'), ...withProducts(reviewTable(store)) },
    {
      ...filter('price', 'Price'),
      price_range_min: least(prices),
      price_range_max: -least(prices.map((price) => -price)),
    },
    ...attributes(store, ids).map(([name, product_count]) => ({ ...filter('product', name), product_count })),
    filter('other', 'Other'),
  ]
}

function productsIn(store: SandboxStore, { channel_id, category_id }: FilterContext): Row[] {
  const inChannel = channel_id === undefined ? undefined : productIdsOf(channelAssignmentTable(store), { channel_id })
  const inCategory = category_id === undefined ? undefined : productIdsOf(productCategoryTable(store), { category_id })
  return productTable(store)
    .find({})
    .filter(({ id }) => (inChannel?.has(id) ?? true) && (inCategory?.has(id) ?? true))
}

function productIdsOf(table: Table, where: Record<string, number>): Set<number> {
  return new Set(table.find(where).map((row) => Number(row.product_id)))
}

function countOf(ids: Set<number>, rows: Row[]): number {
  return new Set(rows.map((row) => Number(row.product_id)).filter((id) => ids.has(id))).size
}

/** Names of options and custom fields, with their numbers of products. Equal names are one filter. */
function attributes(store: SandboxStore, ids: Set<number>): [string, number][] {
  const named = [
    ...optionTable(store)
      .find({})
      .map((row) => ({ name: String(row.display_name), row })),
    ...customFieldTable(store)
      .find({})
      .map((row) => ({ name: String(row.name), row })),
  ].filter(({ row }) => ids.has(Number(row.product_id)))
  const groups = Map.groupBy(named, ({ name }) => name)
  return [...groups].map(([name, rows]) => [
    name,
    countOf(
      ids,
      rows.map(({ row }) => row),
    ),
  ])
}

/**
 * The smallest number, or 0 if there is none. A loop, because a large store has too many prices for one `Math.min`
 * call.
 */
function least(numbers: number[]): number {
  let found = numbers[0] ?? 0
  for (const number of numbers) if (number < found) found = number
  return found
}
