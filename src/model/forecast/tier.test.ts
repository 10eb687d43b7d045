import { expect, test } from 'vitest'
import { capacities, tierOf } from './tier.ts'

test.each([
  [0, 'small'],
  [5_000, 'small'],
  [5_001, 'medium'],
  [25_000, 'medium'],
  [25_001, 'large'],
  [100_000, 'large'],
  [100_001, 'xlarge'],
  [500_000, 'xlarge'],
  [500_001, 'xxlarge'],
  [2_000_000, 'xxlarge'],
  [2_000_001, 'xxxlarge'],
])('%i items are %s', (items, tier) => {
  expect(tierOf(items)).toBe(tier)
})

test('a larger tier is never given less', () => {
  const given = Object.values(capacities)
  expect(given.map(({ memMB }) => memMB)).toEqual([256, 256, 384, 512, 768, 1024])
  expect(given.map(({ cpus }) => cpus)).toEqual([0.25, 0.25, 0.5, 1, 1.5, 2])
})
