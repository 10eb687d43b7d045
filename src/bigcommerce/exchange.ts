import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import type { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import { asRecord, CallTimeoutError, UnreadableAnswerError } from './errors.ts'
import { parseStoreJson, wholeText } from './store-text.ts'

/** Outcome of one request. Not thrown, because different callers need different parts of it. */
export interface Exchange {
  /** Null without an answer. */
  httpStatus: number | null
  /** Parsed JSON; plain text for a refusal that is not JSON; undefined if empty or unreadable. */
  body: unknown
  headers: Record<string, string>
  latencyMs: number
  /** Whether a byte may have been sent. If false, the store has certainly not seen the request. */
  onSocket: boolean
  /** Not sent, because connecting took longer than `latestStartMs`. */
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
  /** Monotonic time after which the request is no longer sent. */
  latestStartMs: number
  /** Removed from failing answers in case the platform echoes it. */
  secret: string
  signal?: AbortSignal
}

type Controller = { abort(reason: Error): void }

const gunzipCapped = promisify(gunzip)
/**
 * Up to this many bytes are decompressed at once: handing them to another thread takes longer (130 µs for 1 KB, against
 * 30). The worst that this many can grow to blocks this one for a tenth of a second.
 */
const inflatedAtOnce = 65_536

/** One for all calls: making an error for each takes longer than all else about its time-out. */
const endedInTime = new Error('The call ended in time.')

/** Sends in the same turn of the event loop; the body is read completely or not at all. */
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
 * Dispatches through undici's handler interface, because only its `onRequestStart` reports when a request reaches the
 * socket. That tells a failed write from an unconfirmed one.
 */
function receive(request: ExchangeRequest): Promise<Received> {
  const { clock, signal } = request
  const received = nothingReceived()
  return new Promise((resolve) => {
    let controller: Controller | null = null
    let ended = false
    let bytes = 0
    const timer = new AbortController()
    const end = (failure?: unknown) => {
      if (ended) return
      ended = true
      timer.abort(endedInTime)
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
      () => undefined,
    )
    request.pool.dispatch(
      { method: request.method, path: request.target, headers: request.headers, body: request.body ?? null },
      {
        onRequestStart(started) {
          controller = started
          received.stale = !ended && clock.monotonicMs() > request.latestStartMs
          if (ended || received.stale) return giveUp(new Error('The permission to send expired while connecting.'))
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

function nothingReceived(): Received {
  return {
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
}

async function inflate(chunks: Buffer[], headers: Record<string, string>, maxBodyBytes: number): Promise<Buffer> {
  const raw = Buffer.concat(chunks)
  if (headers['content-encoding'] !== 'gzip' || raw.length === 0) return raw
  try {
    const options = { maxOutputLength: maxBodyBytes }
    return raw.length <= inflatedAtOnce ? gunzipSync(raw, options) : await gunzipCapped(raw, options)
  } catch (error) {
    throw new UnreadableAnswerError('The answer cannot be decompressed.', { cause: error })
  }
}

/** Successful answers must be JSON. A refusal may be plain text, as some 401s are, or a proxy's HTML page. */
function parse(text: string, httpStatus: number, secret: string): unknown {
  const clean = httpStatus >= 300 && secret !== '' ? text.replaceAll(secret, '[token]') : text
  try {
    return parseStoreJson(clean)
  } catch {
    if (httpStatus >= 300 && httpStatus !== 422) return wholeText(wordsOf(clean).slice(0, 1000))
    // No cause: the parser's error quotes the answer.
    throw new UnreadableAnswerError('The answer is not JSON.')
  }
}

/** What a reader sees of an HTML page: its title or, without one, its text. Any other text stays as it is. */
function wordsOf(text: string): string {
  if (!/<html/i.test(text)) return text
  const shown = /<title[^>]*>([^<]+)/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, ' ')
  return shown.replace(/\s+/g, ' ').trim()
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
