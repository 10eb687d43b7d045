import { sql } from 'kysely'
import { until } from '../harness/until.ts'
import type { World } from '../harness/world.ts'

/**
 * Waits until the child process of a run knows the requested control: the next heartbeat reads it, and the one after proves it.
 */
export async function waitUntilChildKnows(world: Pick<World, 'database'>, runId: string): Promise<void> {
  for (const which of ['the next beat', 'the beat after it']) await beat(world, runId, which)
}

async function beat({ database }: Pick<World, 'database'>, runId: string, which: string): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  const since = sql`select from run_leases where run_id = ${runId} and heartbeat_at > ${rows[0]?.now}`
  await until(`${which} of the run`, async () => (await since.execute(database)).rows.length > 0)
}
