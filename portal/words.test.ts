import { expect, test } from 'vitest'
import { modes } from '../src/contract/modes.ts'
import { migrationStatuses } from '../src/contract/status.ts'
import * as words from './words.ts'

test('no word of the engine reaches a screen', () => {
  const texts = JSON.stringify(
    Object.values(words).map((table) => (typeof table === 'function' ? [] : Object.values(table))),
  )
  expect(texts).not.toMatch(/dry.run|verify|prune|heal|mapping|entity|entities|phase|cancelled|organisation|e-mail/i)
})

test('a comparison is not called as its copy is, and one without a name says what it is', () => {
  expect(modes.map((mode) => words.migrationName('Spring copy', mode))).toEqual([
    'Spring copy',
    'Spring copy',
    'Comparison: Spring copy',
    'Spring copy',
  ])
  expect(new Set(modes.map((mode) => words.migrationName(null, mode))).size).toBe(modes.length)
})

test('within a sentence, a migration without a name has an article', () => {
  expect(words.migrationWithin(null, 'full')).toBe('an unnamed copy')
  expect(words.migrationWithin(null, 'dry-run', 'this')).toBe('this trial run')
  expect(words.migrationWithin('Spring copy', 'full', 'this')).toBe('Spring copy')
})

test('a running migration says what it is doing, and every other status says the same in every mode', () => {
  expect(modes.map((mode) => words.statusWord('in_progress', mode))).toEqual([
    'Copying',
    'Trying out',
    'Comparing',
    'Counting',
  ])
  expect(words.statusWord('in_progress', 'full', true)).toBe('Trying again')
  expect(words.statusWord('completed', 'full', true)).toBe('Done')
  for (const status of migrationStatuses.filter((each) => each !== 'in_progress'))
    expect(new Set(modes.map((mode) => words.statusWord(status, mode)))).toEqual(new Set([words.statusWords[status]]))
})

test('a migration that can go on says with which control, and what that does', () => {
  expect(words.goesOnWith('paused', 'full')).toMatch(/^Resume goes on/)
  expect(words.goesOnWith('partial_completed', 'full')).toMatch(/^“Try failed items again” tries only/)
  expect(words.goesOnWith('partial_completed', 'verify')).toMatch(/^Resume reads/)
  expect(words.goesOnWith('in_progress', 'full')).toBeUndefined()
})

test('only the question before a copy is canceled speaks of what was copied', () => {
  const { full, ...others } = words.cancelMeanings
  expect(full).toMatch(/copied stays/)
  for (const meaning of Object.values(others)) expect(meaning).toMatch(/^Neither store was changed\./)
})
