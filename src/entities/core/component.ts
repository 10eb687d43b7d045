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
  /** 0 if there is no variant. */
  variantId: number
  quantity: number
}

/** The quantities in which the platform sells something, and the options that must be chosen. */
export interface SaleTerms {
  least: number
  most: number
  /** Ids of options. */
  required: number[]
}

/** Parts of an item that the platform may refuse to sell today but accepts in another form (G15). */
export interface Unsold {
  /** Whether a refusal may be about them: then the destination's sale terms decide. */
  mayBeReason(refusal: { httpStatus: number }): boolean
  /** Whether a refusal is about them, whatever the destination's sale terms are. */
  isReason(refusal: { httpStatus: number; title: string; errors: Record<string, string> }): boolean
  /** The destination's current sale terms for what the item refers to. */
  ask(client: Pick<StoreClient, 'get'>, draft: Draft, signal: AbortSignal): Promise<Map<string, SaleTerms>>
  /**
   * Puts the parts that known terms exclude, or all parts, in the other form. Undefined if there is nothing to replace.
   */
  replace(draft: Draft, termsOf: ((key: string) => SaleTerms | undefined) | 'none'): Draft | undefined
}

/** The stock at one location; ids are those of the destination. */
export interface StockLevel {
  productId: number
  /** 0 if the product is tracked as a whole. */
  variantId: number
  locationId: number
  quantity: number
}

/** What else the platform does when an item is written. */
export interface SideEffects {
  /** It sends mails unless they are muted first (D5). */
  mail?: true
  /** What creating one takes from the destination's stock, by destination ids: that stock is given back (D1). */
  stock?(draft: Draft): TakenStock[]
  /** The stock of a new item before its levels are set: what is missing by then was sold (G11). */
  startsWith?(desired: Draft, saved: Draft, parentId: string): Omit<StockLevel, 'locationId'>[]
  /** The stock level that it sets; undefined if the id of its item is unknown. */
  level?(draft: Draft): StockLevel | undefined
}

/** What is counted: the items of a phase, or one kind of their children. */
export interface Component {
  key: string
  label: string
  /** The scope of its mappings, if it differs from the entity's (D3). */
  scope?: Scope
  /** Documented limits of the platform; a dry run predicts refusals from them (F2). */
  limits?: Limits
  /** Decides what may be stored, logged and shown (S9). */
  data: 'catalogue' | 'personal' | 'secret'
  /** An issue about colliding secret items uses the names of their drafts, because nothing else tells them apart. */
  collidesByName?: true
  /**
   * How a write without a definite response is settled: look up the natural key; list the children and subtract those
   * that existed before; or send again, because the call is an upsert or replaces everything (B3).
   */
  recovery: 'key' | 'baseline' | 'resend'
  /** Several source items may map to one destination item (B6). */
  shared?: true
  /** The natural key, as docs/entities.md describes it; absent: the whole content. */
  naturalKey?: string
  /** The platform allows several items with the same key, so one that is already a copy is not adopted again (B6). */
  sharesKeys?: true
  /** Its first key, if that can be derived from the source id. */
  keyFromId?: (sourceId: string, sourceHash: string) => string
  /** What the platform may return differently from how it was sent (G6). */
  mayRewrite?: {
    /** Ignored when deciding who made an item. */
    fields: readonly string[]
    /** The part of a key that survives such a change; by default the key without capitals and spaces. */
    alike(draft: Draft): string
  }
  /** It is about a person, who may have been erased: if deleted at the destination, it is not created again (G12). */
  staysErased?: true
  /** What identifies it at the destination, if the platform gives it no id. Reading it must give the same value. */
  knownAs?: (draft: Draft, parentId: string) => string
  /** Written by its key: with another key it is a new item, and the copy keeps the old one. */
  knownByKey?: true
  /**
   * The fields that the platform accepts, where any other field makes it refuse the item (version 2). Other fields of a
   * response are compared but not sent (G16). Source: the published files.
   */
  accepts?: readonly string[]
  /** Fields that the destination's shop changes itself; differences in them are reported separately (D1). */
  destinationOwned: readonly string[]
  /**
   * It exists as soon as its owner does (stock). Lists the components of the owner, closest first: if this run created
   * the owner, it is written like a new item; otherwise its destination-owned values are left alone (D1).
   */
  setOnNew?: readonly string[]
  sideEffects?: SideEffects
  /** The platform records which API account created it; another account may not see it (metafields). */
  ofClient?: boolean
  /** A 207 means that a part was not saved and that sending again may save it (the discounts of a customer group). */
  repeatsPartly?: true
  /** Its items place widgets on pages. */
  widgets?: {
    /** For the field `widgets` of the result. */
    count(draft: Draft): number
    /** They appear on all pages of a channel. */
    siteWide?: boolean
  }
  /** Its kind in links of a shop that contain its id. */
  linkedAs?: LinkedKind
  /**
   * Data of the destination's shoppers: `replace` deletes it only if the request names the component (G3). A function
   * decides by item.
   */
  madeByShoppers?: true | ((item: PlatformItem) => boolean)
  /** The preflight findings that are reported under it. */
  findings?: readonly FindingTopic[]
  /** The total of a forecast that counts it. */
  forecastAs?: keyof StoreCounts
  /** Its exact number in a whole store, if one call returns it and it has no list of its own. */
  countAll?(client: Pick<StoreClient, 'get'>, signal: AbortSignal): Promise<number>
  /**
   * It has a web address that another item of the shop may be using: the platform then refuses the item, or saves it
   * without the address.
   */
  webAddress?: 'refusedIfTaken' | 'omittedIfTaken'
  /** Its names are unique below one root item, across all components with the same value here. */
  uniqueNamesOf?: string
  /** How the platform gets its picture: it fetches `image_url`, or we send the bytes at `picture`. */
  picture?: 'fetched' | 'sent'
  /** Its picture is one of its fields, and it can be written without it (F4). */
  withoutPicture?: true
  /** The field with its position among its siblings, where writing a position shifts those behind it (images). */
  sortField?: string
  /** The field of its parent's create call that contains it. */
  inlineAs?: string
  /** The platform may refuse a new owner because of it, so it is sent separately. */
  sentAlone?: true
  /** Written by its parent's update call, without a call of its own (option values). */
  carried: boolean
  /**
   * Absent: its parent's calls create it, or the platform creates it along with other items. If that happens only once
   * those are healed, `probe` looks it up again (F4).
   */
  create?: Create
  update?: Update
  /** Deletes an item that only the destination has, under `replace`. Absent: never deleted (D4). */
  remove?: {
    call(existing: Draft, parentId: string): WriteCall
    /**
     * `siblings`: deleted before those are written, because it may conflict with them. `parent`: deleted before its
     * parent, because the platform refuses to delete a parent that still has it (D4).
     */
    before?: 'siblings' | 'parent'
    /** Which of these items are never deleted, whatever the request names: customers with orders (G3). */
    never?(client: Pick<StoreClient, 'get'>, ids: string[], signal: AbortSignal): Promise<Set<string>>
    /** Its parent without it, as far as known: each option shapes every variant. */
    reshapes?(parent: Draft, removed: Draft): Draft
    /**
     * What the platform adds by itself to a new item of the entity; deleted if the source has none. `channelId` is the
     * default storefront.
     */
    addedByPlatform?(defaults: { channelId: number }): Draft
  }
  probe?: Probe
  /**
   * Finds it by a filter of its list, where the platform allows several with the same key: called before creating an
   * item that a list of several pages did not show (G1).
   */
  findsUnlisted?: Probe
  /** The only storefront of the destination that shows an item; absent: all may show it. */
  channelOf?: (
    client: Pick<StoreClient, 'get'>,
    id: string,
    defaults: { channelId: number },
  ) => Promise<number | undefined>
  /**
   * For a child that other entities refer to by id: its parent's component, and how to find it in the source before it
   * is copied.
   */
  namedByOthers?: {
    on: string
    find(client: Pick<StoreClient, 'get'>, id: string): Promise<{ draft: Draft; ownerId: string } | undefined>
  }
  /** Reads an item of a response as a draft; needed for all but the root items of a pass. */
  read?: (item: PlatformItem) => Draft
  /** The address below which an item's children are; absent: its id. */
  addressBelow?: (id: string, parentId: string) => string
  callsPerItem: { write: number }
}

