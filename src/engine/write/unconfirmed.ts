import { PlatformError } from '../../bigcommerce/errors.ts'
import { deleteIntents, type IntendedItem, type Intent, leftoverIntents } from '../../db/ledger/intents.ts'
import { recordPruned } from '../../db/ledger/ledger.ts'
import { claimsOf, type Mapping, saveMappings } from '../../db/ledger/mappings.ts'
import type { ToCreate } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

/** A write without a definite answer: nothing may be concluded before `until`. */
export interface Unconfirmed {
  intentId: number
  until: Date
}

/** Distinct destination addresses the orders hang on. */
export function parentsOf(orders: ToCreate[]): string[] {
  return [...new Set(orders.map((order) => order.draft.parentId ?? order.parentId))]
}

interface UnconfirmedWrite {
  component: Component
  pass: string
  items: IntendedItem[]
  baseline: string[] | null
  /** As they are; known to the process that sent them, and stored only where that is allowed (S9). */
  keys?: string[][]
}

/**
 * What a call without an answer has made. What is not there is sent again, so it is looked for twice: a list may end before its end,
 * and those of version 2 do not say how long they are.
 */
export async function findApplied(context: RunContext, write: UnconfirmedWrite): Promise<(Draft | undefined)[]> {
  const found = await findWritten(context, write)
  const { recovery, probe } = write.component
  if (!found.includes(undefined) || recovery === 'resend' || !probe) return found
  const again = await findWritten(context, write)
  const count = (drafts: (Draft | undefined)[]) => drafts.filter((one) => one !== undefined).length
  return count(again) > count(found) ? again : found
}

/**
 * Which of the intended items stand at the destination, one entry per item, undefined for those that do not. What is mapped
 * already and what was there before the call cannot be ours; the rest is matched one to one, by key or as a multiset of
 * fingerprints (B2).
 */
export async function findWritten(context: RunContext, write: UnconfirmedWrite): Promise<(Draft | undefined)[]> {
  const { component, items, baseline } = write
  if (component.recovery === 'resend' || !component.probe) return items.map(() => undefined)
  const stored = context.protection.open(component.key) ? items.map((item) => item.keys) : []
  const keys = write.keys ?? stored
  const parentIds = [...new Set(items.map((item) => item.parentId))]
  const latest = component.create?.finish ? context.clock.now().getTime() + lateMs(context) : 0
  for (;;) {
    const existing = await component.probe(context.destination, { keys, parentIds })
    const candidates = await withoutKnown(context, component, existing, baseline)
    const found = items.map((item) => takeMatch(context, item, candidates))
    if (!found.includes(undefined) || context.clock.now().getTime() >= latest) return found
    await context.clock.sleep(lookAgainMs, context.lease.stop)
  }
}

/** Between two looks for what the platform is still at. */
const lookAgainMs = 1000

/** How long it may be at something that it has taken: our choice, five minutes with the usual time-out of a minute. */
function lateMs({ waits }: RunContext): number {
  return 5 * waits.requestTimeoutMs
}

async function withoutKnown(
  context: RunContext,
  component: Component,
  existing: Draft[],
  baseline: string[] | null,
): Promise<Map<string, Draft>> {
  const scope = context.references.scope(component.key)
  const claimed = await claimsOf(
    context.database,
    context.pair,
    scope,
    component.key,
    existing.map((draft) => draft.id),
  )
  const before = new Set(baseline ?? [])
  return new Map(
    existing.filter((draft) => !claimed.has(draft.id) && !before.has(draft.id)).map((draft) => [draft.id, draft]),
  )
}

function takeMatch(context: RunContext, item: IntendedItem, candidates: Map<string, Draft>): Draft | undefined {
  for (const [id, candidate] of candidates) {
    const matches =
      item.keys.length > 0
        ? context.protection.keys(candidate)[0] === item.keys[0] &&
          (candidate.parentId ?? item.parentId) === item.parentId
        : context.protection.fingerprint(candidate) === item.fingerprint
    if (!matches) continue
    candidates.delete(id)
    return candidate
  }
  return undefined
}

/** Work that the item may still need; whoever continues it finds out by comparing. */
export const pendingChildren = 'children'

/** Its picture, which the platform could not fetch. */
export const pendingPicture = 'picture'

/** Its own web address, which another item had. Owed only while healing tries it. */
export const pendingAddress = 'address'

/**
 * Settles every call over this pair of stores that nobody recorded, before this run writes anything: they belong to the
 * destination, whatever became of the run that left them (B4).
 */
export async function settleLeftovers(context: RunContext): Promise<number> {
  const intents = await leftoverIntents(context.database, context.pair)
  for (const intent of intents) {
    const settledAt =
      intent.doubtfulUntil ??
      new Date(context.clock.now().getTime() + context.waits.requestTimeoutMs + context.waits.settleMs)
    await context.clock.sleep(settledAt.getTime() - context.clock.now().getTime(), context.lease.stop)
    await settleIntent(context, intent)
  }
  return intents.length
}

async function settleIntent(context: RunContext, intent: Intent): Promise<void> {
  if (intent.action === 'delete' && intent.runId === context.run.id) return settleDeletion(context, intent)
  const component = componentOf(intent.component)
  const found = intent.action === 'create' ? await findApplied(context, { ...intent, component }) : []
  const mappings = intent.items.flatMap((item, at): Mapping[] => {
    const existing = found[at]
    if (!existing) return []
    return [
      {
        scope: intent.scope,
        component: intent.component,
        sourceId: item.sourceId,
        destinationId: existing.id,
        origin: 'created',
        owed: [pendingChildren],
        draftChecksum: null,
        destinationChecksum: null,
        runId: intent.runId,
      },
    ]
  })
  await context.recorder.record(async (tx) => {
    await saveMappings(tx, context.pair, mappings)
    await deleteIntents(tx, [intent.id])
  })
}

/**
 * What this run was about to delete is deleted now, if it still is there, and counted: nobody would find it again. A deletion
 * that another run left is dropped, because whether it is wanted is for the present one to say.
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
    if (gone)
      for (const row of await recordPruned(tx, context.run.id, target, items)) tally.add(row.component, 'pruned')
    await deleteIntents(tx, [intent.id])
  })
}

function asExisting(component: string, { sourceId, parentId, keys }: IntendedItem): Draft {
  return draft(component, sourceId, {}, { parentId, keys })
}
