import type { Migration } from '../../data/queries.ts'
import { aboutDuration, clockTime } from '../../format/time.ts'

/** The first seconds of a migration say nothing about its pace. */
const settlingMs = 20_000

/**
 * What to expect of a running migration: time for this step, time in total, and the pace. Empty if it is not running.
 */
export function remainingTime({ status, progress, phases, timestamps }: TimedMigration, now: Date): string[] {
  if (status !== 'in_progress') return []
  const { phase, etaSeconds, overallEtaSeconds, ratePerSec } = progress
  const step = phases.find(({ key }) => key === phase)
  const startedMs = timestamps.started === undefined ? now.getTime() : new Date(timestamps.started).getTime()
  if (overallEtaSeconds === 0 || now.getTime() - startedMs < settlingMs) return ['Working out how long it takes.']
  const end = new Date(now.getTime() + overallEtaSeconds * 1000)
  return [
    `This step${step ? `, ${step.label}` : ''}: ${aboutDuration(etaSeconds)}`,
    `Everything: ${aboutDuration(overallEtaSeconds)}, around ${clockTime(end)}`,
    ...(ratePerSec >= 0.1 ? [`${ratePerSec < 10 ? ratePerSec.toFixed(1) : Math.round(ratePerSec)} items/s`] : []),
  ]
}

export type TimedMigration = Pick<Migration, 'status'> & {
  phases: Pick<Migration['phases'][number], 'key' | 'label'>[]
  progress: Pick<Migration['progress'], 'phase' | 'etaSeconds' | 'overallEtaSeconds' | 'ratePerSec'>
  timestamps: Pick<Migration['timestamps'], 'started'>
}
