import { expect, test } from 'vitest'
import { createReadAhead } from './read-ahead.ts'

test('a run short of memory reads half as far ahead each time, and at least four items', () => {
  const readAhead = createReadAhead(30)
  const seen = Array.from({ length: 4 }, () => {
    readAhead.halve()
    return readAhead.roots
  })
  expect(seen).toEqual([15, 7, 4, 4])
})
