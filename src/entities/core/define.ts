import type { Query, StoreClient } from '../../bigcommerce/client.ts'
import type { FormFile } from '../../bigcommerce/form.ts'
import type { Page, PageOptions } from '../../bigcommerce/pages.ts'
import type { ScopeProbe } from '../../bigcommerce/store-information.ts'
import type { ThemeWish } from '../../contract/create-migration.ts'
import { imageAddress } from './image-file.ts'
import type { LinkReferences } from './links.ts'

/** Whatever JSON the platform sent; fields we do not know travel unchanged. */
export type PlatformItem = Record<string, unknown>

/** Translates ids of the source into ids of the destination while drafts are made. */
export interface References {
  /** @throws MissingReference when the destination has no counterpart: the item cannot be written without it. */
  need(component: string, sourceId: unknown): number
  /** Undefined when there is no counterpart: the field is left out, warned about and owed (C4). */
  want(component: string, sourceId: unknown): number | undefined
  /** Undefined when there is no counterpart, and nothing is owed: the item can be written in another way. */
  find(component: string, sourceId: unknown): number | undefined
  /** Like `want`, for items whose ids are texts (segments). */
  wantText(component: string, sourceId: unknown): string | undefined
  /** Where the destination fetches a picture of a product from. */
  picture(image: PlatformItem): string
  /** Hash of the store that the items are read from, where they are to be written to another. Absent: they are read as they stand. */
  sourceHash?: string
  /** What links in texts become. Absent: they stay as they are, because they are the destination's own. */
  links?: LinkReferences
}

/** An item as it would be written, with the items that hang on it. */
export interface Draft {
  component: string
  /** The id on the side the draft was made from. */
  id: string
  /** What goes over the wire. */
  body: PlatformItem
  /** What two drafts are compared by; the same as `body` unless the platform rewrites fields (image addresses). */
  compare: PlatformItem
  /** Natural keys, strongest first. Empty: the platform enforces none and a fingerprint decides. */
  keys: string[]
  name: string | null
  sku: string | null
  /** Where a person finds it, e.g. its web address below the shop. */
  path: string | null
  /** Destination id of the item it hangs on when that is not the draft above it (a metafield's product). */
  parentId: string | null
  /** Sent within the parent's create call; then it gets a result row only (E2). */
  inline: boolean
  /** Where its picture is smaller, for when the destination cannot fetch the one in the body. */
  reducedPicture?: string
  /** Why the platform takes no such item from anybody: where it does not stand it is left out, with a warning. */
  uncreatable: string | null
  /** What the platform does not take of it: told when it is created without. */
  withheld: string | null
  /** Members of its sets that belong to other storefronts: kept whatever is written (D3). */
  outside: Record<string, unknown[]>
  /** What is written to a new item only when all else is done, and nothing it names is missing (D5). Null: nothing. */
  deferred: PlatformItem | null
  children: Draft[]
}

/** Where an item keeps the members of its sets that belong to other storefronts. No platform field has such a name. */
export const outsideField = 'outside the pair'

export function outsideOf(item: PlatformItem): Record<string, unknown[]> {
  // Only the engine writes this field, and only so.
  return (item[outsideField] ?? {}) as Record<string, unknown[]>
}

/** Makes a draft; children default to none, `compare` to the body. */
export function draft(
  component: string,
  id: unknown,
  body: PlatformItem,
  more: Partial<Omit<Draft, 'component' | 'id' | 'body'>> = {},
): Draft {
  return {
    component,
    id: String(id),
    body,
    compare: body,
    keys: [],
    name: null,
    sku: null,
    path: null,
    parentId: null,
    inline: false,
    uncreatable: null,
    withheld: null,
    outside: {},
    deferred: null,
    children: [],
    ...more,
  }
}

/** Whether something belongs to a store as a whole or to one of its storefronts (D3). */
export type Scope = 'store' | 'storefront'

