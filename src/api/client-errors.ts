import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorStatuses } from '../contract/service-error.ts'
import { helpLink } from './errors.ts'

/** Methods that at least one address accepts. */
export const servedMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] as const

interface Refusal {
  code: ErrorCode
  message: string
}

/**
 * Why Node cannot read a request. Source: Node documentation, "Event: 'clientError'", and the error codes of llhttp.
 */
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers are too large. Send fewer or shorter ones.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'payload_too_large', message: 'The chunk extensions are too large.' },
  HPE_INVALID_METHOD: { code: 'method_not_allowed', message: 'There is no such method.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The request did not arrive completely in time.' },
}
const unreadable: Refusal = { code: 'malformed_request', message: 'This is not a valid HTTP request.' }

/** Answers a request that Node cannot parse with an ordinary error response, and closes the connection. */
export function answerUnreadable(siteUrl: string): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refuse(socket, siteUrl, refusals[error.code ?? ''] ?? unreadable)
  }
}

/** What Node does not treat as a request, or would answer by itself. */
export function answerOddRequests(server: Server, siteUrl: string): void {
  server.on('connect', refuseTunnel(siteUrl))
  // Node would answer 417 without a body. Source: RFC 9110, 10.1.1, which lets a server ignore what it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Refuses CONNECT, which Node does not treat as a request: it would close the connection without a response. */
function refuseTunnel(siteUrl: string): (request: unknown, socket: Duplex) => void {
  return (_, socket) => {
    // Node no longer handles errors of this connection; an unhandled one would end the process.
    socket.on('error', () => socket.destroy())
    refuse(socket, siteUrl, { code: 'method_not_allowed', message: 'Nothing here answers to this method.' })
  }
}

function refuse(socket: Duplex, siteUrl: string, { code, message }: Refusal): void {
  const body = JSON.stringify({ error: code, message })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': randomUUID(),
    link: helpLink(siteUrl, code),
    ...(code === 'method_not_allowed' && { allow: servedMethods.join(', ') }),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Without the reason phrase, which HTTP makes optional (RFC 9112, 4).
  const answer = `HTTP/1.1 ${errorStatuses[code]} \r\n${lines.join('')}\r\n${body}`
  // Without waiting for the rest of the request.
  socket.end(answer, () => socket.destroy())
}
