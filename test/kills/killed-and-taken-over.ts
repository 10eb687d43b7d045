import { sql } from 'kysely'
import { missHeartbeats } from '../harness/miss-heartbeats.ts'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'
import { writesSent } from './moments.ts'

/** What can be killed while several hosts share the work. */
export const victims = ['child', 'host', 'PostgreSQL'] as const
export type Victim = (typeof victims)[number]

interface Hold {
  epoch: number
  heartbeatMs: number
  claimedMs: number
  ended: boolean
  status: string
}

/** The hold on the run, with times by the database's clock; undefined while the database is down. */
export async function holdOf({ database }: World, run: string): Promise<Hold | undefined> {
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
  const hosts = await Promise.all([0, 1, 2].map((at) => world.childPids(at).catch(() => [])))
  const at = hosts.findIndex((children) => children.length > 0)
  if (at >= 0) return at
  throw new Error('No host works on the run.')
}

/** @returns what starts the victim again, if nothing else does. */
export async function kill(world: World, victim: Victim, waitForQueue: boolean): Promise<() => Promise<void>> {
  if (victim === 'child') await world.killChild()
  else if (victim === 'PostgreSQL') await world.killPostgres()
  else {
    const at = await hostAtWork(world)
    await world.killHost('SIGKILL', at)
    if (!waitForQueue) await missHeartbeats(world)
    // Restarted only after another host has the run, because otherwise the same host could take it again.
    return () => world.startHost(at)
  }
  return async () => {}
}

/**
 * Kills, and waits until a process confirms that it holds the run.
 *
 * @param waitForQueue whether a killed host is missed only after the queue has waited for its heartbeat in real time.
 * @returns the seconds without such a process: from the last confirmation before the kill to the claim after it, or to the next
 * confirmation of a process that survived.
 */
export async function killAndWait(
  world: World,
  run: string,
  victim: Victim,
  { waitForQueue = true } = {},
): Promise<number> {
  const before = await until('the run is in hand', () => holdOf(world, run))
  const revive = await kill(world, victim, waitForQueue)
  // A killed process may have confirmed until its end; a process that survives the database's crash confirms after it, too.
  const last = victim === 'PostgreSQL' ? before : await until('the database answers', () => holdOf(world, run))
  const after = await until(
    `a process has the run after a kill of the ${victim}`,
    async () => {
      const now = await holdOf(world, run)
      const again = now && (now.epoch > before.epoch || (victim === 'PostgreSQL' && now.heartbeatMs > last.heartbeatMs))
      return again ? now : undefined
    },
    { seconds: 300, seen: () => holdOf(world, run) },
  )
  await revive()
  const takenMs = after.epoch > before.epoch ? after.claimedMs : after.heartbeatMs
  return Math.max(0, takenMs - Math.min(last.heartbeatMs, takenMs)) / 1000
}

/** Waits for this many more writes. */
export async function untilMoreWritten(world: World, run: string, more: number): Promise<void> {
  const from = await writesSent(world)
  await until(
    `${more} more writes are sent`,
    async () => {
      const hold = await holdOf(world, run)
      if (hold?.ended) throw new Error(`The run was not killed as often as it should, because it is ${hold.status}.`)
      return (await writesSent(world)) >= from + more
    },
    { seconds: 300 },
  )
}
