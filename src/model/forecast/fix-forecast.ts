import type { Forecast } from '../../contract/migration.ts'
import type { StoreLatencies } from './duration.ts'

/** Items of a component to be tried again. */
export interface FailedCount {
  phase: string
  component: string
  items: number
}

/** Calls to each store before the first item is tried. Source: the calls with which any run begins (decision 0009). */
const openingCalls = 20
/** How many items are tried at a time. Our choice: with most stores more are in flight, with slow ones fewer. */
const atOnce = 4

/**
 * The forecast of a round of healing: each failed item is read in both stores and written once. The memory is that of
 * the whole run, and the time is at most what healing may take (F4).
 */
export function fixForecast(
  before: Forecast,
  failed: readonly FailedCount[],
  { latencies, budgetMs, at }: { latencies: StoreLatencies; budgetMs: number; at: Date },
): Forecast {
  const { sourceRead, destinationRead, write } = latencies
  const secondsPerItem = (sourceRead + destinationRead + write) / 1000 / atOnce
  const breakdown: Record<string, number> = {}
  for (const { phase, items } of failed) breakdown[phase] = (breakdown[phase] ?? 0) + items * secondsPerItem
  const opening = (openingCalls * Math.max(sourceRead, destinationRead)) / 1000
  const seconds = Math.min(budgetMs / 1000, opening + Object.values(breakdown).reduce((sum, one) => sum + one, 0))
  return {
    ...before,
    counts: Object.fromEntries(failed.map(({ component, items }) => [component, items])),
    estimated: [],
    etaSeconds: Math.max(1, Math.ceil(seconds)),
    etaBreakdown: Object.fromEntries(Object.entries(breakdown).map(([key, one]) => [key, Math.floor(one * 10) / 10])),
    etaAssumedMs: { read: Math.round((sourceRead + destinationRead) / 2), write, heavy: latencies.heavy },
    basis: 'fix',
    at: at.toISOString(),
  }
}
