import type { Answer, Query, StoreClient } from './client.ts'
import { asRecord, UnreadableAnswerError } from './errors.ts'

/**
 * One complete page. The first page is yielded even when it is empty, so that the total is always learned; later pages
 * have at least one item.
 */
export interface Page<T> {
  items: T[]
  /** How many there are in all by the platform's own count; null where it gives none (v2, some cursor lists). */
  total: number | null
  /** How many were read so far, this page included. After the last page, `read !== total` means that the store changed
   * while it was read: reconcile (C3). */
  read: number
}

export interface PageOptions {
  /** Items to ask for per page; the platform may give fewer. */
  limit?: number
  signal?: AbortSignal
}

export interface KeysetOptions extends PageOptions {
  /** Both the field of the items and the name of the filter and the sort; `id` unless given. */
  idField?: string
  /** Which filter the endpoint knows: `id:greater` (products) or the inclusive `id:min` (redirects). */
  filter?: 'greater' | 'min'
  /** Continue after this id; from the beginning unless given. */
  after?: number
  /** Yield at most so many pages. */
  pageLimit?: number
}

const usualLimit = 250
/** The smallest page the platform is known to cut a list to when it ignores `limit` (its default), where none is stated. */
const smallestCap = 50

/**
 * v3 with `page` and `limit`. Ends at an empty page, or at one shorter than the platform's own `per_page` once as many
 * were read as it counts; `total_pages` is never believed. Skips items when the collection shrinks meanwhile.
 */
export async function* offsetPages<T>(
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query = {},
  { limit = usualLimit, signal }: PageOptions = {},
): AsyncGenerator<Page<T> & { total: number }> {
  let read = 0
  for (let page = 1; ; page += 1) {
    const answer = await client.get(path, { ...query, page, limit }, { signal })
    const { items, pagination } = listOf<T>(answer, path)
    if (items.length === 0 && page > 1) return
    if (page > 1 && pagination.current_page === page - 1)
      throw new UnreadableAnswerError(`${path} answered page ${page - 1} again.`)
    read += items.length
    const total = numberOr(pagination.total, read)
    yield { items, total, read }
    // A list that tells nothing of pages has none.
    if (Object.keys(pagination).length === 0) return
    if (items.length === 0 || (isShort(items, pagination, limit) && read >= total)) return
  }
}

/** Pages by number of a list of either version. */
export function numberedPages<T>(
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query = {},
  options: PageOptions = {},
): AsyncGenerator<Page<T>> {
  return isV2(path) ? v2Pages<T>(client, path, query, options) : offsetPages<T>(client, path, query, options)
}

/**
 * v3 ordered by id, each page beginning after the last id of the one before: complete even when the collection changes
 * meanwhile. `total` counts from `after` on.
 *
 * @throws UnreadableAnswerError when the endpoint does not honour the order or the filter, rather than loop or skip.
 */
export async function* keysetPages<T>(
  client: StoreClient,
  path: string,
  query: Query = {},
  { idField = 'id', filter = 'greater', after, limit = usualLimit, signal, pageLimit = Infinity }: KeysetOptions = {},
): AsyncGenerator<Page<T> & { total: number }> {
  let last = after
  let read = 0
  for (let count = 1; count <= pageLimit; count += 1) {
    const from = last === undefined ? {} : { [`${idField}:${filter}`]: filter === 'min' ? last + 1 : last }
    const pageQuery = { ...query, sort: idField, direction: 'asc', limit, ...from }
    const { items, pagination } = listOf<T>(await client.get(path, pageQuery, { signal }), path)
    if (items.length === 0 && count > 1) return
    last = lastIdInOrder(items, idField, last, path)
    const rest = numberOr(pagination.total, items.length)
    const total = read + rest
    read += items.length
    yield { items, total, read }
    if (items.length === 0 || (isShort(items, pagination, limit) && rest <= items.length)) return
  }
}

export interface CursorOptions extends PageOptions {
  /** Continue after this cursor; from the beginning unless given. */
  after?: string
}

/**
 * v3 with `after=<cursor>`; `cursor` is where to continue after a page, null when the answer names none. The first answer, asked by limit alone, carries both kinds of pagination on some endpoints,
 * and only then is the total known.
 */
export async function* cursorPages<T>(
  client: StoreClient,
  path: string,
  query: Query = {},
  { limit = usualLimit, signal, after: start }: CursorOptions = {},
): AsyncGenerator<Page<T> & { cursor: string | null }> {
  let after = start
  let total: number | null = null
  let read = 0
  for (let first = true; ; first = false) {
    const { items, pagination, cursors } = listOf<T>(
      await client.get(path, { ...query, limit, after }, { signal }),
      path,
    )
    if (items.length === 0 && !first) return
    read += items.length
    if (first && start === undefined && typeof pagination.total === 'number') total = pagination.total
    yield { items, total, read, cursor: typeof cursors.end_cursor === 'string' ? cursors.end_cursor : (after ?? null) }
    const known = typeof cursors.per_page === 'number' ? cursors : pagination
    const another = asRecord(cursors.links).next !== undefined || read < (total ?? 0)
    if (items.length === 0 || (isShort(items, known, limit) && !another)) return
    after = nextCursor(cursors, after, path)
  }
}

