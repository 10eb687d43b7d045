import type { Page, Row, SandboxStore, Table } from '../store.ts'
import { channelAssignmentTable, productCategoryTable, productTable } from './tables.ts'

/** Rows read at a time when a filter has no index; keeps a store of a million products out of memory. */
const SCAN_STEP = 1_000

type Where = NonNullable<Parameters<Table['count']>[0]>
type Matches = (row: Row) => boolean

/** The filters of one call: what the indexes answer, the bounds of the id, and what must be looked at row by row. */
interface Selection {
  where: Where
  /** Undefined leaves the end open. */
  minId: number | undefined
  maxId: number | undefined
  matches: Matches[]
}

/** Whether the call named at least one filter; a delete without one is refused. */
export function hasFilter(query: URLSearchParams): boolean {
  return [...query.keys()].some((key) => FILTERS[key] !== undefined)
}

export function selectProducts(store: SandboxStore, query: URLSearchParams, offset: number, limit: number): Page {
  const selection = readSelection(store, query)
  const sort = query.get('sort') ?? 'id'
  const descending = query.get('direction') === 'desc'
  if (selection.matches.length === 0 && sort === 'id') return pageById(store, selection, offset, limit, descending)
  const rows = [...scan(store, selection)]
  if (sort !== 'id') rows.sort((left, right) => compare(left[sort], right[sort]) || left.id - right.id)
  if (descending) rows.reverse()
  return { rows: rows.slice(offset, offset + limit), total: rows.length }
}

/** Ids are ascending in the table, so a descending page is an ascending one counted from the end. */
function pageById(store: SandboxStore, selection: Selection, offset: number, limit: number, descending: boolean): Page {
  const { where, minId, maxId } = selection
  const table = productTable(store)
  if (!descending) return table.page({ where, minId, maxId, offset, limit })
  const { total } = table.page({ where, minId, maxId, offset: 0, limit: 1 })
  const start = Math.max(0, total - offset - limit)
  const length = Math.max(0, total - offset - start)
  if (length === 0) return { rows: [], total }
  return { rows: table.page({ where, minId, maxId, offset: start, limit: length }).rows.reverse(), total }
}

function* scan(store: SandboxStore, { where, minId, maxId, matches }: Selection): Generator<Row> {
  let nextId = minId
  while (true) {
    const { rows } = productTable(store).page({ where, minId: nextId, maxId, offset: 0, limit: SCAN_STEP })
    for (const row of rows) if (matches.every((match) => match(row))) yield row
    const last = rows.at(-1)
    if (!last || rows.length < SCAN_STEP) return
    nextId = last.id + 1
  }
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right)
  return Number(left ?? 0) - Number(right ?? 0)
}

function readSelection(store: SandboxStore, query: URLSearchParams): Selection {
  const selection: Selection = { where: {}, minId: undefined, maxId: undefined, matches: [] }
  for (const [key, value] of query) FILTERS[key]?.(selection, value, store)
  return selection
}

type Filter = (selection: Selection, value: string, store: SandboxStore) => void

const equals = (field: string, read: (value: string) => string | number | boolean): Filter => {
  return (selection, value) => {
    selection.where[field] = read(value)
  }
}

const matching = (matches: (row: Row, value: string) => boolean): Filter => {
  return (selection, value) => {
    selection.matches.push((row) => matches(row, value))
  }
}

const matchingDate = (field: string, holds: (row: number, value: number) => boolean): Filter =>
  matching((row, value) => holds(Date.parse(String(row[field])), momentOf(value)))

/**
 * A day without a time gets the time of the request. Source: the date filters of the published product list. Seconds since
 * 1970 are what a published client sends.
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

/** Products linked to one of the given categories or channels; the links are read once per call. */
const linked = (linkTable: (store: SandboxStore) => Table, field: string): Filter => {
  return (selection, value, store) => {
    const linkedIds = new Set(
      linkTable(store)
        .find({ [field]: integers(value) })
        .map((link) => link.product_id),
    )
    selection.matches.push((row) => linkedIds.has(row.id))
  }
}

const asText = (value: string): string => value

const asBoolean = (value: string): boolean => value === 'true' || value === '1'

export function integers(list: string): number[] {
  return list
    .split(',')
    .map((part) => Number(part.trim()))
    .filter(Number.isInteger)
}

const FILTERS: Record<string, Filter> = {
  id: equals('id', Number),
  'id:in': (selection, value) => {
    selection.where.id = integers(value)
  },
  'id:not_in': (selection, value) => {
    const excluded = new Set(integers(value))
    selection.matches.push((row) => !excluded.has(row.id))
  },
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
  categories: linked(productCategoryTable, 'category_id'),
  'categories:in': linked(productCategoryTable, 'category_id'),
  'channel_id:in': linked(channelAssignmentTable, 'channel_id'),
  date_modified: matchingDate('date_modified', (row, wanted) => row === wanted),
  'date_modified:min': matchingDate('date_modified', (row, bound) => row >= bound),
  'date_modified:max': matchingDate('date_modified', (row, bound) => row <= bound),
  date_last_imported: matchingDate('date_last_imported', (row, wanted) => row === wanted),
  'date_last_imported:not': matchingDate('date_last_imported', (row, unwanted) => row !== unwanted),
  'date_last_imported:min': matchingDate('date_last_imported', (row, bound) => row >= bound),
  'date_last_imported:max': matchingDate('date_last_imported', (row, bound) => row <= bound),
  is_featured: matching((row, value) => row.is_featured === asBoolean(value)),
  is_free_shipping: matching((row, value) => row.is_free_shipping === asBoolean(value)),
  condition: matching((row, value) => row.condition === value),
  upc: matching((row, value) => row.upc === value),
  mpn: matching((row, value) => row.mpn === value),
  price: matching((row, value) => row.price === Number(value)),
  weight: matching((row, value) => row.weight === Number(value)),
  inventory_level: matching((row, value) => row.inventory_level === Number(value)),
  'inventory_level:in': matching((row, value) => integers(value).includes(Number(row.inventory_level))),
  'inventory_level:not_in': matching((row, value) => !integers(value).includes(Number(row.inventory_level))),
  'inventory_level:min': matching((row, value) => Number(row.inventory_level) >= Number(value)),
  'inventory_level:max': matching((row, value) => Number(row.inventory_level) <= Number(value)),
  'inventory_level:greater': matching((row, value) => Number(row.inventory_level) > Number(value)),
  'inventory_level:less': matching((row, value) => Number(row.inventory_level) < Number(value)),
  inventory_low: matching((row, value) => isLow(row) === asBoolean(value)),
  out_of_stock: matching((row, value) => !asBoolean(value) || isOutOfStock(row)),
  total_sold: matching((row, value) => row.total_sold === Number(value)),
  keyword: matching((row, value) => mentions([row.name, row.sku, row.description], value)),
}

/** The product's own count: what its variants have left is looked at by nobody here. */
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
