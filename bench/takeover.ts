import { sql } from 'kysely'
import type { Database } from '../src/db/core/database.ts'
import { callStore } from '../test/engine/call-store.ts'
import { until } from '../test/harness/until.ts'
import { startWorld, type World } from '../test/harness/world.ts'
import type { BenchResult } from './run.ts'

/** Of each kind. */
const kills = 5
const runsOfHosts = [0, 1]
/** Seconds that time-outs and intervals decide, not the speed of the machine. */
const bounds = { child: 3, host: 8 }
type Victim = keyof typeof bounds

interface Hold {
  epoch: number
  /** Seconds by the database's clock. */
  now: number
  heartbeatAt: number
  /** Whether the run's process has confirmed its hold since it was claimed. */
  atWork: boolean
}

/**
 * Kills the process of a run, and its whole host, and measures how long nobody works on the run: from the last heartbeat
 * before the kill to the first of the process that takes over.
 */
export async function bench(): Promise<BenchResult> {
  const world = await startWorld({
    hosts: runsOfHosts.length,
    mortalPostgres: true,
    catalogueOnly: true,
    latencyMs: 60,
  })
  try {
    // The run must be at work until the last kill.
    for (let at = 0; at < 250; at++)
      await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${at}` })
    const run = await world.migrate({ entities: ['brands'] })
    const victims = Array.from({ length: kills }, () => ['child', 'host'] as const).flat()
    const seconds: Record<Victim, number[]> = { child: [], host: [] }
    for (const victim of victims) seconds[victim].push(await withoutProcess(world, run, victim))
    const longest = (victim: Victim) => Math.max(...seconds[victim])
    return {
      rows: (['child', 'host'] as const).map((victim) => ({
        killed: victim,
        'seconds without a process': seconds[victim].map((one) => one.toFixed(1)).join(', '),
        longest: longest(victim).toFixed(1),
      })),
      ratios: (['child', 'host'] as const).map((victim) => ({
        name: `seconds without a process after a kill of the ${victim}, the longest of ${kills}`,
        ratio: longest(victim),
        bound: { atMost: bounds[victim] },
      })),
    }
  } finally {
    await world.stop()
  }
}

async function withoutProcess(world: World, run: string, victim: Victim): Promise<number> {
  const before = await until('the run is at work', async () => {
    const hold = await holdOf(world.database, run)
    return hold.atWork && hold.now - hold.heartbeatAt < 1 ? hold : undefined
  })
  const at = await hostAtWork(world)
  if (victim === 'child') await world.killChild()
  else await world.killHost('SIGKILL', at)
  const { heartbeatAt } = await holdOf(world.database, run)
  const after = await until('another process is at work', async () => {
    const hold = await holdOf(world.database, run)
    return hold.epoch > before.epoch && hold.atWork ? hold : undefined
  })
  if (victim === 'host') await world.startHost(at)
  return after.heartbeatAt - heartbeatAt
}

async function hostAtWork(world: World): Promise<number> {
  const children = await Promise.all(runsOfHosts.map((at) => world.childPids(at)))
  return children.findIndex(({ length }) => length > 0)
}

async function holdOf(database: Database, run: string): Promise<Hold> {
  const { rows } = await sql<Hold>`
    select epoch, extract(epoch from clock_timestamp())::float as now, extract(epoch from heartbeat_at)::float as "heartbeatAt",
      heartbeat_at > claimed_at as "atWork" from run_leases where run_id = ${run}`.execute(database)
  const [hold] = rows
  if (!hold) throw new Error('The run has not begun.')
  return hold
}
