import { expect, test } from 'vitest'
import { brandName } from '../../sandbox/seeds/products/brand-names.ts'
import { type CategoryPlan, departments } from '../../sandbox/seeds/products/category-names.ts'
import { createdDate, modifiedDate } from '../../sandbox/seeds/products/product-details.ts'
import { productName } from '../../sandbox/seeds/products/product-names.ts'

test('the 100,000 products of the large seed all have different names', () => {
  const names = new Set<string>()
  for (let n = 0; n < 100_000; n++) names.add(productName(n).toLowerCase())
  expect(names.size).toBe(100_000)
})

test('the large seed has 1,200 categories and 400 brands, every tenth of one family', () => {
  const size = (plan: CategoryPlan): number => Object.values(plan).reduce((sum, below) => sum + 1 + size(below), 0)
  expect([size(departments(4, 5, [])), size(departments(9, 5, ['Outlet']))]).toEqual([300, 1_200])
  const brands = Array.from({ length: 400 }, (_none, n) => brandName(n).toLowerCase())
  expect(new Set(brands).size).toBe(400)
  expect(brands.filter((name) => name.startsWith('northfold')).length).toBe(10)
})

test('the products of the large seed are created in the same period as those of the medium one', () => {
  expect(createdDate(99_999, 100_000) <= createdDate(9_999, 10_000)).toBe(false)
  expect(createdDate(100_000, 100_000)).toBe(createdDate(10_000, 10_000))
  expect(modifiedDate(99_999, 100_000) < '2026-01-01').toBe(true)
})
