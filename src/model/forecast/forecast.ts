import type { Forecast } from '../../contract/migration.ts'
import { type CallTotals, callTotals, type OpeningCalls } from './call-totals.ts'
import { type PassShape, workOf } from './calls.ts'
import { type Conditions, durationsOf, type QuotaShare, type StoreLatencies } from './duration.ts'
import type { Scope } from './scope.ts'
import { capacities, tierOf } from './tier.ts'

export interface StoreCounts {
  products: number
  variants: number
  categories: number
  brands: number
}

/** Items in the scope of a partial run by component, and the components whose counts are estimates. */
export interface ScopedCounts {
  counts: StoreCounts
  estimated: string[]
}

/** Milliseconds per call until the pair has been measured. */
export const defaultLatencies: StoreLatencies = { sourceRead: 150, destinationRead: 150, write: 250, heavy: 700 }

/**
 * Standard and Plus plans: 150 calls per 30 s, with a tenth left to other apps. Larger plans allow more, so the
 * forecast is too long rather than too short.
 */
export const defaultQuota: QuotaShare = { calls: 135, windowSeconds: 30 }

/** Assumed for a store that did not respond in time: a typical small one. Our choice. */
export const defaultCounts: StoreCounts = { products: 1_000, variants: 3_000, categories: 100, brands: 50 }

export interface KnownOfStores {
  /** Null if the source did not respond; defaults are used and marked as estimates. */
  counts: StoreCounts | null
  /** Undefined for a run over the whole store. */
  scoped?: ScopedCounts | undefined
  /** In the order of the run, including passes that are only looked up. */
  shapes?: readonly PassShape[]
  opening?: OpeningCalls
  /** Undefined if the destination did not respond. */
  destProducts?: number | undefined
  latencies?: StoreLatencies | undefined
  quotas?: { source?: QuotaShare | undefined; destination?: QuotaShare | undefined }
  /** Actual seconds per calculated second in earlier runs over the pair; 1 without any. */
  correction?: number
  /** Components whose count was extrapolated from a sample. */
  sampled?: readonly string[]
  /** Components with an exact total, instead of one calculated from their parents. */
  countedAs?: Readonly<Record<string, keyof StoreCounts>>
}

/** The inputs of a price besides the scope; the plan of a dry run is priced from the same ones. */
export interface PriceBasis extends Conditions {
  shapes: readonly PassShape[]
  correction: number
}

export interface Price {
  forecast: Forecast
  /** Seconds by phase before the correction; later corrections are derived from them. */
  calculatedSeconds: Record<string, number>
  calls: CallTotals
  basis: PriceBasis
}

/** The forecast of a run over this scope. */
export function priceOf(scope: Scope, known: KnownOfStores, at: Date): Price {
  const counts = known.counts ?? defaultCounts
  const latencies = known.latencies ?? defaultLatencies
  const shapes = known.shapes ?? []
  const opening = known.opening ?? { source: 0, destination: 0 }
  const correction = known.correction ?? 1
  const works = shapes.map((shape) => workOf(shape, scope))
  const quotas = {
    source: known.quotas?.source ?? defaultQuota,
    destination: known.quotas?.destination ?? defaultQuota,
  }
  const conditions = { latencies, quotas, opening, inTurn: known.scoped !== undefined }
  const { opening: before, phases } = durationsOf(works, conditions)
  const calculated = scope.phases.map(({ key }): [string, number] => [key, phases[key] ?? 0])
  const corrected = calculated.map(([key, seconds]): [string, number] => [key, seconds * correction])
  const scoped = countsInScope(scope, known, known.scoped?.counts ?? counts)
  const estimated = [...(known.sampled ?? []), ...(known.scoped?.estimated ?? [])]
  const calls = callTotals(works, opening)
  const tier = tierOf(counts.products + counts.variants)
  const forecast: Forecast = {
    ...counts,
    counts: scoped,
    estimated: known.counts ? estimated.filter((key) => key in scoped) : Object.keys(scoped),
    memMB: capacities[tier].memMB,
    cpus: capacities[tier].cpus,
    etaSeconds: Math.ceil(before + corrected.reduce((sum, [, seconds]) => sum + seconds, 0)),
    etaBreakdown: inTenths(corrected),
    etaAssumedRttMs: blended(calls, latencies),
    etaAssumedMs: { read: readLatency(calls, latencies), write: latencies.write, heavy: latencies.heavy },
    ...(scope.strategy === undefined ? {} : { strategy: scope.strategy }),
    ...(known.destProducts === undefined ? {} : { destProducts: known.destProducts }),
    tier,
    basis: known.counts ? 'forecast' : 'fallback',
    at: at.toISOString(),
  }
  const basis = { shapes, correction, ...conditions }
  return { forecast, calculatedSeconds: Object.fromEntries(calculated), calls, basis }
}

/** Rounds down, so the phases never add up to more than the whole. */
function inTenths(seconds: [string, number][]): Record<string, number> {
  return Object.fromEntries(seconds.map(([key, some]) => [key, Math.floor(some * 10) / 10]))
}

/** The mean over the reads of both stores. */
function readLatency({ sourceReads, destinationReads }: CallTotals, latencies: StoreLatencies): number {
  const reads = sourceReads + destinationReads
  if (reads === 0) return latencies.sourceRead
  return Math.round((sourceReads * latencies.sourceRead + destinationReads * latencies.destinationRead) / reads)
}

/** The mean latency over the calls of the run; without calls, that of a read. */
function blended(calls: CallTotals, latencies: StoreLatencies): number {
  const reads = calls.sourceReads + calls.destinationReads
  const count = reads + calls.writes + calls.heavyWrites
  const ms =
    reads * readLatency(calls, latencies) + calls.writes * latencies.write + calls.heavyWrites * latencies.heavy
  return count === 0 ? latencies.sourceRead : Math.round(ms / count)
}

/** The items of the scope by component key; also the expected number of each component before it is read. */
function countsInScope(
  scope: Scope,
  { shapes = [], countedAs = {} }: KnownOfStores,
  counts: StoreCounts,
): Record<string, number> {
  const items = new Map<string, number>()
  for (const shape of shapes) {
    if (shape.adoptOnly) continue
    items.set(shape.root, Math.round(shape.held))
    for (const { component, perItem } of shape.creation)
      if (component !== shape.root) items.set(component, Math.round(shape.held * perItem))
  }
  for (const [component, total] of Object.entries(countedAs))
    if (items.has(component)) items.set(component, counts[total])
  const keys = scope.phases.flatMap(({ components }) => components.map(({ key }) => key))
  return Object.fromEntries(keys.flatMap((key) => (items.has(key) ? [[key, items.get(key) ?? 0]] : [])))
}
