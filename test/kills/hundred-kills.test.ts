import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { callStore } from '../engine/call-store.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { expectWhole } from './expect-whole.ts'
import { inAWorld } from './in-a-world.ts'
import { longForm, randomMoments, timeout, writesSent } from './moments.ts'

/** The long form: 100 kills. What is killed goes round, so that each is killed a third of the times. */
const runs = longForm ? 20 : 1
const killsPerRun = longForm ? 5 : 3
const victims = ['child', 'host', 'PostgreSQL'] as const
type Victim = (typeof victims)[number]
/** A run stands still for no longer than that: the figure the service promises. */
const mostSeconds = 15

const random = randomMoments('A hundred kills')
const takeovers = new Map<Victim, number[]>(victims.map((victim) => [victim, []]))

afterAll(() => {
  for (const [victim, seconds] of takeovers) {
    const figures = seconds.map((one) => one.toFixed(1)).join(', ')
    console.log(`Kills of ${victim}: ${seconds.length}; seconds until the run was in hand again: ${figures}`)
  }
  const all = [...takeovers.values()].flat()
  expect(all).toHaveLength(runs * killsPerRun)
  if (longForm) expect(Math.max(...all)).toBeLessThanOrEqual(mostSeconds)
})

interface Hold {
  epoch: number
  heartbeatMs: number
  claimedMs: number
  ended: boolean
  status: string
}

/** Who holds the run, by the clock of the database; undefined while that is away. */
async function holdOf({ database }: World, run: string): Promise<Hold | undefined> {
  const answer = sql<Hold>`
    select lease.epoch, extract(epoch from lease.heartbeat_at) * 1000 as "heartbeatMs",
      extract(epoch from lease.claimed_at) * 1000 as "claimedMs", run.status not in ('queued', 'in_progress') as ended,
      concat_ws(' ', run.status, run.failure_code, run.failure_message) as status
    from run_leases lease join runs run on run.id = lease.run_id where run.id = ${run}`.execute(database)
  const row = (await answer.catch(() => undefined))?.rows[0]
  return row && { ...row, heartbeatMs: Number(row.heartbeatMs), claimedMs: Number(row.claimedMs) }
}

/** The host whose child works on the run. */
async function hostAtWork(world: World): Promise<number> {
  for (const at of [0, 1, 2]) if ((await world.childPids(at)).length > 0) return at
  throw new Error('No host works on the run.')
}

async function kill(world: World, victim: Victim): Promise<() => Promise<void>> {
  if (victim === 'child') await world.killChild()
  else if (victim === 'PostgreSQL') await world.killPostgres()
  else {
    const at = await hostAtWork(world)
    await world.killHost('SIGKILL', at)
    // Back only when another has the run, or it would hardly be a kill of the host.
    return () => world.startHost(at)
  }
  return async () => {}
}

/**
 * Kills, and waits until somebody confirms that the run is in hand.
 *
 * @returns for how long nobody did: from the last confirmation before to the claim after, or to the next one where the process lived.
 */
async function killAndWait(world: World, run: string, victim: Victim): Promise<number> {
  const before = await until('the run is in hand', () => holdOf(world, run))
  const revive = await kill(world, victim)
  // Nobody but who is dead confirmed before; what the database lost with its death is not there either.
  const last = victim === 'PostgreSQL' ? before : await until('the database answers', () => holdOf(world, run))
  const after = await until(
    `somebody has the run after a kill of the ${victim}`,
    async () => {
      const now = await holdOf(world, run)
      const again = now && (now.epoch > before.epoch || (victim === 'PostgreSQL' && now.heartbeatMs > last.heartbeatMs))
      return again ? now : undefined
    },
    { seconds: 90, seen: () => holdOf(world, run) },
  )
  await revive()
  const takenMs = after.epoch > before.epoch ? after.claimedMs : after.heartbeatMs
  return Math.max(0, takenMs - Math.min(last.heartbeatMs, takenMs)) / 1000
}

/** Waits for so many more writes. */
async function untilMoreWritten(world: World, run: string, more: number): Promise<void> {
  const from = await writesSent(world)
  await until(
    `${more} more writes are sent`,
    async () => {
      const hold = await holdOf(world, run)
      if (hold?.ended) throw new Error(`The run was not killed as often as it should, because it is ${hold.status}.`)
      return (await writesSent(world)) >= from + more
    },
    { seconds: 90 },
  )
}

describe.concurrent('whoever is killed, three hosts bring a run to its end', { timeout }, () => {
  for (let number = 0; number < runs; number++) {
    const kills = Array.from({ length: killsPerRun }, (_, at) => ({
      victim: victims[(number * killsPerRun + at) % victims.length] ?? 'child',
      after: random(1, 5),
    }))
    const told = kills.map(({ victim, after }) => `${victim} after ${after}`).join(', ')
    test(`A4, A5: run ${number + 1}: ${told} writes`, () =>
      inAWorld({ hosts: 3, mortalPostgres: true, latencyMs: 60, settleSeconds: 0 }, async (world) => {
        // Enough to write that the last kill still finds the run at work.
        for (let n = 0; n < 30; n++)
          await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${n}` })
        const run = await world.migrate()
        for (const { victim, after } of kills) {
          await untilMoreWritten(world, run, after)
          const seconds = await killAndWait(world, run, victim)
          takeovers.get(victim)?.push(seconds)
          if (longForm) console.log(`Run ${number + 1}: ${victim} killed, in hand again after ${seconds.toFixed(1)} s`)
        }
        expect(await world.finished(run, { seconds: 120 })).toMatchObject({ status: 'completed', failuresOpen: 0 })
        await expectWhole(world, run)
      }))
  }
})
