import type { IssueGroup } from '../../data/findings.ts'
import type { Issue, IssueFilters } from '../../data/queries.ts'

/** Lists of issues, by what a person has to do about them. */
export const issueShelves = ['review', 'known', 'solved', 'accepted'] as const
export type IssueShelf = (typeof issueShelves)[number]

export const shelfWords: Record<IssueShelf, string> = {
  review: 'Needs review',
  known: 'Good to know',
  solved: 'Solved',
  accepted: 'Accepted as they are',
}

const states: Record<IssueShelf, Pick<IssueFilters, 'severity' | 'state'>> = {
  review: { severity: 'failure', state: 'open' },
  known: { severity: 'warning' },
  solved: { severity: 'failure', state: 'healed' },
  accepted: { severity: 'failure', state: 'dismissed' },
}

/** How many issues are on each list, from the numbers by state. */
export function shelfTotals(byState: readonly Pick<IssueGroup, 'key' | 'failures' | 'warnings'>[]) {
  const failures = (state: Issue['state']) => byState.find(({ key }) => key === state)?.failures ?? 0
  return {
    review: failures('open'),
    known: byState.reduce((sum, { warnings }) => sum + warnings, 0),
    solved: failures('healed'),
    accepted: failures('dismissed'),
  }
}

export interface IssueSearch {
  show?: IssueShelf | undefined
  part?: string | undefined
  text?: string | undefined
  /** The issue that is open beside the list. */
  issue?: string | undefined
}

/** The filters of a list, for counting, listing, downloading and accepting its issues. */
export function issueFiltersOf({ show = 'review', part, text }: IssueSearch) {
  return { ...states[show], component: part, text }
}

/** Issues from before a copy begins, about the two stores. Their item has a topic of the service in place of an id. */
const aboutStores = new Set<Issue['code']>([
  'not_copied',
  'different_setting',
  'platform_limit',
  'channel_unpaired',
  'client_changed',
])

type Named = Pick<Issue, 'code' | 'item'>

export function isOfKind({ code, item: { name, sourceId } }: Named): boolean {
  return sourceId === '' || (name === null && aboutStores.has(code))
}

/** What people call the item of an issue. */
export function itemName(issue: Named): string {
  const { name, sku, sourceId } = issue.item
  return name ?? sku ?? (isOfKind(issue) ? 'The whole kind' : `Id ${sourceId}`)
}
