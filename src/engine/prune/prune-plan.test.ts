import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  childrenFirst,
  digestOf,
  exceeds,
  type Group,
  keepingAncestors,
  reasonToWithhold,
  withoutChildren,
} from './prune-plan.ts'

const anyId = fc.nat({ max: 30 }).map(String)
const anyItems = fc.uniqueArray(
  fc.record({ id: anyId, parentId: fc.option(anyId, { nil: undefined }), above: fc.option(anyId, { nil: undefined }) }),
  { selector: ({ id }) => id, maxLength: 20 },
)
const aGroup = (root: string, items: Group['items'], more: Partial<Group> = {}): Group => ({
  root,
  below: undefined,
  listedCount: 100,
  items,
  ...more,
})
const item = (id: string, above?: string) => ({ id, parentId: undefined, above })

test('D4: the digest is of the set: another order is the same, one item more or less is another', () => {
  fc.assert(
    fc.property(anyItems, anyItems, (brands, products) => {
      const digest = digestOf([aGroup('brands', brands), aGroup('products', products)])
      expect(digestOf([aGroup('products', products.toReversed()), aGroup('brands', brands.toReversed())])).toBe(digest)
      expect(digestOf([aGroup('brands', [...brands, item('new')]), aGroup('products', products)])).not.toBe(digest)
      if (brands.length > 0)
        expect(digestOf([aGroup('brands', brands.slice(1)), aGroup('products', products)])).not.toBe(digest)
    }),
  )
})

test('D4: the same id of another component makes another digest', () => {
  expect(digestOf([aGroup('brands', [item('1')])])).not.toBe(digestOf([aGroup('products', [item('1')])]))
})

test.each([
  [100, 1_000, false],
  [101, 1_000, true],
  [20, 100, false],
  [21, 100, true],
])('D4: %i items out of %i exceed 100 items or 20 percent: %s', (count, listedCount, expected) => {
  const items = Array.from({ length: count }, (_, n) => item(String(n)))
  expect(exceeds({ pruneLimitItems: 100, pruneLimitPercent: 20 }, [aGroup('brands', items, { listedCount })])).toBe(
    expected,
  )
})

test('D4: the limit of items is of all components together', () => {
  const half = Array.from({ length: 51 }, (_, n) => item(String(n)))
  const groups = [aGroup('brands', half, { listedCount: 1_000 }), aGroup('products', half, { listedCount: 1_000 })]
  expect(exceeds({ pruneLimitItems: 100, pruneLimitPercent: 20 }, groups)).toBe(true)
})

test('D4: one item more never makes a set that has to be asked for into one that has not', () => {
  fc.assert(
    fc.property(anyItems, fc.nat({ max: 20 }), fc.nat({ max: 100 }), (items, pruneLimitItems, pruneLimitPercent) => {
      const limits = { pruneLimitItems, pruneLimitPercent }
      if (exceeds(limits, [aGroup('brands', items)]))
        expect(exceeds(limits, [aGroup('brands', [...items, item('new')])])).toBe(true)
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
        const allowed = reasonToWithhold({ listed: 9, discovered, failed, sourceShort, listRefused }) === null
        expect(allowed).toBe(discovered > 0 && failed === 0 && !sourceShort && !listRefused)
      },
    ),
  )
})

test('D4: children go before their parents, and every item goes once', () => {
  fc.assert(
    fc.property(anyItems, (items) => {
      // Parents have lower ids, as in any tree that was made from the top.
      const tree = items.map((one) => ({ ...one, above: Number(one.above) < Number(one.id) ? one.above : undefined }))
      const order = childrenFirst(tree)
      expect(order.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort())
      const positions = new Map(order.map(({ id }, at) => [id, at]))
      for (const { id, above } of tree)
        if (above !== undefined && positions.has(above))
          expect(positions.get(id)).toBeLessThan(positions.get(above) ?? 0)
    }),
  )
})

test('D4: a loop of parents ends', () => {
  expect(childrenFirst([item('1', '2'), item('2', '1')])).toHaveLength(2)
  expect(keepingAncestors([item('1', '2'), item('2', '1')], ['1'])).toEqual([])
})

test('D4: what has a copy below it stays, with all that it lies below itself', () => {
  const items = [item('shop'), item('shelf', 'shop'), item('box', 'shelf'), item('other', 'shop')]
  expect(keepingAncestors(items, ['shelf']).map(({ id }) => id)).toEqual(['box', 'other'])
  fc.assert(
    fc.property(anyItems, fc.array(anyId), (some, aboveKept) => {
      const gone = new Set(keepingAncestors(some, aboveKept).map(({ id }) => id))
      for (const id of aboveKept) expect(gone.has(id)).toBe(false)
      // No deleted item has a kept item below it.
      for (const { id, above } of some) if (!gone.has(id) && above !== undefined) expect(gone.has(above)).toBe(false)
    }),
  )
})

test('D4: the children of a deleted item are not deleted separately', () => {
  fc.assert(
    fc.property(anyItems, anyItems, (products, metafields) => {
      const all = [aGroup('products', products), aGroup('product-metafields', metafields, { below: 'products' })]
      const left = withoutChildren(all[1] as Group, all).items
      const gone = new Set(products.map(({ id }) => id))
      expect(left).toEqual(metafields.filter(({ parentId }) => parentId === undefined || !gone.has(parentId)))
    }),
  )
})
