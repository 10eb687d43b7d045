import { sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'

export const countedStates = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled', 'pruned'] as const

const countedFields = ['discovered', ...countedStates, 'errors', 'warnings', 'exceptions', 'widgets'] as const
export type CountedField = (typeof countedFields)[number]

/** What a transaction adds to the counters of each component. */
export class Tally {
  private readonly counts = new Map<string, Partial<Record<CountedField, number>>>()

  add(component: string, field: CountedField, by = 1): void {
    const row = this.counts.get(component) ?? {}
    row[field] = (row[field] ?? 0) + by
    this.counts.set(component, row)
  }

  get empty(): boolean {
    return this.counts.size === 0
  }

  rows(): ({ component: string } & Partial<Record<CountedField, number>>)[] {
    // Always in the same order, so that two transactions cannot deadlock.
    return [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([component, row]) => ({ component, ...row }))
  }
}

/** Adds the tally in the transaction of the results it counts (E3). */
export async function addCounters(tx: InTransaction, runId: string, tally: Tally): Promise<void> {
  if (tally.empty) return
  await sql`
    update run_counters as c set
      discovered = c.discovered + coalesce(d.discovered, 0), created = c.created + coalesce(d.created, 0),
      updated = c.updated + coalesce(d.updated, 0), matched = c.matched + coalesce(d.matched, 0),
      skipped = c.skipped + coalesce(d.skipped, 0), failed = c.failed + coalesce(d.failed, 0),
      cancelled = c.cancelled + coalesce(d.cancelled, 0), pruned = c.pruned + coalesce(d.pruned, 0),
      errors = case when d.errors is null then c.errors else coalesce(c.errors, 0) + d.errors end,
      warnings = c.warnings + coalesce(d.warnings, 0), exceptions = c.exceptions + coalesce(d.exceptions, 0),
      widgets = c.widgets + coalesce(d.widgets, 0),
      progressed_at = case when coalesce(d.created, d.updated, d.matched, d.skipped, d.failed, d.cancelled, d.pruned) is null
        then c.progressed_at else clock_timestamp() end
    from jsonb_to_recordset(${JSON.stringify(tally.rows())}::jsonb) as d(
      component text, discovered integer, created integer, updated integer, matched integer, skipped integer,
      failed integer, cancelled integer, pruned integer, errors integer, warnings integer, exceptions integer, widgets integer)
    where c.run_id = ${runId} and c.component = d.component`.execute(tx)
}

export async function setExpected(
  tx: InTransaction,
  runId: string,
  component: string,
  expected: number,
): Promise<void> {
  await sql`update run_counters set expected = ${expected} where run_id = ${runId} and component = ${component}`.execute(
    tx,
  )
}
