import { expect, onTestFinished, test } from 'vitest'
import { plantSeed } from '../../sandbox/seeds/plant-seed.ts'
import { SqliteStore } from '../../sandbox/store/sqlite-store.ts'

test('the medium seed has 10,000 products with 30,000 variants, 300 categories and 200 brands', () => {
  const store = new SqliteStore({ name: 'shop', hash: 'shop', file: ':memory:', switches: {} })
  store.imageBase = 'http://127.0.0.1:1/stores/shop/images'
  onTestFinished(() => store.close())
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
