import type { StoreClient } from '../../bigcommerce/client.ts'
import type { PageOptions } from '../../bigcommerce/pages.ts'
import type { Draft, PlatformItem } from './draft.ts'
import type { Reading } from './reading.ts'
import type { References } from './references.ts'

/** What a request may ask for, where that decides what is read. */
export interface RunOptions {
  customerConsent: boolean
  /** Only orders in these statuses; empty: in any. */
  orderStatuses: readonly string[]
  phases: readonly string[]
}

/** One storefront of a store. */
export interface StorefrontIds {
  channelId: number
  /** Its category tree; null as long as it has none. */
  treeId: number | null
}

/** How picked items are found by their ids. */
export interface Picking {
  /** Filter of the list. Absent: it has none, and the whole list is read and reduced to what was picked. */
  idsParameter?: string
  /** Component of these ids; by default that of the root. */
  of?: string
  /** Enough to see what an item needs; everything when absent. */
  query?: Record<string, string | number>
  /** What an item cannot be complete without: it is copied with it (C4). */
  needs?(item: PlatformItem): { component: string; id: unknown }[]
  /** A person does not pick these by id: they come by their template files, or with items that need them. */
  otherwise?: true
}

/** A field that names other items and is always written as a whole (D3). */
export interface MemberSet {
  /** With a dot where the list is inside another field. */
  field: string
  /** Component of the members. */
  of: string
  /** Field of a member that names it; absent where the list holds the ids themselves. A member without the field names nothing. */
  id?: string
  /** May be written in part: a run over picked items then names only its own members. */
  partial?: boolean
  /** Assigns an item to storefronts: it is not on one of which its list names nothing. An item without a list is on all. */
  assigns?: true
}

/** A list that no page shows: read item by item into `field`, at one call for each item that may have one. */
export interface Detail {
  field: string
  path(id: string): string
  query?(id: string): Record<string, string | number>
  mayHave(item: PlatformItem): boolean
  /** Only items have one that those of another pass, which comes before, name in this field. */
  namedBy?: { by: string; field: string }
  /** Whether the list has all that the item says of it; otherwise it is read again. Absent: the item says nothing. */
  isWhole?(item: PlatformItem, rows: PlatformItem[]): boolean
  /** Only in runs that ask for it; absent: in every run. */
  when?(options: RunOptions): boolean
  /** Field with the id of its rows; `id` by default. */
  idField?: string
  /** Makes a list of an answer that is not one; empty when it says nothing. */
  listed?(body: unknown): PlatformItem[]
}

/** A filter of the list by ids, as in `byIds`, or the address that each item has of its own. */
export type LookUpById = { idsParameter: 'range' | (string & {}) } | { address(id: string): string }

/** One reading of one source resource within a phase. */
export interface Pass {
  key: string
  label: string
  /** Component of the drafts at the top of what `drafts` makes. */
  root: string
  source: Reading
  /** Reads roots again by id after a take-over, and their counterparts when comparing. Absent: the list is read from its start. */
  byIds?: {
    path: string
    query: Record<string, string | number>
    /** `range`: the list takes no ids, only a first and a last one (orders). */
    idsParameter: 'range' | (string & {})
    limit: number
  }
  /**
   * How single items are asked for where neither `byIds` nor the filter of picks serves: what a list does not show may exist all the
   * same (G1). Absent: the list is read again.
   */
  lookUpById?: LookUpById
  details?: readonly Detail[]
  /** Whether an item, details included, holds something for this pass; absent: every item does. */
  holds?(item: PlatformItem): boolean
  /** Whether the run asks for an item; absent: for every one. */
  isRequested?(item: PlatformItem, options: RunOptions): boolean
  /** How many the run asks for, exactly and in few calls; absent: the list tells. */
  countRequested?(client: Pick<StoreClient, 'get'>, options: RunOptions, page: PageOptions): Promise<number>
  /**
   * Written once, whatever the strategy (D1): an existing copy is left alone, and a copy that is gone was deleted or archived and
   * stays so (B7).
   */
  createOnly?: true
  /** How picked items are read. Absent: the children of picked items are taken from the whole list. */
  picks?: Picking
  /** Filters of the list by which a person searches: words, natural key, and the item they are in. */
  browsed?: { words?: string; key?: string; below?: string }
  /** Filter of the list for one storefront; null when that has none (D3). Absent: the list belongs to the whole store. */
  storefront?(storefront: StorefrontIds): Record<string, string | number> | null
  /** Lists of other items. A storefront run sees only the members that are on its storefront, on both sides (D3). */
  sets?: readonly MemberSet[]
  /**
   * Lists what exists at the destination: just enough for the keys, or everything when `complete`. `compared` is the largest page
   * that shows what strategies compare by, where that is more than the keys (C2).
   */
  destination: Reading & { complete: boolean; compared?: Pick<Reading, 'query' | 'limit'> }
  /** Filter of both lists by the time of the last change, where the platform has one. Only for forecasts. */
  changedSince?: string
  /** Component of their parents, when another pass reads those: items that `skip` leaves alone get no children (D2). */
  below?: string
  /** Names what its items are about: a storefront run leaves out those about items that its storefront does not have (D3). */
  about?: {
    component: string
    field: string
    /** Whether an item is about one of these; absent: each is. */
    applies?(item: PlatformItem): boolean
  }
  /** In part an item would mean something else: a storefront run leaves out those that name items of other storefronts only (D3). */
  wholeOnly?: true
  /** Keeps a destination item from being pruned, such as a default (D4). Its children are not kept with it (D2). */
  protects?(item: PlatformItem): boolean
  /** Read for items that name these, never copied: verify does not report what only the destination has. */
  lookupOnly?: true
  /** Phases this pass waits for, because it names their items and they name those of its phase (C5). */
  afterPhases?: readonly string[]
  /** Fields with texts that link to pages of the shop; rewritten when all of those exist (decision 0016). */
  texts?: readonly string[]
  /** Parents come before children, level by level; null at the top (C5). */
  parentOf?: (item: PlatformItem) => string | null
  /**
   * Pure: one item of either store into a tree of drafts. With the references of a run it makes what is to be written; with
   * identity references it reads what the destination has, ids and keys included.
   */
  drafts(item: PlatformItem, references: References): Draft
}

/** Whether a detail, as an item has it, has rows. */
export function hasRows(detail: unknown): boolean {
  return Array.isArray(detail) && detail.length > 0
}

export function detailsOf({ details = [] }: Pass, options: RunOptions): readonly Detail[] {
  return details.filter(({ when }) => when?.(options) ?? true)
}
