import { afterEach, expect, test } from 'vitest'
import { answer, type StoreServer, startStore } from '../../../test/harness/store-server.ts'
import { type IdList, rowsByIds } from './by-ids.ts'

let store: StoreServer
let queries: URLSearchParams[] = []
afterEach(() => store.stop())

/**
 * A store with items 1 to 100. It filters by `id:in` or, where it answers with bare arrays, from `min_id` to `max_id`.
 */
async function openStore(): Promise<void> {
  queries = []
  store = await startStore((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://store.test')
    queries.push(searchParams)
    const all = Array.from({ length: 100 }, (_, at) => ({ id: at + 1 }))
    const named = searchParams.get('id:in')?.split(',')
    if (named) return answer(response, 200, { data: all.filter(({ id }) => named.includes(String(id))) })
    const [min, max] = [Number(searchParams.get('min_id')), Number(searchParams.get('max_id'))]
    const found = all.filter(({ id }) => id >= min && id <= max).slice(0, Number(searchParams.get('limit')))
    return answer(response, 200, found)
  })
}

function read(list: IdList, ids: string[]) {
  const { client } = store
  const lease = { stop: new AbortController().signal }
  return rowsByIds({ source: client, destination: client, lease }, 'source', list, ids)
}

test('items are read by their ids, a page of them in a call, and those that do not exist are missing', async () => {
  await openStore()
  const list = { path: '/v3/things', query: { include: 'all' }, idsParameter: 'id:in', limit: 2 }
  expect(await read(list, ['7', '3', '400'])).toEqual([{ id: 3 }, { id: 7 }])
  expect(queries.map((query) => query.get('id:in'))).toEqual(['7,3', '400'])
  expect(queries.map((query) => [query.get('include'), query.get('limit')])).toEqual([
    ['all', '2'],
    ['all', '2'],
  ])
})

test('where only a range can be asked for, neighbours share calls, and gaps of more than a page are not read', async () => {
  await openStore()
  const list = { path: '/v2/things', idsParameter: 'range', limit: 10 }
  expect(await read(list, ['90', '4', '2', '12', '95'])).toEqual([
    { id: 2 },
    { id: 4 },
    { id: 12 },
    { id: 90 },
    { id: 95 },
  ])
  expect([...new Set(queries.map((query) => query.get('max_id')))]).toEqual(['12', '95'])
  expect(queries.every((query) => Number(query.get('min_id')) < 13 || Number(query.get('min_id')) >= 90)).toBe(true)
})
