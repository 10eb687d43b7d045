import type { LinkTargets } from '../../model/links/link-targets.ts'
import type { PlatformItem } from './draft.ts'
import { imageAddress } from './image-file.ts'

/** Translates ids of the source into ids of the destination while drafts are made. */
export interface References {
  /** @throws MissingReference when the destination has no counterpart: the item cannot be written without it. */
  need(component: string, sourceId: unknown): number
  /** Undefined without a counterpart: the field is left out, with a warning, and stays pending (C4). */
  want(component: string, sourceId: unknown): number | undefined
  /** Undefined without a counterpart: the item can be written in another way, and nothing is pending. */
  find(component: string, sourceId: unknown): number | undefined
  /** Whether it has a counterpart, for items whose ids are no numbers (files of themes). Nothing is pending without. */
  has(component: string, sourceId: unknown): boolean
  /** Like `want`, for items whose ids are texts (segments). */
  wantText(component: string, sourceId: unknown): string | undefined
  /** The address from which the destination fetches a product's picture. */
  picture(image: PlatformItem): string
  /** Hash of the store the items come from. Absent: the items are read as they are, not to be written to another store. */
  sourceHash?: string
  /** Rewrites links in texts. Absent: links stay as they are, because the items are the destination's own. */
  links?: LinkReferences
}

/** What links in texts become, and where the outcome is reported. */
export interface LinkReferences extends LinkTargets {
  report(done: { rewritten: number; unresolved: string[] }): void
}

/** References that leave every id as it is, for reading the destination as drafts. */
export const identity: References = {
  need: (_component, id) => Number(id),
  want: (_component, id) => Number(id),
  find: (_component, id) => Number(id),
  has: () => true,
  wantText: (_component, id) => String(id),
  picture: imageAddress,
}

/** The item cannot be written without something the destination lacks. Becomes an issue; never ends a run. */
export class MissingReference extends Error {
  readonly component: string
  readonly sourceId: string
  /** Its copy was deleted at the destination and is not created again (G12). */
  readonly erased: boolean

  constructor(component: string, sourceId: string, erased = false) {
    super(`It needs ${component} ${sourceId}, which has no counterpart at the destination.`)
    this.name = 'MissingReference'
    this.component = component
    this.sourceId = sourceId
    this.erased = erased
  }
}
