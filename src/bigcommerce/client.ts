import { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import type { AnsweredCall } from './answer-shape.ts'
import {
  asRecord,
  type CallName,
  ClientClosedError,
  CredentialsError,
  isUnsure,
  MissingScopeError,
  PlatformError,
  ReadOnlyStoreError,
  StoreUnreachableError,
  UnconfirmedWriteError,
  UnreadableAnswerError,
} from './errors.ts'
import { type Exchange, exchange } from './exchange.ts'
import { encodeForm, type FormFile } from './form.ts'
import type { CallClass, Governor, Grant } from './governor.ts'
import type { Query } from './query.ts'
import { mayBeFirstPage, refusedPaging, undocumentedPaging } from './refused-paging.ts'

export interface StoreConnection {
  /**
   * The platform's base URL without `/stores/...`. It comes from the process configuration, never from a row or a
   * request (S3).
   */
  apiUrl: string
  hash: string
  token: string
  /** For a source: refuses every method except GET at once (D7), apart from `readingWrites`. */
  readOnly: boolean
  /** Time-out of one call, from hand-over to its last byte. */
  requestTimeoutMs: number
}

export interface Answer<T = unknown> {
  httpStatus: number
  /** Undefined for 204 or an empty body. */
  body: T
  /** With lower-case names. */
  headers: Record<string, string>
  latencyMs: number
}

export interface WriteRequest {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Query
  body?: unknown
  /** Sent instead of a body. */
  form?: FormFile
  /** Known to take seconds, such as creating a product with images. */
  heavy?: boolean
  /** Ends waits, but not a call on the wire: its answer is always awaited. */
  signal?: AbortSignal
  /** Called right before each sending. If it throws, nothing is sent and the error is passed on. */
  beforeSend?: () => Promise<void>
}

export interface ObservedCall {
  cls: CallClass
  method: string
  path: string
  /** Null when no answer came. */
  httpStatus: number | null
  latencyMs: number
  /** How many times it has been sent, this time included. */
  sendings: number
}

export interface StoreClientOptions {
  clock: Clock
  /** Called after every call, including refused and failed ones. */
  onCall?: (call: ObservedCall) => void
  /** Called with every answer, to record its shape. */
  onAnswer?: ((call: AnsweredCall) => void) | undefined
  /** Larger answers count as unreadable. A page of 250 products with everything inline is below 20 MiB. */
  maxBodyBytes?: number
}

/** How long a call answered with 429 is retried before it is given up: the quota is gone for longer than a window. */
const mostBusyMs = 5 * 60_000
const mebibyte = 1024 * 1024
/**
 * Waits before the second to the fifth try of a read. The platform recommends growing waits, and longer ones after its
 * own errors.
 */
const readRetryMs = [1_000, 4_000, 10_000, 30_000]
/**
 * Waits before an empty page is read again although the list should have items there; after that the page is believed.
 */
const emptyPageRetryMs = [200, 1_000]
/** Waits before retrying a write that found no connection. Nothing was sent, so nothing is repeated. */
const connectRetryMs = [500, 1_000, 2_000, 4_000]
/**
 * How old the confirmation of `beforeSend` may be when the first byte is sent (A4), because a lease can be lost while
 * connecting. With a larger value a replaced process could write alongside its successor; with a smaller one no write
 * would ever be sent behind a slow TLS handshake.
 */
const staleAfterMs = 2_000

/** Calls to a source that use a method other than GET but change nothing there (D7): exporting a theme. */
const readingWrites: readonly RegExp[] = [
  /^POST \/v3\/themes\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/actions\/download$/,
]

/**
 * One store over HTTP. Reads are repeated until they succeed or have failed five times. Writes are sent once and end as
 * answered, refused (`PlatformError`) or unconfirmed (`UnconfirmedWriteError`). A 429 is neither a failure nor a
 * refusal: the call waits and is sent again.
 */
export class StoreClient {
  readonly #connection: StoreConnection
  readonly #governor: Pick<Governor, 'take'>
  readonly #clock: Clock
  readonly #onCall: (call: ObservedCall) => void
  readonly #onAnswer: ((call: AnsweredCall) => void) | undefined
  readonly #maxBodyBytes: number
  readonly #pool: Pool
  readonly #prefix: string
  /**
   * Paging parameters that are no longer sent because the store refused them, by list. A list with undocumented paging
   * has no entry until it was tried.
   */
  readonly #refusedPaging = new Map<string, Set<string>>()
  readonly #closing = new AbortController()

  constructor(connection: StoreConnection, governor: Pick<Governor, 'take'>, options: StoreClientOptions) {
    const base = new URL(connection.apiUrl)
    if (!/^[a-z0-9]{1,20}$/.test(connection.hash))
      throw new TypeError('A store hash is 1 to 20 of the characters a-z and 0-9.')
    this.#connection = connection
    this.#governor = governor
    this.#clock = options.clock
    this.#onCall = options.onCall ?? (() => undefined)
    this.#onAnswer = options.onAnswer
    this.#maxBodyBytes = options.maxBodyBytes ?? 64 * mebibyte
    this.#prefix = `${base.pathname.replace(/\/$/, '')}/stores/${connection.hash}`
    // HTTP/1.1 only: HTTP/2 may move a request to another connection, and we must know for sure whether it was sent.
    // The pool's own time-outs are off: `exchange` has one for the whole call, on our clock.
    this.#pool = new Pool(base.origin, { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 })
  }

  /**
   * Reads, in up to five tries. A 429 does not count as a try; callers that cannot wait pass a signal. An empty page is
   * read twice more if the list's own count says it has items; otherwise existing items would be taken for deleted.
   *
   * @throws StoreUnreachableError after the fifth try, or when the quota is gone for minutes.
   * @throws PlatformError at once when the store refuses, or the signal's reason.
   */
  async get<T = unknown>(path: string, query: Query = {}, options: { signal?: AbortSignal } = {}): Promise<Answer<T>> {
    const list = path.replace(/(?<=\/)\d+/g, '{id}')
    const hidden = this.#refusedPaging.get(list) ?? new Set(undocumentedPaging(list))
    const left = Object.fromEntries(Object.entries(query).filter(([name]) => !hidden.has(name)))
    try {
      const answer = await this.#read<T>(path, left, options)
      const isWhole = left.page === query.page || this.#refusedPaging.has(list) || !mayBeFirstPage(answer.body)
      if (isWhole) return answer
      this.#refusedPaging.set(list, new Set())
      return await this.get<T>(path, query, options)
    } catch (error) {
      const refused = refusedPaging(error, left)
      if (refused.length === 0) throw error
      this.#refusedPaging.set(list, new Set([...(this.#refusedPaging.get(list) ?? []), ...refused]))
      return this.get<T>(path, left, options)
    }
  }

  async #read<T>(path: string, query: Query, options: { signal?: AbortSignal }): Promise<Answer<T>> {
    const target = this.#target('GET', path, query)
    const store = this.#connection.hash
    const call = { cls: 'read' as const, method: 'GET', path, store, signal: options.signal, sendings: 0 }
    let busySinceMs: number | undefined
    for (let tries = 1, emptyPages = 0; ; ) {
      const grant = await this.#governor.take(call)
      const sent = await this.#exchange({ call, query, target, grant, signal: options.signal })
      const outcome = judgeRead<T>(sent)
      if ('answer' in outcome) {
        if (!isEmptyBeforeItsEnd(sent.body) || emptyPages >= emptyPageRetryMs.length) return outcome.answer
        await this.#pause(emptyPageRetryMs[emptyPages] ?? 0, options.signal)
        emptyPages += 1
        continue
      }
      if ('refusal' in outcome) throw refusalOf({ method: 'GET', path, store, ...outcome.refusal })
      options.signal?.throwIfAborted()
      // The store is busy, not unreachable: the governor waits as long as the store asks (E4).
      busySinceMs = sent.httpStatus === 429 ? (busySinceMs ?? this.#clock.monotonicMs()) : undefined
      if (this.#isQuotaGone(busySinceMs)) throw new StoreUnreachableError(call, { httpStatus: 429, tries })
      if (sent.httpStatus === 429) continue
      if (tries > readRetryMs.length || outcome.hopeless) {
        throw new StoreUnreachableError(call, { httpStatus: sent.httpStatus, tries, cause: outcome.cause })
      }
      await this.#pause(readRetryMs[tries - 1] ?? 0, options.signal)
      tries += 1
    }
  }

  /**
   * Writes once. A 429 was certainly not applied, so the call is queued again as often as necessary.
   *
   * @returns the answer for any 2xx, including 207, whose body names what was not saved.
   * @throws PlatformError when the store refuses; a 422 may still have saved part of a batch.
   * @throws UnconfirmedWriteError when it is unknown whether the write was applied.
   * @throws whatever `beforeSend` throws, or the signal's reason: in both cases nothing was applied.
   */
  async write<T = unknown>(request: WriteRequest): Promise<Answer<T>> {
    const { method, path, signal } = request
    const readsOnly = readingWrites.some((allowed) => allowed.test(`${method} ${path}`))
    if (this.#connection.readOnly && !readsOnly) throw new ReadOnlyStoreError(request)
    const target = this.#target(method, path, request.query)
    const content = contentOf(request)
    const call = { cls: request.heavy ? ('heavy' as const) : ('write' as const), method, path, signal, sendings: 0 }
    let busySinceMs: number | undefined
    for (let unconnected = 0; ; ) {
      const grant = await this.#governor.take(call)
      await this.#confirm(grant, request)
      const confirmedMs = this.#clock.monotonicMs()
      const sent = await this.#exchange({
        call,
        query: request.query,
        sent: request.body,
        target,
        grant,
        content,
        confirmedMs,
      })
      busySinceMs = sent.httpStatus === 429 ? (busySinceMs ?? this.#clock.monotonicMs()) : undefined
      // A 429 was not applied, however much of it was sent.
      if (this.#isQuotaGone(busySinceMs)) throw new UnconfirmedWriteError(call, { httpStatus: 429, onSocket: false })
      if (sent.httpStatus === 429) continue
      if (!sent.onSocket && unconnected < connectRetryMs.length) {
        await this.#pause(connectRetryMs[unconnected] ?? 0, signal)
        unconnected += 1
        continue
      }
      return judgeWrite<T>(call, sent)
    }
  }

  #isQuotaGone(busySinceMs: number | undefined): boolean {
    return busySinceMs !== undefined && this.#clock.monotonicMs() - busySinceMs >= mostBusyMs
  }

  /** Waits for calls on the wire, then closes the connections. Failed calls are not repeated. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new ClientClosedError())
    await this.#pool.close()
  }

  #pause(ms: number, signal?: AbortSignal): Promise<void> {
    const closing = this.#closing.signal
    return this.#clock.sleep(ms, signal ? AbortSignal.any([signal, closing]) : closing)
  }

  async #confirm(grant: Grant, { signal, beforeSend }: WriteRequest): Promise<void> {
    try {
      signal?.throwIfAborted()
      await beforeSend?.()
    } catch (error) {
      grant.cancel()
      throw error
    }
  }

  /** Hands the call to the socket in the same turn of the event loop, and ends the grant whatever the outcome. */
  async #exchange(out: Outgoing): Promise<Exchange> {
    const startedMs = this.#clock.monotonicMs()
    const { call, grant } = out
    const sent = await exchange({
      pool: this.#pool,
      clock: this.#clock,
      method: call.method,
      target: out.target,
      headers: this.#headers(out.content?.contentType),
      body: out.content?.body,
      timeoutMs: this.#connection.requestTimeoutMs,
      maxBodyBytes: this.#maxBodyBytes,
      latestStartMs: out.confirmedMs === undefined ? Infinity : out.confirmedMs + staleAfterMs,
      secret: this.#connection.token,
      signal: out.signal,
    })
    const latencyMs = this.#clock.monotonicMs() - startedMs
    sent.latencyMs = latencyMs
    if (sent.onSocket) grant.settle(sent.httpStatus === null ? null : sent.headers, sent.httpStatus, latencyMs)
    else grant.cancel()
    if (sent.onSocket) {
      const { cls, method, path } = call
      this.#onCall({ cls, method, path, httpStatus: sent.httpStatus, latencyMs, sendings: ++call.sendings })
      this.#record(out, sent)
    }
    return sent
  }

  #record({ call: { method, path }, query = {}, sent }: Outgoing, { httpStatus, headers, body }: Exchange): void {
    if (httpStatus !== null) this.#onAnswer?.({ method, path, query, sent, httpStatus, headers, body })
  }

  #headers(contentType: string | undefined): Record<string, string> {
    const headers: Record<string, string> = {
      'x-auth-token': this.#connection.token,
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'Storeferry',
    }
    if (contentType !== undefined) headers['content-type'] = contentType
    return headers
  }

  /** Ensures that a path cannot leave the store: no dot segments, no empty ones, and the query is separate. */
  #target(method: string, path: string, query: Query = {}): string {
    const segments = path.split('/').slice(2)
    const clean = /^\/v[23](\/[A-Za-z0-9._~:@!$'()*+,;=%-]+)+$/.test(path)
    if (!clean || segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
      throw new TypeError(`${method} needs a path such as /v3/catalog/brands, without its query.`)
    }
    const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
    return `${this.#prefix}${path}${search === '' ? '' : `?${search}`}`
  }
}

