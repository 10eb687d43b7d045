import type { DifferenceFilters } from '../../data/queries.ts'

export interface DifferenceSearch {
  kind?: DifferenceFilters['kind']
  part?: string | undefined
  text?: string | undefined
  /** Values that the shop changes itself: only them, or all others. */
  own?: 'only' | 'without' | undefined
  cursor?: string | undefined
}

/** What the list is asked for; its file, without the cursor. */
export function differenceFiltersOf({ kind, part, text, own, cursor }: DifferenceSearch) {
  return { kind, component: part, text, living: own, cursor }
}
