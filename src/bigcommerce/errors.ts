/**
 * Errors of calls to a store. Messages contain only method, path and HTTP status. The platform's answer stays in
 * `title`, `errors` and `body`, because it may repeat a shopper's data (S9, S22). `path` has no query, which may
 * contain an email address.
 */

import { isServerFault } from '../contract/primitives/http-status.ts'

export interface CallName {
  method: string
  path: string
  /** Hash of the store. */
  store?: string
}

interface Refusal extends CallName {
  httpStatus: number
  body: unknown
}

/**
 * A definite refusal. A 422 may still have saved part of a batch: only the component can read its `body`.
 */
export class PlatformError extends Error {
  readonly method: string
  readonly path: string
  readonly store: string | undefined
  readonly httpStatus: number
  /** The platform's title, or its whole answer if that is a plain string; may be empty. */
  readonly title: string
  /** The platform's messages by field or `<index>.<field>`; may be empty. */
  readonly errors: Record<string, string>
  readonly body: unknown

  constructor(refusal: Refusal, message?: string) {
    super(message ?? `The store refused ${refusal.method} ${refusal.path} with HTTP ${refusal.httpStatus}.`)
    this.name = new.target.name
    this.method = refusal.method
    this.path = refusal.path
    this.store = refusal.store
    this.httpStatus = refusal.httpStatus
    this.title = titleOf(refusal.body)
    this.errors = errorsOf(refusal.body)
    this.body = refusal.body
  }
}

export class CredentialsError extends PlatformError {
  constructor(refusal: Refusal) {
    super(
      refusal,
      `The store did not accept its access token (${refusal.method} ${refusal.path}). Connect the store again.`,
    )
  }
}

/** The platform also answers 403 to a POST beyond a limit, and to changes of another client's metafield. */
export class MissingScopeError extends PlatformError {
  constructor(refusal: Refusal) {
    super(
      refusal,
      `The store's token may not ${refusal.method} ${refusal.path}: a scope is missing or a platform limit is reached.`,
    )
  }
}

/**
 * A write without a definite answer: it may or may not have been applied (B2). The client never repeats it. `onSocket`
 * is false when no connection was made, so nothing can have been applied.
 */
export class UnconfirmedWriteError extends Error {
  readonly method: string
  readonly path: string
  readonly httpStatus: number | null
  readonly onSocket: boolean

  constructor(call: CallName, outcome: { httpStatus: number | null; onSocket: boolean; cause?: unknown }) {
    const answer = outcome.httpStatus === null ? 'no answer' : `HTTP ${outcome.httpStatus}`
    super(`It is not known whether ${call.method} ${call.path} was applied: ${answer}.`, { cause: outcome.cause })
    this.name = 'UnconfirmedWriteError'
    this.method = call.method
    this.path = call.path
    this.httpStatus = outcome.httpStatus
    this.onSocket = outcome.onSocket
  }
}

/** A read that failed every time it was tried. `httpStatus` is that of the last answer, null without one. */
export class StoreUnreachableError extends Error {
  readonly method: string
  readonly path: string
  readonly store: string | undefined
  readonly httpStatus: number | null
  readonly tries: number

  constructor(call: CallName, outcome: { httpStatus: number | null; tries: number; cause?: unknown }) {
    const answer = outcome.httpStatus === null ? 'no valid response' : `HTTP ${outcome.httpStatus}`
    super(`${call.method} ${call.path} failed ${outcome.tries} times, last with ${answer}.`, {
      cause: outcome.cause,
    })
    this.name = 'StoreUnreachableError'
    this.method = call.method
    this.path = call.path
    this.store = call.store
    this.httpStatus = outcome.httpStatus
    this.tries = outcome.tries
  }
}

/** The service is shutting down. A call waiting for another try is not repeated. */
export class ClientClosedError extends Error {
  constructor() {
    super('The store client was closed.')
    this.name = 'ClientClosedError'
  }
}

/** A write through a read-only connection (D7). Our bug, never the store's fault. */
export class ReadOnlyStoreError extends Error {
  readonly method: string
  readonly path: string

  constructor(call: CallName) {
    super(`${call.method} ${call.path} was not sent: this store is connected for reading only.`)
    this.name = 'ReadOnlyStoreError'
    this.method = call.method
    this.path = call.path
  }
}

/** The call took longer than the connection's request time-out. */
export class CallTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`No complete answer within ${timeoutMs} ms.`)
    this.name = 'CallTimeoutError'
  }
}

/** An unusable answer: too large, cut off, or not JSON. */
export class UnreadableAnswerError extends Error {
  /** The path of a list; undefined if only the caller knows it. */
  readonly path: string | undefined

  constructor(message: string, { path, ...options }: ErrorOptions & { path?: string } = {}) {
    super(message, options)
    this.name = 'UnreadableAnswerError'
    this.path = path
  }
}

/**
 * v3 has `title`, v2 an array of `{status, message}`, customer groups `{status, message}`, and a 401 may be a string.
 */
export function titleOf(body: unknown): string {
  const first = errorIn(body)
  if (typeof first === 'string') return first.slice(0, 300)
  const { title, message, error } = asRecord(first)
  return [title, message, error].find((text): text is string => typeof text === 'string') ?? ''
}

/** Nested messages are joined by dots; `detail` and v2 `details` count as messages. */
export function errorsOf(body: unknown): Record<string, string> {
  const { errors, detail, details } = asRecord(errorIn(body))
  const found = flatten(errors)
  if (typeof detail === 'string') found.detail ??= detail
  return { ...flatten(details), ...found }
}

/**
 * The error of a refused call. In the published file of categories it is nested in `errors`; real stores return it
 * unnested. Batches of some resources have a list of errors, of which the first is taken.
 */
function errorIn(body: unknown): unknown {
  const first = Array.isArray(body) ? body[0] : body
  const { errors, batch_errors: ofRows = errors } = asRecord(first)
  if (Array.isArray(ofRows)) return 'title' in asRecord(ofRows[0]) ? ofRows[0] : first
  const nested = asRecord(errors)
  return 'title' in nested && 'errors' in nested ? nested : first
}

function flatten(value: unknown, prefix = ''): Record<string, string> {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object') return { [prefix]: String(value) }
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, child]) => flatten(child, prefix === '' ? key : `${prefix}.${key}`)),
  )
}

export function asRecord(value: unknown): Record<string, unknown> {
  // Any object can be read by key; the values are still unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/**
 * Whether the status leaves the outcome of the call open. With 408 and 499 the platform gave up on it without reporting
 * its outcome.
 */
export function isUnsure(httpStatus: number): boolean {
  return isServerFault(httpStatus) || httpStatus === 408 || httpStatus === 499
}
