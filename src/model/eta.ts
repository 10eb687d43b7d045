import type { Forecast } from '../contract/migration.ts'
import { isLive } from '../contract/status.ts'
import { healingBudgetMs } from './healing.ts'
import { sumOf, terminalItems, totalsOf } from './results.ts'
import type { ComponentCount, Pace, RunFacts } from './run-facts.ts'

/** With less predicted work than this, the observed speed reflects the start-up and not the stores. */
const leastComparedSeconds = 5
/** How far the observed speed may change the forecast; a stall at the start must not show as weeks. */
const slowest = 10
const fastest = 0.1
/** Rates below this are shown as 0. */
const leastRatePerSec = 0.01
/**
 * How much the current rate may stretch the rest of the forecast: after a take-over the last 30 s are mostly waiting.
 */
const mostByRate = 1.5
/** How many items are tried again or deleted at a time, as in the forecast of a round of healing. */
const atOnce = 4

/**
 * Remaining seconds of the current phase and of the whole run. Before the start they come from the forecast (0 without
 * one), after the end they are 0. In between, the running phase moves from its forecast to its observed rate as its
 * items are finished, later phases keep their forecast, and the last one includes what follows it. Forecasts are scaled
 * by the ratio of actual to predicted time of the finished work. The result is at least as long as a wait of known
 * length, and never 0 before the end. A round of healing goes by what has failed (`fix`).
 */
export function etaOf(
  run: Pick<RunFacts, 'status' | 'startedAt' | 'phase' | 'phases' | 'forecast' | 'mode' | 'healing'>,
  counts: readonly ComponentCount[],
  pace: Pace,
): { etaSeconds: number; overallEtaSeconds: number } {
  if (!isLive(run.status)) return { etaSeconds: 0, overallEtaSeconds: 0 }
  const predicted = run.forecast?.etaSeconds ?? 0
  if (run.startedAt === null || run.phase === '') return { etaSeconds: predicted, overallEtaSeconds: predicted }

  const least = Math.max(run.forecast ? 1 : 0, Math.round(pace.settlingSeconds))
  if (run.forecast?.basis === 'fix') {
    const left = Math.max(least, Math.round(predicted * shareStillFailed(run.forecast, counts)))
    return { etaSeconds: left, overallEtaSeconds: left }
  }
  const phases = phasesWithShares(run, counts)
  const slowness = slownessOf(phases, pace.workedSeconds)
  const at = phases.findIndex(({ key }) => key === run.phase)
  const current = phases[at]
  const remaining = current ? remainingSeconds(current, pace.ratePerSec, slowness) : 0
  const later = phases.slice(at + 1).reduce((sum, phase) => sum + phase.predictedSeconds, 0)
  const after = secondsAfterPhases(run, counts, pace)
  const isLast = at === phases.length - 1
  const own = Math.max(least, Math.round(remaining + (isLast ? after * slowness : 0)))
  const rest = isLast ? 0 : (later + after) * slowness
  return { etaSeconds: own, overallEtaSeconds: Math.max(own, Math.round(own + rest)) }
}

/** Predicted seconds for what is known to follow the phases: failed items that are tried again, and deletions. */
function secondsAfterPhases(
  { forecast, healing }: Pick<RunFacts, 'forecast' | 'healing'>,
  counts: readonly ComponentCount[],
  { deletionsLeft, workedSeconds }: Pick<Pace, 'deletionsLeft' | 'workedSeconds'>,
): number {
  if (!forecast) return 0
  const { read, write } = forecast.etaAssumedMs
  const trying = healing ? (sumOf(counts).failed * (2 * read + write)) / 1000 / atOnce : 0
  const deleting = (deletionsLeft * (read + write)) / 1000 / atOnce
  return Math.min(trying, healingBudgetMs(workedSeconds * 1000) / 1000) + deleting
}

/** The share of a healing round's items that still count as failed. */
function shareStillFailed({ counts: tried }: Forecast, counts: readonly ComponentCount[]): number {
  const all = Object.values(tried).reduce((sum, count) => sum + count, 0)
  const left = counts.reduce((sum, { component, failed }) => sum + Math.min(failed, tried[component] ?? 0), 0)
  return all === 0 ? 0 : left / all
}

interface PhaseShare {
  key: string
  predictedSeconds: number
  itemsLeft: number
  /** Share of the items in a terminal state, 0 to 1; 0 while the number of items is unknown. */
  share: number
}

function phasesWithShares(
  run: Pick<RunFacts, 'phases' | 'phase' | 'status' | 'mode' | 'forecast'>,
  counts: readonly ComponentCount[],
): PhaseShare[] {
  const running = run.phases.findIndex(({ key }) => key === run.phase)
  const totalOf = totalsOf(run)
  const byPhase = Map.groupBy(counts, ({ phase }) => phase)
  return run.phases.map(({ key }, at) => {
    const own = byPhase.get(key) ?? []
    const total = own.reduce((sum, count) => sum + totalOf(count), 0)
    const terminal = terminalItems(sumOf(own))
    const share = at < running ? 1 : total === 0 ? 0 : Math.min(1, terminal / total)
    const predictedSeconds = run.forecast?.etaBreakdown[key] ?? 0
    return { key, predictedSeconds, itemsLeft: Math.max(0, total - terminal), share }
  })
}

/** Actual seconds per predicted second, over the finished work; 1 while too little is finished. */
function slownessOf(phases: readonly PhaseShare[], workedSeconds: number): number {
  const predicted = phases.reduce((sum, phase) => sum + phase.predictedSeconds * phase.share, 0)
  if (predicted < leastComparedSeconds) return 1
  return Math.min(slowest, Math.max(fastest, workedSeconds / predicted))
}

/** The rate alone would show hours while a phase reads its first pages, and would jump at each take-over. */
function remainingSeconds(
  { predictedSeconds, itemsLeft, share }: PhaseShare,
  ratePerSec: number,
  slowness: number,
): number {
  const byForecast = predictedSeconds * (1 - share) * slowness
  if (ratePerSec < leastRatePerSec || itemsLeft === 0) return byForecast
  const byRate = itemsLeft / ratePerSec
  if (predictedSeconds === 0) return byRate
  return byForecast * (1 - share) + Math.min(byRate, byForecast * mostByRate) * share
}
