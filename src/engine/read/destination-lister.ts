import { UnreadableAnswerError } from '../../bigcommerce/errors.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { type ListedItem, saveListed } from '../../db/ledger/destination-items.ts'
import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { isMadeByShoppers } from '../../entities/core/made-by-shoppers.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf, scopeOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { isStorefrontRun, markInScope } from '../scope/partial-run.ts'
import { asStorefrontSees, markStorefrontsInScope, partOfList } from '../scope/storefront-scope.ts'
import { type ListPage, plainPages } from './pages.ts'
import { wholeItems } from './whole-items.ts'

/**
 * Lists the destination once per pass and run, with the largest pages: the keys to match by, and with `compares` all that items
 * are compared by (B6, C2).
 */
export async function listDestination(
  context: RunContext,
  pass: Pass,
  { compares }: { compares: boolean },
): Promise<void> {
  await markStorefrontsInScope(context, pass, (side, reading) => plainPages(context, side, reading))
  const key = `${pass.key}:destination`
  if ((await readCheckpoint(context.database, context.run.id, key)).finished) return
  for (let reads = 1; !(await readList(context, pass, compares)); reads++)
    if (reads === listReads) throw new UnreadableAnswerError(`${pass.destination.path} never gave all its items.`)
  await context.recorder.record((tx) =>
    writeCheckpoint(tx, context.run.id, key, { position: '', pages: 0, finished: true }),
  )
}

/** Readings of a list that gives fewer items than it counts. What it leaves out would be created again, or taken for deleted. */
const listReads = 3

/** @returns whether it gave as many items as it counts, and one at least where it is never empty */
async function readList(context: RunContext, pass: Pass, compares: boolean): Promise<boolean> {
  let last: ListPage = { items: [], total: null, read: 0 }
  const reading = await partOfList(context, 'destination', pass, comparedReading(pass, compares))
  for await (const page of reading ? plainPages(context, 'destination', reading) : []) {
    last = page
    // Only a comparison field by field needs the details.
    const whole = compares && pass.destination.complete
    const found = whole ? await wholeItems(context, 'destination', pass, page.items) : page.items
    const items = await asStorefrontSees(context, 'destination', pass, found)
    await markListedInScope(context, pass, items)
    const listed = items.map((item) => listedItem(context, pass, item, compares))
    await context.recorder.record((tx) => saveListed(tx, context.run.id, pass.root, listed))
  }
  return last.read >= Math.max(last.total ?? 0, pass.destination.neverEmpty ? 1 : 0)
}

/** All that a storefront has is in scope of a storefront run, whether it is a copy or not (D3). */
async function markListedInScope(context: RunContext, pass: Pass, items: PlatformItem[]): Promise<void> {
  if (!isStorefrontRun(context) || scopeOf(pass.root) !== 'storefront') return
  const inScope = items.map((item) => ({ component: pass.root, id: String(item[pass.destination.idField]) }))
  await markInScope(context, 'destination', inScope)
}

/** How the destination is read: with all that it is compared by, or with the keys alone. */
export function comparedReading({ destination }: Pass, compares: boolean): Reading {
  return compares ? { ...destination, ...destination.compared } : destination
}

export function listedItem(context: RunContext, pass: Pass, item: PlatformItem, compares: boolean): ListedItem {
  const { protection } = context
  const draft = pass.drafts(item, identity)
  const body: ListedBody = { item: protection.item(draft), parentId: draft.parentId ?? undefined }
  if (pass.protects?.(item)) body.spared = true
  if (isMadeByShoppers(componentOf(pass.root), item)) body.byShoppers = true
  if (Object.keys(draft.outside).length > 0) body.outside = draft.outside
  if (compares && pass.parentOf) body.above = pass.parentOf(item) ?? undefined
  if (compares) body.checksum = protection.checksum(draft)
  if (compares && pass.destination.complete) body.compare = protection.compare(draft.component, draft.compare)
  // Kept whole where it may be deleted and is not read again before (D6).
  if (compares && context.run.conflictStrategy === 'replace' && !pass.byIds)
    body.image = protection.image(draft.component, draft.id, item)
  return { destinationId: draft.id, keys: protection.keys(draft), body }
}

/** What is saved of a listed item. Children are compared by the checksum only. */
export interface ListedBody {
  item: { name: string | null; sku: string | null; path: string | null }
  /** Destination id of the item of another pass that it belongs to. */
  parentId?: string | undefined
  /** Destination id of its parent in a hierarchy. */
  above?: string | undefined
  /** Never deleted. */
  spared?: true
  /** Shoppers made it: deleted only on request (G3). */
  byShoppers?: true
  /** Members of its sets that belong to other storefronts, for items that are not read again before they are written (D3). */
  outside?: Record<string, unknown[]>
  image?: BeforeImage
  checksum?: string
  /** Every field, if the list shows the whole item. */
  compare?: PlatformItem
}
