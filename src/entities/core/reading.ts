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
   * `keyset`: by ascending id, resumable at any id. `cursor`: resumable at a cursor. `staged`: first read into the
   * database and planned from there, because a run cannot resume at an offset (C3).
   */
  kind: 'keyset' | 'cursor' | 'staged'
  /** The largest page the platform returns for this query. */
  limit: number
  idField: string
  /** Every store has at least one, so an empty list must be wrong and is read again. */
  neverEmpty?: true
  /**
   * For a staged reading: the list has cursor paging. Absent: its pages are numbered, and it is read again until
   * nothing is missing (G2).
   */
  byCursor?: true
  /** For a keyset reading whose id filter is `id:min`. The others use `id:greater`. */
  idFilter?: 'min'
  /** Reads a resource that has no single list, with several calls. Only for a staged reading. */
  pages?: Lister
  /** The number of calls that `pages` makes, for forecasts that count without making them. */
  walkCalls?: WalkCalls
  /** The usual number of items, if counting them would cost as much as reading them. */
  usually?: number
  /** The number of items, if fewer calls than reading can return it. */
  length?(client: Pick<StoreClient, 'get'>, query: Query, options: WalkOptions): Promise<number>
  /**
   * The list comes in parts, one for each item of `path`, such as the prices of one price list. Only for a staged
   * reading.
   */
  parts?: Parts
}

/** How a list is paged. Only numbered pages shift when an earlier item is deleted (G2). */
export function pagingOf({ kind, byCursor }: Pick<Reading, 'kind' | 'byCursor'>): 'id' | 'cursor' | 'number' {
  if (kind === 'keyset') return 'id'
  return kind === 'cursor' || byCursor ? 'cursor' : 'number'
}

export interface Parts {
  path(owner: PlatformItem): string
  query?: Record<string, string | number>
  limit: number
  /** The parts have cursor paging. */
  byCursor?: true
  /** Adds what only the owner knows, such as its id, to an item. */
  item(part: PlatformItem, owner: PlatformItem): PlatformItem
}

/** The number of calls that a reading with `pages` makes. */
export interface WalkCalls {
  /** However many items there are. */
  once?: number
  /** For each storefront. */
  perStorefront?: number
  /** For each item; a fraction if one call returns several. */
  perItem?: number
  /** The calls run in parallel, as far as the store allows. Absent: one after another. */
  sideBySide?: true
}

export interface WalkOptions extends Omit<CompleteOptions, 'idOf'> {
  /** The channels of the store, if already read. */
  channels?: readonly PlatformItem[] | undefined
}

/** Lists a resource page by page, always from the start: only for `staged` readings. */
export type Lister = (
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query,
  options: WalkOptions,
) => AsyncIterable<Page<PlatformItem>>
