import { expect, test } from 'vitest'
import type { IssueDocument, IssueQuery, RunDocument, SearchStore } from '../../src/search/search-store.ts'

export const anIssue = (id: string, more: Partial<IssueDocument> = {}): IssueDocument => ({
  id,
  firstMicros: '1000',
  lastMicros: '2000',
  code: 'refused',
  severity: 'failure',
  phase: 'brands',
  state: 'open',
  sourceId: '7',
  destinationId: null,
  texts: ['the store refused the lamp', '7', 'brass lamp', 'lamp-1', 'refused'],
  body: JSON.stringify({ id }),
  ...more,
})

async function* inBatches(...batches: IssueDocument[][]) {
  yield* batches
}

const aRun = (organisationId: string, runId: string, revision = 1): RunDocument => ({
  organisationId,
  runId,
  revision,
  document: `{"b": ${revision},  "a": "${organisationId}"}`,
})

const page = { withoutRuns: [], after: null, limit: 10 }

/** What every search store does. @param anEmptyStore opens one that is empty, and closes it when the test ends */
export function holdToContract(anEmptyStore: () => Promise<SearchStore>): void {
  const idsOf = async (store: SearchStore, organisationId: string, query: Partial<IssueQuery> = {}) =>
    (await store.searchIssues(organisationId, { ...page, ...query }))?.map(({ body }) => JSON.parse(body).id)

  test('a run is found as it was written, byte for byte, and by its own organisation only', async () => {
    const store = await anEmptyStore()
    await store.replaceRun(aRun('one', 'run'), inBatches())
    expect(await store.findRun({ organisationId: 'one', runId: 'run' })).toEqual(aRun('one', 'run'))
    expect(await store.findRun({ organisationId: 'two', runId: 'run' })).toBeUndefined()
  })

  test('writing a run again replaces it and its issues', async () => {
    const store = await anEmptyStore()
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('a')], [anIssue('b')]))
    await store.replaceRun(aRun('one', 'run', 2), inBatches([anIssue('b', { texts: ['a chair'] })]))
    expect((await store.findRun({ organisationId: 'one', runId: 'run' }))?.revision).toBe(2)
    expect(await idsOf(store, 'one')).toEqual(['b'])
    expect(await idsOf(store, 'one', { text: 'lamp' })).toEqual([])
    expect(await store.findIssue('one', 'a')).toBeUndefined()
    expect(await store.findIssue('one', 'b')).toMatchObject({ organisationId: 'one', runId: 'run', revision: 2 })
  })

  test('a run whose issues could not be read to the end stays as it was', async () => {
    const store = await anEmptyStore()
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('a')]))
    async function* breaking() {
      yield [anIssue('b')]
      throw new Error('away')
    }
    await expect(store.replaceRun(aRun('one', 'run', 2), breaking())).rejects.toThrow('away')
    expect((await store.findRun({ organisationId: 'one', runId: 'run' }))?.revision).toBe(1)
    expect(await idsOf(store, 'one')).toEqual(['a'])
  })

  test('a run that is written again is read as it was, until all of it is written', async () => {
    const store = await anEmptyStore()
    const seen = async () => [
      (await store.findRun({ organisationId: 'one', runId: 'run' }))?.revision,
      await idsOf(store, 'one'),
      await idsOf(store, 'one', { text: 'lamp' }),
      (await store.findIssue('one', 'a'))?.revision,
      (await store.findIssue('one', 'new'))?.revision,
    ]
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('a')]))
    const before = await seen()
    const meanwhile: unknown[] = []
    async function* watched() {
      yield [anIssue('a'), anIssue('new')]
      meanwhile.push(await seen())
      yield [anIssue('last')]
      meanwhile.push(await seen())
    }
    await store.replaceRun(aRun('one', 'run', 2), watched())
    expect(meanwhile).toEqual([before, before])
    expect(await seen()).toEqual([2, ['new', 'last', 'a'], ['new', 'last', 'a'], 2, 2])
  })

  test('of two that write the same run, one is refused, and the run is whole', async () => {
    const store = await anEmptyStore()
    async function* overtaken() {
      yield [anIssue('a'), anIssue('b')]
      await store.replaceRun(aRun('one', 'run', 2), inBatches([anIssue('a')], [anIssue('c')]))
      yield [anIssue('d')]
    }
    await expect(store.replaceRun(aRun('one', 'run'), overtaken())).rejects.toThrow('by another process')
    expect((await store.findRun({ organisationId: 'one', runId: 'run' }))?.revision).toBe(2)
    expect(await idsOf(store, 'one')).toEqual(['c', 'a'])
  })

  test('a removed run is gone with its issues, and no other run', async () => {
    const store = await anEmptyStore()
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('a')]))
    await store.replaceRun(aRun('one', 'other'), inBatches([anIssue('b')]))
    await store.removeRun({ organisationId: 'one', runId: 'run' })
    expect(await store.findRun({ organisationId: 'one', runId: 'run' })).toBeUndefined()
    expect(await idsOf(store, 'one', { text: 'lamp' })).toEqual(['b'])
  })

  test('issues come latest first, and pages neither repeat nor leave out one that began in the same moment', async () => {
    const store = await anEmptyStore()
    const issues = ['a', 'c', 'b'].map((id) => anIssue(id))
    await store.replaceRun(aRun('one', 'run'), inBatches([...issues, anIssue('late', { firstMicros: '1001' })]))
    expect(await idsOf(store, 'one')).toEqual(['late', 'c', 'b', 'a'])
    expect(await idsOf(store, 'one', { limit: 2 })).toEqual(['late', 'c'])
    expect(await idsOf(store, 'one', { after: { firstMicros: '1000', id: 'c' } })).toEqual(['b', 'a'])
  })

  test('what a text finds comes latest first, page by page, also when other issues are later', async () => {
    const store = await anEmptyStore()
    const lamps = ['a', 'b', 'c', 'd'].map((id) => anIssue(id))
    const chair = anIssue('later', { firstMicros: '1001', texts: ['a chair'] })
    await store.replaceRun(aRun('one', 'run'), inBatches([...lamps, chair]))
    expect(await idsOf(store, 'one', { text: 'lamp', limit: 2 })).toEqual(['d', 'c'])
    const after = { firstMicros: '1000', id: 'c' }
    expect(await idsOf(store, 'one', { text: 'lamp', limit: 2, after })).toEqual(['b', 'a'])
    expect(await idsOf(store, 'one', { text: 'lamp', limit: 2, code: 'missing' })).toEqual([])
  })

  test('issues are found by any part of one text, by code, item and last time, and without some runs', async () => {
    const store = await anEmptyStore()
    const chair = { texts: ['no such "chair"', '9', 'oak stuhl für 2', '', ''], code: 'missing', sourceId: '9' }
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('lamp', { destinationId: '8' })]))
    await store.replaceRun(aRun('one', 'other'), inBatches([anIssue('chair', { ...chair, lastMicros: '3000' })]))
    for (const text of ['refused the', 'amp-1', 'ss la']) expect(await idsOf(store, 'one', { text })).toEqual(['lamp'])
    for (const text of ['"chair"', 'für', 'uhl f']) expect(await idsOf(store, 'one', { text })).toEqual(['chair'])
    // Of two texts, of no text, and words of the query language.
    for (const text of ['lamp7', 'lamp brass', 'lamp or chair', 'lamp*', 'name:lamp'])
      expect(await idsOf(store, 'one', { text })).toEqual([])
    expect(await idsOf(store, 'one', { code: 'missing' })).toEqual(['chair'])
    expect(await idsOf(store, 'one', { itemId: '8' })).toEqual(['lamp'])
    expect(await idsOf(store, 'one', { itemId: '9' })).toEqual(['chair'])
    expect(await idsOf(store, 'one', { lastFromMicros: '2001' })).toEqual(['chair'])
    expect(await idsOf(store, 'one', { withoutRuns: ['other'] })).toEqual(['lamp'])
  })

  test('issues are found and counted by severity, phase and state, and counted by text, item and last time', async () => {
    const store = await anEmptyStore()
    const count = (filter: Partial<IssueQuery> = {}) => store.countIssues('one', { withoutRuns: [], ...filter })
    const warning = { severity: 'warning', phase: 'products', code: 'odd' }
    const first = [anIssue('a'), anIssue('b', warning)]
    await store.replaceRun(aRun('one', 'run'), inBatches(first))
    await store.replaceRun(
      aRun('one', 'other'),
      inBatches([anIssue('c', { ...warning, state: 'healed', texts: ['chair'], sourceId: '9', lastMicros: '3000' })]),
    )
    await store.replaceRun(aRun('two', 'its'), inBatches([anIssue('d'), anIssue('e')]))
    for (const [filter, found] of [
      [{ severity: 'warning' }, ['c', 'b']],
      [{ phase: 'products', state: 'open' }, ['b']],
      [{ state: 'healed' }, ['c']],
    ] as const)
      expect(await idsOf(store, 'one', filter)).toEqual(found)
    const all = {
      total: 3,
      code: { refused: 1, odd: 2 },
      severity: { failure: 1, warning: 2 },
      phase: { brands: 1, products: 2 },
      state: { open: 2, healed: 1 },
    }
    expect(await count()).toEqual(all)
    expect(await count({ severity: 'warning', state: 'open' })).toMatchObject({ total: 1, code: { odd: 1 } })
    expect(await count({ withoutRuns: ['other'] })).toMatchObject({ total: 2, state: { open: 2 } })
    expect(await count({ text: 'chair' })).toMatchObject({ total: 1, phase: { products: 1 } })
    expect(await count({ itemId: '9' })).toMatchObject({ total: 1, code: { odd: 1 } })
    expect(await count({ lastFromMicros: '2001' })).toMatchObject({ total: 1 })
    const none = { total: 0, code: {}, severity: {}, phase: {}, state: {} }
    for (const filter of [{ text: 'nothing' }, { code: 'nothing' }]) expect(await count(filter)).toEqual(none)
    // While a run is written again, it is counted as it was.
    async function* again() {
      yield [...first, anIssue('new')]
      expect(await count()).toEqual(all)
    }
    await store.replaceRun(aRun('one', 'run', 2), again())
    expect((await count())?.total).toBe(4)
    await store.removeRun({ organisationId: 'one', runId: 'run' })
    expect(await count()).toMatchObject({ total: 1, severity: { warning: 1 } })
  })

  test('S12: no text, filter or id finds an issue of another organisation', async () => {
    const store = await anEmptyStore()
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('a')]))
    await store.replaceRun(aRun('two', 'its'), inBatches([anIssue('b')]))
    const texts = ['lamp', 'lamp" OR organisation_id:"two', '" OR "lamp', 'two', '* NOT one']
    for (const text of texts) expect(await idsOf(store, 'one', { text })).toEqual(text === 'lamp' ? ['a'] : [])
    for (const query of [{}, { code: 'refused' }, { itemId: '7' }, { lastFromMicros: '0' }])
      expect(await idsOf(store, 'one', query)).toEqual(['a'])
    expect(await store.findIssue('one', 'b')).toBeUndefined()
    for (const query of [{}, { text: 'lamp' }, { code: 'refused' }])
      expect((await store.countIssues('one', { withoutRuns: [], ...query }))?.total).toBe(1)
    await store.removeRun({ organisationId: 'one', runId: 'its' })
    expect(await idsOf(store, 'two')).toEqual(['b'])
  })

  test('a new or cleared store is not complete', async () => {
    const store = await anEmptyStore()
    expect(await store.isComplete()).toBe(false)
    await store.replaceRun(aRun('one', 'run'), inBatches([anIssue('a')]))
    await store.markComplete()
    expect(await store.isComplete()).toBe(true)
    await store.clear()
    expect(await store.isComplete()).toBe(false)
    expect(await idsOf(store, 'one')).toEqual([])
    expect(await store.findRun({ organisationId: 'one', runId: 'run' })).toBeUndefined()
  })
}
