import { expect, test } from 'vitest'
import { notConfirmed } from './confirm.ts'

test.each([
  [41, '41 were confirmed'],
  [0, '0 were confirmed'],
  [Number.NaN, 'no number was confirmed'],
])('what was typed in place of the number is said in words: %s', (given, words) => {
  expect(notConfirmed('019a', 42, given)).toBe(
    `42 items wait to be deleted, and ${words}: nothing was done. See them: storeferry plan 019a`,
  )
})
