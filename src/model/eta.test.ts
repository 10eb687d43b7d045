import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aCount, anyCounts, aRun } from '../../test/model/run-samples.ts'
import type { Forecast } from '../contract/migration.ts'
import { migrationStatuses } from '../contract/status.ts'
import { etaOf } from './eta.ts'
import { priceOf } from './forecast/forecast.ts'

const at = new Date('2026-03-01T10:00:00Z')
const forecast: Forecast = {
  ...priceOf({ mode: 'full', phases: aRun().phases }, { counts: null }, at).forecast,
  etaSeconds: 400,
  etaBreakdown: { categories: 100, brands: 100, products: 200 },
}
const pace = { ratePerSec: 0, workedSeconds: 0, percentReached: 0, settlingSeconds: 0, deletionsLeft: 0 }

test('is the forecast before the start, and 0 without a forecast', () => {
  expect(etaOf(aRun({ forecast }), [], pace)).toEqual({ etaSeconds: 400, overallEtaSeconds: 400 })
  expect(etaOf(aRun(), [], pace)).toEqual({ etaSeconds: 0, overallEtaSeconds: 0 })
})

test.each(['completed', 'failed', 'cancelled', 'partial_completed'] as const)('is 0 when the run is %s', (status) => {
  const run = aRun({ status, forecast, phase: 'brands', startedAt: at })
  expect(etaOf(run, [], { ...pace, ratePerSec: 2 })).toEqual({ etaSeconds: 0, overallEtaSeconds: 0 })
})

test('the running phase moves from its forecast to its rate, the later ones follow the speed observed so far', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'brands', startedAt: at })
  const counts = [
    aCount('categories', { discovered: 10, created: 10 }),
    aCount('brands', { discovered: 100, created: 50 }),
  ]
  // Work predicted to take 150 s took twice that. The phase is half done, so its rest is half the forecast's 100 s plus
  // half the rate's 10 s.
  expect(etaOf(run, counts, { ...pace, ratePerSec: 5, workedSeconds: 300 })).toEqual({
    etaSeconds: 55,
    overallEtaSeconds: 55 + 400,
  })
})

test('a phase that has only begun does not show hours because its first items are slow', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'products', startedAt: at })
  const counts = [aCount('products', { expected: 10_000, discovered: 10, created: 10 })]
  const { etaSeconds } = etaOf(run, counts, { ...pace, ratePerSec: 0.1, workedSeconds: 220 })
  // The rate alone would give 99,900 s.
  expect(etaSeconds).toBeLessThan(400)
})

test('the remaining time is the rate’s when a phase is nearly done, whatever was forecast', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'products', startedAt: at })
  const counts = [aCount('products', { expected: 10_000, discovered: 10_000, created: 9_900 })]
  expect(etaOf(run, counts, { ...pace, ratePerSec: 10, workedSeconds: 1_000 }).etaSeconds).toBeLessThan(20)
})

test('after a take-over, whose wait lowers the rate, the time left grows by half at most', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'products', startedAt: at })
  const counts = [
    aCount('categories', { discovered: 10, created: 10 }),
    aCount('brands', { discovered: 10, created: 10 }),
    aCount('products', { expected: 1_000, discovered: 600, created: 500 }),
  ]
  const before = etaOf(run, counts, { ...pace, ratePerSec: 5, workedSeconds: 300 }).etaSeconds
  expect(before).toBe(100)
  const after = etaOf(run, counts, { ...pace, ratePerSec: 0.05, workedSeconds: 310 }).etaSeconds
  expect(after).toBeLessThan(1.5 * before)
})

test('a wait of known length is part of the time left, also when nothing else is left to do', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'products', startedAt: at })
  const counts = [aCount('products', { discovered: 10, created: 10 })]
  expect(etaOf(run, counts, { ...pace, workedSeconds: 400 })).toEqual({ etaSeconds: 1, overallEtaSeconds: 1 })
  expect(etaOf(run, counts, { ...pace, workedSeconds: 400, settlingSeconds: 29.6 })).toEqual({
    etaSeconds: 30,
    overallEtaSeconds: 30,
  })
})

