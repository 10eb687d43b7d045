import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { isV2 } from '../../src/bigcommerce/pages.ts'
import { plainPages } from '../../src/engine/read/pages.ts'
import type { PlatformItem } from '../../src/entities/core/draft.ts'
import type { Reading } from '../../src/entities/core/reading.ts'
import { entities } from '../../src/entities/registry.ts'
import { answer, type StoreServer, startStore } from '../harness/store-server.ts'

/** Walks that read lists; all others ask for single documents, or for lists of one page. */
const walkedLists = ['segments', 'shopper-profiles', 'segment-members', 'widget-templates', 'inventory']

const lists = entities.flatMap(({ passes }) =>
  passes.flatMap(({ key, source, destination }) =>
    [
      { of: 'source', key, reading: source },
      { of: 'destination', key, reading: destination },
    ].filter(({ reading }) => !reading.pages || walkedLists.includes(key)),
  ),
)

/** Lists by path. The first item of a list of several pages is deleted as soon as a page of it was asked for and answered. */
let lengths: (path: string) => number
const stores = new Map<string, { rows: PlatformItem[]; deleted: boolean }>()
let store: StoreServer

beforeAll(async () => {
  store = await startStore(serve)
})
afterAll(() => store.stop())
afterEach(() => stores.clear())

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://store.test')
  const path = pathname.replace(/^\/stores\/[^/]+/, '')
  const list = stores.get(path) ?? { rows: rowsOf(lengths(path)), deleted: false }
  stores.set(path, list)
  const limit = Math.min(250, Number(query.get('limit') ?? 50))
  const after = idAfter(query)
  const rest = after === undefined ? list.rows : list.rows.filter(({ id }) => Number(id) > after)
  const start = after === undefined ? (Number(query.get('page') ?? 1) - 1) * limit : 0
  const data = rest.slice(start, start + limit)
  const per_page = limit
  const cursor_pagination = {
    per_page,
    end_cursor: String(data.at(-1)?.id ?? ''),
    links: start + limit < rest.length ? { next: '?' } : {},
  }
  const meta = {
    ...(query.has('after') ? {} : { pagination: { total: rest.length, per_page } }),
    cursor_pagination,
  }
  if (isV2(path)) answer(response, data.length === 0 ? 204 : 200, data.length === 0 ? undefined : data)
  else answer(response, 200, { data, meta })
  // The answer to a request without paging is not used if it turns out to be a page.
  const isPaged = query.has('limit') || query.has('page')
  if (list.deleted || !isPaged || data.length === 0) return
  list.deleted = true
  if (list.rows.length > limit) list.rows.shift()
}

/** With whatever the registry takes for an id. */
function rowsOf(length: number): PlatformItem[] {
  return Array.from({ length }, (_, at) => ({
    id: at + 1,
    uuid: `uuid-${at + 1}`,
    category_id: at + 1,
    product_id: at + 1,
    channel_id: at + 1,
    kind: 'custom',
    shopper_profile_id: `profile-${at + 1}`,
    segment_ids: ['segment'],
    identity: { product_id: at + 1, variant_id: at + 1 },
    locations: [{ location_id: 1, total_inventory_onhand: 3 }],
    variant_id: at + 1,
    currency: 'usd',
  }))
}

function idAfter(query: URLSearchParams): number | undefined {
  const [greater, min, v2Min, cursor] = ['id:greater', 'id:min', 'min_id', 'after'].map((name) => query.get(name))
  if (greater) return Number(greater)
  if (min || v2Min) return Number(min ?? v2Min) - 1
  return cursor ? Number(cursor) : undefined
}

async function idsRead(reading: Reading): Promise<{ ids: Set<string>; changing: boolean }> {
  const ids = new Set<string>()
  let changing = false
  const channels = [{ id: 1, type: 'storefront', platform: 'bigcommerce', status: 'active' }]
  const context = {
    source: store.client,
    destination: store.client,
    lease: { stop: new AbortController().signal },
    channels: { source: channels, destination: channels },
  }
  const onChanging = () => {
    changing = true
  }
  for await (const { items } of plainPages(context, 'source', reading, { onChanging }))
    for (const item of items) ids.add(String(item[reading.idField]))
  return { ids, changing }
}

test.each(
  lists,
)('G2: the list of $key at the $of loses no item when one of its first page is deleted before the second is read', async ({
  reading,
}) => {
  const { parts } = reading
  // Two parts of several pages each, or a list of several pages.
  lengths = (path) => (parts && path === reading.path ? 2 : 2 * 250 + 3)
  const { ids, changing } = await idsRead(reading)
  lengths = (path) => (parts && path === reading.path ? 2 : 2 * 250 + 3)
  expect(ids.size).toBe(parts ? idsOfParts(reading) : 2 * 250 + 3)
  expect(changing).toBe(false)
})

/** Ids of all rows of both parts, some of which have the same. */
function idsOfParts({ parts, idField }: Reading): number {
  const rows = [1, 2].flatMap((id) => rowsOf(2 * 250 + 3).map((row) => parts?.item(row, { id }) ?? row))
  return new Set(rows.map((row) => String(row[idField]))).size
}
