import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { handleAdmin } from './admin.ts'
import { errorBody, Refusal, v2Error, v3Error } from './answers.ts'
import type { Fault } from './faults.ts'
import { isMissing, isResized, pngFor } from './images.ts'
import type { RequestEntry } from './request-log.ts'
import type { SandboxAnswer, SandboxRoute } from './resource.ts'
import type { Router } from './router.ts'
import { isAllowed } from './scopes.ts'
import type { Routed, StoreHost } from './store-host.ts'

export interface LatencyMs {
  read: number
  write: number
  heavy: number
}

export interface ServerParts {
  hosts: Map<string, StoreHost>
  router: Router
  latencyMs: LatencyMs
  random: () => number
  adminToken: string | undefined
  /** Ends waiting answers when the sandbox closes. */
  closing: AbortSignal
}

/** One API call on its way through the checks. */
interface Call {
  host: StoreHost
  request: IncomingMessage
  response: ServerResponse
  entry: RequestEntry
  startedMs: number
  method: string
  path: string
  query: URLSearchParams
  rawBody: string
}

/** Larger bodies are refused; the platform's own limit for a JSON body is not published. */
const MOST_BODY_BYTES = 20_000_000

/** The share of the latency that jitter adds or takes away. */
const JITTER = 0.3

export function createSandboxServer(parts: ServerParts): Server {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    respond(parts, request, response).catch((error: unknown) => {
      process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
      if (!response.headersSent) sendJson(response, v3Error(500, 'Internal error of the sandbox'), {})
      else response.destroy()
    })
  })
  return server
}

async function respond(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/'
  const questionAt = url.indexOf('?')
  const path = questionAt === -1 ? url : url.slice(0, questionAt)
  const query = questionAt === -1 ? '' : url.slice(questionAt + 1)
  if (path.startsWith('/__sandbox/') && parts.adminToken !== undefined) {
    return serveAdmin(parts, parts.adminToken, request, response, path, query)
  }
  const [, stores, hash, ...rest] = path.split('/')
  const host = stores === 'stores' && hash !== undefined ? parts.hosts.get(hash) : undefined
  if (!host) return void sendJson(response, v3Error(404, 'The route is not found, check the URL'), {})
  if (rest[0] === 'images') return sendImage(host, request, response, rest.slice(1).join('/'))
  const below = `/${rest.join('/')}`
  const method = request.method ?? 'GET'
  const entry = host.log.arrived(method, below, query)
  const startedMs = performance.now()
  const rawBody = await readBody(request)
  if (rawBody === undefined) return
  if (rawBody === TOO_LARGE) return void sendJson(response, tooLarge(), host.quota.headers())
  await serve(parts, {
    host,
    request,
    response,
    entry,
    startedMs,
    method,
    path: below,
    query: new URLSearchParams(query),
    rawBody,
  })
}

async function serveAdmin(
  { hosts }: ServerParts,
  adminToken: string,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const rawBody = await readBody(request)
  if (rawBody === undefined) return
  const answer =
    rawBody === TOO_LARGE
      ? tooLarge()
      : handleAdmin({ hosts, adminToken }, request, path, new URLSearchParams(query), rawBody)
  sendJson(response, answer, {})
}

const TOO_LARGE = Symbol('too large')

/** undefined when the caller hung up while sending: nothing is applied then and nobody waits for an answer. */
function readBody(request: IncomingMessage): Promise<string | typeof TOO_LARGE | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BODY_BYTES) chunks.push(chunk)
    })
    request.on('end', () => resolve(bytes > MOST_BODY_BYTES ? TOO_LARGE : Buffer.concat(chunks).toString('utf8')))
    request.on('error', () => resolve(undefined))
  })
}

const tooLarge = () => v3Error(413, 'The request payload is too large.')

