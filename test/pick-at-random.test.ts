import { expect, test } from 'vitest'
import { pickAtRandom } from './pick-at-random.ts'

const items = Array.from({ length: 50 }, (_, at) => at)

test('the same seed picks the same items, another one others', () => {
  expect(pickAtRandom(items, 10, 7)).toEqual(pickAtRandom(items, 10, 7))
  expect(pickAtRandom(items, 10, 7)).not.toEqual(pickAtRandom(items, 10, 8))
})

test.each([0, 1, 49, 50, 51])('of 50 items, %i are picked without picking any twice', (count) => {
  const picks = pickAtRandom(items, count, 7)
  expect(picks).toHaveLength(Math.min(count, 50))
  expect(new Set(picks).size).toBe(picks.length)
})
