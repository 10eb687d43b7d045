import { expect, test } from 'vitest'
import { groupsOf } from './staged.ts'

const numbersOf = (pages: number[], size?: { pages: number; items: number }) => {
  const groups = groupsOf(size ? { plannedInGroups: size } : {})
  return pages.map((items) => groups.next(items))
}

test('a list is planned as one group unless its pass says otherwise', () => {
  expect(numbersOf([1_000, 1_000, 1_000])).toEqual([0, 0, 0])
})

test('a group ends with the page that fills it, if it has a multiple of the pages', () => {
  const size = { pages: 2, items: 16_000 }
  expect(numbersOf([9_000, 9_000, 9_000, 9_000, 9_000], size)).toEqual([0, 0, 1, 1, 2])
  expect(numbersOf([6_000, 6_000, 6_000, 6_000, 6_000], size)).toEqual([0, 0, 0, 0, 1])
  expect(numbersOf([20_000, 20_000, 20_000], size)).toEqual([0, 0, 1])
})
