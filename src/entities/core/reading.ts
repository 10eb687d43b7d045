import type { Query, StoreClient } from '../../bigcommerce/client.ts'
import type { Page, PageOptions } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from './draft.ts'

/** How a resource is listed. */
export interface Reading {
  path: string
  query?: Record<string, string | number>
  /**
   * `keyset`: by ascending id, resumable at any id. `cursor`: resumable at a cursor. `staged`: offset pages, read once into the
   * database and planned from there, because a run cannot resume at an offset (C3).
   */
  kind: 'keyset' | 'cursor' | 'staged'
  /** Largest page the platform gives for this query. */
  limit: number
  idField: string
  /** Every store has at least one, so an empty list is a wrong answer and is read again. */
  neverEmpty?: true
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

export interface Parts {
  path(owner: PlatformItem): string
  query?: Record<string, string | number>
  limit: number
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

export interface WalkOptions extends PageOptions {
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
