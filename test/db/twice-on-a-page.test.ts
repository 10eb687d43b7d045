import { afterAll, beforeAll, expect, test } from 'vitest'
import { listedItems, saveListed } from '../../src/db/ledger/destination-items.ts'
import { type LedgerRow, planItems } from '../../src/db/ledger/ledger.ts'
import { stagedByIds, stageItems } from '../../src/db/ledger/staged-items.ts'
import { startWorld, type World } from '../harness/world.ts'

/** A list that changes while it is read may show an item twice, even on one page. */
let world: World
let runId: string
beforeAll(async () => {
  world = await startWorld({ seeds: { source: 'empty' } })
  runId = (await world.complete({ entities: ['brands'], mode: 'counts' })).requestId
})
afterAll(() => world?.stop())

test('C3: an item listed twice on a page of the destination is kept once, in its last version', async () => {
  const items = [1, 2].map((body) => ({ destinationId: '7', keys: ['name:twice'], body }))
  await world.database.transaction().execute((tx) => saveListed(tx, runId, 'brands', items))
  expect(await listedItems(world.database, runId, 'brands', ['7'])).toEqual(new Map([['7', 2]]))
})

test('C3: an item listed twice on a page of the source is staged once, in its last version', async () => {
  const items = [1, 2].map((shown) => ({ sourceId: '7', parentId: null, body: { shown } }))
  await world.database.transaction().execute((tx) => stageItems(tx, runId, { pass: 'brands', level: null }, items))
  expect(await stagedByIds(world.database, runId, 'brands', ['7'])).toEqual([items[1]])
})

test('E3: of the items of a page, those that were planned before are not counted again', async () => {
  const rows = ['7', '8', '9'].map(
    (id): LedgerRow => ({ component: 'brands', sourceId: id, pass: 'brands', rootId: id, state: 'pending' }),
  )
  const plan = (some: LedgerRow[]) => world.database.transaction().execute((tx) => planItems(tx, runId, some))
  expect(await plan(rows.slice(0, 2))).toEqual(rows.slice(0, 2))
  expect(await plan(rows)).toEqual(rows.slice(2))
  expect(await plan(rows)).toEqual([])
})
