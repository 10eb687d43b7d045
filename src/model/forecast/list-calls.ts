/** A resource that the platform does not return as one list: a fixed number of calls, plus some for each item. */
export interface WalkedList {
  once: number
  perItem: number
  /** Calls run in parallel; by default one after another. */
  sideBySide?: true
  /** It is read twice (G2), except for counting. */
  twice?: true
}

/**
 * How often a list is read (G2): `once`; with its `end twice`, if no total marks the end; `again` if it has more than
 * one page, because numbered pages shift; or always `twice`, for both reasons.
 */
export type ListReading = 'once' | 'end twice' | 'again' | 'twice'

/** Calls to read a whole list, and how many of them run one after another. */
export function callsToList(
  items: number,
  perPage: number,
  { walk, reading }: { walk: WalkedList | null; reading: ListReading },
): { calls: number; inTurn: number } {
  if (walk) return callsToWalk(items, walk.twice ? doubled(walk) : walk)
  const once = pages(items, perPage)
  const calls = readings[reading](once)
  return { calls, inTurn: calls }
}

export function callsToWalk(items: number, walk: WalkedList): { calls: number; inTurn: number } {
  const calls = Math.ceil(walk.once + items * walk.perItem)
  return { calls, inTurn: walk.sideBySide ? Math.min(1, calls) : calls }
}

function doubled(walk: WalkedList): WalkedList {
  return { ...walk, once: 2 * walk.once, perItem: 2 * walk.perItem }
}

/** Calls to read a list with this many pages. */
const readings: Record<ListReading, (pages: number) => number> = {
  once: (pages) => pages,
  'end twice': (pages) => pages + 1,
  again: (pages) => (pages > 1 ? 2 * pages : 1),
  twice: (pages) => 2 * pages,
}

/** Even an empty list takes a call. */
export function pages(items: number, perPage: number): number {
  return Math.max(1, Math.ceil(items / perPage))
}

/** The expected number of pages with at least one of the items, if those are scattered. */
export function pagesWithAny(pageCount: number, items: number): number {
  return pageCount < 1 ? 0 : pageCount * (1 - (1 - 1 / pageCount) ** items)
}
