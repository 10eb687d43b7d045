import { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import {
  asRecord,
  CredentialsError,
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

export interface StoreConnection {
  /** The platform's base from the process configuration, without `/stores/...`; never from a row or a request (S3). */
  apiUrl: string
  hash: string
  token: string
  /** A source: every method but GET is refused before anything else (D7), but for `readingWrites`. */
  readOnly: boolean
  /** For one call from the moment it is handed over until its last byte. */
  requestTimeoutMs: number
}

export interface Answer<T = unknown> {
  httpStatus: number
  /** undefined when the platform sent no content (204, or an empty body). */
  body: T
  /** Names in lower case. */
  headers: Record<string, string>
  latencyMs: number
}

export type Query = Record<string, string | number | undefined>

export interface WriteRequest {
  method: 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Query
  body?: unknown
  /** Sent instead of a body. */
  form?: FormFile
  /** Known to take seconds, such as a product with images. */
  heavy?: boolean
  /** Ends every wait, but never a call that is on the wire: its answer is always awaited. */
  signal?: AbortSignal
  /** The last thing before the socket, once for every time the call goes out. Whatever it throws is passed on, unsent. */
  beforeSend?: () => Promise<void>
}

export interface ObservedCall {
  cls: CallClass
  method: string
  path: string
  /** Null when no answer came. */
  httpStatus: number | null
  latencyMs: number
}

export interface StoreClientOptions {
  clock: Clock
  /** Told about every call that was handed over, refused and failed ones included. */
  onCall?: (call: ObservedCall) => void
  /** Larger answers count as unreadable. A page of 250 products with everything inline is under 20 MiB. */
  maxBodyBytes?: number
}

const mebibyte = 1024 * 1024
/** Waits before the second to the fifth try of a read. The platform asks for growing ones, longer for its own faults. */
const readRetryMs = [1_000, 4_000, 10_000, 30_000]
/** Waits before an empty page of a list that counts items at that place is asked for again; then it is believed. */
const emptyPageRetryMs = [200, 1_000]
/** Waits before a write that found no connection is offered to the store again; nothing was sent, so nothing is repeated. */
const connectRetryMs = [500, 1_000, 2_000, 4_000]
/**
 * How old the word of `beforeSend` may be when the first byte leaves (A4): connecting takes time in which a lease can be
 * lost. Larger: a replaced process could write beside its successor; smaller: a slow TLS handshake would
 * never get a write through.
 */
const staleAfterMs = 2_000

/**
 * What a source is asked by another method than GET, because it changes nothing there (D7): to put a theme into a file. Everything else
 * is refused.
 */
const readingWrites: readonly RegExp[] = [
  /^POST \/v3\/themes\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/actions\/download$/,
]

/**
 * One store over HTTP. Reads are repeated until they succeed or have failed five times; writes are sent once and told
 * apart by what is known of them: answered, refused (`PlatformError`) or doubtful (`UnconfirmedWriteError`). A 429 is neither a
 * failure nor a refusal, but a request to come back later.
 */
export class StoreClient {
  readonly #connection: StoreConnection
  readonly #governor: Governor
  readonly #clock: Clock
  readonly #onCall: (call: ObservedCall) => void
  readonly #maxBodyBytes: number
  readonly #pool: Pool
  readonly #prefix: string

  constructor(connection: StoreConnection, governor: Governor, options: StoreClientOptions) {
    const base = new URL(connection.apiUrl)
    if (!/^[a-z0-9]{1,20}$/.test(connection.hash))
      throw new TypeError('A store hash is 1 to 20 of the characters a-z and 0-9.')
    this.#connection = connection
    this.#governor = governor
    this.#clock = options.clock
    this.#onCall = options.onCall ?? (() => undefined)
    this.#maxBodyBytes = options.maxBodyBytes ?? 64 * mebibyte
    this.#prefix = `${base.pathname.replace(/\/$/, '')}/stores/${connection.hash}`
    // HTTP/1.1 only: HTTP/2 may move a request to another connection, and then "was it sent" has no sure answer.
    // The time-outs of the pool are off because `exchange` has one for the whole call, by our clock.
    this.#pool = new Pool(base.origin, { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 })
  }

  /**
   * Reads, in up to five tries, of which a 429 is none: whoever cannot wait gives a signal. A page that is empty where the list's own count says that it is not is asked for again twice:
   * who believes it takes what is there for gone.
   *
   * @throws StoreUnreachableError after the fifth; PlatformError at once when the store refuses; the signal's reason.
   */
  async get<T = unknown>(path: string, query?: Query, options: { signal?: AbortSignal } = {}): Promise<Answer<T>> {
    const target = this.#target('GET', path, query)
    const call = { cls: 'read' as const, method: 'GET', path, signal: options.signal }
    for (let tries = 1, emptyPages = 0; ; ) {
      const grant = await this.#governor.take(call)
      const sent = await this.#exchange({ call, target, grant, signal: options.signal })
      const outcome = judgeRead<T>(sent)
      if ('answer' in outcome) {
        if (!isEmptyBeforeItsEnd(sent.body) || emptyPages >= emptyPageRetryMs.length) return outcome.answer
        await this.#clock.sleep(emptyPageRetryMs[emptyPages] ?? 0, options.signal)
        emptyPages += 1
        continue
      }
      if ('refusal' in outcome) throw refusalOf({ method: 'GET', path, ...outcome.refusal })
      options.signal?.throwIfAborted()
      // A store that is busy is there: the governor waits as it asks, as often as it takes (E4).
      if (sent.httpStatus === 429) continue
      if (tries > readRetryMs.length || outcome.hopeless) {
        throw new StoreUnreachableError(call, { httpStatus: sent.httpStatus, tries, cause: outcome.cause })
      }
      await this.#clock.sleep(readRetryMs[tries - 1] ?? 0, options.signal)
      tries += 1
    }
  }

  /**
   * Writes once. A 429 is a definite "not applied", so the call queues again, as often as it takes.
   *
   * @returns the answer of any 2xx, 207 included: decode partial failures from its body.
   * @throws PlatformError when the store refuses; a 422 may still have saved a part, see `partial-failures.ts`.
   * @throws DoubtfulWriteError when nobody knows whether it was applied.
   * @throws whatever `beforeSend` throws, or the signal's reason: in both cases nothing was applied.
   */
  async write<T = unknown>(request: WriteRequest): Promise<Answer<T>> {
    const { method, path, signal } = request
    const readsOnly = readingWrites.some((allowed) => allowed.test(`${method} ${path}`))
    if (this.#connection.readOnly && !readsOnly) throw new ReadOnlyStoreError(request)
    const target = this.#target(method, path, request.query)
    const content = contentOf(request)
    const call = { cls: request.heavy ? ('heavy' as const) : ('write' as const), method, path, signal }
    for (let unconnected = 0; ; ) {
      const grant = await this.#governor.take(call)
      await this.#confirm(grant, request)
      const sent = await this.#exchange({ call, target, grant, content, confirmedMs: this.#clock.monotonicMs() })
      if (sent.httpStatus === 429) continue
      if (!sent.onSocket && unconnected < connectRetryMs.length) {
        await this.#clock.sleep(connectRetryMs[unconnected] ?? 0, signal)
        unconnected += 1
        continue
      }
      return judgeWrite<T>(call, sent)
    }
  }

  /** Waits for the calls on the wire and closes the connections. */
  async close(): Promise<void> {
    await this.#pool.close()
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

  /** Hands the call to the socket before anything else may run, and ends the grant whatever comes of it. */
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
      this.#onCall({ cls: call.cls, method: call.method, path: call.path, httpStatus: sent.httpStatus, latencyMs })
    }
    return sent
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

  /** A path never leaves the store: no dot segments, no empty ones, and the query comes separately. */
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
  call: { cls: CallClass; method: string; path: string }
  target: string
  grant: Grant
  content?: Content | undefined
  /** When `beforeSend` gave its word. */
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

/** 408 and 499 are refusals by number only: the platform gave up on the call without saying what became of it. */
function isUnsure(httpStatus: number): boolean {
  return httpStatus >= 500 || httpStatus === 408 || httpStatus === 499
}

function judgeRead<T>(sent: Exchange): ReadOutcome<T> {
  const { httpStatus } = sent
  if (httpStatus === null || httpStatus === 429 || isUnsure(httpStatus)) return { cause: sent.failure, hopeless: false }
  if (httpStatus >= 300) return { refusal: { httpStatus, body: sent.body } }
  if (sent.failure !== undefined) return { cause: sent.failure, hopeless: sent.tooLarge }
  return { answer: answerOf<T>(sent, httpStatus) }
}

/** The platform lost its place: no items on a page that its own count says has some. Lists by cursor tell no place. */
function isEmptyBeforeItsEnd(body: unknown): boolean {
  const { data, meta } = asRecord(body)
  const { total, current_page: page = 1, per_page: perPage } = asRecord(asRecord(meta).pagination)
  if (!Array.isArray(data) || data.length > 0 || typeof total !== 'number') return false
  return page === 1 ? total > 0 : typeof perPage === 'number' && total > (Number(page) - 1) * perPage
}

/** A 422 that cannot be read is doubtful: several endpoints save a part of the batch and answer 422. */
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
  // The caller names the shape and parses what it relies on; an empty answer is undefined whatever T says.
  return { httpStatus, body: sent.body as T, headers: sent.headers, latencyMs: sent.latencyMs }
}

function refusalOf(refusal: { method: string; path: string; httpStatus: number; body: unknown }): PlatformError {
  if (refusal.httpStatus === 401) return new CredentialsError(refusal)
  if (refusal.httpStatus === 403) return new MissingScopeError(refusal)
  return new PlatformError(refusal)
}
