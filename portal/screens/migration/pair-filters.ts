import type { ItemPair } from '../../data/findings.ts'

/** What the address says. */
export interface PairSearch {
  part?: string | undefined
  text?: string | undefined
  origin?: ItemPair['origin'] | undefined
  cursor?: string | undefined
}

/** What the list is asked for; its file, without the cursor. */
export const pairFiltersOf = ({ part, ...search }: PairSearch) => ({ component: part, ...search })
