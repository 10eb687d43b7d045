import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCount, anyCounts, aRun, noPace } from '../../test/model/run-samples.ts'
import { progress } from '../contract/migration.ts'
import { type MigrationStatus, migrationStatuses } from '../contract/status.ts'
import { percentOf, progressOf } from './progress.ts'

const finished: readonly MigrationStatus[] = ['completed', 'partial_completed']

test('before the start, progress is 0 and the forecast is the time left', () => {
  expect(progressOf(aRun(), [], noPace)).toEqual({
    phase: '',
    done: 0,
    discovered: 0,
    percent: 0,
    ratePerSec: 0,
    etaSeconds: 0,
    overallEtaSeconds: 0,
    lastProgressAt: '2026-03-01T10:00:00.000Z',
  })
})

test('done counts every terminal state, so failures also make progress', () => {
  const run = aRun({ status: 'in_progress', phase: 'brands', startedAt: new Date() })
  const count = aCount('brands', { discovered: 8, created: 1, matched: 1, skipped: 1, failed: 1, cancelled: 1 })
  expect(progressOf(run, [count], noPace)).toMatchObject({ done: 5, discovered: 8, percent: 62.5 })
})

test('the last progress is that of the newest count, or the start of the run', () => {
  const run = aRun({ status: 'in_progress', phase: 'brands' })
  const progressedAt = new Date('2026-03-01T10:05:00Z')
  const counts = [aCount('categories', { progressedAt }), aCount('brands')]
  expect(progressOf(run, counts, noPace).lastProgressAt).toBe('2026-03-01T10:05:00.000Z')
  expect(progressOf(run, [aCount('brands')], noPace).lastProgressAt).toBe('2026-03-01T10:00:00.000Z')
})

describe('the percentage', () => {
  test.each(finished)('is 100 when the run is %s, even with nothing to copy', (status) => {
    expect(percentOf(aRun({ status }), [], 0)).toBe(100)
  })

  test('is 100 only when the run has finished', () => {
    fc.assert(
      fc.property(
        anyCounts,
        fc.constantFrom(...migrationStatuses),
        fc.constantFrom('', 'brands', 'products'),
        (counts, status, phase) => {
          expect(percentOf(aRun({ status, phase }), counts, 0) === 100).toBe(finished.includes(status))
        },
      ),
    )
  })

  test('never goes below a percentage already shown', () => {
    fc.assert(
      fc.property(anyCounts, anyCounts, (earlier, later) => {
        const run = aRun({ status: 'in_progress', phase: 'brands' })
        const shown = percentOf(run, earlier, 0)
        expect(percentOf(run, later, shown)).toBeGreaterThanOrEqual(shown)
      }),
    )
  })

  test('is rounded down: 99.99 must not look finished', () => {
    const run = aRun({ status: 'in_progress', phase: 'brands' })
    expect(percentOf(run, [aCount('brands', { discovered: 10_000, created: 9_999 })], 0)).toBe(99.9)
    expect(percentOf(run, [aCount('brands', { discovered: 10_000, created: 10_000 })], 0)).toBe(99.9)
    expect(percentOf(run, [aCount('brands', { expected: 3, discovered: 2, created: 2 })], 0)).toBe(66.6)
  })
})

test('progress always has the shape of the specification', () => {
  fc.assert(
    fc.property(
      anyCounts,
      fc.constantFrom(...migrationStatuses),
      fc.record({
        ratePerSec: fc.double({ min: 0, max: 1e5, noNaN: true }),
        workedSeconds: fc.nat(),
        percentReached: fc.constant(3.5),
        settlingSeconds: fc.nat(200),
        deletionsLeft: fc.nat(),
      }),
      (counts, status, pace) => {
        const run = aRun({ status, phase: 'brands', startedAt: new Date() })
        const parsed = progress.safeParse(progressOf(run, counts, pace))
        expect(parsed.error?.issues).toBeUndefined()
      },
    ),
  )
})
