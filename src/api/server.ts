import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import underPressure from '@fastify/under-pressure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
} from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import helmet from 'helmet'
import { createAccessTokens, whereToGetOne } from '../accounts/access-tokens.ts'
import { addressKey } from '../accounts/address-key.ts'
import type { Administrator, Caller, SignedIn } from '../accounts/caller.ts'
import { endedSessionCookie, readSessionCookie } from '../accounts/session-cookie.ts'
import { type OperationName, operationPermissions, type RequiredPermission } from '../contract/accounts/permissions.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import { addToolEndpoint, challenge, mcpPath } from '../mcp/endpoint.ts'
import { ourTools, type ToolSet } from '../mcp/protocol.ts'
import { addAuthorisationServer, authorisationPaths } from '../oauth/authorisation-server.ts'
import type { Deps } from '../operations/shared/operation.ts'
import { perform } from '../operations/shared/perform.ts'
import type { Outbound } from '../outbound.ts'
import { type AnsweredRequest, runOf } from './answered-request.ts'
import { authenticate, authenticateAdministrator, authenticatePerson, readBearerToken } from './authenticate.ts'
import { answerOddRequests, answerUnreadable, servedMethods } from './client-errors.ts'
import { createErrorHandler, nameRequest, reveal } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { addHealth, healthPaths } from './health.ts'
import { readOnlyJson } from './json-bodies.ts'
import { type FileFormat, linesOf, mediaTypeOf, type Page } from './list-file.ts'
import { describeApi, descriptionPath, routeSchema, showDescription } from './open-api.ts'
import { appPaths } from './pages/app-callbacks.ts'
import { visitorOf } from './pages/page-answers.ts'
import { addPages, answerErrorPage, pagePaths } from './pages/pages.ts'
import { addPortal, answerNotFound, portalPaths } from './portal.ts'
import type { PortalBuild } from './portal-build.ts'
import { RequestRate } from './request-rate.ts'
import { routeInput } from './route-input.ts'
import { type Route, routes } from './routes.ts'

export interface ServerDeps extends Deps {
  /** Whether the process can do its work at this moment. */
  isReady(): Promise<boolean>
  /** Called after every answer, with the route's pattern and never an address. */
  onAnswered?(answer: AnsweredRequest): void
  /** Proxies whose X-Forwarded-For is trusted (S10); none by default. */
  trustedProxies?: string[]
  /** A pino logger; without one, nothing is logged. */
  httpLog?: FastifyBaseLogger
  /** Sites whose pages may call the tool endpoint; none by default. */
  assistantOrigins?: string[]
  /** Fetches client metadata documents; without it, a client has to register. */
  clientDocuments?: Outbound
  /** By default the portal is served from its last build, if there is one. */
  portal?: PortalBuild
  /** The 30 tools by default. */
  toolSet?: ToolSet
  /** How long a caller may take and how many there may be; by default as in `limits`. */
  connections?: ConnectionLimits
}

export interface ConnectionLimits {
  headersSeconds: number
  requestSeconds: number
  keepAliveSeconds: number
  stalledSeconds: number
  connections: number
}

/** Committed, and checked against the routes by a test: generating it would block the event loop for half a second. */
const description = new URL('../../openapi.json', import.meta.url)

/**
 * S27. The referrer policy is deliberately not the strictest: with `no-referrer`, browsers send `Origin: null` with our
 * own forms, which we refuse (S24). Built once, because Fastify's plugin rebuilds every header for each request.
 */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
  },
  referrerPolicy: { policy: 'same-origin' },
})
/** Version of the API and of the tool endpoint. */
const interfaceVersion = '2.0.0'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; null on public routes. */
    caller: Caller | SignedIn | Administrator | null
  }
}

