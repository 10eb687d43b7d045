import { expect, test } from 'vitest'
import { hasFallenAsSold, type ItemStock, judge } from './sold-stock.ts'

type Given = Partial<Pick<ItemStock, 'sold' | 'refused' | 'unsettled' | 'wasSoldOut'>> & {
  levels: { quantity: number; now: number | null; seen?: number; target?: number }[]
}

/** An item with its stock before and now, by location. */
function item(
  { levels, sold = 0, refused = 0, unsettled = false, wasSoldOut = false }: Given,
  productId = 1,
): ItemStock {
  const named = { productId, variantId: 7 }
  return {
    ...named,
    sku: 'A',
    lines: [named],
    sold,
    refused,
    unsettled,
    wasSoldOut,
    levels: levels.map((level, at) => ({ seen: null, target: null, ...level, ...named, locationId: at + 1 })),
  }
}

function judged(...items: ItemStock[]) {
  const { done, give, unclear } = judge(items, { fell: 0, all: 0, refusedFell: 0, refusedAll: 0 })
  return { done: done.length, set: give.map(({ locationId, target }) => [locationId, target]), unclear: unclear.length }
}

test.each([
  ['fell by what was sold', { quantity: 10, now: 7 }, 3, [[1, 10]]],
  ['fell by one more: the shop sold that', { quantity: 10, now: 6 }, 3, [[1, 9]]],
  ['fell to nothing, because less was there', { quantity: 3, now: 0 }, 5, [[1, 3]]],
  ['fell below nothing, because more was sold than was there', { quantity: 3, now: -2 }, 5, [[1, 3]]],
  ['fell to nothing, because exactly that much was there', { quantity: 5, now: 0 }, 5, [[1, 5]]],
  ['did not fall', { quantity: 10, now: 10 }, 3, []],
  ['was restocked', { quantity: 10, now: 40 }, 3, []],
  ['is gone', { quantity: 10, now: null }, 3, []],
  ['was sold by the shop alone', { quantity: 10, now: 4 }, 0, []],
] as const)('what %s', (_, level, sold, set) => {
  expect(judged(item({ levels: [level], sold }))).toEqual({ done: 1, set, unclear: 0 })
})

test('stock that fell by less than was sold is left alone and reported, if the platform moves stock', () => {
  const moved = item({ levels: [{ quantity: 10, now: 7 }], sold: 3 }, 2)
  const beside = (now: number) => judged(moved, item({ levels: [{ quantity: 10, now }], sold: 3 }))
  expect(beside(8)).toEqual({ done: 2, set: [[1, 10]], unclear: 1 })
  // If it did not fall at all, nothing is missing.
  expect(beside(10)).toEqual({ done: 2, set: [[1, 10]], unclear: 0 })
})

test('if most stock did not fall, the platform moves none, and any fall was a sale of the shop', () => {
  const unchanged = [2, 3].map((id) => item({ levels: [{ quantity: 10, now: 10 }], sold: 3 }, id))
  expect(judged(...unchanged, item({ levels: [{ quantity: 10, now: 5 }], sold: 3 }))).toEqual({
    done: 3,
    set: [],
    unclear: 0,
  })
})

test('stock of an unconfirmed order stays open until the order is settled', () => {
  expect(judged(item({ levels: [{ quantity: 10, now: 7 }], sold: 3, unsettled: true }))).toEqual({
    done: 0,
    set: [],
    unclear: 0,
  })
})

test.each([
  ['was not applied', 7, [[1, 10]]],
  ['was not applied, and the shop sold one', 6, [[1, 9]]],
  ['was applied', 10, []],
  ['was applied, and the shop sold one', 9, []],
])('an unconfirmed call that %s', (_, now, set) => {
  for (const unsettled of [false, true]) {
    const begun = item({ levels: [{ quantity: 10, now, seen: 7, target: 10 }], sold: 3, unsettled })
    expect(judged(begun)).toEqual({ done: 1, set, unclear: 0 })
  }
})

