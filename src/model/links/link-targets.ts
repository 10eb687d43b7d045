/** Kinds of items whose ids appear in links. */
export type LinkedKind = 'product' | 'category' | 'brand' | 'page'

/** An address of the source's shop, and its replacement. */
export interface AddressMove {
  /** In lower case, with the port unless it is the default. */
  host: string
  /** Path prefix of the shop, without a trailing slash; '' for the whole host. */
  path: string
  /** Address at the destination, without a trailing slash; null when the storefront has no counterpart. */
  to: string | null
}

/** The targets of links, read from a pair of stores, so that rewriting itself is pure. */
export interface LinkTargets {
  moves: readonly AddressMove[]
  /** Undefined while the destination has no copy. */
  id(kind: LinkedKind, sourceId: string): string | undefined
  /** New path of a page whose path differs at the destination; otherwise undefined. */
  path(sourcePath: string): string | undefined
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
