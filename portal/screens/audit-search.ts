import type { AuditFilters } from '../data/queries.ts'

/** What the address says: days as the person means them, in their own time zone. */
export interface AuditSearch extends Pick<AuditFilters, 'action' | 'user' | 'cursor'> {
  from?: string | undefined
  until?: string | undefined
}

/** The last day is part of what is looked for. */
export function auditFiltersOf({ from, until, ...search }: AuditSearch): AuditFilters {
  return { ...search, ...(from && { from: dayStart(from, 0) }), ...(until && { before: dayStart(until, 1) }) }
}

/** As a date input gives it. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/

function dayStart(day: string, daysLater: number): string | undefined {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + daysLater)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
