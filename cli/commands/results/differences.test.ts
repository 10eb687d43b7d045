import { expect, test } from 'vitest'
import type { Difference } from '../../../src/contract/differences.ts'
import { linesOf } from './differences.ts'

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
