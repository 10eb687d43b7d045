import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IntendedItem, settleIntents } from '../../db/ledger/intents.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { noteRefusedSales } from '../../db/side-effects/sold-stock.ts'
import { type StartedWith, saveStartedStock } from '../../db/side-effects/started-stock.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { inParts } from '../../model/in-parts.ts'
import type { RunContext } from '../context/context.ts'
import { withoutMerged } from './merged-items.ts'
import { outcomesOf, refusesTogether, type ToFind } from './outcomes.ts'
import { inHalves, refusesBatch, refusesLength } from './refused-batch.ts'
import {
  type Answered,
  confirmReachable,
  endIntents,
  finished,
  intendedItem,
  mostSends,
  namedItem,
  type Sender,
  send,
  type Unanswered,
  waitUntilSettled,
} from './send.ts'
import { startedWith, startsWith } from './starting-stock.ts'
import { maySuspectParts, withoutTriedParts } from './tried-parts.ts'
import {
  findApplied,
  findRefused,
  findTwice,
  isOurs,
  matchExisting,
  parentsOf,
  type UnconfirmedWrite,
} from './unconfirmed.ts'
import type { CreateRequest, Ended, Outcome, Refusal, SavedDraft } from './writes.ts'

/** The items of one create call. */
interface Batch {
  component: Component
  requests: CreateRequest[]
  items: IntendedItem[]
  baseline: string[] | null
  /** How often these items were sent, counting this call. */
  sends: number
  baselines: Baselines
}

/** For each item, ids of the children that existed before it was last sent. */
type Baselines = Map<CreateRequest, string[]>

interface Attempt {
  sends: number
  baselines: Baselines
}

/**
 * How often the whole batch is sent before it is divided: an item that makes the store fail must not take the others
 * with it.
 */
const mostSendsTogether = 2

/** Creates items of one component, and sends again those that turn out not to exist after an answer was lost. */
export async function createItems(sender: Sender, component: Component, all: CreateRequest[]): Promise<Outcome[]> {
  const outcomes = new Map<CreateRequest, Outcome>()
  const baselines: Baselines = new Map()
  let open = all
  for (let sends = 1; open.length > 0; sends++) {
    for (const some of inParts(open, sentTogether(all.length, sends))) {
      const requests = await withoutSoldStock(sender, component, some)
      const given = new Map(requests.map((request, at) => [request, some[at] as CreateRequest]))
      for (const [request, outcome] of await createOnce(sender, component, requests, { sends, baselines }))
        outcomes.set(given.get(request) as CreateRequest, outcome)
    }
    open = open.filter((request) => !outcomes.has(request))
  }
  // The loop ends when every request has an outcome.
  return all.map((request) => outcomes.get(request) as Outcome)
}

/**
 * Takes off what the shop has sold of new items, so that it stays sold (G11): each time that they are sent, because it
 * sells on while a lost answer is waited for.
 */
async function withoutSoldStock(
  { keptSales }: Sender,
  { sideEffects }: Component,
  requests: CreateRequest[],
): Promise<CreateRequest[]> {
  const known = requests.map(({ draft }) => sideEffects?.level?.(draft))
  const levels = known.filter((level) => level !== undefined)
  if (levels.length === 0) return requests
  const left = (await keptSales.withoutSales(levels)).values()
  return requests.map((request, at) => {
    const level = known[at] && left.next().value
    if (!level) return request
    const { quantity, inStock } = level
    const { body, compare } = request.draft
    const draft = { ...request.draft, body: { ...body, quantity }, compare: { ...compare, quantity } }
    return { ...request, inStock, draft }
  })
}

/**
 * How many items share a call. On the last attempt every item goes alone; before that, 1000 items go by 100 and by 10,
 * so that a bad minute does not cost 1000 calls.
 */
function sentTogether(items: number, sends: number): number {
  if (sends <= mostSendsTogether) return items
  return Math.ceil(items ** ((mostSends - sends) / (mostSends - mostSendsTogether)))
}

