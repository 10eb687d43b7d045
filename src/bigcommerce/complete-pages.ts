import type { StoreClient } from './client.ts'
import { asRecord } from './errors.ts'
import { IdSet } from './id-set.ts'
import { isV2, numberedPages, type Page, type PageOptions } from './pages.ts'
import type { Query } from './query.ts'

/** Our choice: a list that changes during each of this many readings is left as it is, and reported. */
const mostReadings = 5

export interface CompleteOptions extends PageOptions {
  /**
   * How to tell items apart: the name of the id field, or a function. Items without an id are compared by their whole
   * content.
   */
  idOf?: string | ((item: unknown) => unknown)
  /** One reading is enough, for example to count. */
  once?: boolean | undefined
  /** Called when even the last reading found new items. `missing`: how many more the platform counts. */
  onChanging?: ((missing: number) => void) | undefined
}

/**
 * Reads a numbered list without the gaps that deletions cause: when an item on an earlier page is deleted, the others
 * move forward, past the reader. So the list is read again until a reading adds nothing but items newer than the first
 * reading (G2). A list that came in one call cannot shift, but in v2 it may have ended early, and no total shows that.
 *
 * Pages of later readings only contain new items. `read` counts distinct items. The total is the platform's and may be
 * wrong: it can cause another reading, but never end one.
 */
export async function* completePages<T>(
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query = {},
  { idOf = 'id', once = false, onChanging, ...options }: CompleteOptions = {},
): AsyncGenerator<Page<T>> {
  const seen = new IdSet()
  const list = { client, path, query, options, identify: identifying(idOf) }
  // The newest item of the first reading that returned as many items as the platform counts.
  let newest: number | null = null
  let callsBefore = 0
  for (let reading = 1; ; reading += 1) {
    const { summary, pages } = readOnce<T>(list, seen, newest)
    for await (const page of pages) if (reading === 1 || page.items.length > 0) yield page
    if (once) return
    const { calls, foundOlder, total } = summary
    const missing = Math.max(0, (total ?? 0) - seen.size)
    if (missing === 0 && isCertain(path, { reading, calls, callsBefore, foundOlder, total })) return
    if (reading === mostReadings) return onChanging?.(missing)
    if (newest === null && missing === 0) newest = seen.newest
    callsBefore = calls
  }
}

interface NumberedList {
  client: Pick<StoreClient, 'get'>
  path: string
  query: Query
  options: PageOptions
  identify: (item: unknown) => unknown
}

interface Summary {
  calls: number
  total: number | null
  /** Whether it found items that are not newer than the first reading. */
  foundOlder: boolean
}

/** One reading. `summary` is complete once the pages have ended. */
function readOnce<T>(
  { client, path, query, options, identify }: NumberedList,
  seen: IdSet,
  newest: number | null,
): { summary: Summary; pages: AsyncGenerator<Page<T>> } {
  const summary: Summary = { calls: 0, total: null, foundOlder: false }
  const counted: Pick<StoreClient, 'get'> = {
    get: (...args) => {
      summary.calls += 1
      return client.get(...args)
    },
  }
  async function* pages(): AsyncGenerator<Page<T>> {
    for await (const { items, total } of numberedPages<T>(counted, path, query, options)) {
      const fresh = items.filter((item) => seen.add(identify(item)))
      summary.foundOlder ||= fresh.some((item) => !isNewer(identify(item), newest))
      summary.total = total
      yield { items: fresh, total, read: seen.size }
    }
  }
  return { summary, pages: pages() }
}

function isCertain(
  path: string,
  { reading, calls, callsBefore, foundOlder, total }: Summary & { reading: number; callsBefore: number },
): boolean {
  if (reading === 1) return calls === 1 && !isV2(path)
  // Without a total, more pages than before may mean that the list had ended early.
  return !foundOlder && (calls <= callsBefore || total !== null)
}

function isNewer(id: unknown, newest: number | null): boolean {
  return newest !== null && typeof id === 'number' && id > newest
}

function identifying(idOf: string | ((item: unknown) => unknown)): (item: unknown) => unknown {
  if (typeof idOf === 'function') return idOf
  return (item) => asRecord(item)[idOf] ?? JSON.stringify(item)
}