/** What a request asks for beyond what every run does, where that decides what is read. */
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
  /** Filter of the list. Absent: it has none, and what nobody picked is left out of the whole list. */
  idsParameter?: string
  /** Component whose ids these are; the root's unless told. */
  of?: string
  /** Enough to see what an item needs; everything when absent. */
  query?: Record<string, string | number>
  /** What an item cannot be complete without: it is copied with it (C4). */
  needs?(item: PlatformItem): { component: string; id: unknown }[]
  /** Chosen by their template files instead of their ids. */
  byTemplate?: true
  /** Nobody picks them: they go along with what needs them. */
  onlyNeeded?: true
}

/** A field that names other items and is always written as a whole (D3). */
export interface MemberSet {
  /** With a dot where the list lies inside another field. */
  field: string
  /** Component of the members. */
  of: string
  /** Field of a member that names it; absent where the list holds the ids themselves. One without the field names nothing. */
  id?: string
  /** May be written in part: then a run over picked items names only its own members. */
  partial?: boolean
}

/** How a resource is read in full. */
export interface Reading {
  path: string
  query?: Record<string, string | number>
  /**
   * `keyset`: ascending id, resumable at any id. `cursor`: resumable at a cursor. `staged`: offset pages, read once into
   * the database and planned from there, because an offset is no place to resume at (C3).
   */
  kind: 'keyset' | 'cursor' | 'staged'
  /** Largest page the platform gives for this query. */
  limit: number
  idField: string
  /** Every destination has one that came with it: an empty list is not believed, but read again. */
  neverEmpty?: true
  /** Of a keyset whose filter by id is `id:min`; others have `id:greater`. */
  idFilter?: 'min'
  /** How it is walked when it is no list to the platform, but made of several calls. Only of a staged reading. */
  pages?: Lister
  /** What such a walk asks of a store, where it is not walked to be counted. */
  walkCalls?: WalkCalls
  /** How many such a walk usually finds: walking only to count would cost as much as reading. */
  usually?: number
  /** How many such a walk finds, where fewer calls tell it. */
  length?(client: Pick<StoreClient, 'get'>, query: Query, options: WalkOptions): Promise<number>
  /** The list is in parts, one for each item of `path`: prices of a price list. Only of a staged reading. */
  parts?: Parts
}

export interface Parts {
  path(owner: PlatformItem): string
  query?: Record<string, string | number>
  limit: number
  /** An item as the whole list has it, where the platform gives it no id but that of its part. */
  item(part: PlatformItem, owner: PlatformItem): PlatformItem
}

/** Calls of a walk. */
export interface WalkCalls {
  /** However much there is. */
  once?: number
  /** Of each storefront that it looks at. */
  perStorefront?: number
  /** Of each item that it gives; part of a call where one gives several. */
  perItem?: number
  /** They go side by side, as far as the store lets them; absent: one after the other. */
  sideBySide?: true
}

/** What a walk is told beside the pages that are wanted. */
export interface WalkOptions extends PageOptions {
  /** Channels of the store, where somebody has read them already: they are the same for every walk. */
  channels?: readonly PlatformItem[] | undefined
}

/** Gives a list page by page. Each is read from the start: only `staged` lists may be such. */
export type Lister = (
  client: Pick<StoreClient, 'get'>,
  path: string,
  query: Query,
  options: WalkOptions,
) => AsyncIterable<Page<PlatformItem>>

export interface WriteCall {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | number>
  body?: unknown
  /** A picture that is fetched from an address and sent in a field of a form, under this name: the platform takes bytes only. */
  picture?: { field: string; address: string; fileName: string }
  /** Asks the stores for the rest of the call just before it is sent: what only they know by then. Never in a dry run. */
  prepare?(stores: StoreAccess): Promise<{ body: unknown } | { form: FormFile } | NotSent>
  heavy?: boolean
}