/** Outcomes of the items that need not be sent again. */
async function createOnce(
  sender: Sender,
  component: Component,
  requests: CreateRequest[],
  attempt: Attempt,
): Promise<Ended[]> {
  const { context, accepted } = sender
  const largest = accepted.get(component.key) ?? requests.length
  if (requests.length > largest) return createInParts(sender, component, inParts(requests, largest), attempt)
  const items = requests.map((request) => ({
    ...(component.probe ? intendedItem(context, request.draft, request) : namedItem(request.draft, request)),
    startsWith: startsWith(context, component, request.draft),
  }))
  if (component.recovery !== 'baseline')
    return sendOnce(sender, { ...attempt, component, requests, items, baseline: null })
  const existing = await childrenBefore(context, component, requests, attempt.sends)
  const batch = { ...attempt, component, requests, items, baseline: existing.map(({ id }) => id) }
  const applied = await appliedSince(context, batch, existing)
  await record(context, batch, applied)
  const left = requests.filter((request) => !applied.some(([one]) => one === request))
  if (left.length === 0) return applied
  const rest = {
    ...batch,
    requests: left,
    items: items.filter((_, at) => left.includes(requests[at] as CreateRequest)),
  }
  for (const request of left) attempt.baselines.set(request, batch.baseline)
  return [...applied, ...(await sendOnce(sender, rest))]
}

async function createInParts(
  sender: Sender,
  component: Component,
  parts: CreateRequest[][],
  attempt: Attempt,
): Promise<Ended[]> {
  const outcomes: Ended[] = []
  for (const part of parts) outcomes.push(...(await createOnce(sender, component, part, attempt)))
  return outcomes
}

/**
 * Finds items of an earlier call that were applied since they were last looked for. The list that becomes the new
 * baseline shows them, so they must not be mistaken for older ones (B3).
 */
async function appliedSince(
  context: RunContext,
  { component, requests, items, sends, baselines }: Batch,
  existing: Draft[],
): Promise<Ended[]> {
  if (sends === 1) return []
  const baseline = requests.flatMap((request) => baselines.get(request) ?? [])
  const found = await matchExisting(context, { component, items, baseline }, existing)
  return requests.flatMap((request, at): Ended[] => {
    const one = found[at]
    return one ? [[request, foundAs(context, items[at], one)]] : []
  })
}

async function sendOnce(sender: Sender, batch: Batch): Promise<Ended[]> {
  const { component, requests, items, baseline } = batch
  const { context } = sender
  if (!component.create) throw new Error(`${component.key} cannot be created.`)
  const tried = sender.tried.withoutRefused(requests)
  const call = component.create.call(tried)
  await holdStock(context, batch)
  const write = { component, action: 'create' as const, pass: passOf(batch), items, baseline, call, before: [] }
  const sent = await finished(sender, component, await send(sender, write))
  if (sent.kind === 'unconfirmed') return settle(sender, batch, sent)
  const isTooLarge = requests.length > 1 && refusesLength(sent)
  if (isTooLarge) sender.accepted.set(component.key, Math.ceil(requests.length / 2))
  if (!sent.refusal) sender.tried.accept(tried)
  const refusal = !isTooLarge && refusesBatch.includes(sent.httpStatus) ? sent.refusal : null
  if (refusal && maySuspectParts(tried, refusal)) return withoutTried(sender, batch, { ...sent, refusal }, tried)
  if (isTooLarge || refusesTogether(component, requests, sent)) return againIn(sender, batch, sent.intentId, inHalves)
  return answered(context, batch, sent)
}

/** Repeats the call without the parts that may be why it was refused. If that is accepted, they were (F4). */
async function withoutTried(
  sender: Sender,
  batch: Batch,
  { intentId, refusal }: Answered & { refusal: Refusal },
  tried: CreateRequest[],
): Promise<Ended[]> {
  const given = new Map<CreateRequest, CreateRequest>()
  const outcomes = await againIn(sender, batch, intentId, (left) => {
    for (const request of left) given.set(withoutTriedParts(request), request)
    return [[...given.keys()]]
  })
  if (outcomes.every(([, { kind }]) => kind === 'saved')) sender.tried.refuse(tried, refusal)
  else sender.tried.accept(tried)
  return outcomes.map(([request, outcome]): Ended => [given.get(request) ?? request, outcome])
}

