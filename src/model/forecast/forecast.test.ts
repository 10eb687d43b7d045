import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aRun } from '../../../test/model/run-samples.ts'
import { anyShapes, aShape } from '../../../test/model/shape-samples.ts'
import { forecast as forecastShape } from '../../contract/migration.ts'
import { workOf } from './calls.ts'
import { durationsOf, type StoreLatencies } from './duration.ts'
import { defaultCounts, priceOf } from './forecast.ts'
import type { Scope } from './scope.ts'

const at = new Date('2026-03-01T10:00:00Z')
const { phases } = aRun()
const scope: Scope = { mode: 'full', strategy: 'skip', phases }
const counts = { products: 1_000, variants: 1_000, categories: 200, brands: 50 }
const unlimited = { calls: Infinity, windowSeconds: 30 }
const perWindow = (calls: number) => ({ calls, windowSeconds: 30 })
const shapes = [aShape('brands', { items: 50 }), aShape('products', { items: 1_000, heavy: true })]

test('the quota of the destination decides when it is the bottleneck', () => {
  const of = (calls: number) =>
    priceOf(scope, { counts, shapes, quotas: { source: unlimited, destination: perWindow(calls) } }, at).forecast
  // About 1,005 calls at 4.5 per second, and at three times that.
  expect(of(135).etaBreakdown.products).toBeGreaterThan(200)
  expect(of(135).etaBreakdown.products).toBeLessThan(240)
  expect((of(135).etaBreakdown.products ?? 0) / (of(405).etaBreakdown.products ?? 1)).toBeGreaterThan(2.5)
})

test('calls that fit into the rest of a window only cost their latency', () => {
  const few = [aShape('brands', { items: 20 })]
  const { forecast } = priceOf(scope, { counts, shapes: few, quotas: { destination: perWindow(135) } }, at)
  expect(forecast.etaBreakdown.brands).toBeLessThan(3)
  const used = { ...perWindow(135), left: 5, resetSeconds: 30 }
  expect(
    priceOf(scope, { counts, shapes: few, quotas: { destination: used } }, at).forecast.etaBreakdown.brands,
  ).toBeGreaterThan(25)
})

test('after a window that was used up, most calls of the next one take three quarters of its time', () => {
  const of = (items: number) => {
    const some = [aShape('brands', { items })]
    return priceOf(scope, { counts, shapes: some, quotas: { destination: perWindow(135) } }, at).forecast.etaBreakdown
      .brands
  }
  // A window of 30 s, then the two fifths at once, then all of them.
  const [within, atOnce, whole] = [of(130), of(180), of(260)]
  expect(within).toBeLessThan(15)
  expect(atOnce).toBeLessThan(30 + 15)
  expect(whole).toBeGreaterThan(30 + 18)
  expect(whole).toBeLessThan(30 + 23)
})

test('opening calls count as calls, and as time only when the quota is used up', () => {
  const few = [aShape('brands', { items: 5 })]
  const of = (opening: { source: number; destination: number }) =>
    priceOf(scope, { counts, shapes: few, opening, quotas: { source: perWindow(20), destination: unlimited } }, at)
  const [without, within, beyond] = [0, 15, 25].map((source) => of({ source, destination: 17 }))
  expect((within?.calls.sourceReads ?? 0) - (without?.calls.sourceReads ?? 0)).toBe(15)
  expect(within?.forecast.etaSeconds).toBe(without?.forecast.etaSeconds)
  expect((beyond?.forecast.etaSeconds ?? 0) - (within?.forecast.etaSeconds ?? 0)).toBeGreaterThan(20)
})

test('without a quota, the latencies decide', () => {
  const quotas = { source: unlimited, destination: unlimited }
  const of = (times: number) =>
    priceOf(
      scope,
      {
        counts,
        shapes,
        quotas,
        latencies: { sourceRead: 150 * times, destinationRead: 150 * times, write: 250 * times, heavy: 700 * times },
      },
      at,
    ).forecast
  expect(of(10).etaSeconds / of(1).etaSeconds).toBeGreaterThan(5)
  expect(of(1).etaAssumedMs).toEqual({ read: 150, write: 250, heavy: 700 })
  expect(of(1).etaAssumedRttMs).toBeGreaterThan(150)
  expect(of(1).etaAssumedRttMs).toBeLessThan(700)
})

