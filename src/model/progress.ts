import type { Progress } from '../contract/migration.ts'
import { etaOf } from './eta.ts'
import { sumOf, terminalItems, totalsOf } from './results.ts'
import type { ComponentCount, Pace, RunFacts } from './run-facts.ts'

/** The most that an unfinished run may show. 100 means that nothing is left to do. */
const mostUnfinishedPercent = 99.9

/** Progress in items of the whole run. */
export function progressOf(run: RunFacts, counts: readonly ComponentCount[], pace: Pace): Progress {
  const sum = sumOf(counts)
  return {
    phase: run.phase,
    done: terminalItems(sum),
    discovered: sum.discovered,
    percent: percentOf(run, counts, pace.percentReached),
    ratePerSec: round(pace.ratePerSec, 2),
    ...etaOf(run, counts, pace),
    lastProgressAt: lastProgress(run, counts).toISOString(),
  }
}

/** When the run last made progress. It is taken from the same counts, so that no counted item is newer. */
export function lastProgress(
  { lastProgressAt }: Pick<RunFacts, 'lastProgressAt'>,
  counts: readonly Pick<ComponentCount, 'progressedAt'>[],
): Date {
  return new Date(Math.max(lastProgressAt.getTime(), ...counts.map(({ progressedAt }) => progressedAt?.getTime() ?? 0)))
}

export function percentOf(
  run: Pick<RunFacts, 'phases' | 'phase' | 'status' | 'mode'>,
  counts: readonly ComponentCount[],
  reached: number,
): number {
  if (run.status === 'completed' || run.status === 'partial_completed') return 100
  const totalOf = totalsOf(run)
  const total = counts.reduce((sum, count) => sum + totalOf(count), 0)
  return percentDone(terminalItems(sumOf(counts)), total, reached)
}

/**
 * Percentage of known or announced items in a terminal state, rounded down to one decimal. Never below `reached`,
 * because totals grow while a store is read; 100 only once the run has finished.
 */
export function percentDone(terminal: number, total: number, reached: number): number {
  const share = total === 0 ? 0 : (terminal / total) * 100
  return Math.min(mostUnfinishedPercent, Math.max(reached, Math.floor(share * 10) / 10))
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