async function answered(context: RunContext, batch: Batch, sent: Answered): Promise<Ended[]> {
  const said = outcomesOf(batch.component, batch.requests, sent)
  const reported = await withFound(context, batch, sent, said)
  const known = await withApplied(context, batch, reported, sent.httpStatus)
  const outcomes = await withoutMerged(context, batch.component, known)
  // What was accepted and is not to be seen may be shown later.
  const settled = outcomes.some(([, { kind }], at) => kind === 'refused' && said[at]?.[1].kind === 'to-find')
  await record(context, batch, outcomes, { id: sent.intentId, settled }, sent.body)
  return outcomes
}

async function holdStock(context: RunContext, { component, requests }: Batch): Promise<void> {
  const { stock } = component.sideEffects ?? {}
  if (!stock) return
  const sold = requests.map(({ draft }) => ({ component: component.key, sourceId: draft.id, lines: stock(draft) }))
  await context.stock.hold(sold)
}

/** Looks up by key what was saved under an id that the answer does not show. */
async function withFound(
  context: RunContext,
  batch: Batch,
  { call: { method, path }, httpStatus }: Answered,
  outcomes: [CreateRequest, Outcome | ToFind][],
): Promise<Ended[]> {
  const needed = outcomes.some(([, { kind }]) => kind === 'to-find')
  const found = needed ? await findTwice(context, soughtOf(batch)) : []
  const at = { method, path, httpStatus, errors: {} }
  return outcomes.map(([request, outcome], index): Ended => {
    if (outcome.kind !== 'to-find') return [request, outcome]
    const existing = found[index]
    if (existing) {
      const partly = outcome.partly ? { ...at, title: outcome.partly } : null
      return [request, { kind: 'saved', saved: existing, partly }]
    }
    const title = 'Accepted by the store, but not found afterwards'
    return [request, { kind: 'refused', refusal: { ...at, title, ...outcome.otherwise } }]
  })
}

/**
 * A refused item may exist: an earlier call was applied after we looked, or this one was before it was refused. If it
 * is ours and we treated it as the shop's, it would never get its children (B2); otherwise it is the shop's (G5).
 */
async function withApplied(context: RunContext, batch: Batch, outcomes: Ended[], httpStatus: number): Promise<Ended[]> {
  const isLate = batch.sends > 1 && batch.component.recovery === 'key'
  const mayExist = isLate || httpStatus >= 400
  if (!mayExist || !outcomes.some(([, { kind }]) => kind === 'refused')) return outcomes
  const found = await findRefused(context, soughtOf(batch))
  return outcomes.map(([request, outcome], at): Ended => {
    const existing = found[at]
    if (!existing || outcome.kind !== 'refused') return [request, outcome]
    const applied = foundAs(context, batch.items[at], existing)
    return [request, isLate || applied.kind === 'saved' ? applied : outcome]
  })
}

/**
 * Sends a refused batch again in parts. Not every resource promises that nothing was saved, so an item that exists as
 * it was sent and is not a copy yet is ours (B2).
 */
async function againIn(
  sender: Sender,
  batch: Batch,
  intentId: number,
  inParts: (left: CreateRequest[]) => CreateRequest[][],
): Promise<Ended[]> {
  const { context } = sender
  const { component, requests, items, sends, baselines } = batch
  const found = await findRefused(context, soughtOf(batch))
  const saved = requests.flatMap((request, at): Ended[] => {
    const existing = found[at]
    const item = items[at]
    return existing && item && isOurs(context, item, existing) ? [[request, savedAs(existing)]] : []
  })
  await record(context, batch, saved, { id: intentId, settled: false })
  const left = requests.filter((request) => !saved.some(([one]) => one === request))
  const parts = inParts(left).filter((part) => part.length > 0)
  return [...saved, ...(await createInParts(sender, component, parts, { sends, baselines }))]
}

