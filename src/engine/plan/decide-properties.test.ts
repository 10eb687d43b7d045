import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { draft } from '../../entities/core/draft.ts'
import { adoptedId, type Candidate, type Decision, decide, type Found, type Listed, TakenOnPage } from './decide.ts'

const anyStrategy = fc.constantFrom('skip' as const, 'update' as const, 'replace' as const)
const anyChecksum = fc.constantFrom('1:same', '1:other')
const anyListed: fc.Arbitrary<Listed | null> = fc.option(
  fc.record({ checksum: anyChecksum, equal: fc.constantFrom(true, false, null) }),
)
const anyKeys: fc.Arbitrary<string[]> = fc.uniqueArray(fc.constantFrom('sku:a', 'sku:b', 'name:x', 'name:y'), {
  maxLength: 2,
})
const anyPending = fc.uniqueArray(fc.constantFrom('children', 'reference:brands:1', 'reference:products:7'), {
  maxLength: 2,
})
const anyCandidate: fc.Arbitrary<Candidate> = fc.record({
  destinationId: fc.constantFrom('90', '91', '92'),
  keys: anyKeys,
  claimedBy: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  listed: anyListed,
})
const anyMapping: fc.Arbitrary<Mapping> = fc.record({
  scope: fc.constant('store'),
  component: fc.constant('products'),
  sourceId: fc.constant('5'),
  destinationId: fc.constant('95'),
  origin: fc.constantFrom('created' as const, 'adopted' as const),
  owed: anyPending,
  draftChecksum: fc.option(anyChecksum),
  destinationChecksum: fc.option(anyChecksum),
  runId: fc.constant('a run before'),
})
const anyFound: fc.Arbitrary<Found> = fc
  .record({
    strategy: anyStrategy,
    draft: fc.constant(draft('products', 5, {}, { name: 'Lamp' })),
    called: fc.constant('"Lamp" (source 5)'),
    sku: fc.constant(null),
    keys: anyKeys,
    checksum: anyChecksum,
    mapping: fc.option(anyMapping, { nil: undefined }),
    exists: fc.boolean(),
    listed: anyListed,
    candidates: fc.uniqueArray(anyCandidate, { selector: ({ destinationId }) => destinationId, maxLength: 3 }),
    missing: fc.uniqueArray(fc.constantFrom('reference:brands:1', 'reference:products:7'), { maxLength: 2 }),
    parentAdopted: fc.boolean(),
    overwritesDestinationOwned: fc.boolean(),
    unlisted: fc.boolean(),
    mayHaveExtra: fc.boolean(),
    createOnly: fc.constant(false),
    staysErased: fc.constant(false),
  })
  // Candidates are found by one of the keys, and without a mapping there is no copy to exist.
  .map((found) => ({
    ...found,
    exists: found.exists && found.mapping !== undefined,
    candidates: found.candidates.filter((candidate) => candidate.keys.some((key) => found.keys.includes(key))),
  }))

const writesOver = ({ kind }: Decision) => kind === 'examine'

describe('whatever was found', () => {
  test('C1: skip never overwrites an existing item', () => {
    fc.assert(
      fc.property(anyFound, (found) => {
        // The first property of the file also warms up everything, so it does without a matcher for each case.
        return !writesOver(decide({ ...found, strategy: 'skip' }))
      }),
    )
  })

  test('B7: an item that is written once and was copied is neither created again nor overwritten, under any strategy', () => {
    fc.assert(
      fc.property(anyFound, anyMapping, (found, mapping) => {
        // Such a pass plans as under `skip`, whatever strategy the run has.
        const { kind } = decide({ ...found, mapping, createOnly: true, strategy: 'skip' })
        return found.exists || kind === 'archived' ? kind !== 'create' && kind !== 'examine' : false
      }),
    )
  })

  test('G13: nothing is matched that was not compared', () => {
    fc.assert(
      fc.property(anyFound, (found) => {
        const { kind } = decide({ ...found, listed: null })
        return kind !== 'matched'
      }),
    )
  })

  test('C1: an unchanged and complete copy is not written under any strategy', () => {
    fc.assert(
      fc.property(anyFound, anyMapping, (found, mapping) => {
        const decision = decide({
          ...found,
          exists: true,
          overwritesDestinationOwned: false,
          unlisted: false,
          mayHaveExtra: false,
          createOnly: false,
          staysErased: false,
          checksum: '1:same',
          mapping: { ...mapping, owed: [], draftChecksum: '1:same', destinationChecksum: '1:same' },
          missing: [],
          listed: { checksum: '1:same', equal: null },
        })
        expect(decision.kind).toBe('matched')
      }),
    )
  })

  test('C2: an item that no list shows in full is examined whatever its checksums, where strategies compare', () => {
    fc.assert(
      fc.property(anyFound, anyMapping, (found, mapping) => {
        const decision = decide({
          ...found,
          exists: true,
          strategy: 'update',
          unlisted: true,
          mapping: { ...mapping, owed: [] },
          listed: { checksum: '1:same', equal: null },
        })
        expect(decision.kind).toBe('examine')
      }),
    )
  })

  test('C1: an item with something pending that can be completed is continued or examined, never left', () => {
    fc.assert(
      fc.property(anyFound, anyMapping, (found, mapping) => {
        const decision = decide({ ...found, exists: true, mapping: { ...mapping, owed: ['children'] } })
        expect(['continue', 'examine']).toContain(decision.kind)
      }),
    )
  })

  test('B6: a claimed item is never adopted, and what is adopted was found by a key', () => {
    fc.assert(
      fc.property(anyFound, (found) => {
        const adopted = found.mapping ? undefined : adoptedId(decide(found))
        if (adopted === undefined) return
        const candidate = found.candidates.find(({ destinationId }) => destinationId === adopted)
        expect(candidate).toBeDefined()
        expect(candidate?.claimedBy).toBeUndefined()
      }),
    )
  })

  test('C2: an existing copy is never created again, and a deleted one is, with a warning', () => {
    fc.assert(
      fc.property(anyFound, anyMapping, (found, mapping) => {
        expect(decide({ ...found, mapping, exists: true }).kind).not.toBe('create')
        expect(decide({ ...found, mapping, exists: false })).toEqual({ kind: 'create', destinationDeleted: true })
      }),
    )
  })

  test('D2: update and replace decide alike about every item, so that neither deletes one here', () => {
    fc.assert(
      fc.property(anyFound, (found) => {
        expect(decide({ ...found, strategy: 'update' })).toEqual(decide({ ...found, strategy: 'replace' }))
      }),
    )
  })

  test('D1: destination-owned values that are requested are compared even if both checksums are unchanged', () => {
    fc.assert(
      fc.property(
        anyMapping,
        fc.constantFrom('update' as const, 'replace' as const),
        anyFound,
        (mapping, strategy, found) => {
          const recorded = { ...mapping, owed: [], draftChecksum: '1:same', destinationChecksum: '1:same' }
          const listed = { checksum: '1:same', equal: null }
          const decision = decide({
            ...found,
            strategy,
            mapping: recorded,
            exists: true,
            checksum: '1:same',
            listed,
            overwritesDestinationOwned: true,
          })
          expect(decision.kind).toBe('examine')
        },
      ),
    )
  })
})

