import { callsToList, callsToWalk, type ListReading, pages, pagesWithAny, type WalkedList } from './list-calls.ts'
import type { Scope } from './scope.ts'

/** Children of a kind that one item of a pass has on average, and what creating them costs. */
export interface ChildCalls {
  component: string
  /** Mean number per item; 1 for the item itself. */
  perItem: number
  /** Mean number of calls per item: a fraction if batched, 0 if another call contains it (E2). */
  calls: number
  heavy: boolean
  /** Existing children are read before it is created (B3). */
  looksFirst: boolean
}

/** What is known of one pass before a run: counts from the stores, and means over a sample of items. */
export interface PassShape {
  phase: string
  key: string
  /** Component of its items. */
  root: string
  /** Only looked up, because a phase in scope refers to it (C4). */
  adoptOnly: boolean
  /** Items in the source's list, and those with content for the pass. */
  items: number
  held: number
  /** `items` and `held` are estimates: a usual number, or a share of a sample or of owners. Absent: they are counts. */
  guessed?: true
  /** Existing items, by the destination's list. */
  standing: number
  /** Source items with a copy from an earlier run, and copies that are still incomplete. */
  mapped: number
  owing: number
  /** Further source items with a key match. */
  adopted: number
  /** Mapped items edited in either store since the last run over the pair, anywhere in the list. */
  changed: number
  /** Mapped items without recorded checksums: adopted ones, which are next to each other in the list. */
  unsealed: number
  /** Further mapped items that `replace` reads because they may have extra children (G17); absent: none. */
  withExtra?: number
  /**
   * Largest page of the source, of the destination's keys, of its compared fields, and by ids; null without such a
   * read.
   */
  sourcePage: number
  listPage: number
  comparedPage: number
  byIdsPage: number | null
  /** Copies looked up in one call if the list does not show them; null if the list is read again instead (G1). */
  lookUpPage: number | null
  /** How a list without paging is read; null for paged lists. */
  sourceWalk: WalkedList | null
  listWalk: WalkedList | null
  /** How the paged lists of the source and of the destination are read. */
  sourceReading: ListReading
  listReading: ListReading
  /** An item missing from a list of several pages is looked up by its key before it is created (G1). */
  looksUpByKey: boolean
  /** Items come into being with those of another pass: if all of those are new, the destination's list is not read. */
  setOnNew?: true
  /** Each of another pass has a list of them, which is not read while all of those are new; but `replace` reads it. */
  listedByOwner?: true
  /** Existing items are never changed, whatever the strategy: orders. */
  createOnly: boolean
  /** The source is not read, because none of it is in scope. */
  unread: boolean
  /** The list shows all compared fields. */
  complete: boolean
  /** The source is read in full before the first item is planned. */
  staged: boolean
  /** Levels of a hierarchy, which are written one after another. */
  levels: number
  /** How many lists are read separately for each item. */
  detailReads: number
  /** The calls that create an item, itself included. */
  creation: readonly ChildCalls[]
  /** Items per updating call. */
  updateBatch: number
  /** Share of items that wait for others in the pass (C5). */
  late: number
  removable: boolean
  /** Calls before the deletion of each item, to check whether it may be deleted; absent: none. */
  removalLooks?: number
  /**
   * Calls to the source before the deletion of each item, to look for one with its key; null if its list is read in full
   * instead, for all that are deleted together (G4). Absent: none.
   */
  sourceLooks?: number | null
}

/** The calls of one pass, by what they wait for. */
export interface PassWork {
  phase: string
  adoptOnly: boolean
  /** Pages of the destination, one after another, before anything else; then fields that pages do not contain. */
  listing: number
  listingDetails: number
  /** Pages of the source, one after another, before anything is planned. */
  staging: number
  /** Planned pages; each is read first unless it was staged. */
  pages: number
  pageReads: number
  sourceDetails: number
  /** Reads of the destination on which the next page waits. */
  examining: number
  examiningDetails: number
  /** Written items, and their reads and writes. */
  roots: number
  itemReads: number
  writes: number
  heavyWrites: number
  levels: number
  /** What follows the last item: items that waited for others, checksums, deletions. */
  lateReads: number
  lateWrites: number
  recordingChecksums: number
  deletions: number
  deletionReads: number
  deletionSourceReads: number
}

