import { expect, test } from 'vitest'
import { comparedText } from './differences.ts'

const counts = {
  phase: 'products',
  kind: 'different',
  count: 10,
  living: 2,
  kept: 0,
  dismissed: 0,
  changedMeanwhile: 0,
}

test('equal items and all others add up to those compared', () => {
  expect(comparedText({ mode: 'verify', compared: 404, matched: 392, counts: [counts] })).toBe(
    '404 items compared: 392 equal (2 of them apart from destination-owned values), 12 different, missing, part of a missing item, or not compared.',
  )
  expect(comparedText({ mode: 'verify', compared: 9, matched: 9, counts: [] })).toBe(
    '9 items compared, all of them equal.',
  )
  expect(comparedText({ mode: 'verify', compared: 0, matched: 0, counts: [] })).toBe('Nothing was compared.')
})

test('a dry run says what is there already', () => {
  expect(comparedText({ mode: 'dry-run', compared: 404, matched: 392, counts: [] })).toBe(
    '404 items read, 392 of them already the same at the destination.',
  )
})
