import type { PhaseResult } from '../contract/migration.ts'
import { singularOf } from './label-words.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'

export type SummarisedRun = Pick<
  RunFacts,
  | 'mode'
  | 'status'
  | 'failureMessage'
  | 'waitingFor'
  | 'waitingStore'
  | 'waitingSince'
  | 'healing'
  | 'healRound'
  | 'healChosen'
>

interface Outcome {
  run: SummarisedRun
  /** Only what is said of a run that has ended needs its phases and their counts. */
  phases: readonly PhaseResult[]
  /** They tell created from updated items, which are one number in the phases’ components. */
  counts: readonly Pick<ComponentCount, 'component' | 'created' | 'updated'>[]
  failed: number
  failuresOpen: number
  /** Items that were deleted, or in a dry run would be. */
  pruned: number
  percent: number
}

/** The state of a run in one sentence, e.g. "Copied 1,000 products and 40 brands; 2 items need review." */
export function summaryLine(outcome: Outcome): string {
  const { run } = outcome
  // Rounded down, so that 100 appears only at the end.
  const percent = Math.floor(outcome.percent)
  switch (run.status) {
    case 'queued':
      if (run.healRound > 0) return `Waiting to try ${again(outcome)}.`
      return outcome.percent > 0 ? 'Waiting to continue.' : 'Waiting to start.'
    case 'in_progress':
      return underWay(outcome, percent)
    case 'paused':
      return `Paused at ${percent}%${review(outcome)}.${run.failureMessage === null ? '' : ` ${run.failureMessage}`}`
    case 'cancelled':
      return `Canceled at ${percent}%. ${sentence(outcome)}`
    case 'failed':
      return `Stopped: ${run.failureMessage ?? 'the migration could not go on.'} ${sentence(outcome)}`
    case 'completed':
    case 'partial_completed':
      return sentence(outcome)
    default:
      return unknown(run.status)
  }
}

/** A run that tries again what failed is not copying, and its percentage does not say how far it is with that. */
function underWay(outcome: Outcome, percent: number): string {
  const { run } = outcome
  const waiting = waitingLine(run)
  if (waiting !== null || (run.healRound === 0 && !run.healing))
    return `${waiting ?? working[run.mode]}, ${percent}% done${review(outcome)}.`
  const tries = `Trying ${again(outcome)}`
  return run.healRound > 0 ? `${tries}.` : `${tries}, ${percent}% done.`
}

/** Warnings are tried again, too, and are not counted. */
function again({ run, failuresOpen }: Outcome): string {
  if (run.healChosen) return 'the chosen items again'
  return failuresOpen === 0 ? 'again what could not be done' : `${number(failuresOpen)} ${items(failuresOpen)} again`
}

/** Null while it is working. In UTC, because readers may be anywhere. */
export function waitingLine({
  waitingFor,
  waitingStore,
  waitingSince,
}: Pick<RunFacts, 'waitingFor' | 'waitingStore' | 'waitingSince'>): string | null {
  if (waitingFor === null || waitingSince === null) return null
  const systems = {
    source: `the source store ${waitingStore}`,
    destination: `the destination store ${waitingStore}`,
    quota: `the quota of the store ${waitingStore}`,
    database: 'the database',
  }
  const since = waitingSince.toISOString().slice(0, 16).replace('T', ' ')
  return `Waiting for ${systems[waitingFor]} since ${since} UTC`
}

const working: Record<RunFacts['mode'], string> = {
  full: 'Copying',
  'dry-run': 'Trying out',
  verify: 'Comparing',
  counts: 'Counting',
}

/** What was done to the items of a list, and how it is said of only their parts. */
const verbs: Record<Exclude<RunFacts['mode'], 'verify'>, { created: string; updated: string; parts: string }> = {
  full: { created: 'Copied', updated: 'updated', parts: 'Copied or updated' },
  'dry-run': { created: 'Would copy', updated: 'would update', parts: 'Would copy or update' },
  counts: { created: 'Counted', updated: '', parts: '' },
}

function sentence(outcome: Outcome): string {
  const { mode } = outcome.run
  if (mode === 'verify') return `Compared ${equality(outcome.phases)}${review(outcome)}.`
  return `${done(outcome, mode)}${otherCounts(outcome)}${review(outcome)}.`
}

/** "Copied 2 brands; updated 1 product". Pictures and other parts of items are only counted if nothing else was done. */
function done({ phases, counts }: Outcome, mode: Exclude<RunFacts['mode'], 'verify'>): string {
  const { created, updated, parts } = verbs[mode]
  if (mode === 'counts')
    return (
      said(
        created,
        kindsOf(phases, ({ total }) => total),
      ) ?? `${created} nothing`
    )
  const tallyOf = (key: string) => counts.find(({ component }) => component === key)
  const whole = [
    said(
      created,
      kindsOf(phases, ({ key }) => tallyOf(key)?.created ?? 0),
    ),
    said(
      updated,
      kindsOf(phases, ({ key }) => tallyOf(key)?.updated ?? 0),
    ),
  ].filter((part) => part !== undefined)
  if (whole.length > 0) return capitalized(whole.join('; '))
  const others = phases.flatMap(({ components }) => components).reduce((sum, { success }) => sum + success, 0)
  if (others === 0) return `${created} nothing`
  return `${parts} ${others === 1 ? '1 part of an item' : `${number(others)} parts of items`}`
}

