import { expect, test } from 'vitest'
import { groupsOf } from './staged.ts'

/** How many items of each product are in each group, page by page. */
function grouped(pages: Record<string, number>[], items?: number) {
  const belongingTo = ({ product }: Record<string, unknown>) => product
  const groups = groupsOf(items ? { plannedInGroups: { items, belongingTo } } : {})
  return pages.map((page) => {
    const rows = Object.entries(page).flatMap(([product, count]) => Array.from({ length: count }, () => ({ product })))
    return [...groups.of(rows)].map(([number, some]) => [number, some.length])
  })
}

test('a list is planned as one group unless its pass says otherwise', () => {
  expect(grouped([{ a: 900, b: 100 }, { c: 1_000 }])).toEqual([[[0, 1_000]], [[0, 1_000]]])
})

test('a group ends before what would no longer fit, and goes on with the next page', () => {
  expect(grouped([{ a: 4, b: 4, c: 4 }, { d: 4, e: 9 }, { f: 1 }], 10)).toEqual([
    [
      [0, 8],
      [1, 4],
    ],
    [
      [1, 4],
      [2, 9],
    ],
    [[2, 1]],
  ])
})

test('what belongs together stays together, however many items it has', () => {
  expect(grouped([{ a: 25, b: 1 }], 10)).toEqual([
    [
      [0, 25],
      [1, 1],
    ],
  ])
})
