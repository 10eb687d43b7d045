import type { StoreClient } from '../../bigcommerce/client.ts'
import type { FormFile } from '../../bigcommerce/form.ts'
import type { Draft, PlatformItem } from './draft.ts'

export interface WriteCall {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string | number>
  body?: unknown
  /** A picture the platform accepts only as bytes: fetched from `address` and sent in this field of a form. */
  picture?: { field: string; address: string; fileName: string }
  /** Asks the stores for the rest of the call just before it is sent. Never in a dry run. */
  prepare?(stores: StoreAccess): Promise<{ body: unknown } | { form: FormFile } | NotSent>
  heavy?: boolean
}

/** Why a call was not sent, or why its job failed. */
export interface NotSent {
  refused: { title: string; errors: Record<string, string>; bySource?: true }
}

/** The stores of a run, for writes that take more than one request. */
export interface StoreAccess {
  /** Accepts only writes that change nothing. */
  source: Pick<StoreClient, 'get' | 'write'>
  destination: Pick<StoreClient, 'get'>
  /** The bytes at an address outside the stores' APIs; null when it does not serve them. */
  fetch(address: string, maxBytes: number): Promise<Buffer | null>
  /** @throws when the run is stopped meanwhile. */
  wait(ms: number): Promise<void>
}

/** What an answer says about each draft sent, in the order sent. */
export type WriteResult =
  | { saved: PlatformItem }
  /**
   * Saved, but the answer does not give its id: it is looked up by its key, and corrected when saved in part. `otherwise`: what the
   * platform said, in case it is not found.
   */
  | { lookFor: true; partly?: string; otherwise?: { title: string; errors: Record<string, string> } }
  /** Saved, and nothing that has an id: the component says by what it is known (`knownAs`). */
  | { withoutId: true }
  | { refused: { title: string; errors: Record<string, string> } }

/** Looks at the destination for items whose write got no definite answer, and reads them as drafts (B2). */
export type Probe = (
  client: Pick<StoreClient, 'get'>,
  /** `parentIds` are destination ids; `keys` are empty where they may not be stored (S9). */
  sought: { keys: string[][]; parentIds: string[] },
) => Promise<Draft[]>

export interface ToCreate {
  draft: Draft
  /** The parent's destination address: an id, or the result of `addressBelow`; '' at the top. */
  parentId: string
  /** The parent as the destination has it. */
  parent: Draft | null
}

/** An item to correct: as desired, as it exists, and which fields to write. */
export interface Correction {
  desired: Draft
  existing: Draft
  fields: string[] | 'all'
}
