import type { StoreClient } from '../../bigcommerce/client.ts'
import type { PageOptions } from '../../bigcommerce/pages.ts'
import type { LinkedStorefront } from '../../model/links/link-targets.ts'
import type { Draft, PlatformItem } from './draft.ts'
import type { Reading } from './reading.ts'
import type { References } from './references.ts'

/** The options of a request that affect what is read. */
export interface RunOptions {
  customerConsent: boolean
  /** Copy only orders in these statuses; empty: all orders. */
  orderStatuses: readonly string[]
  phases: readonly string[]
}

/** One storefront of a store. */
export interface StorefrontIds {
  channelId: number
  /** Its category tree; null if it has none yet. */
  treeId: number | null
}

/** How picked items are read by id. */
export interface Picking {
  /** The filter by id. Absent: the list has none, so the whole list is read and reduced to the picked items. */
  idsParameter?: string
  /** Component of these ids; by default the root's. */
  of?: string
  /** The query that returns the fields naming what an item needs. Absent: all fields. */
  query?: Record<string, string | number>
  /** What an item is incomplete without, so it is copied too (C4). */
  needs?(item: PlatformItem): { component: string; id: unknown }[]
  /** Not picked by id: these are copied with the template files or items that need them. */
  otherwise?: true
}

/** A list field that refers to other items and is always written as a whole (D3). */
export interface MemberSet {
  /** A dotted path if the list is inside another field. */
  field: string
  /** Component of the members. */
  of: string
  /**
   * The field of a member that holds its id; absent if the list contains the ids themselves. A member without the field
   * refers to nothing.
   */
  id?: string
  /** Can be written in part, so a run over picked items sends only its own members. */
  partial?: boolean
  /**
   * Assigns the item to storefronts: it is only on the storefronts in the list. An item without a list is on all of
   * them.
   */
  assigns?: true
}

/** A list that pages do not include: read into `field`, with one call for each item that may have one. */
export interface Detail {
  field: string
  path(id: string): string
  query?(id: string): Record<string, string | number>
  mayHave(item: PlatformItem): boolean
  /** Only items that an earlier pass refers to in this field have such a list. */
  namedBy?: { by: string; field: string }
  /**
   * Whether the list contains everything the item says it should; if not, it is read again. Absent: the item does not
   * say.
   */
  isWhole?(item: PlatformItem, rows: PlatformItem[]): boolean
  /** Only read in runs that request it. Absent: in every run. */
  when?(options: RunOptions): boolean
  /** The id field of the rows. `id` by default. */
  idField?: string
  /** Whether a row contains anything for the pass; others are not kept in memory. Absent: every row does. */
  keeps?(row: PlatformItem): boolean
  /** Extracts the rows from a response that is not a list; empty if it contains none. */
  listed?(body: unknown): PlatformItem[]
}

/** A filter of the list by ids, as in `byIds`, or the path of a single item. */
export type LookUpById = { idsParameter: 'range' | (string & {}) } | { address(id: string): string }

