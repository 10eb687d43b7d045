import type { IssueFilters } from '../../data/queries.ts'

/** Issues by what a person has to do about them. */
export const issueShelves = ['review', 'known', 'solved', 'accepted'] as const
export type IssueShelf = (typeof issueShelves)[number]

export const shelfWords: Record<IssueShelf, string> = {
  review: 'Needs review',
  known: 'Good to know',
  solved: 'Solved',
  accepted: 'Accepted as they are',
}

const filters: Record<IssueShelf, IssueFilters> = {
  review: { severity: 'failure', state: 'open' },
  known: { severity: 'warning' },
  solved: { severity: 'failure', state: 'healed' },
  accepted: { severity: 'failure', state: 'dismissed' },
}

export interface IssueSearch {
  show?: IssueShelf | undefined
  text?: string | undefined
  cursor?: string | undefined
}

export function issueFiltersOf({ show = 'review', text, cursor }: IssueSearch): IssueFilters {
  return { ...filters[show], text, cursor }
}
