import { type MigrationStatus, migrationStatuses } from '../../src/contract/status.ts'
import type { HistoryEntry, MigrationFilters, StoreEntry } from '../data/queries.ts'
import { dayStart } from '../format/time.ts'

/** The search in the address of a list of migrations. */
export interface MigrationSearch {
  /** One status, or several separated by commas. */
  status?: string | undefined
  mode?: HistoryEntry['mode'] | undefined
  text?: string | undefined
  /** Hash of a store that is copied from or to. */
  store?: string | undefined
  /** Id of the person who created it. */
  by?: string | undefined
  /** Days in the person's time zone, the last included. */
  from?: string | undefined
  until?: string | undefined
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
export function migrationFiltersOf<Search extends MigrationSearch>(search: Search) {
  const { status, mode, by, from, until, ...rest } = search
  return {
    ...rest,
    ...(status !== undefined && { status: statusesOf(status) }),
    ...(mode !== undefined && { mode: [mode] }),
    ...(by !== undefined && { createdBy: by }),
    ...(from !== undefined && { createdFrom: dayStart(from, 0) }),
    ...(until !== undefined && { createdBefore: dayStart(until, 1) }),
  }
}

/** An address may name a store that was disconnected since, or that is of another organization. */
export function withKnownStore<Search extends MigrationSearch>(
  search: Search,
  { items }: { items: readonly Pick<StoreEntry, 'hash'>[] },
): Search {
  const isKnown = search.store === undefined || items.some(({ hash }) => hash === search.store)
  return isKnown ? search : { ...search, store: undefined, cursor: undefined }
}
