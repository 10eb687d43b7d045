import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/core/database.ts'
import {
  confirmDeletions,
  countDeletions,
  dropAboveKept,
  dropBelowPlanned,
  orderByDepth,
  plannedItems,
  saveDeletions,
  settleDeletions,
} from '../../src/db/ledger/deletions.ts'
import { saveListed } from '../../src/db/ledger/destination-items.ts'
import { createDatabase } from '../harness/postgres.ts'
import { aRun } from './a-run.ts'

let database: ReturnType<typeof openDatabase>
let drop: () => Promise<void>
beforeAll(async () => {
  const created = await createDatabase()
  database = openDatabase(created.url, { name: 'test' })
  drop = created.drop
})
afterAll(async () => {
  await database?.destroy()
  await drop?.()
})

interface Node {
  id: string
  above: string | null
  /** Whether only the destination has it. */
  planned: boolean
}

/** The deletions of a hierarchy, in their order. */
async function deletedOf(nodes: Node[]): Promise<string[]> {
  const { runId, pair } = await aRun(database)
  const run = { id: runId, organisationId: pair.organisationId }
  await database.transaction().execute(async (tx) => {
    const listed = nodes.map(({ id, above }) => ({ destinationId: id, keys: [], body: { item: {}, above } }))
    await saveListed(tx, runId, 'categories', listed)
    await saveDeletions(tx, run, 'categories', nodes.filter(({ planned }) => planned).map(rowOf), 'planned')
    await dropAboveKept(tx, runId, 'categories')
    await orderByDepth(tx, runId, 'categories')
  })
  const ids: string[] = []
  for (let after: { position: number; id: number } | null = null; ; ) {
    const page = { after, limit: 2 }
    const rows = await plannedItems(database, runId, { pass: 'categories', component: 'categories' }, page)
    const last = rows.at(-1)
    if (!last) return ids
    after = { position: last.position, id: last.id }
    ids.push(...rows.map(({ destinationId }) => destinationId))
  }
}

function rowOf({ id, above }: Pick<Node, 'id' | 'above'>) {
  return {
    phase: 'categories',
    component: 'categories',
    destinationId: id,
    parentId: '',
    parentName: null,
    item: { name: id, sku: null, path: null },
    reason: 'destination_only' as const,
    sourceId: null,
    above,
  }
}

test('D4: what has a copy below it stays, with all that it lies below itself', async () => {
  const shelf = { id: 'shelf', above: 'shop', planned: true }
  const nodes = [
    { id: 'shop', above: null, planned: true },
    shelf,
    { id: 'box', above: 'shelf', planned: true },
    { id: 'copy', above: 'shelf', planned: false },
    { id: 'other', above: 'shop', planned: true },
  ]
  expect((await deletedOf(nodes)).sort()).toEqual(['box', 'other'])
})

test('D4: a loop of parents ends', async () => {
  const loop = [
    { id: '1', above: '2', planned: true },
    { id: '2', above: '1', planned: true },
  ]
  expect(await deletedOf(loop)).toHaveLength(2)
  expect(await deletedOf([...loop, { id: 'copy', above: '1', planned: false }])).toEqual([])
})

test('D4: children go before their parents, every item goes once, and none that something kept lies below', async () => {
  const anyTree = fc.array(fc.record({ above: fc.nat(), planned: fc.boolean() }), { minLength: 1, maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(anyTree, async (drawn) => {
      const nodes = drawn.map(({ above, planned }, at) => ({
        id: String(at),
        above: at === 0 || above % 4 === 0 ? null : String(above % at),
        planned,
      }))
      const order = await deletedOf(nodes)
      expect(new Set(order).size).toBe(order.length)
      const positions = new Map(order.map((id, at) => [id, at]))
      for (const { id, above, planned } of nodes) {
        if (!planned) expect(positions.has(id)).toBe(false)
        if (above === null || !positions.has(above)) continue
        expect(positions.get(id)).toBeLessThan(positions.get(above) ?? -1)
      }
      const keptBelow = (id: string): boolean =>
        nodes.some((node) => node.above === id && (!node.planned || keptBelow(node.id)))
      const expected = nodes.filter(({ id, planned }) => planned && !keptBelow(id)).map(({ id }) => id)
      expect([...order].sort()).toEqual(expected.sort())
    }),
    { numRuns: 30 },
  )
})

test('D4: what is deleted already counts towards the limits, and what a person has confirmed does not', async () => {
  const { runId, pair } = await aRun(database)
  const run = { id: runId, organisationId: pair.organisationId }
  const plan = (ids: string[]) =>
    database.transaction().execute(async (tx) => {
      const rows = ids.map((id) => rowOf({ id, above: null }))
      await saveDeletions(tx, run, 'categories', rows, 'planned')
    })
  const counted = async () =>
    (await countDeletions(database, runId)).map(({ planned, unasked }) => ({ planned, unasked }))
  await plan(['1', '2', '3'])
  await database.transaction().execute((tx) => settleDeletions(tx, run, 'categories', ['1', '2'], 'deleted'))
  await database.transaction().execute((tx) => settleDeletions(tx, run, 'categories', ['3'], 'kept'))
  await plan(['4'])
  expect(await counted()).toEqual([{ planned: 1, unasked: 3 }])
  await database.transaction().execute((tx) => confirmDeletions(tx, runId))
  await plan(['5'])
  expect(await counted()).toEqual([{ planned: 2, unasked: 3 }])
})

test('D4: the children of a deleted item are not deleted separately', async () => {
  const { runId, pair } = await aRun(database)
  const run = { id: runId, organisationId: pair.organisationId }
  const metafields = ['gone', 'stays'].map((parentId) => ({
    ...rowOf({ id: `of ${parentId}`, above: null }),
    component: 'category-metafields',
    parentId,
  }))
  await database.transaction().execute(async (tx) => {
    await saveDeletions(tx, run, 'category-metafields', metafields, 'planned')
    await saveDeletions(tx, run, 'categories', [rowOf({ id: 'gone', above: null })], 'planned')
    await dropBelowPlanned(tx, runId, 'category-metafields', 'categories')
  })
  const { rows } = await sql<{ id: string }>`
    select destination_id as id from deletions where run_id = ${runId} order by 1`.execute(database)
  expect(rows.map(({ id }) => id)).toEqual(['gone', 'of stays'])
})
