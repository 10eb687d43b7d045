import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { inAWorld } from '../kills/in-a-world.ts'
import { callStore } from './call-store.ts'
import { counted, expectCountersToEqualTheLedger } from './counted.ts'

/** Each in a world of its own, three at a time: they mostly wait. A call that is held is given up after these seconds. */
function story(title: string, tell: (world: World) => Promise<void>, requestTimeoutSeconds = 3): void {
  test(title, () =>
    inAWorld({ requestTimeoutSeconds }, async (world) => {
      for (let n = 0; n < 8; n++) await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${n}` })
      await tell(world)
    }),
  )
}

/** A busy machine may take seconds to tell what is held: a call given up by then would be answered to nobody. */
const patientSeconds = 60

const brands = { method: 'POST', path: '/v3/catalog/brands$' }

interface RunRow {
  status: string
  tier: string
  mem_mib: number
  failure_code: string | null
  failure_message: string | null
}

async function row(world: World, id: string): Promise<RunRow | undefined> {
  return (
    await sql<RunRow>`select status, tier, mem_mib, failure_code, failure_message from runs where id = ${id}`.execute(
      world.database,
    )
  ).rows[0]
}

/** States of the queue's jobs for a run that still stand for work. */
async function liveJobs(world: World, id: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state::text from pgboss.job where name = 'runs' and singleton_key = ${id} and state in ('created', 'retry', 'active')`.execute(
    world.database,
  )
  return rows.map(({ state }) => state)
}

async function leases(world: World): Promise<string[]> {
  return (await sql<{ run_id: string }>`select run_id from destination_leases`.execute(world.database)).rows.map(
    ({ run_id }) => run_id,
  )
}

/** A run of twelve brands: the first four are on the wire and stay there, the others take their time. */
async function heldRun(world: World, entities = ['brands']): Promise<string> {
  await forgetBrands(world)
  await world.fault('destination', { kind: 'hold_after_applying', ...brands, times: 4 })
  await world.fault('destination', { kind: 'slow', ...brands, times: null, seconds: 1 })
  const id = await world.migrate({ entities })
  await until(
    'four brands are held',
    async () => (await brandsSent(world)).filter(({ status }) => status === null).length >= 4,
  )
  return id
}

/** The host is told to end while answers are held; they come when it has told its run, so that no more is sent after them. */
async function endHostInOrder(world: World): Promise<void> {
  const ended = world.killHost('SIGTERM')
  await until('the host takes no more runs', async () => {
    const { rows } = await sql`select 1 from worker_hosts`.execute(world.database)
    return rows.length === 0
  })
  await world.release('destination')
  await ended
}

async function brandsSent(world: World) {
  return (await world.requests('destination', 'POST')).filter(({ path }) => path === '/v3/catalog/brands')
}

/** As if the destination had never seen a brand. */
async function forgetBrands(world: World): Promise<void> {
  for (const { id } of (await world.state('destination')).brands ?? [])
    await world.change('destination', { op: 'remove', table: 'brands', id })
  for (const { id, resource } of (await world.state('destination')).urls ?? [])
    if (resource === 'brand') await world.change('destination', { op: 'remove', table: 'urls', id })
  await sql`delete from mappings where component = 'brands'`.execute(world.database)
  await world.resetRequests('destination')
}

describe.concurrent('processes of runs', { timeout: 300_000 }, () => {
  story(
    'A1: of two runs to one destination the second waits, queued and without a job, until the first has ended',
    async (world) => {
      const first = await heldRun(world)
      const second = await world.migrate({ entities: ['brands'] })
      // Whoever admits has looked at it: the API does with every creation, the host with every tick.
      const third = await world.migrate({ entities: ['brands'] })
      expect([await row(world, first), await row(world, second), await row(world, third)]).toMatchObject([
        { status: 'in_progress' },
        { status: 'queued' },
        { status: 'queued' },
      ])
      expect([await liveJobs(world, second), await liveJobs(world, third)]).toEqual([[], []])
      expect(await leases(world)).toEqual([first])
      await world.release('destination')
      for (const id of [first, second, third]) expect(await world.finished(id)).toMatchObject({ status: 'completed' })
      expect(await leases(world)).toEqual([])
    },
  )

  story('A2: a pause frees the destination for others, and a resume waits for it like any other run', async (world) => {
    // Whatever of the brands is on the wire by now, the products are not.
    const paused = await heldRun(world, ['brands', 'products'])
    expect(await world.api('POST', `/v2/migrations/${paused}/pause`)).toMatchObject({ status: 202 })
    await world.release('destination')
    await world.finished(paused, { status: 'paused' })
    expect(await leases(world)).toEqual([])
    await expectCountersToEqualTheLedger(world, paused)
    const other = await heldRun(world)
    expect(await leases(world)).toEqual([other])
    expect(await world.api('POST', `/v2/migrations/${paused}/resume`)).toMatchObject({ status: 202 })
    expect(await row(world, paused)).toMatchObject({ status: 'queued' })
    expect(await liveJobs(world, paused)).toEqual([])
    await world.release('destination')
    for (const id of [other, paused]) {
      const run = await world.finished(id)
      expect((await world.issues(id)).filter(({ severity }) => severity === 'failure')).toEqual([])
      expect(run).toMatchObject({ status: 'completed' })
      await expectCountersToEqualTheLedger(world, id)
    }
  })

  story('A2: what another run copied during a pause is found there, and nothing of it fails', async (world) => {
    // More than are under way at once, so that the pause leaves some that were planned and never sent.
    const extra = Array.from({ length: 80 }, (_, n) => ({ name: `Another ${n}` }))
    await Promise.all(extra.map((brand) => callStore(world, 'source', 'POST', '/v3/catalog/brands', brand)))
    const paused = await heldRun(world)
    expect(await world.api('POST', `/v2/migrations/${paused}/pause`)).toMatchObject({ status: 202 })
    await world.clearFaults('destination')
    await world.release('destination')
    await world.finished(paused, { status: 'paused' })
    const { created = 0, discovered } = (await counted(world, paused)).brands ?? {}
    expect(discovered).toBe(92)
    expect(created).toBeLessThan(92)
    await world.complete({ entities: ['brands'] })
    expect(await world.api('POST', `/v2/migrations/${paused}/resume`)).toMatchObject({ status: 202 })
    expect(await world.finished(paused)).toMatchObject({ status: 'completed' })
    expect(await counted(world, paused)).toMatchObject({ brands: { discovered: 92, created, matched: 92 - created } })
    await expectCountersToEqualTheLedger(world, paused)
    expect(await world.issues(paused)).toEqual([])
    expect(await brandsSent(world)).toHaveLength(92)
  })

  story(
    'A1: without a host nothing is let in, and an admitted run whose job is lost gets another one',
    async (world) => {
      const id = await heldRun(world)
      await endHostInOrder(world)
      expect(await liveJobs(world, id)).toEqual(['created'])
      await sql`delete from pgboss.job where singleton_key = ${id}`.execute(world.database)
      const waiting = await world.migrate({ entities: ['categories'] })
      expect(await row(world, waiting)).toMatchObject({ status: 'queued' })
      await world.startHost()
      for (const run of [id, waiting]) {
        expect(await world.finished(run)).toMatchObject({ status: 'completed' })
        await until('its job has ended', async () => (await liveJobs(world, run)).length === 0)
      }
    },
    patientSeconds,
  )

  story(
    'S20: arguments and environment of the process of a run hold no secret; A6: its heap ends 128 MiB below its memory',
    async (world) => {
      const id = await heldRun(world)
      const [pid, ...others] = await world.childPids()
      expect(others).toEqual([])
      const seen = `${await readFile(`/proc/${pid}/environ`, 'latin1')}\0${await readFile(`/proc/${pid}/cmdline`, 'latin1')}`
      expect(
        seen
          .split('\0')
          .filter((text) => text !== '' && !text.startsWith('-') && !text.startsWith('/'))
          .map((text) => text.split('=')[0]),
      ).toEqual(expect.arrayContaining(['TZ']))
      const password = new URL(String(process.env.DATABASE_URL ?? 'postgres://none')).password
      const secrets = [
        world.address('source').token,
        world.address('destination').token,
        'postgres://',
        ...(password ? [password] : []),
      ]
      for (const secret of secrets) expect(seen).not.toContain(secret)
      expect(seen).not.toMatch(/TOKEN|KEY|SECRET|PASSWORD|DATABASE_URL/)
      expect(await row(world, id)).toMatchObject({ mem_mib: 256 })
      expect(seen.split('\0')).toContain('--max-old-space-size=128')
      await world.release('destination')
      await world.finished(id)
    },
  )

  story(
    'A3: a host that is told to stop hands its run over: one job, recorded answers, and the next host completes it',
    async (world) => {
      const id = await heldRun(world, ['brands', 'products'])
      await endHostInOrder(world)
      expect(await liveJobs(world, id)).toEqual(['created'])
      expect(await row(world, id)).toMatchObject({ status: 'in_progress' })
      // What was on the wire was answered and is recorded.
      const sent = (await brandsSent(world)).length
      expect(await counted(world, id)).toMatchObject({ brands: { discovered: 12, created: sent }, products: {} })
      await world.startHost()
      expect(await world.finished(id)).toMatchObject({ status: 'completed' })
      expect(await brandsSent(world)).toHaveLength(12)
      await expectCountersToEqualTheLedger(world, id)
    },
    patientSeconds,
  )

  story(
    'A4: a process whose run was claimed by another records nothing more, and its successor settles what it left',
    async (world) => {
      const id = await heldRun(world)
      const [replaced] = await world.childPids()
      await sql`update run_leases set epoch = epoch + 1 where run_id = ${id}`.execute(world.database)
      await world.release('destination')
      await until('the replaced process has ended', async () => !(await isAlive(Number(replaced))))
      // Its answers came after the claim: the brands stand there and nobody may say so yet.
      const standing = (await world.state('destination')).brands?.length ?? 0
      expect(standing).toBeGreaterThanOrEqual(4)
      expect((await sql`select 1 from mappings where component = 'brands'`.execute(world.database)).rows).toEqual([])
      expect((await sql`select 1 from intents where run_id = ${id}`.execute(world.database)).rows).toHaveLength(
        standing,
      )
      expect(await counted(world, id)).toEqual({ brands: { discovered: 12 }, 'brand-metafields': {} })
      expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
      expect(await brandsSent(world)).toHaveLength(12)
      expect((await sql`select 1 from mappings where component = 'brands'`.execute(world.database)).rows).toHaveLength(
        12,
      )
      await expectCountersToEqualTheLedger(world, id)
    },
  )

  story('A5: the process of a run ends when its host is gone', async (world) => {
    const id = await heldRun(world)
    const [child] = await world.childPids()
    // Resolves when the host and the children it had have ended.
    await world.killHost('SIGKILL')
    expect(await isAlive(Number(child))).toBe(false)
    await world.release('destination')
    await world.startHost()
    expect(await world.finished(id)).toMatchObject({ status: 'completed' })
    expect(await brandsSent(world)).toHaveLength(12)
  })

  story(
    'A5: attempts that end again and again without one item done fail the run with the last reason',
    async (world) => {
      const id = await heldRun(world)
      for (let attempt = 0; attempt < 5; attempt++) await world.killChild()
      const run = await world.finished(id)
      expect(run.status).toBe('failed')
      const failed = await row(world, id)
      expect(failed).toMatchObject({ failure_code: 'crash_loop' })
      expect(failed?.failure_message).toContain('SIGKILL')
      await expectCountersToEqualTheLedger(world, id)
      expect(await counted(world, id)).toEqual({ brands: { discovered: 12, cancelled: 12 }, 'brand-metafields': {} })
      expect(await leases(world)).toEqual([])
      await world.release('destination')
      // B4: the next run over the pair settles what the failed one left.
      await world.clearFaults('destination')
      expect(await world.complete({ entities: ['brands'] })).toMatchObject({ status: 'completed' })
      expect((await world.state('destination')).brands).toHaveLength(12)
    },
  )

  story('A6: a run short of memory stops at a checkpoint and goes on one tier up', async (world) => {
    const first = await heldRun(world)
    const id = await world.migrate({ entities: ['categories'] })
    // Its price decides its memory; this is less than any process needs.
    await until('it is priced', async () => (await world.detail(id)).forecast !== null)
    await sql`update runs set mem_mib = 90 where id = ${id}`.execute(world.database)
    await world.fault('destination', {
      kind: 'slow',
      method: 'POST',
      path: '/v3/catalog/trees/categories$',
      times: null,
      seconds: 1,
    })
    await world.release('destination')
    await world.finished(first)
    expect(await world.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await row(world, id)).toMatchObject({ tier: 'medium', mem_mib: 256 })
    expect((await world.state('destination')).categories).toHaveLength(6)
    await expectCountersToEqualTheLedger(world, id)
  })
})
