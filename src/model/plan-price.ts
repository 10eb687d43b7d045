import type { ConflictStrategy } from '../contract/modes.ts'
import type { StoreCounts } from './forecast.ts'
import { callsByPhase, type PhaseCalls } from './phase-calls.ts'
import type { ComponentCount, RunFacts } from './run-facts.ts'

/** What carrying out the plan of a dry run takes. */
export interface PlanPrice {
  sourceReads: number
  destinationReads: number
  writes: number
  /** At the default quota: what the stores permit is known when the run starts. */
  minutes: number
}

interface Latencies {
  read: number
  write: number
  heavy: number
}

/** Milliseconds per call when the dry run had no forecast. Source: design 5.2. */
const defaultLatencies: Latencies = { read: 150, write: 250, heavy: 700 }
/** Standard and Plus: 150 calls per 30 s. */
const defaultCallsPerSecond = 5
/** Calls in flight without a quota; below the governor's 24, because the calls about one item follow each other. */
const callsInFlight = 12

type Facts = Pick<RunFacts, 'phases' | 'forecast'> & { conflictStrategy: ConflictStrategy }

/** By the forecast's model: reads for everything that was found, writes for what would be created, updated and deleted. */
export function planPrice(run: Facts, counts: readonly ComponentCount[]): PlanPrice {
  const scope = { mode: 'full', strategy: run.conflictStrategy, phases: run.phases } as const
  const destinationProducts = run.forecast?.destProducts ?? 0
  const reads = callsByPhase(scope, storeCounts(counts, 'discovered'), destinationProducts)
  const creations = callsByPhase(scope, storeCounts(counts, 'created'), destinationProducts)
  const phases = reads.map((phase, at): PhaseCalls => {
    const { writes = 0, heavyWrites = 0 } = creations[at] ?? {}
    return { ...phase, heavyWrites, writes: writes + changesIn(counts, phase.key) }
  })
  const latencies = run.forecast?.etaAssumedMs ?? defaultLatencies
  const seconds = phases.reduce((sum, phase) => sum + secondsOf(phase, latencies), 0)
  const total = (of: (phase: PhaseCalls) => number) => phases.reduce((sum, phase) => sum + of(phase), 0)
  return {
    sourceReads: total((phase) => phase.sourceReads),
    destinationReads: total((phase) => phase.destinationReads),
    writes: total((phase) => phase.writes + phase.heavyWrites),
    minutes: Math.ceil(seconds / 6) / 10,
  }
}

/** The stores' quotas are independent and their calls overlap: the slowest of three limits decides. */
function secondsOf(calls: PhaseCalls, latencies: Latencies): number {
  const { sourceReads, destinationReads, writes, heavyWrites } = calls
  const busyMs =
    (sourceReads + destinationReads) * latencies.read + writes * latencies.write + heavyWrites * latencies.heavy
  const busier = Math.max(sourceReads, destinationReads + writes + heavyWrites)
  return Math.max(busier / defaultCallsPerSecond, busyMs / 1000 / callsInFlight)
}

function storeCounts(counts: readonly ComponentCount[], field: 'discovered' | 'created'): StoreCounts {
  const of = (key: string) => counts.find(({ component }) => component === key)?.[field] ?? 0
  return {
    products: of('products'),
    variants: of('product-variants'),
    categories: of('categories'),
    brands: of('brands'),
  }
}

/** An update or a deletion is a call of its own. */
function changesIn(counts: readonly ComponentCount[], phase: string): number {
  return counts.filter((count) => count.phase === phase).reduce((sum, { updated, pruned }) => sum + updated + pruned, 0)
}
