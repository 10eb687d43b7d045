import { afterEach, describe, expect, test } from 'vitest'
import { answer, type StoreServer, startStore } from '../../test/harness/store-server.ts'
import { cursorPages, keysetPages, offsetPages, type Page, v2KeysetPages, v2Pages } from './pages.ts'

let store: StoreServer

afterEach(() => store.stop())

interface Item {
  id: number
}

function items(count: number): Item[] {
  return Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
}

/** A store whose answer depends only on the query. */
async function aStore(
  reply: (query: URLSearchParams) => { httpStatus?: number; body?: unknown },
): Promise<StoreServer> {
  store = await startStore((request, response) => {
    const { httpStatus = 200, body } = reply(new URL(request.url ?? '', 'http://store.test').searchParams)
    answer(response, httpStatus, body)
  })
  return store
}

async function readAll<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>[]> {
  const read: Page<T>[] = []
  for await (const page of pages) read.push(page)
  return read
}

const sizes = (pages: Page<unknown>[]) => pages.map((page) => page.items.length)

describe('C3: pages by number', () => {
  /** Limits every page to `cap` items, as the platform does, and says so. */
  const list =
    (all: Item[], { cap = 250, total = all.length } = {}) =>
    (query: URLSearchParams) => {
      const size = Math.min(cap, Number(query.get('limit')))
      const start = (Number(query.get('page')) - 1) * size
      const data = all.slice(start, start + size)
      return {
        body: {
          data,
          meta: { pagination: { total, per_page: size, current_page: Number(query.get('page')), total_pages: 1 } },
        },
      }
    }

  test.each([
    [0, [0], 1],
    [1, [1], 1],
    [2, [2], 2],
    [3, [2, 1], 2],
    [4, [2, 2], 3],
  ])('C3: %i items by two are the pages %j in %i calls, whatever total_pages says', async (count, pages, calls) => {
    await aStore(list(items(count)))
    const read = await readAll(offsetPages<Item>(store.client, '/v3/catalog/brands', {}, { limit: 2 }))
    expect(sizes(read)).toEqual(pages)
    expect(read.at(-1)).toMatchObject({ read: count, total: count })
    expect(store.requests).toHaveLength(calls)
  })

  test('C3: a page that the platform cut short does not count as the last', async () => {
    await aStore(list(items(25), { cap: 10 }))
    expect(sizes(await readAll(offsetPages(store.client, '/v3/catalog/products', { include: 'options' })))).toEqual([
      10, 10, 5,
    ])
  })

  test('C3: a short page does not end the list while the platform counts more items', async () => {
    await aStore((query) => {
      const data = { 1: items(1), 2: items(2) }[query.get('page') ?? ''] ?? []
      return { body: { data, meta: { pagination: { total: 3, per_page: 2 } } } }
    })
    expect(sizes(await readAll(offsetPages(store.client, '/v3/catalog/brands', {}, { limit: 2 })))).toEqual([1, 2])
  })

  test('C3: missing items show as a difference between read and total', async () => {
    await aStore(list(items(3), { total: 5 }))
    const read = await readAll(offsetPages(store.client, '/v3/catalog/brands', {}, { limit: 2 }))
    expect(read.at(-1)).toMatchObject({ read: 3, total: 5 })
  })

  test('C3: a repeated page is an error instead of an endless loop', async () => {
    await aStore(() => ({ body: { data: items(2), meta: { pagination: { total: 9, per_page: 2, current_page: 1 } } } }))
    await expect(readAll(offsetPages(store.client, '/v3/catalog/brands', {}, { limit: 2 }))).rejects.toThrow('again')
  })

  test('a list without pages, which shows all of its items at any page, is read once', async () => {
    await aStore(() => ({ body: { data: items(2), meta: { pagination: { total: 2, per_page: 2, current_page: 1 } } } }))
    expect(sizes(await readAll(offsetPages(store.client, '/v3/tax/zones', {}, { limit: 2 })))).toEqual([2])
  })

  test('C3: full pages are followed although the answers say nothing about pages', async () => {
    await aStore((query) => {
      const start = (Number(query.get('page')) - 1) * 50
      return { body: { data: items(120).slice(start, start + 50), meta: {} } }
    })
    expect(sizes(await readAll(offsetPages(store.client, '/v3/catalog/brands')))).toEqual([50, 50, 20])
  })

  test('a full list that shows all of its items at any page, and says nothing about pages, is read once', async () => {
    await aStore(() => ({ body: { data: items(50) } }))
    expect(sizes(await readAll(offsetPages(store.client, '/v3/catalog/brands')))).toEqual([50])
    expect(store.requests).toHaveLength(2)
  })

  test('an answer without a list is an error, and no content is an empty list', async () => {
    await aStore((query) => (query.get('empty') ? { httpStatus: 204 } : { body: { oops: 1 } }))
    await expect(readAll(offsetPages(store.client, '/v3/catalog/brands'))).rejects.toThrow('without a list')
    expect(await readAll(offsetPages(store.client, '/v3/catalog/brands', { empty: 1 }))).toEqual([
      { items: [], total: 0, read: 0 },
    ])
  })
})

