import type { AuditFilters } from '../data/queries.ts'
import type { OrganizationAction } from '../words.ts'

/** The search in the address. Its days are in the person's time zone. */
export interface AuditSearch extends Pick<AuditFilters, 'user' | 'cursor'> {
  action?: OrganizationAction | undefined
  from?: string | undefined
  until?: string | undefined
}

/** Includes the whole of the last day. */
export function auditFiltersOf({ from, until, ...search }: AuditSearch): AuditFilters {
  return { ...search, ...(from && { from: dayStart(from, 0) }), ...(until && { before: dayStart(until, 1) }) }
}

/** As a date input returns it. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/

function dayStart(day: string, daysLater: number): string | undefined {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + daysLater)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
