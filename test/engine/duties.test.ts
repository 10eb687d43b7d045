import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DutyDeps, retryDuties } from '../../src/engine/retry-duties.ts'
import { startWorld, type World } from '../harness/world.ts'
import { heard } from './heard.ts'

/** What runs leave to be done at the end, and the hosts that do it; the host is a process of its own, so that it can be away. */
let world: World
const phases = ['promotions']
const switches = '^/v3/promotions/\\d+$'

beforeAll(async () => {
  // Longer than a story holds an answer.
  world = await startWorld({ separateHost: true, requestTimeoutSeconds: 30 })
  await world.complete()
})
afterAll(() => world?.stop())

async function named(side: 'source' | 'destination', name: string) {
  return ((await world.state(side)).promotions ?? []).find((row) => row.name === name)
}

/** A promotion like one of the source that lives, with a name of its own. */
async function another(name: string): Promise<void> {
  const like = await named('source', 'Promotion 4')
  const { id } = await world.change('source', { op: 'double', table: 'promotions', id: Number(like?.id) })
  await world.change('source', { op: 'set', table: 'promotions', id: Number(id), fields: { name } })
}

const statusOf = async (name: string) => (await named('destination', name))?.status

interface OpenDuty {
  due: boolean
  told: boolean
}

async function duties(): Promise<OpenDuty[]> {
  const { rows } = await sql<OpenDuty>`
    select due_at is not null as due, told_at is not null as told from duties`.execute(world.database)
  return rows
}

/** As if all that was done to the duties, and the runs they come from, had been longer ago. */
async function pass(minutes: number): Promise<void> {
  const longer = sql`make_interval(mins => ${minutes})`
  await sql`
    update duties set since = since - ${longer}, due_at = due_at - ${longer}, tried_at = tried_at - ${longer}`.execute(
    world.database,
  )
  await sql`update runs set finished_at = finished_at - ${longer}`.execute(world.database)
}

/** What a host does with every tick, without a store behind it. */
async function tick(): Promise<{ writes: { method: string; body?: unknown }[]; errors: object[] }> {
  const writes: { method: string; body?: unknown }[] = []
  const errors: object[] = []
  const deps: DutyDeps = {
    database: world.database,
    log: { info: () => undefined, warn: () => undefined, error: (fields) => errors.push(fields) },
    openStore: () => ({
      get: () => Promise.reject(new Error('Nothing is read.')),
      write: async <T>({ method, body, beforeSend }: Parameters<ReturnType<DutyDeps['openStore']>['write']>[0]) => {
        await beforeSend?.()
        writes.push({ method, body })
        return { httpStatus: 200, headers: {}, latencyMs: 1, body: {} as T }
      },
    }),
    leaveStores: () => Promise.resolve(),
  }
  await retryDuties(deps, new AbortController().signal)
  return { writes, errors }
}

const refuseSwitches = (times: number) =>
  world.fault('destination', { kind: 'error_before_applying', method: 'PUT', path: switches, status: 422, times })

const leftDisabled = async (id: string) =>
  (await world.issues(id)).filter(({ code }) => code === 'left_disabled').map(({ state }) => state)

test('D5: a host does what the platform refused to a run, once the run has ended', async () => {
  await another('Refused once')
  await refuseSwitches(1)
  const run = await world.complete({ entities: phases })
  expect(await statusOf('Refused once')).toBe('DISABLED')
  expect(await leftDisabled(run.requestId)).toEqual(['open'])
  expect(await duties()).toEqual([{ due: true, told: false }])
  await pass(2)
  await expect.poll(duties, { timeout: 20_000 }).toEqual([])
  expect(await statusOf('Refused once')).toBe('ENABLED')
  expect(await leftDisabled(run.requestId)).toEqual(['healed'])
})

test('D5: no host switches on what a run that was cancelled had not come to: all else is not done', async () => {
  await another('Cancelled')
  await world.fault('destination', { kind: 'hold_after_applying', method: 'POST', path: '^/v3/promotions$', times: 1 })
  const id = await world.migrate({ entities: phases })
  await expect.poll(() => statusOf('Cancelled'), { timeout: 20_000 }).toBe('DISABLED')
  await world.api('POST', `/v2/migrations/${id}/cancel`)
  await heard(world, id)
  await world.release('destination')
  expect((await world.finished(id)).status).toBe('cancelled')
  expect(await duties()).toEqual([{ due: false, told: false }])
  await world.killHost('SIGKILL')
  await pass(5)
  expect(await tick()).toEqual({ writes: [], errors: [] })
  expect(await duties()).toEqual([{ due: false, told: false }])
})

test('D5: one that waits for more than 15 minutes is an issue and tells the administrator, once', async () => {
  const ended = await sql<{ id: string }>`select id from runs where status = 'cancelled'`.execute(world.database)
  const id = ended.rows[0]?.id ?? ''
  expect(await leftDisabled(id)).toEqual([])
  await pass(11)
  const { writes, errors } = await tick()
  expect(writes).toEqual([])
  const copy = await named('destination', 'Cancelled')
  const original = await named('source', 'Cancelled')
  expect(errors).toEqual([
    {
      organisationId: world.organisationId,
      store: world.address('destination').hash,
      component: 'promotions',
      sourceId: String(original?.id),
      destinationId: String(copy?.id),
      runId: id,
    },
  ])
  const [issue] = (await world.issues(id)).filter(({ code }) => code === 'left_disabled')
  expect(issue?.message).toContain('the migration ended before all else was copied')
  expect((await world.detail(id)).counters.warnings).toBe(1)
  expect((await tick()).errors).toEqual([])
  expect(await duties()).toEqual([{ due: false, told: true }])
})

test('D5: no host writes while a run over the pair is not over, and none does what an item still lacks something for', async () => {
  await sql`update duties set due_at = now(), tried_at = now() - interval '2 minutes'`.execute(world.database)
  const become = (status: string) =>
    sql`update runs set status = ${status} where mode = 'full' and phase = 'promotions'`
  await become('paused').execute(world.database)
  expect((await tick()).writes).toEqual([])
  await become('cancelled').execute(world.database)
  const owing = (owed: string[]) =>
    sql`update mappings set owed = ${owed} where (component, source_id) in (select component, source_id from duties)`
  await owing(['reference:products:1']).execute(world.database)
  expect((await tick()).writes).toEqual([])
  await owing([]).execute(world.database)
  expect((await tick()).writes).toEqual([{ method: 'PUT', body: { status: 'ENABLED' } }])
  expect(await duties()).toEqual([])
})
