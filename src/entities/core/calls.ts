import type { StoreClient } from '../../bigcommerce/client.ts'
import type { FormFile } from '../../bigcommerce/form.ts'
import type { Draft, PlatformItem } from './draft.ts'

export interface WriteCall {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | number>
  body?: unknown
  /** A picture that the platform accepts only as bytes: fetched from `address` and sent as this field of a form. */
  picture?: { field: string; address: string; fileName: string }
  /** Gets the rest of the call from the stores just before it is sent. Never called in a dry run. */
  prepare?(stores: StoreAccess): Promise<{ body: unknown } | { form: FormFile } | NotSent>
  heavy?: boolean
}

/** Why a call was not sent, or why its job failed. */
export interface NotSent {
  refused: { title: string; errors: Record<string, string>; bySource?: true }
}

/** The stores of a run, for writes that take several requests. */
export interface StoreAccess {
  /** Only for writes that change nothing. */
  source: Pick<StoreClient, 'get' | 'write'>
  destination: Pick<StoreClient, 'get'>
  /** The bytes at an address outside the stores' APIs; null if it does not serve them. */
  fetch(address: string, maxBytes: number): Promise<Buffer | null>
  /** @throws when the run is stopped in the meantime */
  wait(ms: number): Promise<void>
}

/** What a response says about each draft sent, in the order sent. */
export type WriteResult =
  | { saved: PlatformItem }
  /**
   * Saved, but the response does not give its id: it is looked up by its key, and corrected if it was saved in part.
   * `otherwise`: the platform's message, in case it is not found.
   */
  | { lookFor: true; partly?: string; otherwise?: { title: string; errors: Record<string, string> } }
  /** Saved, but has no id: the component knows it by `knownAs`. */
  | { withoutId: true }
  | { refused: { title: string; errors: Record<string, string> } }

/** Looks up at the destination the items whose write got no definite response, and reads them as drafts (B2). */
export type Probe = (
  client: Pick<StoreClient, 'get'>,
  /** `parentIds` are destination ids; `keys` are empty where they may not be stored (S9). */
  sought: { keys: string[][]; parentIds: string[] },
) => Promise<Draft[]>

export interface ToCreate {
  draft: Draft
  /** The parent's destination address: an id, or the result of `addressBelow`; '' at the top level. */
  parentId: string
  /** The parent as the destination has it. */
  parent: Draft | null
}

/** An item to correct: the desired and the existing draft, and the fields to write. */
export interface Correction {
  desired: Draft
  existing: Draft
  fields: string[] | 'all'
}
