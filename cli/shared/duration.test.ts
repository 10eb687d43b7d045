import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [0, '0 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [60, '1 min'],
  [200, '3 min 20 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h'],
  [7500, '2 h 5 min'],
  [-1, '0 s'],
])('%d seconds are shown as %s', (seconds, shown) => {
  expect(formatDuration(seconds)).toBe(shown)
})