/** Why a call is not sent, or what was asked for did not come of it. */
export interface NotSent {
  refused: { title: string; errors: Record<string, string>; bySource?: true }
}

/** The stores of a run, for calls that are more than one request. */
export interface StoreAccess {
  /** Takes no write but those that change nothing. */
  source: Pick<StoreClient, 'get' | 'write'>
  destination: Pick<StoreClient, 'get'>
  /** The bytes behind an address that is no store's API; null when nobody gives them. */
  fetch(address: string, maxBytes: number): Promise<Buffer | null>
  /** @throws when the run is stopped meanwhile. */
  wait(ms: number): Promise<void>
}

/** What an answer to a write says about each draft sent, in the order sent. */
export type WriteResult =
  | { saved: PlatformItem | null; partly?: string }
  /** It was saved, and the answer does not say as what: it is looked for by its key, and corrected when it was saved in part. */
  | { lookFor: true; partly?: string }
  | { refused: { title: string; errors: Record<string, string> } }

/** A place of the destination to look for items whose write got no definite answer, read as drafts (B2). */
export type Probe = (
  client: Pick<StoreClient, 'get'>,
  /** `parentIds` are destination ids; `keys` are empty where they may not be stored (S9). */
  sought: { keys: string[][]; parentIds: string[] },
) => Promise<Draft[]>

export interface ToCreate {
  draft: Draft
  /** Destination address of the item the draft hangs on: an id, or what `addressBelow` made of it; '' at the top. */
  parentId: string
  /** That item as it stands at the destination. */
  parent: Draft | null
}

/** An item to correct: as it is wanted, as it stands, and what of it to write. */
export interface Correction {
  desired: Draft
  existing: Draft
  fields: string[] | 'all'
}

export interface TakenStock {
  productId: number
  /** 0 where none is named. */
  variantId: number
  quantity: number
}