/** The two versions of the platform's API have different envelopes. */
export function isV2(path: string): boolean {
  return path.startsWith('/v2/')
}

/** The items of one answer of a list of either version. */
export function itemsIn<T>(answer: Pick<Answer, 'httpStatus' | 'body'>, path: string): T[] {
  return isV2(path) ? arrayOf<T>(answer, path) : listOf<T>(answer, path).items
}

/** v2: plain arrays, and no content (204) for an empty list. Nothing states the cap, so it is learned from the pages. */
export async function* v2Pages<T>(
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query = {},
  { limit = usualLimit, signal }: PageOptions = {},
): AsyncGenerator<Page<T> & { total: null }> {
  let cap = Math.min(limit, smallestCap)
  let read = 0
  let before = ''
  for (let page = 1; ; page += 1) {
    const items = arrayOf<T>(await client.get(path, { ...query, page, limit }, { signal }), path)
    if (items.length === 0 && page > 1) return
    // Some lists of v2 know no pages and give the whole again.
    const first = JSON.stringify(items[0])
    if (page > 1 && first === before) return
    before = first
    read += items.length
    yield { items, total: null, read }
    if (items.length < cap) return
    cap = Math.max(cap, items.length)
  }
}

/** v2 ordered by id with `min_id`, for lists that change while they are read, as orders do. */
export async function* v2KeysetPages<T>(
  client: StoreClient,
  path: string,
  query: Query = {},
  { after, limit = usualLimit, signal, pageLimit = Infinity }: Omit<KeysetOptions, 'idField' | 'filter'> = {},
): AsyncGenerator<Page<T> & { total: null }> {
  let cap = Math.min(limit, smallestCap)
  let last = after
  let read = 0
  for (let count = 1; count <= pageLimit; count += 1) {
    const from = last === undefined ? {} : { min_id: last + 1 }
    const items = arrayOf<T>(await client.get(path, { ...query, sort: 'id:asc', limit, ...from }, { signal }), path)
    if (items.length === 0 && count > 1) return
    last = lastIdInOrder(items, 'id', last, path)
    read += items.length
    yield { items, total: null, read }
    if (items.length < cap) return
    cap = Math.max(cap, items.length)
  }
}

interface List<T> {
  items: T[]
  pagination: Record<string, unknown>
  cursors: Record<string, unknown>
}

/** No content is an empty list: images, reviews and transactions answer so in v3 too. */
function listOf<T>({ httpStatus, body }: Pick<Answer, 'httpStatus' | 'body'>, path: string): List<T> {
  if (body === undefined && httpStatus === 204) return { items: [], pagination: { total: 0 }, cursors: {} }
  const { data, meta } = asRecord(body)
  if (!Array.isArray(data)) throw new UnreadableAnswerError(`${path} answered without a list of data.`)
  const { pagination, cursor_pagination } = asRecord(meta)
  return { items: itemsOf<T>(data), pagination: asRecord(pagination), cursors: asRecord(cursor_pagination) }
}

function arrayOf<T>({ httpStatus, body }: Pick<Answer, 'httpStatus' | 'body'>, path: string): T[] {
  if (body === undefined && httpStatus === 204) return []
  if (!Array.isArray(body)) throw new UnreadableAnswerError(`${path} answered without a list.`)
  return itemsOf<T>(body)
}

/** The caller names the shape and parses what it relies on: items of the platform are loose objects. */
function itemsOf<T>(data: unknown[]): T[] {
  return data as T[]
}

/** `per_page` is the platform's real cap: it may be smaller than what was asked for. */
function isShort(items: unknown[], pagination: Record<string, unknown>, limit: number): boolean {
  return items.length < numberOr(pagination.per_page, limit)
}

function lastIdInOrder(items: unknown[], idField: string, after: number | undefined, path: string): number | undefined {
  let last = after
  for (const item of items) {
    const id = asRecord(item)[idField]
    if (typeof id !== 'number')
      throw new UnreadableAnswerError(`${path} answered an item without a numeric ${idField}.`)
    if (last !== undefined && id <= last)
      throw new UnreadableAnswerError(`${path} answered ${idField} ${id} after ${last}.`)
    last = id
  }
  return last
}

function nextCursor(cursors: Record<string, unknown>, before: string | undefined, path: string): string {
  const cursor = cursors.end_cursor
  if (typeof cursor !== 'string' || cursor === '')
    throw new UnreadableAnswerError(`${path} has more but named no cursor.`)
  if (cursor === before) throw new UnreadableAnswerError(`${path} answered the same cursor twice.`)
  return cursor
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
