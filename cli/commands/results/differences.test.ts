import { expect, test } from 'vitest'
import type { Difference } from '../../../src/contract/differences.ts'
import { comparedText, linesOf, noneText } from './differences.ts'

const difference: Difference = {
  id: 'd1',
  phase: 'customers',
  component: 'customers',
  kind: 'different',
  item: { sourceId: '7', name: null, sku: null, path: null },
  destinationId: '9',
  fields: [
    { path: 'email', source: null, destination: null },
    { path: 'notes', source: null, destination: 'late' },
  ],
  living: false,
  changedMeanwhile: false,
  kept: false,
  state: 'open',
  repairedBy: 'update',
}

test('of personal values, a difference says that they differ instead of showing two that look equal', () => {
  expect(linesOf(difference, undefined)).toEqual([
    'different (open): customers 7 -> 9 [d1]',
    '  email: differs (the values are not shown)',
    '  notes: null at the source, "late" at the destination',
    '  A copy with --strategy update repairs it.',
  ])
})

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
  expect(comparedText({ mode: 'verify', compared: 1, matched: 1, counts: [] })).toBe('1 item compared, equal.')
  expect(comparedText({ mode: 'verify', compared: 0, matched: 0, counts: [] })).toBe('Nothing was compared.')
})

test('a dry run says what is there already', () => {
  expect(comparedText({ mode: 'dry-run', compared: 404, matched: 392, counts: [] })).toBe(
    '404 items read, 392 already the same at the destination.',
  )
  expect(comparedText({ mode: 'dry-run', compared: 1, matched: 0, counts: [] })).toBe(
    '1 item read, 0 already the same at the destination.',
  )
})

test.each([
  ['verify', 'completed', 9, 'No differences.'],
  ['verify', 'completed', 0, 'Nothing was compared.'],
  ['verify', 'in_progress', 5, 'No differences so far: it is in progress.'],
  ['verify', 'cancelled', 5, 'No differences so far: it is cancelled.'],
  ['dry-run', 'completed', 9, 'No differences.'],
] as const)('an empty list of a %s that is %s and compared %i items says no more than is known', (mode, status, compared, said) => {
  expect(noneText({ mode, status, compared }, {})).toBe(said)
})

test('an empty list with filters does not say that there are no differences', () => {
  const found = { mode: 'verify', status: 'completed', compared: 9 } as const
  expect(noneText(found, { kind: undefined, text: 'lamp' })).toBe('No differences match.')
})

test.each(['full', 'counts'] as const)('a %s run does not pass for a comparison that found nothing', (mode) => {
  const said =
    /^Nothing was compared, because this migration is no comparison; "storeferry status" names the latest one/
  expect(noneText({ mode, status: 'completed', compared: 0 }, {})).toMatch(said)
  expect(comparedText({ mode, compared: 404, matched: 0, counts: [] })).toMatch(said)
})
