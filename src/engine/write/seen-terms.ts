import type { Clock } from '../../clock.ts'
import type { SaleTerms } from '../../entities/core/component.ts'

/**
 * Our choice. If it were longer, restocked goods would count as unsold; if it were shorter, more orders would be
 * refused first.
 */
const validMs = 300_000
/** About 20 MB; beyond that, everything learned is forgotten. */
const mostTerms = 100_000

/** Remembers what the destination was seen to sell, so that not every item has to be refused first. */
export interface SeenTerms {
  find(key: string): SaleTerms | undefined
  learn(terms: ReadonlyMap<string, SaleTerms>): void
}

export function seenTerms(clock: Clock): SeenTerms {
  const seen = new Map<string, { terms: SaleTerms; atMs: number }>()
  return {
    find: (key) => {
      const one = seen.get(key)
      return one && clock.monotonicMs() - one.atMs < validMs ? one.terms : undefined
    },
    learn: (terms) => {
      if (seen.size > mostTerms) seen.clear()
      for (const [key, one] of terms) seen.set(key, { terms: one, atMs: clock.monotonicMs() })
    },
  }
}
