import { afterAll, beforeAll, expect, test } from 'vitest'
import { listedItems, saveListed } from '../../src/db/ledger/destination-items.ts'
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