/** The HTTP server, not listening yet: tests inject requests, and `app.ts` chooses where to listen. */
export async function buildServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { siteUrl } = deps.settings
  const answerError = createErrorHandler(siteUrl)
  const { headersSeconds, requestSeconds, keepAliveSeconds, stalledSeconds, connections } = deps.connections ?? limits
  const app: FastifyInstance = Fastify({
    bodyLimit: limits.formBytes,
    // A slow body, an idle caller or one that does not read its responses must not keep a connection. Node checks the
    // first two at an interval, by default every 30 s.
    requestTimeout: requestSeconds * 1000,
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionTimeout: stalledSeconds * 1000,
    http: { headersTimeout: headersSeconds * 1000, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: answerUnreadable(siteUrl),
    // Fastify's own 503 would say neither why nor when to try again. Instead, the last request of a connection is answered.
    return503OnClosing: false,
    // Never the caller's own id: they could forge log lines or reuse the id of another request.
    genReqId: () => randomUUID(),
    // `logAnswers` logs requests instead.
    logController: new LogController({ disableRequestLogging: true }),
    // Hooks do not run for an address that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      nameRequest(request, reply)
      securityHeaders(request.raw, reply.raw, () =>
        answerError(error, request, reply.header('cache-control', 'no-store')),
      )
    },
    // As people type the address of the tools.
    rewriteUrl: ({ url = '/' }) => (url === `${mcpPath}/` ? mcpPath : url),
    trustProxy: deps.trustedProxies ?? false,
    ...(deps.httpLog && { loggerInstance: deps.httpLog }),
  })
  app.server.maxConnections = connections
  answerOddRequests(app.server, siteUrl)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNotFound)
  // Operations validate path, query and body together; Fastify would validate each part separately.
  app.setValidatorCompiler(() => (value) => ({ value }))
  app.setSerializerCompiler(serializerCompiler)
  readOnlyJson(app)
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => nameRequest(request, reply))
  refuseUnknownMethods(app)
  // A helmet failure goes to the error handler. Its type is unknown, hence the cast.
  app.addHook('onRequest', ({ raw }, reply, done) => securityHeaders(raw, reply.raw, (error) => done(error as Error)))
  await app.register(underPressure, { maxEventLoopDelay: 1_000 })
  guardHost(app, siteUrl)
  refuseCompressedBodies(app)
  logAnswers(app, deps.onAnswered)
  await describeApi(app)
  await showDescription(app)
  addHealth(app, deps.isReady)
  addServiceRoutes(app)
  await addPages(app, deps)
  await addPortal(app, deps)
  addRoutes(app, deps)
  await addTools(app, deps)
  refuseOtherMethods(app, deps.storeApp ? appPaths : [])
  return app
}

async function addTools(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const { database, clock, settings } = deps
  const rate = new RequestRate(clock, limits.requestsPerMinute)
  const liveRate = new RequestRate(clock, limits.liveCallsPerMinute)
  const authorisations = new RequestRate(clock, limits.authorisationsPerMinute)
  const accessTokens = createAccessTokens({ database, clock, siteUrl: settings.siteUrl })
  const wayIn = `Send an access token as "Authorization: Bearer <token>". ${whereToGetOne(settings.siteUrl)}`
  const readToken = (authorization: string | undefined) => readBearerToken(authorization, wayIn)
  await addAuthorisationServer(app, deps, {
    accessTokens,
    readToken,
    challenge,
    countAuthorisation: (address) => authorisations.count(addressKey(address)),
    reveal,
    answerErrorPage,
  })
  await addToolEndpoint(app, deps, {
    accessTokens,
    readToken,
    count: (token) => rate.count(token),
    origins: deps.assistantOrigins ?? [],
    toolSet: deps.toolSet ?? ourTools,
    countLive: (organisationId) => liveRate.count(organisationId),
    version: interfaceVersion,
  })
}

/** TRACE would repeat the caller's headers, and no address here accepts methods such as WebDAV's. */
function refuseUnknownMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method }, reply) => {
    if (methods.some((known) => known === method)) return
    reply.header('allow', servedMethods.join(', '))
    throw new ServiceError('method_not_allowed', 'Nothing here answers to this method.')
  })
}

/** Refuses requests for any other host (S10). Probes may use the IP address. */
function guardHost(app: FastifyInstance, siteUrl: string): void {
  const { host, hostname, port, protocol } = new URL(siteUrl)
  // Some clients name the port, even the one that everybody assumes.
  const names = [host, `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`]
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { url, headers, raw } = request
    // RFC 9112, 3.2. Node keeps the first, and a proxy may have looked at the other.
    if (raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1)
      throw new ServiceError('malformed_request', 'The request has more than one Host header.')
    // RFC 9112, 3.2.2: a host in the target counts instead of the header.
    const named = /^https?:/i.test(url) ? URL.parse(url)?.host : headers.host?.toLowerCase()
    if (healthPaths.includes(url) || names.includes(named ?? '')) return
    throw new ServiceError('misdirected_request', `This service is only available at ${siteUrl}.`)
  })
}

/** RFC 9110 section 15.5.16: a 415 for a coding names those that are accepted. */
function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (['identity', undefined].includes(headers['content-encoding']?.toLowerCase())) return
    reply.header('accept-encoding', 'identity')
    throw new ServiceError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.')
  })
}

/** Logs allow-listed fields only: the route's pattern and ids, never a URL or a header (S22). */
function logAnswers(app: FastifyInstance, onAnswered: ServerDeps['onAnswered']): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const { method, id: requestId } = request
    const [httpStatus, seconds] = [reply.statusCode, reply.elapsedTime / 1000]
    onAnswered?.({ method, route, httpStatus, seconds, requestId, run: runOf(request, reply) })
    request.log.info(
      {
        method,
        route,
        httpStatus: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        organisationId:
          request.caller && 'organisationId' in request.caller ? request.caller.organisationId : undefined,
      },
      'answered',
    )
  })
}

function addServiceRoutes(app: FastifyInstance): void {
  app.get(descriptionPath, { schema: { hide: true } }, async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(await readFile(description)),
  )
}

function addRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const rate = new RequestRate(deps.clock, limits.requestsPerMinute)
  const closing = new AbortController()
  // Open streams would prevent the server from closing.
  app.addHook('preClose', async () => closing.abort())
  for (const route of routes) addRoute(app, route, rate, closing.signal, deps)
}

