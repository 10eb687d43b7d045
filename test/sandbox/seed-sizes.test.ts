import { afterEach, expect, test } from 'vitest'
import { plantSeed } from '../../sandbox/seeds/plant-seed.ts'
import { brandName } from '../../sandbox/seeds/products/brand-names.ts'
import { type CategoryPlan, departments } from '../../sandbox/seeds/products/category-names.ts'
import { createdDate, modifiedDate } from '../../sandbox/seeds/products/product-details.ts'
import { productName } from '../../sandbox/seeds/products/product-names.ts'
import { SqliteStore } from '../../sandbox/store/sqlite-store.ts'

const opened: SqliteStore[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})

test('the medium seed has 10,000 products with 30,000 variants, 300 categories and 200 brands', () => {
  const store = new SqliteStore({ name: 'shop', hash: 'shop', file: ':memory:', switches: {} })
  store.imageBase = 'http://127.0.0.1:1/stores/shop/images'
  opened.push(store)
  const startMs = performance.now()
  plantSeed(store, 'medium')
  const { rss } = process.memoryUsage()
  console.log(
    `medium: planted in ${Math.round(performance.now() - startMs)} ms; the process has ${Math.round(rss / 1e6)} MB`,
  )
  const count = (table: string) => store.table(table).count()
  expect(['products', 'variants', 'categories', 'brands'].map(count)).toEqual([10_000, 30_000, 300, 200])
  expect(count('images')).toBe(22_000)
  expect(['customers', 'customer_addresses', 'subscribers'].map(count)).toEqual([20_000, 19_999, 6_667])
  const around = ['customer_groups', 'price_lists', 'coupons', 'gift_certificates', 'promotions']
  expect(around.map(count)).toEqual([20, 5, 200, 500, 100])
  // Every name and every address is unique.
  expect(['pages', 'blog_posts', 'redirects'].map(count)).toEqual([36, 48, 96])
  // A link has no address.
  expect(count('urls')).toBe(10_500 + 35 + 48)
})

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
