import type { StoreClient } from '../../bigcommerce/client.ts'
import type { StoreCounts } from '../../model/forecast/forecast.ts'
import type { LinkedKind } from '../../model/links/link-targets.ts'
import type { FindingTopic } from '../../model/preflight-findings.ts'
import type { Limits } from '../../model/refusal-rules.ts'
import type { Correction, NotSent, Probe, StoreAccess, ToCreate, WriteCall, WriteResult } from './calls.ts'
import type { Draft, PlatformItem } from './draft.ts'

/** Whether something belongs to a store as a whole or to one of its storefronts (D3). */
export type Scope = 'store' | 'storefront'

export interface TakenStock {
  productId: number
  /** 0 where none is named. */
  variantId: number
  quantity: number
}

/** Which quantity of something the platform sells, and what must be chosen with it. */
export interface SaleTerms {
  least: number
  most: number
  /** Ids of options. */
  required: number[]
}

/** Parts of an item that the platform may not sell today and that it accepts in another form (G15). */
export interface Unsold {
  /** Whether a refusal may be about them: then what the destination sells decides. */
  mayBeReason(refusal: { httpStatus: number }): boolean
  /** Whether it is about them, whatever the destination says it sells. */
  isReason(refusal: { httpStatus: number; title: string; errors: Record<string, string> }): boolean
  /** What the destination sells now of what the item names. */
  ask(client: Pick<StoreClient, 'get'>, draft: Draft, signal: AbortSignal): Promise<Map<string, SaleTerms>>
  /** With the other form of what known terms exclude, or of all parts. Undefined: nothing to replace. */
  replace(draft: Draft, termsOf: ((key: string) => SaleTerms | undefined) | 'none'): Draft | undefined
}

/** What one location has of something that is counted; ids are those of the destination. */
export interface StockLevel {
  productId: number
  /** 0 where the product is counted as a whole. */
  variantId: number
  locationId: number
  quantity: number
}

/** What the platform does besides when an item is written. */
export interface SideEffects {
  /** It sends mails, unless they are muted before (D5). */
  mail?: true
  /** What creating one takes from the destination's stock, by destination ids: it is given back (D1). */
  stock?(draft: Draft): TakenStock[]
  /** The stock that a new one starts with, before its levels are set: what is missing of it by then was sold (G11). */
  startsWith?(desired: Draft, saved: Draft, parentId: string): Omit<StockLevel, 'locationId'>[]
  /** The level of stock that it sets; undefined where its item is not known by id. */
  level?(draft: Draft): StockLevel | undefined
}

