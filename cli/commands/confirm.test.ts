import { expect, test } from 'vitest'
import { notConfirmed } from './confirm.ts'

test.each([
  [42, 41, '42 items wait to be deleted, and 41 were confirmed'],
  [42, 0, '42 items wait to be deleted, and 0 were confirmed'],
  [1, 2, '1 item waits to be deleted, and 2 were confirmed'],
  [2, 1, '2 items wait to be deleted, and 1 was confirmed'],
  [42, Number.NaN, '42 items wait to be deleted, and no number was confirmed'],
])('of %i items, what was typed in place of the number is said in words: %s', (items, given, words) => {
  expect(notConfirmed('019a', items, given)).toBe(`${words}: nothing was done. See them: storeferry plan 019a`)
})