describe('C3: pages by id', () => {
  const after = (query: URLSearchParams) => Number(query.get('id:greater') ?? Number(query.get('id:min') ?? 1) - 1)
  const keyset = (all: () => Item[]) => (query: URLSearchParams) => {
    const rest = all().filter(({ id }) => id > after(query))
    const data = rest.slice(0, Number(query.get('limit')))
    return { body: { data, meta: { pagination: { total: rest.length, per_page: Number(query.get('limit')) } } } }
  }

  test('C3: nothing is skipped when an earlier item disappears during the reading', async () => {
    let all = items(5)
    await aStore((query) => {
      const reply = keyset(() => all)(query)
      all = all.filter(({ id }) => id !== 1)
      return reply
    })
    const read = await readAll(keysetPages<Item>(store.client, '/v3/catalog/products', {}, { limit: 2 }))
    expect(read.flatMap((page) => page.items.map(({ id }) => id))).toEqual([1, 2, 3, 4, 5])
    expect(read.at(-1)).toMatchObject({ read: 5, total: 5 })
  })

  test('reading continues after an id, for a number of pages, with either filter', async () => {
    await aStore(keyset(() => items(9)))
    for (const filter of ['greater', 'min'] as const) {
      const pages = keysetPages<Item>(store.client, '/v3/x', {}, { after: 4, limit: 2, pageLimit: 2, filter })
      expect((await readAll(pages)).map((page) => page.items.map(({ id }) => id))).toEqual([
        [5, 6],
        [7, 8],
      ])
    }
    expect(store.requests[0]?.url).toContain('sort=id&direction=asc&limit=2&id%3Agreater=4')
    expect(store.requests[2]?.url).toContain('id%3Amin=5')
  })

  test('C3: without a count the list ends at an empty page, as a page may be smaller than requested', async () => {
    await aStore((query) => ({ body: { data: keyset(() => items(5))(query).body.data.slice(0, 2) } }))
    const read = await readAll(keysetPages<Item>(store.client, '/v3/catalog/products', { include: 'options' }))
    expect(sizes(read)).toEqual([2, 2, 1])
  })

  test('C3: an endpoint that ignores the filter is an error', async () => {
    await aStore(() => ({ body: { data: items(2), meta: { pagination: { total: 2, per_page: 2 } } } }))
    await expect(readAll(keysetPages(store.client, '/v3/x', {}, { limit: 2 }))).rejects.toThrow('answered id 1 after 2')
  })
})

describe('C3: pages by cursor', () => {
  test('the cursor is followed to a short page without a next one, and the total comes from the first answer', async () => {
    await aStore((query) => {
      const start = Number(query.get('after') ?? 0)
      const data = items(5).slice(start, start + 2)
      const cursor_pagination = {
        per_page: 2,
        end_cursor: String(start + 2),
        links: start + 2 < 5 ? { next: '?after' } : {},
      }
      return {
        body: {
          data,
          meta: start === 0 ? { cursor_pagination, pagination: { total: 5, per_page: 2 } } : { cursor_pagination },
        },
      }
    })
    const read = await readAll(cursorPages(store.client, '/v3/pricelists', {}, { limit: 2 }))
    expect(sizes(read)).toEqual([2, 2, 1])
    expect(read.at(-1)).toMatchObject({ read: 5, total: 5 })
    expect(store.requests[0]?.url).not.toContain('page=')
  })

  test('without a total it is null, and a repeated cursor is an error', async () => {
    await aStore(() => ({ body: { data: items(2), meta: { cursor_pagination: { per_page: 2, end_cursor: 'same' } } } }))
    const pages = cursorPages(store.client, '/v3/pricelists', {}, { limit: 2 })
    expect(await pages.next()).toMatchObject({ value: { total: null } })
    await pages.next()
    await expect(pages.next()).rejects.toThrow('same cursor')
  })
})

describe('C3: v2 lists', () => {
  const v2 = (count: number, cap: number) => (query: URLSearchParams) => {
    const size = Math.min(cap, Number(query.get('limit')))
    const from = query.has('page') ? (Number(query.get('page')) - 1) * size : Number(query.get('min_id') ?? 1) - 1
    const body = items(count).slice(from, from + size)
    return body.length === 0 ? { httpStatus: 204 } : { body }
  }

  test.each([
    [0, [0]],
    [49, [49]],
    [50, [50]],
    [51, [50, 1]],
    [100, [50, 50]],
    [120, [50, 50, 20]],
  ])('C3: %i items capped at 50 although 250 are asked for are the pages %j', async (count, pages) => {
    await aStore(v2(count, 50))
    expect(sizes(await readAll(v2Pages(store.client, '/v2/coupons')))).toEqual(pages)
    const byId = await readAll(v2KeysetPages(store.client, '/v2/orders'))
    expect(sizes(byId)).toEqual(pages)
    expect(byId.at(-1)).toMatchObject({ total: null, read: count })
  })
})