/** After a lost answer, waits until the call can no longer arrive, then looks which items exist (B2). */
async function settle(sender: Sender, batch: Batch, { unconfirmed, refusal }: Unanswered): Promise<Ended[]> {
  const { context } = sender
  const { requests, items, sends } = batch
  await waitUntilSettled(sender, unconfirmed)
  const found = await findApplied(context, soughtOf(batch))
  const givesUp = sends === mostSends
  if (givesUp && found.includes(undefined)) await confirmReachable(context)
  const outcomes = requests.flatMap((request, at): Ended[] => {
    const existing = found[at]
    if (existing) return [[request, foundAs(context, items[at], existing)]]
    return givesUp ? [[request, { kind: 'refused', refusal }]] : []
  })
  await record(context, batch, outcomes, { id: unconfirmed.intentId, settled: true })
  return outcomes
}

async function record(
  context: RunContext,
  { component }: Batch,
  outcomes: Ended[],
  intent?: { id: number; settled: boolean },
  body?: unknown,
): Promise<void> {
  if (outcomes.length === 0 && !intent) return
  const entries = outcomes.map(([request, outcome]) => request.entry(outcome))
  const started = startedWith(component, outcomes.flatMap(startedBy(context, component)))
  await context.recorder.record(async (tx, tally, bulk) => {
    if (intent?.settled) await settleIntents(tx, [intent.id], { watched: component.recovery !== 'resend' })
    else if (intent) bulk.add(endIntents, intent.id)
    await context.client.learn(context, tx, tally, component, body)
    for (const [, outcome] of outcomes) tally.add(component.key, 'errors', isError(outcome) ? 1 : 0)
    await noteRefused(context, tx, component, outcomes)
    if (started.length > 0) bulk.add(saveStarted, { pair: context.pair, started })
    for (const entry of entries) await entry(tx, tally, bulk)
  })
}

/** Saves what new items start with; a run has only one pair. */
async function saveStarted(
  tx: InTransaction,
  _tally: Tally,
  items: { pair: StorePair; started: StartedWith[] }[],
): Promise<void> {
  const [first] = items
  const started = items.flatMap((item) => item.started)
  if (first) await saveStartedStock(tx, first.pair, started)
}

async function noteRefused(
  context: RunContext,
  tx: InTransaction,
  component: Component,
  outcomes: Ended[],
): Promise<void> {
  const refused = outcomes.flatMap(([{ draft }, { kind }]) => (kind === 'refused' ? [draft.id] : []))
  if (component.sideEffects?.stock && refused.length > 0)
    await noteRefusedSales(tx, context.pair, component.key, refused)
}

const startedBy =
  (context: RunContext, component: Component) =>
  ([{ draft, parentId }, outcome]: Ended) =>
    outcome.kind === 'saved'
      ? [{ startsWith: startsWith(context, component, draft), existing: outcome.saved, parentId }]
      : []

/**
 * The children that a parent has before the call. A parent that this run created has only mapped children, which are
 * never taken for the result of a lost answer, so that its children need not be read (B3).
 */
async function childrenBefore(
  context: RunContext,
  component: Component,
  requests: CreateRequest[],
  sends: number,
): Promise<Draft[]> {
  if (sends === 1 && requests.every(({ parentIsNew }) => parentIsNew)) return []
  const keys = context.protection.open(component.key) ? keysOf(requests) : []
  return (await component.probe?.(context.destination, { keys, parentIds: parentsOf(requests) })) ?? []
}

function passOf({ requests }: Pick<Batch, 'requests'>): string {
  return requests[0]?.pass ?? ''
}

function soughtOf(batch: Batch): UnconfirmedWrite {
  const { component, items, baseline, requests } = batch
  return { component, pass: passOf(batch), items, baseline, keys: keysOf(requests) }
}

function keysOf(requests: CreateRequest[]): string[][] {
  return requests.map(({ draft }) => draft.keys)
}

function isError(outcome: Outcome): boolean {
  return outcome.kind === 'refused' || (outcome.kind === 'saved' && outcome.partly !== null)
}

function savedAs(existing: SavedDraft): Outcome {
  return { kind: 'saved', saved: existing, partly: null }
}

/** What is found after a lost answer counts as ours only if it is what we sent (G5). */
function foundAs(context: RunContext, item: IntendedItem | undefined, existing: SavedDraft): Outcome {
  return item && isOurs(context, item, existing) ? savedAs(existing) : { kind: 'existing', existing }
}
