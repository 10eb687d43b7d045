import type { Clock } from '../../clock.ts'
import type { SaleTerms } from '../../entities/core/component.ts'

/** Longer, and goods that were restocked are not sold; shorter, and more orders are refused first. Our choice. */
const validMs = 300_000
/** About 20 MB. Beyond it what was learned is forgotten. */
const mostTerms = 100_000

/** What the destination was seen to sell, so that not every item is refused first. */
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
