import { sql } from 'kysely'
import { expectSoundEnd } from '../harness/sound-end.ts'
import type { World } from '../harness/world.ts'

const states = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled'] as const
/** Destination-only items: counted, and no part of what was discovered. */
const counters = [...states, 'pruned'] as const

/** Counter row of one component of a run. */
export type Counted = { component: string; discovered: number } & Record<(typeof counters)[number], number>

/** What is left of a counter row when its zeros are left out. */
export async function counted(world: World, runId: string): Promise<Record<string, Partial<Counted>>> {
  const rows = await counterRows(world, runId)
  return Object.fromEntries(rows.map(({ component, ...counts }) => [component, withoutZeros(counts)]))
}

/** Counter rows equal the folded ledger (E3), also those of a run that is paused. */
export function expectCountersToEqualTheLedger(world: World, runId: string): Promise<void> {
  return expectSoundEnd(world, runId)
}

async function counterRows(world: World, runId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select component, discovered, created, updated, matched, skipped, failed, cancelled, pruned
    from run_counters where run_id = ${runId} order by position`.execute(world.database)
  return rows
}

function withoutZeros<Counts extends Record<string, number>>(counts: Counts): Partial<Counts> {
  // Object.fromEntries forgets which keys it was given.
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<Counts>
}
