import type { StoreClient } from '../../bigcommerce/client.ts'
import type { FormFile } from '../../bigcommerce/form.ts'
import type { Draft, PlatformItem } from './draft.ts'

export interface WriteCall {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | number>
  body?: unknown
  /** A picture that the platform accepts only as bytes: downloaded from `address` and sent as form field `field`. */
  picture?: { field: string; address: string; fileName: string }
  /** Fetches the rest of the call from the stores just before it is sent. Never called in a dry run. */
  prepare?(stores: StoreAccess): Promise<{ body: unknown } | { form: FormFile } | NotSent>
  heavy?: boolean
}

/** Why a call was not sent, or why the job it started failed. */
export interface NotSent {
  refused: { title: string; errors: Record<string, string>; bySource?: true }
}

/** The stores of a run, for writes that take several requests. */
export interface StoreAccess {
  /** Only for requests that change nothing. */
  source: Pick<StoreClient, 'get' | 'write'>
  destination: Pick<StoreClient, 'get'>
  /** The bytes at an address outside the stores' APIs; null if it does not serve them. */
  fetch(address: string, maxBytes: number): Promise<Buffer | null>
  /** @throws when the run is stopped in the meantime */
  wait(ms: number): Promise<void>
}

/** What a response says about each draft sent, in the order sent. */
export type WriteResult =
  /** `partly`: without what this names. */
  | { saved: PlatformItem; partly?: string }
  /**
   * Saved, but the response has no id: the item is looked up by its key, and corrected if only part of it was saved.
   * `otherwise`: the platform's message, reported if the item is not found.
   */
  | { lookFor: true; partly?: string; otherwise?: { title: string; errors: Record<string, string> } }
  /** Saved, but the platform gives it no id: the component identifies it by `knownAs`. */
  | { withoutId: true }
  /** `withOthers`: the platform saved none of the call and does not say that this one is wrong. */
  | { refused: { title: string; errors: Record<string, string> }; withOthers?: boolean }

/** Looks up the items at the destination whose write got no definite response, and reads them as drafts (B2). */
export type Probe = (
  client: Pick<StoreClient, 'get'>,
  /** `parentIds` are destination ids; `keys` are empty for items whose keys may not be stored (S9). */
  sought: { keys: string[][]; parentIds: string[] },
) => Promise<Draft[]>

export interface ToCreate {
  draft: Draft
  /** Where the parent is at the destination: its id, or the result of `addressBelow`; '' at the top level. */
  parentId: string
  /** The parent as the destination has it. */
  parent: Draft | null
  /** The stock that a new item has already, where a level of it is set. */
  inStock?: number
}

/** An item to correct: its desired and existing drafts, and the fields to write. */
export interface Correction {
  desired: Draft
  existing: Draft
  fields: string[] | 'all'
}
