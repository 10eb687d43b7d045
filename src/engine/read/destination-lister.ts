import { UnreadableAnswerError } from '../../bigcommerce/errors.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { type ListedItem, saveListed } from '../../db/ledger/destination-items.ts'
import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { isMadeByShoppers } from '../../entities/core/made-by-shoppers.ts'
import { detailsOf, type Pass } from '../../entities/core/pass.ts'
import { pagingOf, type Reading } from '../../entities/core/reading.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf, scopeOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { everyDraft } from '../core/pairing.ts'
import { isStorefrontRun, markInScope } from '../scope/partial-run.ts'
import { sharedCopies } from '../scope/shared-copies.ts'
import { asStorefrontSees, isOnOthersOnly, markStorefrontsInScope, partOfList } from '../scope/storefront-scope.ts'
import { noteNamed } from './named-items.ts'
import { type ListPage, plainPages } from './pages.ts'
import { itemsOfPass } from './whole-items.ts'

/**
 * Lists the destination once per pass and run, in the largest pages: the keys to match by and, with `compares`,
 * everything that items are compared by (B6, C2).
 */
export async function listDestination(
  context: RunContext,
  pass: Pass,
  { compares, onIncomplete }: ListingOptions,
): Promise<void> {
  await markStorefrontsInScope(context, pass, (side, reading) => plainPages(context, side, reading))
  const key = listedKey(pass)
  if ((await readCheckpoint(context.database, context.run.id, key)).finished) return
  const { last, pages, missing, newest } = await readWhole(context, pass, compares)
  if (missing !== null) await onIncomplete(missing)
  const end = { position: String(newest), pages, finished: true }
  // Anything may be missing from a list that is known to lack items, or that has a full page and no count.
  const isShort =
    missing !== null || (last.total === null && last.read >= fullPage && pagingOf(pass.destination) === 'number')
  const short = { position: String(Number.MAX_SAFE_INTEGER), pages: Math.max(2, pages), finished: true }
  await context.recorder.record((tx) => writeCheckpoint(tx, context.run.id, key, isShort ? short : end))
}

/** Lists the destination once more, for what the first listing may have missed. */
export async function listAgain(context: RunContext, pass: Pass, compares: boolean): Promise<void> {
  await readWhole(context, pass, compares)
}

export interface ListingOptions {
  compares: boolean
  /**
   * Called when the list may lack items: as many as the platform counts but did not show, or an unknown number if 0.
   */
  onIncomplete(missing: number): Promise<void>
}

/**
 * About the listing of a run: how many pages it took, and the greatest id that it can have missed, 0 where ids are not
 * numbers.
 */
export async function listingOf(context: RunContext, pass: Pass): Promise<{ pages: number; newest: number }> {
  const { pages, position } = await readCheckpoint(context.database, context.run.id, listedKey(pass))
  return { pages, newest: Number(position) }
}

function listedKey({ key }: Pass): string {
  return `${key}:destination`
}

/**
 * How often a list is read that shows fewer items than it counts: what it leaves out could be created again, or be
 * taken for deleted.
 */
const listReads = 5

/** The largest page of a list. */
const fullPage = 250

/** @returns how many items may be missing; null if none */
async function readWhole(
  context: RunContext,
  pass: Pass,
  compares: boolean,
): Promise<{ last: ListPage; pages: number; missing: number | null; newest: number }> {
  for (let reads = 1; ; reads++) {
    const { last, pages, changing, newest } = await readList(context, pass, compares)
    const missing = Math.max(0, (last.total ?? 0) - last.read)
    const isEmpty = last.read === 0 && pass.destination.neverEmpty === true
    // A list that changed was already read again, until it was complete or that was given up (G2).
    if (!isEmpty && (missing === 0 || changing)) return { last, pages, newest, missing: changing ? missing : null }
    if (reads < listReads) continue
    if (isEmpty) throw new UnreadableAnswerError(`${pass.destination.path} never gave any item.`)
    return { last, pages, newest, missing }
  }
}

async function readList(
  context: RunContext,
  pass: Pass,
  compares: boolean,
): Promise<{ last: ListPage; pages: number; changing: boolean; newest: number }> {
  let last: ListPage = { items: [], total: null, read: 0 }
  let pages = 0
  let newest = 0
  let changing = false
  const onChanging = () => {
    changing = true
  }
  const reading = await partOfList(context, 'destination', pass, comparedReading(pass, compares))
  for await (const page of reading ? plainPages(context, 'destination', reading, { onChanging }) : []) {
    last = page
    pages++
    newest = Math.max(newest, ...page.items.map((item) => Number(item[pass.destination.idField]) || 0))
    await noteNamed(context, 'destination', pass, page.items)
    await keepListed(context, pass, page.items, { compares, listed: true })
  }
  return { last, pages, changing, newest }
}