function sendImage(host: StoreHost, request: IncomingMessage, response: ServerResponse, file: string): void {
  const originalsOff = host.store.switches.serve_originals === false && !isResized(file)
  if ((request.method !== 'GET' && request.method !== 'HEAD') || file === '' || isMissing(file) || originalsOff) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found')
    return
  }
  const picture = pngFor(decodeURI(file))
  response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': picture.length }).end(picture)
}

const QUOTA_USED_UP = 'You have exceeded your API request quota. Please retry later.'

/** The checks in the order the platform makes them; the first that fails is the answer. */
async function serve(parts: ServerParts, call: Call): Promise<void> {
  const { host, request } = call
  const fail = (status: number, title: string) => send(call, errorOf(call, status, title))
  if (request.headers['x-auth-token'] !== host.token) return fail(401, 'Unauthorized')
  if (!host.quota.take()) return fail(429, QUOTA_USED_UP)
  const routed = parts.router.match(call.method, call.path)
  if (routed === 'no such path') return fail(404, 'The route is not found, check the URL')
  if (routed === 'wrong method') return send(call, methodNotAllowed(call))
  if (!isAllowed(routed.route, host.scopes)) return fail(403, "You don't have a required scope to access the endpoint")
  if (call.rawBody.length > 0 && !isJson(request)) return fail(415, 'Unsupported Media Type')
  const body = parseJson(call.rawBody)
  if (body === NOT_JSON) return fail(400, 'Input is invalid: the body is not JSON')
  if (asksForTooMany(call)) return fail(413, 'The request asks for too many objects.')
  if (!host.enter(routed.route)) return sendOverloaded(call)
  let left = false
  const leave = () => {
    if (!left) host.leave(routed.route)
    left = true
  }
  call.response.once('close', leave)
  try {
    await serveWithFault(parts, call, routed, body)
  } finally {
    leave()
  }
}

/** The largest page of a catalogue list; the sources do not say whether more is cut or refused (switch `over_limit`). */
const MOST_PER_PAGE = 250

function asksForTooMany({ host, method, query }: Call): boolean {
  if (host.store.switches.over_limit !== 'refuse' || method !== 'GET') return false
  return Number(query.get('limit') ?? 0) > MOST_PER_PAGE
}

/** Source: MethodNotAllowedError of the published products specification. */
function methodNotAllowed({ method, path }: Call): SandboxAnswer {
  const title = 'Method Not Allowed'
  if (path.startsWith('/v2/')) return v2Error(405, title)
  return { status: 405, body: { ...errorBody(405, title), detail: `${method} is not a method of this path` } }
}

function errorOf({ path }: Call, status: number, title: string): SandboxAnswer {
  return path.startsWith('/v2/') ? v2Error(status, title) : v3Error(status, title)
}

function isJson(request: IncomingMessage): boolean {
  return /^application\/([a-z.]+\+)?json\b/i.test(request.headers['content-type'] ?? '')
}

const NOT_JSON = Symbol('not JSON')

function parseJson(text: string): unknown {
  if (text.length === 0) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return NOT_JSON
  }
}

async function serveWithFault(parts: ServerParts, call: Call, routed: Routed, body: unknown): Promise<void> {
  const apply = () => handle(call, routed, body)
  const fault = call.host.faults.pick(call.method, call.path, call.rawBody)
  await sleep(latencyOf(parts, routed.route), parts.closing)
  if (parts.closing.aborted) return
  if (fault) return misbehave(parts, call, fault, apply)
  send(call, await apply())
}

function latencyOf(parts: ServerParts, route: SandboxRoute): number {
  const base = parts.latencyMs[route.latency]
  return base === 0 ? 0 : base * (1 + JITTER * (2 * parts.random() - 1))
}

