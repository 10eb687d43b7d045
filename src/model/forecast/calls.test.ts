import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyShapes, aShape } from '../../../test/model/shape-samples.ts'
import { callTotals } from './call-totals.ts'
import { type PassShape, workOf } from './calls.ts'

const callsOf = (shape: PassShape, strategy?: 'skip' | 'update' | 'replace') =>
  callTotals([workOf(shape, { mode: 'full', strategy })])

describe('a copy', () => {
  test('costs one call for each item, the documented pages, and a fraction of a call in batches', () => {
    expect(callsOf(aShape('brands', { items: 251 }))).toEqual({
      sourceReads: 2,
      destinationReads: 1,
      writes: 251,
      heavyWrites: 0,
    })
    const batched = { component: 'brands', perItem: 1, calls: 1 / 10, heavy: false, looksFirst: false }
    expect(callsOf(aShape('brands', { items: 21, creation: [batched] })).writes).toBe(3)
  })

  test('lists existing items, 250 at a time', () => {
    expect(callsOf(aShape('brands', { items: 1, standing: 1_001 }), 'skip').destinationReads).toBe(5)
  })

  test('reads a separate list for each item that may have one', () => {
    expect(callsOf(aShape('brands', { items: 10, detailReads: 0.5 })).sourceReads).toBe(1 + 5)
  })

  test('reads existing children before it adds ones without a key', () => {
    const reviews = { component: 'reviews', perItem: 2, calls: 2, heavy: false, looksFirst: true }
    const shape = aShape('products', { items: 10 })
    expect(callsOf({ ...shape, creation: [...shape.creation, reviews] })).toMatchObject({
      writes: 30,
      destinationReads: 21,
    })
  })
})

test.each([
  ['once', 1, 3],
  ['end twice', 2, 4],
  ['again', 1, 6],
  ['twice', 2, 6],
] as const)('G2: a list that is read %s takes %i calls for one page and %i for three', (reading, one, three) => {
  const shapeOf = (items: number) =>
    aShape('brands', { items, standing: items, sourceReading: reading, listReading: reading, staged: true })
  const reads = [200, 700].map((items) => callsOf(shapeOf(items), 'skip'))
  expect(reads.map(({ sourceReads }) => sourceReads)).toEqual([one, three])
  expect(reads.map(({ destinationReads }) => destinationReads)).toEqual([one, three])
})

test.each([
  [50, 250, 4],
  [50, 10, 45],
  [1, 250, 60],
  [null, 250, 4],
])('G1: 60 copies that are gone, asked for by %s of a page of %i, take %i calls beside the list', (lookUpPage, sourcePage, calls) => {
  const shape = aShape('brands', { items: 1_000, mapped: 1_000, standing: 940, lookUpPage, sourcePage })
  expect(callsOf(shape, 'skip').destinationReads).toBe(4 + calls)
})

describe('a list without paging', () => {
  const walk = { once: 14, perItem: 0 }

  test('costs the calls that read it, in either store', () => {
    const shape = aShape('settings', { items: 14, standing: 14, staged: true, sourceWalk: walk, listWalk: walk })
    expect(callsOf({ ...shape, adopted: 14 }, 'skip')).toMatchObject({ sourceReads: 14, destinationReads: 14 })
    expect(callTotals([workOf(shape, { mode: 'verify' })])).toMatchObject({ sourceReads: 14, destinationReads: 14 })
    expect(callTotals([workOf(shape, { mode: 'counts' })])).toMatchObject({ sourceReads: 14, destinationReads: 0 })
    expect(callsOf({ ...shape, adoptOnly: true })).toMatchObject({ sourceReads: 14, destinationReads: 14, writes: 0 })
  })

  test('costs a call for each item when each is read by itself', () => {
    const pages = { once: 2, perItem: 1 }
    expect(callsOf(aShape('page-widgets', { items: 40, staged: true, sourceWalk: pages })).sourceReads).toBe(42)
  })

  test('G2: costs its calls twice where it is read twice, and once where it is only counted', () => {
    const twice = { once: 3, perItem: 1, twice: true } as const
    const shape = aShape('shipping-zones', { items: 4, standing: 4, staged: true, sourceWalk: twice, listWalk: twice })
    expect(callsOf({ ...shape, adopted: 4 }, 'skip')).toMatchObject({ sourceReads: 14, destinationReads: 14 })
    expect(callTotals([workOf(shape, { mode: 'counts' })]).sourceReads).toBe(7)
  })

  test('makes the same calls in parallel, and waits for fewer of them', () => {
    const of = (sideBySide: object) =>
      workOf(aShape('settings', { staged: true, sourceWalk: { ...walk, ...sideBySide } }), { mode: 'full' })
    const [inTurn, together] = [of({}), of({ sideBySide: true })]
    expect([inTurn.staging, inTurn.sourceDetails]).toEqual([14, 0])
    expect([together.staging, together.sourceDetails]).toEqual([1, 13])
  })

  test('costs nothing when the run has none of it in scope', () => {
    const shape = aShape('settings', { staged: true, sourceWalk: walk, unread: true })
    expect(callsOf(shape).sourceReads).toBe(0)
    expect(callTotals([workOf(shape, { mode: 'counts' })]).sourceReads).toBe(0)
  })
})

