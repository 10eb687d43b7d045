import { expect, test } from 'vitest'
import { aRun } from '../../../test/model/run-samples.ts'
import { fixForecast } from './fix-forecast.ts'
import { defaultLatencies, priceOf } from './forecast.ts'

const at = new Date('2026-03-01T10:00:00Z')
const before = priceOf({ mode: 'full', phases: aRun().phases, strategy: 'update' }, { counts: null }, at).forecast
const failed = [
  { phase: 'products', component: 'products', items: 30 },
  { phase: 'products', component: 'product-images', items: 10 },
  { phase: 'brands', component: 'brands', items: 4 },
]
const hour = 3_600_000

test('a round of healing is priced by what failed, with the memory of the store and its basis `fix`', () => {
  const fix = fixForecast(before, failed, { latencies: defaultLatencies, budgetMs: hour, at })
  const { memMB, cpus, tier, products, strategy } = before
  expect(fix).toMatchObject({ basis: 'fix', memMB, cpus, tier, products, strategy, estimated: [] })
  expect(fix.counts).toEqual({ products: 30, 'product-images': 10, brands: 4 })
  // 0.55 s for the three calls of an item, four items at a time.
  expect(fix.etaBreakdown).toEqual({ products: 5.5, brands: 0.5 })
})

test('F4: no more time is forecast than healing may take', () => {
  const many = [{ phase: 'products', component: 'products', items: 1_000_000 }]
  expect(fixForecast(before, many, { latencies: defaultLatencies, budgetMs: 90_000, at }).etaSeconds).toBe(90)
})
