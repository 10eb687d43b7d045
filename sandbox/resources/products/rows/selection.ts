import { refuse } from '../../../http/answers.ts'
import type { Filter, Page, Row, SandboxStore, Span, Table } from '../../../store/store.ts'
import { channelAssignmentTable, productCategoryTable, productTable } from '../../../tables/product-tables.ts'
import { brandsTable } from '../../catalog/brands.ts'
import { calculatedPrice } from './variant-rows.ts'
import { withStockOfVariants } from './variant-stock.ts'

type Matches = (row: Row) => boolean

/** The filters of one call: those with an index, and `matches`, which are checked row by row. */
interface Selection extends Filter {
  where: NonNullable<Filter['where']>
  spans: Record<string, Span>
  matches: Matches[]
}

/** Whether the call has any filter. A delete without one is refused. */
export function hasFilter(query: URLSearchParams): boolean {
  return [...query.keys()].some((key) => FILTERS[key] !== undefined)
}

export function selectProducts(store: SandboxStore, query: URLSearchParams, offset: number, limit: number): Page {
  const { matches, ...filter } = readSelection(store, query)
  const sort = query.get('sort') ?? 'id'
  const descending = query.get('direction') === 'desc'
  const orderBy = SORTS[sort]
  if (matches.length > 0 || orderBy === undefined)
    return scannedPage(store, { ...filter, matches }, query, offset, limit)
  return productTable(store).page({ ...filter, orderBy, descending, offset, limit })
}

/** Reads every row that the indexed filters leave, but keeps only ids and sort values in memory. */
function scannedPage(
  store: SandboxStore,
  { matches, ...filter }: Selection,
  query: URLSearchParams,
  offset: number,
  limit: number,
): Page {
  const sort = query.get('sort') ?? 'id'
  const found: { id: number; value: unknown }[] = []
  for (const row of rowsWithStock(store, filter)) {
    if (matches.every((match) => match(row))) found.push({ id: row.id, value: sortValue(row, sort) })
  }
  if (sort !== 'id') found.sort((left, right) => compare(left.value, right.value) || left.id - right.id)
  if (query.get('direction') === 'desc') found.reverse()
  const rows = found.slice(offset, offset + limit).flatMap(({ id }) => productTable(store).get(id) ?? [])
  return { rows, total: found.length }
}

/** The stock of this many products is read together, because reading it one by one would take a query for each. */
const STOCK_STEP = 500

function* rowsWithStock(store: SandboxStore, filter: Filter): Generator<Row> {
  let waiting: Row[] = []
  for (const row of productTable(store).scan(filter)) {
    waiting.push(row)
    if (waiting.length < STOCK_STEP) continue
    yield* withStockOfVariants(store, waiting)
    waiting = []
  }
  yield* withStockOfVariants(store, waiting)
}

function sortValue(row: Row, sort: string): unknown {
  return sort === 'calculated_price' ? calculatedPrice(row) : row[sort]
}

/** The published sort fields that have an index. Stock has none, because it may be the sum over the variants. */
const SORTS: Record<string, string> = {
  id: 'id',
  name: 'name',
  sku: 'sku',
  price: 'price',
  date_modified: 'date_modified_ms',
  date_last_imported: 'date_last_imported_ms',
  is_visible: 'is_visible',
  total_sold: 'total_sold',
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right)
  return Number(left ?? 0) - Number(right ?? 0)
}

function readSelection(store: SandboxStore, query: URLSearchParams): Selection {
  const selection: Selection = { where: {}, spans: {}, matches: [] }
  for (const [key, value] of query) FILTERS[key]?.(selection, value, store)
  return selection
}

type ReadFilter = (selection: Selection, value: string, store: SandboxStore) => void

const equals = (field: string, read: (value: string) => string | number | boolean): ReadFilter => {
  return (selection, value) => {
    const requested = read(value)
    // If the value is not a number, no row matches.
    selection.where[field] = Number.isNaN(requested) ? [] : requested
  }
}

const noneOf = (field: string, read: (value: string) => number[]): ReadFilter => {
  return (selection, value) => {
    selection.not = { ...selection.not, [field]: read(value) }
  }
}

/** Two filters may each set one bound. */
const spanning = (field: string, read: (value: string) => Span): ReadFilter => {
  return (selection, value) => {
    selection.spans[field] = { ...selection.spans[field], ...read(value) }
  }
}

const matching = (matches: (row: Row, value: string, store: SandboxStore) => boolean): ReadFilter => {
  return (selection, value, store) => {
    selection.matches.push((row) => matches(row, value, store))
  }
}

/**
 * A date without a time gets the time of the request. Source: the date filters of the published product list. Numbers
 * are seconds since 1970, which published clients send.
 */
function momentOf(value: string): number {
  if (/^\d{5,}$/.test(value)) return Number(value) * 1_000
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value)
  return Date.parse(isDay ? `${value}T${new Date().toISOString().slice('2026-01-01T'.length)}` : value)
}

const atLeast = (selection: Selection, id: number): void => {
  selection.minId = Math.max(selection.minId ?? id, id)
}

const atMost = (selection: Selection, id: number): void => {
  selection.maxId = Math.min(selection.maxId ?? id, id)
}