test('after the last item, what is tried again and what is to be deleted is the time left', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'products', startedAt: at })
  const counts = [aCount('products', { discovered: 1_000, created: 900, failed: 100 })]
  const left = (healing: boolean, deletionsLeft: number) =>
    etaOf({ ...run, healing }, counts, { ...pace, workedSeconds: 400, deletionsLeft }).overallEtaSeconds
  // Four at a time: each is read in both stores and written, or read and deleted.
  expect(left(true, 0)).toBe(Math.round((100 * 0.55) / 4))
  expect(left(false, 1_000)).toBe((1_000 * 0.4) / 4)
  expect(left(true, 1_000)).toBe(Math.round((100 * 0.55 + 1_000 * 0.4) / 4))
  // Trying again ends after a quarter of the time worked.
  const many = [aCount('products', { discovered: 100_000, failed: 100_000 })]
  expect(etaOf({ ...run, healing: true }, many, { ...pace, workedSeconds: 400 }).etaSeconds).toBe(100)
})

test('until the last phase, what is to be deleted is part of the whole time only', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'brands', startedAt: at })
  const counts = [aCount('brands', { discovered: 100, created: 50 })]
  const without = etaOf(run, counts, { ...pace, workedSeconds: 150 })
  const along = etaOf(run, counts, { ...pace, workedSeconds: 150, deletionsLeft: 1_000 })
  expect(along).toEqual({ etaSeconds: without.etaSeconds, overallEtaSeconds: without.overallEtaSeconds + 100 })
})

test('a round of healing takes what its own forecast says, less what it has healed', () => {
  const fix = {
    ...forecast,
    basis: 'fix' as const,
    etaSeconds: 60,
    counts: { products: 20 },
    etaBreakdown: { products: 60 },
  }
  const run = aRun({ status: 'queued', forecast: fix, phase: 'products', startedAt: at })
  const left = (failed: number) =>
    etaOf(run, [aCount('products', { discovered: 1_000, created: 980, failed })], { ...pace, workedSeconds: 4_000 })
  expect(left(20)).toEqual({ etaSeconds: 60, overallEtaSeconds: 60 })
  expect(left(5)).toEqual({ etaSeconds: 15, overallEtaSeconds: 15 })
  expect(left(0)).toEqual({ etaSeconds: 1, overallEtaSeconds: 1 })
})

test('without a rate, the running phase keeps its share of the forecast', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'categories', startedAt: at })
  const counts = [aCount('categories', { expected: 10, discovered: 4, created: 4 })]
  expect(etaOf(run, counts, { ...pace, workedSeconds: 40 })).toEqual({ etaSeconds: 60, overallEtaSeconds: 360 })
})

test('a slow start stretches the forecast only within limits', () => {
  const run = aRun({ status: 'in_progress', forecast, phase: 'products', startedAt: at })
  const { overallEtaSeconds } = etaOf(run, [], { ...pace, workedSeconds: 1e9 })
  expect(overallEtaSeconds).toBe(2000)
})

test('is never negative, and the whole run never takes less than its phase', () => {
  fc.assert(
    fc.property(
      anyCounts,
      fc.constantFrom(...migrationStatuses),
      fc.constantFrom('', 'categories', 'brands', 'products'),
      fc.record({
        ratePerSec: fc.double({ min: 0, max: 1e4, noNaN: true }),
        workedSeconds: fc.nat(),
        percentReached: fc.constant(0),
        settlingSeconds: fc.nat(200),
        deletionsLeft: fc.nat(),
      }),
      (counts, status, phase, anyPace) => {
        const run = aRun({ status, phase, forecast, startedAt: phase === '' ? null : at })
        const { etaSeconds, overallEtaSeconds } = etaOf(run, counts, anyPace)
        expect(etaSeconds).toBeGreaterThanOrEqual(0)
        expect(overallEtaSeconds).toBeGreaterThanOrEqual(etaSeconds)
      },
    ),
  )
})