interface Kind {
  label: string
  count: number
}

function said(verb: string, kinds: Kind[]): string | undefined {
  return kinds.length > 0 ? `${verb} ${list(inBrief(kinds))}` : undefined
}

function kindsOf(phases: readonly PhaseResult[], countOf: CountOf): Kind[] {
  const counted = phases.map((phase) => ({ label: headLabel(phase), count: headCount(phase, countOf) }))
  return counted.filter(({ count }) => count > 0)
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** A sentence with more kinds is hard to read, so the rest are only counted. */
const mostNamed = 6
/** Labels of the kinds that every shop has. */
const bestKnown = new Set(['Categories', 'Products', 'Customers', 'Orders'])

/** A copy of everything has dozens of kinds: the best known are listed, the others counted. */
function inBrief(kinds: Kind[]): string[] {
  const known = kinds.filter(({ label }) => bestKnown.has(label))
  const first = known.length > 1 ? known : kinds.slice(0, mostNamed - 2)
  const named = kinds.length <= mostNamed ? kinds : first
  const others = kinds.length - named.length
  return [
    ...named.map(({ label, count }) => `${number(count)} ${nameOf(label, count)}`),
    ...(others > 0 ? [`${others} more kinds`] : []),
  ]
}

type CountOf = (component: PhaseResult['components'][number]) => number

/**
 * A phase is counted by the component with its name (products, not their images), or by all components if none has it.
 */
function headCount({ key, components }: Pick<PhaseResult, 'key' | 'components'>, countOf: CountOf): number {
  const head = components.filter((component) => component.key === key)
  return (head.length > 0 ? head : components).reduce((sum, component) => sum + countOf(component), 0)
}

/** Label of the counted component, e.g. shipping zones in the phase shipping. */
function headLabel({ key, label, components }: PhaseResult): string {
  return components.find((component) => component.key === key)?.label ?? label
}

/** What was not copied and why, children included, as in the counters. */
function otherCounts({ run, phases, pruned }: Outcome): string {
  if (run.mode === 'counts') return ''
  const matched = phases.reduce((total, phase) => total + phase.matched, 0)
  const skipped = phases.reduce((total, phase) => total + phase.skipped, 0)
  const isDry = run.mode === 'dry-run'
  const did = (count: number, is: string) =>
    count > 0 ? `; ${number(count)} ${items(count)} ${isDry ? 'would be' : were(count)} ${is}` : ''
  const same =
    matched > 0 ? `; ${number(matched)} ${items(matched)} ${isDry ? are(matched) : were(matched)} already the same` : ''
  return `${same}${did(skipped, 'left alone')}${did(pruned, 'deleted')}`
}

/**
 * What a comparison found, children included. The two parts add up: what is not equal differs, is missing with all that
 * belongs to it, or could not be compared. If nothing was compared, the stores cannot be called equal.
 */
function equality(phases: readonly PhaseResult[]): string {
  const compared = phases.flatMap(({ components }) => components).reduce((sum, { discovered }) => sum + discovered, 0)
  const equal = phases.reduce((total, { matched }) => total + matched, 0)
  if (compared === 0) return 'nothing'
  const all = `${number(compared)} ${items(compared)}`
  if (equal === compared) return `${all}: ${compared === 1 ? 'it is' : 'all are'} equal`
  const others = compared - equal
  return `${all}: ${number(equal)} ${are(equal)} equal, ${number(others)} ${are(others)} not equal or not compared`
}

/** A dry run has few issues to review: most of what it expects to fail are warnings. */
function review({ run, failed, failuresOpen }: Outcome): string {
  const count = run.mode === 'dry-run' ? Math.max(failed, failuresOpen) : failuresOpen
  if (count === 0) return ''
  const need = count === 1 ? 'needs' : 'need'
  return `; ${number(count)} ${items(count)} ${run.mode === 'dry-run' ? 'would need' : need} review`
}

function items(count: number): string {
  return count === 1 ? 'item' : 'items'
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are'
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were'
}

function nameOf(label: string, count: number): string {
  return count === 1 ? singularOf(label) : label.toLowerCase()
}

function list(parts: string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

/** Not `toLocaleString`, which first loads the data of all languages: 24 ms of CPU in every run's process. */
function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

function unknown(status: never): never {
  throw new Error(`No summary for status ${status}.`)
}