/** The shape of a pass with only a share of its items in scope. */
export function partOf(shape: PassShape, share: number): PassShape {
  const { items, held, mapped, owing, adopted, changed, unsealed, withExtra = 0 } = shape
  const numbers = { items: Math.round(items * share), held: held * share, adopted: adopted * share }
  const known = { mapped: mapped * share, owing: owing * share, changed: changed * share, unsealed: unsealed * share }
  return { ...shape, ...numbers, ...known, withExtra: withExtra * share }
}

const nothing: Omit<PassWork, 'phase' | 'adoptOnly'> = {
  listing: 0,
  listingDetails: 0,
  staging: 0,
  pages: 0,
  pageReads: 0,
  sourceDetails: 0,
  examining: 0,
  examiningDetails: 0,
  roots: 0,
  itemReads: 0,
  writes: 0,
  heavyWrites: 0,
  levels: 1,
  lateReads: 0,
  lateWrites: 0,
  recordingChecksums: 0,
  deletions: 0,
  deletionReads: 0,
  deletionSourceReads: 0,
}

/** The calls of a pass, in the run's mode and with its strategy. */
export function workOf(
  shape: PassShape,
  { mode, strategy: chosenStrategy }: Pick<Scope, 'mode' | 'strategy'>,
): PassWork {
  const strategy = strategyFor(shape, chosenStrategy)
  const own = { ...nothing, phase: shape.phase, adoptOnly: shape.adoptOnly }
  if (mode === 'counts') return { ...own, pageReads: callsToCount(shape) }
  if (shape.adoptOnly) return { ...own, ...reading(shape), ...listingOf(shape, { compares: false }) }
  if (mode === 'verify') return { ...own, ...reading(shape), ...comparing(shape) }
  const work = { ...own, ...reading(shape), ...copying(shape, strategy, likelyFate(shape, strategy)) }
  // A dry run creates none, so it always reads the list.
  if (mode === 'dry-run') return withoutWrites({ ...work, ...listingOf(shape, { compares: compares(strategy) }) })
  return work
}

export function strategyFor({ createOnly }: PassShape, strategy: Scope['strategy']): Scope['strategy'] {
  return createOnly && compares(strategy) ? 'skip' : strategy
}

/** Items scattered over the source's list, and items next to each other in it. */
interface Spread {
  anywhere: number
  together: number
}

/** The outcome of the items of a pass. */
export interface Fate {
  created: number
  /** Existing items that are compared in full. */
  examined: Spread
  /** Incomplete copies. */
  continued: number
  /** Calls that correct or complete existing items. */
  corrections: number
  /** Destination-only items that are deleted. */
  gone: number
}

/** The calls of a pass whose outcome is known from a plan. */
export function planWork(shape: PassShape, chosenStrategy: Scope['strategy'], fate: Fate): PassWork {
  const strategy = strategyFor(shape, chosenStrategy)
  if (shape.adoptOnly) return workOf(shape, { mode: 'full', strategy })
  const own = { ...nothing, phase: shape.phase, adoptOnly: shape.adoptOnly }
  return { ...own, ...reading(shape), ...copying(shape, strategy, fate) }
}

/** A paged list states its length; any other has to be read. */
function callsToCount({ adoptOnly, unread, items, sourceWalk }: PassShape): number {
  if (adoptOnly || unread) return 0
  return sourceWalk ? callsToWalk(items, sourceWalk).calls : 1
}

/** Reading the destination's list, with all compared fields or with the keys only. */
function listingOf(shape: PassShape, { compares: whole }: { compares: boolean }): Partial<PassWork> {
  const { standing, listWalk: walk, listReading, comparedPage, listPage, complete, detailReads } = shape
  const details = whole && complete ? standing * detailReads : 0
  const { calls, inTurn } = callsToList(standing, whole ? comparedPage : listPage, { walk, reading: listReading })
  return { listing: inTurn, listingDetails: details + calls - inTurn }
}

