import { expect, test } from 'vitest'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { exitCodeOf } from './follow-migration.ts'

test.each<[MigrationStatus, number]>([
  ['completed', 0],
  ['partial_completed', 1],
  ['failed', 1],
  ['paused', 2],
  ['cancelled', 3],
])('after following a migration until it is %s, the exit code is %i', (status, code) => {
  expect(exitCodeOf({ status })).toBe(code)
})
