import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { isAlive } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'
import { aWorldWithBrands, brandsSent, heldRun, letGo, liveJobs, patientSeconds, untilDraining } from './held-run.ts'

const entities = ['brands']

describe('the process of a run', () => {
  let world: World
  let id: string
  let environment: string[]
  let begun: string[]
  beforeAll(async () => {
    world = await startWorld({ separateHost: true, requestTimeoutSeconds: patientSeconds, catalogueOnly: true })
    id = await heldRun(world)
    const [pid, ...others] = await world.childPids()
    expect(others).toEqual([])
    environment = (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0')
    begun = (await readFile(`/proc/${pid}/cmdline`, 'latin1')).split('\0')
    await letGo(world)
    await world.finished(id)
  })
  afterAll(() => world?.stop())

  test('S20: arguments and environment of the process of a run hold no secret', () => {
    expect(environment.map((text) => text.split('=')[0])).toContain('TZ')
    const seen = [...environment, ...begun].join('\0')
    const secrets = [world.address('source').token, world.address('destination').token, 'postgres://']
    for (const secret of secrets) expect(seen).not.toContain(secret)
    expect(seen).not.toMatch(/TOKEN|KEY|SECRET|PASSWORD|DATABASE_URL/)
  })

  test('A6: the heap of a run ends 128 MiB below its memory', async () => {
    const memory = sql<{ mib: number }>`select mem_mib as mib from runs where id = ${id}`
    expect((await memory.execute(world.database)).rows).toEqual([{ mib: 256 }])
    expect(begun).toContain('--max-old-space-size=128')
  })
})

test('A3: a draining host hands its run over with one job and all answers recorded, and the next host completes it', async () => {
  const world = await aWorldWithBrands({ separateHost: true })
  const id = await heldRun(world, ['brands', 'categories'])
  const ended = world.killHost('SIGTERM')
  await untilDraining(world)
  await letGo(world)
  await ended
  expect(await liveJobs(world, id)).toEqual(['created'])
  expect((await world.detail(id)).status).toBe('in_progress')
  // Calls in flight were answered and recorded.
  const sent = (await brandsSent(world)).length
  expect(await counted(world, id)).toMatchObject({ brands: { discovered: 12, created: sent }, categories: {} })
  await world.startHost()
  expect(await world.finished(id)).toMatchObject({ status: 'completed' })
  expect(await brandsSent(world)).toHaveLength(12)
  await expectCountersToEqualTheLedger(world, id)
})

test('A3: Ctrl-C, which reaches the processes of runs as well, hands runs over with all answers recorded', async () => {
  const world = await aWorldWithBrands({ separateHost: true })
  const id = await heldRun(world)
  for (const pid of await world.childPids()) process.kill(Number(pid), 'SIGINT')
  const ended = world.killHost('SIGINT')
  await untilDraining(world)
  await letGo(world)
  await ended
  const sent = (await brandsSent(world)).length
  expect(await counted(world, id)).toMatchObject({ brands: { discovered: 12, created: sent } })
  expect((await sql`select from restarts where run_id = ${id}`.execute(world.database)).rows).toEqual([])
  await world.startHost()
  expect(await world.finished(id)).toMatchObject({ status: 'completed' })
  expect(await brandsSent(world)).toHaveLength(12)
})

longTest(
  'A4: a process whose run was claimed by another records nothing more, and its successor settles what it left',
  async () => {
    const world = await aWorldWithBrands({ separateHost: true, requestTimeoutSeconds: 3 })
    const { database } = world
    const id = await heldRun(world, entities)
    const [replaced] = await world.childPids()
    await sql`update run_leases set epoch = epoch + 1 where run_id = ${id}`.execute(database)
    await letGo(world)
    await until('the replaced process has ended', async () => !(await isAlive(Number(replaced))))
    // Its answers came after the claim: the brands exist, and nothing may be recorded about them yet.
    const existing = (await world.state('destination')).brands?.length ?? 0
    const mappings = sql`select from mappings_of_pairs where component = 'brands'`
    expect(existing).toBeGreaterThanOrEqual(4)
    expect((await mappings.execute(database)).rows).toHaveLength(0)
    expect((await sql`select from intents where run_id = ${id}`.execute(database)).rows).toHaveLength(existing)
    expect(await counted(world, id)).toEqual({ brands: { discovered: 12 }, 'brand-metafields': {} })
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await brandsSent(world)).toHaveLength(12)
    expect((await mappings.execute(database)).rows).toHaveLength(12)
    await expectCountersToEqualTheLedger(world, id)
  },
)

test('A5: the process of a run exits when its host is gone, and the next host completes the run', async () => {
  const world = await aWorldWithBrands({ separateHost: true, requestTimeoutSeconds: 3 })
  const id = await heldRun(world, entities)
  const [child] = await world.childPids()
  // Resolves when the host and its children have ended.
  await world.killHost('SIGKILL')
  expect(await isAlive(Number(child))).toBe(false)
  // Hosts free the job. The queue alone would do so after an hour.
  await sql`update pgboss.job set heartbeat_seconds = 3600 where singleton_key = ${id}`.execute(world.database)
  await letGo(world)
  await world.startHost()
  expect(await world.finished(id)).toMatchObject({ status: 'completed' })
  expect(await brandsSent(world)).toHaveLength(12)
})