function addRoute(app: FastifyInstance, route: Route, rate: RequestRate, closing: AbortSignal, deps: ServerDeps): void {
  const { method, path, operation, answer } = route
  const input = routeInput(route)
  app.route({
    method,
    url: path,
    // A long text takes the whole process for a while, so strangers may only send what they need.
    ...(operationPermissions[operation.name] !== 'public' && { bodyLimit: limits.bodyBytes }),
    exposeHeadRoute: typeof answer === 'number',
    schema: routeSchema(route, input),
    onRequest: async (request) => {
      request.caller = await admit(request, operation.name, rate, deps)
    },
    handler: async (request, reply) => {
      // `identify` returned the kind of caller that this operation's permission requires.
      const by = { ...request.caller, ...visitorOf(request) } as Parameters<typeof operation.run>[1]
      const given = input.merge(request)
      if (typeof answer === 'object')
        return sendFile(request, reply, { route, format: answer.file, given: Object(given), by }, deps)
      const performed = await perform(operation, given, by, deps)
      const { readSource, location, sessionEnded, events, nothingMore } = performed.beside
      // Without the second header, nginx would hold the events back until they fill a buffer.
      if (events)
        return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(eventStream(events, closing))
      if (nothingMore) return reply.code(204).send()
      if (sessionEnded) reply.header('set-cookie', endedSessionCookie())
      if (readSource !== undefined) reply.header('x-read-source', readSource)
      if (location !== undefined) reply.header('location', location)
      if (answer === 'events') throw new Error(`${operation.name} has answered without events.`)
      const { stored } = performed
      if (stored !== undefined)
        return reply.code(answer).type('application/json; charset=utf-8').serializer(String).send(stored)
      return reply.code(answer).send(answer === 204 ? undefined : performed.output)
    },
  })
}

interface File {
  route: Route
  format: FileFormat
  /** Path and query of the GET. */
  given: object
  by: Parameters<Route['operation']['run']>[1]
}

/**
 * Reads the first page before responding, so that a refusal still gets its status. Each further page authenticates the
 * caller again (S6).
 */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { route: { path, operation }, format, given, by }: File,
  deps: Deps,
): Promise<FastifyReply> {
  const page = async (cursor?: string) => {
    const requested = { ...given, limit: limits.maximumPageSize, ...(cursor && { cursor }) }
    const { output } = await perform(operation, requested, by, deps)
    // Only lists have file routes.
    return output as Page
  }
  const first = await page()
  const next = async (cursor: string): Promise<Page> => {
    await identify(request, operationPermissions[operation.name], deps)
    try {
      return await page(cursor)
    } catch (error) {
      const othersFirst = error instanceof ServiceError && error.code === 'unavailable'
      // Half a file is worth nothing, so it waits again, unless the caller has left.
      if (othersFirst && !request.raw.socket.destroyed) return next(cursor)
      throw error
    }
  }
  const lines = Readable.from(linesOf(format, first, next), { objectMode: false })
  // Proxies that speak HTTP/1.0 to us know no chunks: the end of the connection is the end of the list, except for a reset.
  if (request.raw.httpVersion === '1.0') lines.once('error', () => request.raw.socket.resetAndDestroy())
  return reply
    .type(`${mediaTypeOf(format)}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${path.slice(path.lastIndexOf('/') + 1)}"`)
    .send(lines)
}

/** Runs before the body is read, so that an anonymous caller learns nothing about errors in it. */
async function admit(request: FastifyRequest, operation: OperationName, rate: RequestRate, deps: Deps) {
  const caller = await identify(request, operationPermissions[operation], deps)
  const { authorization, cookie } = request.headers
  // How many logins may fail is counted in the database, of which a flood must not take all connections.
  if (caller === null) rate.count(addressKey(request.ip))
  // The token alone: its scheme may be written in many ways.
  else rate.count(authorization === undefined ? (readSessionCookie(cookie) ?? '') : readBearerToken(authorization))
  return caller
}

async function identify(request: FastifyRequest, permission: RequiredPermission, deps: Deps) {
  if (permission === 'public') return null
  if (permission === 'signed-in') return authenticatePerson(request, deps)
  if (permission === 'migrations.manage') return authenticateAdministrator(request, deps)
  return authenticate(request, deps)
}

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A known path with another method is 405 with `Allow`, not 404. */
function refuseOtherMethods(app: FastifyInstance, ofApp: readonly string[]): void {
  const ofRoutes = routes.map((route) => route.path)
  const paths = new Set([
    ...healthPaths,
    descriptionPath,
    ...pagePaths,
    ...ofApp,
    ...portalPaths,
    ...authorisationPaths,
    ...ofRoutes,
  ])
  for (const url of paths) {
    const allowed = methods.filter((method) => app.hasRoute({ method, url }))
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      schema: { hide: true },
      onRequest: async (_, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new ServiceError('method_not_allowed', `Use ${allowed.join(' or ')} at this address.`)
      },
      handler: () => undefined,
    })
  }
}
