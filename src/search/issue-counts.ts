import type { IssueCounts } from '../contract/issues.ts'
import { type Facet, facets } from './search-store.ts'

/** How many issues have these values together. */
export type CountRow = Record<Facet, string> & { issues: number }

export function sumOfCounts(rows: readonly CountRow[]): IssueCounts {
  const counts: IssueCounts = { total: 0, code: {}, severity: {}, phase: {}, state: {} }
  for (const { issues, ...values } of rows) {
    counts.total += issues
    for (const facet of facets) counts[facet][values[facet]] = (counts[facet][values[facet]] ?? 0) + issues
  }
  return counts
}

export function addCounts(one: IssueCounts, other: IssueCounts): IssueCounts {
  const sum = { ...structuredClone(one), total: one.total + other.total }
  for (const facet of facets)
    for (const [value, issues] of Object.entries(other[facet])) sum[facet][value] = (sum[facet][value] ?? 0) + issues
  return sum
}

/** The most frequent values first, so that the same counts are the same text. */
export function inOrder(counts: IssueCounts): IssueCounts {
  const ordered = { ...counts }
  for (const facet of facets)
    ordered[facet] = Object.fromEntries(
      Object.entries(counts[facet]).sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1)),
    )
  return ordered
}
