import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { pass } from './side-effect-story.ts'
import {
  aCopiedCatalogue,
  adjusting,
  bestsellers,
  cancelledRun,
  creating,
  levelsOf,
  mostPending,
  openWatches,
  ordersOf,
  runHeldAtAnOrder,
  setStock,
  stockIssues,
  stockOf,
  stop,
} from './stock-story.ts'

const adjustments = async (world: World) =>
  (await world.requests('destination', 'PUT')).filter(({ path }) => /adjustments/.test(path))

longTest(
  'D1: orders copied after the catalogue leave its stock unchanged, and a second run changes nothing',
  async () => {
    const world = await aCopiedCatalogue()
    const before = await stockOf(world)
    await world.resetRequests('destination')
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await ordersOf(world)).not.toEqual([])
    // In one call; without it the stock would be lower.
    expect(await adjustments(world)).toHaveLength(1)
    expect(await stockOf(world)).toEqual(before)
    expect(await stockIssues(world, run.requestId)).toEqual([])
    expect(await openWatches(world)).toBe(0)
    await world.resetRequests('destination')
    await world.complete()
    const paths = (await world.requests('destination')).map(({ path }) => path)
    expect(paths.filter((path) => path.startsWith('/v3/inventory'))).toEqual([])
    expect(await stockOf(world)).toEqual(before)
  },
)

longTest('D1: the stock of a store that does not decrement it for copied orders is not written', async () => {
  const world = await aCopiedCatalogue({ switches: { destination: { orders_move_stock: false } } })
  const before = await stockOf(world)
  await world.resetRequests('destination')
  const run = await world.complete()
  expect(await ordersOf(world)).not.toEqual([])
  expect(await adjustments(world)).toEqual([])
  expect(await stockOf(world)).toEqual(before)
  expect(await stockIssues(world, run.requestId)).toEqual([])
  expect(await openWatches(world)).toBe(0)
})

longTest(
  'D1: if the shop changes stock during the run, only what orders took is given back, and unclear stock is reported',
  async () => {
    const world = await aCopiedCatalogue()
    const [sold, soldOut, restocked] = await bestsellers(world)
    const item = sold.key.replace(/1$/, '')
    const elsewhere = Object.keys(await stockOf(world)).find((key) => key.startsWith(item) && key !== sold.key) ?? ''
    await setStock(world, sold.key, 50)
    await setStock(world, elsewhere, 20)
    // Less than the orders sell of it.
    await setStock(world, soldOut.key, 1)
    await setStock(world, restocked.key, 50)
    const before = await stockOf(world)
    const id = await runHeldAtAnOrder(world)
    // Other orders are written at the same time.
    await setStock(world, sold.key, -2, 'relative')
    await setStock(world, elsewhere, -1, 'relative')
    await setStock(world, restocked.key, 1, 'relative')
    await world.release('destination')
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    const left = 50 - restocked.sold + 1
    expect(await stockOf(world)).toEqual({ ...before, [sold.key]: 48, [elsewhere]: 19, [restocked.key]: left })
    const [issue, ...others] = await stockIssues(world, id)
    expect(others).toEqual([])
    expect(issue).toMatchObject({ severity: 'warning', state: 'open' })
    expect(issue?.message).toContain(
      `50 before orders were copied, ${left} after, of which they sold ${restocked.sold}`,
    )
    expect(await openWatches(world)).toBe(0)
  },
)

/** An hour of settle time, of which each wait passes at once; `onWait` runs first. */
async function anHourToSettle(onWait: (world: World, waited: number) => Promise<void>) {
  const waits: number[] = []
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms < 60_000) return systemClock.sleep(ms, signal)
    waits.push(ms / 60_000)
    await onWait(world, waits.length)
  }
  const world = await aCopiedCatalogue({ settleSeconds: 3_600, clock: { ...systemClock, sleep } })
  return { world, waits, before: await stockOf(world) }
}

