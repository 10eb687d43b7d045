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

const shops = [
  ['abc123', 'A shop with a very long name', 'The other shop with a name that is even longer', 12],
  ['def456', null, '-', 1],
]
const header = ['hash', 'source', 'destination', 'open']

test('a table fits the terminal: texts are cut, the longest first, and ids and numbers are not', () => {
  expect(formatTable(header, shops, { width: 50, cut: ['source', 'destination'] }).split('\n')).toEqual([
    'hash    source             destination        open',
    '------  -----------------  -----------------  ----',
    'abc123  A shop with a ve…  The other shop w…    12',
    'def456  -                  -                     1',
  ])
})

test.each([
  [34, 'hash    source     destinat…  open'],
  [24, 'hash    destinati…  open'],
  [12, 'hash    open'],
])('where cutting is not enough for %i columns, whole columns are left out in the order given', (width, first) => {
  const narrow = { cut: ['source', 'destination'], drop: ['source', 'destination', 'hash'] }
  expect(formatTable(header, shops, { ...narrow, width }).split('\n')[0]).toBe(first)
})

test('without a terminal nothing is cut', () => {
  expect(formatTable(header, shops, { cut: ['source'] })).toContain('A shop with a very long name')
})

test('control sequences in the name of a store do not reach the terminal', () => {
  expect(formatTable(['store'], [['\u001b[2J evil\u202e']])).toContain('?[2J evil?')
})
