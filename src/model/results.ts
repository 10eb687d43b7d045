import type { ComponentResult, Counters, PhaseResult } from '../contract/migration.ts'
import type { ComponentCount, RunComponent, RunFacts } from './run-facts.ts'

/** A component that has not been counted yet: all zero, no calls made. */
const uncounted: Omit<ComponentCount, 'phase' | 'component'> = {
  expected: null,
  discovered: 0,
  created: 0,
  updated: 0,
  matched: 0,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  pruned: 0,
  errors: null,
  warnings: 0,
  exceptions: 0,
  widgets: 0,
  progressedAt: null,
}

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

/** The sum over components. */
export function sumOf(counts: readonly Tally[]): Readonly<Tally> {
  return counts.reduce(add, uncounted)
}

function add(one: Tally, other: Tally): Tally {
  return {
    discovered: one.discovered + other.discovered,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    matched: one.matched + other.matched,
    skipped: one.skipped + other.skipped,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    pruned: one.pruned + other.pruned,
    warnings: one.warnings + other.warnings,
    exceptions: one.exceptions + other.exceptions,
  }
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
 * The number of items of a component: announced by the store until its phase is over, then as discovered. Counting runs
 * discover nothing and keep the announced number.
 */
export function totalOf(run: Reading, count: ComponentCount): number {
  if (run.mode !== 'counts' && isRead(run, count.phase)) return count.discovered
  return Math.max(count.expected ?? 0, count.discovered)
}

function isRead(run: Reading, phase: string): boolean {
  if (run.status === 'completed' || run.status === 'partial_completed') return true
  const position = (phaseKey: string) => run.phases.findIndex(({ key }) => key === phaseKey)
  return position(phase) < position(run.phase)
}

/** Every phase in scope, in order, zeros included; each is the sum of its components. */
export function phaseResults(run: Reading, counts: readonly ComponentCount[]): PhaseResult[] {
  return run.phases.map((phase) => {
    const own = phase.components.map(
      ({ key }) =>
        counts.find(({ component }) => component === key) ?? { ...uncounted, phase: phase.key, component: key },
    )
    const { created, updated, skipped, matched, failed, pruned } = sumOf(own)
    const components = own
      .map((count, at) => ({ count, of: phase.components[at] ?? { key: count.component, label: count.component } }))
      .filter(({ count }) => !isUncounted(run, count))
      .map(({ count, of }) => componentResult(run, count, of))
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

function componentResult(run: Reading, count: ComponentCount, { label, widgets }: RunComponent): ComponentResult {
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
    total: totalOf(run, count),
    ...(widgets && { widgets: madeBy(run, count.widgets) }),
  }
}
