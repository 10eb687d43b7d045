import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { giveBackLeft } from '../../src/engine/give-back-left.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { heard } from './heard.ts'
import { tickRefused } from './tick-refused.ts'

/** Orders that are copied later than what they sold leave its stock as it was (D1). */
const catalogue = ['tax-classes', 'locations', 'categories', 'brands', 'products', 'inventory']
const history = { entities: ['currencies', 'orders'] }
const creating = { method: 'POST', path: '^/v2/orders$' } as const
const adjusting = { method: 'PUT', path: '^/v3/inventory/adjustments/absolute$' } as const

let world: World
beforeEach(() => world?.stop())
afterAll(() => world?.stop())

interface Level {
  identity: { product_id: number; variant_id: number; sku: string }
  locations: { location_id: number; total_inventory_onhand: number }[]
}

/** A destination with the catalogue of the source, and nothing of its history. */
async function aCopiedCatalogue(options: WorldOptions = {}): Promise<World> {
  // Longer than a story holds an order: nothing of it is in doubt.
  world = await startWorld({ requestTimeoutSeconds: 30, ...options })
  await world.complete({ entities: catalogue })
  return world
}

const levels = () => callStore<Level[]>(world, 'destination', 'GET', '/v3/inventory/items?limit=1000')

async function stock(): Promise<Record<string, number>> {
  return Object.fromEntries(
    (await levels()).flatMap(({ identity, locations }) =>
      locations.map((one) => [
        `${identity.product_id}/${identity.variant_id}/${one.location_id}`,
        one.total_inventory_onhand,
      ]),
    ),
  )
}

const orders = async () => (await world.state('destination')).orders ?? []
const writes = async () =>
  (await world.requests('destination')).filter(({ method, path }) => method === 'PUT' && /adjustments/.test(path))
const openRows = async () => (await sql`select from stock_watches`.execute(world.database)).rows.length
const told = async (id: string) => (await world.issues(id)).filter(({ code }) => code === 'stock_not_restored')

/** What the orders of the source sell more than one of, by the name of its stock at the destination; most of it first. */
async function bestsellers(): Promise<{ key: string; sold: number }[]> {
  const lines = (await world.state('source')).order_products ?? []
  return (await levels())
    .map(({ identity: { sku, product_id, variant_id } }) => ({
      key: `${product_id}/${variant_id}/1`,
      sold: lines.filter((line) => line.sku === sku).reduce((sum, { quantity }) => sum + Number(quantity), 0),
    }))
    .filter(({ sold }) => sold > 1)
    .sort((a, b) => b.sold - a.sold)
}

/** Counted by somebody at the destination, or sold and brought back by so many. */
async function setStock(key: string, quantity: number, how: 'absolute' | 'relative' = 'absolute'): Promise<void> {
  const [product_id, variant_id, location_id] = key.split('/').map(Number)
  const product = await callStore(world, 'destination', 'GET', `/v3/catalog/products/${product_id}`)
  const named = product.inventory_tracking === 'product' ? { product_id } : { variant_id }
  const items = [{ location_id, ...named, quantity }]
  const method = how === 'absolute' ? 'PUT' : 'POST'
  await callStore(world, 'destination', method, `/v3/inventory/adjustments/${how}`, { reason: 'Counted', items })
}

async function runHeldAtAnOrder(settings: object = {}): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: 1 })
  const id = await world.migrate({ ...history, ...settings })
  await until('an order is under way', async () => (await orders()).length > 0)
  return id
}

/** After so long what was on its way is looked for by whoever takes over. */
const killed = { separateHost: true, requestTimeoutSeconds: 5 }

/** Ends as asked for, by the run's own child; what orders took by then is owed. */
async function stopped(id: string, how: 'pause' | 'cancel'): Promise<void> {
  await world.api('POST', `/v2/migrations/${id}/${how}`)
  await heard(world, id)
  await world.release('destination')
  await world.finished(id, { status: how === 'pause' ? 'paused' : 'cancelled' })
  expect(await openRows()).toBe(1)
}

