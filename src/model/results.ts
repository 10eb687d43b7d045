import type { ComponentResult, Counters, PhaseResult } from '../contract/migration.ts'
import type { ComponentCount, RunComponent, RunFacts } from './run-facts.ts'

export type Tally = Pick<
  ComponentCount,
  | 'discovered'
  | 'created'
  | 'updated'
  | 'matched'
  | 'skipped'
  | 'failed'
  | 'cancelled'
  | 'pruned'
  | 'warnings'
  | 'exceptions'
>

const nothing: Readonly<Tally> = {
  discovered: 0,
  created: 0,
  updated: 0,
  matched: 0,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  pruned: 0,
  warnings: 0,
  exceptions: 0,
}

/** A component that has not been counted yet: all zero, no calls made. */
const uncounted: Omit<ComponentCount, 'phase' | 'component'> = {
  ...nothing,
  expected: null,
  errors: null,
  widgets: 0,
  progressedAt: null,
}

/** The sum over components. */
export function sumOf(counts: readonly Tally[]): Readonly<Tally> {
  const sum: Tally = { ...nothing }
  for (const one of counts) {
    sum.discovered += one.discovered
    sum.created += one.created
    sum.updated += one.updated
    sum.matched += one.matched
    sum.skipped += one.skipped
    sum.failed += one.failed
    sum.cancelled += one.cancelled
    sum.pruned += one.pruned
    sum.warnings += one.warnings
    sum.exceptions += one.exceptions
  }
  return sum
}

/** Items in a terminal state. Pruned ones belong to the destination and do not count. */
export function terminalItems(tally: Tally): number {
  return tally.created + tally.updated + tally.matched + tally.skipped + tally.failed + tally.cancelled
}

/** `matched` counts as done: the destination is as it should be. */
export function countersOf(counts: readonly Tally[]): Counters {
  const sum = sumOf(counts)
  return {
    done: sum.created + sum.updated + sum.matched,
    inProgress: Math.max(0, sum.discovered - terminalItems(sum)),
    failed: sum.failed,
    skipped: sum.skipped,
    cancelled: sum.cancelled,
    exceptions: sum.exceptions,
    warnings: sum.warnings,
  }
}

type Reading = Pick<RunFacts, 'phases' | 'phase' | 'status' | 'mode'>

/**
 * Returns the number of items of each component: announced by the store until its phase is over, then as discovered.
 * Counting runs discover nothing and keep the announced number.
 */
export function totalsOf(run: Reading): (count: ComponentCount) => number {
  const read = run.mode === 'counts' ? new Set() : phasesRead(run)
  return ({ phase, expected, discovered }) => (read.has(phase) ? discovered : Math.max(expected ?? 0, discovered))
}

function phasesRead({ phases, phase, status }: Reading): Set<string> {
  const isOver = status === 'completed' || status === 'partial_completed'
  const running = phases.findIndex(({ key }) => key === phase)
  return new Set((isOver ? phases : phases.slice(0, Math.max(0, running))).map(({ key }) => key))
}

/** Every phase in scope, in order, zeros included; each is the sum of its components. */
export function phaseResults(run: Reading, counts: readonly ComponentCount[]): PhaseResult[] {
  const byComponent = new Map(counts.map((count) => [count.component, count]))
  const totalOf = totalsOf(run)
  return run.phases.map((phase) => {
    const own = phase.components.map(
      ({ key }) => byComponent.get(key) ?? { ...uncounted, phase: phase.key, component: key },
    )
    const { created, updated, skipped, matched, failed, pruned } = sumOf(own)
    const components = own
      .map((count, at) => ({ count, of: phase.components[at] ?? { key: count.component, label: count.component } }))
      .filter(({ count }) => !isUncounted(run, count))
      .map(({ count, of }) => componentResult(run, { ...count, total: totalOf(count) }, of))
    const total = components.reduce((sum, component) => sum + component.total, 0)
    const counted = { created, updated, skipped, matched, failed, pruned: madeBy(run, pruned), total }
    return { key: phase.key, label: phase.label, ...counted, components }
  })
}

/** A run that only counts leaves out what no list counts, such as product images, instead of showing zero. */
function isUncounted({ mode, status }: Reading, { expected }: ComponentCount): boolean {
  return mode === 'counts' && status !== 'queued' && status !== 'in_progress' && expected === null
}

/** Zero in a dry run, which creates and deletes nothing: its plan contains the predicted numbers (G14). */
export function madeBy({ mode }: Pick<RunFacts, 'mode'>, count: number): number {
  return mode === 'dry-run' ? 0 : count
}

function componentResult(
  run: Reading,
  count: ComponentCount & { total: number },
  { label, widgets }: RunComponent,
): ComponentResult {
  return {
    key: count.component,
    label,
    discovered: count.discovered,
    success: count.created + count.updated,
    matched: count.matched,
    failed: count.failed,
    skipped: count.skipped,
    pruned: madeBy(run, count.pruned),
    errors: count.errors,
    total: count.total,
    ...(widgets && { widgets: madeBy(run, count.widgets) }),
  }
}
