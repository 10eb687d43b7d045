import { expect, test } from 'vitest'
import { itemsOf } from './sold-stock.ts'

const product = { productId: 11 }

/** Stock of variants of one product, by variant and location, before orders were copied and now, and lines that sold some. */
function itemsWith(
  before: [variantId: number, locationId: number, quantity: number][],
  now: [variantId: number, locationId: number, quantity: number][],
  sold: [variantId: number, quantity: number][],
) {
  const levels = now.map(([variantId, locationId, quantity]) => {
    return { ...product, variantId, locationId, quantity, byProduct: false, sku: 'A' }
  })
  const items = itemsOf({
    now: Map.groupBy(levels, ({ variantId }) => `11/${variantId}`),
    lines: sold.map(([variantId, quantity]) => ({ ...product, variantId, quantity, refused: 0, unsettled: false })),
    rows: before.map(([variantId, locationId, quantity]) => {
      return { ...product, variantId, locationId, quantity, seen: null, target: null }
    }),
  })
  return items.map(({ variantId, levels, ...item }) => [variantId, levels.map((one) => one.now), item] as const)
}

test('D1: a product that is counted as a whole is sold by every line, whichever variant it names', () => {
  const [item, ...others] = itemsWith([[5, 1, 10]], [[5, 1, 7]], [[5, 1], [6, 2]]) // biome-ignore format: pairs
  expect(item).toMatchObject([5, [7], { sold: 3, lines: [{ variantId: 5 }, { variantId: 6 }] }])
  expect(others).toEqual([])
})

test('D1: a variant that is counted by itself is sold by its own lines', () => {
  const before = [[5, 1, 10], [6, 1, 10]] satisfies [number, number, number][] // biome-ignore format: pairs
  const now = [[5, 1, 9], [6, 1, 8]] satisfies [number, number, number][] // biome-ignore format: pairs
  expect(itemsWith(before, now, [[5, 1], [6, 2]])).toMatchObject([[5, [9], { sold: 1 }], [6, [8], { sold: 2 }]]) // biome-ignore format: pairs
})

test('D1: an item was sold out where orders take from, which is the location with the lowest id', () => {
  const soldOutAt = (had: number) =>
    itemsWith([[5, had, 10]], [[5, 1, 0], [5, 2, 10]], [[5, 1]]).map(([, , { wasSoldOut }]) => wasSoldOut) // biome-ignore format: pairs
  expect([soldOutAt(2), soldOutAt(1)]).toEqual([[true], [false]])
})

test('D1: an item that the list does not show any more has no stock now, and was not sold out', () => {
  expect(itemsWith([[5, 1, 10]], [], [[5, 1]])).toMatchObject([[5, [null], { sku: '', wasSoldOut: false, sold: 1 }]])
})
