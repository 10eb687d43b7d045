import { expect, test } from 'vitest'
import { draft } from '../../entities/core/draft.ts'
import type { Pair } from '../core/pairing.ts'
import { SiblingOrder } from './sibling-order.ts'

const image = (id: number, place: number) => draft('product-images', id, {}, { compare: { sort_order: place } })
const field = (id: number) => draft('product-custom-fields', id, {}, { compare: { name: `Field ${id}` } })
/** A picture wanted at one place and standing at another; null: it is still to be made. */
const pair = (id: number, wanted: number, standing: number | null): Pair => ({
  desired: image(id, wanted),
  existing: standing === null ? undefined : image(id + 100, standing),
})
/** The places at which the pictures stand, as far as one may rely on them. */
const stand = (pairs: Pair[]) => {
  const places = new SiblingOrder()
  return places
    .inOrder(pairs)
    .flatMap(({ desired, existing }) =>
      existing ? [[desired.id, places.perhapsMoved(desired, existing).compare.sort_order]] : [],
    )
}

test('C2: pictures are gone through from the first place on, and what has no place stays where it is among them', () => {
  const fields = [field(8), field(9)].map((wanted): Pair => ({ desired: wanted, existing: undefined }))
  const [first, second] = fields as [Pair, Pair]
  const pairs = [first, pair(1, 2, 2), second, pair(2, 0, 0), pair(3, 1, 1)]
  expect(new SiblingOrder().inOrder(pairs).map(({ desired }) => desired.id)).toEqual(['8', '2', '9', '3', '1'])
})

test('C2: pictures that stand at their places, or go to an earlier one, move nobody', () => {
  expect(stand([pair(1, 0, 0), pair(2, 1, 1)])).toEqual([
    ['1', 0],
    ['2', 1],
  ])
  expect(stand([pair(1, 0, 2), pair(2, 1, 1)])).toEqual([
    ['1', 2],
    ['2', 1],
  ])
})

test('C2: of the pictures behind one that goes to a later place nobody knows where they stand', () => {
  expect(stand([pair(1, 1, 0), pair(2, 2, 2), pair(3, 3, 3), pair(4, 0, 0)])).toEqual([
    ['4', 0],
    ['1', 0],
    ['2', null],
    ['3', null],
  ])
})

test('C2: items without a place are never moved by pictures', () => {
  const places = new SiblingOrder()
  places.perhapsMoved(image(1, 5), image(101, 0))
  const standing = field(109)
  expect(places.perhapsMoved(field(9), standing)).toBe(standing)
})
