import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { until } from '../harness/until.ts'
import { aWorldWithBrands, heldRun, holders, letGo } from './held-run.ts'
import { aLiveShop, expectSoundEnd, runAmongOrders, shopOf } from './live-shop-story.ts'
import { mailSettings } from './mail-story.ts'
import { pass } from './side-effect-story.ts'
import { ordersOf } from './stock-story.ts'

test('G8: a run whose source is away has no process while it waits, and a host goes on with it when the store is back', async () => {
  const world = await aWorldWithBrands({ processes: true, requestTimeoutSeconds: 30 })
  const id = await heldRun(world, ['brands', 'categories', 'products'])
  await world.fault('source', { kind: 'maintenance', times: null })
  await letGo(world)
  // Polling the API would use up the token's requests per minute.
  const resting = sql<{ rests: boolean | null }>`select next_try_at > now() as rests from runs where id = ${id}`
  const rests = async () => (await resting.execute(world.database)).rows[0]?.rests === true
  await until(
    'the run rests without a process',
    async () => (await rests()) && (await world.childPids()).length === 0,
    {
      seconds: 240,
    },
  )
  const { waiting } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
  expect(waiting).toMatchObject({ system: 'source', store: world.address('source').hash })
  expect(await holders(world)).toEqual([id])
  await world.clearFaults('source')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const { rows } = await sql`select from restarts where run_id = ${id}`.execute(world.database)
  expect(rows).toEqual([])
}, 420_000)

test('G8: a pause ends the wait of a run at once, before its next try', async () => {
  const world = await aWorldWithBrands({ processes: true, requestTimeoutSeconds: 30 })
  await world.fault('source', { kind: 'maintenance', times: null })
  const id = await world.migrate({ entities: ['brands'] })
  const isWaiting = sql<{ since: Date | null }>`select waiting_since as since from runs where id = ${id}`
  await until('the run waits', async () => (await isWaiting.execute(world.database)).rows[0]?.since !== null, {
    seconds: 120,
  })
  await sql`update runs set next_try_at = now() + interval '1 hour' where id = ${id}`.execute(world.database)
  expect(await world.api('POST', `/v2/migrations/${id}/pause`)).toMatchObject({ status: 202 })
  expect(await world.finished(id, { status: 'paused', seconds: 30 })).toMatchObject({ status: 'paused' })
}, 240_000)

const away = { error: 'unavailable', message: expect.stringContaining('cannot reach its database') }

test.each([
  1, 10, 60,
])('G8: PostgreSQL away for %i minutes among the orders: the service says so, the run goes on by itself, and mails and stock are right', async (minutes) => {
  const world = await aLiveShop({ processes: true, gatedDatabase: true, requestTimeoutSeconds: 10 })
  const before = await shopOf(world)
  const id = await runAmongOrders(world)
  await world.gate.shut()
  await letGo(world)
  await until('its process has ended', async () => (await world.childPids()).length === 0, { seconds: 120 })
  expect((await world.api('GET', `/v2/migrations/${id}`)).body).toMatchObject(away)
  await pass(world, minutes)
  await world.gate.open()
  await expectSoundEnd(world, id, before)
  const { rows } = await sql`select reason from restarts where run_id = ${id}`.execute(world.database)
  expect(rows).toEqual([])
}, 420_000)

test('G8: the service dead for a day among the orders: hosts that start put mails and stock right, and the run goes on by itself', async () => {
  const world = await aLiveShop({ separateHost: true, requestTimeoutSeconds: 10 })
  const before = await shopOf(world)
  const id = await runAmongOrders(world)
  await world.killHost('SIGKILL')
  await letGo(world)
  await pass(world, 24 * 60)
  await world.startHost()
  await expectSoundEnd(world, id, before)
}, 420_000)

test('G8: a host without room for the run of a dead host puts its mails right within five minutes', async () => {
  const world = await aLiveShop({
    hosts: 2,
    settings: { maxRuns: 1 },
    moreStores: ['another'],
    // For so long the other host is busy with each brand.
    requestTimeoutSeconds: 30,
  })
  const before = await shopOf(world)
  const id = await runAmongOrders(world)
  const at = (await world.childPids(0)).length > 0 ? 0 : 1
  // The only slot of the other host.
  await world.fault('another', {
    kind: 'hold_after_applying',
    method: 'POST',
    path: '^/v3/catalog/brands$',
    times: null,
  })
  await world.migrate({ entities: ['brands'], destination: 'another' })
  await until('the other host is busy', async () => (await world.childPids(1 - at)).length > 0)
  await world.killHost('SIGKILL', at)
  const orders = await ordersOf(world)
  await pass(world, 4.5)
  await until('mails are on', async () => isDeepStrictEqual(await mailSettings(world), before.mails))
  // It has only put the mails right, and not gone on.
  expect(await world.childPids(1 - at)).toHaveLength(1)
  expect(await ordersOf(world)).toHaveLength(orders.length)
  await letGo(world)
  await world.clearFaults('another')
  await world.release('another')
  await expectSoundEnd(world, id, before)
}, 420_000)
