import { expect, test } from 'vitest'
import { rowsOf } from './compare.ts'

test('values that may not be shown are not taken for missing ones', () => {
  const fields = [
    { path: 'email', living: false, source: null, destination: null },
    { path: 'notes', living: false, source: undefined, destination: 'old' },
  ]
  expect(
    rowsOf([
      { component: 'customers', kind: 'different', sourceId: '12', destinationId: '7', fields },
      { component: 'tags', kind: 'missing', sourceId: '3', destinationId: null, fields: [] },
    ]),
  ).toEqual([
    ['customers 12', 'email', 'not shown', 'not shown'],
    ['customers 12', 'notes', null, '"old"'],
    ['tags 3', 'missing', null, null],
  ])
})
