import type { LinkTargets } from '../../model/links/link-targets.ts'
import type { PlatformItem } from './draft.ts'
import { imageAddress } from './image-file.ts'

/** Translates source ids into destination ids while drafts are made. */
export interface References {
  /** @throws MissingReference if the destination has no counterpart: the item cannot be written without it. */
  need(component: string, sourceId: unknown): number
  /** Undefined without a counterpart: the field is left out, with a warning, and stays pending (C4). */
  want(component: string, sourceId: unknown): number | undefined
  /** Undefined without a counterpart: the item can be written in another way, and nothing is pending. */
  find(component: string, sourceId: unknown): number | undefined
  /** Whether it has a counterpart, for items whose ids are not numbers (theme files). Nothing becomes pending. */
  has(component: string, sourceId: unknown): boolean
  /** Like `want`, for items whose ids are strings (segments). */
  wantText(component: string, sourceId: unknown): string | undefined
  /** The address from which the destination fetches a product's picture. */
  picture(image: PlatformItem): string
  /** Hash of the items' store. Absent: the items are read as they are, not to be written to another store. */
  sourceHash?: string
  /** Rewrites links in texts. Absent: links stay as they are, because the items belong to the destination. */
  links?: LinkReferences
}

/** How links in texts are rewritten, and where the result is reported. */
export interface LinkReferences extends LinkTargets {
  report(done: { rewritten: number; unresolved: string[] }): void
}

/** References that leave every id as it is, to read the destination as drafts. */
export const identity: References = {
  need: (_component, id) => Number(id),
  want: (_component, id) => Number(id),
  find: (_component, id) => Number(id),
  has: () => true,
  wantText: (_component, id) => String(id),
  picture: imageAddress,
}

/**
 * The item refers to something that the destination does not have and cannot be written without it. Becomes an issue;
 * never ends a run.
 */
export class MissingReference extends Error {
  readonly component: string
  readonly sourceId: string
  /** The copy was deleted at the destination and is not created again (G12). */
  readonly erased: boolean

  constructor(component: string, sourceId: string, erased = false) {
    super(`It needs ${component} ${sourceId}, which has no counterpart at the destination.`)
    this.name = 'MissingReference'
    this.component = component
    this.sourceId = sourceId
    this.erased = erased
  }
}