test('among several locations, those that fell get their stock back, up to what they lost', () => {
  const levels = [
    { quantity: 2, now: 0 },
    { quantity: 10, now: 7 },
    { quantity: 4, now: 4 },
  ]
  const sold = item({ levels, sold: 4 })
  for (const listed of [sold.levels, sold.levels.toReversed()])
    expect(judged({ ...sold, levels: listed }).set).toEqual([
      [1, 2],
      [2, 9],
    ])
})

test('a location that ran out before all was sold gets back what it had, although another has some left', () => {
  const levels = [
    { quantity: 3, now: 0 },
    { quantity: 4, now: 4 },
  ]
  expect(judged(item({ levels, sold: 5 }))).toEqual({ done: 1, set: [[1, 3]], unclear: 0 })
})

test('items that were deleted since do not show that the platform moves no stock', () => {
  const gone = [2, 3].map((id) => item({ levels: [{ quantity: 10, now: null }], sold: 3 }, id))
  expect(judged(...gone, item({ levels: [{ quantity: 10, now: 7 }], sold: 3 })).set).toEqual([[1, 10]])
})

test('G15: what refused orders took is given back, but a sale of the shop is not if refused orders take nothing', () => {
  const took = item({ levels: [{ quantity: 10, now: 5 }], sold: 3, refused: 2 })
  const tookNothing = (id: number) => item({ levels: [{ quantity: 10, now: 10 }], refused: 2 }, id)
  expect(judged(took, tookNothing(2)).set).toEqual([[1, 10]])
  expect(judged(item({ levels: [{ quantity: 10, now: 8 }], refused: 4 })).set).toEqual([[1, 10]])
  expect(judged(took, ...[2, 3, 4].map(tookNothing)).set).toEqual([[1, 10]])
  expect(judged(took, ...[2, 3, 4, 5].map(tookNothing)).set).toEqual([[1, 8]])
})

const asSold = { levels: [{ quantity: 10, now: 7 }], sold: 3 }
const soldOut = { levels: [{ quantity: 4, now: 4 }], sold: 3, wasSoldOut: true }
const refusedTwo = { sold: 0, refused: 2 }

test.each([
  ['every item fell by exactly what was sold', [asSold], true],
  ['an item sold more than was there, and nothing is left', [{ levels: [{ quantity: 2, now: 0 }], sold: 3 }], true],
  ['orders took nothing, because their location had none left', [asSold, soldOut], true],
  ['nothing fell at all', [soldOut], false],
  [
    'one of two items has not fallen yet',
    [
      [10, 7],
      [10, 10],
    ].map(([quantity = 0, now = 0]) => ({ levels: [{ quantity, now }], sold: 3 })),
    false,
  ],
  ['an item fell by less, because the list lags', [{ levels: [{ quantity: 10, now: 8 }], sold: 3 }], false],
  ['an item fell by more, because the shop sold it, too', [{ levels: [{ quantity: 10, now: 6 }], sold: 3 }], false],
  ['an item fell by more, until nothing was left', [{ levels: [{ quantity: 10, now: 0 }], sold: 3 }], false],
  ['an item is gone', [{ levels: [{ quantity: 10, now: null }], sold: 3 }], false],
  ['a refused order took nothing', [asSold, { ...refusedTwo, levels: [{ quantity: 10, now: 10 }] }], true],
  ['a refused order took a part', [asSold, { ...refusedTwo, levels: [{ quantity: 10, now: 9 }] }], true],
  [
    'more is missing than a refused order named',
    [asSold, { ...refusedTwo, levels: [{ quantity: 10, now: 7 }] }],
    false,
  ],
  ['only refused orders named anything', [{ ...refusedTwo, levels: [{ quantity: 10, now: 9 }] }], false],
  ['an order is unconfirmed', [{ levels: [{ quantity: 10, now: 7 }], sold: 3, unsettled: true }], false],
  ['a level is being set', [{ levels: [{ quantity: 10, now: 7, seen: 7, target: 10 }], sold: 3 }], false],
] satisfies [
  string,
  Given[],
  boolean,
][])('whether the list shows all sales of copied orders when %s', (_, items, shown) => {
  expect(hasFallenAsSold(items.map((given, at) => item(given, at + 1)))).toBe(shown)
})
