import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { Correction, ToCreate, WriteCall } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { DestinationId } from '../../model/destination-id.ts'
import type { Entry } from '../core/recorder.ts'

/** Why the platform, or the source, did not let an item be written. */
export interface Refusal {
  title: string
  errors: Record<string, string>
  method: string
  path: string
  /** 0 when there was no answer. */
  httpStatus: number
  /** The source did not provide what had to be sent. */
  bySource?: true
  /** The rule by which the platform would refuse the item; only in a dry run (F2). */
  rule?: string
}

/** An item as an answer of the platform shows it. */
export type SavedDraft = Draft & { id: DestinationId }

/**
 * The outcome of creating one item. `partly`: the platform saved it without some of its fields. `existing`: another
 * client made an item with the same key while our own call was unconfirmed (G5).
 */
export type Outcome =
  | { kind: 'saved'; saved: SavedDraft; partly: Refusal | null }
  | { kind: 'existing'; existing: SavedDraft }
  | { kind: 'refused'; refusal: Refusal }

/** What has become of a request. */
export type Ended = [CreateRequest, Outcome]

/** The outcome of an update. `saved`: the item as the answer shows it; null where it does not. */
export interface Updated {
  refusal: Refusal | null
  saved: PlatformItem | null
}

/** An item to create. */
export interface CreateRequest extends ToCreate {
  pass: string
  rootId: string
  /** This run created the parent, so it knows all the children there are. */
  parentIsNew: boolean
  /** Reads an item of the answer as a draft. */
  read(item: PlatformItem): Draft
  /** Called once, when the outcome is known. The entry is committed with the end of the intent. */
  entry(outcome: Outcome): Entry
}

export interface UpdateTarget {
  pass: string
  rootId: string
  parentId: string
  /** What the write replaces, unless this run wrote it (D6). */
  before?: BeforeImage | undefined
}

export interface RemoveTarget extends UpdateTarget {
  /** The item exists only at the destination and counts as pruned; if false, the platform added it to a new item. */
  prunes: boolean
}

/** Called once, when the outcome is known. The entry is committed with the end of the intent. */
export type UpdateEntry = (refusal: Refusal | null, saved: PlatformItem | null) => Entry

/** An item to update in one call with others. */
export interface UpdateRequest extends Correction {
  target: UpdateTarget
  entry: UpdateEntry
}

/** How the engine writes to the destination. A dry run has an implementation that only simulates. */
export interface Writes {
  /** Creates items of one component in one call. The outcomes are in the order of the requests. */
  create(component: Component, requests: CreateRequest[]): Promise<Outcome[]>
  update(
    component: Component,
    desired: Draft,
    call: WriteCall,
    target: UpdateTarget,
    entry: UpdateEntry,
  ): Promise<Updated>
  /** Updates several items in one call. The outcomes are in the order of the requests. */
  updateTogether(component: Component, requests: UpdateRequest[]): Promise<Updated[]>
  /** Deletes an item. One that is already gone counts as deleted. */
  remove(
    component: Component,
    existing: Draft,
    call: WriteCall,
    target: RemoveTarget,
    entry: (refusal: Refusal | null) => Entry,
  ): Promise<void>
}
