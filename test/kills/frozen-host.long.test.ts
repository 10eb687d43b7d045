import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { timeout, untilWritten } from './moments.ts'
import { killSubject } from './subjects.ts'
import { holdBeforeSending } from './windows.ts'

async function lease({ database }: World, run: string): Promise<{ epoch: number; holder: string }> {
  const { rows } = await sql<{ epoch: number; holder: string }>`
    select epoch, holder from run_leases where run_id = ${run}`.execute(database)
  if (!rows[0]) throw new Error(`Run ${run} has no lease.`)
  return rows[0]
}

const writesThroughFirst = (world: World) => world.throughFirstHost().filter(({ method }) => method !== 'GET')

const stoppedSeconds = 180

/** Freezes the first host with its child; @returns how to wake them. */
async function freeze(world: World): Promise<() => void> {
  const [child] = await world.childPids(0)
  const frozen = [world.hostPid(0), Number(child)]
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
  }
}

/** The first host works on a run alone; then it is frozen with its child, and a second host can replace it. */
async function freezeFirstHost(world: World): Promise<{ run: string; onTheSocket: number; revive(): void }> {
  await world.killHost('SIGTERM', 1)
  const run = await world.migrate()
  await untilWritten(world, 6)
  const revive = await freeze(world)
  try {
    // A write has its intent before it is sent, so no more than these can be in flight.
    const { rows } = await sql<{ open: number }>`select count(*) as open from intents where run_id = ${run}`.execute(
      world.database,
    )
    const before = writesThroughFirst(world).length
    const { epoch } = await lease(world, run)
    await world.startHost(1)
    await until('another host has the run', async () => (await lease(world, run)).epoch > epoch, { seconds: 300 })
    const arrived = writesThroughFirst(world).length - before
    expect(arrived).toBeLessThanOrEqual(Number(rows[0]?.open))
    return { run, onTheSocket: arrived, revive }
  } catch (error) {
    revive()
    throw error
  }
}

const options = { hosts: 2, countFirstHost: true, latencyMs: 120 }

describe.concurrent('a frozen host', { timeout }, () => {
  test('A4: a frozen host that was replaced starts no more writes when it wakes while the other works', () =>
    inAWorld(options, async (world) => {
      const { run, onTheSocket, revive } = await freezeFirstHost(world)
      const before = writesThroughFirst(world).length
      revive()
      expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
      await until('its child has ended', async () => (await world.childPids(0)).length === 0)
      console.log(
        `Frozen host: ${onTheSocket} writes arrived after it was frozen, ${writesThroughFirst(world).length - before} after it woke`,
      )
      expect(writesThroughFirst(world).slice(before)).toEqual([])
      // The end of the child, as the woken host sees it, does not count against the run, which the other host works on.
      expect((await sql`select reason from restarts where run_id = ${run}`.execute(world.database)).rows).toEqual([])
      expect((await lease(world, run)).epoch).toBe(2)
      await expectWhole(world, run)
    }))

  test('A4: a process that is stopped for three minutes between an intent and its request sends nothing when it goes on', () =>
    inAWorld(options, async (world) => {
      await world.killHost('SIGTERM', 1)
      let revive = () => {}
      let stoppedMs = 0
      const run = await holdBeforeSending(world, killSubject('brands'), async () => {
        revive = await freeze(world)
        stoppedMs = performance.now()
      })
      try {
        await world.startHost(1)
        expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await until('three minutes have passed', async () => performance.now() - stoppedMs > stoppedSeconds * 1000, {
          seconds: stoppedSeconds + 10,
        })
        await world.resetRequests('destination')
      } finally {
        revive()
      }
      await until('its child has ended', async () => (await world.childPids(0)).length === 0)
      expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
      await expectWhole(world, run)
    }))

  test('A4: a host that wakes after the other has ended the run changes nothing', () =>
    inAWorld(options, async (world) => {
      const { run, revive } = await freezeFirstHost(world)
      try {
        expect(await world.finished(run, { seconds: 300 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await world.resetRequests('destination')
      } finally {
        revive()
      }
      await until('its child has ended', async () => (await world.childPids(0)).length === 0)
      expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
      expect((await world.detail(run)).status).toBe('completed')
      await expectWhole(world, run)
    }))
})
