import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import { asRecord, CallTimeoutError, UnreadableAnswerError } from './errors.ts'
import { parseStoreJson, wholeText } from './store-text.ts'

/** What came of handing one request to the pool. Never thrown: each fact matters to somebody else. */
export interface Exchange {
  /** Null without an answer. */
  httpStatus: number | null
  /** Parsed JSON; the text where a refusal is not JSON; undefined when empty or unreadable. */
  body: unknown
  headers: Record<string, string>
  latencyMs: number
  /** Whether a byte may have left. False is certain: the store cannot have seen the request. */
  onSocket: boolean
  /** Not sent because connecting outlasted `latestStartMs`. */
  stale: boolean
  /** Why the answer is missing or unreadable. */
  failure: unknown
  tooLarge: boolean
}

export interface ExchangeRequest {
  pool: Pool
  clock: Clock
  method: string
  target: string
  headers: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  maxBodyBytes: number
  /** By the clock's monotonic time: after it the request is given up instead of put on the socket. */
  latestStartMs: number
  /** Never to be seen in what a failing answer says, even if the platform echoes it. */
  secret: string
  signal?: AbortSignal
}

type Controller = { abort(reason: Error): void }

const gunzipCapped = promisify(gunzip)

/** Sends in the same turn it is called in; the answer's body is read completely or not at all. */
export async function exchange(request: ExchangeRequest): Promise<Exchange> {
  const received = await receive(request)
  if (received.httpStatus === null || received.failure !== undefined) return received
  try {
    const text = (await inflate(received.chunks, received.headers, request.maxBodyBytes)).toString('utf8')
    received.body = text.trim() === '' ? undefined : parse(text, received.httpStatus, request.secret)
  } catch (error) {
    received.failure = error
    received.tooLarge = asRecord(asRecord(error).cause).code === 'ERR_BUFFER_TOO_LARGE'
  }
  return received
}

interface Received extends Exchange {
  chunks: Buffer[]
}

/**
 * One dispatch through undici's handler, because only the handler tells when a request is put on the socket
 * (`onRequestStart`), which is what separates a write that failed from a write in doubt.
 */
function receive(request: ExchangeRequest): Promise<Received> {
  const { clock, signal } = request
  const received: Received = {
    httpStatus: null,
    body: undefined,
    headers: {},
    latencyMs: 0,
    onSocket: false,
    stale: false,
    failure: undefined,
    tooLarge: false,
    chunks: [],
  }
  return new Promise((resolve) => {
    let controller: Controller | null = null
    let ended = false
    let bytes = 0
    const timer = new AbortController()
    const end = (failure?: unknown) => {
      if (ended) return
      ended = true
      timer.abort()
      signal?.removeEventListener('abort', leave)
      received.failure = failure
      resolve(received)
    }
    const giveUp = (reason: Error) => {
      end(reason)
      controller?.abort(reason)
    }
    const leave = () => giveUp(new Error('The caller gave up waiting.', { cause: signal?.reason }))
    if (signal?.aborted) return leave()
    signal?.addEventListener('abort', leave, { once: true })
    clock.sleep(request.timeoutMs, timer.signal).then(
      () => giveUp(new CallTimeoutError(request.timeoutMs)),
      () => undefined, // the call ended in time
    )
    request.pool.dispatch(
      { method: request.method, path: request.target, headers: request.headers, body: request.body ?? null },
      {
        onRequestStart(started) {
          controller = started
          received.stale = !ended && clock.monotonicMs() > request.latestStartMs
          if (ended || received.stale) return giveUp(new Error('The permission to send ran out while connecting.'))
          received.onSocket = true
        },
        onResponseStart(_controller, httpStatus, headers) {
          if (httpStatus < 200) return
          received.httpStatus = httpStatus
          received.headers = flatten(headers)
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length
          received.tooLarge = bytes > request.maxBodyBytes
          if (received.tooLarge) return giveUp(tooLarge(request.maxBodyBytes))
          received.chunks.push(chunk)
        },
        onResponseEnd: () => end(),
        onResponseError: (_controller, error) => end(error),
      },
    )
  })
}

async function inflate(chunks: Buffer[], headers: Record<string, string>, maxBodyBytes: number): Promise<Buffer> {
  const raw = Buffer.concat(chunks)
  if (headers['content-encoding'] !== 'gzip' || raw.length === 0) return raw
  try {
    return await gunzipCapped(raw, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    throw new UnreadableAnswerError('The answer cannot be unpacked.', { cause: error })
  }
}

/** Success must be JSON. A refusal may be a plain string, as some 401 are, or a proxy's page of HTML. */
function parse(text: string, httpStatus: number, secret: string): unknown {
  const clean = httpStatus >= 300 && secret !== '' ? text.replaceAll(secret, '[token]') : text
  try {
    return parseStoreJson(clean)
  } catch {
    if (httpStatus >= 300 && httpStatus !== 422) return wholeText(clean.slice(0, 1000))
    // Without the parser's error as cause: it quotes the answer.
    throw new UnreadableAnswerError('The answer is not JSON.')
  }
}

function tooLarge(maxBodyBytes: number): UnreadableAnswerError {
  return new UnreadableAnswerError(`The answer is larger than ${maxBodyBytes} bytes.`)
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
