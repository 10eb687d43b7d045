import { type MigrationStatus, migrationStatuses } from '../../src/contract/status.ts'
import type { HistoryEntry, MigrationFilters } from '../data/queries.ts'

/** What the address says about a list of migrations. */
export interface MigrationSearch {
  /** Several with commas between them. */
  status?: string | undefined
  mode?: HistoryEntry['mode'] | undefined
  text?: string | undefined
  /** Newest first when absent. */
  sort?: Exclude<MigrationFilters['sort'], 'created'>
  cursor?: string | undefined
}

export function isStatusList(text: string): boolean {
  return text.split(',').every((each) => migrationStatuses.some((status) => status === each))
}

export function statusesOf(text: string | undefined): MigrationStatus[] {
  const given = text?.split(',') ?? []
  return migrationStatuses.filter((status) => given.includes(status))
}

/** What a list is asked by. */
export function migrationFiltersOf<Search extends MigrationSearch>({ status, ...search }: Search) {
  return { ...search, ...(status !== undefined && { status: statusesOf(status) }) }
}