/** One reading of one source resource within a phase. */
export interface Pass {
  key: string
  label: string
  /** Component of the root drafts that `drafts` creates. */
  root: string
  source: Reading
  /**
   * Reads root items again by id when another process takes over the run, and their counterparts when comparing.
   * Absent: the whole list is read again.
   */
  byIds?: {
    path: string
    query: Record<string, string | number>
    /** `range`: the list cannot be filtered by ids, only by a first and a last id (orders). */
    idsParameter: 'range' | (string & {})
    limit: number
  }
  /**
   * How to look up single items if neither `byIds` nor the filter of picks can: an item missing from a list may still
   * exist (G1). Absent: the whole list is read again.
   */
  lookUpById?: LookUpById
  details?: readonly Detail[]
  /** Whether an item, details included, contains anything for this pass. Absent: every item does. */
  holds?(item: PlatformItem): boolean
  /** Whether the run requests this item. Absent: it requests all items. */
  isRequested?(item: PlatformItem, options: RunOptions): boolean
  /** The exact number of items that the run requests, in few calls. Absent: taken from the list. */
  countRequested?(client: Pick<StoreClient, 'get'>, options: RunOptions, page: PageOptions): Promise<number>
  /**
   * Written once, whatever the strategy (D1): an existing copy is left alone. A copy that no longer exists was deleted
   * or archived, and is not created again (B7).
   */
  createOnly?: true
  /** With `createOnly`: the id of a child of another item that the value of a compared field names. */
  keepsNaming?: { component: string; idIn(value: unknown): unknown }
  /** How picked items are read. Absent: the whole list is read, and the children of picked items are taken from it. */
  picks?: Picking
  /**
   * Filters of the list, each of which shows all items with one of the keys of this item. Absent: the list cannot be
   * filtered by keys, and is read in full to find them (G4).
   */
  sameKey?(item: PlatformItem): Record<string, string>[]
  /** Filters of the list for a person's search: by words, by natural key, and by the item that contains them. */
  browsed?: { words?: string; key?: string; below?: string }
  /**
   * The filter of the list for one storefront; null if the storefront has no such items (D3). Absent: the list belongs
   * to the whole store.
   */
  storefront?(storefront: StorefrontIds): Record<string, string | number> | null
  /** Fields that list other items. A storefront run sees only the members on its storefront, on both sides (D3). */
  sets?: readonly MemberSet[]
  /**
   * Lists what exists at the destination: all of it if `complete`, otherwise just enough for the keys. `compared` has
   * the query and largest page for the fields that strategies compare, if the keys alone are not enough (C2).
   */
  destination: Reading & { complete: boolean; compared?: Pick<Reading, 'query' | 'limit'> }
  /** The filter of both lists by time of last change, if the platform has one. Used only in forecasts. */
  changedSince?: string
  /** Component of the parents, if another pass reads them: parents that `skip` leaves alone get no children (D2). */
  below?: string
  /**
   * Writing the items of an earlier pass changes its items at the destination as well, so a difference there is only an
   * edit if the source is unchanged.
   */
  changesWithOthers?: true
  /** Each parent has one item, which has the id of its parent instead of a key. */
  hasIdOfParent?: true
  /**
   * The item that each of its items is about. A storefront run leaves out those about items that are not on its
   * storefront (D3).
   */
  about?: {
    component: string
    field: string
    /** Whether an item is about another item at all. Absent: every item is. */
    applies?(item: PlatformItem): boolean
  }
  /** The part of another item that each of its items belongs to. What belongs to a part that `skip` leaves out is left out, too (D2). */
  part?: { component: string; leftOut: string; remedy: string }
  /**
   * With only part of its members an item would mean something else, so a storefront run leaves out items that refer
   * only to items of other storefronts (D3).
   */
  wholeOnly?: true
  /**
   * Without one of its members an item could apply to more than in the source, so an existing one, which may be on, is
   * not written without it (D5).
   */
  mayWiden?: true
  /**
   * Whether to protect a destination item, such as a default, from being pruned (D4). Its children are not protected
   * (D2).
   */
  protects?(item: PlatformItem): boolean
  /**
   * Read for the items that refer to these, never copied. Verify does not report those that only the destination has.
   */
  lookupOnly?: true
  /** The destination refuses these for a disconnected channel, so that is none that they can refer to. */
  needsOpenChannel?: true
  /** The phase whose items bring these along at the destination, so that a dry run of all of it expects them there. */
  comesWith?: string
  /**
   * Phases that must come before this pass, because it refers to their items and they refer to those of its phase (C5).
   */
  afterPhases?: readonly string[]
  /**
   * Fields with texts that link to pages of the shop. The links are rewritten once all those pages exist (decision
   * 0016).
   */
  texts?: readonly string[]
  /**
   * The storefront whose page or text an item is. Absent: it may be on any. `channelOfSite`: channels of the source's sites
   * by their ids, as far as these are known.
   */
  storefrontOf?(item: PlatformItem, channelOfSite?: ReadonlyMap<number, number>): LinkedStorefront | undefined
  /** Its parent, so that parents are written before children, level by level; null at the top level (C5). */
  parentOf?: (item: PlatformItem) => string | null
  /**
   * Staged items are planned in groups of at most so many, so that each fits a call, and all that belong to the same are in
   * one group, however many they are. Absent: the whole list is one group.
   */
  plannedInGroups?: { items: number; belongingTo(item: PlatformItem): unknown }
  /** The most staged items that are planned together, where a single one may be large. Absent: a group, or half a page. */
  plannedTogether?: number
  /**
   * Pure: turns an item of either store into a tree of drafts. With the references of a run, the tree is what to write;
   * with identity references, it is what the destination has, including ids and keys.
   */
  drafts(item: PlatformItem, references: References): Draft
}

/** Whether a detail of an item contains any rows. */
export function hasRows(detail: unknown): boolean {
  return Array.isArray(detail) && detail.length > 0
}

export function detailsOf({ details = [] }: Pass, options: RunOptions): readonly Detail[] {
  return details.filter(({ when }) => when?.(options) ?? true)
}
