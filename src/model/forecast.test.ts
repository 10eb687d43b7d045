import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aRun } from '../../test/model/run-samples.ts'
import { forecast } from '../contract/migration.ts'
import { callsByPhase } from './calls.ts'
import { defaultCounts, defaultLatencies, forecastOf, type Scope } from './forecast.ts'

const at = new Date('2026-03-01T10:00:00Z')
const { phases } = aRun()
const scope: Scope = { mode: 'full', strategy: 'skip', phases }
const counts = { products: 1_000, variants: 1_000, categories: 200, brands: 50 }

test('a copy costs one call for each brand and product, and the documented batches for the rest', () => {
  expect(callsByPhase(scope, counts, 0)).toEqual([
    { key: 'categories', sourceReads: 3, destinationReads: 3, writes: 23, heavyWrites: 0 },
    { key: 'brands', sourceReads: 2, destinationReads: 2, writes: 50, heavyWrites: 0 },
    { key: 'products', sourceReads: 304, destinationReads: 5, writes: 0, heavyWrites: 1_000 },
  ])
})

test('a product of a destination that is not empty is listed, 250 at a time', () => {
  const products = callsByPhase(scope, counts, 1_001).find(({ key }) => key === 'products')
  expect(products?.destinationReads).toBe(9)
})

test('verifying reads both stores and writes nothing', () => {
  for (const calls of callsByPhase({ ...scope, mode: 'verify' }, counts, 0)) {
    expect(calls).toMatchObject({ writes: 0, heavyWrites: 0 })
    expect(calls.destinationReads).toBe(calls.sourceReads)
  }
})

test('the quota of the destination decides when it is the narrowest', () => {
  const priced = forecastOf(scope, { counts, quotas: { source: 5, destination: 5 } }, at)
  expect(priced.etaBreakdown.products).toBe(201)
  const faster = forecastOf(scope, { counts, quotas: { source: 15, destination: 15 } }, at)
  expect(faster.etaBreakdown.products).toBe(67)
})

test('without a quota the latencies decide', () => {
  const unlimited = { source: Infinity, destination: Infinity }
  const slow = forecastOf(scope, { counts, quotas: unlimited }, at)
  const fast = forecastOf(scope, { counts, quotas: unlimited, latencies: { read: 15, write: 25, heavy: 70 } }, at)
  expect(slow.etaSeconds / fast.etaSeconds).toBeGreaterThan(5)
  expect(slow.etaAssumedMs).toEqual(defaultLatencies)
  expect(slow.etaAssumedRttMs).toBeGreaterThan(defaultLatencies.read)
  expect(slow.etaAssumedRttMs).toBeLessThan(defaultLatencies.heavy)
})

test('the whole store gives the scale, the scope gives the counts', () => {
  const brandsOnly = { ...scope, phases: phases.filter(({ key }) => key === 'brands') }
  const priced = forecastOf(brandsOnly, { counts: { ...counts, products: 30_000 } }, at)
  expect(priced).toMatchObject({
    products: 30_000,
    tier: 'large',
    memMB: 384,
    counts: { brands: 50 },
    basis: 'forecast',
  })
  expect(Object.keys(priced.etaBreakdown)).toEqual(['brands'])
})

test('without counts it says that it used defaults', () => {
  const priced = forecastOf(scope, { counts: null }, at)
  expect(priced).toMatchObject({ ...defaultCounts, basis: 'fallback', estimated: ['categories', 'brands', 'products'] })
  expect(priced).not.toHaveProperty('destProducts')
})

test('create-only leaves the strategy out', () => {
  expect(forecastOf({ mode: 'full', phases }, { counts }, at)).not.toHaveProperty('strategy')
})

test('every forecast has the shape of the specification, and its total is the sum of its phases', () => {
  const some = fc.nat({ max: 3_000_000 })
  fc.assert(
    fc.property(
      fc.record({ products: some, variants: some, categories: some, brands: some }),
      fc.option(some, { nil: undefined }),
      fc.constantFrom('full', 'verify', 'dry-run', 'counts'),
      (anyCounts, destProducts, mode) => {
        const priced = forecastOf({ ...scope, mode }, { counts: anyCounts, destProducts }, at)
        expect(forecast.safeParse(priced).error?.issues).toBeUndefined()
        const sum = Object.values(priced.etaBreakdown).reduce((total, seconds) => total + seconds, 0)
        expect(priced.etaSeconds).toBe(Math.ceil(sum))
      },
    ),
  )
})
