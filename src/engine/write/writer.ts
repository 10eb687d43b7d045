import { asRecord, CredentialsError, PlatformError, UnconfirmedWriteError } from '../../bigcommerce/errors.ts'
import { isV2 } from '../../bigcommerce/pages.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import {
  type BeforeImage,
  commitIntent,
  deleteIntents,
  type IntendedItem,
  markUnconfirmed,
} from '../../db/ledger/intents.ts'
import { recordPruned } from '../../db/ledger/ledger.ts'
import type { Correction, NotSent, ToCreate, WriteCall, WriteResult } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { pictureNotFetched } from '../../model/healing.ts'
import type { RunContext } from '../context/context.ts'
import { storeAccessOf } from '../context/store-access.ts'
import { inParts } from '../core/in-parts.ts'
import { everyDraft } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { isAboutScope, storeFailure } from '../core/store-failures.ts'
import { Turns } from '../core/turns.ts'
import { fetchPicture } from './form-picture.ts'
import { findApplied, findWritten, parentsOf, type Unconfirmed } from './unconfirmed.ts'

export interface Refusal {
  title: string
  errors: Record<string, string>
  /** The call; null when the platform refused one item of a batch. */
  method: string
  path: string
  httpStatus: number
  /** It is the source that did not give what was to be sent. */
  bySource?: true
  /** Set in a dry run, which asks nobody: the rule by which the platform would refuse (F2). */
  rule?: string
}

/** What became of one item: it stands at the destination now, or the platform refused it. */
export type Outcome = { saved: Draft; partly: Refusal | null } | { refused: Refusal }

/** An item to create, and what to record in the transaction that also ends its intent. */
export interface Order extends ToCreate {
  pass: string
  rootId: string
  /** What it hangs on was made by this run, which knows all that hangs there. */
  parentIsNew: boolean
  /** Reads an item of the answer as a draft. */
  read(item: PlatformItem): Draft
  /** Recorded together with the outcome, so that no death lies between. */
  entry(outcome: Outcome): Entry
}

export interface UpdateTarget {
  pass: string
  rootId: string
  parentId: string
  /** What stood there, when it is not ours to forget (D6). */
  before?: BeforeImage | undefined
}

/** A correction, and what to record with its outcome in the transaction that also ends its intent. */
export interface CorrectionOrder extends Correction {
  target: UpdateTarget
  entry(refusal: Refusal | null, saved: PlatformItem | null): Entry
}

/** What the engine asks of whoever writes for it; a dry run has one that only plans. */
export type Writes = Pick<Writer, 'create' | 'update' | 'updateTogether' | 'remove'>

export interface RemoveTarget extends UpdateTarget {
  /** It is destination-only and counts; otherwise the platform added it to an item of ours. */
  prunes: boolean
}

/** Counts a destination-only item and all that goes with it, once (E3). */
export async function countPruned(
  tx: InTransaction,
  tally: Tally,
  runId: string,
  existing: Draft,
  target: RemoveTarget,
): Promise<void> {
  if (!target.prunes) return
  const gone = [...everyDraft(existing)].map(({ component, id }) => ({ component, destinationId: id }))
  for (const row of await recordPruned(tx, runId, target, gone)) tally.add(row.component, 'pruned')
}

/** Sends writes: intent first, lease last, and nothing twice. */
export class Writer {
  private readonly context: RunContext
  private readonly park: <T>(wait: () => Promise<T>) => Promise<T>
  private readonly turns = new Turns()

  /** `park` runs a long wait without holding up the items behind it. */
  constructor(context: RunContext, park: <T>(wait: () => Promise<T>) => Promise<T>) {
    this.context = context
    this.park = park
  }

  /**
   * Creates items of one component in one call, and again those that a lost answer leaves uncreated. Of two items with the same key
   * the second waits until it is known what became of the first: looking for one of them, nobody finds the other.
   */
  create(component: Component, orders: Order[]): Promise<Outcome[]> {
    const keys = orders.flatMap((order) => keysAmong(component, order))
    if (component.create?.finish) keys.push(`${component.key} one after the other`)
    return this.turns.take(keys, this.park, () => this.createInTurn(component, orders))
  }

