import { expect, test } from 'vitest'
import { draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import type { ChildPair } from './item-state.ts'
import { inWriteOrder } from './sibling-order.ts'

const image = (id: number, position: number) => draft('product-images', id, {}, { compare: { sort_order: position } })
const field = (id: number) => draft('product-custom-fields', id, {}, { compare: { name: `Field ${id}` } })
/** A picture that should be at one position and is at another; null if it is still to be created. */
const pair = (id: number, desired: number, existing: number | null): ChildPair => ({
  component: componentOf('product-images'),
  desired: image(id, desired),
  existing: existing === null ? undefined : image(id + 100, existing),
})
const fieldPair = (id: number, existing?: ReturnType<typeof field>): ChildPair => ({
  component: componentOf('product-custom-fields'),
  desired: field(id),
  existing,
})
/** The positions of existing pictures, where they are certain. */
const positionsOf = (pairs: ChildPair[]) =>
  inWriteOrder(pairs).flatMap(({ desired, existing }) => (existing ? [[desired.id, existing.compare.sort_order]] : []))

test('C2: pictures are written from the first position on, and items without a position stay where they are among them', () => {
  const pairs = [fieldPair(8), pair(1, 2, 2), fieldPair(9), pair(2, 0, 0), pair(3, 1, 1)]
  expect(inWriteOrder(pairs).map(({ desired }) => desired.id)).toEqual(['8', '2', '9', '3', '1'])
})

test('C2: pictures that stay at their positions, or go to an earlier one, move no others', () => {
  expect(positionsOf([pair(1, 0, 0), pair(2, 1, 1)])).toEqual([
    ['1', 0],
    ['2', 1],
  ])
  expect(positionsOf([pair(1, 0, 2), pair(2, 1, 1)])).toEqual([
    ['1', 2],
    ['2', 1],
  ])
})

test('C2: the positions of pictures behind one that goes to a later position are not certain', () => {
  expect(positionsOf([pair(1, 1, 0), pair(2, 2, 2), pair(3, 3, 3), pair(4, 0, 0)])).toEqual([
    ['4', 0],
    ['1', 0],
    ['2', null],
    ['3', null],
  ])
})

test('C2: items without a position are never moved by pictures', () => {
  const existing = field(109)
  expect(
    inWriteOrder([pair(1, 5, 0), fieldPair(9, existing)]).find(({ desired }) => desired.id === '9')?.existing,
  ).toBe(existing)
})
