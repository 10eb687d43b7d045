import type { Answer, StoreClient } from './client.ts'
import { asRecord, UnreadableAnswerError } from './errors.ts'
import type { Query } from './query.ts'
import { mayBeFirstPage } from './refused-paging.ts'

/**
 * One complete page. The first page is yielded even when it is empty, so the total is always known. Later pages have at
 * least one item.
 */
export interface Page<T> {
  items: T[]
  /**
   * The number of all items by the platform's own count; null where there is no reliable one (v2, some cursor lists,
   * wishlists).
   */
  total: number | null
  /**
   * Items read so far, this page included. After the last page, `read !== total` means that the store changed while it
   * was read: reconcile (C3, G2).
   */
  read: number
}

export interface PageOptions {
  /** Items to request per page; the platform may return fewer. */
  limit?: number
  signal?: AbortSignal
}

export interface KeysetOptions extends PageOptions {
  /** Field of the items and name of the filter and sort; `id` by default. */
  idField?: string
  /** The filter that the endpoint supports: `id:greater` (products) or the inclusive `id:min` (redirects). */
  filter?: 'greater' | 'min'
  /** Continue after this id; by default from the beginning. */
  after?: number
  /** Yield at most this many pages. */
  pageLimit?: number
}

const usualLimit = 250
/** The platform's default page size, and the smallest to which it is known to limit a list when it ignores `limit`. */
const smallestCap = 50

/**
 * v3 with `page` and `limit`. Ends at an empty page, or at a page shorter than `per_page` once all counted items were
 * read. `total_pages` is ignored. Skips items if the collection shrinks during the reading.
 */
export async function* offsetPages<T>(
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query = {},
  { limit = usualLimit, signal }: PageOptions = {},
): AsyncGenerator<Page<T>> {
  let read = 0
  let before = ''
  let miscounts = false
  for (let page = 1; ; page += 1) {
    const answer = await client.get(path, { ...query, page, limit }, { signal })
    const { items, pagination } = listOf<T>(answer, path)
    if (items.length === 0 && page > 1) return
    const saysNothing = Object.keys(pagination).length === 0
    const first = saysNothing ? JSON.stringify(items[0]) : ''
    if (saysNothing && page > 1 && first === before) return
    before = first
    if (page > 1 && pagination.current_page === page - 1) {
      // A list without pages returns all its items whatever page is requested.
      if (read >= numberOr(pagination.total, Infinity)) return
      throw new UnreadableAnswerError(`${path} answered page ${page - 1} again.`, { path })
    }
    read += items.length
    const counted = numberOr(pagination.total, read)
    // Seen at real stores: the list of wishlists counts only the items on the page.
    miscounts ||= page === 1 && counted < read
    const total = miscounts ? null : counted
    yield { items, total, read }
    // A list without page information has a single page, unless that is full.
    if (saysNothing && !mayBeFirstPage(answer.body)) return
    if (saysNothing) continue
    if (items.length === 0 || (isShort(items, pagination, limit) && read >= (total ?? 0))) return
  }
}

/** A list of either version, page by page. */
export function numberedPages<T>(
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query = {},
  options: PageOptions = {},
): AsyncGenerator<Page<T>> {
  return isV2(path) ? v2Pages<T>(client, path, query, options) : offsetPages<T>(client, path, query, options)
}

/**
 * v3 ordered by id, each page starting after the last id of the one before, so the list is complete even if the
 * collection changes while it is read. `total` counts from `after` on.
 *
 * @throws UnreadableAnswerError when the endpoint ignores the order or the filter, instead of looping or skipping.
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
    const isCounted = typeof pagination.total === 'number'
    if (items.length === 0 || (isCounted && isShort(items, pagination, limit) && rest <= items.length)) return
  }
}

export interface CursorOptions extends PageOptions {
  /** Continue after this cursor; by default from the beginning. */
  after?: string
}

/**
 * v3 with `after=<cursor>`. `cursor` continues after a page; null when the answer has none. On some endpoints the first
 * answer also carries page numbers; only then is the total known.
 */
