import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import { createdAll, mappingsOf, releaseClaims, saveMappings } from '../../src/db/ledger/mappings.ts'
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
