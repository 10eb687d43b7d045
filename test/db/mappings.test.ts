import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import {
  claimsOf,
  createdAll,
  forgetMappings,
  mappingsOf,
  pendingOnOwnKind,
  releaseClaims,
  saveMappings,
} from '../../src/db/ledger/mappings.ts'
import type { NewMapping } from '../../src/db/ledger/store-pair.ts'
import { destinationId } from '../../src/model/destination-id.ts'
import { aRun, aRunInDatabase } from './a-run.ts'

const brands = { scope: 'store', component: 'brands' }
let database: Database
let end: () => Promise<void>
beforeAll(async () => {
  ;({ database, end } = await aRunInDatabase())
})
afterAll(() => end?.())

type Run = Awaited<ReturnType<typeof aRun>>

async function save({ pair, runId }: Run, mapping: Partial<NewMapping> & { sourceId: string }, manyToOne = false) {
  const others = { owed: [], draftChecksum: null, destinationChecksum: null, extraChildren: null }
  const whole = { ...brands, destinationId: destinationId(`9${mapping.sourceId}`), origin: 'created' as const, runId }
  await database
    .transaction()
    .execute((tx) => saveMappings(tx, pair, [{ ...whole, ...others, ...mapping }], { manyToOne }))
}

test('C1, B6: a copy that is written again keeps how it came to be and by which run, and everything else is of its last write', async () => {
  const run = await aRun(database)
  await save(run, { sourceId: '1', origin: 'adopted', owed: ['children'] })
  const checksums = { draftChecksum: 'draft', destinationChecksum: 'there', extraChildren: true }
  const { runId } = await aRun(database)
  await save(run, { sourceId: '1', destinationId: destinationId('92'), runId, ...checksums })
  const [mapping] = await mappingsOf(database, run.pair, [{ ...brands, sourceId: '1' }])
  expect(mapping).toEqual({
    ...{ ...brands, sourceId: '1', destinationId: '92', owed: [], ...checksums },
    ...{ origin: 'adopted', runId: run.runId },
  })
})

test('D1: only what a run has created itself counts as new, and its lists as empty for some minutes only', async () => {
  const run = await aRun(database)
  const isNew = (withinMs: number | null = null) => createdAll(database, run.pair, run.runId, [brands], { withinMs })
  await save(run, { sourceId: '1' })
  expect([await isNew(), await isNew(600_000)]).toEqual([true, true])
  const ofPair = sql`set_id in (select id from mapping_sets where source_store_id = ${run.pair.sourceStoreId})`
  await sql`update mappings set created_at = now() - interval '11 minutes' where ${ofPair}`.execute(database)
  expect([await isNew(), await isNew(600_000)]).toEqual([true, false])
  await save(run, { sourceId: '2', origin: 'adopted' })
  expect(await isNew()).toBe(false)
  await sql`delete from mappings where ${ofPair} and source_id = '2'`.execute(database)
  await save(run, { sourceId: '2', runId: (await aRun(database)).runId })
  expect(await isNew()).toBe(false)
})

test('B6: a copy that becomes that of another item is no longer that of the first one, unless several may share it', async () => {
  const run = await aRun(database)
  const there = destinationId('90')
  const owners = async () => {
    const found = await mappingsOf(
      database,
      run.pair,
      ['1', '2', '3'].map((sourceId) => ({ ...brands, sourceId })),
    )
    return found.map(({ sourceId }) => sourceId).sort()
  }
  await save(run, { sourceId: '1', destinationId: there })
  await save(run, { sourceId: '2' })
  const [first] = await mappingsOf(database, run.pair, [{ ...brands, sourceId: '1' }])
  const claim = { ...first, sourceId: '3' } as NewMapping
  await database.transaction().execute(async (tx) => {
    await releaseClaims(tx, run.pair, [claim])
    await saveMappings(tx, run.pair, [claim])
    // Its own one stays.
    await releaseClaims(tx, run.pair, [claim])
  })
  expect(await owners()).toEqual(['2', '3'])
  const shared = { ...run, pair: (await aRun(database)).pair }
  await save(shared, { sourceId: '1', destinationId: there }, true)
  await database.transaction().execute((tx) => releaseClaims(tx, shared.pair, [claim]))
  expect(await mappingsOf(database, shared.pair, [{ ...brands, sourceId: '1' }])).toHaveLength(1)
})

test('C5: what a copy lacks of other kinds is not what it waits for at the end of its own', async () => {
  const run = await aRun(database)
  await save(run, { sourceId: '1', owed: ['reference:products:7', 'link:brands:2', 'children'] })
  await save(run, { sourceId: '2', owed: ['reference:products:7', 'reference:brands:1'] })
  const found = await pendingOnOwnKind(database, run.pair, { ...brands, after: '', limit: 10 })
  expect(found.map(({ sourceId }) => sourceId)).toEqual(['2'])
})

test('F2: what a dry run simulates is its own: a copy keeps how it came to be and by which run unless it is gone, and the real ones stay', async () => {
  const run = await aRun(database)
  await save(run, { sourceId: '1', origin: 'adopted' })
  await save(run, { sourceId: '2' })
  const { runId } = await aRun(database)
  const pair = { ...run.pair, simulatedBy: runId }
  const simulate = (sourceId: string, origin: 'created' | 'adopted') =>
    save({ ...run, pair }, { sourceId, origin, runId, destinationId: destinationId(`planned:brands:${sourceId}`) })
  const seen = async (of: Run['pair']) => {
    const found = await mappingsOf(
      database,
      of,
      ['1', '2', '3'].map((sourceId) => ({ ...brands, sourceId })),
    )
    const made = found.map((one) => [
      one.sourceId,
      one.destinationId,
      one.origin,
      one.runId === runId ? 'now' : 'earlier',
    ])
    return made.sort()
  }
  const before = [
    ['1', '91', 'adopted', 'earlier'],
    ['2', '92', 'created', 'earlier'],
  ]
  expect(await seen(pair)).toEqual(before)
  await simulate('1', 'created')
  await simulate('3', 'adopted')
  // Known by now.
  await simulate('3', 'created')
  const third = ['3', 'planned:brands:3', 'adopted', 'now']
  expect(await seen(pair)).toEqual([['1', 'planned:brands:1', 'adopted', 'earlier'], before[1], third])
  expect([...(await claimsOf(database, pair, 'store', 'brands', ['91', '92', 'planned:brands:1']))]).toEqual([
    ['92', '2'],
    ['planned:brands:1', '1'],
  ])
  const forget = (sourceId: string) =>
    database.transaction().execute((tx) => forgetMappings(tx, pair, [{ ...brands, sourceId }]))
  await forget('1')
  await forget('2')
  expect(await seen(pair)).toEqual([third])
  await simulate('1', 'created')
  await simulate('2', 'adopted')
  const [first, second] = [
    ['1', 'planned:brands:1', 'created', 'now'],
    ['2', 'planned:brands:2', 'adopted', 'now'],
  ]
  expect(await seen(pair)).toEqual([first, second, third])
  expect(await seen(run.pair)).toEqual(before)
})
