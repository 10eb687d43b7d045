import type { IssueGroup } from '../../data/findings.ts'
import type { Issue, IssueFilters } from '../../data/queries.ts'
import { remedyOf } from '../../finding-words.ts'
import { shownName } from '../../settings-pages.ts'

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
  cause?: Issue['code'] | undefined
  text?: string | undefined
  /** The issue that is open beside the list. */
  issue?: string | undefined
}

/** The filters of a list, for counting, listing, downloading and accepting its issues. */
export function issueFiltersOf({ show = 'review', part, cause, text }: IssueSearch) {
  return { ...states[show], component: part, code: cause, text }
}

/**
 * What the list and its filters are made from. The numbers beside the choices of a filter leave that filter out, so
 * that they say how many issues each choice would show; so do those of the lists.
 */
export const issueQueriesOf = {
  causes: (search: IssueSearch) => issueFiltersOf({ ...search, cause: undefined }),
  parts: (search: IssueSearch) => ({
    ...issueFiltersOf({ ...search, part: undefined }),
    groupBy: 'component' as const,
  }),
  shelves: ({ part, cause, text }: IssueSearch) => ({ component: part, code: cause, text, groupBy: 'state' as const }),
}

/** How many issues each group has, by its key. */
export function totalsOf(groups: readonly Pick<IssueGroup, 'key' | 'total'>[]): ReadonlyMap<string, number> {
  return new Map(groups.map(({ key, total }) => [key, total]))
}

/** Issues from before a copy begins, about the two stores. Their item has a topic of the service in place of an id. */
const aboutStores = new Set<Issue['code']>([
  'not_copied',
  'different_setting',
  'platform_limit',
  'channel_unpaired',
  'client_changed',
])

export function isOfKind({ code, item: { name, sourceId } }: Pick<Issue, 'code' | 'item'>): boolean {
  return sourceId === '' || (name === null && aboutStores.has(code) && topic.test(sourceId))
}

/** Items without a name that may be shown, such as customers, have numbers. */
const topic = /^[a-z][a-z_-]*$/

/**
 * The remedy above a list of issues with the same cause. Issues about the two stores have remedies of their
 * own, so none of them speaks for all.
 */
export function groupRemedyOf({
  example,
  total,
}: {
  example: Pick<Issue, 'code' | 'remedy' | 'state' | 'item'>
  total: number
}): string | null {
  return total > 1 && isOfKind(example) ? null : remedyOf(example)
}

/**
 * What people call the item of an issue.
 * @param part the label of its part, for an issue about the part as a whole
 */
export function itemName(issue: Pick<Issue, 'code' | 'component' | 'item'>, part: string): string {
  const { name, sku, sourceId } = issue.item
  return shownName(issue.component, name) ?? sku ?? (isOfKind(issue) ? part : `Id ${sourceId}`)
}
