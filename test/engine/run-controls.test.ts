import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../../src/clock.ts'
import { claimRun } from '../../src/db/ledger/leases.ts'
import { findRunToDrive } from '../../src/db/runs/run-life.ts'
import { attemptRun } from '../../src/engine/child/attempt.ts'
import { leaseMs } from '../../src/engine/core/run-lease.ts'
import { startMessage } from '../../src/engine/process/start-message.ts'
import { workerGround } from '../harness/worker-ground.ts'
import type { World } from '../harness/world.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { aWorldWithBrands, brandsSent, heldRun, holders, letGo } from './held-run.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

test('A1: of two runs to one destination, the second stays queued until the first has ended', async () => {
  const world = await aWorldWithBrands()
  const first = await heldRun(world)
  const second = await world.migrate({ entities: ['brands'] })
  // Creating a run admits all that may start.
  const third = await world.migrate({ entities: ['brands'] })
  const statuses = await Promise.all([first, second, third].map(async (id) => (await world.detail(id)).status))
  expect(statuses).toEqual(['in_progress', 'queued', 'queued'])
  expect(await holders(world)).toEqual([first])
  await letGo(world)
  for (const id of [first, second, third]) expect(await world.finished(id)).toMatchObject({ status: 'completed' })
  expect(await holders(world)).toEqual([])
})

test('A2: a pause frees the destination for others, and a resumed run waits for it like any other', async () => {
  const world = await aWorldWithBrands()
  const paused = await heldRun(world, ['brands', 'categories'])
  expect(await world.api('POST', `/v2/migrations/${paused}/pause`)).toMatchObject({ status: 202 })
  await waitUntilChildKnows(world, paused)
  await letGo(world)
  await world.finished(paused, { status: 'paused' })
  expect(await holders(world)).toEqual([])
  await expectCountersToEqualTheLedger(world, paused)
  await world.resetRequests('destination')
  const other = await heldRun(world)
  expect(await holders(world)).toEqual([other])
  expect(await world.api('POST', `/v2/migrations/${paused}/resume`)).toMatchObject({ status: 202 })
  expect((await world.detail(paused)).status).toBe('queued')
  await letGo(world)
  for (const id of [other, paused]) {
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    await expectCountersToEqualTheLedger(world, id)
  }
})

test('A2: what another run copied during a pause is found by the resumed run, and none of it fails', async () => {
  // More than are in flight at a time, so that the pause leaves some unsent.
  const world = await aWorldWithBrands({}, 70)
  const discovered = (await world.state('source')).brands?.length ?? 0
  const paused = await heldRun(world)
  expect(await world.api('POST', `/v2/migrations/${paused}/pause`)).toMatchObject({ status: 202 })
  await waitUntilChildKnows(world, paused)
  await letGo(world)
  await world.finished(paused, { status: 'paused' })
  const { created = 0 } = (await counted(world, paused)).brands ?? {}
  expect(created).toBeGreaterThan(0)
  expect(created).toBeLessThan(discovered)
  await world.complete({ entities: ['brands'] })
  expect(await world.api('POST', `/v2/migrations/${paused}/resume`)).toMatchObject({ status: 202 })
  expect(await world.finished(paused)).toMatchObject({ status: 'completed' })
  expect(await counted(world, paused)).toMatchObject({
    brands: { discovered, created, matched: discovered - created },
  })
  expect(await world.issues(paused)).toEqual([])
  expect(await brandsSent(world)).toHaveLength(discovered)
})

test.each(['pause', 'cancel'])('A7: no write starts later than one second after a %s was accepted', async (what) => {
  const world = await aWorldWithBrands({}, 70)
  const path = '/v3/catalog/brands$'
  await world.fault('destination', { kind: 'slow', method: 'POST', path, seconds: 0.25, times: null })
  const id = await world.migrate({ entities: ['brands'] })
  await expect.poll(async () => (await brandsSent(world)).length, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(await world.api('POST', `/v2/migrations/${id}/${what}`)).toMatchObject({ status: 202 })
  const acceptedMs = Date.now()
  await world.finished(id, { status: what === 'pause' ? 'paused' : 'cancelled' })
  const sent = await brandsSent(world)
  // By the arrival times in the sandbox, on the same machine.
  for (const { at } of sent) expect(Date.parse(String(at))).toBeLessThanOrEqual(acceptedMs + 1_000)
  const { discovered = 0, created = 0, cancelled = 0 } = (await counted(world, id)).brands ?? {}
  expect(created).toBe(sent.length)
  expect(created).toBeLessThan(discovered)
  expect(cancelled).toBe(what === 'cancel' ? discovered - created : 0)
})

test('A7: a run that is cancelled while it still records the last answers of a pause ends as cancelled', async () => {
  const world = await aWorldWithBrands()
  const id = await heldRun(world)
  expect(await world.api('POST', `/v2/migrations/${id}/pause`)).toMatchObject({ status: 202 })
  await waitUntilChildKnows(world, id)
  expect(await world.api('POST', `/v2/migrations/${id}/cancel`)).toMatchObject({ status: 202 })
  await letGo(world)
  expect((await world.finished(id, { status: 'cancelled' })).status).toBe('cancelled')
  expect(await holders(world)).toEqual([])
})

/** Claims a run, as a host does, and works on it by this clock. */
async function takeOver({ database, sandboxUrl }: World, id: string, leaseClock: Clock) {
  const { deps } = await workerGround()
  const run = await findRunToDrive(database, id)
  if (!run) throw new Error(`There is no run ${id}.`)
  const waits = { requestTimeoutMs: 60_000, settleMs: 1_000, leaseMs }
  const { epoch } = await claimRun(database, id, 'another host', waits)
  const settings = {
    bigcommerceApiUrl: sandboxUrl,
    requestTimeoutSeconds: 60,
    settleSeconds: 1,
    outageHours: 24,
    childReserve: 0.1,
    recordDirectory: undefined,
  }
  const start = startMessage(run, epoch, { keyring: deps.keyring, settings, runDatabaseUrl: '' })
  return attemptRun(start, { database, clock: systemClock, leaseClock, log: deps.log })
}

test('A3: an attempt at a run hands it over after six hours', async () => {
  const world = await aWorldWithBrands()
  const id = await heldRun(world)
  let laterMs = 0
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs }
  const attempt = takeOver(world, id, clock)
  await waitUntilChildKnows(world, id)
  laterMs = 6 * 3600 * 1000 - 60_000
  expect(await Promise.race([attempt, waitUntilChildKnows(world, id).then(() => 'still at work')])).toBe(
    'still at work',
  )
  laterMs += 60_000
  expect(await attempt).toEqual({ kind: 'hand-over', because: 'handover' })
  await letGo(world)
})
