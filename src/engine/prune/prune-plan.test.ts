import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOf } from './permission.ts'
import { exceeds, reasonToWithhold } from './prune-plan.ts'

const anyKey = fc.record({ component: fc.constantFrom('brands', 'products'), destinationId: fc.nat().map(String) })
const anySet = fc.uniqueArray(anyKey, {
  selector: ({ component, destinationId }) => `${component}:${destinationId}`,
  maxLength: 20,
})

async function* inPages<Key>(keys: Key[], size: number): AsyncGenerator<Key[]> {
  for (let at = 0; at < keys.length; at += size) yield keys.slice(at, at + size)
}

test('D4: the digest is of the set: read in other pages it is the same, with an item more or less it is another', async () => {
  await fc.assert(
    fc.asyncProperty(anySet, fc.integer({ min: 1, max: 5 }), async (keys, size) => {
      const digest = await digestOf(inPages(keys, 100))
      expect(await digestOf(inPages(keys, size))).toBe(digest)
      expect(await digestOf(inPages([...keys, { component: 'brands', destinationId: 'new' }], size))).not.toBe(digest)
      if (keys.length > 0) expect(await digestOf(inPages(keys.slice(1), size))).not.toBe(digest)
    }),
  )
})

test('D4: the same id of another component makes another digest', async () => {
  const digestIn = (component: string) => digestOf(inPages([{ component, destinationId: '1' }], 1))
  expect(await digestIn('brands')).not.toBe(await digestIn('products'))
})

test.each([
  [100, 1_000, false],
  [101, 1_000, true],
  [20, 100, false],
  [21, 100, true],
])('D4: %i items out of %i exceed 100 items or 20 percent: %s', (unasked, listed, expected) => {
  expect(exceeds({ pruneLimitItems: 100, pruneLimitPercent: 20 }, [{ unasked, listed }])).toBe(expected)
})

test('D4: the limit of items is of all components together', () => {
  const half = { unasked: 51, listed: 1_000 }
  expect(exceeds({ pruneLimitItems: 100, pruneLimitPercent: 20 }, [half])).toBe(false)
  expect(exceeds({ pruneLimitItems: 100, pruneLimitPercent: 20 }, [half, half])).toBe(true)
})

test('D4: one item more never makes a set that has to be asked for into one that has not', () => {
  const small = fc.nat({ max: 100 })
  fc.assert(
    fc.property(small, small, small, small, (unasked, listed, pruneLimitItems, pruneLimitPercent) => {
      const limits = { pruneLimitItems, pruneLimitPercent }
      if (exceeds(limits, [{ unasked, listed }])) expect(exceeds(limits, [{ unasked: unasked + 1, listed }])).toBe(true)
    }),
  )
})

test('D4: nothing is deleted unless the source listing was whole, not empty, and everything was copied', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 3 }),
      fc.nat({ max: 3 }),
      fc.boolean(),
      fc.boolean(),
      (discovered, failed, sourceShort, listRefused) => {
        const allowed = reasonToWithhold({ discovered, failed, sourceShort, listRefused }) === null
        expect(allowed).toBe(discovered > 0 && failed === 0 && !sourceShort && !listRefused)
      },
    ),
  )
})
