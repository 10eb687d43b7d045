/**
 * What a search store can do, whichever it is: `test/search/search-store-contract.ts` holds every adapter to it. It is a copy of
 * what PostgreSQL has and may be lost at any time. Every document belongs to one organisation, which is part of its key and never
 * of a text query (S12).
 */
export interface SearchStore {
  readonly name: 'sqlite'
  /** Whether all that PostgreSQL had when the store was made is indexed, or waits in the outbox. A new store is not complete. */
  isComplete(): Promise<boolean>
  markComplete(): Promise<void>
  /** Removes everything, so that the store is not complete. */
  clear(): Promise<void>
  /**
   * Replaces a run and its issues: readers see all of it or nothing.
   *
   * @throws RunReplaced
   */
  replaceRun(run: RunDocument, issues: AsyncIterable<IssueDocument[]>): Promise<void>
  removeRun(run: RunKey): Promise<void>
  /** Every run of which the store has anything, also what a killed process left, in the order of its key. */
  listRuns(after: RunKey | undefined, limit: number): Promise<RunKey[]>
  findRun(key: RunKey): Promise<RunDocument | undefined>
  findIssue(organisationId: string, id: string): Promise<FoundIssue | undefined>
  /** Latest first. @returns undefined for a text that this store cannot look for. */
  searchIssues(organisationId: string, query: IssueQuery): Promise<FoundIssue[] | undefined>
  close(): Promise<void>
}

export interface RunKey {
  organisationId: string
  runId: string
}

export interface RunDocument extends RunKey {
  /** Of the snapshot: readers compare it with that of the run. */
  revision: number
  /** The snapshot's text, byte for byte. */
  document: string
}

export interface IssueDocument {
  id: string
  firstMicros: string
  lastMicros: string
  code: string
  sourceId: string
  destinationId: string | null
  /** What a text is looked for in, in lower case as PostgreSQL has it. */
  texts: readonly string[]
  /** The row as JSON. */
  body: string
}

export interface FoundIssue extends RunKey {
  revision: number
  body: string
}

export interface IssueQuery {
  /** In lower case; any part of one of the texts. */
  text?: string | undefined
  code?: string | undefined
  /** At the source or at the destination. */
  itemId?: string | undefined
  lastFromMicros?: string | undefined
  /** Runs whose issues are left out. */
  withoutRuns: readonly string[]
  after: { firstMicros: string; id: string } | null
  limit: number
}

/** The store cannot be reached or written at the moment: nothing is wrong with what it was asked. */
export class SearchStoreAway extends Error {
  override name = 'SearchStoreAway'
}

/** Another process has written the same run meanwhile, perhaps as it was before: it is to be written again. */
export class RunReplaced extends Error {
  override name = 'RunReplaced'
}
