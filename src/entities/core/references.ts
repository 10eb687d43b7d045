import type { LinkTargets } from '../../model/links/link-targets.ts'
import type { PlatformItem } from './draft.ts'
import { imageAddress } from './image-file.ts'

/** Translates source ids into destination ids while drafts are created. */
export interface References {
  /** @throws MissingReference if the destination has no counterpart, because the item cannot be written without it */
  need(component: string, sourceId: unknown): number
  /** Undefined if there is no counterpart: the field is left out with a warning, and stays pending (C4). */
  want(component: string, sourceId: unknown): number | undefined
  /** Undefined if there is no counterpart: the item can be written another way, so nothing is pending. */
  find(component: string, sourceId: unknown): number | undefined
  /** Whether there is a counterpart, for items whose ids are not numbers (theme files). Nothing becomes pending. */
  has(component: string, sourceId: unknown): boolean
  /** Whether a migration created the counterpart, so that all its children are known. Absent: that is not known. */
  isCreated?(component: string, sourceId: unknown): boolean
  /** The same as `want`, for items whose ids are strings (segments). */
  wantText(component: string, sourceId: unknown): string | undefined
  /** The address from which the destination downloads a product's picture. */
  picture(image: PlatformItem): string
  /** The destination's default currency, to which its exchange rates are relative. Absent: items are read as they are. */
  defaultCurrency?: string | undefined
  /** Codes of currencies in which the destination takes payments. Absent: items are read as they are. */
  paidCurrencies?: readonly string[] | undefined
  /** The store hash of the items. Absent: items are read as they are, not prepared for another store. */
  sourceHash?: string
  /** Rewrites links in texts. Absent: links stay as they are, because the items already belong to the destination. */
  links?: LinkReferences
}

/** How to rewrite links in texts, and where to report the result. */
export interface LinkReferences extends LinkTargets {
  report(done: { rewritten: number; unresolved: string[] }): void
}

/** References that keep every id as it is, to read destination items as drafts. */
export const identity: References = {
  need: (_component, id) => Number(id),
  want: (_component, id) => Number(id),
  find: (_component, id) => Number(id),
  has: () => true,
  wantText: (_component, id) => String(id),
  picture: imageAddress,
}

/**
 * The destination does not have something that the item refers to and cannot be written without. Becomes an issue;
 * never ends a run.
 */
export class MissingReference extends Error {
  readonly component: string
  readonly sourceId: string
  /** The copy was deleted at the destination, and must not be created again (G12). */
  readonly erased: boolean

  constructor(component: string, sourceId: string, erased = false) {
    super(`It needs ${component} ${sourceId}, which has no counterpart at the destination.`)
    this.name = 'MissingReference'
    this.component = component
    this.sourceId = sourceId
    this.erased = erased
  }
}
