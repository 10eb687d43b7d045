import { afterAll, beforeAll, expect, test } from 'vitest'
import { listedItems, saveListed } from '../../src/db/ledger/destination-items.ts'
import { stagedByIds, stageItems } from '../../src/db/ledger/staged-items.ts'
import { startWorld, type World } from '../harness/world.ts'

/** A list that is read page by page while somebody works on it may show an item twice, also on one page. */
let world: World
let runId: string
beforeAll(async () => {
  world = await startWorld({ seeds: { source: 'empty' } })
  runId = (await world.complete({ entities: ['brands'], mode: 'counts' })).requestId
})
afterAll(() => world?.stop())

test('C3: an item that stands on a page of the destination twice is listed once, as it was shown last', async () => {
  const items = [1, 2].map((body) => ({ destinationId: '7', keys: ['name:twice'], body }))
  await world.database.transaction().execute((tx) => saveListed(tx, runId, 'brands', items))
  expect(await listedItems(world.database, runId, 'brands', ['7'])).toEqual(new Map([['7', 2]]))
})

test('C3: an item that stands on a page of the source twice is staged once, as it was shown last', async () => {
  const items = [1, 2].map((shown) => ({ sourceId: '7', parentId: null, body: { shown } }))
  await world.database.transaction().execute((tx) => stageItems(tx, runId, 'brands', items))
  expect(await stagedByIds(world.database, runId, 'brands', ['7'])).toEqual([items[1]])
})
