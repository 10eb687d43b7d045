import type { IssueCounts } from '../contract/issues.ts'

/**
 * What every search store must do; `test/search/search-store-contract.ts` tests every adapter. A search store is a copy
 * of what PostgreSQL has and may be lost at any time. Every document belongs to one organisation, which is part of its
 * key and never of a text query (S12).
 */
export interface SearchStore {
  readonly name: 'sqlite' | 'opensearch'
  /**
   * Whether everything PostgreSQL had when the store was created is indexed or waits in the outbox. A new store is not
   * complete.
   */
  isComplete(): Promise<boolean>
  markComplete(): Promise<void>
  /** Removes everything; the store is not complete then. */
  clear(): Promise<void>
  /** Overwrites what was removed, so that it is not in the files any more (S9). */
  compact(): Promise<void>
  /**
   * Replaces a run and its issues: readers see all of it or nothing.
   *
   * @throws RunReplaced
   */
  replaceRun(run: RunDocument, issues: AsyncIterable<IssueDocument[]>): Promise<void>
  removeRun(run: RunKey): Promise<void>
  /** Every run with anything in this store, even if only what a killed process left of it, in key order. */
  listRuns(after: RunKey | undefined, limit: number): Promise<RunKey[]>
  findRun(key: RunKey): Promise<RunDocument | undefined>
  findIssue(organisationId: string, id: string): Promise<FoundIssue | undefined>
  /** Latest first. @returns undefined for a text that this store cannot search. */
  searchIssues(organisationId: string, query: IssueQuery): Promise<FoundIssue[] | undefined>
  /** Of all issues that match. @returns undefined for a text that this store cannot search. */
  countIssues(organisationId: string, filter: IssueFilter): Promise<IssueCounts | undefined>
  close(): Promise<void>
}

export interface RunKey {
  organisationId: string
  runId: string
}

export interface RunDocument extends RunKey {
  /** The revision of the snapshot; readers compare it with that of the run. */
  revision: number
  /** The snapshot's text, byte for byte. */
  document: string
}

export interface IssueDocument {
  id: string
  firstMicros: string
  lastMicros: string
  code: string
  severity: string
  phase: string
  state: string
  sourceId: string
  destinationId: string | null
  /** The texts to search, lowercased by PostgreSQL. */
  texts: readonly string[]
  /** The row as JSON. */
  body: string
}

export interface FoundIssue extends RunKey {
  revision: number
  body: string
}

export interface IssueFilter {
  /** In lower case; matches any part of one of the texts. */
  text?: string | undefined
  code?: string | undefined
  severity?: string | undefined
  phase?: string | undefined
  state?: string | undefined
  /** An id at the source or at the destination. */
  itemId?: string | undefined
  lastFromMicros?: string | undefined
  /** Runs whose issues are left out. */
  withoutRuns: readonly string[]
}

export interface IssueQuery extends IssueFilter {
  after: { firstMicros: string; id: string } | null
  limit: number
}

/** What issues are counted by. */
export const facets = ['code', 'severity', 'phase', 'state'] as const
export type Facet = (typeof facets)[number]

/** For stores that find texts by trigrams, which need three characters. */
export function canLookFor(text: string | undefined): boolean {
  return text === undefined || [...text].length >= 3
}

/** The store cannot be read or written at the moment; nothing is wrong with the request. */
export class SearchStoreAway extends Error {
  override name = 'SearchStoreAway'
}

/** Another process has written the same run in the meantime, perhaps in an older state, so it must be written again. */
export class RunReplaced extends Error {
  override name = 'RunReplaced'
}
