import type { AuditFilters } from '../data/queries.ts'
import { dayStart } from '../format/time.ts'
import type { OrganizationAction } from '../words.ts'

/** The search in the address. Its days are in the person's time zone. */
export interface AuditSearch extends Pick<AuditFilters, 'user' | 'cursor'> {
  action?: OrganizationAction | undefined
  from?: string | undefined
  until?: string | undefined
}

/** Includes the whole of the last day. */
export function auditFiltersOf<Search extends Pick<AuditSearch, 'from' | 'until'>>({ from, until, ...search }: Search) {
  return { ...search, ...(from && { from: dayStart(from, 0) }), ...(until && { before: dayStart(until, 1) }) }
}