/** All orders are there, and nobody has given back what they took. */
async function cancelledRun(): Promise<{ id: string; before: Record<string, number> }> {
  const [best] = await bestsellers()
  await setStock(best?.key ?? '', 50)
  const before = await stock()
  const wanted = ((await world.state('source')).orders ?? []).length
  const id = await runHeldAtAnOrder()
  await until('all orders are there', async () => (await orders()).length === wanted)
  await stopped(id, 'cancel')
  expect(await stock()).not.toEqual(before)
  return { id, before }
}

/** As if so much time had passed since a run was stopped. */
async function pass(minutes: number): Promise<void> {
  const earlier = (column: string) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${minutes} * interval '1 minute'`
  await sql`update stock_watches set ${earlier('since')}, ${earlier('tried_at')}`.execute(world.database)
  await sql`update runs set ${earlier('finished_at')}, ${earlier('updated_at')}`.execute(world.database)
}

const givenBack = () => until('a host has given it back', async () => (await openRows()) === 0, { seconds: 60 })

/** Something of which enough is there, as it is before orders are copied, and changed by the shop meanwhile. */
async function changedMeanwhile(change: number) {
  const [best, clamped] = await bestsellers()
  if (!best || !clamped) throw new Error('The orders of the seed sell more than one of two things.')
  await setStock(best.key, 50)
  await setStock(clamped.key, 1)
  const before = await stock()
  const id = await runHeldAtAnOrder()
  // Other orders are written at the same time.
  await setStock(best.key, change, 'relative')
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  return { id, best, before }
}

test('D1: orders that are copied after the catalogue leave its stock as it was, and a second run changes nothing', async () => {
  await aCopiedCatalogue()
  const before = await stock()
  await world.resetRequests('destination')
  const run = await world.complete(history)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await orders()).length).toBeGreaterThan(0)
  // All of it in one call: without it the stock would be lower.
  expect((await writes()).length).toBe(1)
  expect(await stock()).toEqual(before)
  expect(await told(run.requestId)).toEqual([])
  expect(await openRows()).toBe(0)
  await world.resetRequests('destination')
  await world.complete(history)
  const asked = (await world.requests('destination')).map(({ path }) => path)
  expect(asked.filter((path) => path.startsWith('/v3/inventory'))).toEqual([])
  expect(await stock()).toEqual(before)
})

test('D1: nothing is written to the stock of a store that does not take from it for copied orders', async () => {
  await aCopiedCatalogue({ switches: { destination: { orders_move_stock: false } } })
  const before = await stock()
  await world.resetRequests('destination')
  const run = await world.complete(history)
  expect((await orders()).length).toBeGreaterThan(0)
  expect(await writes()).toEqual([])
  expect(await stock()).toEqual(before)
  expect(await told(run.requestId)).toEqual([])
  expect(await openRows()).toBe(0)
})

test('D1: what the shop sells meanwhile stays sold, and what had less in stock than was sold has that again', async () => {
  await aCopiedCatalogue()
  const { id, best, before } = await changedMeanwhile(-2)
  expect(await stock()).toEqual({ ...before, [best.key]: 48 })
  expect(await told(id)).toEqual([])
})

test('D1: what fell by less than was sold is left as it is, and told with its numbers', async () => {
  await aCopiedCatalogue()
  const { id, best, before } = await changedMeanwhile(1)
  const left = 50 - best.sold + 1
  expect(await stock()).toEqual({ ...before, [best.key]: left })
  const [issue, ...others] = await told(id)
  expect(others).toEqual([])
  expect(issue).toMatchObject({ severity: 'warning', state: 'open' })
  expect(issue?.message).toContain(`50 before orders were copied, ${left} after, of which they sold ${best.sold}`)
  expect(await openRows()).toBe(0)
})

test('D5: killed between the last order and the giving back, a run gives back all the same', async () => {
  await aCopiedCatalogue({ separateHost: true, requestTimeoutSeconds: 1, settleSeconds: 10 })
  const before = await stock()
  const wanted = ((await world.state('source')).orders ?? []).length
  await world.migrate(history).then(async (id) => {
    await until('all orders are there', async () => (await orders()).length === wanted)
    await world.killChild()
    expect(await stock()).not.toEqual(before)
    await world.finished(id, { seconds: 120 })
  })
  expect(await stock()).toEqual(before)
  expect(await openRows()).toBe(0)
})

test('D5: killed between the adjustment and its recording, a run gives nothing back twice', async () => {
  await aCopiedCatalogue(killed)
  const before = await stock()
  await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  const id = await world.migrate(history)
  const begun = sql`select from stock_before where target is not null`
  await until('stock is being given back', async () => (await begun.execute(world.database)).rows.length > 0)
  await until('it has been', async () => JSON.stringify(await stock()) === JSON.stringify(before))
  const [key = ''] = Object.keys(before).filter((one) => (before[one] ?? 0) > 0)
  await world.killChild()
  await world.release('destination')
  // A sale before anybody comes back to it.
  await setStock(key, (before[key] ?? 0) - 1)
  await world.finished(id, { seconds: 120 })
  expect(await stock()).toEqual({ ...before, [key]: (before[key] ?? 0) - 1 })
  expect(await openRows()).toBe(0)
})

test('D5: what a cancelled run took a host gives back, and nothing before it could be seen', async () => {
  await aCopiedCatalogue()
  const { id, before } = await cancelledRun()
  await pass(2)
  await givenBack()
  expect(await stock()).toEqual(before)
  expect(await told(id)).toEqual([])
})

test('D1: of two locations only the one that orders took from gets anything, and what the shop sold at the other stays sold', async () => {
  await aCopiedCatalogue()
  const [best] = await bestsellers()
  const item = best?.key.replace(/1$/, '') ?? ''
  const elsewhere = Object.keys(await stock()).find((key) => key.startsWith(item) && key !== best?.key) ?? ''
  await setStock(best?.key ?? '', 50)
  await setStock(elsewhere, 20)
  const before = await stock()
  const id = await runHeldAtAnOrder()
  await setStock(elsewhere, -1, 'relative')
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await stock()).toEqual({ ...before, [elsewhere]: 19 })
  expect(await told(id)).toEqual([])
})

test('D1: what the shop sold out after a cancelled run stays sold out, though orders of the next run sell it', async () => {
  await aCopiedCatalogue()
  const { orders: sourceOrders = [], order_products = [] } = await world.state('source')
  const first = new Set(sourceOrders.filter(({ status_id }) => status_id === 10).map(({ id }) => id))
  const bySecond = order_products.filter(({ order_id }) => !first.has(Number(order_id)))
  const byFirst = new Set(order_products.filter((line) => !bySecond.includes(line)).map(({ product_id }) => product_id))
  const skus = new Set(bySecond.filter(({ product_id }) => !byFirst.has(product_id)).map(({ sku }) => sku))
  const sold = (await levels()).find(({ identity }) => skus.has(identity.sku))?.identity
  const key = `${sold?.product_id}/${sold?.variant_id}/1`
  await setStock(key, 3)
  const before = await stock()
  await stopped(await runHeldAtAnOrder({ orderStatuses: ['10'] }), 'cancel')
  await setStock(key, 0)
  await world.complete(history)
  expect(await stock()).toEqual({ ...before, [key]: 0 })
  expect(await openRows()).toBe(0)
})

test.each([
  'at once',
  'after a host has given back',
])('D5: a run that is paused while stock is owed and goes on %s ends with the levels of before', async (when) => {
  // A used-up quota is over after a second.
  await aCopiedCatalogue({ quota: { requests: 1_000_000, windowMs: 1_000 } })
  const [best] = await bestsellers()
  await setStock(best?.key ?? '', 50)
  const before = await stock()
  // Those that sell none of it wait for the resumed run.
  const body = `^(?!.*"variant_id":${best?.key.split('/')[1]}\\b)`
  await world.fault('destination', { kind: 'too_many_requests', ...creating, body, times: null })
  const id = await runHeldAtAnOrder()
  await stopped(id, 'pause')
  const copied = (await orders()).length
  expect(await stock()).not.toEqual(before)
  if (when !== 'at once') {
    await pass(2)
    await givenBack()
    expect(await stock()).toEqual(before)
  }
  await world.clearFaults('destination')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await orders()).length).toBeGreaterThan(copied)
  expect(await stock()).toEqual(before)
  expect(await told(id)).toEqual([])
  expect(await openRows()).toBe(0)
})

test('D5: a host that is killed while it gives back gives nothing back twice', async () => {
  await aCopiedCatalogue(killed)
  const { id, before } = await cancelledRun()
  const held = await world.fault('destination', { kind: 'hold_after_applying', ...adjusting, times: 1 })
  await pass(2)
  await until('the store keeps its answer', async () =>
    (await world.faults('destination')).some((fault) => fault.id === held && fault.hits > 0),
  )
  await world.killHost('SIGKILL')
  await world.release('destination')
  expect(await stock()).toEqual(before)
  const { rows } = await sql<{ key: string }>`
    select concat_ws('/', product_id, variant_id, location_id) as key from stock_before
    where target is not null order by target - seen desc`.execute(world.database)
  const [most] = rows
  if (!most) throw new Error('The host had recorded what it gave back before it was killed.')
  await setStock(most.key, -1, 'relative')
  await pass(2)
  await world.startHost()
  await givenBack()
  expect(await stock()).toEqual({ ...before, [most.key]: (before[most.key] ?? 0) - 1 })
  expect(await told(id)).toEqual([])
})

test('D5: stock that a store does not let be given back is told after 15 minutes, once, and healed when it does', async () => {
  await aCopiedCatalogue({ separateHost: true })
  const { id, before } = await cancelledRun()
  await world.killHost('SIGKILL')
  const refusedTick = () => tickRefused(world, giveBackLeft)
  await pass(14)
  expect(await refusedTick()).toEqual({ asked: 1, errors: [] })
  expect(await told(id)).toEqual([])
  const untold = await world.detail(id)
  await pass(2)
  const { hash: store } = world.address('destination')
  const errors = [{ organisationId: world.organisationId, store, runId: id }]
  expect(await refusedTick()).toEqual({ asked: 1, errors })
  // Asked again in a minute, and told no more.
  expect(await refusedTick()).toEqual({ asked: 0, errors: [] })
  await pass(2)
  expect(await refusedTick()).toEqual({ asked: 1, errors: [] })
  const [issue, ...others] = await told(id)
  expect(others).toEqual([])
  expect(issue).toMatchObject({ state: 'open', severity: 'warning', item: { sourceId: store } })
  expect(issue?.message).toContain('it has not been possible for 15 minutes')
  expect((await world.detail(id)).counters.warnings).toBe(untold.counters.warnings + 1)
  await pass(2)
  await world.startHost()
  await givenBack()
  expect(await stock()).toEqual(before)
  expect(await told(id)).toMatchObject([{ state: 'healed' }])
})

test('D5: a store that is disconnected while stock is owed to it is told at once, and gets it when it is connected again', async () => {
  await aCopiedCatalogue()
  const { id, before } = await cancelledRun()
  const { hash, token } = world.address('destination')
  await sql`update stores set disconnected_at = now(), token_encrypted = null where hash = ${hash}`.execute(
    world.database,
  )
  await until('it is told', async () => (await told(id)).length > 0)
  expect((await told(id))[0]?.message).toContain('the store was disconnected')
  await pass(5)
  expect(await tickRefused(world, giveBackLeft)).toEqual({ asked: 0, errors: [] })
  expect(await stock()).not.toEqual(before)
  await world.reconnect('destination', token)
  await givenBack()
  expect(await stock()).toEqual(before)
  expect(await told(id)).toMatchObject([{ state: 'healed' }])
})
