import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { exitCodeMeanings, exitCodeOf, exitCodes, moreSerious } from './exit-codes.ts'

test.each<[MigrationStatus, number, number]>([
  ['completed', 0, 0],
  ['completed', 2, 4],
  ['partial_completed', 1, 4],
  ['failed', 0, 1],
  ['paused', 0, 2],
  ['cancelled', 0, 3],
])('after following a migration until it is %s with %i open, the exit code is %i', (status, failuresOpen, code) => {
  expect(exitCodeOf({ status, failuresOpen })).toBe(code)
})

test.each([
  [0, 0, 0],
  [4, 0, 4],
  [0, 4, 4],
  [4, 1, 1],
  [1, 0, 1],
  [2, 4, 2],
])('a copy that ends with %i and its comparison with %i end with %i', (copied, compared, code) => {
  expect(moreSerious(copied, compared)).toBe(code)
})

test('docs/commands.md has every exit code with its meaning', async () => {
  const docs = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8')
  for (const [name, code] of Object.entries(exitCodes))
    expect(docs).toContain(`| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |`)
})
