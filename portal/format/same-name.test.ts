import { expect, test } from 'vitest'
import { isSameName } from './same-name.ts'

test.each([
  ['New shop', 'New shop', true],
  ['New shop ', 'New shop', true],
  ['New shop', ' New  shop ', true],
  ['New shop', 'New\u00a0shop', true],
  ['\u05d7\u05e0\u05d5\u05ea', '\u200f\u05d7\u05e0\u05d5\u05ea\u200f', true],
  ['Caf\u00e9', 'Cafe\u0301', true],
  ['Lampshop', 'Lamp\u00adshop', true],
  ['new shop', 'New shop', false],
  ['Newshop', 'New shop', false],
  ['', 'New shop', false],
])('who types "%s" has typed the name "%s": %s', (typed, name, expected) => {
  expect(isSameName(typed, name)).toBe(expected)
})