/** Saves destination items as they were read. `listed`: they were read with their whole list, not by id. */
export async function keepListed(
  context: RunContext,
  pass: Pass,
  found: PlatformItem[],
  { compares, listed: inList = false }: { compares: boolean; listed?: boolean },
): Promise<void> {
  const items = await asListed(context, pass, found, { compares, listed: inList })
  await markListedInScope(context, pass, items)
  const listed = items.map((item) => listedItem(context, pass, item, compares))
  await context.recorder.record((tx) => saveListed(tx, context.run.id, pass.root, listed))
}

/**
 * Rows of the destination as they are saved, whether they were listed or read by id: the checksum of an item with its
 * details would differ from that of the same item without.
 */
export async function asListed(
  context: RunContext,
  pass: Pass,
  found: PlatformItem[],
  { compares, listed = false }: { compares: boolean; listed?: boolean },
): Promise<PlatformItem[]> {
  // Only a comparison field by field needs the details.
  return compares && pass.destination.complete
    ? itemsOfPass(context, 'destination', pass, found, { listed })
    : asStorefrontSees(context, 'destination', pass, found, { byId: !listed })
}

/** Everything on its storefront is in scope of a storefront run, unless others have been copied to it (D3). */
async function markListedInScope(context: RunContext, pass: Pass, items: PlatformItem[]): Promise<void> {
  const { root: component } = pass
  if (!isStorefrontRun(context) || scopeOf(component) !== 'storefront') return
  const ids = items.map((item) => String(item[pass.destination.idField]))
  const others = await sharedCopies(context, component, ids)
  const inScope = ids.filter((id) => !others.has(id))
  await markInScope(
    context,
    'destination',
    inScope.map((id) => ({ component, id })),
  )
}

/** How the destination is read: with everything that items are compared by, or with their keys alone. */
export function comparedReading({ destination }: Pass, compares: boolean): Reading {
  return compares ? { ...destination, ...destination.compared } : destination
}

export function listedItem(context: RunContext, pass: Pass, item: PlatformItem, compares: boolean): ListedItem {
  const { protection } = context
  const draft = pass.drafts(item, identity)
  const body: ListedBody = { item: protection.item(draft), parentId: draft.parentId ?? undefined }
  if (pass.protects?.(item) || draft.unread) body.spared = true
  if (draft.unread) body.unread = draft.unread
  if (isMadeByShoppers(componentOf(pass.root), item)) body.byShoppers = true
  if (componentOf(pass.root).hiddenFromOthers?.(item)) body.hiddenFromOthers = true
  if (Object.values(draft.outside).some((members) => members.length > 0)) body.outside = draft.outside
  if (isOnOthersOnly(pass, item)) body.elsewhere = true
  if ((componentOf(pass.root).sideEffects?.level?.(draft)?.quantity ?? 0) > 0) body.inStock = true
  if (compares && pass.parentOf) body.above = pass.parentOf(item) ?? undefined
  if (compares || showsAll(context, pass)) body.checksum = protection.checksum(draft)
  if (compares && pass.destination.complete) body.compare = protection.compare(draft.component, draft.compare)
  // Kept whole where it may be deleted without being read again first (D6).
  const replaces = compares && context.run.conflictStrategy === 'replace'
  if (replaces && !pass.byIds) body.image = protection.image(draft.component, draft.id, item, draft)
  if (replaces && draft.children.length > 0) body.children = childrenOf(draft)
  return { destinationId: draft.id, keys: protection.keys(draft), body }
}

/**
 * Whether a list that is read for its keys also shows everything that items are compared by, so that comparing them
 * costs no call (G13).
 */
function showsAll({ run }: RunContext, pass: Pass): boolean {
  const { complete, compared } = pass.destination
  return complete && compared === undefined && detailsOf(pass, run).length === 0
}

/** Counts its children by component. */
function childrenOf(draft: Draft): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { component } of [...everyDraft(draft)].slice(1)) counts[component] = (counts[component] ?? 0) + 1
  return counts
}

/** What is saved of a listed item. Children are compared by the checksum only. */
export interface ListedBody {
  item: { name: string | null; sku: string | null; path: string | null }
  /** Destination id of its parent, an item of another pass. */
  parentId?: string | undefined
  /** Destination id of its parent in a hierarchy. */
  above?: string | undefined
  /** Never deleted. */
  spared?: true
  /** The call by which the destination did not show its content, with the status. */
  unread?: string
  /** Made by shoppers, so it is deleted only on request (G3). */
  byShoppers?: true
  /** Only the API account that created it sees it (D4). */
  hiddenFromOthers?: true
  /** A level of stock above nothing. */
  inStock?: true
  /**
   * Members of its sets that belong to other storefronts, for items that are not read again before they are written
   * (D3).
   */
  outside?: Record<string, unknown[]>
  /** Only other storefronts have it. */
  elsewhere?: true
  image?: BeforeImage
  /** How many children of each component the list shows; the limits on deletions are shares of their sum (G3). */
  children?: Record<string, number>
  checksum?: string
  /** Every field, if the list shows the whole item. */
  compare?: PlatformItem
}
