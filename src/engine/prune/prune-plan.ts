import type { PruneConditions } from '../../db/ledger/prune.ts'

/** What a run is about to delete of one component. */
export interface ToDeleteOf {
  /** Items whose deletion no person has confirmed. */
  unasked: number
  /** How many the destination lists. */
  listed: number
}

export interface PruneLimits {
  pruneLimitItems: number
  pruneLimitPercent: number
}

/** More than a run may delete without a confirmation: in all, or as a share of one component. */
export function exceeds(limits: PruneLimits, components: readonly ToDeleteOf[]): boolean {
  const items = components.reduce((sum, { unasked }) => sum + unasked, 0)
  return (
    items > limits.pruneLimitItems ||
    components.some(({ unasked, listed }) => unasked > (listed * limits.pruneLimitPercent) / 100)
  )
}

export const refusedList = 'a store refused the list of them'

/** Why nothing of a component is deleted; null when it may be. */
export function reasonToWithhold({ discovered, failed, sourceShort, listRefused }: PruneConditions): string | null {
  if (listRefused) return refusedList
  if (sourceShort) return 'the source did not give all the items that it counts'
  if (discovered === 0) return 'the source has none of them'
  return failed > 0 ? `${failed} of them could not be copied` : null
}