test('update neither reads nor corrects create-only items', () => {
  const orders = { items: 60, standing: 60, mapped: 60, unsealed: 60, byIdsPage: 250, createOnly: true }
  expect(callsOf(aShape('orders', orders), 'update')).toEqual(callsOf(aShape('orders', orders), 'skip'))
  expect(callsOf(aShape('orders', { ...orders, createOnly: false }), 'update').writes).toBe(60)
})

describe('a second run', () => {
  const again = { items: 100, standing: 100, mapped: 100, byIdsPage: 10, sourcePage: 10, complete: false }

  test('writes nothing when nothing has changed, under every strategy', () => {
    for (const strategy of ['skip', 'update', 'replace'] as const)
      expect(callsOf(aShape('products', again), strategy)).toEqual({
        sourceReads: 10,
        destinationReads: 1,
        writes: 0,
        heavyWrites: 0,
      })
  })

  test('under update reads and writes edited items; under skip it reads none', () => {
    const edited = aShape('products', { ...again, changed: 10 })
    expect(callsOf(edited, 'skip').writes).toBe(0)
    const { writes, destinationReads } = callsOf(edited, 'update')
    expect(writes).toBe(10)
    // That is one list, about as many pages as there are edited items, and one page of checksums.
    expect(destinationReads).toBeGreaterThanOrEqual(3)
    expect(destinationReads).toBeLessThanOrEqual(12)
  })

  test('under update, adopted items are next to each other and edited ones are scattered', () => {
    const many = { ...again, items: 1_000, standing: 1_000, mapped: 1_000 }
    const reads = (more: object) => callsOf(aShape('products', { ...many, ...more }), 'update').destinationReads
    const none = reads({})
    // Items next to each other take ten pages to read and one page of checksums; scattered ones take about a page each.
    expect(reads({ unsealed: 100 }) - none).toBe(11)
    expect(reads({ changed: 100 }) - none).toBeGreaterThan(50)
  })

  test('under replace, items that may have extra children are read, and under update they are not', () => {
    const many = { ...again, items: 1_000, standing: 1_000, mapped: 1_000 }
    const reads = (strategy: 'update' | 'replace', withExtra: number) =>
      callsOf(aShape('products', { ...many, withExtra }), strategy).destinationReads
    expect(reads('replace', 100)).toBeGreaterThan(reads('replace', 0))
    expect(reads('update', 100)).toBe(reads('update', 0))
  })

  test('under replace also deletes what only the destination has', () => {
    expect(callsOf(aShape('products', { ...again, standing: 130 }), 'replace')).toMatchObject({ writes: 30 })
    expect(callsOf(aShape('products', { ...again, standing: 130 }), 'update')).toMatchObject({ writes: 0 })
    expect(
      callsOf(aShape('products', { ...again, items: 0, held: 0, mapped: 0, standing: 130 }), 'replace').writes,
    ).toBe(0)
  })

  test('creates items again that were deleted at the destination', () => {
    expect(callsOf(aShape('products', { ...again, standing: 90 }), 'update').writes).toBe(10)
  })

  test('completes what is pending', () => {
    expect(callsOf(aShape('products', { ...again, owing: 4 }), 'skip').writes).toBe(4)
  })
})

describe('other modes', () => {
  test('verify, dry run and counts write nothing', () => {
    fc.assert(
      fc.property(anyShapes, fc.constantFrom('verify', 'dry-run', 'counts'), (shapes, mode) => {
        const totals = callTotals(shapes.map((shape) => workOf(shape, { mode, strategy: 'update' })))
        expect(totals).toMatchObject({ writes: 0, heavyWrites: 0 })
      }),
    )
  })

  test('verify reads the copy of every item', () => {
    const shape = aShape('products', { items: 100, standing: 100, byIdsPage: 10, sourcePage: 10, complete: false })
    const totals = callTotals([workOf(shape, { mode: 'verify' })])
    expect(totals).toMatchObject({ sourceReads: 10, destinationReads: 11 })
  })

  test('counts takes one call', () => {
    expect(callTotals([workOf(aShape('brands', { items: 900 }), { mode: 'counts' })])).toEqual({
      sourceReads: 1,
      destinationReads: 0,
      writes: 0,
      heavyWrites: 0,
    })
  })

  test('a phase out of scope is looked up and not written', () => {
    expect(callsOf(aShape('brands', { items: 900, adoptOnly: true }), 'replace')).toEqual({
      sourceReads: 4,
      destinationReads: 1,
      writes: 0,
      heavyWrites: 0,
    })
  })
})

test.each([
  ['for each item, where its list can be filtered by keys', 2, 20],
  ['once for all, where its list is read in full', null, 4],
])('before deletions, the source is asked for items with the same keys: %s', (_, sourceLooks, reads) => {
  const of = (looks: number | null | undefined) =>
    callsOf(
      aShape('brands', {
        ...{ items: 900, standing: 910, mapped: 900, listPage: 250, removable: true },
        ...(looks !== undefined && { sourceLooks: looks }),
      }),
      'replace',
    ).sourceReads
  expect(of(sourceLooks) - of(undefined)).toBe(reads)
})

test('no run takes a negative number of calls, and update takes no fewer than skip', () => {
  fc.assert(
    fc.property(anyShapes, (shapes) => {
      const of = (strategy: 'skip' | 'update') =>
        callTotals(shapes.map((shape) => workOf(shape, { mode: 'full', strategy })))
      for (const calls of Object.values(of('skip'))) expect(calls).toBeGreaterThanOrEqual(0)
      expect(of('update').destinationReads).toBeGreaterThanOrEqual(of('skip').destinationReads)
    }),
  )
})
