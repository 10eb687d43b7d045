import fc from 'fast-check'
import type { PassShape } from '../../src/model/forecast/calls.ts'

/** A pass whose items are created one by one, with pages of 250 and nothing at the destination. */
export function aShape(
  phase: string,
  { heavy = false, ...more }: Partial<PassShape> & { heavy?: boolean } = {},
): PassShape {
  const items = more.items ?? 0
  return {
    phase,
    key: phase,
    root: phase,
    adoptOnly: false,
    items,
    held: items,
    standing: 0,
    mapped: 0,
    owing: 0,
    adopted: 0,
    changed: 0,
    unsealed: 0,
    sourcePage: 250,
    listPage: 250,
    comparedPage: 250,
    byIdsPage: null,
    lookUpPage: null,
    looksUpByKey: false,
    sourceWalk: null,
    listWalk: null,
    sourceReading: 'once',
    listReading: 'once',
    createOnly: false,
    unread: false,
    complete: true,
    staged: false,
    levels: 1,
    detailReads: 0,
    creation: [{ component: phase, perItem: 1, calls: 1, heavy, looksFirst: false }],
    updateBatch: 1,
    late: 0,
    removable: true,
    ...more,
  }
}

const some = fc.nat({ max: 3_000 })

/** Passes of any size, however much of them is known. */
export const anyShapes = fc.array(
  fc
    .record({
      phase: fc.constantFrom('categories', 'brands', 'products'),
      items: some,
      standing: some,
      mapped: some,
      owing: some,
      adopted: some,
      changed: some,
      unsealed: some,
      byIdsPage: fc.constantFrom(10, null),
      sourceWalk: fc.constantFrom(null, { once: 14, perItem: 0, sideBySide: true }, { once: 2, perItem: 1 }),
      listWalk: fc.constantFrom(null, { once: 0, perItem: 0 }, { once: 3, perItem: 1 / 250 }),
      sourceReading: fc.constantFrom('once', 'end twice', 'again', 'twice'),
      listReading: fc.constantFrom('once', 'end twice', 'again', 'twice'),
      createOnly: fc.boolean(),
      unread: fc.boolean(),
      complete: fc.boolean(),
      staged: fc.boolean(),
      levels: fc.integer({ min: 1, max: 5 }),
      detailReads: fc.constantFrom(0, 0.4, 1),
      late: fc.constantFrom(0, 0.3),
    })
    .map(({ phase, ...shape }) => aShape(phase, { ...shape, heavy: phase === 'products' })),
  { maxLength: 4 },
)
