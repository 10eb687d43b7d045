import type { LinkedStorefront } from '../../model/links/link-targets.ts'

/** JSON as the platform sent it. Fields we do not know pass through unchanged. */
export type PlatformItem = Record<string, unknown>

/** A source item in the form in which it would be written, with its children. */
export interface Draft {
  component: string
  /** Its id in the store it was read from. */
  id: string
  /** What is sent. */
  body: PlatformItem
  /** What is compared. The same as `body`, unless the platform rewrites fields (image addresses). */
  compare: PlatformItem
  /** Natural keys, strongest first. Empty: the platform enforces none, so a fingerprint identifies it. */
  keys: string[]
  name: string | null
  sku: string | null
  /** Where a person finds it, such as its web address below the shop. */
  path: string | null
  /** The storefront of the source whose page it is. Absent: it may be on any. */
  storefront?: LinkedStorefront
  /** Destination id of the parent, if that is not the draft above (the product of a metafield). */
  parentId: string | null
  /** Sent and recorded within the parent's create call (E2). */
  inline: boolean
  /** The address of a smaller picture, for a destination that cannot download the one in the body. */
  reducedPicture?: string
  /** Why the platform cannot create this item. If it does not exist yet, it is left out with a warning. */
  uncreatable: string | null
  /**
   * The call and the HTTP status with which its store refused to return the content. Such an item is neither compared
   * nor written; `uncreatable` has the full message.
   */
  unread?: string
  /** The part that the platform does not let us set. Reported when the item is created. */
  withheld: string | null
  /** Why its copy keeps a value of its own, which the platform does not let us set there. Reported when it is compared. */
  kept?: string
  /** What a person can do about what is left out, withheld or kept. Absent: what can be done about anything not copied. */
  remedy?: string
  /** Members of its sets that belong to other storefronts. Every write keeps them (D3). */
  outside: Record<string, unknown[]>
  /**
   * Written to a new item once everything else is done, unless something it refers to is missing (D5). Null: nothing.
   */
  deferred: PlatformItem | null
  children: Draft[]
}

/** Whether nothing of the item can be written, so there is nothing to compare its copy with. */
export function isLeftOut({ uncreatable, body }: Draft): boolean {
  return uncreatable !== null && Object.keys(body).length === 0
}

/** Why an item is left out, and what a person can do about it. */
export type LeftOut = { uncreatable: string } & Pick<Draft, 'remedy'>

/**
 * The field in which the engine keeps the members of an item's sets that belong to other storefronts. The platform has
 * no such field.
 */
export const outsideField = 'outside the pair'

export function outsideOf(item: PlatformItem): Record<string, unknown[]> {
  // Only the engine writes this field, and always in this shape.
  return (item[outsideField] ?? {}) as Record<string, unknown[]>
}

/** Makes a draft; `compare` defaults to the body. */
export function draft(
  component: string,
  id: unknown,
  body: PlatformItem,
  more: Partial<Omit<Draft, 'component' | 'id' | 'body'>> = {},
): Draft {
  return {
    component,
    id: String(id),
    body,
    compare: body,
    keys: [],
    name: null,
    sku: null,
    path: null,
    parentId: null,
    inline: false,
    uncreatable: null,
    withheld: null,
    outside: {},
    deferred: null,
    children: [],
    ...more,
  }
}