/** Products assigned to one of these categories or channels. */
const linked = (linkTable: (store: SandboxStore) => Table, table: string, field: string): ReadFilter => {
  return (selection, value, store) => {
    // Opening the table creates it.
    linkTable(store)
    const link = { table, field: 'product_id', where: { [field]: integers(value) } }
    selection.links = [...(selection.links ?? []), link]
  }
}

const inAnyCategory = linked(productCategoryTable, 'product_categories', 'category_id')

/** Products in other categories too do not match. Source: the filter of the published product list. */
const inOneCategory: ReadFilter = (selection, value, store) => {
  inAnyCategory(selection, value, store)
  selection.matches.push((row) => productCategoryTable(store).count({ product_id: row.id }) === 1)
}

/**
 * Products in one of the categories. The published list says "in all the categories", which is what the switch
 * `categories_in: 'all'` does.
 */
const inCategories: ReadFilter = (selection, value, store) => {
  const lists = store.switches.categories_in === 'all' ? value.split(',') : [value]
  for (const list of lists) inAnyCategory(selection, list, store)
}

const withStockIn = (requested: boolean): ReadFilter => {
  return (selection, value) => {
    const levels = new Set(integers(value))
    selection.matches.push((row) => levels.has(Number(row.inventory_level)) === requested)
  }
}

const asText = (value: string): string => value

const asBoolean = (value: string): boolean => value === 'true' || value === '1'

function integers(list: string): number[] {
  const parts = list.split(',').filter((part) => part.trim() !== '')
  const bad = parts.find((part) => !Number.isInteger(Number(part)))
  if (bad !== undefined) refuse(422, `A filter must be a comma-separated list of integers; ${bad} is none.`)
  return parts.map(Number)
}

const FILTERS: Record<string, ReadFilter> = {
  id: equals('id', Number),
  'id:in': (selection, value) => {
    selection.where.id = integers(value)
  },
  'id:not_in': noneOf('id', integers),
  'id:min': (selection, value) => atLeast(selection, Number(value)),
  'id:max': (selection, value) => atMost(selection, Number(value)),
  'id:greater': (selection, value) => atLeast(selection, Number(value) + 1),
  'id:less': (selection, value) => atMost(selection, Number(value) - 1),
  name: equals('name_key', asText),
  sku: equals('sku_key', asText),
  'sku:in': (selection, value) => {
    selection.where.sku_key = value.split(',').map(asText)
  },
  brand_id: equals('brand_id', Number),
  is_visible: equals('is_visible', asBoolean),
  type: equals('type', asText),
  availability: equals('availability', asText),
  categories: inOneCategory,
  'categories:in': inCategories,
  'channel_id:in': linked(channelAssignmentTable, 'product_channel_assignments', 'channel_id'),
  date_modified: equals('date_modified_ms', momentOf),
  'date_modified:min': spanning('date_modified_ms', (value) => ({ atLeast: momentOf(value) })),
  'date_modified:max': spanning('date_modified_ms', (value) => ({ atMost: momentOf(value) })),
  date_last_imported: equals('date_last_imported_ms', momentOf),
  'date_last_imported:not': noneOf('date_last_imported_ms', (value) => [momentOf(value)]),
  'date_last_imported:min': spanning('date_last_imported_ms', (value) => ({ atLeast: momentOf(value) })),
  'date_last_imported:max': spanning('date_last_imported_ms', (value) => ({ atMost: momentOf(value) })),
  is_featured: equals('is_featured', asBoolean),
  is_free_shipping: equals('is_free_shipping', asBoolean),
  // The filter has lower-case values, the field does not.
  condition: equals('condition_key', asText),
  upc: equals('upc', asText),
  mpn: equals('mpn', asText),
  price: equals('price', Number),
  weight: equals('weight', Number),
  inventory_level: matching((row, value) => row.inventory_level === Number(value)),
  'inventory_level:in': withStockIn(true),
  'inventory_level:not_in': withStockIn(false),
  'inventory_level:min': matching((row, value) => Number(row.inventory_level) >= Number(value)),
  'inventory_level:max': matching((row, value) => Number(row.inventory_level) <= Number(value)),
  'inventory_level:greater': matching((row, value) => Number(row.inventory_level) > Number(value)),
  'inventory_level:less': matching((row, value) => Number(row.inventory_level) < Number(value)),
  inventory_low: matching((row, value) => isLow(row) === asBoolean(value)),
  out_of_stock: matching((row, value) => !asBoolean(value) || isOutOfStock(row)),
  total_sold: equals('total_sold', Number),
  keyword: matching((row, value, store) =>
    mentions([row.name, row.sku, row.description, brandsTable(store).get(Number(row.brand_id ?? 0))?.name], value),
  ),
}

function isLow(row: Row): boolean {
  return isCounted(row) && Number(row.inventory_level) <= Number(row.inventory_warning_level)
}

function isOutOfStock(row: Row): boolean {
  return isCounted(row) && Number(row.inventory_level) === 0
}

function isCounted(row: Row): boolean {
  return row.inventory_tracking === 'product' || row.inventory_tracking === 'variant'
}

function mentions(texts: unknown[], word: string): boolean {
  return texts.some((text) =>
    String(text ?? '')
      .toLowerCase()
      .includes(word.toLowerCase()),
  )
}
