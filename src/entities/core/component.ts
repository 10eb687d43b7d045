import type { StoreClient } from '../../bigcommerce/client.ts'
import type { StoreCounts } from '../../model/forecast/forecast.ts'
import type { LinkedKind } from '../../model/links/link-targets.ts'
import type { FindingTopic } from '../../model/preflight-findings.ts'
import type { Limits } from '../../model/refusal-rules.ts'
import type { Correction, NotSent, Probe, StoreAccess, ToCreate, WriteCall, WriteResult } from './calls.ts'
import type { Draft, PlatformItem } from './draft.ts'

/** Whether something belongs to the whole store or to one of its storefronts (D3). */
export type Scope = 'store' | 'storefront'

export interface TakenStock {
  productId: number
  /** 0 if it has no variant. */
  variantId: number
  quantity: number
}

/** The quantities in which the platform sells a product, and the options a shopper must choose. */
export interface SaleTerms {
  least: number
  most: number
  /** Ids of options. */
  required: number[]
}

/**
 * Parts of an item that the platform may refuse because they cannot be sold today, but accepts in another form (G15),
 * and products that cannot be sorted because they are not in the category.
 */
export interface Unsold {
  /** Whether these parts may have caused the refusal: if so, the destination's sale terms decide. */
  mayBeReason(refusal: { httpStatus: number }): boolean
  /** Whether these parts caused the refusal, whatever the destination's sale terms are. */
  isReason(refusal: { httpStatus: number; title: string; errors: Record<string, string> }): boolean
  /** The destination's current sale terms for the products that the draft refers to. */
  ask(client: Pick<StoreClient, 'get'>, draft: Draft, signal: AbortSignal): Promise<Map<string, SaleTerms>>
  /**
   * Puts the parts ruled out by the known terms, or all parts, in the other form. Undefined if there are none to
   * replace.
   */
  replace(draft: Draft, termsOf: ((key: string) => SaleTerms | undefined) | 'none'): Draft | undefined
}

/** The stock at one location; ids are those of the destination. */
export interface StockLevel {
  productId: number
  /** 0 if stock is tracked for the whole product. */
  variantId: number
  locationId: number
  quantity: number
}

/** What else the platform does when an item is written. */
export interface SideEffects {
  /** The platform sends mails when one is written, unless they are muted first (D5). */
  mail?: true
  /** The stock that creating one takes from the destination, by destination ids. We give it back (D1). */
  stock?(draft: Draft): TakenStock[]
  /** The stock that a new item starts with, before its levels are set (G11). */
  startingStock?: {
    /** The quantities sent when it is created: its own under '', those of its children under their keys. */
    sent(desired: Draft): Record<string, number>
    /** The same quantities by the ids that the destination gave. Whatever is missing by the end has been sold. */
    saved(sent: Readonly<Record<string, number>>, existing: Draft, parentId: string): Omit<StockLevel, 'locationId'>[]
  }
  /** The stock level that writing it sets; undefined if the item's id is unknown. */
  level?(draft: Draft): StockLevel | undefined
}

/** What only one item of the store is, or one of each storefront: the group for new customers, the home page. */
export interface Role {
  /** True of the item that has it. */
  field: string
  /** What people call it. */
  called: string
  /** The items of the destination that have it now; only those from which this draft would take it. */
  holders(client: Pick<StoreClient, 'get'>, draft: Draft, signal: AbortSignal): Promise<Draft[]>
}

