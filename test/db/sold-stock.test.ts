import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/db/core/database.ts'
import { commitIntents } from '../../src/db/ledger/intents.ts'
import { claimRun } from '../../src/db/ledger/leases.ts'
import { saveMappings } from '../../src/db/ledger/mappings.ts'
import { saveSideEffects } from '../../src/db/side-effects/side-effects.ts'
import {
  endStock,
  endWatch,
  intendStock,
  noteRefusedSales,
  saveSold,
  saveStockBefore,
  soldOf,
  stockBefore,
} from '../../src/db/side-effects/sold-stock.ts'
import { destinationId } from '../../src/model/destination-id.ts'
import { type aRun, aRunInDatabase } from './a-run.ts'

/** The hash of the destination of `aRun`. */
const shop = 'to'
const [lamp, shade] = [11, 12]

let database: Database
let run: Awaited<ReturnType<typeof aRun>>
beforeEach(async () => {
  const made = await aRunInDatabase()
  database = made.database
  run = made.run
  const watch = { kind: 'stock' as const, component: 'orders', subject: '', desired: {} }
  await saveSideEffects(database, run.pair, run.runId, [watch])
  return made.end
})

const level = (productId: number, quantity: number) => ({ productId, variantId: 0, locationId: 1, quantity })
const line = (productId: number, quantity: number) => ({ productId, variantId: 0, quantity })

/** Each order sells as many lamps as here, and one shade. */
function sell(orders: Record<string, number>): Promise<void> {
  const rows = Object.entries(orders).map(([sourceId, quantity]) => ({
    ...{ component: 'orders', sourceId, lines: [line(lamp, quantity), line(shade, 1)] },
  }))
  return saveSold(database, run.pair, shop, rows)
}

function copied(sourceId: string): Promise<void> {
  const copy = {
    scope: 'store',
    component: 'orders',
    sourceId,
    destinationId: destinationId(`9${sourceId}`),
    origin: 'created' as const,
  }
  const whole = { owed: [], draftChecksum: null, destinationChecksum: null, runId: run.runId }
  return database.transaction().execute((tx) => saveMappings(tx, run.pair, [{ ...copy, ...whole }]))
}

const refused = (...sourceIds: string[]) =>
  database.transaction().execute((tx) => noteRefusedSales(tx, run.pair, 'orders', sourceIds))

test('D1: what orders took is what those have sold that exist; what an unconfirmed order sold is open until it is settled', async () => {
  await sell({ 1: 2, 2: 3, 3: 5 })
  const { epoch } = await claimRun(database, run.runId, 'first', { requestTimeoutMs: 1, settleMs: 0, leaseMs: 1 })
  const item = { sourceId: '2', rootId: '2', parentId: '', keys: [] }
  const intent = { scope: 'store', component: 'orders', pass: 'orders', action: 'create' as const, items: [item] }
  await commitIntents(database, { id: run.runId, epoch }, run.pair, [
    { intent: { ...intent, baseline: null }, before: [] },
  ])
  await copied('1')
  const sold = async () => soldOf(database, shop, [lamp])
  expect(await sold()).toEqual([{ ...line(lamp, 2), refused: 0, unsettled: true }])
  await copied('2')
  expect(await sold()).toEqual([{ ...line(lamp, 5), refused: 0, unsettled: false }])
})

test('D1: an order that is sent again takes its stock once', async () => {
  await sell({ 1: 2 })
  await sell({ 1: 2 })
  await copied('1')
  expect(await soldOf(database, shop, [lamp])).toEqual([{ ...line(lamp, 2), refused: 0, unsettled: false }])
})

test('G15: what a refused order would have sold is counted apart, and no other order with it', async () => {
  await sell({ 1: 2, 2: 3 })
  await copied('1')
  await refused('2')
  expect(await soldOf(database, shop, [lamp])).toEqual([{ ...line(lamp, 2), refused: 3, unsettled: false }])
  // It is sent again in another form, and refused again.
  await sell({ 2: 3 })
  await refused('2')
  expect(await soldOf(database, shop, [lamp])).toEqual([{ ...line(lamp, 2), refused: 6, unsettled: false }])
})

test('D1: levels from before orders are kept until what these took is given back; any others are those of now', async () => {
  const quantities = async () => (await stockBefore(database, shop, [lamp, shade])).map(({ quantity }) => quantity)
  await saveStockBefore(database, shop, [level(lamp, 10), level(shade, 10)])
  await sell({ 1: 3 })
  await database.transaction().execute((tx) => endStock(tx, shop, { items: [], lines: [line(shade, 1)] }))
  await saveStockBefore(database, shop, [level(lamp, 7), level(shade, 7)])
  expect(await quantities()).toEqual([10, 7])
  await saveStockBefore(database, shop, [level(lamp, 0), level(shade, 0)])
  expect(await quantities()).toEqual([10])
  const ended = { items: [], lines: [line(lamp, 3)] }
  await database.transaction().execute((tx) => endStock(tx, shop, ended))
  await saveStockBefore(database, shop, [level(lamp, 6)])
  expect(await quantities()).toEqual([6])
})

test('D1: a shop is watched until all is given back, and no order is sent that nobody watches', async () => {
  const end = (options?: { evenIf: 'sold' }) => database.transaction().execute((tx) => endWatch(tx, shop, options))
  await saveStockBefore(database, shop, [level(lamp, 10)])
  await sell({ 1: 3 })
  expect(await end()).toBe(false)
  await database.transaction().execute((tx) => intendStock(tx, shop, [{ ...level(lamp, 10), seen: 7, target: 10 }]))
  expect(await end({ evenIf: 'sold' })).toBe(false)
  const all = { items: [level(lamp, 10)], lines: [line(lamp, 3), line(shade, 1)] }
  await database.transaction().execute((tx) => endStock(tx, shop, all))
  expect(await end()).toBe(true)
  await expect(sell({ 2: 1 })).rejects.toThrow('no longer watched')
})
