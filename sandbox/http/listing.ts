import type { Filter, Row, Table, Where } from '../store/store.ts'
import { refuse } from './answers.ts'
import type { SandboxAnswer } from './resource.ts'

export type { Where } from '../store/store.ts'

export interface PageOf {
  page: number
  limit: number
  offset: number
}

export interface IdBounds {
  where?: { id: number[] }
  minId?: number
  maxId?: number
}

export interface Listing {
  query: URLSearchParams
  table: Table
  where?: Where
  /** Conditions without an index, checked row by row. */
  keep?: (row: Row) => boolean
  /** Sort order. Absent: by ascending id. */
  order?: (a: Row, b: Row) => number
  /** How the platform returns a row. Absent: as it is. */
  show?: (row: Row) => Record<string, unknown>
  /** The field that is returned whatever include_fields says. */
  idField?: string
  maxLimit?: number
  /** Whether the list can be filtered by id, id:in, id:min, id:max, id:greater and id:less. */
  idFilters?: boolean
}

function integer(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name)
  if (text === null || text === '') return fallback
  if (!/^-?\d+$/.test(text))
    refuse(422, `Query parameter "${name}" value must be integer. For input string: "${text}".`)
  return Number(text)
}

/** page and limit of a v3 list. A limit above the maximum is reduced to it. */
export function pageOf(query: URLSearchParams, maxLimit = 250): PageOf {
  const page = Math.max(1, integer(query, 'page', 1))
  const limit = Math.min(maxLimit, Math.max(1, integer(query, 'limit', 50)))
  return { page, limit, offset: (page - 1) * limit }
}

/** The numbers of a comma-separated filter; undefined if absent. */
export function numbersIn(query: URLSearchParams, name: string): number[] | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const parts = text.split(',').filter((part) => part.trim() !== '')
  for (const part of parts) {
    if (!/^\s*-?\d+\s*$/.test(part)) refuse(422, `The filter ${name} must be a comma-separated list of integers.`)
  }
  return parts.map(Number)
}

/** The strings of a comma-separated filter; undefined if absent. */
export function textsIn(query: URLSearchParams, name: string): string[] | undefined {
  const text = query.get(name)
  return text === null ? undefined : text.split(',').filter((part) => part !== '')
}

/** A boolean filter: `true`, `1`, `false` or `0`; undefined if absent. */
export function booleanIn(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)
  return text === null ? undefined : text === 'true' || text === '1'
}

/** Translates id, id:in, id:min, id:max, id:greater and id:less into bounds for Table.page. */
export function idBounds(query: URLSearchParams): IdBounds {
  const ids = numbersIn(query, 'id:in') ?? numbersIn(query, 'id')
  const greater = query.has('id:greater') ? integer(query, 'id:greater', 0) + 1 : undefined
  const least = query.has('id:min') ? integer(query, 'id:min', 0) : undefined
  const less = query.has('id:less') ? integer(query, 'id:less', 0) - 1 : undefined
  const most = query.has('id:max') ? integer(query, 'id:max', 0) : undefined
  return {
    ...(ids ? { where: { id: ids } } : {}),
    ...(greater !== undefined || least !== undefined
      ? { minId: Math.max(greater ?? -Infinity, least ?? -Infinity) }
      : {}),
    ...(less !== undefined || most !== undefined ? { maxId: Math.min(less ?? Infinity, most ?? Infinity) } : {}),
  }
}

/** Applies include_fields and exclude_fields. The id always stays. */
export function selectFields(
  row: Record<string, unknown>,
  query: URLSearchParams,
  idField = 'id',
): Record<string, unknown> {
  const included = textsIn(query, 'include_fields')
  const excluded = textsIn(query, 'exclude_fields')
  if (!included && !excluded) return row
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name]) => name === idField || ((included?.includes(name) ?? true) && !excluded?.includes(name)),
    ),
  )
}

/** The page links repeat the caller's other parameters, as on the platform. */
function link(query: URLSearchParams, page: number, limit: number): string {
  const copy = new URLSearchParams(query)
  copy.delete('page')
  copy.delete('limit')
  const rest = copy.toString()
  return `?page=${page}&limit=${limit}${rest ? `&${rest}` : ''}`
}

/** `meta` of a v3 offset list. */
export function paginationMeta(query: URLSearchParams, at: PageOf, count: number, total: number) {
  const totalPages = Math.ceil(total / at.limit)
  return {
    pagination: {
      total,
      count,
      per_page: at.limit,
      current_page: at.page,
      total_pages: totalPages,
      links: {
        ...(at.page > 1 ? { previous: link(query, at.page - 1, at.limit) } : {}),
        current: link(query, at.page, at.limit),
        ...(at.page < totalPages ? { next: link(query, at.page + 1, at.limit) } : {}),
      },
    },
  }
}

function rowsOf(listing: Listing, at: PageOf): { rows: Row[]; total: number } {
  const bounds = listing.idFilters === false ? {} : idBounds(listing.query)
  const where: Where = { ...listing.where, ...bounds.where }
  const range = { minId: bounds.minId, maxId: bounds.maxId }
  if (!listing.keep && !listing.order)
    return listing.table.page({ where, ...range, offset: at.offset, limit: at.limit })
  return scannedPage(listing, { where, ...range }, at)
}

/** Only the rows of the page are kept in memory, unless they have to be sorted. */
function scannedPage({ table, keep, order }: Listing, filter: Filter, at: PageOf): { rows: Row[]; total: number } {
  const rows: Row[] = []
  let total = 0
  for (const row of table.scan(filter)) {
    if (keep && !keep(row)) continue
    if (order || (total >= at.offset && total < at.offset + at.limit)) rows.push(row)
    total++
  }
  return { rows: order ? rows.sort(order).slice(at.offset, at.offset + at.limit) : rows, total }
}

/** A v3 list with offset paging: filters, page, fields and meta in one call. */
export function list(listing: Listing): SandboxAnswer {
  const at = pageOf(listing.query, listing.maxLimit)
  const { rows, total } = rowsOf(listing, at)
  const data = rows.map((row) => selectFields(listing.show?.(row) ?? row, listing.query, listing.idField))
  return { status: 200, body: { data, meta: paginationMeta(listing.query, at, data.length, total) } }
}
