import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCounts, aRun, noPace } from '../../test/model/run-samples.ts'
import { migrationDetail as shape } from '../contract/migration.ts'
import { migrationStatuses } from '../contract/status.ts'
import { migrationDetail } from './migration-detail.ts'

test('has no key beyond the specification, in any status', () => {
  fc.assert(
    fc.property(anyCounts, fc.constantFrom(...migrationStatuses), fc.boolean(), (counts, status, started) => {
      const run = aRun({ status, startedAt: started ? new Date() : null, phase: started ? 'brands' : '' })
      const detail = migrationDetail({ run, counts, pace: noPace, failuresOpen: 3 })
      expect(shape.safeParse(detail).error?.issues).toBeUndefined()
      expect('started' in detail.timestamps).toBe(started)
    }),
  )
})

test('updated is the later of the last change of status and of progress', () => {
  const early = new Date('2026-03-01T10:00:00Z')
  const late = new Date('2026-03-01T11:00:00Z')
  const updated = (updatedAt: Date, lastProgressAt: Date) =>
    migrationDetail({ run: aRun({ updatedAt, lastProgressAt }), counts: [], pace: noPace, failuresOpen: 0 }).timestamps
      .updated
  expect(updated(early, late)).toBe(late.toISOString())
  expect(updated(late, early)).toBe(late.toISOString())
})
