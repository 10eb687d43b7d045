import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levelToSet, type SetLevel, type StartedStock } from './kept-sales.ts'

test.each([
  ['3 of 6 were sold', { quantity: 6, now: 3, desired: 6, target: 3 }],
  ['3 of 6 were sold, and the source sold one too', { quantity: 6, now: 3, desired: 5, target: 2 }],
  ['more was sold than the source has left', { quantity: 6, now: 1, desired: 2, target: 0 }],
  ['nothing was sold', { quantity: 6, now: 6, desired: 6, target: 6 }],
  ['it was restocked', { quantity: 6, now: 9, desired: 6, target: 6 }],
])('G11: %s', (_title, { quantity, now, desired, target }) => {
  expect(levelToSet({ quantity, levels: {} }, { 1: now }, '1', desired)).toMatchObject({ seen: now, target })
})

test('G11: whatever the order of locations, the levels together are those of the source less what was sold', () => {
  const anyLevel = fc.nat({ max: 20 })
  fc.assert(
    fc.property(anyLevel, anyLevel, fc.nat({ max: 40 }), fc.boolean(), (first, second, sales, turned) => {
      const quantity = first + second
      const sold = Math.min(sales, quantity)
      const now: Record<string, number> = { 1: quantity - sold, 2: 0 }
      const desired: Record<string, number> = { 1: first, 2: second }
      const levels: Record<string, SetLevel> = {}
      for (const location of turned ? ['2', '1'] : ['1', '2']) {
        const level = levelToSet({ quantity, levels }, now, location, desired[location] ?? 0)
        levels[location] = level
        now[location] = level.target
      }
      expect((now[1] ?? 0) + (now[2] ?? 0)).toBe(quantity - sold)
      expect(Math.min(...Object.values(now))).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('G11: a call that is repeated changes nothing if it was applied, and the same if it was not', () => {
  const started: StartedStock = { quantity: 6, levels: {} }
  const first = levelToSet(started, { 1: 3 }, '1', 9)
  expect(first.target).toBe(6)
  const repeated = (now: number) => levelToSet({ ...started, levels: { 1: first } }, { 1: now }, '1', 9).target
  expect(repeated(3)).toBe(6)
  // One more was sold before or after it was applied.
  expect(repeated(2)).toBe(5)
  expect(repeated(6)).toBe(6)
  expect(repeated(5)).toBe(5)
})

test('G11: a repeated call that lowers a level lowers it once, and never below nothing', () => {
  const started: StartedStock = { quantity: 6, levels: {} }
  const first = levelToSet(started, { 1: 6 }, '1', 1)
  expect(first.target).toBe(1)
  const repeated = (now: number) => levelToSet({ ...started, levels: { 1: first } }, { 1: now }, '1', 1).target
  expect([repeated(6), repeated(1)]).toEqual([1, 1])
  // The shop sold two before it was applied, or the last one afterwards.
  expect([repeated(4), repeated(0)]).toEqual([0, 0])
})

test('G11: stock at a location whose level is being set counts once, whether it is set yet, not yet, or was restocked since', () => {
  const started: StartedStock = { quantity: 6, levels: {} }
  const first = levelToSet(started, { 1: 3 }, '1', 2)
  expect(first.target).toBe(0)
  const other = (now: number) => levelToSet({ ...started, levels: { 1: first } }, { 1: now, 2: 0 }, '2', 4).target
  expect([other(0), other(3), other(5)]).toEqual([3, 3, 3])
})

test.each([
  ['was applied', (level: SetLevel) => level.target],
  ['was applied, and the shop sold one more', (level: SetLevel) => level.target - 1],
  ['was not applied', (level: SetLevel) => level.seen],
  ['was not applied, and the shop sold one more', (level: SetLevel) => level.seen - 1],
])('G11: other locations get the same whether or not a level is repeated, which %s', (_title, found) => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 3 }), (first, source, sold) => {
      const started: StartedStock = { quantity: first, levels: {} }
      const once = levelToSet(started, { 1: first - sold }, '1', source)
      const now = { 1: Math.max(0, found(once)) }
      const again = levelToSet({ ...started, levels: { 1: once } }, now, '1', source)
      const other = (level: SetLevel) => levelToSet({ ...started, levels: { 1: level } }, now, '2', 20).target
      expect(other(again)).toBe(other(once))
    }),
  )
})