/** Staged items are planned level by level, this many at a time. */
const stagedAtOnce = 100

function reading(shape: PassShape): Partial<PassWork> {
  if (shape.unread) return {}
  const { calls, inTurn: read } = sourceCalls(shape)
  const sourceDetails = shape.items * shape.detailReads + calls - read
  if (shape.staged)
    return { staging: read, pages: Math.max(shape.levels, pages(shape.items, stagedAtOnce)), sourceDetails }
  return { pages: pages(shape.items, shape.sourcePage), pageReads: read, sourceDetails }
}

function sourceCalls({ items, sourcePage, sourceWalk: walk, sourceReading: reading }: PassShape) {
  return callsToList(items, sourcePage, { walk, reading })
}

/** Every item of the source is looked up at the destination, page by page. */
function comparing(shape: PassShape): Partial<PassWork> {
  const { standing, held, complete, byIdsPage, lookUpPage, detailReads, changed, unsealed, adopted } = shape
  const there = Math.min(held, standing)
  // Differences are confirmed by a second read of both sides (F1). Items never found equal are the likeliest to differ.
  const asked = lookUpPage === null ? 0 : Math.ceil(changed / lookUpPage)
  const again = byIdsPage === null ? asked : pagesHolding(shape, { anywhere: changed, together: unsealed + adopted })
  return {
    pageReads: (shape.staged ? 0 : sourceCalls(shape).calls) + again,
    ...listingOf(shape, { compares: complete }),
    examining: (byIdsPage === null ? 0 : Math.ceil(there / byIdsPage)) + again,
    examiningDetails: byIdsPage === null ? 0 : there * detailReads,
  }
}

/** Whether a run compares existing items beyond their keys. */
export function compares(strategy: Scope['strategy']): boolean {
  return strategy === 'update' || strategy === 'replace'
}

/** The likely outcome of the items under a strategy. */
export function likelyFate(shape: PassShape, strategy: Scope['strategy']): Fate {
  // Without a strategy, the destination counts as empty.
  // A copy that the destination no longer lists is created again (C2).
  const known = strategy === undefined ? 0 : Math.min(shape.held, shape.mapped, shape.standing)
  const adopted = strategy === undefined ? 0 : Math.min(shape.held - known, shape.adopted)
  const anywhere = compares(strategy) ? Math.min(known, shape.changed) : 0
  const unsure = shape.unsealed + (strategy === 'replace' ? (shape.withExtra ?? 0) : 0)
  const together = compares(strategy) ? Math.min(known - anywhere, unsure) + adopted : 0
  const continued = Math.min(known, shape.owing)
  // If there are more copies than items, some have lost their source item.
  const copies = Math.min(shape.mapped, shape.items)
  const extra = shape.removable && shape.items > 0 ? Math.max(0, shape.standing - copies - adopted) : 0
  return {
    created: shape.held - known - adopted,
    examined: { anywhere, together },
    continued,
    corrections: callsToCorrect(anywhere + together + continued, shape),
    gone: strategy === 'replace' ? extra : 0,
  }
}

function copying(shape: PassShape, strategy: Scope['strategy'], fate: Fate): Partial<PassWork> {
  const { created, examined, continued, corrections, gone } = fate
  const examining = examinations(shape, examined)
  const written = created + examined.anywhere + examined.together + continued
  const mayListNone = shape.setOnNew || (shape.listedByOwner && strategy !== 'replace')
  const listsNone = mayListNone && shape.standing === 0 && shape.mapped === 0
  return {
    ...(listsNone ? {} : listingOf(shape, { compares: compares(strategy) })),
    ...examining,
    examining: (examining.examining ?? 0) + callsToAsk(shape, strategy) + callsToFind(shape, created),
    ...creations(shape, created, corrections),
    roots: written,
    levels: created > 0 ? shape.levels : 1,
    ...lateOnes(shape, created),
    recordingChecksums: shape.byIdsPage === null || written === 0 ? 0 : pages(written, shape.comparedPage),
    deletions: gone,
    deletionReads:
      // Read again right before the deletion; `removalLooks` are made twice.
      (shape.byIdsPage === null ? 0 : Math.ceil(gone / shape.byIdsPage)) +
      Math.ceil(gone / 50) +
      2 * gone * (shape.removalLooks ?? 0),
    deletionSourceReads: looksInSource(shape, gone),
  }
}

