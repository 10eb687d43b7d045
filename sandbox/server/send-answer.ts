import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, gzipSync } from 'node:zlib'
import { errorBody, v2Error, v3Error } from '../http/answers.ts'
import type { BodyProblem } from '../http/request-body.ts'
import type { SandboxAnswer } from '../http/resource.ts'
import type { RequestEntry } from './request-log.ts'
import type { StoreHost } from './store-host.ts'

/** What an answer depends on in a request to a store's API. */
interface RequestLine {
  host: StoreHost
  request: IncomingMessage
  response: ServerResponse
  entry: RequestEntry
  startedMs: number
  method: string
  path: string
  query: URLSearchParams
}

/** One API call on its way through the checks. */
export interface Call extends RequestLine {
  /** The decompressed body. */
  bytes: Buffer
}

/** Compressing smaller bodies would cost more than it saves. */
const LEAST_PACKED_BYTES = 1024

export function errorOf({ path }: RequestLine, status: number, title: string): SandboxAnswer {
  return path.startsWith('/v2/') ? v2Error(status, title) : v3Error(status, title)
}

/** The answer to an unreadable body. Source: `detail` in the 400 of the published metafield calls. */
export function errorOfBody(call: RequestLine, { status, problem, detail }: BodyProblem): SandboxAnswer {
  if (call.path.startsWith('/v2/')) return v2Error(status, detail ? `${problem}: ${detail}` : problem)
  const body = errorBody(status, problem)
  return { status, body: detail ? { ...body, detail } : body }
}

export function send(call: RequestLine, answer: SandboxAnswer, more: Record<string, string> = {}): void {
  const headers: Record<string, string> = { ...more, ...call.host.quota.headers() }
  if (answer.status === 429) {
    headers['X-Retry-After'] = String(Math.ceil(Number(headers['X-Rate-Limit-Time-Reset-Ms']) / 1000))
  }
  note(call, answer.status, sendJson(call.request, call.response, answer, headers))
}

/** Sends a 429 without quota headers: the store or the endpoint is overloaded. */
export function sendOverloaded(call: RequestLine): void {
  sendBare(call, errorOf(call, 429, 'Too many requests'))
}

/** Sends an answer without quota headers. */
export function sendBare(call: RequestLine, answer: SandboxAnswer): void {
  note(call, answer.status, sendJson(call.request, call.response, answer, {}))
}

/** Announces the whole body, sends half of it, and cuts the connection. */
export function sendHalf(call: RequestLine, answer: SandboxAnswer): void {
  const text = Buffer.from(JSON.stringify(answer.body ?? {}))
  call.response.writeHead(answer.status, {
    ...call.host.quota.headers(),
    'Content-Type': 'application/json',
    'Content-Length': text.length,
  })
  const half = text.subarray(0, Math.floor(text.length / 2))
  call.response.write(half, () => call.response.destroy())
  note(call, answer.status, half.length)
}

/** Sends what a proxy or firewall in front of the platform might answer. */
export function sendPage(call: RequestLine): void {
  const text = Buffer.from('<!doctype html><title>Checking your browser</title>')
  call.response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': text.length }).end(text)
  note(call, 200, text.length)
}

function note(call: RequestLine, status: number, bytes: number): void {
  call.entry.status = status
  call.entry.bytes = bytes
  call.entry.ms = Math.round((performance.now() - call.startedMs) * 10) / 10
}

/** @returns the size of the body as sent */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  answer: SandboxAnswer,
  headers: Record<string, string>,
): number {
  if (response.destroyed) return 0
  if (answer.body === undefined) {
    response.writeHead(answer.status, headers).end()
    return 0
  }
  const text = Buffer.from(JSON.stringify(answer.body))
  const packed = text.length > LEAST_PACKED_BYTES && takesGzip(request)
  const bytes = packed ? gzipSync(text, { level: constants.Z_BEST_SPEED }) : text
  const packing: Record<string, string> = packed ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}
  response.writeHead(answer.status, {
    ...headers,
    ...packing,
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  })
  response.end(bytes)
  return request.method === 'HEAD' ? 0 : bytes.length
}

/** Whether Accept-Encoding has `gzip` or `*`, with a weight other than 0. */
function takesGzip(request: IncomingMessage): boolean {
  const codings = String(request.headers['accept-encoding'] ?? '').split(',')
  return codings.some((accepted) => {
    const [coding = '', ...parameters] = accepted.split(';').map((part) => part.trim().toLowerCase())
    return (coding === 'gzip' || coding === '*') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
