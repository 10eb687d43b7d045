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

/** What a terminal shows in two columns, one, or none is lined up, as people see it. */
test.each([
  ['灯具店', '灯具店  abc123'],
  ['ランプ', 'ランプ  abc123'],
  ['ﾗﾝﾌﾟ', 'ﾗﾝﾌﾟ    abc123'],
  ['램프', '램프    abc123'],
  ['👩‍👧 DIY', '👩‍👧 DIY  abc123'],
  ['☀️ Sun', '☀️ Sun  abc123'],
  ['Cafe\u0301', 'Cafe\u0301    abc123'],
])('the column after the name %s begins where it does in other rows', (name, row) => {
  expect(
    formatTable(
      ['store', 'hash'],
      [
        [name, 'abc123'],
        ['Lamps!', 'def456'],
      ],
    )
      .split('\n')
      .slice(2),
  ).toEqual([row, 'Lamps!  def456'])
})

test('a wide name is cut to the columns that it takes, and no emoji is cut in half', () => {
  const line = (name: string, width: number) =>
    formatTable(['store', 'hash'], [[name, 'abc123']], { width, cut: ['store'] }).split('\n')[2]
  expect(line('灯具灯具灯具', 16)).toBe('灯具灯…   abc123')
  expect(line('灯具灯具灯具', 17)).toBe('灯具灯具…  abc123')
  expect(line('Lamps 👩‍👧👩‍👧👩‍👧', 17)).toBe('Lamps 👩‍👧…  abc123')
})

test('letters that are joined by invisible characters stay joined', () => {
  const rows = [['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645']]
  expect(formatTable(['store'], rows)).toContain(rows[0]?.[0])
})
