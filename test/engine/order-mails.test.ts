import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { tellingOfMails } from '../../src/engine/mail-settings.ts'
import { unmuteLeft } from '../../src/engine/unmute-left.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { heard } from './heard.ts'
import { tickRefused } from './tick-refused.ts'

/** Nobody hears of orders that are copied, and everybody of those that come afterwards (D5). */
const entities = ['currencies', 'orders']
const creating = { method: 'POST', path: '^/v2/orders$' } as const
const statuses = '/v3/settings/email-statuses'
const notices = '/v3/orders/settings'

let world: World
beforeEach(() => world?.stop())
afterAll(() => world?.stop())

/** A destination whose merchant and shoppers get mails; the store and its channel say so, each for itself. */
async function aTalkativeShop(options: WorldOptions = {}): Promise<World> {
  // Longer than a story holds an order: the run cannot end before its answer is let go.
  world = await startWorld({ requestTimeoutSeconds: 30, ...options })
  await callStore(world, 'destination', 'PUT', statuses, { combined_order_status_email: true })
  await callStore(world, 'destination', 'PUT', `${statuses}?channel_id=1`, {
    ...(await channelStatuses()),
    invoice_email: true,
  })
  const staff = { order_placed: { email_addresses: ['staff@example.com'] }, forward_invoice: { email_addresses: [] } }
  await callStore(world, 'destination', 'PUT', notices, { notifications: staff })
  return world
}

const channelStatuses = () => callStore(world, 'destination', 'GET', `${statuses}?channel_id=1`)

async function settings(): Promise<unknown[]> {
  const paths = [statuses, `${statuses}?channel_id=1`, notices, `${notices}/channels/1`]
  return Promise.all(paths.map((path) => callStore(world, 'destination', 'GET', path)))
}

const mails = async () => (await world.state('destination')).outbox ?? []
const orders = async () => (await world.state('destination')).orders ?? []
const shipments = async () => (await world.state('destination')).order_shipments ?? []

async function openRows(): Promise<string[]> {
  const { rows } = await sql<{ setting: string }>`select setting from muted_settings order by setting`.execute(
    world.database,
  )
  return rows.map(({ setting }) => setting)
}

/** A run that has switched mails off, and waits for the answer to an order. */
async function runHeldAtAnOrder(body: object = {}): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...creating, times: 1 })
  const id = await world.migrate({ entities, ...body })
  await until('an order is under way', async () => (await openRows()).length > 0 && (await orders()).length > 0, {
    seconds: 60,
  })
  return id
}

async function cancel(id: string): Promise<void> {
  await world.api('POST', `/v2/migrations/${id}/cancel`)
  await heard(world, id)
  await world.release('destination')
  await world.finished(id, { status: 'cancelled' })
}

/** A cancelled run whose destination refuses to be switched on again. */
async function runThatLeavesThemOff(): Promise<string> {
  const id = await runHeldAtAnOrder()
  const refusing = { kind: 'error_before_applying', method: 'PUT', path: 'settings', status: 422, times: null } as const
  await world.fault('destination', refusing)
  await cancel(id)
  return id
}

test.each([
  ['bare', false],
  ['inside `data`', true],
])('D5: no mail is sent while orders and shipments are copied, and the settings, which come %s, are afterwards as they were', async (_, order_settings_in_data) => {
  await aTalkativeShop({ switches: { destination: { order_settings_in_data } } })
  const before = await settings()
  const run = await world.complete({ entities })
  expect(run.failuresOpen).toBe(0)
  expect((await shipments()).length).toBeGreaterThan(0)
  expect(await mails()).toEqual([])
  expect(await settings()).toEqual(before)
  expect(await openRows()).toEqual([])
})

test('the same run with muting switched off writes to shoppers and staff', async () => {
  await aTalkativeShop()
  const before = await settings()
  await world.complete({ entities, muteMails: false })
  const told = new Set((await mails()).map((mail) => mail.for))
  expect(told).toEqual(new Set(['shopper', 'staff']))
  expect(await settings()).toEqual(before)
})

