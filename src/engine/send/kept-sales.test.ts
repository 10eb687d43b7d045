import { expect, test } from 'vitest'
import { productsOnOnePage } from './kept-sales.ts'

/** So many items of each product. */
const itemsOf = (counts: number[]) =>
  counts.flatMap((count, at) => Array.from({ length: count }, () => ({ productId: at + 1 })))

const productsWith = (count: number, each: number) => itemsOf(Array.from({ length: count }, () => each))

test('stock is asked for in parts that fit on one page of 1,000 rows', () => {
  expect(productsOnOnePage(itemsOf([600, 400, 1, 600, 400]))).toEqual([[1, 2], [3, 4], [5]])
})

test('a product with more items than a page has rows is asked for alone', () => {
  expect(productsOnOnePage(itemsOf([10, 1_001, 10]))).toEqual([[1], [2], [3]])
})

test('one address names at most 250 products', () => {
  expect(productsOnOnePage(productsWith(251, 1)).map(({ length }) => length)).toEqual([250, 1])
  expect(productsOnOnePage(productsWith(250, 4)).map(({ length }) => length)).toEqual([250])
})

test('nothing is asked where no item is new', () => {
  expect(productsOnOnePage([])).toEqual([])
})