/** What is counted: the items of a phase, or one kind of their children. */
export interface Component {
  key: string
  label: string
  /** The scope of its mappings, if it is not that of its entity (D3). */
  scope?: Scope
  /** What the platform accepts, as far as documented; a dry run predicts refusals from it (F2). */
  limits?: Limits
  /** Decides what may be stored, logged and shown (S9). */
  data: 'catalogue' | 'personal' | 'secret'
  /** Of a collision of two secret items, the issue names them as their drafts do, because nothing else tells them apart. */
  collidesByName?: true
  /**
   * How a write without a definite answer is settled: ask for the natural key, list the children and subtract those that existed
   * before, or send again because the call is an upsert or replaces everything (B3).
   */
  recovery: 'key' | 'baseline' | 'resend'
  /** Several source items may be one destination item (B6). */
  shared?: true
  /** What it is recognised by at the destination, as docs/entities.md says it; absent: by its whole content. */
  naturalKey?: string
  /** The platform allows several with the same key: one that is a copy already is not adopted again (B6). */
  sharesKeys?: true
  /** Its first key, where that follows from the id in the source. */
  keyFromId?: (sourceId: string, sourceHash: string) => string
  /** What the platform may answer otherwise than it was sent (G6). */
  mayRewrite?: {
    /** They say nothing about who made an item. */
    fields: readonly string[]
    /** What is left of a key with such a field; of others, the key without capitals and spaces. */
    alike(draft: Draft): string
  }
  /** It is about a person, who may have been erased: once deleted at the destination it is not created again (G12). */
  staysErased?: true
  /** The platform gives it no id: what it is known by at the destination, as reading it says, too. */
  knownAs?: (draft: Draft, parentId: string) => string
  /** Written by its key: with another key it is a new item to the platform, and the copy keeps the old one. */
  knownByKey?: true
  /**
   * Fields that the platform accepts of it, where it refuses an item with any other (version 2). What else an answer has is compared
   * and not sent (G16). Source: the published files.
   */
  accepts?: readonly string[]
  /** Fields that the destination's shop changes itself; differences in them are reported apart (D1). */
  destinationOwned: readonly string[]
  /**
   * It exists as soon as its owner does (stock). The components of the owner, the closest first: for an owner that this run
   * created it is written like a new item; for any other its destination-owned values are left alone (D1).
   */
  setOnNew?: readonly string[]
  sideEffects?: SideEffects
  /** The platform records which API account made it; another account may not see it (metafields). */
  ofClient?: boolean
  /** A 207 says that a part was not saved, and that sending again may save it (the discounts of a customer group). */
  repeatsPartly?: true
  /** Its items put widgets on pages. */
  widgets?: {
    /** For the field `widgets` of the result. */
    count(draft: Draft): number
    /** All pages of a channel show them. */
    siteWide?: boolean
  }
  /** What links of a shop that name one by its id call it. */
  linkedAs?: LinkedKind
  /** Data of the destination's shoppers: `replace` deletes it only if the request names the component (G3). A function says which items are. */
  madeByShoppers?: true | ((item: PlatformItem) => boolean)
  /** The preflight findings reported about it. */
  findings?: readonly FindingTopic[]
  /** The total of a forecast that counts it. */
  forecastAs?: keyof StoreCounts
  /** Its exact number in a whole store, where one call tells it and no list of its own does. */
  countAll?(client: Pick<StoreClient, 'get'>, signal: AbortSignal): Promise<number>
  /** Its web address, where another item of the shop may have it: the platform then refuses it, or saves it without. */
  webAddress?: 'refusedIfTaken' | 'omittedIfTaken'
  /** Its names are unique below one root item, among all components that say the same here. */
  uniqueNamesOf?: string
  /** How its picture reaches the platform: fetched from `image_url`, or sent by us as the bytes at `picture`. */
  picture?: 'fetched' | 'sent'
  /** Its picture is one of its fields, and it can be written without it (F4). */
  withoutPicture?: true
  /** Field with its position among its siblings, where writing a position moves those behind it (images). */
  sortField?: string
  /** Field of its parent's create call that carries it. */
  inlineAs?: string
  /** The platform may refuse a new owner because of it: then it is sent by itself, so that it does not take the owner along. */
  sentAlone?: true
  /** Written by its parent's update call, with no call of its own (option values). */
  carried: boolean
  /**
   * Absent: its parent's calls carry it, or the platform makes it along with other items. That may happen only when those are
   * healed: then \`probe\` looks it up again (F4).
   */
  create?: Create
  update?: Update
  /** Deletes one that only the destination has, under `replace`. Absent: never deleted (D4). */
  remove?: {
    call(existing: Draft, parentId: string): WriteCall
    /**
     * `siblings`: before those are written, because it may conflict with them. `parent`: the platform refuses to delete that before
     * it, so it is not left to go with it (D4).
     */
    before?: 'siblings' | 'parent'
    /** Of these items those that are never deleted, whatever the request names: customers with orders (G3). */
    never?(client: Pick<StoreClient, 'get'>, ids: string[], signal: AbortSignal): Promise<Set<string>>
    /** How its parent looks without it, as far as known: each option shapes every variant. */
    reshapes?(parent: Draft, removed: Draft): Draft
    /**
     * What the platform adds by itself to a new item of the entity; deleted where the source has none. `channelId` is the default
     * storefront.
     */
    addedByPlatform?(defaults: { channelId: number }): Draft
  }
  probe?: Probe
  /**
   * Finds it by a filter of its list, where the platform lets several have the same key: asked before one is created that a list of
   * several pages did not show (G1).
   */
  findsUnlisted?: Probe
  /** The only storefront of the destination that shows an item; absent: all may. */
  channelOf?: (
    client: Pick<StoreClient, 'get'>,
    id: string,
    defaults: { channelId: number },
  ) => Promise<number | undefined>
  /** For a child that other entities name by its id: its parent's component, and how to find it in the source before it is copied. */
  namedByOthers?: {
    on: string
    find(client: Pick<StoreClient, 'get'>, id: string): Promise<{ draft: Draft; ownerId: string } | undefined>
  }
  /** Reads an item of an answer as a draft; needed for what is not at the top of a pass. */
  read?: (item: PlatformItem) => Draft
  /** Address of an item's own children; its id when absent. */
  addressBelow?: (id: string, parentId: string) => string
  callsPerItem: { write: number }
}

/** The platform makes it along with other items, and it can be looked up. */
export function comesWithOthers({ carried, create, probe }: Component): boolean {
  return !carried && !create && probe !== undefined
}

/** Creates items of a component. */
export interface Create {
  /** Items per call. */
  batch: number
  /** What the items of one call must have in common; absent: nothing. */
  together?(one: ToCreate): string
  /** One bad item refuses the whole call without being named: smaller calls find it. */
  allOrNothing?: true
  call(drafts: ToCreate[]): WriteCall
  unsold?: Unsold
  /** `results` also reads a 422 that saved some of the items or names those refused. Absent: a 422 refuses all of them. */
  readsRefusals?: true
  /**
   * The platform answers before it has done it: waits for the job, and gives the answer a finished call would have. Calls of such
   * a component follow each other, and an unconfirmed one is looked for until the job would have ended.
   */
  finish?(stores: StoreAccess, body: unknown): Promise<{ body: unknown } | NotSent>
  /** Reads a 2xx or 207 answer; absent: one draft, and `data` is the saved item. `parentIds`: the addresses of their parents. */
  results?(httpStatus: number, body: unknown, drafts: Draft[], parentIds: string[]): WriteResult[]
}

/**
 * Corrects an item we created, or completes one with something pending. Sends known ids only, never a child without an id (B5).
 * Comparing drafts decides whether the platform's defaults need correcting.
 */
export interface Update {
  /** @param parent as it exists, with the children that were created a moment ago; only of children */
  call(desired: Draft, existing: Draft, parentId: string, fields: string[] | 'all', parent?: Draft | null): WriteCall
  /** Several items at the top of a pass in one call. What the platform refuses that way is sent by `call`. */
  several?: {
    /** Items per call. */
    batch: number
    /** What the items of one call must have in common; absent: nothing. */
    together?(one: Correction): string
    /** A 207 names in `data` those that were saved. */
    call(corrections: Correction[]): WriteCall
  }
}