export interface Component {
  key: string
  label: string
  /** Where its mappings belong when that is not where those of its entity belong (D3). */
  scope?: Scope
  /** Decides what may be stored, logged and shown (S9). */
  data: 'catalogue' | 'personal' | 'secret'
  /**
   * How a write without a definite answer is settled: ask the natural key, list the children and subtract those that were
   * there before, or simply send again because the operation is an upsert or a whole replace (B3).
   */
  recovery: 'key' | 'baseline' | 'resend'
  /** Several of the source may be one of the destination (B6). */
  shared?: true
  /** What it is recognised by at the destination, in the words of docs/entities.md; absent: by all that it says. */
  naturalKey?: string
  /** The platform lets several have the same key: one that is a copy already is no match for another (B6). */
  sharesKeys?: true
  /** Written by its key: with another one it is another item to the platform, and the copy stays with the old one. */
  knownByKey?: true
  /** Fields that live on at the destination; differences in them are reported apart (D1). */
  destinationOwned: readonly string[]
  /**
   * It stands as soon as what it belongs to does (stock). Components of that, the closest first: on one that a run with this phase
   * made, it is written as if it were new; on any other its living values are left alone (D1).
   */
  setOnNew?: readonly string[]
  /** Writing it makes the platform write to shoppers or to staff, unless that is switched off before (D5). */
  sendsMail?: true
  /** What a new one takes from the stock of the destination, by the ids of the destination: it is given back (D1). */
  takesStock?(draft: Draft): TakenStock[]
  /** The platform keeps which API account made it; another account may not see it (metafields). */
  ofClient?: boolean
  /** A 207 says that a part of it was not saved, and that asking again may save it (the discount of a customer group). */
  repeatsPartly?: true
  /** Widgets that an item puts on the page, for the field `widgets` of its result. */
  widgets?(draft: Draft): number
  /** Its items are what all pages of a channel show. */
  siteWide?: true
  /** It comes by itself with others, which may be there only when they are healed: then it is looked for once more (F4). */
  platformCreated?: true
  /** One of its fields is a picture, without which it can be written (F4). */
  withoutPicture?: true
  /** Field that says its place among its siblings, where writing a later place moves those that stand there (images). */
  sortField?: string
  /** Its parent's update call carries it (option values), so it has none of its own. */
  carried: boolean
  create?: {
    /** Items per call. */
    batch: number
    /** What the items of one call share; absent: any go together. */
    together?(one: ToCreate): string
    /** One bad item refuses the whole call, which does not say which it was: smaller calls find out. */
    allOrNothing?: true
    call(drafts: ToCreate[]): WriteCall
    /** `results` reads a 422, too, which saved some of the items or says which it refused. Absent: it refuses all of them. */
    readsRefusals?: true
    /**
     * The platform answers before it has done it: waits until it has, and gives what it would have answered then. Calls of such a
     * component follow each other, and one without an answer is looked for as long as it may take.
     */
    finish?(stores: StoreAccess, body: unknown): Promise<{ body: unknown } | NotSent>
    /** Reads a 2xx or 207 answer; absent: one draft, `data` is the saved item. */
    results?(httpStatus: number, body: unknown, drafts: Draft[]): WriteResult[]
  }
  /**
   * Corrects an item we created, or completes one that owes something. Sends known ids only, never a child without an id (B5).
   * Whether the platform's defaults need correcting is decided by comparing drafts.
   */
  update?: {
    call(desired: Draft, existing: Draft, parentId: string, fields: string[] | 'all'): WriteCall
    /** Several items at the top of a pass in one call. What the platform does not take that way is sent by `call`. */
    several?: {
      /** Items per call. */
      batch: number
      /** What the items of one call share; absent: any go together. */
      together?(one: Correction): string
      /** A 207 names in `data` those that were saved. */
      call(corrections: Correction[]): WriteCall
    }
  }
  /** Deletes one that only the destination has, under `replace`. Absent: never deleted (D4). */
  remove?: {
    call(existing: Draft, parentId: string): WriteCall
    /** Before its siblings are written, because what is extra may stand in their way. */
    first?: boolean
    /** Without it the rest of the item looks otherwise (an option gives every variant its shape): how, as far as is known. */
    reshapes?(parent: Draft, removed: Draft): Draft
  }
  /**
   * What the platform adds by itself to a new item of the entity: taken away again where the source has none. `channelId` is
   * the default storefront.
   */
  addedByPlatform?(defaults: { channelId: number }): Draft
  probe?: Probe
  /** The only storefront of the destination that shows an item; absent: all may. */
  channelOf?: (
    client: Pick<StoreClient, 'get'>,
    id: string,
    defaults: { channelId: number },
  ) => Promise<number | undefined>
  /**
   * For a child that other entities name by its id: the component it hangs on, and how it is found at the source where nobody
   * has copied it.
   */
  namedByOthers?: {
    on: string
    find(client: Pick<StoreClient, 'get'>, id: string): Promise<{ draft: Draft; ownerId: string } | undefined>
  }
  /** Reads an item of an answer as a draft; needed for what is not at the top of a pass. */
  read?: (item: PlatformItem) => Draft
  /** Address of an item's own children; its id alone when absent. */
  addressBelow?: (id: string, parentId: string) => string
  callsPerItem: { write: number }
}

