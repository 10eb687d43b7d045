import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aCount } from '../../test/model/run-samples.ts'
import { aShape } from '../../test/model/shape-samples.ts'
import { callTotals } from './forecast/call-totals.ts'
import { workOf } from './forecast/calls.ts'
import type { PriceBasis } from './forecast/forecast.ts'
import { planPrice } from './plan-price.ts'

const quota = (calls: number) => ({ calls, windowSeconds: 30 })

function basisOf(shapes: PriceBasis['shapes'], calls = 135): PriceBasis {
  return {
    shapes,
    opening: { source: 0, destination: 0 },
    latencies: { sourceRead: 150, destinationRead: 150, write: 250, heavy: 700 },
    quotas: { source: quota(calls), destination: quota(calls) },
    correction: 1,
  }
}

const brands = basisOf([aShape('brands', { items: 300, standing: 262, sourcePage: 250 })])

test('F2: a plan reads everything and writes only changes', () => {
  const nothing = planPrice('replace', brands, [aCount('brands', { discovered: 300, matched: 300 })])
  const some = planPrice('replace', brands, [
    aCount('brands', { discovered: 300, matched: 255, created: 40, updated: 3, pruned: 2 }),
  ])
  expect(nothing.writes).toBe(0)
  expect(some.writes).toBe(45)
  expect(some.sourceReads).toBe(nothing.sourceReads)
  expect(some.minutes).toBeGreaterThanOrEqual(nothing.minutes)
})

test('F2: creating a whole product costs one call, with the children that the call carries', () => {
  const inline = { component: 'product-variants', perItem: 3, calls: 0, heavy: false, looksFirst: false }
  const shape = aShape('products', { items: 10, heavy: true })
  const counts = [
    aCount('products', { discovered: 10, created: 10 }),
    aCount('product-variants', { discovered: 10, created: 10 }),
  ]
  const basis = basisOf([{ ...shape, creation: [...shape.creation, inline] }])
  expect(planPrice('update', basis, counts).writes).toBe(10)
})

test('F2: children without a new item cost a call each', () => {
  const counts = [
    aCount('products', { discovered: 10, matched: 10 }),
    aCount('product-images', { discovered: 4, created: 2, updated: 1, pruned: 1, matched: 1 }),
  ]
  expect(planPrice('replace', basisOf([aShape('products', { items: 10, standing: 10 })]), counts).writes).toBe(4)
})

test("F2: the minutes of a plan are those of the stores' own quotas", () => {
  const counts = [aCount('brands', { discovered: 3_000, created: 3_000 })]
  const at = (calls: number) => planPrice('skip', basisOf([aShape('brands', { items: 3_000 })], calls), counts).minutes
  expect(at(135) / at(405)).toBeGreaterThan(2.5)
  expect(at(Infinity)).toBeLessThan(at(405))
})

test('F2: a plan that does everything the forecast expects costs the same', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3_000 }), fc.constantFrom('skip' as const, 'update' as const), (items, strategy) => {
      const shape = aShape('brands', { items })
      const { sourceReads, destinationReads, writes } = callTotals([workOf(shape, { mode: 'full', strategy })])
      const plan = planPrice(strategy, basisOf([shape]), [aCount('brands', { discovered: items, created: items })])
      expect(plan).toMatchObject({ sourceReads, destinationReads, writes })
    }),
  )
})
