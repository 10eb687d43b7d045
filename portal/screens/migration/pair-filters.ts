import type { ItemPair } from '../../data/findings.ts'

/** The search in the address. */
export interface PairSearch {
  part?: string | undefined
  text?: string | undefined
  origin?: ItemPair['origin'] | undefined
  cursor?: string | undefined
}

/** The query of the list, and of its file without the cursor. */
export const pairFiltersOf = ({ part, ...search }: PairSearch) => ({ component: part, ...search })
