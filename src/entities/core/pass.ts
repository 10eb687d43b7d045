import type { StoreClient } from '../../bigcommerce/client.ts'
import type { PageOptions } from '../../bigcommerce/pages.ts'
import type { Draft, PlatformItem } from './draft.ts'
import type { Reading } from './reading.ts'
import type { References } from './references.ts'

/** Options of a request that decide what is read. */
export interface RunOptions {
  customerConsent: boolean
  /** Only orders in these statuses; empty: all orders. */
  orderStatuses: readonly string[]
  phases: readonly string[]
}

/** One storefront of a store. */
export interface StorefrontIds {
  channelId: number
  /** Its category tree; null if it has none yet. */
  treeId: number | null
}

/** How picked items are found by id. */
export interface Picking {
  /** The filter of the list. Absent: there is none, so the whole list is read and reduced to the picked items. */
  idsParameter?: string
  /** Component of these ids; by default the root's. */
  of?: string
  /** The query for the fields that show what an item needs; absent: all fields. */
  query?: Record<string, string | number>
  /** What an item cannot be complete without: it is copied together with it (C4). */
  needs?(item: PlatformItem): { component: string; id: unknown }[]
  /** These are not picked by id: they come by their template files, or with items that need them. */
  otherwise?: true
}

/** A field that refers to other items and is always written as a whole (D3). */
export interface MemberSet {
  /** A dotted path if the list is inside another field. */
  field: string
  /** Component of the members. */
  of: string
  /**
   * The field of a member that holds its id; absent if the list holds the ids themselves. A member without the field
   * refers to nothing.
   */
  id?: string
  /** Can be written in part: a run over picked items then sends only its own members. */
  partial?: boolean
  /**
   * Assigns an item to storefronts: it is not on a storefront that its list does not contain. An item without a list is
   * on all.
   */
  assigns?: true
}

/** A list that pages do not include: read into `field` with one call for each item that may have one. */
export interface Detail {
  field: string
  path(id: string): string
  query?(id: string): Record<string, string | number>
  mayHave(item: PlatformItem): boolean
  /** Only items that an earlier pass refers to in this field have one. */
  namedBy?: { by: string; field: string }
  /**
   * Whether the list contains everything that the item says it should; otherwise it is read again. Absent: the item
   * does not say.
   */
  isWhole?(item: PlatformItem, rows: PlatformItem[]): boolean
  /** Only in runs that request it; absent: in every run. */
  when?(options: RunOptions): boolean
  /** The id field of its rows; `id` by default. */
  idField?: string
  /** Turns a response that is not a list into one; empty if it contains nothing. */
  listed?(body: unknown): PlatformItem[]
}

/** A filter of the list by ids, as in `byIds`, or the address of a single item. */
export type LookUpById = { idsParameter: 'range' | (string & {}) } | { address(id: string): string }

/** One reading of one source resource within a phase. */
export interface Pass {
  key: string
  label: string
  /** Component of the root drafts that `drafts` makes. */
  root: string
  source: Reading
  /**
   * Reads root items again by id after a take-over, and their counterparts when comparing. Absent: the list is read
   * again.
   */
  byIds?: {
    path: string
    query: Record<string, string | number>
    /** `range`: the list has no filter by ids, only by a first and a last id (orders). */
    idsParameter: 'range' | (string & {})
    limit: number
  }
  /**
   * How single items are looked up if neither `byIds` nor the filter of picks does it: an item missing from a list may
   * still exist (G1). Absent: the list is read again.
   */
  lookUpById?: LookUpById
  details?: readonly Detail[]
  /** Whether an item, details included, contains something for this pass; absent: every item does. */
  holds?(item: PlatformItem): boolean
  /** Whether the run requests an item; absent: all of them. */
  isRequested?(item: PlatformItem, options: RunOptions): boolean
  /** The exact number of items that the run requests, in few calls; absent: the list gives it. */
  countRequested?(client: Pick<StoreClient, 'get'>, options: RunOptions, page: PageOptions): Promise<number>
  /**
   * Written once, whatever the strategy (D1): an existing copy is left alone, and a copy that no longer exists was
   * deleted or archived and is not created again (B7).
   */
  createOnly?: true
  /** How picked items are read. Absent: the children of picked items are taken from the whole list. */
  picks?: Picking
  /** Filters of the list for a person's search: by words, by natural key, and by the containing item. */
  browsed?: { words?: string; key?: string; below?: string }
  /**
   * Filter of the list for one storefront; null if that storefront has no such items (D3). Absent: the list belongs to
   * the whole store.
   */
  storefront?(storefront: StorefrontIds): Record<string, string | number> | null
  /** Lists of other items. A storefront run sees only the members on its storefront, on both sides (D3). */
  sets?: readonly MemberSet[]
  /**
   * Lists what exists at the destination: just enough for the keys, or everything if `complete`. `compared` is the
   * largest page with the fields that strategies compare, if those are more than the keys (C2).
   */
  destination: Reading & { complete: boolean; compared?: Pick<Reading, 'query' | 'limit'> }
  /** Filter of both lists by the time of the last change, if the platform has one. Only for forecasts. */
  changedSince?: string
  /** Component of the parents, if another pass reads those: items that `skip` leaves alone get no children (D2). */
  below?: string
  /**
   * The item that each of its items is about: a storefront run leaves out those about items that are not on its
   * storefront (D3).
   */
  about?: {
    component: string
    field: string
    /** Whether an item refers to such an item; absent: each does. */
    applies?(item: PlatformItem): boolean
  }
  /**
   * Part of an item would mean something else: a storefront run leaves out items that refer only to items of other
   * storefronts (D3).
   */
  wholeOnly?: true
  /** Keeps a destination item from being pruned, such as a default (D4). Its children are not protected (D2). */
  protects?(item: PlatformItem): boolean
  /** Read for items that refer to these, never copied: verify does not report those that only the destination has. */
  lookupOnly?: true
  /** Phases that this pass waits for, because it refers to their items while they refer to those of its phase (C5). */
  afterPhases?: readonly string[]
  /** Fields with texts that link to pages of the shop; rewritten when all of those exist (decision 0016). */
  texts?: readonly string[]
  /** Parents come before children, level by level; null at the top level (C5). */
  parentOf?: (item: PlatformItem) => string | null
  /**
   * Pure: turns one item of either store into a tree of drafts. With the references of a run it makes what is to be
   * written; with identity references it reads what the destination has, ids and keys included.
   */
  drafts(item: PlatformItem, references: References): Draft
}

/** Whether a detail of an item has rows. */
export function hasRows(detail: unknown): boolean {
  return Array.isArray(detail) && detail.length > 0
}

export function detailsOf({ details = [] }: Pass, options: RunOptions): readonly Detail[] {
  return details.filter(({ when }) => when?.(options) ?? true)
}
