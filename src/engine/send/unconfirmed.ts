import { PlatformError } from '../../bigcommerce/errors.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { settleDeletions } from '../../db/ledger/deletions.ts'
import {
  deleteIntents,
  type IntendedItem,
  type Intent,
  leftoverIntents,
  settleIntents,
} from '../../db/ledger/intents.ts'
import { recordPruned } from '../../db/ledger/ledger.ts'
import { claimsOf, saveMappings } from '../../db/ledger/mappings.ts'
import type { NewMapping } from '../../db/ledger/store-pair.ts'
import { saveStartedStock } from '../../db/side-effects/started-stock.ts'
import type { ToCreate } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { pendingChildren, pendingOwnKind } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { warnOfClockSkew } from '../core/clock-skew.ts'
import { identified } from './outcomes.ts'
import { startedWith } from './starting-stock.ts'
import type { SavedDraft } from './writes.ts'

/** The distinct parents of the items, at the destination. */
export function parentsOf(items: ToCreate[]): string[] {
  return [...new Set(items.map((item) => item.draft.parentId ?? item.parentId))]
}

export interface UnconfirmedWrite {
  component: Component
  pass: string
  items: IntendedItem[]
  baseline: string[] | null
  /**
   * Unhashed keys, if this process sent the items. If absent, the stored keys are used, where storing them is allowed
   * (S9).
   */
  keys?: string[][]
}

/**
 * The items that a call without an answer created. Those that are not found will be sent again, so the lookup is
 * repeated: a list may be cut short, and a v2 list does not say how long it is.
 */
export async function findApplied(context: RunContext, write: UnconfirmedWrite): Promise<Found[]> {
  if (write.component.recovery === 'resend') return write.items.map(() => undefined)
  return findTwice(context, write)
}

/** The items that exist although their call was refused. What is sent again as it is need not be looked for. */
export async function findRefused(context: RunContext, write: UnconfirmedWrite): Promise<Found[]> {
  return write.component.recovery === 'resend' ? [] : findWritten(context, write)
}

/** Like `findWritten`, but looks once more if anything was not found. */
export async function findTwice(context: RunContext, write: UnconfirmedWrite): Promise<Found[]> {
  const found = await findWritten(context, write)
  if (!found.includes(undefined) || !write.component.probe) return found
  const again = await findWritten(context, write)
  const count = (all: Found[]) => all.filter((one) => one !== undefined).length
  return count(again) > count(found) ? again : found
}

/** An intended item as it exists at the destination. */
export type Found = SavedDraft | undefined

/**
 * Looks for the intended items at the destination: one entry per item, undefined if it was not found. Items that are
 * mapped or existed before the call cannot be ours. The others are matched one to one, by key or as a multiset of
 * fingerprints (B2).
 */
async function findWritten(context: RunContext, write: UnconfirmedWrite): Promise<Found[]> {
  const { component, items } = write
  if (!component.probe) return items.map(() => undefined)
  const stored = context.protection.open(component.key) ? items.map((item) => item.keys) : []
  const keys = write.keys ?? stored
  const parentIds = [...new Set(items.map((item) => item.parentId))]
  const latest = component.create?.finish ? context.clock.monotonicMs() + lateMs(context) : 0
  for (;;) {
    const existing = await existingBelow(context, component, { keys, parentIds })
    const found = await matchExisting(context, write, existing)
    if (!found.includes(undefined) || context.clock.monotonicMs() >= latest) return found
    await context.clock.sleep(lookAgainMs, context.lease.stop)
  }
}

/** What a component's look-up shows. Nothing exists below a parent that is gone. */
export async function existingBelow(
  context: RunContext,
  component: Component,
  { keys, parentIds }: { keys: string[][]; parentIds: string[] },
): Promise<Draft[]> {
  try {
    return (await component.probe?.(context.destination, { keys, parentIds })) ?? []
  } catch (error) {
    const gone = error instanceof PlatformError && error.httpStatus === 404 ? error.path.split('/') : []
    const others = parentIds.filter((id) => !gone.includes(id))
    if (others.length === parentIds.length) throw error
    return others.length === 0 ? [] : existingBelow(context, component, { keys, parentIds: others })
  }
}