  private async createInTurn(component: Component, orders: Order[]): Promise<Outcome[]> {
    const outcomes = new Map<Order, Outcome>()
    let open = orders
    for (let sends = 1; open.length > 0; sends++) {
      for (const call of inParts(open, sentTogether(orders.length, sends)))
        for (const [order, outcome] of await this.createOnce(component, call, { sends })) outcomes.set(order, outcome)
      open = open.filter((order) => !outcomes.has(order))
    }
    return orders.map((order) => outcomes.get(order) as Outcome)
  }

  /** Corrects an item by a call that may safely be sent again, because it names only what is known (B5). */
  async update(
    component: Component,
    desired: Draft,
    call: WriteCall,
    target: UpdateTarget,
    entry: (refusal: Refusal | null, saved: PlatformItem | null) => Entry,
  ): Promise<void> {
    return this.repeat('update', component, [this.intended(desired, target)], call, target, entry)
  }

  /**
   * Corrects several items in one call. A call without an answer is sent again, because it names only what is known (B5); what the
   * platform did not take is sent one by one, so that an item it refuses does not take the others along.
   */
  async updateTogether(component: Component, orders: CorrectionOrder[]): Promise<void> {
    let open = orders
    for (let sends = 1; open.length > 1 && sends <= mostSendsTogether; sends++) {
      const left = await this.correctOnce(component, open)
      if (left === 'unanswered') continue
      open = left
      break
    }
    await Promise.all(open.map((order) => this.correctAlone(component, order)))
  }

  private async correctAlone(component: Component, { desired, existing, fields, target, entry }: CorrectionOrder) {
    const call = component.update?.call(desired, existing, target.parentId, fields)
    if (call) await this.update(component, desired, call, target, entry)
  }

  /** @returns what is not there as it is wanted. */
  private async correctOnce(
    component: Component,
    orders: CorrectionOrder[],
  ): Promise<CorrectionOrder[] | 'unanswered'> {
    const call = component.update?.several?.call(orders)
    if (!call) return orders
    const items = orders.map(({ desired, target }) => this.intended(desired, target))
    const before = orders.flatMap(({ target }) => target.before ?? [])
    const sent = await this.send(component, 'update', orders[0]?.target.pass ?? '', items, null, call, before)
    if ('unconfirmed' in sent) {
      await this.waitUntilSettled(sent.unconfirmed)
      await this.context.recorder.record((tx) => deleteIntents(tx, [sent.unconfirmed.intentId]))
      return 'unanswered'
    }
    const saved = savedById(sent)
    // 200 is about all of them, whether or not the answer shows them; 207 about those it names.
    const isSaved = ({ existing }: CorrectionOrder) =>
      !sent.refusal && (sent.httpStatus !== 207 || saved.has(existing.id))
    await this.context.recorder.record(async (tx, tally) => {
      await deleteIntents(tx, [sent.intentId])
      for (const order of orders)
        if (isSaved(order)) await order.entry(null, saved.get(order.existing.id) ?? null)(tx, tally)
    })
    return orders.filter((order) => !isSaved(order))
  }

  /**
   * Deletes an item that only the destination has, and counts it with all that goes with it. One that is gone already is what
   * was wanted.
   */
  async remove(
    component: Component,
    existing: Draft,
    call: WriteCall,
    target: RemoveTarget,
    entry: (refusal: Refusal | null) => Entry,
  ): Promise<void> {
    const items = [...everyDraft(existing)].map((draft) => ({
      ...this.intended(draft, target),
      ...(target.prunes && { component: draft.component }),
    }))
    return this.repeat('delete', component, items, call, target, (answer) => async (tx, tally) => {
      const refusal = answer?.httpStatus === 404 ? null : answer
      if (!refusal) await countPruned(tx, tally, this.context.run.id, existing, target)
      await entry(refusal)(tx, tally)
    })
  }

