import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyShapes, aShape } from '../../../test/model/shape-samples.ts'
import { outlookOf } from './outlook.ts'

describe('the outlook of a copy', () => {
  const shape = aShape('brands', {
    items: 100,
    standing: 70,
    mapped: 40,
    adopted: 20,
    changed: 5,
    unsealed: 3,
    removable: true,
  })

  test.each([
    [undefined, { created: 100, compared: 0, kept: 0, deleted: 0 }],
    ['skip', { created: 40, compared: 0, kept: 60, deleted: 0 }],
    ['update', { created: 40, compared: 28, kept: 32, deleted: 0 }],
    ['replace', { created: 40, compared: 28, kept: 32, deleted: 10 }],
  ] as const)('under %s: new, compared, left alone and deleted', (strategy, outlook) => {
    expect(outlookOf([shape], strategy)).toEqual(outlook)
  })

  test('counts the parts of items like whole items', () => {
    const parts = { component: 'pictures', perItem: 1.5, calls: 1, heavy: true, looksFirst: false }
    expect(outlookOf([{ ...shape, creation: [...shape.creation, parts] }], 'replace')).toEqual({
      created: 100,
      compared: 70,
      kept: 80,
      deleted: 25,
    })
  })

  test('leaves out what is only looked up or not read, and never changes orders that exist', () => {
    const others = [aShape('pages', { items: 9, adoptOnly: true }), aShape('banners', { items: 9, unread: true })]
    expect(outlookOf([{ ...shape, createOnly: true }, ...others], 'update')).toEqual({
      created: 40,
      compared: 0,
      kept: 60,
      deleted: 0,
    })
  })

  test('covers every item of the source once', () => {
    fc.assert(
      fc.property(anyShapes, fc.constantFrom(undefined, 'skip', 'update', 'replace'), (shapes, strategy) => {
        const { created, compared, kept } = outlookOf(shapes, strategy)
        const inScope = shapes.filter((one) => !one.adoptOnly && !one.unread)
        const items = inScope.map(({ held, creation, root }) =>
          creation.reduce((sum, one) => sum + (one.component === root ? 0 : held * one.perItem), held),
        )
        expect(created + compared + kept).toBeCloseTo(
          items.reduce((sum, one) => sum + one, 0),
          3,
        )
      }),
    )
  })
})
