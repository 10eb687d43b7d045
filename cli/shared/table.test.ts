import { expect, test } from 'vitest'
import { formatTable } from './table.ts'

test('columns are as wide as their widest cell, and numbers are right-aligned', () => {
  expect(
    formatTable(
      ['name', 'items'],
      [
        ['brands', 7],
        ['a', 1200],
      ],
    ),
  ).toBe(['name    items', '------  -----', 'brands      7', 'a        1200'].join('\n'))
})

test('a table without rows has only its header', () => {
  expect(formatTable(['hash', 'store'], [])).toBe('hash  store\n----  -----')
})
