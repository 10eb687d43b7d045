import { describe, expect, test } from 'vitest'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { draft } from '../../entities/core/draft.ts'
import { type Candidate, decide, disagrees, type Found } from './decide.ts'

const found = (more: Partial<Found> = {}): Found => ({
  draft: draft('products', 1, {}, { name: 'Lamp', sku: 'L-1' }),
  called: '"Lamp" (source 1)',
  sku: 'L-1',
  keys: ['sku:l-1', 'name:lamp'],
  checksum: '1:same',
  mapping: undefined,
  exists: false,
  candidates: [],
  missing: [],
  parentAdopted: false,
  strategy: 'skip',
  listed: null,
  overwritesDestinationOwned: false,
  unlisted: false,
  mayHaveExtra: false,
  createOnly: false,
  staysErased: false,
  ...more,
})

const mapping = (more: Partial<Mapping> = {}): Mapping => ({
  scope: 'store',
  component: 'products',
  sourceId: '1',
  destinationId: '9',
  origin: 'created',
  owed: [],
  draftChecksum: '1:same',
  destinationChecksum: null,
  runId: 'a run before',
  ...more,
})

const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  destinationId: '9',
  keys: ['sku:l-1', 'name:lamp'],
  claimedBy: undefined,
  listed: null,
  ...more,
})

const [differs, asIs] = [
  { checksum: '1:there', equal: false },
  { checksum: '1:there', equal: true },
]
const unedited = { kind: 'examine', adopts: false, changed: false }
const edited = { ...unedited, changed: true }

describe('an item that was copied before', () => {
  test('G17: is looked at under `replace` despite equal checksums when it may have extra children', () => {
    const known = mapping({ destinationChecksum: '1:same' })
    const listed = { checksum: '1:same', equal: null }
    const same = found({ mapping: known, exists: true, strategy: 'replace', listed })
    expect(decide(same)).toEqual({ kind: 'matched' })
    expect(decide({ ...same, mayHaveExtra: true })).toEqual({
      kind: 'examine',
      destinationId: '9',
      adopts: false,
      changed: false,
    })
  })

  test('G13: is skipped when nothing shows how it is at the destination now', () => {
    for (const strategy of ['skip', 'update', 'replace'] as const)
      expect(decide(found({ mapping: mapping(), exists: true, strategy }))).toEqual({ kind: 'skipped' })
  })

  test('G13: is matched under `skip` when the list shows it as it was copied, or as it is in the source', () => {
    const known = mapping({ destinationChecksum: '1:as listed' })
    const asListed = (checksum: string) => ({ checksum, equal: null })
    expect(decide(found({ mapping: known, exists: true, listed: asListed('1:as listed') }))).toEqual({
      kind: 'matched',
    })
    expect(decide(found({ mapping: known, exists: true, listed: asListed('1:same') }))).toEqual({ kind: 'matched' })
    expect(decide(found({ mapping: known, exists: true, listed: asListed('1:edited') }))).toEqual({ kind: 'skipped' })
    const likeSource = { checksum: '1:edited', equal: true }
    expect(decide(found({ mapping: known, exists: true, listed: likeSource }))).toEqual({ kind: 'matched' })
  })

  test('C1: is skipped under `skip` when it is incomplete, or changed at the source since', () => {
    const listed = { checksum: '1:as listed', equal: null }
    const since = mapping({ draftChecksum: '1:before', destinationChecksum: listed.checksum })
    expect(decide(found({ mapping: since, exists: true, listed }))).toEqual({ kind: 'skipped' })
    const missing = ['reference:brands:7']
    const incomplete = found({ mapping: mapping({ owed: missing }), missing, exists: true })
    expect(decide({ ...incomplete, listed: { checksum: '1:same', equal: null } })).toEqual({ kind: 'skipped' })
    const complete = { ...incomplete, mapping: mapping(), missing: [] }
    expect(decide({ ...complete, listed: { checksum: '1:same', equal: null } })).toEqual({ kind: 'matched' })
    // The source has given it a brand since that has no copy.
    expect(decide({ ...complete, missing, listed: { checksum: '1:same', equal: null } })).toEqual({ kind: 'skipped' })
  })

  test.each<[string, Partial<Mapping>, Partial<Found>, object]>([
    ['is taken as it is if its list shows all of it as in the source', {}, { listed: asIs }, { kind: 'equal' }],
    [
      'was not edited there if it is as it was copied',
      { draftChecksum: '1:before', destinationChecksum: '1:there' },
      {},
      unedited,
    ],
    ['was edited there if it is not as it was copied', { destinationChecksum: '1:before' }, {}, edited],
    ['was edited there if only the source is as it was, and the copy was never recorded', {}, {}, edited],
    [
      'was not edited there if the source has changed, and the copy was never recorded',
      { draftChecksum: '1:before' },
      {},
      unedited,
    ],
    [
      'was edited there if what its list does not show is all that can differ',
      { destinationChecksum: '1:there' },
      { unlisted: true },
      edited,
    ],
  ])('C2: under `update` it %s', (_, known, more, decision) => {
    const item = found({ strategy: 'update', exists: true, mapping: mapping(known), listed: differs, ...more })
    expect(decide(item)).toEqual({ destinationId: '9', ...decision })
  })

  test('C1: is continued while something is pending that can be completed now', () => {
    expect(decide(found({ mapping: mapping({ owed: ['children'], draftChecksum: null }), exists: true }))).toEqual({
      kind: 'continue',
    })
    const pending = ['reference:brands:7']
    expect(decide(found({ mapping: mapping({ owed: pending, draftChecksum: null }), exists: true }))).toEqual({
      kind: 'continue',
    })
    expect(
      decide(found({ mapping: mapping({ owed: pending, draftChecksum: null }), exists: true, missing: pending })),
    ).toEqual({
      kind: 'skipped',
    })
  })

  test('C2: is created again when the destination no longer has it', () => {
    expect(decide(found({ mapping: mapping() }))).toEqual({ kind: 'create', destinationDeleted: true })
  })

  test('B7: an item that is written once and whose copy is gone was archived, and no strategy creates it again', () => {
    const archived = { kind: 'archived', destinationId: mapping().destinationId }
    for (const strategy of ['skip', 'update', 'replace'] as const)
      expect(decide(found({ mapping: mapping(), createOnly: true, strategy }))).toEqual(archived)
  })

  test('G12: a person whose copy is gone may have been erased, and no strategy creates them again', () => {
    const erased = { kind: 'erased', destinationId: mapping().destinationId }
    for (const strategy of ['skip', 'update', 'replace'] as const)
      expect(decide(found({ mapping: mapping(), staysErased: true, strategy }))).toEqual(erased)
  })
})

