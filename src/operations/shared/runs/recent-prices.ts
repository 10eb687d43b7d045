import type { Database } from '../../../db/core/database.ts'
import type { ExplainedPrice, PriceMemory } from '../../../engine/forecast/price-runs.ts'
import type { Deps } from '../operation.ts'

/** Longer: a migration gets the price of a store that has changed since. Shorter: people read on, and get another one. */
const keptMs = 10 * 60_000
/** More than people ask for at the same time. */
const mostKept = 200

interface Kept {
  price: ExplainedPrice
  atMs: number
}

/** By database, because what a price is about is only known within one. */
const kept = new WeakMap<Database, Map<string, Kept>>()

/**
 * Prices that were requested in the last minutes, in this process. A migration with the same choices keeps the price
 * that was shown before it was started: a second survey measures the stores anew and would say something else.
 */
export function recentPrices({ database, clock }: Pick<Deps, 'database' | 'clock'>): Required<PriceMemory> {
  const prices = kept.get(database) ?? new Map<string, Kept>()
  kept.set(database, prices)
  return {
    find(key) {
      const found = prices.get(key)
      return found && clock.monotonicMs() - found.atMs < keptMs ? found.price : undefined
    },
    keep(key, price) {
      prices.delete(key)
      prices.set(key, { price, atMs: clock.monotonicMs() })
      const [oldest] = prices.keys()
      if (prices.size > mostKept && oldest !== undefined) prices.delete(oldest)
    },
  }
}