test('D5: a pause gives the settings back, also for a weekend, and what follows is as silent', async () => {
  await aTalkativeShop()
  const before = await settings()
  const id = await runHeldAtAnOrder()
  expect(await settings()).not.toEqual(before)
  await world.api('POST', `/v2/migrations/${id}/pause`)
  await heard(world, id)
  await world.release('destination')
  await world.finished(id, { status: 'paused' })
  expect(await settings()).toEqual(before)
  expect(await openRows()).toEqual([])
  await sql`update runs set updated_at = updated_at - interval '3 days' where id = ${id}`.execute(world.database)
  await world.api('POST', `/v2/migrations/${id}/resume`)
  await world.finished(id)
  expect(await mails()).toEqual([])
  expect(await settings()).toEqual(before)
})

test('D5: a store that answers slowly is muted and given its settings back all the same, by one process at a time', async () => {
  await aTalkativeShop()
  const before = await settings()
  // Longer than the database waits for a process that holds a lock and asks nothing.
  const slowly = { kind: 'slow', seconds: 10, method: 'PUT', path: `^${statuses}$`, times: 2 } as const
  const id = await world.fault('destination', slowly)
  const run = await world.migrate({ entities })
  expect(await world.finished(run, { seconds: 120 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).find((fault) => fault.id === id)?.hits).toBe(2)
  expect(await mails()).toEqual([])
  expect(await settings()).toEqual(before)
  expect(await openRows()).toEqual([])
  const { rows } = await sql`select epoch from run_leases where run_id = ${run}`.execute(world.database)
  expect(rows).toEqual([{ epoch: 1 }])
})

test.each([
  'error_before_applying',
  'error_after_applying',
  'reset_after_applying',
  'hold_after_applying',
] as const)('D5: a setting whose answer is lost (%s) is put again by the same process', async (kind) => {
  await aTalkativeShop({ requestTimeoutSeconds: 1 })
  const before = await settings()
  const id = await world.fault('destination', { kind, method: 'PUT', path: `^${statuses}$`, times: 2 })
  const run = await world.migrate({ entities })
  expect(await world.finished(run)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await world.faults('destination')).find((fault) => fault.id === id)?.hits).toBe(2)
  expect(await mails()).toEqual([])
  expect(await settings()).toEqual(before)
  expect(await openRows()).toEqual([])
  expect((await sql`select reason from restarts where run_id = ${run}`.execute(world.database)).rows).toEqual([])
})

test('D5: a cancelled run gives the settings back', async () => {
  await aTalkativeShop()
  const before = await settings()
  const id = await runHeldAtAnOrder()
  await cancel(id)
  expect(await settings()).toEqual(before)
  expect(await mails()).toEqual([])
})

test('D5: a run whose process was killed goes on in silence, and gives back what its first process had found', async () => {
  await aTalkativeShop({ separateHost: true, requestTimeoutSeconds: 5 })
  const before = await settings()
  const id = await runHeldAtAnOrder()
  await world.killChild()
  await world.release('destination')
  const run = await world.finished(id, { seconds: 120 })
  expect(run.status).toBe('completed')
  expect(await mails()).toEqual([])
  expect(await settings()).toEqual(before)
})

test('D5: what the merchant changes meanwhile stays, the rest is put back', async () => {
  await aTalkativeShop()
  const [before] = (await settings()) as Record<string, unknown>[]
  const id = await runHeldAtAnOrder()
  await callStore(world, 'destination', 'PUT', statuses, {
    return_confirmation_email: false,
    product_review_email: true,
  })
  await callStore(world, 'destination', 'PUT', notices, {
    notifications: { order_placed: { email_addresses: ['new@example.com'] } },
  })
  await world.release('destination')
  await world.finished(id)
  const [after, , told] = (await settings()) as Record<string, unknown>[]
  expect(after).toEqual({ ...before, product_review_email: true })
  expect(told).toMatchObject({ notifications: { order_placed: { email_addresses: ['new@example.com'] } } })
})

