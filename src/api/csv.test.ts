import { expect, test } from 'vitest'
import { csvLine, valueAt } from './csv.ts'

test.each([
  ['plain', '"plain"'],
  ['with "quotes", commas\nand lines', '"with ""quotes"", commas\nand lines"'],
  ['', '""'],
  [null, ''],
  [undefined, ''],
  [-1.5, '-1.5'],
  [true, 'true'],
  [['a', 'b'], '"[""a"",""b""]"'],
])('%j becomes the cell %s', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`)
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
])('S28: a spreadsheet reads %j as text', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`)
})

test('S28: a formula character further on in a cell is left alone', () => {
  expect(csvLine(['a=1', 'a-1'])).toBe('"a=1","a-1"\r\n')
})

test('a column is found by its path, inherited properties excluded', () => {
  const item = { item: { name: 'Lamp' }, platform: null }
  expect(valueAt(item, 'item.name')).toBe('Lamp')
  expect(valueAt(item, 'platform.status')).toBeUndefined()
  expect(valueAt(item, 'constructor.name')).toBeUndefined()
})