/** Which of these drafts of the destination are the intended items. */
export async function matchExisting(
  context: RunContext,
  { component, items, baseline }: Pick<UnconfirmedWrite, 'component' | 'items' | 'baseline'>,
  existing: Draft[],
): Promise<Found[]> {
  return matchesOf(context, items, await withoutKnown(context, component, existing, baseline))
}

/** How long to wait between two lookups of what the platform has not finished. */
const lookAgainMs = 1000

/** How long the platform may work on an accepted call. Our choice: five minutes with the usual time-out of a minute. */
function lateMs({ waits }: RunContext): number {
  return 5 * waits.requestTimeoutMs
}

async function withoutKnown(
  context: RunContext,
  component: Component,
  existing: Draft[],
  baseline: string[] | null,
): Promise<Set<SavedDraft>> {
  const scope = context.references.scope(component.key)
  const claimed = await claimsOf(
    context.database,
    context.pair,
    scope,
    component.key,
    existing.map((draft) => draft.id),
  )
  const before = new Set(baseline ?? [])
  const free = existing.filter((draft) => !claimed.has(draft.id) && !before.has(draft.id))
  return new Set(free.flatMap((draft) => identified(draft) ?? []))
}

/**
 * Pairs each item with its counterpart, one to one: by key or fingerprint, then by what is left of a key that the
 * platform has rewritten, if only one item is like it (G6).
 */
function matchesOf({ protection }: RunContext, items: IntendedItem[], candidates: Set<SavedDraft>): Found[] {
  const found = items.map((item) => {
    const match = [...candidates].find((candidate) =>
      item.keys.length > 0
        ? protection.keys(candidate)[0] === item.keys[0] && isBelow(item, candidate)
        : protection.fingerprint(candidate) === item.fingerprint,
    )
    if (match) candidates.delete(match)
    return match
  })
  return items.map((item, at) => {
    if (found[at] || item.alike === undefined) return found[at]
    const alike = [...candidates].filter((one) => protection.alike(one) === item.alike && isBelow(item, one))
    const likeIt = items.filter(
      (one, other) => !found[other] && one.alike === item.alike && one.parentId === item.parentId,
    )
    return alike.length === 1 && likeIt.length === 1 ? alike[0] : undefined
  })
}

/** Whether an item that was found is the one we sent, and not one that another client made meanwhile (G5). */
export function isOurs({ protection }: RunContext, { content, fingerprint }: IntendedItem, existing: Draft): boolean {
  if (!content) return protection.fingerprint(existing) === fingerprint
  return protection.content(existing, content.fields).digest === content.digest
}

function isBelow({ parentId }: IntendedItem, existing: Draft): boolean {
  return (existing.parentId ?? parentId) === parentId
}

/**
 * Before this run writes anything, settles all calls to this destination whose outcome is not recorded. They matter
 * whichever run left them, because the store may have applied them (B4).
 */
export async function settleLeftovers(context: RunContext): Promise<number> {
  await warnOfClockSkew(context)
  return settleEach(context, (intent) => settleIntent(context, intent))
}

/**
 * Settles the calls of this run whose items failed because it could not be looked up whether they were applied. Otherwise
 * healing would take what they created for items of the shop, and leave it without its children (B4).
 *
 * @param isRefusal whether a store refused the look-up, which then is left to the next run
 */
export async function settleAbandoned(
  context: RunContext,
  isRefusal: (error: unknown) => Promise<boolean>,
): Promise<void> {
  await settleEach(context, async (intent) => {
    try {
      await settleIntent(context, intent)
    } catch (error) {
      if (!(await isRefusal(error))) throw error
    }
  })
}

