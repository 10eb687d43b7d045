import type { Forecast } from '../contract/migration.ts'
import type { ConflictStrategy, Mode } from '../contract/modes.ts'
import { callsByPhase, type PhaseCalls } from './calls.ts'
import { capacities, tierOf } from './tier.ts'

export interface StoreCounts {
  products: number
  variants: number
  categories: number
  brands: number
}

/** What a run over part of a store will meet of each kind, and which of these counts (component keys) are estimates. */
export interface ScopedCounts {
  counts: StoreCounts
  estimated: string[]
}

export interface Latencies {
  read: number
  write: number
  heavy: number
}

/** Calls per second each store permits; Infinity when it names no quota. */
export interface Quotas {
  source: number
  destination: number
}

/** Milliseconds per call while nothing better is known of the pair. Source: design 5.2. */
export const defaultLatencies: Latencies = { read: 150, write: 250, heavy: 700 }

/** Standard and Plus: 150 calls per 30 s. Larger plans allow more, so that the guess errs on the long side. */
export const defaultCallsPerSecond = 5

/** What a store is taken for when it did not answer in time: a usual small one. Our choice. */
export const defaultCounts: StoreCounts = { products: 1_000, variants: 3_000, categories: 100, brands: 50 }

/**
 * Calls in flight that a run reaches without a quota. Our choice, below the governor's 24: the calls about one item follow
 * each other. Higher promises too much, lower too little.
 */
const callsInFlight = 12

export interface Scope {
  mode: Mode
  /** Undefined: nothing stands at the destination, everything is created. */
  strategy?: ConflictStrategy | undefined
  /** Phase keys with their component keys. */
  phases: readonly { key: string; components: readonly { key: string }[] }[]
}

/**
 * What a run over this scope will take.
 *
 * @param counts null when the source did not answer: the defaults are used and said to be estimates.
 * @param destProducts undefined when the destination did not answer.
 */
export function forecastOf(
  scope: Scope,
  known: {
    counts: StoreCounts | null
    /** Undefined: the run is over the whole store. */
    scoped?: ScopedCounts | undefined
    destProducts?: number | undefined
    latencies?: Latencies
    quotas?: Partial<Quotas>
  },
  at: Date,
): Forecast {
  const counts = known.counts ?? defaultCounts
  const latencies = known.latencies ?? defaultLatencies
  const inScope = known.scoped?.counts ?? counts
  const calls = callsByPhase(scope, inScope, known.destProducts ?? 0)
  const quotas = {
    source: known.quotas?.source ?? defaultCallsPerSecond,
    destination: known.quotas?.destination ?? defaultCallsPerSecond,
  }
  const etaBreakdown = Object.fromEntries(calls.map((phase) => [phase.key, secondsOf(phase, latencies, quotas)]))
  const scoped = countsInScope(scope, inScope)
  const tier = tierOf(counts.products + counts.variants)
  return {
    ...counts,
    counts: scoped,
    estimated: known.counts ? (known.scoped?.estimated ?? []).filter((key) => key in scoped) : Object.keys(scoped),
    memMB: capacities[tier].memMB,
    cpus: capacities[tier].cpus,
    etaSeconds: Math.ceil(Object.values(etaBreakdown).reduce((sum, seconds) => sum + seconds, 0)),
    etaBreakdown,
    etaAssumedRttMs: blended(calls, latencies),
    etaAssumedMs: latencies,
    ...(scope.strategy === undefined ? {} : { strategy: scope.strategy }),
    ...(known.destProducts === undefined ? {} : { destProducts: known.destProducts }),
    tier,
    basis: known.counts ? 'forecast' : 'fallback',
    at: at.toISOString(),
  }
}

/** The stores' quotas are independent and their calls overlap: the slowest of three limits decides. Tenths of a second. */
export function secondsOf(calls: PhaseCalls, latencies: Latencies, quotas: Quotas): number {
  const destinationCalls = calls.destinationReads + calls.writes + calls.heavyWrites
  const busyMs =
    (calls.sourceReads + calls.destinationReads) * latencies.read +
    calls.writes * latencies.write +
    calls.heavyWrites * latencies.heavy
  const seconds = Math.max(
    calls.sourceReads / quotas.source,
    destinationCalls / quotas.destination,
    busyMs / 1000 / callsInFlight,
  )
  return Math.ceil(seconds * 10) / 10
}

/** The mean latency over the calls of the run; that of a read when there are none. */
function blended(calls: readonly PhaseCalls[], latencies: Latencies): number {
  let count = 0
  let ms = 0
  for (const phase of calls) {
    const reads = phase.sourceReads + phase.destinationReads
    count += reads + phase.writes + phase.heavyWrites
    ms += reads * latencies.read + phase.writes * latencies.write + phase.heavyWrites * latencies.heavy
  }
  return count === 0 ? latencies.read : Math.round(ms / count)
}

/** Component keys whose number a store tells without being read. */
const countedComponents: Record<string, keyof StoreCounts> = {
  categories: 'categories',
  brands: 'brands',
  products: 'products',
  'product-variants': 'variants',
}

/** The items of the scope by component key. Also what a component may expect before it is read. */
function countsInScope(scope: Scope, counts: StoreCounts): Record<string, number> {
  const keys = scope.phases.flatMap(({ components }) => components.map(({ key }) => key))
  return Object.fromEntries(
    keys.flatMap((key) => {
      const counted = countedComponents[key]
      return counted ? [[key, counts[counted]]] : []
    }),
  )
}
