import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { AccessTokens } from '../accounts/access-tokens.ts'
import type { ToolCaller } from '../accounts/caller.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Deps } from '../operations/shared/operation.ts'
import type { CountLive } from './call-tool.ts'
import { answerTo, readDirectCall } from './direct-call.ts'
import { createProtocol, describeServer, type ToolSet } from './protocol.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set at `/mcp` before the body is read. */
    toolCaller: ToolCaller | null
  }
}

export interface ToolEndpointOptions {
  accessTokens: AccessTokens
  /** The token of an `Authorization` header. @throws ServiceError `unauthorized` */
  readToken(authorization: string | undefined): string
  /** Counts a request made with a token. @throws ServiceError `rate_limited` */
  count(token: string): void
  /** Other sites whose pages may call the endpoint. */
  origins: readonly string[]
  version: string
  toolSet: ToolSet
  countLive: CountLive
}

export const mcpPath = '/mcp'
/** CORS: what a page of another site may send. */
const allowedHeaders = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name'
const methods: HTTPMethods[] = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']

/** `POST /mcp`. The caller is authenticated before the body is read. */
export async function addToolEndpoint(app: FastifyInstance, deps: Deps, options: ToolEndpointOptions): Promise<void> {
  const { siteUrl } = deps.settings
  const protocol = createProtocol(deps, options.version, options.toolSet, options.countLive)
  app.decorateRequest('toolCaller', null)
  app.addHook('onClose', () => protocol.close())
  await app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      const unreadable = whyUnreadable(error)
      if (unreadable === undefined) throw error
      return reply
        .code(400)
        .type(json)
        .send(JSON.stringify(parseError(unreadable)))
    })
    scope.post(
      mcpPath,
      {
        schema: { hide: true },
        bodyLimit: limits.toolBodyBytes,
        onRequest: async (request, reply) => {
          admitOrigin(request, reply, siteUrl, options.origins)
          const caller = await authenticate(request, reply, siteUrl, options)
          request.toolCaller = caller
          request.caller = caller
        },
      },
      async (request, reply) => {
        const { toolCaller: caller, body } = request
        if (!caller) throw new ServiceError('unauthorized', 'Connect first.')
        if (Array.isArray(body) && body.length > limits.toolBatch)
          throw new ServiceError('payload_too_large', `Send at most ${limits.toolBatch} messages in one request.`)
        if (isListen(body))
          return reply
            .code(404)
            .type(json)
            .send(JSON.stringify(nothingToListenTo(body)))
        const direct = readDirectCall(request.headers, body)
        const result =
          direct && (await options.toolSet.call(direct.name, direct.given, caller, deps, options.countLive))
        if (direct && result)
          return reply.type(json).send(JSON.stringify(answerTo(direct, result, describeServer(options.version))))
        const answer = await protocol.answer(asWebRequest(request, siteUrl), body, caller)
        return send(reply, answer)
      },
    )
  })
  addOtherMethods(app, siteUrl, options.origins)
}

function addOtherMethods(app: FastifyInstance, siteUrl: string, origins: readonly string[]): void {
  // CORS preflight.
  app.options(mcpPath, { schema: { hide: true } }, async (request, reply) => {
    admitOrigin(request, reply, siteUrl, origins)
    reply.header('access-control-allow-methods', 'POST').header('access-control-allow-headers', allowedHeaders)
    return reply.header('allow', 'POST').code(204).send()
  })
  app.route({
    method: methods,
    url: mcpPath,
    schema: { hide: true },
    // Before authentication: there are no streams or sessions for any caller.
    onRequest: async (request, reply) => {
      reply.header('allow', 'POST')
      // So that a page can read that there is no stream.
      allowOrigin(request, reply, siteUrl, origins)
      throw new ServiceError('method_not_allowed', 'Use POST at this address.')
    },
    handler: () => undefined,
  })
}

const json = 'application/json; charset=utf-8'

/**
 * A page of another site must not use the tools of a signed-in visitor. Sites listed in the settings may call, without
 * cookies (S24). Programs send no Origin.
 */
function admitOrigin(request: FastifyRequest, reply: FastifyReply, siteUrl: string, origins: readonly string[]): void {
  if (!allowOrigin(request, reply, siteUrl, origins))
    throw new ServiceError('forbidden', 'Pages of other sites may not use this address.')
}

/** Lets a page of a listed site read the answer. @returns whether it may call */
function allowOrigin(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  siteUrl: string,
  origins: readonly string[],
): boolean {
  if (origins.length > 0) reply.header('vary', 'origin')
  if (origin === undefined || origin === siteUrl) return true
  if (!origins.includes(origin)) return false
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', 'www-authenticate, retry-after')
  return true
}

/** A refusal contains the resource metadata and what is wrong with the token. Source: RFC 9728, 5.1 and RFC 6750, 3. */
async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  siteUrl: string,
  { accessTokens, readToken, count }: ToolEndpointOptions,
): Promise<ToolCaller> {
  const { authorization } = request.headers
  try {
    const token = readToken(authorization)
    const caller = await accessTokens.verify(token)
    count(token)
    return caller
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized')
      reply.header('www-authenticate', challenge(siteUrl, authorization !== undefined))
    throw error
  }
}

/** The header of a 401 of the tool endpoint and of the health check. */
export function challenge(siteUrl: string, tokenSent: boolean): string {
  const parts = [
    ...(tokenSent ? ['error="invalid_token"'] : []),
    'scope="mcp:read"',
    `resource_metadata="${siteUrl}/.well-known/oauth-protected-resource"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/** The only headers that the protocol needs. */
const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'content-type'] as const

function asWebRequest({ headers, raw }: FastifyRequest, siteUrl: string): Request {
  // Without this, the protocol would refuse clients that only accept JSON, although we only send JSON.
  const kept = new Headers({ accept: 'application/json, text/event-stream' })
  for (const name of protocolHeaders) if (typeof headers[name] === 'string') kept.set(name, headers[name])
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.complete) gone.abort()
  })
  return new Request(`${siteUrl}${mcpPath}`, { method: 'POST', headers: kept, signal: gone.signal })
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  reply.code(answer.status)
  const body = await answer.text()
  // A notification gets a 202 without a body.
  if (body === '') return reply.send()
  return reply.type(json).send(body)
}

/** Source: JSON-RPC 2.0, 5.1. */
function parseError(message: string) {
  return { jsonrpc: '2.0', id: null, error: { code: -32700, message } }
}

/** Undefined for any other error. */
function whyUnreadable(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string }
  if (code === 'malformed_request') return message
  const isUnreadable =
    error instanceof SyntaxError || code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
  return isUnreadable ? 'Request body is not valid JSON.' : undefined
}

/** We never send notifications, so a stream would only hold a connection open. */
function isListen(body: unknown): body is { id?: unknown } {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'
}

function nothingToListenTo({ id }: { id?: unknown }) {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  return { jsonrpc: '2.0', id: known, error: { code: -32601, message: 'There are no notifications to subscribe to.' } }
}
