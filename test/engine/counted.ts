import { sql } from 'kysely'
import { expect } from 'vitest'
import { foldLedger } from '../../src/db/ledger.ts'
import type { World } from '../harness/world.ts'

const states = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled'] as const

/** Counter row of one component of a run. */
export type Counted = { component: string; discovered: number } & Record<(typeof states)[number], number>

/** What is left of a counter row when its zeros are left out. */
export async function counted(world: World, runId: string): Promise<Record<string, Partial<Counted>>> {
  const rows = await counterRows(world, runId)
  return Object.fromEntries(rows.map(({ component, ...counts }) => [component, withoutZeros(counts)]))
}

/**
 * The assertion of E3, for any run that has come to rest: counter rows equal the folded ledger, and what was discovered
 * is the sum of the states of each component.
 */
export async function expectCountersToEqualTheLedger(world: World, runId: string): Promise<void> {
  const folded: Record<string, Record<string, number>> = {}
  for (const { component, state, count } of await foldLedger(world.database, runId))
    folded[component] = { ...folded[component], [state]: count }
  for (const { component, discovered, ...counts } of await counterRows(world, runId)) {
    const { pending = 0, ...ended } = folded[component] ?? {}
    expect(withoutZeros(counts), `counter row of ${component}`).toEqual(withoutZeros(ended))
    expect(discovered, `discovered ${component}`).toBe(states.reduce((sum, state) => sum + counts[state], pending))
  }
}

async function counterRows(world: World, runId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select component, discovered, created, updated, matched, skipped, failed, cancelled
    from run_counters where run_id = ${runId} order by position`.execute(world.database)
  return rows
}

function withoutZeros<Counts extends Record<string, number>>(counts: Counts): Partial<Counts> {
  // Object.fromEntries forgets which keys it was given.
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<Counts>
}
