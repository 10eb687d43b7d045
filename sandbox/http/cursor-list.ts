import type { Row, Table } from '../store/store.ts'
import { refuse } from './answers.ts'
import { pageOf, paginationMeta, selectFields, type Where } from './listing.ts'
import type { SandboxAnswer, SandboxRequest } from './resource.ts'

/** The rows of a list: `where` uses indexes, `keep` is applied row by row. */
interface CursorSelection {
  where: Where
  /** Absent: keeps every row that `where` finds. */
  keep?: (row: Row) => boolean
  /** How the platform returns a row. Absent: as it is. */
  show?: (row: Row) => Record<string, unknown>
}

/**
 * A list with both kinds of paging: by cursor if `before` or `after` is given, in which case `page` is ignored,
 * otherwise by offset.
 */
export function cursorList({ query }: SandboxRequest, table: Table, selection: CursorSelection): SandboxAnswer {
  if (query.has('before') && query.has('after')) refuse(422, 'before and after cannot be combined')
  return query.has('before') || query.has('after')
    ? cursorPage(query, table, selection)
    : offsetPage(query, table, selection)
}

function offsetPage(query: URLSearchParams, table: Table, { where, keep, show }: CursorSelection): SandboxAnswer {
  const at = pageOf(query)
  const descending = query.get('direction') === 'desc'
  if (!keep) {
    const { rows, total } = table.page({ where, descending, offset: at.offset, limit: at.limit })
    const hasMore = at.offset + rows.length < total
    return answer(
      query,
      { rows, limit: at.limit, hasLess: at.page > 1, hasMore, show },
      paginationMeta(query, at, rows.length, total),
    )
  }
  const all = firstKept(table.scan({ where }, descending), keep)
  const rows = all.slice(at.offset, at.offset + at.limit)
  const hasMore = at.offset + rows.length < all.length
  return answer(
    query,
    { rows, limit: at.limit, hasLess: at.page > 1, hasMore, show },
    paginationMeta(query, at, rows.length, all.length),
  )
}

/**
 * Reads ids upwards for `after` and downwards for `before`. Reads one row more than the page, to find out whether
 * another page follows.
 */
function cursorPage(query: URLSearchParams, table: Table, { where, keep, show }: CursorSelection): SandboxAnswer {
  const { limit } = pageOf(query)
  const after = query.get('after')
  if (after !== null) {
    const rows = firstKept(table.scan({ where, minId: idOf(after) + 1 }), keep, limit + 1)
    return answer(query, { rows: rows.slice(0, limit), limit, hasLess: true, hasMore: rows.length > limit, show }, {})
  }
  const before = table.scan({ where, maxId: idOf(String(query.get('before'))) - 1 }, true)
  const rows = firstKept(before, keep, limit + 1)
  const hasLess = rows.length > limit
  return answer(query, { rows: rows.slice(0, limit).reverse(), limit, hasLess, hasMore: true, show }, {})
}

function firstKept(rows: Iterable<Row>, keep: CursorSelection['keep'], requested = Infinity): Row[] {
  const kept: Row[] = []
  for (const row of rows) {
    if (!keep || keep(row)) kept.push(row)
    if (kept.length >= requested) break
  }
  return kept
}

/** `id:7` in base64, as in the published example. */
function cursorOf(row: Row | undefined): string {
  return row ? Buffer.from(`id:${row.id}`).toString('base64') : ''
}

function idOf(cursor: string): number {
  const id = /^id:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('latin1'))?.[1]
  if (id === undefined) refuse(422, 'The cursor is not valid', { cursor: 'not a cursor of this list' })
  return Number(id)
}

/** The rows of one page, and whether there are more before and after it. */
interface CursorPage {
  rows: Row[]
  limit: number
  hasLess: boolean
  hasMore: boolean
  show: CursorSelection['show']
}

function answer(query: URLSearchParams, page: CursorPage, meta: Record<string, unknown>): SandboxAnswer {
  const { rows, limit, hasLess, hasMore, show } = page
  const [start, end] = [cursorOf(rows[0]), cursorOf(rows.at(-1))]
  const links = {
    ...(hasLess && start ? { previous: `?limit=${limit}&before=${encodeURIComponent(start)}` } : {}),
    current: `?limit=${limit}`,
    ...(hasMore && end ? { next: `?limit=${limit}&after=${encodeURIComponent(end)}` } : {}),
  }
  const cursor = { count: rows.length, per_page: limit, start_cursor: start, end_cursor: end, links }
  const data = rows.map((row) => selectFields(show?.(row) ?? row, query))
  return { status: 200, body: { data, meta: { ...meta, cursor_pagination: cursor } } }
}
