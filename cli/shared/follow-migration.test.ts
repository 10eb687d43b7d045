import { expect, test } from 'vitest'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { exitCodeOf } from './follow-migration.ts'

test.each<[MigrationStatus, number]>([
  ['completed', 0],
  ['partial_completed', 1],
  ['failed', 1],
  ['paused', 2],
  ['cancelled', 3],
])('a command that followed a migration until it was %s ends with %i', (status, code) => {
  expect(exitCodeOf({ status })).toBe(code)
})
