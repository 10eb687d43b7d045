import { type MigrationStatus, migrationStatuses } from '../../src/contract/status.ts'
import type { HistoryEntry, MigrationFilters } from '../data/queries.ts'

/** The search in the address of a list of migrations. */
export interface MigrationSearch {
  /** One status, or several separated by commas. */
  status?: string | undefined
  mode?: HistoryEntry['mode'] | undefined
  text?: string | undefined
  /** Absent: newest first. */
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

/** The query of the list for this search. */
export function migrationFiltersOf<Search extends MigrationSearch>({ status, mode, ...search }: Search) {
  return {
    ...search,
    ...(status !== undefined && { status: statusesOf(status) }),
    ...(mode !== undefined && { mode: [mode] }),
  }
}
