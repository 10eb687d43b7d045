import { expect, test } from 'vitest'
import { shelfTotals } from './issue-shelves.ts'

test('the shelves are counted by what is to be done: failures by their state, what is good to know in any state', () => {
  const byState = [
    { key: 'open', failures: 12, warnings: 3 },
    { key: 'healed', failures: 4, warnings: 0 },
    { key: 'dismissed', failures: 1, warnings: 2 },
  ]
  expect(shelfTotals(byState)).toEqual({ review: 12, known: 5, solved: 4, accepted: 1 })
  expect(shelfTotals([])).toEqual({ review: 0, known: 0, solved: 0, accepted: 0 })
})