test('D5: a run that begins while settings are still off ends with those of before the first, and a host puts back what none comes to', async () => {
  await aTalkativeShop()
  const before = await settings()
  const id = await runThatLeavesThemOff()
  expect((await openRows()).length).toBeGreaterThan(0)
  await world.clearFaults('destination')
  await world.complete({ entities })
  expect(await settings()).toEqual(before)
  expect(await mails()).toEqual([])

  await sql`insert into muted_settings (platform, store_hash, setting, organisation_id, destination_store_id, run_id, original, ours, tried_at)
    select 'BC', dst.hash, 'email-statuses', run.organisation_id, dst.id, run.id, '{"invoice_email": true}', '{"invoice_email": false}', now() - interval '2 minutes'
    from runs run join stores dst on dst.id = run.destination_store_id where run.id = ${id}`.execute(world.database)
  await callStore(world, 'destination', 'PUT', statuses, { invoice_email: false })
  await until('a host has put it back', async () => (await openRows()).length === 0, { seconds: 30 })
  expect(await settings()).toEqual(before)
})

const refusedTick = () => tickRefused(world, unmuteLeft)

/** As if so much time had passed since a run ended. */
async function pass(minutes: number): Promise<void> {
  const earlier = (column: string) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${minutes} * interval '1 minute'`
  await sql`update muted_settings set ${earlier('since')}, ${earlier('tried_at')}`.execute(world.database)
  await sql`update runs set ${earlier('finished_at')}`.execute(world.database)
}

const tellings = async (id: string) => {
  const { code } = tellingOfMails('')
  return (await world.issues(id)).filter((issue) => issue.code === code)
}

test('D5: mails that a store does not take back are told after 15 minutes, once, and when it takes them that is healed', async () => {
  await aTalkativeShop({ separateHost: true })
  const before = await settings()
  const id = await runThatLeavesThemOff()
  await world.killHost('SIGKILL')
  await pass(14)
  expect(await refusedTick()).toEqual({ asked: 1, errors: [] })
  expect(await tellings(id)).toEqual([])
  const untold = await world.detail(id)
  await pass(2)
  const { hash: store } = world.address('destination')
  const errors = [{ organisationId: world.organisationId, store, runId: id }]
  expect(await refusedTick()).toEqual({ asked: 1, errors })
  // Asked again in a minute, and told no more.
  expect(await refusedTick()).toEqual({ asked: 0, errors: [] })
  const [told, ...others] = await tellings(id)
  expect(others).toEqual([])
  expect(told).toMatchObject({ state: 'open', severity: 'warning', item: { sourceId: store } })
  for (const setting of await openRows()) expect(told?.message).toContain(setting)
  expect((await world.detail(id)).counters.warnings).toBe(untold.counters.warnings + 1)

  await world.clearFaults('destination')
  await pass(2)
  await world.startHost()
  await until('a host has put it back', async () => (await openRows()).length === 0, { seconds: 60 })
  expect(await settings()).toEqual(before)
  expect(await tellings(id)).toMatchObject([{ state: 'healed' }])
})

test('D5: a store that is disconnected with its mails off is told at once, and put right when it is connected again', async () => {
  await aTalkativeShop({ separateHost: true })
  const before = await settings()
  const id = await runThatLeavesThemOff()
  const { hash, token } = world.address('destination')
  await sql`update stores set disconnected_at = now(), token_encrypted = null where hash = ${hash}`.execute(
    world.database,
  )
  await world.clearFaults('destination')
  await until('it is told', async () => (await tellings(id)).length > 0, { seconds: 30 })
  expect((await tellings(id))[0]?.message).toContain('the store was disconnected')
  await pass(5)
  expect(await refusedTick()).toEqual({ asked: 0, errors: [] })
  expect(await settings()).not.toEqual(before)
  await world.reconnect('destination', token)
  await until('a host has put it back', async () => (await openRows()).length === 0, { seconds: 60 })
  expect(await settings()).toEqual(before)
})