  private async repeat(
    action: 'update' | 'delete',
    component: Component,
    items: IntendedItem[],
    call: WriteCall,
    target: UpdateTarget,
    entry: (refusal: Refusal | null, saved: PlatformItem | null) => Entry,
  ): Promise<void> {
    const before = target.before ? [target.before] : []
    for (let sends = 1; ; sends++) {
      const sent = await this.send(component, action, target.pass, items, null, call, before)
      if ('unconfirmed' in sent) await this.waitUntilSettled(sent.unconfirmed)
      if ('unconfirmed' in sent && sends < mostSends) {
        await this.context.recorder.record((tx) => deleteIntents(tx, [sent.unconfirmed.intentId]))
        continue
      }
      if (!('unconfirmed' in sent) && sent.httpStatus === 207 && component.repeatsPartly && sends < mostSends) {
        await this.context.recorder.record((tx) => deleteIntents(tx, [sent.intentId]))
        continue
      }
      if ('unconfirmed' in sent) await this.confirmThere()
      const refusal = sent.refusal ?? partlyTaken(component, sent)
      await this.context.recorder.record(async (tx, tally) => {
        await deleteIntents(tx, ['unconfirmed' in sent ? sent.unconfirmed.intentId : sent.intentId])
        tally.add(component.key, 'errors', refusal ? 1 : 0)
        await entry(refusal, 'unconfirmed' in sent ? null : savedIn(sent))(tx, tally)
      })
      return
    }
  }

  private async createOnce(
    component: Component,
    orders: Order[],
    { sends }: { sends: number },
  ): Promise<[Order, Outcome][]> {
    if (!component.create) throw new Error(`${component.key} cannot be created.`)
    const items = orders.map((order) => this.intended(order.draft, { rootId: order.rootId, parentId: order.parentId }))
    const baseline = component.recovery === 'baseline' ? await this.childrenBefore(component, orders, sends) : null
    const call = component.create.call(orders)
    const { stock } = component.sideEffects ?? {}
    if (stock)
      await this.context.stock.hold(
        orders.map(({ draft }) => ({ component: component.key, sourceId: draft.id, lines: stock(draft) })),
      )
    const sent = await this.finished(
      component,
      await this.send(component, 'create', orders[0]?.pass ?? '', items, baseline, call),
    )
    const givenUp = 'unconfirmed' in sent && sends === mostSends ? sent.refusal : null
    if ('unconfirmed' in sent) return this.settle(component, orders, items, baseline, sent.unconfirmed, givenUp)
    if (component.create.allOrNothing && orders.length > 1 && refusesBatch.includes(sent.httpStatus))
      return this.inHalves(component, orders, items, sent.intentId, { sends })
    const reported = await this.lookedFor(component, items, baseline, sent, outcomesOf(component, orders, sent))
    const outcomes = sends > 1 ? await this.appliedLate(component, items, reported) : reported
    await this.record(component, outcomes, sent.intentId, sent.body)
    return outcomes
  }

  /** What came of a call that the platform answers before it has done what it says. */
  private async finished(component: Component, sent: Sent): Promise<Sent> {
    const finish = component.create?.finish
    if (!finish || 'unconfirmed' in sent || sent.refusal) return sent
    const finished = await this.park(() => finish(storeAccessOf(this.context), sent.body))
    return 'refused' in finished ? { ...sent, refusal: refusedFor(sent, finished) } : { ...sent, body: finished.body }
  }

  /** What was saved without being told as what is found by its key, or told as refused. */
  private async lookedFor(
    component: Component,
    items: IntendedItem[],
    baseline: string[] | null,
    { call, httpStatus }: Answered,
    outcomes: [Order, Outcome | ToFind][],
  ): Promise<[Order, Outcome][]> {
    if (!outcomes.some(([, outcome]) => 'lookFor' in outcome)) return outcomes as [Order, Outcome][]
    const pass = outcomes[0]?.[0].pass ?? ''
    const found = await findWritten(this.context, { component, pass, items, baseline })
    const request = { method: call.method, path: call.path, httpStatus, errors: {} }
    return outcomes.map(([order, outcome], at) => {
      if (!('lookFor' in outcome)) return [order, outcome]
      const existing = found[at]
      if (!existing) return [order, { refused: { ...request, title: 'It was taken, and is not there' } }]
      return [order, { saved: existing, partly: outcome.partly ? { ...request, title: outcome.partly } : null }]
    })
  }

  /**
   * Refused although an earlier call got no answer: what that one made may have come to be after it was looked for. Taken for
   * somebody else's it would stay without what hangs on it (B2).
   */
  private async appliedLate(
    component: Component,
    items: IntendedItem[],
    outcomes: [Order, Outcome][],
  ): Promise<[Order, Outcome][]> {
    const isRefused = ([, outcome]: [Order, Outcome]) => 'refused' in outcome
    if (component.recovery !== 'key' || !outcomes.some(isRefused)) return outcomes
    const keys = outcomes.map(([order]) => keysOf(order))
    const pass = outcomes[0]?.[0].pass ?? ''
    const found = await findWritten(this.context, { component, pass, items, baseline: null, keys })
    return outcomes.map((one, at): [Order, Outcome] => {
      const existing = found[at]
      return existing && isRefused(one) ? [one[0], { saved: existing, partly: null }] : one
    })
  }