/** Decides a page of items without copies, each with the destination item that has its key. */
function decidePage(
  items: readonly { id: string; key: string }[],
  there: ReadonlyMap<string, string>,
): Map<string, Decision> {
  const taken = new TakenOnPage()
  return new Map(
    items.map(({ id, key }) => {
      const destinationId = there.get(key)
      const found: Found = {
        strategy: 'skip',
        draft: draft('brands', id, {}, { name: key }),
        called: `"${key}" (source ${id})`,
        sku: null,
        keys: [key],
        checksum: '1:same',
        mapping: undefined,
        exists: false,
        listed: null,
        candidates:
          destinationId === undefined
            ? []
            : [
                {
                  destinationId,
                  keys: [key],
                  claimedBy: taken.claimedBy({ destinationId, claimedBy: undefined }),
                  listed: null,
                },
              ],
        missing: [],
        parentAdopted: false,
        overwritesDestinationOwned: false,
        unlisted: false,
        mayHaveExtra: false,
        createOnly: false,
        staysErased: false,
      }
      const decision = decide(found)
      taken.note(found, decision)
      return [id, decision] as const
    }),
  )
}

describe('a page of items', () => {
  const anyKey = fc.nat({ max: 6 }).map((n) => `name:${n}`)
  const anyPage = fc.uniqueArray(fc.record({ id: fc.nat({ max: 40 }).map(String), key: anyKey }), {
    selector: ({ id }) => id,
    maxLength: 15,
  })
  const anyThere = fc
    .uniqueArray(anyKey, { maxLength: 7 })
    .map((keys) => new Map(keys.map((key, at) => [key, `9${at}`])))
  const adoptions = (decisions: Map<string, Decision>) => [...decisions.values()].flatMap((one) => adoptedId(one) ?? [])

  test('B6: adopts one to one, and in any order the same destination items', () => {
    fc.assert(
      fc.property(anyPage, anyThere, fc.nat(), (page, there, seed) => {
        const shuffled = page.toSorted((a, b) => ((Number(a.id) * 31 + seed) % 17) - ((Number(b.id) * 31 + seed) % 17))
        const [one, other] = [adoptions(decidePage(page, there)), adoptions(decidePage(shuffled, there))]
        expect(new Set(one).size).toBe(one.length)
        expect(other.toSorted()).toEqual(one.toSorted())
      }),
    )
  })

  test('B6: without doubles among their keys any order gives every item the same decision', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyKey), anyThere, (keys, there) => {
        const page = keys.map((key, at) => ({ id: String(at), key }))
        const backwards = decidePage(page.toReversed(), there)
        for (const [id, decision] of decidePage(page, there)) expect(backwards.get(id)).toEqual(decision)
      }),
    )
  })

  test('B6: of several with one key one is the copy and each of the others a failure that names it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (count) => {
        const page = Array.from({ length: count }, (_, at) => ({ id: String(at), key: 'name:1' }))
        const decisions = [...decidePage(page, new Map([['name:1', '90']])).values()]
        expect(decisions.filter(({ kind }) => kind === 'adopt')).toHaveLength(1)
        expect(decisions.filter((one) => one.kind === 'fail' && one.code === 'natural_key_collision')).toHaveLength(
          count - 1,
        )
      }),
    )
  })
})
