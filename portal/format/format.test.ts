import { expect, test } from 'vitest'
import { remainingTime } from '../screens/migration/remaining-time.ts'
import { counted, wholePercent } from './number.ts'
import { aboutDuration, relativeTime, tookDuration } from './time.ts'

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

test('the time that is left is said once there is a pace, and only while it runs', () => {
  const progress = { phase: 'products', etaSeconds: 240, overallEtaSeconds: 1_440, ratePerSec: 42.4 }
  const timestamps = { started: before(60).toISOString() }
  const phases = [{ key: 'products', label: 'Products' }]
  const [step, all, pace] = remainingTime({ status: 'in_progress', progress, phases, timestamps }, now)
  expect([step, pace]).toEqual(['This step, Products: about 4 min', '42 items/s'])
  expect(all).toMatch(/^Everything: about 24 min, around /)
  const early = { started: before(5).toISOString() }
  const unknown = ['Working out how long it takes.']
  expect(remainingTime({ status: 'in_progress', progress, phases, timestamps: early }, now)).toEqual(unknown)
  expect(remainingTime({ status: 'paused', progress, phases, timestamps }, now)).toEqual([])
})
