import type { Migration } from '../../data/queries.ts'
import { aboutDuration, comingTime } from '../../format/time.ts'
import { doneOf, isRetry } from './parts.ts'

/** The first seconds of a migration say nothing about its pace. */
const settlingMs = 20_000
/** Below this, a time is "about a minute", whatever the pace. */
const briefSeconds = 90
/** How far the time that follows from the pace may be from the expected one. */
const mostApart = 1.5

/**
 * How long a running migration still takes: this step, with its pace, and everything. Only everything if no step is
 * left. Empty if it is not running.
 */
export function remainingTime(migration: TimedMigration, now: Date): string[] {
  const { status, progress, phases, timestamps } = migration
  if (status !== 'in_progress') return []
  const { phase, etaSeconds, overallEtaSeconds } = progress
  const step = phases.find(({ key }) => key === phase)
  const startedMs = timestamps.started === undefined ? now.getTime() : new Date(timestamps.started).getTime()
  if (overallEtaSeconds === 0 || now.getTime() - startedMs < settlingMs) return ['Working out how long it takes.']
  const end = new Date(now.getTime() + overallEtaSeconds * 1000)
  const all = `Everything: ${aboutDuration(overallEtaSeconds)}, around ${comingTime(end, now)}`
  // After the last step, it tries again what failed.
  const isLast = step !== undefined && step === phases.at(-1)
  if (isRetry(migration) || (isLast && step.total > 0 && doneOf(step) >= step.total)) return [all]
  return [
    `This step${step ? `, ${step.label}` : ''}: ${aboutDuration(etaSeconds)}${step ? paceOf(step, progress) : ''}`,
    all,
  ]
}

/**
 * The pace of the last half minute, in words. Empty if the expected time does not follow from it: the forecast counts
 * for more while a step begins, and what is left may be slower than what was done.
 */
function paceOf(step: TimedPhase, { etaSeconds, ratePerSec }: TimedMigration['progress']): string {
  const left = step.total - doneOf(step)
  if (left <= 0 || ratePerSec < 0.1) return ''
  const [shorter = 0, longer = 0] = [left / ratePerSec, etaSeconds].toSorted((a, b) => a - b)
  if (longer >= briefSeconds && longer > shorter * mostApart) return ''
  return `, at ${ratePerSec < 10 ? ratePerSec.toFixed(1) : Math.round(ratePerSec)} items a second`
}

type TimedPhase = Pick<
  Migration['phases'][number],
  'key' | 'label' | 'total' | 'created' | 'updated' | 'skipped' | 'matched' | 'failed'
>

export type TimedMigration = Pick<Migration, 'status'> & {
  forecast: Pick<NonNullable<Migration['forecast']>, 'basis'> | null
  phases: TimedPhase[]
  progress: Pick<Migration['progress'], 'phase' | 'etaSeconds' | 'overallEtaSeconds' | 'ratePerSec'>
  timestamps: Pick<Migration['timestamps'], 'started'>
}
