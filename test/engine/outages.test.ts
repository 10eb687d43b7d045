import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { occupation } from '../../src/db/runs/admission.ts'
import { isLong, longTest } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { holders } from './held-run.ts'

const entities = ['categories', 'brands', 'products', 'customer-groups', 'customers']

const requestOf = async (world: World, id: string) =>
  (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body

/** Makes a run wait at its first call of this kind, so that a test can take a store away in the middle of it. */
async function runHeldAt(world: World, path: string): Promise<string> {
  const fault = await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path, times: 1 })
  const id = await world.migrate()
  await until('a call is held', async () =>
    (await world.faults('destination')).some((one) => one.id === fault && one.hits > 0),
  )
  return id
}

/** Takes a store away, and answers what was held. */
async function takeAway(world: World, side: Side): Promise<void> {
  await world.fault(side, { kind: 'maintenance', times: null })
  await world.release('destination')
}

const lengths = isLong
  ? (['source', 'destination'] as const).flatMap((side) => [1, 10, 60].map((minutes) => [side, minutes] as const))
  : ([
      ['source', 10],
      ['destination', 1],
    ] as const)

test.each(lengths)(
  'G8: an outage of the %s of %i minutes is waited out: the run says what it waits for, keeps the destination, and goes on where it was',
  async (side, minutes) => {
    const undisturbed = await aWorld({ entities })
    const plain = await undisturbed.complete()
    const pauses: number[] = []
    const seen: { request: MigrationRequest; summary: string; holders: string[]; places: number }[] = []
    let passed = 0
    const world = await aWorld({
      entities,
      skipRetryPauses: true,
      passTime: async (seconds, id) => {
        pauses.push(Math.round(seconds))
        // The usual tries of a call take three quarters of a minute.
        passed += seconds / 60 + 0.75
        const places = await world.database.transaction().execute(occupation)
        seen.push({
          request: await requestOf(world, id),
          summary: (await world.detail(id)).summaryLine,
          holders: await holders(world),
          places: places.inProgressByOrganisation.get(world.organisationId) ?? 0,
        })
        if (passed >= minutes) await world.clearFaults(side)
      },
    })
    const id = await runHeldAt(world, '^/v3/catalog/brands$')
    await takeAway(world, side)
    const run = await world.finished(id)
    expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await counted(world, id)).toEqual(await counted(undisturbed, plain.requestId))
    const { hash } = world.address(side)
    for (const { request, summary, holders, places } of seen) {
      expect(request.waiting).toMatchObject({ system: side, store: hash })
      expect(summary).toMatch(
        new RegExp(
          `^Waiting for the ${side} store ${hash} since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, [\\d.]+% done`,
        ),
      )
      expect(holders).toEqual([id])
      expect(places).toBe(0)
    }
    expect(new Set(seen.map(({ request }) => request.waiting?.since)).size).toBe(1)
    expect(pauses).toEqual([15, 30, 60, 120, 240, ...pauses.slice(5).map(() => 300)].slice(0, pauses.length))
    expect((await requestOf(world, id)).waiting).toBeNull()
    const { rows } = await sql`select from restarts where run_id = ${id}`.execute(world.database)
    expect(rows).toEqual([])
  },
  180_000,
)

test('G8: a store that is away before the first phase is waited for, too', async () => {
  const waits: number[] = []
  const world = await aWorld({
    entities: ['brands'],
    skipRetryPauses: true,
    passTime: async (seconds) => {
      waits.push(seconds)
      await world.clearFaults('destination')
    },
  })
  await world.fault('destination', { kind: 'maintenance', times: null })
  expect(await world.complete()).toMatchObject({ status: 'completed' })
  expect(waits).toHaveLength(1)
})

test('G8: a run that lost its connections to the database goes on at once, and waits only if it still has none', async () => {
  const waits: number[] = []
  const world = await aWorld({
    entities: ['brands'],
    gatedDatabase: true,
    passTime: async (seconds) => {
      waits.push(Math.round(seconds))
      if (waits.length === 3) await world.gate.open()
    },
  })
  const id = await runHeldAt(world, '^/v3/catalog/brands$')
  await world.gate.shut()
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(waits).toEqual([0, 5, 15])
})

/** A world whose run loses its database so often: whenever it is back, until `lost` has come true. */
async function losesItsDatabase(
  times: number,
  lost: (world: World, id: string) => Promise<void>,
  options: { requestTimeoutSeconds?: number } = {},
) {
  const waits: number[] = []
  const world = await aWorld({
    ...options,
    entities: ['brands'],
    gatedDatabase: true,
    passTime: async (seconds, id) => {
      waits.push(Math.round(seconds))
      await world.gate.open()
      if (waits.length < times) void lost(world, id).then(() => world.gate.shut())
    },
  })
  return { world, waits }
}