export async function* cursorPages<T>(
  client: Pick<StoreClient, 'get'>,
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

/** The two versions of the platform's API wrap lists differently. */
export function isV2(path: string): boolean {
  return path.startsWith('/v2/')
}

/** The items of one answer, for a list of either version. */
export function itemsIn<T>(answer: Pick<Answer, 'httpStatus' | 'body'>, path: string): T[] {
  return isV2(path) ? arrayOf<T>(answer, path) : listOf<T>(answer, path).items
}

/** v2: plain arrays, and 204 for an empty list. The page size is not stated, so it is learned from the pages. */
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
    // Some v2 lists ignore paging and return everything again.
    const first = JSON.stringify(items[0])
    if (page > 1 && first === before) return
    before = first
    read += items.length
    yield { items, total: null, read }
    if (items.length < cap) return
    cap = Math.max(cap, items.length)
  }
}

/**
 * v2 ordered by id with `min_id`, for lists that change while they are read, such as orders. No total shows whether a
 * list ended too early, so its end is read twice (G2), except after `lastId`, the largest id that can occur.
 */
export async function* v2KeysetPages<T>(
  client: StoreClient,
  path: string,
  query: Query = {},
  {
    after,
    limit = usualLimit,
    signal,
    pageLimit = Infinity,
    lastId = Infinity,
  }: Omit<KeysetOptions, 'idField' | 'filter'> & { lastId?: number } = {},
): AsyncGenerator<Page<T> & { total: null }> {
  let cap = Math.min(limit, smallestCap)
  let last = after
  let read = 0
  let ends = 0
  for (let count = 1; count <= pageLimit; count += 1) {
    const from = last === undefined ? {} : { min_id: last + 1 }
    const items = arrayOf<T>(await client.get(path, { ...query, sort: 'id:asc', limit, ...from }, { signal }), path)
    last = lastIdInOrder(items, 'id', last, path)
    read += items.length
    if (items.length > 0 || count === 1) yield { items, total: null, read }
    ends = items.length < cap ? ends + 1 : 0
    if (ends === 2 || (last ?? -Infinity) >= lastId) return
    cap = Math.max(cap, items.length)
  }
}

interface List<T> {
  items: T[]
  pagination: Record<string, unknown>
  cursors: Record<string, unknown>
}

/** 204 means an empty list; in v3 that happens for images, reviews and transactions. */
function listOf<T>({ httpStatus, body }: Pick<Answer, 'httpStatus' | 'body'>, path: string): List<T> {
  if (body === undefined && httpStatus === 204) return { items: [], pagination: { total: 0 }, cursors: {} }
  const { data, meta } = asRecord(body)
  if (!Array.isArray(data)) throw new UnreadableAnswerError(`${path} answered without a list of data.`, { path })
  const { pagination, cursor_pagination } = asRecord(meta)
  return { items: itemsOf<T>(data), pagination: asRecord(pagination), cursors: asRecord(cursor_pagination) }
}

function arrayOf<T>({ httpStatus, body }: Pick<Answer, 'httpStatus' | 'body'>, path: string): T[] {
  if (body === undefined && httpStatus === 204) return []
  if (!Array.isArray(body)) throw new UnreadableAnswerError(`${path} answered without a list.`, { path })
  return itemsOf<T>(body)
}

/** The caller chooses the type and parses what it relies on; the platform's items are loose objects. */
function itemsOf<T>(data: unknown[]): T[] {
  return data as T[]
}

/** `per_page` is the platform's real page size, which may be smaller than requested. */
function isShort(items: unknown[], pagination: Record<string, unknown>, limit: number): boolean {
  return items.length < numberOr(pagination.per_page, limit)
}

function lastIdInOrder(items: unknown[], idField: string, after: number | undefined, path: string): number | undefined {
  let last = after
  for (const [at, item] of items.entries()) {
    const id = asRecord(item)[idField]
    if (typeof id !== 'number')
      throw new UnreadableAnswerError(`${path} answered an item without a numeric ${idField}.`, { path })
    // A page may show an item twice, but none of the page before.
    if (last !== undefined && (id < last || (id === last && at === 0)))
      throw new UnreadableAnswerError(`${path} answered ${idField} ${id} after ${last}.`, { path })
    last = id
  }
  return last
}

function nextCursor(cursors: Record<string, unknown>, before: string | undefined, path: string): string {
  const cursor = cursors.end_cursor
  if (typeof cursor !== 'string' || cursor === '')
    throw new UnreadableAnswerError(`${path} has more items but gave no cursor.`, { path })
  if (cursor === before) throw new UnreadableAnswerError(`${path} answered the same cursor twice.`, { path })
  return cursor
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
