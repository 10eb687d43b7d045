import { expect, test } from 'vitest'
import { joined } from './joined-pages.ts'
import type { SourcePage } from './source-page.ts'

let next = 0
function pageOf(count: number, rest: Partial<SourcePage> = {}): SourcePage {
  const items = Array.from({ length: count }, () => ({ id: ++next }))
  return { items, position: String(next), level: null, total: null, broken: false, ...rest }
}

test('two pages of ten items are one, which goes on where the second does and has the total of the first', () => {
  const [one, two] = [pageOf(10, { total: 34 }), pageOf(10)]
  expect(joined(one, two)).toEqual({ ...two, items: [...one.items, ...two.items], total: 34 })
})

test('a large page stays as it is', () => {
  expect(joined(pageOf(250), pageOf(3))).toBe(null)
  expect(joined(pageOf(3), pageOf(250))).toBe(null)
})

test('pages of two levels, and pages with broken items, are not joined', () => {
  expect(joined(pageOf(2, { level: 0 }), pageOf(2, { level: 1 }))).toBe(null)
  expect(joined(pageOf(2, { level: 1 }), pageOf(2, { level: 1 }))).toMatchObject({ level: 1 })
  expect(joined(pageOf(1), pageOf(1, { broken: true }))).toBe(null)
  expect(joined(pageOf(1, { broken: true }), pageOf(1))).toBe(null)
})