  /**
   * One of them refused all. That nothing was saved is not documented everywhere: what stands there as it was sent, and nobody's
   * copy yet, is ours (B2); the others are sent again, half by half.
   */
  private async inHalves(
    component: Component,
    orders: Order[],
    items: IntendedItem[],
    intentId: number,
    { sends }: { sends: number },
  ): Promise<[Order, Outcome][]> {
    const sought = { component, pass: orders[0]?.pass ?? '', items, baseline: null, keys: orders.map(keysOf) }
    const found = component.recovery === 'key' ? await findWritten(this.context, sought) : []
    const saved = orders.flatMap((order, at): [Order, Outcome][] => {
      const existing = found[at]
      const same = existing && this.context.protection.fingerprint(existing) === items[at]?.fingerprint
      return same ? [[order, { saved: existing, partly: null }]] : []
    })
    await this.record(component, saved, intentId)
    const left = orders.filter((order) => !saved.some(([one]) => one === order))
    const middle = Math.ceil(left.length / 2)
    const halves = [left.slice(0, middle), left.slice(middle)].filter((half) => half.length > 0)
    const outcomes: [Order, Outcome][] = [...saved]
    for (const half of halves) outcomes.push(...(await this.createOnce(component, half, { sends })))
    return outcomes
  }

  private async record(
    component: Component,
    outcomes: [Order, Outcome][],
    intentId: number,
    body?: unknown,
  ): Promise<void> {
    await this.context.recorder.record(async (tx, tally) => {
      await deleteIntents(tx, [intentId])
      await this.context.client.learn(this.context, tx, tally, component, body)
      for (const [order, outcome] of outcomes) {
        tally.add(component.key, 'errors', 'refused' in outcome || outcome.partly ? 1 : 0)
        await order.entry(outcome)(tx, tally)
      }
    })
  }

  /**
   * The answer is lost: wait until nothing can arrive any more, then look which of the items are there (B2). What is not there
   * and shall not be sent again is given up for the reason `givenUp`.
   */
  private async settle(
    component: Component,
    orders: Order[],
    items: IntendedItem[],
    baseline: string[] | null,
    unconfirmed: Unconfirmed,
    givenUp: Refusal | null,
  ): Promise<[Order, Outcome][]> {
    await this.waitUntilSettled(unconfirmed)
    const found = await findApplied(this.context, {
      component,
      pass: orders[0]?.pass ?? '',
      items,
      baseline,
      keys: orders.map(keysOf),
    })
    if (givenUp && found.includes(undefined)) await this.confirmThere()
    const outcomes = orders.flatMap((order, at): [Order, Outcome][] => {
      const existing = found[at]
      if (existing) return [[order, { saved: existing, partly: null }]]
      return givenUp ? [[order, { refused: givenUp }]] : []
    })
    await this.record(component, outcomes, unconfirmed.intentId)
    return outcomes
  }

  /** Before an item is given up: a store that is away altogether is the run's trouble. @throws StoreUnreachableError */
  private async confirmThere(): Promise<void> {
    const { destination, lease } = this.context
    await destination.get('/v2/store', {}, { signal: lease.stop })
  }

  private waitUntilSettled(unconfirmed: Unconfirmed): Promise<void> {
    const { clock, lease } = this.context
    return this.park(() => clock.sleep(unconfirmed.until.getTime() - clock.now().getTime(), lease.stop))
  }

  /** Nothing hangs on a new parent but what is mapped, which is never taken for what a lost answer made: it is not asked for (B3). */
  private async childrenBefore(component: Component, orders: Order[], sends: number): Promise<string[]> {
    if (sends === 1 && orders.every(({ parentIsNew }) => parentIsNew)) return []
    const keys = this.context.protection.open(component.key) ? orders.map((order) => order.draft.keys) : []
    const existing = await component.probe?.(this.context.destination, { keys, parentIds: parentsOf(orders) })
    return (existing ?? []).map((draft) => draft.id)
  }

