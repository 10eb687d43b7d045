import { CredentialsError, PlatformError, UnconfirmedWriteError } from '../../bigcommerce/errors.ts'
import { type BeforeImage, deleteIntents, type IntendedItem, markUnconfirmed } from '../../db/ledger/intents.ts'
import { noteSettling } from '../../db/runs/run-life.ts'
import { acceptedBody } from '../../entities/core/accepted-fields.ts'
import type { NotSent, WriteCall } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { pictureNotFetched } from '../../model/healing.ts'
import type { RunContext } from '../context/context.ts'
import { storeAccessOf } from '../context/store-access.ts'
import type { BulkWrite } from '../core/recorder.ts'
import { isAboutScope, storeFailure } from '../core/store-failures.ts'
import { fetchPicture } from './form-picture.ts'
import type { KeptSales } from './kept-sales.ts'
import type { TriedParts } from './tried-parts.ts'
import type { Refusal } from './writes.ts'

/** What every write needs. `park` waits without holding a slot of the worker pool. */
export interface Sender {
  context: RunContext
  park<T>(wait: () => Promise<T>): Promise<T>
  /** The most items per create call that the platform was seen to accept, by component. */
  readonly accepted: Map<string, number>
  readonly tried: TriedParts
  readonly keptSales: KeptSales
}

/** One call and the intent that is committed before it. */
export interface Write {
  component: Component
  action: 'create' | 'update' | 'delete'
  pass: string
  items: IntendedItem[]
  /** Ids of the children that the parent had before; null where recovery does not need them. */
  baseline: string[] | null
  call: WriteCall
  before: BeforeImage[]
}

export interface Answered {
  kind: 'answered'
  intentId: number
  /** 0 when nothing was sent. */
  httpStatus: number
  body: unknown
  call: WriteCall
  refusal: Refusal | null
}

/**
 * A write without a definite answer. It may still take effect before `untilMs`, by the monotonic clock of this process
 * (G9).
 */
export interface Unconfirmed {
  intentId: number
  untilMs: number
}

export interface Unanswered {
  kind: 'unconfirmed'
  unconfirmed: Unconfirmed
  /** Why the item fails, if this was the last attempt. */
  refusal: Refusal
}

export type Sent = Answered | Unanswered

/**
 * How often a write is sent whose answers get lost. With fewer, a bad minute of the store costs an item; with more, an
 * item that makes the store fail every time delays the run.
 */
export const mostSends = 5

/** Ends intents in the transaction that records their outcome. */
export const endIntents: BulkWrite<number> = (tx, _tally, ids) => deleteIntents(tx, ids)

/** Sends one write: quota, intent, lease, request, in this order (A4). */
export async function send(sender: Sender, write: Write): Promise<Sent> {
  const { context } = sender
  if (write.component.sideEffects?.mail) await context.mails.hold()
  const prepared = await prepare(sender, write)
  if (prepared.kind === 'sendable') return transmit(context, write, prepared.request)
  const intentId = await intend(context, write)
  return { kind: 'answered', intentId, httpStatus: 0, body: undefined, call: write.call, refusal: prepared.refusal }
}

type Request = Omit<Parameters<RunContext['destination']['write']>[0], 'signal' | 'beforeSend'>
type Prepared = { kind: 'sendable'; request: Request } | { kind: 'unsendable'; refusal: Refusal }

/** Adds what is only known just before the call: the bytes of a picture, and values read from both stores. */
async function prepare({ context, park }: Sender, { component, call }: Write): Promise<Prepared> {
  const { picture, prepare, ...request } = call
  const form = picture && (await fetchPicture(context, picture))
  if (form === null) return { kind: 'unsendable', refusal: pictureMissing(call) }
  const rest = prepare && (await park(() => prepare(storeAccessOf(context))))
  if (rest && 'refused' in rest) return { kind: 'unsendable', refusal: refusalFor(call, 0, rest) }
  const body = acceptedBody(component, request.body)
  return {
    kind: 'sendable',
    request: { ...request, ...(body !== undefined && { body }), ...(form && { form }), ...rest },
  }
}

async function transmit(context: RunContext, write: Write, request: Request): Promise<Sent> {
  const { call } = write
  let intentId: number | undefined
  let sentAtMs = context.clock.monotonicMs()
  const beforeSend = async () => {
    intentId ??= await intend(context, write)
    await context.lease.confirm()
    sentAtMs = context.clock.monotonicMs()
  }
  try {
    const { httpStatus, body } = await context.destination.write({ ...request, signal: context.lease.stop, beforeSend })
    // An answer means that `beforeSend` has run.
    return { kind: 'answered', intentId: intentId as number, httpStatus, body, call, refusal: null }
  } catch (error) {
    if (intentId === undefined) throw error
    return afterError(context, error, { intentId, sentAtMs, call })
  }
}

