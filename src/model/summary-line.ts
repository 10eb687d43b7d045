import type { PhaseResult } from '../contract/migration.ts'
import type { RunFacts } from './run-facts.ts'

interface Outcome {
  run: Pick<RunFacts, 'mode' | 'status' | 'failureMessage'>
  phases: readonly PhaseResult[]
  failuresOpen: number
  percent: number
}

/** One sentence that says how the run stands, e.g. "Copied 1,000 products and 40 brands; 2 items need review." */
export function summaryLine(outcome: Outcome): string {
  const { run, percent } = outcome
  switch (run.status) {
    case 'queued':
      return 'Waiting to start.'
    case 'in_progress':
      return `${working[run.mode]}, ${percent} % done${review(outcome)}.`
    case 'paused':
      return `Paused at ${percent} %${review(outcome)}.`
    case 'cancelled':
      return `Cancelled at ${percent} %. ${sentence(outcome)}`
    case 'failed':
      return `Failed: ${run.failureMessage ?? 'the run could not go on.'} ${sentence(outcome)}`
    case 'completed':
    case 'partial_completed':
      return sentence(outcome)
    default:
      return unknown(run.status)
  }
}

const working: Record<RunFacts['mode'], string> = {
  full: 'Copying',
  'dry-run': 'Trying out',
  verify: 'Comparing',
  counts: 'Counting',
}

const verbs: Record<RunFacts['mode'], string> = {
  full: 'Copied',
  'dry-run': 'Would copy',
  verify: 'Found equal:',
  counts: 'Counted',
}

function sentence(outcome: Outcome): string {
  const { mode } = outcome.run
  const told = outcome.phases.map((phase) => ({ label: nameOf(phase), count: headCount(phase, mode) }))
  const named = told.filter(({ count }) => count > 0).map(({ label, count }) => `${number(count)} ${label}`)
  const what = named.length > 0 ? `${verbs[mode]} ${list(named)}` : nothing[mode]
  return `${what}${aside(outcome)}${review(outcome)}.`
}

const nothing: Record<RunFacts['mode'], string> = {
  full: 'Copied nothing',
  'dry-run': 'Would copy nothing',
  verify: 'Found nothing equal',
  counts: 'Counted nothing',
}

/** A phase is told by the component that carries its name (products, not their images); by all of them when none does. */
function headCount(phase: PhaseResult, mode: RunFacts['mode']): number {
  const head = phase.components.filter(({ key }) => key === phase.key)
  return (head.length > 0 ? head : phase.components).reduce((sum, component) => sum + counted(component, mode), 0)
}

function counted(component: PhaseResult['components'][number], mode: RunFacts['mode']): number {
  if (mode === 'counts') return component.total
  return mode === 'verify' ? component.matched : component.success
}

/** What a copy left alone: equal already, or standing at the destination and kept by the strategy. */
function aside({ run, phases }: Outcome): string {
  if (run.mode !== 'full' && run.mode !== 'dry-run') return ''
  const matched = phases.reduce((sum, phase) => sum + phase.matched, 0)
  const skipped = phases.reduce((sum, phase) => sum + phase.skipped, 0)
  const parts = [
    matched > 0 ? `${number(matched)} ${items(matched)} were already there` : '',
    skipped > 0 ? `${number(skipped)} ${items(skipped)} were skipped` : '',
  ].filter((part) => part !== '')
  return parts.map((part) => `; ${part.replace('1 item were', '1 item was')}`).join('')
}

function review({ failuresOpen }: Outcome): string {
  if (failuresOpen === 0) return ''
  return `; ${number(failuresOpen)} ${items(failuresOpen)} ${failuresOpen === 1 ? 'needs' : 'need'} review`
}

function items(count: number): string {
  return count === 1 ? 'item' : 'items'
}

function nameOf(phase: PhaseResult): string {
  return phase.label.toLowerCase()
}

function list(parts: string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

function unknown(status: never): never {
  throw new Error(`No summary for status ${status}.`)
}
