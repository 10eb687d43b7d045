import { expect, test } from 'vitest'
import { progressLine } from './progress-line.ts'

const parts = {
  percent: 45.7,
  phase: 'Customer attributes and their values',
  items: '123456 of 1200000 items',
  rate: '123.4 items/s',
  left: '12 h 34 min left',
}

test.each([
  200, 120, 100, 80, 60, 50, 40,
])('at %i columns the line fits and still has its rate and time left', (width) => {
  const line = progressLine(parts, width)
  expect(line.length).toBeLessThanOrEqual(width)
  expect(line).toContain('45% | ')
  expect(line).toContain('123.4 items/s | 12 h 34 min left')
})

test('at 80 columns a long name is cut before the number of items goes', () => {
  const line = progressLine({ ...parts, items: '12 of 120 items' }, 80)
  expect(line).toMatch(/^█{3}░{5} 45% \| Customer a.*… \| 12 of 120 items \| /)
})

test('on a wide terminal the line has everything, and a bar of 40', () => {
  const line = progressLine(parts, 200)
  expect(line).toMatch(/^█{18}░{22} 45% \| Customer attributes and their values \| 123456 of 1200000 items \| /)
})