test('D1: stock is given back once the list has shown twice what the copied orders took, long before the settle time is over', async () => {
  const { world, waits, before } = await anHourToSettle(async (behind, wait) => {
    if (wait === 2) await behind.switchTo('destination', { inventory_lag_ms: 0 })
  })
  await world.switchTo('destination', { inventory_lag_ms: 3_600_000 })
  const run = await world.complete()
  expect(waits).toEqual([4, 8, 8])
  expect(await stockOf(world)).toEqual(before)
  expect(await stockIssues(world, run.requestId)).toEqual([])
  expect(await openWatches(world)).toBe(0)
})

test('D1: while the shop sells as well, the list is waited for to the end, and only what orders took is given back', async () => {
  const { world, waits, before } = await anHourToSettle(async (shop, wait) => {
    if (wait === 1) await setStock(shop, (await bestsellers(shop))[0].key, -1, 'relative')
  })
  const [{ key }] = await bestsellers(world)
  await setStock(world, key, 50)
  await world.complete()
  expect(waits).toEqual([4, 8, 16, 32])
  expect(await stockOf(world)).toEqual({ ...before, [key]: 49 })
})

longTest(
  'D5: stock that a cancelled run took is given back by a sweep two minutes later, not at once, and only once if the answer is lost',
  async () => {
    const world = await aCopiedCatalogue()
    const { id, before } = await cancelledRun(world)
    await world.sweep()
    expect(await stockOf(world)).not.toEqual(before)
    await world.fault('destination', { kind: 'reset_after_applying', ...adjusting, times: 1 })
    await pass(world, 2)
    await world.sweep()
    expect(await stockOf(world)).toEqual(before)
    const most = await mostPending(world)
    if (!most) throw new Error('What was to be given back is recorded before it is sent.')
    await setStock(world, most, -1, 'relative')
    await pass(world, 2)
    await world.sweep()
    expect(await openWatches(world)).toBe(0)
    expect(await stockOf(world)).toEqual({ ...before, [most]: (before[most] ?? 0) - 1 })
    expect(await stockIssues(world, id)).toEqual([])
  },
)

longTest(
  'D1: what the shop sold out after a cancelled run stays sold out, although orders of the next run sell it',
  async () => {
    const world = await aCopiedCatalogue()
    const { orders: sourceOrders = [], order_products = [] } = await world.state('source')
    const first = new Set(sourceOrders.filter(({ status_id }) => status_id === 10).map(({ id }) => id))
    const bySecond = order_products.filter(({ order_id }) => !first.has(Number(order_id)))
    const byFirst = new Set(
      order_products.filter((line) => !bySecond.includes(line)).map(({ product_id }) => product_id),
    )
    const skus = new Set(bySecond.filter(({ product_id }) => !byFirst.has(product_id)).map(({ sku }) => sku))
    const sold = (await levelsOf(world)).find(({ identity }) => skus.has(identity.sku))?.identity
    const key = `${sold?.product_id}/${sold?.variant_id}/1`
    await setStock(world, key, 3)
    const before = await stockOf(world)
    await stop(world, await runHeldAtAnOrder(world, { orderStatuses: ['10'] }), 'cancel')
    await setStock(world, key, 0)
    await world.complete()
    expect(await stockOf(world)).toEqual({ ...before, [key]: 0 })
    expect(await openWatches(world)).toBe(0)
  },
)

test.each(
  isLong ? ['after a sweep has given back', 'at once'] : ['after a sweep has given back'],
)('D5: a run paused with stock to give back and resumed %s ends with the original levels', async (when) => {
  const world = await aCopiedCatalogue()
  const [{ key }] = await bestsellers(world)
  await setStock(world, key, 50)
  const before = await stockOf(world)
  const { orders = [] } = await world.state('source')
  // At most this many are in flight at a time; the others wait for the resumed run.
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: null })
  const id = await world.migrate()
  await until('an order is under way', async () => (await ordersOf(world)).length > 0)
  await stop(world, id, 'pause')
  const copied = (await ordersOf(world)).length
  expect(copied).toBeLessThan(orders.length)
  expect(await stockOf(world)).not.toEqual(before)
  if (when !== 'at once') {
    await pass(world, 2)
    await world.sweep()
    expect(await openWatches(world)).toBe(0)
    expect(await stockOf(world)).toEqual(before)
  }
  await world.clearFaults('destination')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await ordersOf(world)).toHaveLength(orders.length)
  expect(await stockOf(world)).toEqual(before)
  expect(await stockIssues(world, id)).toEqual([])
  expect(await openWatches(world)).toBe(0)
})

