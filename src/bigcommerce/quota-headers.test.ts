import { expect, test } from 'vitest'
import { readQuota, readRefusalMs } from './quota-headers.ts'

const full = {
  'x-rate-limit-time-window-ms': '30000',
  'x-rate-limit-time-reset-ms': '1200',
  'x-rate-limit-requests-quota': '450',
  'x-rate-limit-requests-left': '17',
}

test('a complete set of headers is a quota', () => {
  expect(readQuota(full)).toEqual({ quota: 450, left: 17, resetMs: 1_200, windowMs: 30_000 })
})

test('the window is 30 seconds by default', () => {
  expect(readQuota({ ...full, 'x-rate-limit-time-window-ms': '' })).toMatchObject({ windowMs: 30_000 })
})

test.each([
  ['x-rate-limit-requests-quota', ''],
  ['x-rate-limit-requests-left', 'many'],
  ['x-rate-limit-time-reset-ms', '-1'],
])('without a readable %s there is no quota', (name, value) => {
  expect(readQuota({ ...full, [name]: value })).toBeNull()
})

test.each([
  [999_999, 999_999],
  [1_000_000, Infinity],
  [2 ** 31 - 1, Infinity],
])('a quota of %d counts as %d', (said, quota) => {
  expect(readQuota({ ...full, 'x-rate-limit-requests-quota': String(said) })).toMatchObject({ quota })
})

test('the wait after a refusal is its reset, else its seconds, else unknown', () => {
  expect(readRefusalMs({ ...full, 'x-retry-after': '9' })).toBe(1_200)
  expect(readRefusalMs({ 'x-retry-after': '9' })).toBe(9_000)
  expect(readRefusalMs({})).toBeNull()
})

test('no header names a reset after the end of the window, or a wait of more than five minutes', () => {
  const timeOfDay = { ...full, 'x-rate-limit-time-reset-ms': '1764000000000' }
  expect(readQuota(timeOfDay)).toMatchObject({ resetMs: 30_000 })
  expect(readQuota({ ...timeOfDay, 'x-rate-limit-time-window-ms': '1e12' })).toMatchObject({ windowMs: 300_000 })
  expect(readRefusalMs(timeOfDay)).toBe(300_000)
  expect(readRefusalMs({ 'retry-after': '86400' })).toBe(300_000)
})