interface Outgoing {
  call: { cls: CallClass; method: string; path: string; sendings: number }
  query?: Query | undefined
  /** The body, before it is encoded. */
  sent?: unknown
  target: string
  grant: Grant
  content?: Content | undefined
  /** The time at which `beforeSend` returned. */
  confirmedMs?: number
  signal?: AbortSignal
}

interface Content {
  contentType: string
  body: string | Buffer
}

function contentOf({ body, form }: WriteRequest): Content | undefined {
  if (form) return encodeForm(form)
  return body === undefined ? undefined : { contentType: 'application/json', body: JSON.stringify(body) }
}

type ReadOutcome<T> =
  | { answer: Answer<T> }
  | { refusal: { httpStatus: number; body: unknown } }
  | { cause: unknown; hopeless: boolean }

function judgeRead<T>(sent: Exchange): ReadOutcome<T> {
  const { httpStatus } = sent
  if (httpStatus === null || httpStatus === 429 || isUnsure(httpStatus)) return { cause: sent.failure, hopeless: false }
  if (httpStatus >= 300) return { refusal: { httpStatus, body: sent.body } }
  if (sent.failure !== undefined) return { cause: sent.failure, hopeless: sent.tooLarge }
  // Only a 204 has nothing to say.
  if (sent.body === undefined && httpStatus !== 204)
    return { cause: new UnreadableAnswerError('The answer is empty.'), hopeless: false }
  return { answer: answerOf<T>(sent, httpStatus) }
}

