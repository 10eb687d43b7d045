import { expect, test } from 'vitest'
import { repairOf } from './repair-of.ts'

test.each([
  ['products', 'missing', 'skip'],
  ['products', 'different', 'update'],
  ['product-images', 'extra', 'replace'],
  ['orders', 'missing', 'skip'],
  ['orders', 'different', null],
  ['gift-certificates', 'extra', null],
] as const)('%s that are %s are repaired by %s', (component, kind, strategy) => {
  expect(repairOf({ component, kind, living: false, kept: false })).toBe(strategy)
})

test('what the shop changes itself and what people made or wished is repaired by no strategy', () => {
  expect(repairOf({ component: 'products', kind: 'different', living: true, kept: false })).toBeNull()
  expect(repairOf({ component: 'customers', kind: 'missing', living: false, kept: true })).toBeNull()
})