async function goesOn(world: World, id: string): Promise<void> {
  await until('the run goes on', async () => (await requestOf(world, id)).waiting === null)
}

async function recordsMore(world: World, id: string): Promise<void> {
  const doneOf = async () => (await world.detail(id)).counters.done
  const before = await doneOf()
  await until('more is recorded', async () => (await doneOf()) > before)
}

test('G8: a run that loses the database again whenever it goes on is tried with growing pauses', async () => {
  // Nothing is recorded, not even a time-out, while it goes on for a moment, which on a busy machine takes longer.
  const { world, waits } = await losesItsDatabase(4, goesOn, { requestTimeoutSeconds: 20 })
  const id = await runHeldAt(world, '^/v3/catalog/brands$')
  const brand = { method: 'POST', path: '^/v3/catalog/brands$' }
  await world.fault('destination', { kind: 'slow', ...brand, seconds: 5, times: null })
  await world.gate.shut()
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(waits).toEqual([0, 5, 15, 30])
})

test('G8: a run that gets on with its work whenever the database answers is tried again within seconds', async () => {
  const { world, waits } = await losesItsDatabase(5, recordsMore)
  for (let n = 0; n < 60; n++) await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${n}` })
  const id = await runHeldAt(world, '^/v3/catalog/brands$')
  const brand = { method: 'POST', path: '^/v3/catalog/brands$' }
  await world.fault('destination', { kind: 'slow', ...brand, seconds: 1, times: null })
  await world.gate.shut()
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(waits).toEqual([0, 5, 5, 5, 5])
})

test('G8: a run whose database has no space left waits until it has some, and loses nothing', async () => {
  const waits: number[] = []
  const world = await aWorld({
    entities: ['brands'],
    passTime: async (seconds) => {
      waits.push(Math.round(seconds))
      if (waits.length === 3) await sql`drop trigger no_space on mappings`.execute(world.database)
    },
  })
  const id = await runHeldAt(world, '^/v3/catalog/brands$')
  await sql`
    create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`.execute(world.database)
  await sql`create trigger no_space before insert on mappings execute function no_space()`.execute(world.database)
  await world.release('destination')
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(waits).toEqual([0, 5, 15])
})

test('G8: a run whose database answers for a moment now and then is paused after a day of waiting, too', async () => {
  const world = await aWorld({
    entities: ['brands'],
    gatedDatabase: true,
    passTime: async (_seconds, id) => {
      // As many as a day has.
      await sql`update runs set waiting_tries = 300 where id = ${id}`.execute(world.database)
      await world.gate.open()
      void goesOn(world, id).then(() => world.gate.shut())
    },
  })
  const id = await runHeldAt(world, '^/v3/catalog/brands$')
  await world.gate.shut()
  await world.release('destination')
  await world.finished(id, { status: 'paused' })
  const { failure } = await requestOf(world, id)
  expect(failure?.message).toContain('has waited for 24 hours')
  await world.gate.open()
})

longTest('G8: after a day of waiting the run is paused with the reason, and a resume completes it', async () => {
  const world = await aWorld({
    entities: ['brands'],
    skipRetryPauses: true,
    passTime: async (_seconds, id) => {
      await sql`update runs set waiting_since = waiting_since - interval '24 hours' where id = ${id}`.execute(
        world.database,
      )
    },
  })
  await world.fault('source', { kind: 'maintenance', times: null })
  const id = await world.migrate()
  const paused = await world.finished(id, { status: 'paused' })
  const { failure, waiting, allowedControls } = await requestOf(world, id)
  expect(waiting).toBeNull()
  expect(failure).toMatchObject({
    code: 'store_unreachable',
    message: expect.stringContaining('has waited for 24 hours'),
  })
  expect(paused.summaryLine).toContain(failure?.message)
  expect(allowedControls).toContain('resume')
  expect(await holders(world)).toEqual([])
  await world.clearFaults('source')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await requestOf(world, id)).failure).toBeNull()
})

test('G8: a revoked token pauses the run with the reason; after reconnecting the store a resume completes it', async () => {
  const world = await aWorld({ entities })
  const id = await runHeldAt(world, '^/v3/catalog/brands$')
  await world.token('source', { action: 'revoke' })
  await world.release('destination')
  const paused = await world.finished(id, { status: 'paused' })
  const reason = `The source store ${world.address('source').hash} does not accept its API token.`
  expect(paused.summaryLine).toContain(reason)
  expect((await requestOf(world, id)).failure).toMatchObject({
    code: 'credentials_revoked',
    message: expect.stringContaining(reason),
  })
  const token = await world.token('source', { action: 'replace', token: 'a-new-token-of-the-source' })
  await world.reconnect('source', token ?? '')
  await world.api('POST', `/v2/migrations/${id}/resume`)
  expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
})