/**
 * Whether a page is empty that should have items according to the list's own count. Lists with cursors have no page
 * numbers to check.
 */
function isEmptyBeforeItsEnd(body: unknown): boolean {
  const { data, meta } = asRecord(body)
  const { total, current_page: page = 1, per_page: perPage } = asRecord(asRecord(meta).pagination)
  if (!Array.isArray(data) || data.length > 0 || typeof total !== 'number') return false
  return page === 1 ? total > 0 : typeof perPage === 'number' && total > (Number(page) - 1) * perPage
}

/** An unreadable 422 leaves the write unconfirmed: several endpoints save part of a batch and answer 422. */
function judgeWrite<T>(call: { method: string; path: string }, sent: Exchange): Answer<T> {
  const { httpStatus, onSocket, failure: cause } = sent
  if (httpStatus === null || isUnsure(httpStatus))
    throw new UnconfirmedWriteError(call, { httpStatus, onSocket, cause })
  const wordsMatter = httpStatus < 300 || httpStatus === 422
  const unreadable = cause !== undefined && (wordsMatter || !(cause instanceof UnreadableAnswerError))
  if (unreadable) throw new UnconfirmedWriteError(call, { httpStatus, onSocket, cause })
  if (httpStatus >= 300) throw refusalOf({ method: call.method, path: call.path, httpStatus, body: sent.body })
  return answerOf<T>(sent, httpStatus)
}

function answerOf<T>(sent: Exchange, httpStatus: number): Answer<T> {
  // The caller chooses T and parses what it relies on; an empty answer is undefined whatever T is.
  return { httpStatus, body: sent.body as T, headers: sent.headers, latencyMs: sent.latencyMs }
}

function refusalOf(refusal: CallName & { httpStatus: number; body: unknown }): PlatformError {
  if (refusal.httpStatus === 401) return new CredentialsError(refusal)
  if (refusal.httpStatus === 403) return new MissingScopeError(refusal)
  return new PlatformError(refusal)
}