/** @returns how many calls there were */
async function settleEach(context: RunContext, settle: (intent: Intent) => Promise<void>): Promise<number> {
  const { clock, lease, waits } = context
  const intents = await leftoverIntents(context.database, context.pair)
  const readAtMs = clock.monotonicMs()
  for (const intent of intents) {
    const untilMs = readAtMs + (intent.waitMs ?? waits.requestTimeoutMs + waits.settleMs)
    await clock.sleep(untilMs - clock.monotonicMs(), lease.stop)
    await settle(intent)
  }
  return intents.length
}

async function settleIntent(context: RunContext, intent: Intent): Promise<void> {
  if (intent.action === 'delete' && intent.runId === context.run.id) return settleDeletion(context, intent)
  const component = componentOf(intent.component)
  const found = intent.action === 'create' ? await findApplied(context, { ...intent, component }) : []
  const ours = intent.items.flatMap((item, at): FoundCreation[] => {
    const existing = found[at]
    // Another client's item is left to the planner, which finds it by its key.
    if (!existing || !isOurs(context, item, existing)) return []
    const { scope, runId } = intent
    const copy = { scope, runId, component: component.key, sourceId: item.sourceId, destinationId: existing.id }
    return [{ item, existing, mapping: unfinishedCopy(copy) }]
  })
  await context.recorder.record(async (tx) => {
    await saveCreations(context, tx, component, ours)
    await settleIntents(tx, [intent.id], { watched: component.recovery !== 'resend' })
  })
}

/** An item that we created without getting an answer, as it was sent and as it was found. */
export interface FoundCreation {
  item: IntendedItem
  existing: Draft
  mapping: NewMapping
}

/** Saves items as our copies, with the stock that they started with (G11). */
export async function saveCreations(
  context: RunContext,
  tx: InTransaction,
  component: Component,
  found: FoundCreation[],
): Promise<void> {
  const mappings = found.map(({ mapping }) => mapping)
  await saveMappings(tx, context.pair, mappings, { manyToOne: component.shared })
  const started = found.map(({ item, existing }) => ({
    startsWith: item.startsWith,
    existing,
    parentId: item.parentId,
  }))
  await saveStartedStock(tx, context.pair, startedWith(component, started))
}

/**
 * The mapping of an item that we created without getting an answer, so that its children may be missing, and items of its own
 * kind that were created later.
 */
export function unfinishedCopy(
  of: Pick<NewMapping, 'scope' | 'component' | 'sourceId' | 'destinationId' | 'runId'>,
): NewMapping {
  const owed = [pendingOwnKind, pendingChildren]
  return { ...of, origin: 'created', owed, draftChecksum: null, destinationChecksum: null }
}

/**
 * Repeats a deletion of this run and counts it, because the item will not be planned again. A deletion that another run
 * left is dropped: this run decides for itself what to delete.
 */
async function settleDeletion(context: RunContext, intent: Intent): Promise<void> {
  const [first] = intent.items
  const call = first && componentOf(intent.component).remove?.call(asExisting(intent.component, first), first.parentId)
  if (!first || !call) return
  const gone = await context.destination
    .write({ ...call, signal: context.lease.stop, beforeSend: () => context.lease.confirm() })
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof PlatformError) return error.httpStatus === 404
      throw error
    })
  const items = intent.items.flatMap(({ component, sourceId }) =>
    component ? [{ component, destinationId: sourceId }] : [],
  )
  await context.recorder.record(async (tx, tally) => {
    const target = { pass: intent.pass, rootId: first.rootId }
    if (gone) {
      for (const row of await recordPruned(tx, context.run.id, target, items)) tally.add(row.component, 'pruned')
      for (const [component, some] of Map.groupBy(items, (item) => item.component))
        await settleDeletions(
          tx,
          context.run,
          component,
          some.map(({ destinationId }) => destinationId),
          'deleted',
        )
    }
    await deleteIntents(tx, [intent.id])
  })
}

function asExisting(component: string, { sourceId, parentId, keys }: IntendedItem): Draft {
  return draft(component, sourceId, {}, { parentId, keys })
}