function sleep(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (ms <= 0 || signal.aborted) return undefined
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

async function handle(call: Call, routed: Routed, body: unknown): Promise<SandboxAnswer> {
  const { host, method, query } = call
  try {
    return await routed.route.handle({
      store: host.store,
      clientId: host.clientId,
      scopes: host.scopes,
      method,
      params: routed.params,
      query,
      body,
      files: new Map(),
    })
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    throw error
  }
}

async function misbehave(
  parts: ServerParts,
  call: Call,
  fault: Fault,
  apply: () => Promise<SandboxAnswer>,
): Promise<void> {
  const cut = () => call.response.socket?.resetAndDestroy()
  const failed = (status: number) => send(call, errorOf(call, status, 'The sandbox was told to fail'))
  switch (fault.kind) {
    case 'hold_after_applying':
      return hold(call, await apply())
    case 'reset_after_applying':
      await apply()
      return void cut()
    case 'reset_before_applying':
      return void cut()
    case 'error_after_applying':
      await apply()
      return failed(fault.status ?? 500)
    case 'error_before_applying':
      return failed(fault.status ?? 503)
    case 'apply_late':
      await sleep((fault.seconds ?? 1) * 1000, parts.closing)
      if (parts.closing.aborted) return
      await apply()
      return void cut()
    case 'slow':
      await sleep((fault.seconds ?? 1) * 1000, parts.closing)
      return parts.closing.aborted ? undefined : send(call, await apply())
    case 'truncated_body':
      return sendHalf(call, await apply())
    case 'too_many_requests':
      return send(call, errorOf(call, 429, QUOTA_USED_UP))
    case 'overloaded':
      return sendOverloaded(call)
    case 'list_ends_early':
      return send(call, emptied(await apply()))
    default:
      fault.kind satisfies never
  }
}

/** Keeps the answer until it is released or the client has gone. */
function hold(call: Call, answer: SandboxAnswer): Promise<void> {
  return new Promise((resolve) => {
    const { held } = call.host
    const release = () => {
      held.delete(release)
      if (!call.response.destroyed) send(call, answer)
      resolve()
    }
    held.add(release)
    call.response.once('close', () => {
      held.delete(release)
      resolve()
    })
  })
}

/** The same total with no rows, as a list does when the platform loses its place. v2 lists end with 204. */
function emptied(answer: SandboxAnswer): SandboxAnswer {
  if (Array.isArray(answer.body)) return { status: 204 }
  const body = answer.body as { data?: unknown; meta?: { pagination?: Record<string, unknown> } } | undefined
  if (!body || !Array.isArray(body.data)) return answer
  const pagination = body.meta?.pagination
  const meta = pagination ? { ...body.meta, pagination: { ...pagination, count: 0 } } : body.meta
  return { status: answer.status, body: { ...body, data: [], meta } }
}

/** A 429 without quota headers: the store or the endpoint is overloaded. */
function sendOverloaded(call: Call): void {
  note(call, 429, sendJson(call.response, errorOf(call, 429, 'Too many requests'), {}))
}

function send(call: Call, answer: SandboxAnswer): void {
  const headers: Record<string, string> = call.host.quota.headers()
  if (answer.status === 429) {
    headers['X-Retry-After'] = String(Math.ceil(Number(headers['X-Rate-Limit-Time-Reset-Ms']) / 1000))
  }
  note(call, answer.status, sendJson(call.response, answer, headers))
}

/** Announces the whole body, sends half of it and cuts the connection. */
function sendHalf(call: Call, answer: SandboxAnswer): void {
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

function note(call: Call, status: number, bytes: number): void {
  call.entry.status = status
  call.entry.bytes = bytes
  call.entry.ms = Math.round((performance.now() - call.startedMs) * 10) / 10
}

function sendJson(response: ServerResponse, answer: SandboxAnswer, headers: Record<string, string>): number {
  if (response.destroyed) return 0
  if (answer.body === undefined) {
    response.writeHead(answer.status, headers).end()
    return 0
  }
  const text = Buffer.from(JSON.stringify(answer.body))
  response
    .writeHead(answer.status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': text.length })
    .end(text)
  return text.length
}
