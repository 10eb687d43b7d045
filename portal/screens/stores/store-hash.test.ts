import { expect, test } from 'vitest'
import { problemsOf, storeHashIn } from './store-hash.ts'

test.each([
  ['https://api.bigcommerce.com/stores/abc123/v3/', 'abc123'],
  [' https://api.bigcommerce.com/stores/abc123 ', 'abc123'],
  ['abc123', 'abc123'],
  // As a phone begins what is typed.
  ['Abc123', 'abc123'],
  ['', ''],
])('%j names the store %j', (text, hash) => {
  expect(storeHashIn(text)).toBe(hash)
})

test('what can be seen to be wrong is said before BigCommerce is asked, and spaces around a token are not', () => {
  expect(problemsOf({ path: 'abc123', token: ' x'.padEnd(20, 'y') })).toEqual({})
  expect(problemsOf({ path: 'a-b', token: 'a b' })).toEqual({
    path: expect.stringContaining('after /stores/'),
    token: expect.stringContaining('Copy it again'),
  })
  expect(problemsOf({ path: 'a'.repeat(21), token: 'a'.repeat(256) })).toEqual({
    path: expect.any(String),
    token: expect.any(String),
  })
  expect(problemsOf({ path: 'a'.repeat(20), token: 'a'.repeat(255) })).toEqual({})
  expect(problemsOf({ path: '', token: '' })).toEqual({
    path: expect.stringContaining('Enter'),
    token: expect.stringContaining('Enter'),
  })
})
