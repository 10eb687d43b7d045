import { sql } from 'kysely'
import { entities } from '../../src/entities/registry.ts'
import { expectSoundEnd } from '../harness/sound-end.ts'
import type { World } from '../harness/world.ts'

const states = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled'] as const
/** Destination-only items: counted, but not among the discovered ones. */
const counters = [...states, 'pruned'] as const

/** Counter row of one component of a run. */
export type Counted = { component: string; discovered: number } & Record<(typeof counters)[number], number>

/** A counter row without its zeros. */
export async function counted(world: World, runId: string): Promise<Record<string, Partial<Counted>>> {
  const rows = await counterRows(world, runId)
  return Object.fromEntries(rows.map(({ component, ...counts }) => [component, withoutZeros(counts)]))
}

/** Expects the counter rows to equal the folded ledger (E3), also for a paused run. */
export function expectCountersToEqualTheLedger(world: World, runId: string): Promise<void> {
  return expectSoundEnd(world, runId)
}

async function counterRows(world: World, runId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select component, discovered, created, updated, matched, skipped, failed, cancelled, pruned
    from run_counters where run_id = ${runId} order by position`.execute(world.database)
  return rows
}

/** Components that a list shows whole, of entities whose other items no list shows so. */
const shownWhole = [
  'product-metafields',
  'variant-metafields',
  'product-customs-information',
  'customer-metafields',
  'order-metafields',
]

/** What a run counts an unchanged copy as: skip compares only what its lists show whole, and orders are never compared (G13). */
export function stateOfUnchanged(component: string, strategy: string): 'matched' | 'skipped' {
  const key = entities.find(({ components }) => components.some((one) => one.key === component))?.key ?? ''
  const isCompared = key !== 'orders' && (strategy !== 'skip' || !['products', 'customers'].includes(key))
  return isCompared || shownWhole.includes(component) ? 'matched' : 'skipped'
}

function withoutZeros<Counts extends Record<string, number>>(counts: Counts): Partial<Counts> {
  // Object.fromEntries loses the type of its keys.
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<Counts>
}