describe('an item that was never copied', () => {
  test('B6: is created when nothing carries one of its keys', () => {
    expect(decide(found())).toEqual({ kind: 'create', destinationDeleted: false })
  })

  test('B6: is adopted by its strongest key, or by a weaker one that nothing contradicts', () => {
    expect(decide(found({ candidates: [candidate()] }))).toEqual({ kind: 'adopt', destinationId: '9' })
    expect(decide(found({ candidates: [candidate({ keys: ['name:lamp'] })] }))).toEqual({
      kind: 'adopt',
      destinationId: '9',
    })
    expect(decide(found({ keys: ['name:lamp'], candidates: [candidate()] }))).toEqual({
      kind: 'adopt',
      destinationId: '9',
    })
  })

  test('C2: is compared under `update` when it is adopted, unless its list shows that it is as in the source', () => {
    const adopted = (listed: Candidate['listed']) =>
      decide(found({ strategy: 'update', candidates: [candidate({ listed })] }))
    expect(adopted(asIs)).toEqual({ kind: 'equal', destinationId: '9' })
    expect(adopted(differs)).toEqual({ ...unedited, destinationId: '9', adopts: true })
  })

  test('B6: the same name with another SKU is natural_key_conflict and names the destination item', () => {
    const decision = decide(found({ candidates: [candidate({ keys: ['sku:l-2', 'name:lamp'] })] }))
    expect(decision).toMatchObject({ kind: 'fail', code: 'natural_key_conflict', destinationId: '9' })
  })

  test('B6: a destination item that is already the copy of another one is natural_key_collision, and both are named', () => {
    const decision = decide(found({ candidates: [candidate({ claimedBy: '4' })] }))
    expect(decision).toMatchObject({ kind: 'fail', code: 'natural_key_collision', destinationId: '9' })
    expect(decision).toHaveProperty('message', expect.stringMatching(/source 1\b.*source item 4\b/))
  })

  test('S9: a collision names a customer as issues may, and not by the name or the address that its draft has', () => {
    const customer = draft('customers', 1, {}, { name: 'ann@example.com' })
    const more = { draft: customer, called: '"Customer 1" (source 1)', sku: null, keys: ['email:hash'] }
    const decision = decide(found({ ...more, candidates: [candidate({ keys: ['email:hash'], claimedBy: '4' })] }))
    expect(decision).toHaveProperty('message', expect.stringMatching(/^"Customer 1" \(source 1\) has the same key/))
  })

  test('B6: a conflict does not hide the item that does match', () => {
    const other = candidate({ destinationId: '8', keys: ['sku:l-2', 'name:lamp'] })
    expect(decide(found({ candidates: [other, candidate()] }))).toEqual({ kind: 'adopt', destinationId: '9' })
  })

  test('D2: is skipped below an item that was adopted, and adopted there all the same', () => {
    expect(decide(found({ parentAdopted: true }))).toEqual({ kind: 'skipped' })
    expect(decide(found({ parentAdopted: true, candidates: [candidate()] }))).toEqual({
      kind: 'adopt',
      destinationId: '9',
    })
  })
})

test.each([
  [['sku:a', 'name:n'], ['sku:a', 'name:m'], false],
  [['sku:a', 'name:n'], ['sku:b', 'name:n'], true],
  [['sku:a', 'name:n'], ['name:n'], false],
  [['name:n'], ['sku:b', 'name:n'], false],
  [['one', 'other'], ['other'], false],
])('B6: %j and %j disagree: %s', (ours, theirs, expected) => {
  expect(disagrees(ours, theirs)).toBe(expected)
})

describe('G13: an item whose store did not show its content', () => {
  const unread = draft('products', 1, {}, { uncreatable: 'left out.', unread: 'GET /v3/things with HTTP 404' })
  test.each([
    ['is left as it is where it was copied before', { mapping: mapping(), exists: true }, 'unread'],
    ['is left as it is where only its key is there', { candidates: [candidate()] }, 'unread'],
    ['is left out where nothing is there', {}, 'left-out'],
  ] satisfies [string, Partial<Found>, string][])('%s', (_what, more, kind) => {
    for (const strategy of ['skip', 'update', 'replace'] as const)
      expect(decide(found({ draft: unread, strategy, ...more })).kind).toBe(kind)
  })

  test('is left as it is if that store is the destination, and the message has the answer', () => {
    const listed = { checksum: '1:empty', equal: null, unread: 'GET /v3/things with HTTP 404' }
    for (const strategy of ['skip', 'update', 'replace'] as const)
      for (const more of [{ mapping: mapping(), exists: true, listed }, { candidates: [candidate({ listed })] }])
        expect(decide(found({ strategy, ...more }))).toEqual({
          kind: 'unread',
          message: expect.stringContaining('the destination answered GET /v3/things with HTTP 404'),
        })
  })
})
