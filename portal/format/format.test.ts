import { expect, test } from 'vitest'
import { remainingTime } from '../screens/migration/remaining-time.ts'
import { counted, wholePercent } from './number.ts'
import { aboutDuration, loggedTime, relativeTime, tookDuration } from './time.ts'

const now = new Date('2026-05-04T16:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test.each([
  [-5, 'just now'],
  [59, 'just now'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_399, '23 hours ago'],
])('%d seconds ago reads "%s"', (seconds, text) => {
  expect(relativeTime(before(seconds), now)).toBe(text)
})

test('after a day it is the date, and so is what is to come', () => {
  expect(relativeTime(before(-7 * 86_400), now)).toMatch(/^May 1\d, 2026$/)
  expect(relativeTime(before(2 * 86_400), now)).toMatch(/^May \d, 2026$/)
})

test('in a log, a date has its time', () => {
  expect(loggedTime(before(59), now)).toBe('just now')
  expect(loggedTime(before(2 * 86_400), now)).toMatch(/^May \d, 2026, \d+:\d\d\s[AP]M$/)
})

test('what is to come within a day says when', () => {
  expect(relativeTime(before(-1_800), now)).toMatch(/^May [45], 2026, \d+:\d\d\s[AP]M$/)
  expect(relativeTime(before(-30), now)).toBe('just now')
})

test.each([
  [1, 'about a minute'],
  [89, 'about a minute'],
  [240, 'about 4 min'],
  [5_400, 'about 1 h 30 min'],
  [4 * 3_600 + 1_000, 'about 4.5 hours'],
  [10 * 3_600, 'about 10 hours'],
])('%d seconds are %s', (seconds, text) => {
  expect(aboutDuration(seconds)).toBe(text)
})

test.each([
  [0.4, 'under a second'],
  [1, '1 s'],
  [89.4, '89 s'],
  [90, 'about 2 min'],
  [240, 'about 4 min'],
])('what took %d seconds took %s', (seconds, text) => {
  expect(tookDuration(seconds)).toBe(text)
})

test('100% means finished, and one item is not items', () => {
  expect(wholePercent(99.9)).toBe('99%')
  expect([counted(1, 'store'), counted(1_200, 'store')]).toEqual(['1 store', '1,200 stores'])
})

const step = { key: 'products', label: 'Products', created: 900, updated: 40, skipped: 30, matched: 20, failed: 10 }
const running = {
  status: 'in_progress' as const,
  forecast: { basis: 'forecast' as const },
  progress: { phase: 'products', etaSeconds: 240, overallEtaSeconds: 1_440, ratePerSec: 42.4 },
  phases: [{ ...step, total: 11_000 }],
  timestamps: { started: before(60).toISOString() },
}

test('the time that is left is said once there is a pace, and only while it runs', () => {
  const [step, all] = remainingTime(running, now)
  expect(step).toBe('This step, Products: about 4 min, at 42 items a second')
  expect(all).toMatch(/^Everything: about 24 min, around /)
  const early = { started: before(5).toISOString() }
  const unknown = ['Working out how long it takes.']
  expect(remainingTime({ ...running, timestamps: early }, now)).toEqual(unknown)
  expect(remainingTime({ ...running, status: 'paused' }, now)).toEqual([])
})

test('an end that is more than a day away has its date', () => {
  const ends = (overallEtaSeconds: number) =>
    remainingTime({ ...running, progress: { ...running.progress, overallEtaSeconds } }, now)[1]
  expect(ends(23 * 3_600)).toMatch(/^Everything: about 23 hours, around \d+:\d\d\s[AP]M$/)
  expect(ends(30 * 3_600)).toMatch(/^Everything: about 30 hours, around May [56], 2026, \d+:\d\d\s[AP]M$/)
})

test.each([
  ['the last step if nothing of it is left', { phases: [{ ...step, total: 1_000 }] }],
  ['trying again what failed', { forecast: { basis: 'fix' as const } }],
])('there is no time for %s, only for everything', (_, changes) => {
  expect(remainingTime({ ...running, ...changes }, now)).toEqual([expect.stringMatching(/^Everything: about 24 min/)])
})

test.each([
  ['the items that are left would take half as long at it', { ratePerSec: 84, etaSeconds: 240 }, false],
  ['they would take twice as long', { ratePerSec: 21, etaSeconds: 240 }, false],
  ['they would take a third longer', { ratePerSec: 31.25, etaSeconds: 240 }, true],
  ['both are less than a minute and a half', { ratePerSec: 1_000, etaSeconds: 80 }, true],
  ['nothing moves', { ratePerSec: 0, etaSeconds: 240 }, false],
])('the pace is shown only if the time agrees with it: %s', (_, pace, isShown) => {
  const [step = ''] = remainingTime({ ...running, progress: { ...running.progress, ...pace } }, now)
  expect(step.includes('items a second')).toBe(isShown)
})