/** What is counted: the items of a phase, or one kind of their children. */
export interface Component {
  key: string
  label: string
  /** The scope of its mappings, if different from the entity's (D3). */
  scope?: Scope
  /** The platform's documented limits, from which a dry run predicts refusals (F2). */
  limits?: Limits
  /** Decides what may be stored, logged and displayed (S9). */
  data: 'catalogue' | 'personal' | 'secret'
  /** An issue about colliding secret items names them by their drafts, because nothing else tells them apart. */
  collidesByName?: true
  /**
   * How a write without a definite response is resolved: `key` looks up the natural key; `baseline` lists the children
   * and subtracts those that existed before; `resend` sends again, because the call is an upsert or replaces everything
   * (B3).
   */
  recovery: 'key' | 'baseline' | 'resend'
  /** Several source items may map to the same destination item (B6). */
  shared?: true
  /** The natural key, as docs/entities.md describes it. Absent: the whole content. */
  naturalKey?: string
  /** The platform allows several items with one key, so an item that is already a copy is not adopted again (B6). */
  sharesKeys?: true
  /** Siblings may share any key but the first, so a later one is only a hint that they are the same (custom fields). */
  sharesLaterKeys?: true
  /** Its first key, if it can be derived from the source id. */
  keyFromId?: (sourceId: string, sourceHash: string) => string
  /** What the platform may return differently from what was sent (G6). */
  mayRewrite?: {
    /** Ignored when deciding who created an item. */
    fields: readonly string[]
    /** The part of a key that survives the change; by default the key without capitals and spaces. */
    alike(draft: Draft): string
  }
  /**
   * It describes a person, who may have asked to be erased: if deleted at the destination, it is not created again
   * (G12).
   */
  staysErased?: true
  /**
   * Its identifier at the destination, if the platform gives it no id. Reading the item back must give the same value.
   */
  knownAs?: (draft: Draft, parentId: string) => string
  /** Written by its key: under another key it becomes a new item, and the copy keeps the old key. */
  knownByKey?: true
  /**
   * For resources that refuse items with unknown fields (version 2): the fields they accept. Other fields of a response
   * are compared but not sent (G16). Source: the published files.
   */
  accepts?: readonly string[]
  /**
   * A source may have several with one key, from before the platform took them for one: the first that is created has the
   * copy, the others are reported (B6).
   */
  mayHaveTwins?: true
  /** Fields that the destination's shop changes itself. Differences in them are reported separately (D1). */
  destinationOwned: readonly string[]
  /**
   * It comes into existence with its owner (stock). Lists its owners' components, closest first: if this run created
   * the owner, it is written like a new item; otherwise its destination-owned values are left alone (D1).
   */
  setOnNew?: readonly string[]
  /**
   * With `setOnNew`: its id at the destination, by what it belongs to now; undefined if that is not there. A copy that is
   * gone while its owner stays is no longer counted, and the shop decided so: it is left alone (D1).
   */
  idByOwner?(draft: Draft): string | undefined
  sideEffects?: SideEffects
  /** The platform records which API account created it, and may hide it from other accounts (metafields). */
  ofClient?: boolean
  /**
   * Whether only the account that created an item sees it. Its absence from the source proves nothing, so such an item is
   * never deleted (D4).
   */
  hiddenFromOthers?: (item: PlatformItem) => boolean
  /**
   * A 207 means that part of it was not saved, and sending it again may save the rest (discounts of a customer group).
   */
  repeatsPartly?: true
  /** Set if its items place widgets on pages. */
  widgets?: {
    /** For the `widgets` field of the result. */
    count(draft: Draft): number
    /** The widgets appear on every page of a channel. */
    siteWide?: boolean
  }
  /** What only one item at a time is: a new one becomes that instead of another. */
  roles?: readonly Role[]
  /** What kind of target it is in shop links that contain its id. */
  linkedAs?: LinkedKind
  /**
   * Data of the destination's shoppers: `replace` deletes it only if the request names the component (G3). A function
   * decides for each item.
   */
  madeByShoppers?: true | ((item: PlatformItem) => boolean)
  /** The preflight findings reported under this component. */
  findings?: readonly FindingTopic[]
  /** The total in a forecast that counts it. */
  forecastAs?: keyof StoreCounts
  /** Its exact number in a whole store, for components without a list whose number one call returns. */
  countAll?(client: Pick<StoreClient, 'get'>, signal: AbortSignal): Promise<number>
  /**
   * It has a web address, which another item of the shop may already use: the platform then refuses the item, or saves
   * it without the address.
   */
  webAddress?: 'refusedIfTaken' | 'omittedIfTaken'
  /** Names are unique below one root item, across all components with the same value here. */
  uniqueNamesOf?: string
  /** How the platform gets its picture: it downloads `image_url`, or we send the bytes from `picture`. */
  picture?: 'fetched' | 'sent'
  /** Its picture is one of its fields, and the item can be written without it (F4). */
  withoutPicture?: true
  /** The field with its position among its siblings, if writing a position shifts those behind it (images). */
  sortField?: string
  /** Fields that the platform changes when a sibling is written (the position of an image, and which is the thumbnail). */
  changedBySiblings?: readonly string[]
  /**
   * The copy of one that the source has deleted becomes that of a new one with which it clashes (bulk pricing rules for
   * overlapping quantities).
   */
  takesCopies?: true
  /**
   * Whether the platform refuses it while a sibling, also of another component, is still like that: with the same SKU, or
   * overlapping quantities.
   */
  clashes?(desired: Draft, sibling: Draft): boolean
  /** An existing one under the names that its siblings get, if it is named after them: a variant has those of its options. */
  renamedWith?(existing: Draft, siblings: readonly { before: Draft; after: Draft }[]): Draft
  /** Fields with which a sibling clashes with no other, for siblings that exchange theirs. */
  freed?(existing: Draft): PlatformItem
  /**
   * Fields in which the platform lets no two items be alike, capitals aside: items that exchange theirs get others for a
   * moment.
   */
  uniqueFields?: readonly string[]
  /** The field of the parent's create call that contains it. */
  inlineAs?: string
  /** Shoppers add to it, and an update keeps what they have added, which has to be read for it (wishlists). */
  addedTo?: true
  /**
   * Sent separately once the platform refuses the call that creates its owner, of which it may be the reason. False of one
   * that the platform accepts in that call alone.
   */
  sentAlone?(draft: Draft): boolean
  /**
   * Sent in the call that creates its owner until the platform refuses that call because of it; then separately, like
   * everything else with one of the same names. Absent: not tried, or never refused.
   */
  triedInline?(draft: Draft): string[]
  /** Written by the parent's update call; it has no call of its own (option values). */
  carried: boolean
  /**
   * Absent: created by its parent's calls, or by the platform along with other items. If those are only created on a
   * retry, `probe` looks it up again (F4).
   */
  create?: Create
  update?: Update
  /**
   * What it names of its siblings and the existing parent does not have, in words. Without that it could apply to more than
   * in the source, so it is not written.
   */
  missingSibling?(desired: Draft, parent: Draft): string | undefined
  /** Deletes an item that only the destination has, under `replace`. Absent: such items are never deleted (D4). */
  remove?: {
    call(existing: Draft, parentId: string): WriteCall
    /**
     * `siblings`: deleted before its siblings are written, because it may conflict with them. `parent`: deleted before
     * its parent, which the platform refuses to delete while it has such children (D4).
     */
    before?: 'siblings' | 'parent'
    /** Which of these items must never be deleted, whatever the request names: customers with orders (G3). */
    never?(client: Pick<StoreClient, 'get'>, ids: string[], signal: AbortSignal): Promise<Set<string>>
    /** Whether the source may have it, too: it is left out of a draft while what it refers to is missing. */
    mayBeOfSource?(existing: Draft): boolean
    /** What the parent becomes without it, as far as known: every variant is made of all options. */
    reshapes?(parent: Draft, removed: Draft): Draft
    /**
     * What the platform adds to a new item of the entity by itself; deleted if the source has none. `channelId` is the
     * default storefront.
     */
    addedByPlatform?(defaults: { channelId: number }): Draft
  }
  probe?: Probe
  /**
   * Finds it through a filter of its list, where the platform allows several items with one key. Called before creating
   * an item that was not in a list of several pages, because such a list can miss items (G1).
   */
  findsUnlisted?: Probe
  /** The only storefront of the destination that displays the item. Absent: any may display it. */
  channelOf?: (
    client: Pick<StoreClient, 'get'>,
    id: string,
    defaults: { channelId: number },
  ) => Promise<number | undefined>
  /**
   * For a child that other entities refer to by id: its parent's component, and how to find the child in the source
   * before it is copied.
   */
  namedByOthers?: {
    on: string
    find(client: Pick<StoreClient, 'get'>, id: string): Promise<{ draft: Draft; ownerId: string } | undefined>
  }
  /** Reads an item of a response as a draft. Required for all but the root items of a pass. */
  read?: (item: PlatformItem) => Draft
  /** The address under which an item's children are found. Absent: its id. */
  addressBelow?: (id: string, parentId: string) => string
  callsPerItem: { write: number }
}

