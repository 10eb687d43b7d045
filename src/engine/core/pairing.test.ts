import { expect, test } from 'vitest'
import { draft } from '../../entities/core/draft.ts'
import { checksum, fieldDifferences, pairUp, same } from './pairing.ts'

const image = (id: number, file: string, description = '') => draft('product-images', id, { file, description })
const option = (id: number, name: string, more: object = {}) =>
  draft('product-options', id, { name, ...more }, { keys: [`option:${name.toLowerCase()}`] })
const ids = ({ pairs, extra }: ReturnType<typeof pairUp>) => ({
  pairs: pairs.map(({ desired, existing }) => [desired.id, existing?.id ?? null]),
  extra: extra.map(({ id }) => id),
})

test('B2: items without a key are paired as a multiset: equal twins one to one', () => {
  const desired = [image(1, 'a.png'), image(2, 'a.png'), image(3, 'b.png')]
  const existing = [image(13, 'b.png'), image(11, 'a.png'), image(12, 'a.png')]
  expect(ids(pairUp(desired, existing))).toEqual({
    pairs: [
      ['1', '11'],
      ['2', '12'],
      ['3', '13'],
    ],
    extra: [],
  })
})

test('B6: of equal twins each keeps its own copy, and one without a copy does not take that of another', () => {
  const copies = new Map([['2', '11']])
  const desired = [image(1, 'a.png'), image(2, 'a.png')]
  expect(ids(pairUp(desired, [image(11, 'a.png')], ({ id }) => copies.get(id)))).toEqual({
    pairs: [
      ['1', null],
      ['2', '11'],
    ],
    extra: [],
  })
})

test('B6: an equal key is a stronger match than a known copy', () => {
  const desired = [option(1, 'Size')]
  const existing = [option(11, 'Length'), option(12, 'Size')]
  expect(ids(pairUp(desired, existing, () => '11'))).toEqual({ pairs: [['1', '12']], extra: ['11'] })
})

test('a changed picture is a difference, not a missing and an extra one', () => {
  expect(ids(pairUp([image(1, 'a.png', 'front')], [image(11, 'a.png', 'back')]))).toEqual({
    pairs: [['1', '11']],
    extra: [],
  })
})

test('D2: what only the destination has is extra, what it lacks has no counterpart', () => {
  expect(ids(pairUp([option(1, 'Size'), option(2, 'Colour')], [option(11, 'size'), option(12, 'Length')]))).toEqual({
    pairs: [
      ['1', '11'],
      ['2', null],
    ],
    extra: ['12'],
  })
})

test('items of different components never pair, whatever their keys', () => {
  const modifier = draft('product-modifiers', 11, { name: 'Size' }, { keys: ['option:size'] })
  expect(ids(pairUp([option(1, 'Size')], [modifier]))).toEqual({ pairs: [['1', null]], extra: ['11'] })
})

test('D2: only fields of the source are compared; absent and null at the destination are the same', () => {
  expect(fieldDifferences({ name: 'A', note: null, gone: undefined }, { name: 'A', more: 1 })).toEqual([])
  expect(fieldDifferences({ name: 'A' }, { name: 'B' })).toEqual([{ path: 'name', source: 'A', destination: 'B' }])
  expect(fieldDifferences({ name: 'A' }, {})).toEqual([{ path: 'name', source: 'A', destination: null }])
})

test('C2: a checksum tells a change anywhere below an item, and nothing else', () => {
  const tree = (value: string) => ({ ...option(1, 'Size'), children: [option(2, value)] })
  expect(checksum(tree('S'))).toBe(checksum({ ...tree('S'), id: '7' }))
  expect(checksum(tree('S'))).not.toBe(checksum(tree('M')))
  expect(checksum(tree('S'))).not.toBe(checksum(option(1, 'Size')))
})

test('the order of keys says nothing, the order of lists does', () => {
  expect(same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
  expect(same([1, 2], [2, 1])).toBe(false)
})
