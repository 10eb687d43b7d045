import type { StoreClient } from '../../bigcommerce/client.ts'
import type { CompleteOptions } from '../../bigcommerce/complete-pages.ts'
import type { Page } from '../../bigcommerce/pages.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { PlatformItem } from './draft.ts'

/** How a resource is listed. */
export interface Reading {
  path: string
  query?: Record<string, string | number>
  /**
   * `keyset`: by ascending id, resumable at any id. `cursor`: resumable at a cursor. `staged`: read into the database and planned
   * from there, because a run cannot resume at an offset (C3).
   */
  kind: 'keyset' | 'cursor' | 'staged'
  /** Largest page the platform gives for this query. */
  limit: number
  idField: string
  /** Every store has at least one, so an empty list is a wrong answer and is read again. */
  neverEmpty?: true
  /** Of a staged reading: its pages follow a cursor. Absent: they are numbered, and read again until nothing is missing (G2). */
  byCursor?: true
  /** Of a keyset whose filter by id is `id:min`; others have `id:greater`. */
  idFilter?: 'min'
  /** Walks a resource that is not one list but several calls. Only of a staged reading. */
  pages?: Lister
  /** The calls of such a walk, where counting does not walk. */
  walkCalls?: WalkCalls
  /** How many such a walk usually finds, where walking only to count would cost as much as reading. */
  usually?: number
  /** How many such a walk finds, where fewer calls can tell. */
  length?(client: Pick<StoreClient, 'get'>, query: Query, options: WalkOptions): Promise<number>
  /** The list comes in parts, one for each item of `path`, such as the prices of a price list. Only of a staged reading. */
  parts?: Parts
}

/** What the pages of a list go by. Only numbered ones shift when an item before them is deleted (G2). */
export function pagingOf({ kind, byCursor }: Pick<Reading, 'kind' | 'byCursor'>): 'id' | 'cursor' | 'number' {
  if (kind === 'keyset') return 'id'
  return kind === 'cursor' || byCursor ? 'cursor' : 'number'
}

export interface Parts {
  path(owner: PlatformItem): string
  query?: Record<string, string | number>
  limit: number
  /** Its pages follow a cursor. */
  byCursor?: true
  /** Completes an item with what only its owner says, such as an id. */
  item(part: PlatformItem, owner: PlatformItem): PlatformItem
}

/** Calls of a walk. */
export interface WalkCalls {
  /** Independent of how much there is. */
  once?: number
  /** For each storefront. */
  perStorefront?: number
  /** For each item found; a fraction where one call gives several. */
  perItem?: number
  /** The calls run in parallel, as far as the store allows; absent: one after the other. */
  sideBySide?: true
}

export interface WalkOptions extends Omit<CompleteOptions, 'idOf'> {
  /** Channels of the store, if they have been read already. */
  channels?: readonly PlatformItem[] | undefined
}

/** Gives a list page by page, always from the start: only `staged` readings may have one. */
export type Lister = (
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query,
  options: WalkOptions,
) => AsyncIterable<Page<PlatformItem>>