export interface Pass {
  key: string
  label: string
  /** Component of the drafts at the top of what `drafts` makes. */
  root: string
  source: Reading
  /** Reads roots again by id after a take-over, and their counterparts when comparing. Absent: listed from the start again. */
  byIds?: {
    path: string
    query: Record<string, string | number>
    /** `range`: the list knows no list of ids, but from which to which (orders). */
    idsParameter: 'range' | (string & {})
    limit: number
  }
  /**
   * Lists that no page shows and that are read item by item: for those that may have one, into `field` of the item. Each costs
   * a call.
   */
  details?: readonly {
    field: string
    path(id: string): string
    query?(id: string): Record<string, string | number>
    mayHave(item: PlatformItem): boolean
    /** Whether the list has all that the item says of it; one that has not is read a second time. Absent: it says nothing. */
    isWhole?(item: PlatformItem, rows: PlatformItem[]): boolean
    /** Only in runs that ask for it; absent: in every run. */
    when?(options: RunOptions): boolean
    /** Makes a list of what the platform answers, where that is none; empty when it says nothing. */
    listed?(body: unknown): PlatformItem[]
  }[]
  /** Whether an item, details included, holds something for this pass; absent: every item does. */
  holds?(item: PlatformItem): boolean
  /** Whether the run asks for an item at all; absent: for every one. */
  isRequested?(item: PlatformItem, options: RunOptions): boolean
  /** How many the run asks for, exactly and in few calls; absent: the list tells. */
  countRequested?(client: Pick<StoreClient, 'get'>, options: RunOptions, page: PageOptions): Promise<number>
  /**
   * Written once and never again, whatever the strategy (D1): one that stands is left alone, and one that was copied and is gone
   * was put away by somebody (B7).
   */
  createOnly?: true
  /** How picked items are read. Absent: what hangs on picked items is taken out of the whole list. */
  picks?: Picking
  /** Filters of its list by which a person looks for items: words in them, what they are called by, and what they lie in. */
  browsed?: { words?: string; key?: string; below?: string }
  /** The part of the list that one storefront has; null when it has none (D3). Absent: the list belongs to the whole store. */
  storefront?(storefront: StorefrontIds): Record<string, string | number> | null
  /** Lists of other items. A run over one storefront sees only the members which that storefront has, on both sides (D3). */
  sets?: readonly MemberSet[]
  /** Of items whose sets say where they belong: whether one belongs to the run's storefront, its sets as that one sees them. */
  isInside?(item: PlatformItem): boolean
  /**
   * Lists what stands at the destination: just enough for the keys, or everything when `complete`. `compared` is the largest page
   * that shows what strategies compare by, where that is more than the keys (C2).
   */
  destination: Reading & { complete: boolean; compared?: Pick<Reading, 'query' | 'limit'> }
  /** Filter of both lists by the time of the last change, where the platform has one: for forecasts only. */
  changedSince?: string
  /** Component of the items its own hang on, when another pass reads those: what `skip` leaves alone gets none (D2). */
  below?: string
  /** Names what its items are about: a run over one storefront leaves out those about what that does not have (D3). */
  about?: {
    component: string
    field: string
    /** Whether an item is about one of these; absent: each is. */
    applies?(item: PlatformItem): boolean
  }
  /** In part its items would mean something else: a run over one storefront leaves out those that name what only others have (D3). */
  wholeOnly?: true
  /** What the destination keeps whatever a run may delete: defaults (D4). What hangs on it is not left alone with it (D2). */
  protects?(item: PlatformItem): boolean
  /** Only looked up for those who name it: what only the destination has of it is nothing to tell. */
  lookupOnly?: true
  /** What only the destination has of it does not go with its owner, but has to be gone before (D4). */
  deleteFirst?: true
  /** Phases that this pass waits for, because it names their items and they name those of its own phase (C5). */
  afterPhases?: readonly string[]
  /** Fields with texts that link to pages of the shop: looked at once more when those are all there (decision 0016). */
  texts?: readonly string[]
  /** Parents come before children, level by level; null at the top (C5). */
  parentOf?: (item: PlatformItem) => string | null
  /**
   * Pure: one item of either store into a tree of drafts. With the references of a run it makes what is to be written; with
   * identity references it reads what stands at the destination, ids, keys and all.
   */
  drafts(item: PlatformItem, references: References): Draft
}

/** Lists of single items that a run reads. */
export function detailsOf({ details = [] }: Pass, options: RunOptions): NonNullable<Pass['details']> {
  return details.filter(({ when }) => when?.(options) ?? true)
}