function looksInSource({ sourceLooks = 0, items, listPage }: PassShape, gone: number): number {
  return sourceLooks === null ? Math.ceil(gone / 1000) * pages(items, listPage) : gone * sourceLooks
}

/** Copies that the list does not show are looked up, page by page of the source, before they count as deleted (G1). */
function callsToAsk(shape: PassShape, strategy: Scope['strategy']): number {
  const { held, mapped, standing, lookUpPage, sourcePage, staged } = shape
  const gone = strategy === undefined ? 0 : Math.max(0, Math.min(held, mapped) - standing)
  if (gone === 0) return 0
  const planned = pages(held, staged ? stagedAtOnce : sourcePage)
  if (lookUpPage !== null) return Math.max(Math.ceil(gone / lookUpPage), Math.round(pagesWithAny(planned, gone)))
  const { listing = 0, listingDetails = 0 } = listingOf(shape, { compares: compares(strategy) })
  return listing + listingDetails
}

function callsToFind({ looksUpByKey, standing, listPage }: PassShape, created: number): number {
  return looksUpByKey && standing > listPage ? Math.ceil(created) : 0
}

/** Items to compare in full are read by id, page by page. */
function examinations(shape: PassShape, spread: Spread): Partial<PassWork> {
  const examined = spread.anywhere + spread.together
  if (shape.byIdsPage === null || examined === 0) return {}
  return {
    examining: Math.max(Math.ceil(examined / shape.byIdsPage), pagesHolding(shape, spread)),
    examiningDetails: examined * shape.detailReads,
  }
}

/** Pages of the source with at least one of the items. */
function pagesHolding({ held, sourcePage }: PassShape, { anywhere, together }: Spread): number {
  const all = pages(held, sourcePage)
  const full = Math.min(all, Math.ceil(together / sourcePage))
  const elsewhere = anywhere * ((all - full) / all)
  return full + Math.round(pagesWithAny(all - full, Math.min(held, elsewhere)))
}

/** One update call per batch. Which items really differ is only known once they are read. Our choice. */
function callsToCorrect(items: number, { updateBatch }: PassShape): number {
  return Math.ceil(items / updateBatch)
}

function creations(shape: PassShape, created: number, corrections: number): Partial<PassWork> {
  let writes = corrections
  let heavyWrites = 0
  let itemReads = 0
  for (const { calls, heavy, looksFirst } of shape.creation) {
    // Floating-point sums are slightly off.
    const needed = Math.ceil(created * calls - 1e-6)
    if (heavy) heavyWrites += needed
    else writes += needed
    if (looksFirst) itemReads += needed
  }
  // The last batch of each level is not full.
  if (created > 0 && shape.levels > 1) writes += Math.round((shape.levels - 1) / 2)
  return { writes, heavyWrites, itemReads }
}

function lateOnes(shape: PassShape, created: number): Partial<PassWork> {
  const late = Math.round(created * shape.late)
  return {
    lateWrites: callsToCorrect(late, shape),
    lateReads: Math.ceil(late / (shape.byIdsPage ?? shape.sourcePage)),
  }
}

function withoutWrites(work: PassWork): PassWork {
  const {
    writes: _w,
    heavyWrites: _h,
    itemReads: _i,
    lateReads: _r,
    lateWrites: _l,
    recordingChecksums: _s,
    ...rest
  } = work
  return {
    ...rest,
    writes: 0,
    heavyWrites: 0,
    itemReads: 0,
    lateReads: 0,
    lateWrites: 0,
    recordingChecksums: 0,
    roots: 0,
    deletions: 0,
    deletionReads: 0,
    deletionSourceReads: 0,
  }
}
