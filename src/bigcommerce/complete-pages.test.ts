import { afterEach, expect, test } from 'vitest'
import { answer, type StoreServer, startStore } from '../../test/harness/store-server.ts'
import { type CompleteOptions, completePages } from './complete-pages.ts'

let store: StoreServer

afterEach(() => store.stop())

interface Item {
  id: number | string
}

const numbered = (count: number): Item[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))

/** A numbered list, which a test may change before each call, or whose answer it may replace. */
async function aList(
  items: Item[],
  { v2 = false, total = () => items.length, change }: ListBehaviour = {},
): Promise<Item[]> {
  let call = 0
  store = await startStore((request, response) => {
    call += 1
    const ends = change?.(items, call) === 'ends'
    const query = new URL(request.url ?? '', 'http://store.test').searchParams
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
    const data = ends ? [] : items.slice((page - 1) * limit, page * limit)
    if (v2) return data.length === 0 ? answer(response, 204) : answer(response, 200, data)
    return answer(response, 200, {
      data,
      meta: { pagination: { total: total(), per_page: limit, current_page: page } },
    })
  })
  return items
}

interface ListBehaviour {
  v2?: boolean
  total?: () => number
  change?(items: Item[], call: number): 'ends' | undefined
}

/** Removes these items, in place. */
const remove = (items: Item[], ...ids: number[]) => {
  for (const id of ids)
    items.splice(
      items.findIndex((item) => item.id === id),
      1,
    )
}

async function read(path = '/v3/things', options: CompleteOptions = {}) {
  const found: Item[] = []
  const given: number[] = []
  let changing: number | undefined
  const onChanging = (missing: number) => {
    changing = missing
  }
  for await (const page of completePages<Item>(store.client, path, {}, { limit: 2, onChanging, ...options })) {
    found.push(...page.items)
    given.push(page.items.length)
  }
  return { ids: found.map(({ id }) => id), given, changing, calls: store.requests.length }
}

test('G2: a v3 list of one page is read once', async () => {
  await aList(numbered(1))
  expect(await read()).toEqual({ ids: [1], given: [1], changing: undefined, calls: 1 })
})

test('G2: a list of several pages is read twice, and the second reading gives no item again', async () => {
  await aList(numbered(5))
  expect(await read()).toEqual({ ids: [1, 2, 3, 4, 5], given: [2, 2, 1], changing: undefined, calls: 6 })
})

test('G2: an item that moves to a page that was read already is found by the next reading', async () => {
  await aList(numbered(5), { change: (items, call) => void (call === 2 && remove(items, 1)) })
  const { ids, changing } = await read()
  expect(ids.sort()).toEqual([1, 2, 3, 4, 5])
  expect(changing).toBeUndefined()
})

test('G2: the list is read until a reading adds nothing: deletions in two readings hide no item', async () => {
  const change = (items: Item[], call: number) => {
    if (call === 2) remove(items, 1)
    if (call === 5) remove(items, 2, 4)
    return undefined
  }
  await aList(numbered(9), { change })
  const { ids } = await read()
  expect(ids).toEqual(expect.arrayContaining([3, 5, 6, 7, 8, 9]))
})

test('G2: items newer than the first reading cause no further one', async () => {
  const change = (items: Item[], call: number) => void (call === 4 && items.push({ id: 6 }))
  await aList(numbered(5), { change })
  expect(await read()).toMatchObject({ ids: [1, 2, 3, 4, 5, 6], changing: undefined, calls: 7 })
})

test('G2: ids that are not numbers tell nothing about age: whatever is new is looked for again', async () => {
  const items = numbered(5).map(({ id }) => ({ id: `item-${id}` }))
  await aList(items, { change: (all, call) => void (call === 4 && all.push({ id: 'item-6' })) })
  expect(await read()).toMatchObject({ changing: undefined, calls: 11 })
})

test('G2: a list that changes in all of five readings is given up, and what was read of it is the union', async () => {
  const change = (items: Item[], call: number) => void (call % 3 === 1 && items.unshift({ id: `new-${call}` }))
  await aList(numbered(5), { change })
  const { ids, changing } = await read()
  expect(changing).toBeTypeOf('number')
  expect(ids).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]))
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  ['too small', () => 0],
  ['too large', () => 9],
])('G2: a total that is %s neither ends nor fails the reading', async (_what, total) => {
  await aList(numbered(5), { total })
  const { ids, changing } = await read()
  expect(ids).toEqual([1, 2, 3, 4, 5])
  expect(changing).toBe(total() === 0 ? undefined : 4)
})

test('G2: distinct items are compared with the total, not rows: one that is shown twice hides none', async () => {
  // The first item moves to the end while the list is read, so three is skipped and one appears twice.
  const change = (items: Item[], call: number) => {
    if (call === 2) items.push(...items.splice(0, 1))
    return undefined
  }
  await aList(numbered(4), { change })
  expect((await read()).ids.sort()).toEqual([1, 2, 3, 4])
})

test('G2: a v2 list is read twice, as it may have ended early', async () => {
  await aList(numbered(1), { v2: true, change: (_items, call) => (call === 1 ? 'ends' : undefined) })
  expect((await read('/v2/things')).ids).toEqual([1])
})

test('G2: a v2 list that ended early in its first reading is read to its end twice', async () => {
  const change = (items: Item[], call: number) => {
    if (call === 2) return 'ends' as const
    // In the second reading, an item is deleted between two pages.
    if (call === 5) remove(items, 1)
    return undefined
  }
  await aList(numbered(7), { v2: true, change })
  expect((await read('/v2/things')).ids.sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('counting takes one reading', async () => {
  await aList(numbered(5))
  expect(await read('/v3/things', { once: true })).toMatchObject({ ids: [1, 2, 3, 4, 5], calls: 3 })
})
