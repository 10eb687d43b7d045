import { expect, test } from 'vitest'
import { clean, longestUntrusted } from './present.ts'

test.each([
  '',
  'a',
  'Copied 1,000 products; 2 items need review.',
  '5 > 4 & "quoted" ~ 100%',
  'a'.repeat(longestUntrusted),
])('an ordinary text stays as it is: %j', (text) => {
  expect(clean(text)).toBe(text)
})

test.each([
  [' a  b ', 'a b'],
  ['a\tb\r\nc', 'a b c'],
  ['a\u00a0b', 'a b'],
  ['a<b>c', 'a c'],
  ['a <', 'a'],
  ['a\u200bb\u0000c\u007fd', 'abcd'],
  ['a'.repeat(longestUntrusted + 1), `${'a'.repeat(longestUntrusted - 9)}... [cut]`],
])('what is not plain text is removed: %j', (text, cleaned) => {
  expect(clean(text)).toBe(cleaned)
})