longTest(
  'D5: stock that cannot be given back because the store refuses becomes one issue after 15 minutes, healed once the store accepts',
  async () => {
    const world = await aCopiedCatalogue()
    const { id, before } = await cancelledRun(world)
    const refusing = { kind: 'error_before_applying', method: 'GET', path: '^/v3/inventory', status: 403 } as const
    await world.fault('destination', { ...refusing, times: null })
    const triesOf = async () => {
      await world.resetRequests('destination')
      const errors = await world.sweep()
      return { tries: (await world.requests('destination')).length, errors }
    }
    await pass(world, 14)
    expect(await triesOf()).toEqual({ tries: 1, errors: [] })
    expect(await stockIssues(world, id)).toEqual([])
    const { warnings } = (await world.detail(id)).counters
    await pass(world, 2)
    const { hash: storeHash } = world.address('destination')
    const { organisationId } = world
    const errors = [{ organisationId, storeHash, runId: id, sideEffect: 'stock', component: 'orders' }]
    expect(await triesOf()).toEqual({ tries: 1, errors })
    // Not again within a minute, and then silently.
    expect(await triesOf()).toEqual({ tries: 0, errors: [] })
    await pass(world, 2)
    expect(await triesOf()).toEqual({ tries: 1, errors: [] })
    const [issue, ...others] = await stockIssues(world, id)
    expect(others).toEqual([])
    expect(issue).toMatchObject({ state: 'open', severity: 'warning', item: { sourceId: storeHash } })
    expect(issue?.message).toContain('it has not been possible for 15 minutes')
    expect((await world.detail(id)).counters.warnings).toBe(warnings + 1)

    await world.clearFaults('destination')
    await pass(world, 2)
    expect(await world.sweep()).toEqual([])
    expect(await openWatches(world)).toBe(0)
    expect(await stockOf(world)).toEqual(before)
    expect(await stockIssues(world, id)).toMatchObject([{ state: 'healed' }])
  },
)

longTest('D5: an issue about stock that was not given back is healed by the next run that copies orders', async () => {
  const world = await aCopiedCatalogue()
  const before = await stockOf(world)
  const id = await runHeldAtAnOrder(world, { orderStatuses: ['10'] })
  await stop(world, id, 'cancel')
  const refusing = { kind: 'error_before_applying', method: 'GET', path: '^/v3/inventory', status: 403 } as const
  await world.fault('destination', { ...refusing, times: null })
  await pass(world, 16)
  await world.sweep()
  expect(await stockIssues(world, id)).toMatchObject([{ state: 'open' }])
  await world.clearFaults('destination')
  await world.complete()
  expect(await stockOf(world)).toEqual(before)
  expect(await stockIssues(world, id)).toMatchObject([{ state: 'healed' }])
})

longTest(
  'D5: a store disconnected while stock is to be given back is reported at once, and gets it when it is reconnected',
  async () => {
    const world = await aCopiedCatalogue()
    const { id, before } = await cancelledRun(world)
    const { hash, token } = world.address('destination')
    await sql`update stores set disconnected_at = now(), token_encrypted = null where hash = ${hash}`.execute(
      world.database,
    )
    expect(await world.sweep()).toMatchObject([{ storeHash: hash, runId: id }])
    expect((await stockIssues(world, id))[0]?.message).toContain('the store was disconnected')
    await pass(world, 5)
    await world.resetRequests('destination')
    expect(await world.sweep()).toEqual([])
    expect(await world.requests('destination')).toEqual([])
    expect(await stockOf(world)).not.toEqual(before)
    await world.reconnect('destination', token)
    await world.sweep()
    expect(await openWatches(world)).toBe(0)
    expect(await stockOf(world)).toEqual(before)
    expect(await stockIssues(world, id)).toMatchObject([{ state: 'healed' }])
  },
)
