import { expect, test } from 'vitest'
import { aCount, aRun } from '../../test/model/run-samples.ts'
import { planPrice } from './plan-price.ts'

const run = { ...aRun(), conflictStrategy: 'update' as const }

test('F2: a plan reads everything and writes only what would change', () => {
  const nothing = planPrice(run, [aCount('brands', { discovered: 300, matched: 300 })])
  const some = planPrice(run, [aCount('brands', { discovered: 300, matched: 255, created: 40, updated: 3, pruned: 2 })])
  expect(nothing.writes).toBe(0)
  expect(some.writes).toBe(45)
  expect(some.sourceReads).toBe(nothing.sourceReads)
  expect(some.minutes).toBeGreaterThan(nothing.minutes)
})

test('F2: a plan that creates a whole product pays for it once, with everything that goes along', () => {
  const counts = [
    aCount('products', { discovered: 10, created: 10 }),
    aCount('product-variants', { discovered: 10, created: 10 }),
  ]
  expect(planPrice(run, counts).writes).toBe(10)
})
