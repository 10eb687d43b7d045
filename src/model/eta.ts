import { isLive } from '../contract/status.ts'
import { sumOf, terminalItems, totalOf } from './results.ts'
import type { ComponentCount, Pace, RunFacts } from './run-facts.ts'

/** Below this much predicted work the comparison with the clock says more about the start than about the stores. */
const leastComparedSeconds = 5
/** How far the observed speed may move the forecast; a stall at the start must not show as weeks. */
const slowest = 10
const fastest = 0.1
/** Items per second that readers are shown as 0: a stalled phase is told by its forecast, not by centuries. */
const leastRatePerSec = 0.01

/**
 * Remaining seconds of the current phase and of the whole run: the forecast's before the start (0 while there is none), 0
 * after the end. In between the running phase follows its observed rate, and the later ones the forecast times what the
 * work so far took compared with its own forecast.
 */
export function etaOf(
  run: Pick<RunFacts, 'status' | 'startedAt' | 'phase' | 'phases' | 'forecast' | 'mode'>,
  counts: readonly ComponentCount[],
  pace: Pace,
): { etaSeconds: number; overallEtaSeconds: number } {
  if (!isLive(run.status)) return { etaSeconds: 0, overallEtaSeconds: 0 }
  const predicted = run.forecast?.etaSeconds ?? 0
  if (run.startedAt === null || run.phase === '') return { etaSeconds: predicted, overallEtaSeconds: predicted }

  const phases = phasesWithShares(run, counts)
  const slowness = slownessOf(phases, pace.workedSeconds)
  const at = phases.findIndex(({ key }) => key === run.phase)
  const current = phases[at]
  const remaining = current ? remainingSeconds(current, pace.ratePerSec, slowness) : 0
  const later = phases.slice(at + 1).reduce((sum, phase) => sum + phase.predictedSeconds * slowness, 0)
  return { etaSeconds: Math.round(remaining), overallEtaSeconds: Math.round(remaining + later) }
}

interface PhaseShare {
  key: string
  predictedSeconds: number
  itemsLeft: number
  /** Part of its items in a terminal state, 0 to 1; 0 while nothing is known of it. */
  share: number
}

function phasesWithShares(
  run: Pick<RunFacts, 'phases' | 'phase' | 'status' | 'mode' | 'forecast'>,
  counts: readonly ComponentCount[],
): PhaseShare[] {
  const running = run.phases.findIndex(({ key }) => key === run.phase)
  return run.phases.map(({ key }, at) => {
    const own = counts.filter(({ phase }) => phase === key)
    const total = own.reduce((sum, count) => sum + totalOf(run, count), 0)
    const terminal = terminalItems(sumOf(own))
    const share = at < running ? 1 : total === 0 ? 0 : Math.min(1, terminal / total)
    const predictedSeconds = run.forecast?.etaBreakdown[key] ?? 0
    return { key, predictedSeconds, itemsLeft: Math.max(0, total - terminal), share }
  })
}

/** Seconds really worked for each second predicted, over the work that is done; 1 while too little is. */
function slownessOf(phases: readonly PhaseShare[], workedSeconds: number): number {
  const predicted = phases.reduce((sum, phase) => sum + phase.predictedSeconds * phase.share, 0)
  if (predicted < leastComparedSeconds) return 1
  return Math.min(slowest, Math.max(fastest, workedSeconds / predicted))
}

function remainingSeconds(phase: PhaseShare, ratePerSec: number, slowness: number): number {
  if (ratePerSec >= leastRatePerSec && phase.itemsLeft > 0) return phase.itemsLeft / ratePerSec
  return phase.predictedSeconds * (1 - phase.share) * slowness
}