  private intended(draft: Draft, parent: { rootId: string; parentId: string }): IntendedItem {
    const { protection } = this.context
    const parentId = draft.parentId ?? parent.parentId
    return {
      sourceId: draft.id,
      rootId: parent.rootId,
      parentId,
      keys: protection.keys(draft),
      fingerprint: protection.fingerprint(draft),
    }
  }

  /** Grant, intent, lease, socket, in this order (A4). */
  private async send(
    component: Component,
    action: 'create' | 'update' | 'delete',
    pass: string,
    items: IntendedItem[],
    baseline: string[] | null,
    call: WriteCall,
    before: BeforeImage[] = [],
  ): Promise<Sent> {
    const { context } = this
    let intentId: number | undefined
    const scope = context.references.scope(component.key)
    let sentAt = context.clock.now()
    const intend = async () => {
      const intent = { scope, component: component.key, pass, action, items, baseline }
      intentId ??= await commitIntent(context.database, context.run, context.pair, intent, before)
      return intentId
    }
    if (component.sideEffects?.mail) await context.mails.hold()
    const { picture, prepare, ...request } = call
    const form = picture && (await fetchPicture(context, picture))
    if (form === null)
      return { intentId: await intend(), httpStatus: 0, body: undefined, call, refusal: notFetched(call) }
    const rest = prepare && (await this.park(() => prepare(storeAccessOf(context))))
    if (rest && 'refused' in rest) {
      const unsent = { intentId: await intend(), httpStatus: 0, body: undefined, call }
      return { ...unsent, refusal: refusedFor(unsent, rest) }
    }
    const beforeSend = async () => {
      await intend()
      await context.lease.confirm()
      sentAt = context.clock.now()
    }
    try {
      const answer = await context.destination.write({
        ...request,
        ...(form && { form }),
        ...rest,
        signal: context.lease.stop,
        beforeSend,
      })
      return { intentId: intentId as number, httpStatus: answer.httpStatus, body: answer.body, call }
    } catch (error) {
      if (intentId === undefined) throw error
      if (error instanceof UnconfirmedWriteError && error.onSocket)
        return { unconfirmed: await this.markUnconfirmed(intentId, sentAt), refusal: unanswered(error) }
      if (isRefusal(error))
        return { intentId, httpStatus: error.httpStatus, body: error.body, call, refusal: refusalOf(error) }
      // Nothing was applied: stopped, the lease lost between intent and socket, no connection, or a token that may not write.
      await deleteIntents(context.database, [intentId])
      // A refused token is looked into where the run ends: it may have been a slip of the platform.
      throw (error instanceof CredentialsError ? null : storeFailure(error, context.stores.destination)) ?? error
    }
  }

  private async markUnconfirmed(intentId: number, sentAt: Date): Promise<Unconfirmed> {
    const { waits, database, clock } = this.context
    const latest = Math.max(sentAt.getTime() + waits.requestTimeoutMs, clock.now().getTime())
    const until = new Date(latest + waits.settleMs)
    await markUnconfirmed(database, intentId, until)
    return { intentId, until }
  }
}

/**
 * A write whose answers keep getting lost is sent so often. Fewer: a bad minute of the store costs an item; more: an item
 * that makes the store fail each time holds the run up.
 */
const mostSends = 5

/** From then on in ever smaller parts: an item that makes the store fail must not take its batch with it. */
const mostSendsTogether = 2

/** The last time every item goes alone; 1000 items go by 100 and by 10 before, so that a bad minute does not cost 1000 calls. */
function sentTogether(items: number, sends: number): number {
  if (sends <= mostSendsTogether) return items
  return Math.ceil(items ** ((mostSends - sends) / (mostSends - mostSendsTogether)))
}

/** What the platform answers to a batch of which one item is wrong. */
const refusesBatch: readonly number[] = [400, 409, 422]

type Answered = { intentId: number; httpStatus: number; body: unknown; call: WriteCall; refusal?: Refusal }
type Sent = Answered | { unconfirmed: Unconfirmed; refusal: Refusal }

/** A token that is not accepted, or may not write, ends the run; everything else that is definite ends the item. */
function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.httpStatus !== 401 && !isAboutScope(error)
}