test('in a run over whole stores, a page is listed while the details of another are read and a third is compared', () => {
  const compared = aShape('products', {
    items: 500,
    standing: 500,
    listPage: 500,
    sourcePage: 10,
    byIdsPage: 10,
    detailReads: 1,
    complete: false,
  })
  const work = (ms: Partial<StoreLatencies>, inTurn: boolean) =>
    durationsOf([workOf(compared, { mode: 'verify' })], {
      latencies: { sourceRead: 0, destinationRead: 0, write: 0, heavy: 0, ...ms },
      quotas: { source: unlimited, destination: unlimited },
      opening: { source: 0, destination: 0 },
      inTurn,
    }).phases.products ?? 0
  const [source, destination] = [{ sourceRead: 100 }, { destinationRead: 100 }]
  const both = { ...source, ...destination }
  expect(work(destination, true)).toBeGreaterThan(5)
  expect(work(both, true)).toBeCloseTo(work(source, true) + work(destination, true) - work({}, true), 5)
  expect(work(both, false)).toBeLessThan(work(source, true) + 0.3 * work(destination, true))
  expect(work(both, false)).toBeGreaterThan(Math.max(work(source, false), work(destination, false)))
})

test('experience from earlier runs over the pair changes the seconds, not the calls', () => {
  const plain = priceOf(scope, { counts, shapes }, at)
  const corrected = priceOf(scope, { counts, shapes, correction: 1.5 }, at)
  expect(corrected.calls).toEqual(plain.calls)
  expect(corrected.calculatedSeconds).toEqual(plain.calculatedSeconds)
  expect((corrected.forecast.etaBreakdown.products ?? 0) / (plain.forecast.etaBreakdown.products ?? 1)).toBeCloseTo(
    1.5,
    2,
  )
})

test('the whole store gives the scale, the scope gives the counts', () => {
  const brandsOnly = { ...scope, phases: phases.filter(({ key }) => key === 'brands') }
  const looked = [aShape('products', { items: 30_000 }), aShape('brands', { items: 50 })]
  const { forecast } = priceOf(brandsOnly, { counts: { ...counts, products: 30_000 }, shapes: looked }, at)
  expect(forecast).toMatchObject({
    products: 30_000,
    tier: 'large',
    memMB: 384,
    counts: { brands: 50 },
    basis: 'forecast',
  })
  expect(Object.keys(forecast.etaBreakdown)).toEqual(['brands'])
})

test('components counted on a sample are marked as estimates', () => {
  const images = { component: 'product-images', perItem: 2.5, calls: 0, heavy: false, looksFirst: false }
  const shape = aShape('products', { items: 1_000 })
  const withImages = [{ ...shape, creation: [...shape.creation, images] }]
  const { forecast } = priceOf(scope, { counts, shapes: withImages, sampled: ['product-images'] }, at)
  expect(forecast.counts).toMatchObject({ products: 1_000, 'product-images': 2_500 })
  expect(forecast.estimated).toEqual(['product-images'])
})

test('without counts it uses defaults and says so', () => {
  const { forecast } = priceOf(scope, { counts: null, shapes }, at)
  expect(forecast).toMatchObject({ ...defaultCounts, basis: 'fallback', estimated: ['brands', 'products'] })
  expect(forecast).not.toHaveProperty('destProducts')
})

test('create-only leaves the strategy out', () => {
  expect(priceOf({ mode: 'full', phases }, { counts }, at).forecast).not.toHaveProperty('strategy')
})

test('every forecast has the shape of the specification, and its phases never take longer than the whole', () => {
  const some = fc.nat({ max: 3_000_000 })
  fc.assert(
    fc.property(
      fc.record({ products: some, variants: some, categories: some, brands: some }),
      fc.option(some, { nil: undefined }),
      fc.constantFrom('full', 'verify', 'dry-run', 'counts'),
      fc.constantFrom('skip', 'update', 'replace', undefined),
      anyShapes,
      (anyCounts, destProducts, mode, strategy, some) => {
        const { forecast } = priceOf(
          { ...scope, mode, strategy },
          { counts: anyCounts, destProducts, shapes: some },
          at,
        )
        expect(forecastShape.safeParse(forecast).error?.issues).toBeUndefined()
        const sum = Object.values(forecast.etaBreakdown).reduce((total, seconds) => total + seconds, 0)
        expect(forecast.etaSeconds).toBeGreaterThanOrEqual(Math.floor(sum))
      },
    ),
  )
})
