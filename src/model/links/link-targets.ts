/** What links of a shop name by id. */
export type LinkedKind = 'product' | 'category' | 'brand' | 'page'

/** An address of the source's shop, and what takes its place. */
export interface AddressMove {
  /** In lower case, with a port that is not the usual one. */
  host: string
  /** Below which its shop is: '' for all of the host, else without a slash at its end. */
  path: string
  /** Address of the destination, without a slash at its end; null when that storefront has no counterpart. */
  to: string | null
}

/** What texts of the source have to say at the destination. Asked of a pair of stores, so that rewriting stays pure. */
export interface LinkTargets {
  moves: readonly AddressMove[]
  /** Undefined when the destination has no counterpart of it (yet). */
  id(kind: LinkedKind, sourceId: string): string | undefined
  /** Where a page is whose path is another one at the destination; undefined when it is the same. */
  path(sourcePath: string): string | undefined
}

export interface Rewriting {
  text: string
  /** Addresses and ids that were changed. */
  rewritten: number
  /** Addresses and ids that mean the source's shop or something of it, and that could not be changed. */
  unresolved: string[]
}

/** A part of a text to replace. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** What is to become of one address or id. */
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

/** The same change of a part that begins further on. */
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
