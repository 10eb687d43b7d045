import { callStore } from '../test/engine/call-store.ts'
import { until } from '../test/harness/until.ts'
import { startWorld, type World } from '../test/harness/world.ts'
import { holdOf, kill } from '../test/kills/killed-and-taken-over.ts'
import type { BenchResult } from './run.ts'

/** Of each kind. */
const kills = 5
/** Seconds that time-outs and intervals decide, not the speed of the machine. */
const bounds = { child: 3, host: 8 }
const victims = ['child', 'host'] as const
type Victim = (typeof victims)[number]

/**
 * Kills the process of a run, and its whole host, and measures how long no process works on the run: from the last
 * heartbeat before the kill to the first of the process that takes over.
 */
export async function bench(): Promise<BenchResult> {
  const world = await startWorld({ hosts: 2, mortalPostgres: true, catalogueOnly: true, latencyMs: 60 })
  try {
    // The run must be at work until the last kill.
    for (let at = 0; at < 250; at++)
      await callStore(world, 'source', 'POST', '/v3/catalog/brands', { name: `Extra ${at}` })
    const run = await world.migrate({ entities: ['brands'] })
    const seconds: Record<Victim, number[]> = { child: [], host: [] }
    for (let at = 0; at < kills; at++)
      for (const victim of victims) seconds[victim].push(await withoutProcess(world, run, victim))
    const longest = (victim: Victim) => Math.max(...seconds[victim])
    return {
      rows: victims.map((victim) => ({
        killed: victim,
        'seconds without a process': seconds[victim].map((one) => one.toFixed(1)).join(', '),
        longest: longest(victim).toFixed(1),
      })),
      ratios: victims.map((victim) => ({
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
  const before = await until('the run is at work', () => atWork(world, run))
  const revive = await kill(world, victim, true)
  // A killed process may have confirmed until its end.
  const last = await until('the database answers', () => holdOf(world, run))
  const after = await until('another process is at work', async () => {
    const hold = await atWork(world, run)
    return hold && hold.epoch > before.epoch ? hold : undefined
  })
  await revive()
  return (after.heartbeatMs - last.heartbeatMs) / 1000
}

/** The hold on the run, if its process has confirmed it since it was claimed. */
async function atWork(world: World, run: string) {
  const hold = await holdOf(world, run)
  return hold && hold.heartbeatMs > hold.claimedMs ? hold : undefined
}