/** What an item is given up with; HTTP status 0 says that there was no answer at all. */
function unanswered({ method, path, httpStatus }: UnconfirmedWriteError): Refusal {
  return {
    title: `No usable answer, ${mostSends} times in a row`,
    errors: {},
    method,
    path,
    httpStatus: httpStatus ?? 0,
  }
}

/** The destination was not asked: there was nothing to send. */
function notFetched({ method, path, picture }: WriteCall): Refusal {
  const errors = { picture: `${picture?.address} does not give it` }
  return { title: pictureNotFetched, errors, method, path, httpStatus: 0 }
}

function refusedFor({ call, httpStatus }: Pick<Answered, 'call' | 'httpStatus'>, { refused }: NotSent): Refusal {
  return { ...refused, method: call.method, path: call.path, httpStatus }
}

function refusalOf(error: PlatformError): Refusal {
  return {
    title: error.title,
    errors: error.errors,
    method: error.method,
    path: error.path,
    httpStatus: error.httpStatus,
  }
}

type ToFind = Extract<WriteResult, { lookFor: true }>

/** Keys tell an item from the others below the same parent. */
function keysAmong({ key }: Component, { draft, parentId }: Order): string[] {
  return draft.keys.map((one) => `${key} ${draft.parentId ?? parentId} ${one}`)
}

export function outcomesOf(component: Component, orders: Order[], answer: Answered): [Order, Outcome | ToFind][] {
  const { results: read, readsRefusals } = component.create ?? {}
  const drafts = orders.map((order) => order.draft)
  const refused = (refusal: Refusal): WriteResult => ({ refused: refusal })
  // A refused batch may still have saved some of its items (shapes A and C): only its own reader knows.
  const results =
    read && (!answer.refusal || (readsRefusals && answer.httpStatus === 422))
      ? read(answer.httpStatus, answer.body, drafts)
      : orders.map(() => (answer.refusal ? refused(answer.refusal) : { saved: savedIn(answer) }))
  return orders.map((order, at) => [order, outcomeOf(order, results[at], answer)])
}

function outcomeOf(order: Order, result: WriteResult | undefined, answer: Answered): Outcome | ToFind {
  const { method, path } = answer.call
  const request = { method, path, httpStatus: answer.httpStatus }
  const untold = { refused: { ...request, title: 'The platform did not say what became of it', errors: {} } }
  if (!result) return untold
  if ('refused' in result) return { refused: { ...request, ...result.refused } }
  if ('lookFor' in result) return result
  // 207: the item is there, one of its attributes is not (shape D).
  const partly =
    answer.httpStatus === 207 && !componentOf(order.draft.component).create?.results
      ? { ...request, title: 'Saved without one of its attributes', errors: {} }
      : null
  const saved = result.saved ? order.read(result.saved) : asSent(order)
  return isIdentified(saved) ? { saved, partly } : untold
}

/** An answer without an id names nothing that could be found again. */
function isIdentified({ id }: Draft): boolean {
  return id !== '' && id !== 'undefined' && id !== 'null'
}

/** What was not saved whole although it was asked for again and again counts as refused. */
function partlyTaken(component: Component, sent: Sent): Refusal | null {
  if ('unconfirmed' in sent || sent.httpStatus !== 207 || !component.repeatsPartly) return null
  const { method, path } = sent.call
  return { title: 'Saved without one of its attributes', errors: {}, method, path, httpStatus: 207 }
}

/** The answer names nothing (204): the item stands as it was sent. What is personal or secret is not named by its key (S9). */
function asSent({ draft, parentId }: Order): Draft {
  const mark = componentOf(draft.component).data === 'catalogue' ? draft.keys[0] : undefined
  return { ...draft, id: `${parentId}:${mark ?? draft.id}` }
}

function keysOf({ draft }: Order): string[] {
  return draft.keys
}

/** Version 2 answers with the bare item. */
function savedIn({ call, body }: Pick<Answered, 'call' | 'body'>): PlatformItem | null {
  const data = isV2(call.path) ? body : asRecord(body).data
  return data !== null && typeof data === 'object' && !Array.isArray(data) ? (data as PlatformItem) : null
}

/** Items of an answer to a batch, by their ids. */
function savedById({ body }: Pick<Answered, 'body'>): Map<string, PlatformItem> {
  const { data } = asRecord(body)
  const items = Array.isArray(data) ? data.map(asRecord) : []
  return new Map(items.map((item) => [String(item.id), item]))
}