/** Waits for the result, where the platform answers before it is done. */
export async function finished({ context, park }: Sender, component: Component, sent: Sent): Promise<Sent> {
  const finish = component.create?.finish
  if (!finish || sent.kind === 'unconfirmed' || sent.refusal) return sent
  const result = await park(() => finish(storeAccessOf(context), sent.body))
  if ('refused' in result) return { ...sent, refusal: refusalFor(sent.call, sent.httpStatus, result) }
  return { ...sent, body: result.body }
}

async function intend(
  context: RunContext,
  { component, pass, action, items, baseline, before }: Write,
): Promise<number> {
  const scope = context.references.scope(component.key)
  const intent = { scope, component: component.key, pass, action, items, baseline }
  return context.intents.add({ intent, before: before ?? [] })
}

/** @throws when nothing was applied and the run cannot go on. */
async function afterError(
  context: RunContext,
  error: unknown,
  { intentId, sentAtMs, call }: { intentId: number; sentAtMs: number; call: WriteCall },
): Promise<Sent> {
  if (error instanceof UnconfirmedWriteError && error.onSocket) {
    const unconfirmed = await noteUnconfirmed(context, intentId, sentAtMs)
    return { kind: 'unconfirmed', unconfirmed, refusal: noAnswer(error) }
  }
  if (isRefusal(error)) {
    const { httpStatus, body, title, errors, method, path } = error
    return { kind: 'answered', intentId, httpStatus, body, call, refusal: { title, errors, method, path, httpStatus } }
  }
  // Nothing was applied: the run was stopped, the lease was lost before the request, there was no connection, or the
  // token may not write.
  await deleteIntents(context.database, [intentId])
  // A rejected token is checked when the run ends, because the platform may have rejected it by mistake.
  throw (error instanceof CredentialsError ? null : storeFailure(error, context.stores.destination)) ?? error
}

/** A token that is rejected or may not write ends the run; any other definite answer ends the item. */
function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.httpStatus !== 401 && !isAboutScope(error)
}

async function noteUnconfirmed(
  { waits, database, clock }: RunContext,
  intentId: number,
  sentAtMs: number,
): Promise<Unconfirmed> {
  const nowMs = clock.monotonicMs()
  const untilMs = Math.max(sentAtMs + waits.requestTimeoutMs, nowMs) + waits.settleMs
  await markUnconfirmed(database, intentId, untilMs - nowMs)
  return { intentId, untilMs }
}

/** Waits until neither an answer nor an effect of the call can arrive any more (B2). */
export async function waitUntilSettled({ context, park }: Sender, { untilMs }: Unconfirmed): Promise<void> {
  const { clock, lease, database, run } = context
  await noteSettling(database, run.id, Math.max(0, untilMs - clock.monotonicMs()))
  await park(() => clock.sleep(untilMs - clock.monotonicMs(), lease.stop))
}

/** Called before an item is given up: if the store is down, the run stops instead. @throws StoreUnreachableError */
export async function confirmReachable({ destination, lease }: RunContext): Promise<void> {
  await destination.get('/v2/store', {}, { signal: lease.stop })
}

/** An item as its intent names it if it is never looked up: it is sent again if its answer is lost (B5). */
export function namedItem({ id, parentId }: Draft, parent: { rootId: string; parentId: string }): IntendedItem {
  return { sourceId: id, rootId: parent.rootId, parentId: parentId ?? parent.parentId, keys: [] }
}

/** The same, with all that tells it apart at the destination, where it is looked up after its call (B2). */
export function intendedItem(
  { protection }: RunContext,
  draft: Draft,
  parent: { rootId: string; parentId: string },
): IntendedItem {
  return {
    ...namedItem(draft, parent),
    keys: protection.keys(draft),
    ...(draft.keys.length > 0 && { alike: protection.alike(draft) }),
    fingerprint: protection.fingerprint(draft),
    content: protection.content(draft),
  }
}

export function refusalFor({ method, path }: WriteCall, httpStatus: number, { refused }: NotSent): Refusal {
  return { ...refused, method, path, httpStatus }
}

function noAnswer({ method, path, httpStatus }: UnconfirmedWriteError): Refusal {
  const title = `No valid response after ${mostSends} attempts`
  return { title, errors: {}, method, path, httpStatus: httpStatus ?? 0 }
}

function pictureMissing({ method, path, picture }: WriteCall): Refusal {
  const errors = { picture: `not available at ${picture?.address}` }
  return { title: pictureNotFetched, errors, method, path, httpStatus: 0 }
}
