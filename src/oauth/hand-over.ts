import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'

const handedOver = new WeakMap<IncomingMessage, FastifyRequest>()

/** The request that the library answers, of which it sees only a part. */
export function requestOf(seen: IncomingMessage): FastifyRequest {
  const request = handedOver.get(seen)
  if (request) return request
  throw new Error('The library answers a request that it was not given.')
}

interface Changes {
  /** Path and query. */
  url?: string
  body?: string
  contentType?: string
  /** `Cookie` header of the request as the library sees it. */
  cookie?: string
}

/**
 * Passes a request to oidc-provider, with the checked body and this service's own address, whatever the request
 * contained (S10).
 */
export async function handOver(
  provider: Provider,
  siteUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
  changes: Changes = {},
): Promise<FastifyReply> {
  const { raw } = request
  const { host, protocol } = new URL(siteUrl)
  const body = Buffer.from(changes.body ?? '')
  const { 'transfer-encoding': _, ...kept } = raw.headers
  const headers: IncomingMessage['headers'] = {
    ...kept,
    host,
    'x-forwarded-for': request.ip,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'content-length': String(body.length),
    ...(changes.contentType && { 'content-type': changes.contentType }),
    ...(changes.cookie !== undefined && { cookie: changes.cookie }),
  }
  const { method, socket, httpVersion, httpVersionMajor, httpVersionMinor } = raw
  const seen = Object.assign(Readable.from(body.length > 0 ? [body] : [], { objectMode: false }), {
    method,
    headers,
    url: changes.url ?? raw.url,
    socket,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
  })
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  // The library reads no other parts of a request.
  const passed = seen as unknown as IncomingMessage
  handedOver.set(passed, request)
  await provider.callback()(passed, reply.raw)
  return reply
}

/** A `Cookie` header without the given cookies and their signatures. */
export function withoutCookies(header: string | undefined, names: readonly string[]): string {
  return (header ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !names.some((name) => one.startsWith(`${name}=`) || one.startsWith(`${name}.`)))
    .join('; ')
}
