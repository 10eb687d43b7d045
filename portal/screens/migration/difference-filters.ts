import type { Difference, DifferenceFilters } from '../../data/queries.ts'

/** What a comparison found about an item. */
export const compared: Record<Difference['kind'], string> = {
  missing: 'Missing',
  different: 'Different',
  extra: 'Only in the destination',
}

export interface DifferenceSearch {
  kind?: DifferenceFilters['kind']
  part?: string | undefined
  text?: string | undefined
  /** Values that the shop changes itself: only these, or all others. */
  own?: 'only' | 'without' | undefined
  cursor?: string | undefined
}

/** The query of the list, and of its file without the cursor. */
export function differenceFiltersOf({ kind, part, text, own, cursor }: DifferenceSearch) {
  return { kind, component: part, text, living: own, cursor }
}

/** Differences to act on, which links to a comparison lead to. */
export const toRepair: DifferenceSearch = { own: 'without' }
