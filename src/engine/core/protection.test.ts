import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { draft } from '../../entities/core/draft.ts'
import { Protection } from './protection.ts'

const protection = new Protection(randomBytes(32), randomBytes(32))

test('S9: issues name a product by its name, and a customer by the number only', () => {
  expect(protection.called(draft('products', 7, {}, { name: 'Lamp' }))).toBe('"Lamp" (source 7)')
  expect(protection.called(draft('customers', 7, {}, { name: 'Ann Example' }))).toBe('"Customer 7"')
})
