import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { pass } from './side-effect-story.ts'
import {
  aCopiedCatalogue,
  adjusting,
  cancelledRun,
  mostPending,
  openWatches,
  ordersOf,
  setStock,
  stockIssues,
  stockOf,
} from './stock-story.ts'

/** The time after which the next process looks for writes that were in flight. */
const killed = { separateHost: true, requestTimeoutSeconds: 5 }

test('D5: a run killed between its last order and giving stock back gives it back once', async () => {
  const world = await aCopiedCatalogue({ separateHost: true, requestTimeoutSeconds: 1, settleSeconds: 10 })
  const before = await stockOf(world)
  const expected = ((await world.state('source')).orders ?? []).length
  const id = await world.migrate()
  await until('all orders are there', async () => (await ordersOf(world)).length === expected)
  await world.killChild()
  expect(await stockOf(world)).not.toEqual(before)
  await world.finished(id)
  expect(await stockOf(world)).toEqual(before)
  expect(await openWatches(world)).toBe(0)
})

test('D5: a run killed between the adjustment and its recording gives nothing back twice', async () => {
  const world = await aCopiedCatalogue(killed)
  const before = await stockOf(world)
  await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  const id = await world.migrate()
  const begun = sql`select from stock_before where target is not null`
  await until('stock is being given back', async () => (await begun.execute(world.database)).rows.length > 0)
  await until('it has been', async () => JSON.stringify(await stockOf(world)) === JSON.stringify(before))
  const [key = ''] = Object.keys(before).filter((one) => (before[one] ?? 0) > 0)
  await world.killChild()
  await world.release('destination')
  // A sale before the next process looks.
  await setStock(world, key, (before[key] ?? 0) - 1)
  await world.finished(id)
  expect(await stockOf(world)).toEqual({ ...before, [key]: (before[key] ?? 0) - 1 })
  expect(await openWatches(world)).toBe(0)
})

test('D5: a host killed while giving stock back gives nothing back twice', async () => {
  const world = await aCopiedCatalogue(killed)
  const { id, before } = await cancelledRun(world)
  const held = await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  await pass(world, 2)
  await until('the store keeps its answer', async () =>
    (await world.faults('destination')).some((fault) => fault.id === held && fault.hits > 0),
  )
  await world.killHost('SIGKILL')
  await world.release('destination')
  expect(await stockOf(world)).toEqual(before)
  const most = await mostPending(world)
  if (!most) throw new Error('The host had recorded what it gave back before it was killed.')
  await setStock(world, most, -1, 'relative')
  await pass(world, 2)
  await world.startHost()
  await until('a host has given it back', async () => (await openWatches(world)) === 0)
  expect(await stockOf(world)).toEqual({ ...before, [most]: (before[most] ?? 0) - 1 })
  expect(await stockIssues(world, id)).toEqual([])
})