/** Something that belongs to an entity and that no run copies, in the words of docs/entities.md. */
export interface NotMoved {
  what: string
  why: string
}

export interface Entity {
  key: string
  label: string
  after: readonly string[]
  /** Storefront-scoped components key their mappings by storefront pair (D3). */
  scope: Scope
  prune: 'allowed' | 'never'
  /** Only in runs that name it or ask for it, of those that may ask for it: absent, in every run that covers everything. */
  optIn?: readonly ThemeWish[]
  /** Its items lie on sites, of which each channel has one. */
  namesSites?: true
  /** How it leads from the address that an item has in the source to the item, where that could not keep it. */
  oldAddress?: {
    component: string
    /** Components it can lead to. */
    of: readonly string[]
    /** Undefined for what it cannot lead to. */
    draft(
      changed: { component: string; sourceId: string; destinationId: string; path: string },
      siteId: number,
    ): Draft | undefined
    /** Where what begins at the address is listed. */
    list(siteId: number, desired: Draft): { path: string; query: Query }
    read(item: PlatformItem): Draft
  }
  passes: readonly Pass[]
  components: readonly Component[]
  /** What a token must be allowed to read for it, besides the catalogue: asked before the first phase of a run. */
  scopeProbe?: ScopeProbe
  /** Empty: all of it moves. */
  notMoved: readonly NotMoved[]
}

/** An item that cannot be written without something the destination lacks. Becomes an issue, never ends a run. */
export class MissingReference extends Error {
  readonly component: string
  readonly sourceId: string

  constructor(component: string, sourceId: string) {
    super(`It needs ${component} ${sourceId}, which has no counterpart at the destination.`)
    this.name = 'MissingReference'
    this.component = component
    this.sourceId = sourceId
  }
}

/** @throws when the entity breaks a rule of the registry: unknown root, a missing recovery or data class, an unreachable component. */
export function defineEntity(entity: Entity): Entity {
  const known = new Set(entity.components.map((component) => component.key))
  for (const pass of entity.passes) {
    if (!known.has(pass.root)) throw new Error(`${entity.key}: pass ${pass.key} has no component ${pass.root}`)
    if (pass.source.pages && pass.source.kind !== 'staged')
      throw new Error(`${entity.key}: pass ${pass.key} lists in a way of its own and is not staged`)
    for (const reading of [pass.source, pass.destination]) refuseUnpriced(entity.key, pass.key, reading)
  }
  for (const component of entity.components) refuseIncomplete(entity.key, component)
  return entity
}

/** Nobody could say what a run will ask. */
function refuseUnpriced(entity: string, pass: string, { pages, usually, length, walkCalls }: Reading): void {
  if (pages && (usually !== undefined || length) && !walkCalls)
    throw new Error(`${entity}: pass ${pass} is not walked to be counted, and does not say what it asks`)
}

function refuseIncomplete(entity: string, component: Component): void {
  if (!['key', 'baseline', 'resend'].includes(component.recovery))
    throw new Error(`${entity}: ${component.key} declares no recovery (B3)`)
  if (!['catalogue', 'personal', 'secret'].includes(component.data))
    throw new Error(`${entity}: ${component.key} declares no data class (S9)`)
  if (component.recovery !== 'resend' && !component.carried && !component.probe)
    throw new Error(`${entity}: ${component.key} recovers by ${component.recovery} but has no probe`)
  if (!component.carried && !component.create)
    throw new Error(`${entity}: ${component.key} can neither be created nor is it carried`)
}

/** References that leave every id as it is: for reading the destination as drafts. */
export const identity: References = {
  need: (_component, id) => Number(id),
  want: (_component, id) => Number(id),
  find: (_component, id) => Number(id),
  wantText: (_component, id) => String(id),
  picture: imageAddress,
}
