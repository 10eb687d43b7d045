import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import { saveIssues } from '../../src/db/ledger/issues.ts'
import { planItems } from '../../src/db/ledger/ledger.ts'
import { saveMappings } from '../../src/db/ledger/mappings.ts'
import {
  endStartedStock,
  forgetStartedStock,
  intendLevels,
  saveStartedStock,
  startedStock,
} from '../../src/db/side-effects/started-stock.ts'
import { destinationId } from '../../src/model/destination-id.ts'
import { type aRun, aRunInDatabase } from './a-run.ts'

const lamp = { productId: 11, variantId: 0 }
const shade = { productId: 12, variantId: 0 }
const level = { taken: 1, seen: 5, target: 4 }

let database: Database
let run: Awaited<ReturnType<typeof aRun>>
beforeEach(async () => {
  const made = await aRunInDatabase()
  database = made.database
  run = made.run
  await database.transaction().execute(async (tx) => {
    await saveStartedStock(
      tx,
      run.pair,
      [lamp, shade].map((one) => ({ ...one, quantity: 6 })),
    )
    await intendLevels(tx, run.pair, [{ ...lamp, location: '1', level }])
  })
  return made.end
})

/** The products that are still known, once the run has ended with its levels. */
async function leftAfterTheRun(): Promise<number[]> {
  const of = { id: run.runId, component: 'inventory', products: 'products' }
  await database.transaction().execute((tx) => endStartedStock(tx, run.pair, of))
  const rows = await startedStock(database, run.pair, [lamp.productId, shade.productId])
  return rows.map(({ productId }) => productId)
}

test('G11: a run forgets what new items started with once it has set their levels, and nothing of the others', async () => {
  expect(await leftAfterTheRun()).toEqual([shade.productId])
})

test('G11: while a level of the run failed, all is kept for the next one', async () => {
  const [item, phase] = [{ component: 'inventory', sourceId: '1' }, 'inventory']
  await database.transaction().execute(async (tx) => {
    await planItems(tx, run.runId, [{ ...item, pass: phase, rootId: '1', state: 'failed' }])
    const issue = { ...item, phase, severity: 'failure' as const, code: 'platform_refused' as const, message: 'no' }
    const unnamed = { name: null, sku: null, path: null }
    const of = { id: run.runId, organisationId: run.pair.organisationId }
    await saveIssues(tx, of, [{ ...issue, item: unnamed, covers: [item] }])
  })
  expect(await leftAfterTheRun()).toHaveLength(2)
})

test.each([
  ['full', 'paused', 2],
  ['full', 'completed', 1],
  ['verify', 'in_progress', 1],
])('G11: another run between the stores that is %s and %s leaves %i of two products known', async (mode, status, left) => {
  await sql`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
      selective, phases, status)
    select ${randomUUID()}, organisation_id, source_store_id, destination_store_id, ${mode}, conflict_strategy, auto_heal,
      settings, selective, phases, ${status} from runs where id = ${run.runId}`.execute(database)
  expect(await leftAfterTheRun()).toHaveLength(left)
})

test.each([
  ['created', 2],
  ['adopted', 1],
] as const)('G11: a product that a run from another store has %s leaves %i of two products known', async (origin, left) => {
  const sourceStoreId = randomUUID()
  await sql`
    insert into stores (id, organisation_id, hash, label, token_encrypted)
    values (${sourceStoreId}, ${run.pair.organisationId}, 'second', 'shop', '')`.execute(database)
  const copy = { scope: 'store', component: 'products', sourceId: '1', destinationId: destinationId(lamp.productId) }
  const whole = { origin, owed: [], draftChecksum: null, destinationChecksum: null, runId: run.runId }
  await database
    .transaction()
    .execute((tx) => saveMappings(tx, { ...run.pair, sourceStoreId }, [{ ...copy, ...whole }]))
  expect(await leftAfterTheRun()).toHaveLength(left)
})

test('G11: levels of several locations are known together, the first quantity stays, and one item is forgotten by itself', async () => {
  const again = { ...level, target: 3 }
  await database.transaction().execute(async (tx) => {
    await saveStartedStock(tx, run.pair, [{ ...lamp, quantity: 9 }])
    await intendLevels(tx, run.pair, [{ ...lamp, location: '2', level: again }])
    await forgetStartedStock(tx, run.pair, [shade])
  })
  expect(await startedStock(database, run.pair, [lamp.productId, shade.productId])).toEqual([
    { ...lamp, quantity: 6, levels: { 1: level, 2: again }, ageMs: expect.any(Number) },
  ])
})
