/** Kinds of items whose ids appear in links. */
export type LinkedKind = 'product' | 'category' | 'brand' | 'page'

/** A storefront of the source, by its channel; by its category tree, where only that is known. */
export type LinkedStorefront = `channel:${number}` | `tree:${number}`

/**
 * The page that a link on a storefront leads to: that storefront's own, else one that may be on it. Whether a tree and a
 * channel are the same storefront is not known, nor where a text of the whole store is shown.
 */
export function pageOn<Page extends { storefront: string | null }>(
  pages: readonly Page[],
  storefront: LinkedStorefront | undefined,
): Page | undefined {
  const kindOf = (one: string) => one.slice(0, one.indexOf(':'))
  const isElsewhere = (other: string) =>
    storefront !== undefined && other !== storefront && kindOf(other) === kindOf(storefront)
  const possible = pages.filter((page) => page.storefront === null || !isElsewhere(page.storefront))
  return possible.find((page) => page.storefront === storefront) ?? possible[0]
}

/** An address of the source's shop, and its replacement. */
export interface AddressMove {
  /** In lower case, with the port unless it is the default. */
  host: string
  /** Path prefix of the shop, without a trailing slash; '' for the whole host. */
  path: string
  /** Address at the destination, without a trailing slash; null when the storefront has no counterpart. */
  to: string | null
  /** The storefront that the address shows; absent if none (files). */
  storefront?: LinkedStorefront
}

/** The targets of links, read from a pair of stores, so that rewriting itself is pure. */
export interface LinkTargets {
  moves: readonly AddressMove[]
  /** Undefined while the destination has no copy. */
  id(kind: LinkedKind, sourceId: string): string | undefined
  /**
   * New path of a page whose path differs at the destination; otherwise undefined. `storefront`: where the link leads;
   * absent: to that of the text.
   */
  path(sourcePath: string, storefront?: LinkedStorefront): string | undefined
}

export interface Rewriting {
  text: string
  /** Addresses and ids that were changed. */
  rewritten: number
  /** Addresses and ids of the source's shop that could not be changed. */
  unresolved: string[]
}

/** A part of a text to replace. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** The outcome of one address or id. */
export interface Change {
  edits: Edit[]
  unresolved: string[]
}

export const unchanged: Change = { edits: [], unresolved: [] }

export function withEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** The same change, shifted to a part that begins further on. */
export function movedBy(change: Change, offset: number): Change {
  const edits = change.edits.map(({ start, end, text }) => ({ start: start + offset, end: end + offset, text }))
  return { ...change, edits }
}

export function together(changes: readonly Change[]): Change {
  return {
    edits: changes.flatMap(({ edits }) => edits),
    unresolved: changes.flatMap(({ unresolved }) => unresolved),
  }
}