/** The platform creates it along with other items, and we can look it up. */
export function comesWithOthers({ carried, create, probe }: Component): boolean {
  return !carried && !create && probe !== undefined
}

/** Creates items of a component. */
export interface Create {
  /** Items per call. If the platform refuses several without saying which is wrong, smaller calls find it. */
  batch: number
  /** Only items with the same value share a call. Absent: any items can. */
  together?(one: ToCreate): string
  call(drafts: ToCreate[]): WriteCall
  unsold?: Unsold
  /**
   * `results` also reads 422 responses, which may have saved some items or name those refused. Absent: a 422 refuses
   * them all.
   */
  readsRefusals?: true
  /**
   * The platform responds before the work is done: waits for the job, then returns the response that a finished call
   * would have. Calls of such a component run one at a time, and an unconfirmed one is looked up for as long as its job
   * may still be running.
   */
  finish?(stores: StoreAccess, body: unknown): Promise<{ body: unknown } | NotSent>
  /**
   * Reads a 2xx or 207 response. Absent: the call sends one draft, and `data` is the saved item. `parentIds` are the
   * addresses of the parents.
   */
  results?(httpStatus: number, body: unknown, drafts: Draft[], parentIds: string[]): WriteResult[]
}

/**
 * Corrects an item that we created, or completes one with pending parts. Sends known ids only, never a child without an
 * id (B5). Drafts are compared to see whether the platform's defaults need correcting.
 */
export interface Update {
  /** @param parent as it exists, with the children that were just created; only for children */
  call(desired: Draft, existing: Draft, parentId: string, fields: string[] | 'all', parent?: Draft | null): WriteCall
  /** The item after the call, if it keeps something that is not sent and the response does not show it. */
  leaves?(desired: Draft, existing: Draft): Draft
  /** Updates several root items of a pass in one call. Items refused this way are sent again one by one with `call`. */
  several?: {
    /** Items per call. */
    batch: number
    /** Only corrections with the same value share a call. Absent: any can. */
    together?(one: Correction): string
    /** In a 207, `data` contains the items that were saved. */
    call(corrections: Correction[]): WriteCall
  }
}