/** The platform creates it along with other items, and it can be looked up. */
export function comesWithOthers({ carried, create, probe }: Component): boolean {
  return !carried && !create && probe !== undefined
}

/** Creates items of a component. */
export interface Create {
  /** Items per call. */
  batch: number
  /** The key by which items are grouped into calls; absent: any items share a call. */
  together?(one: ToCreate): string
  /** One bad item makes the platform refuse the whole call without naming it: smaller calls find it. */
  allOrNothing?: true
  call(drafts: ToCreate[]): WriteCall
  unsold?: Unsold
  /**
   * `results` also reads a 422 that saved some of the items or names those refused. Absent: a 422 refuses all of them.
   */
  readsRefusals?: true
  /**
   * The platform responds before the work is done: waits for the job, and returns the response that a finished call
   * would have. Calls of such a component run one after another, and an unconfirmed one is looked up until the job
   * would have ended.
   */
  finish?(stores: StoreAccess, body: unknown): Promise<{ body: unknown } | NotSent>
  /**
   * Reads a 2xx or 207 response; absent: one draft, and `data` is the saved item. `parentIds`: the addresses of the
   * parents.
   */
  results?(httpStatus: number, body: unknown, drafts: Draft[], parentIds: string[]): WriteResult[]
}

/**
 * Corrects an item we created, or completes one with something pending. Sends known ids only, never a child without an
 * id (B5). Comparing drafts decides whether the platform's defaults need correcting.
 */
export interface Update {
  /** @param parent as it exists, with the children that were just created; only for children */
  call(desired: Draft, existing: Draft, parentId: string, fields: string[] | 'all', parent?: Draft | null): WriteCall
  /** Updates several root items of a pass in one call. What the platform refuses this way is sent again by `call`. */
  several?: {
    /** Items per call. */
    batch: number
    /** The key by which items are grouped into calls; absent: any items share a call. */
    together?(one: Correction): string
    /** On a 207, `data` contains the items that were saved. */
    call(corrections: Correction[]): WriteCall
  }
}
