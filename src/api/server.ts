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
import { createAccessTokens } from '../accounts/access-tokens.ts'
import type { Administrator, Caller, SignedIn, Visitor } from '../accounts/caller.ts'
import { endedSessionCookie, readSessionCookie } from '../accounts/session-cookie.ts'
import { type OperationName, operationPermissions, type RequiredPermission } from '../contract/permissions.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import { addToolEndpoint, challenge } from '../mcp/endpoint.ts'
import { ourTools, type ToolSet } from '../mcp/protocol.ts'
import { addAuthorisationServer, authorisationPaths } from '../oauth/authorisation-server.ts'
import type { Deps } from '../operations/shared/operation.ts'
import { perform } from '../operations/shared/perform.ts'
import type { Outbound } from '../outbound.ts'
import { authenticate, authenticateAdministrator, authenticatePerson, readBearerToken } from './authenticate.ts'
import { answerError, nameRequest } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { type FileFormat, linesOf, mediaTypeOf, type Page } from './list-file.ts'
import { describeApi, descriptionPath, routeSchema, showDescription } from './open-api.ts'
import { addPages, pagePaths } from './pages/pages.ts'
import { addPortal, answerNotFound, portalPaths } from './portal.ts'
import type { PortalBuild } from './portal-build.ts'
import { RequestRate } from './request-rate.ts'
import { routeInput } from './route-input.ts'
import { type Route, routes } from './routes.ts'

export interface ServerDeps extends Deps {
  /** Proxies whose word on the peer's address counts (S10); left out, none. */
  trustedProxies?: string[]
  /** A pino logger; left out, nothing is logged. */
  httpLog?: FastifyBaseLogger
  /** Sites whose pages may call the tool endpoint; left out, none. */
  assistantOrigins?: string[]
  /** By which documents of clients are read; left out, a client has to register. */
  clientDocuments?: Outbound
  /** Left out, the portal is served as it was built before, if it was. */
  portal?: PortalBuild
  /** Left out, the 30 tools. */
  toolSet?: ToolSet
}

/** Committed, and held to the routes by a test: making it takes half a second, in which nobody else would be answered. */
const description = new URL('../../openapi.json', import.meta.url)

/**
 * S27. The referrer policy is not the strictest one on purpose: with `no-referrer` browsers send `Origin: null` with our own forms,
 * which is refused (S24). Made once: the plugin of Fastify makes all of them anew for each request.
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
/** Of the API, and what the tool endpoint says of itself. */
const interfaceVersion = '2.0.0'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; null on public routes. */
    caller: Caller | SignedIn | Administrator | null
  }
}

/** The HTTP face: not listening yet, so that a test can inject and `app.ts` decides where. */
export async function buildServer(deps: ServerDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    bodyLimit: limits.bodyBytes,
    // A body that trickles in must not hold a connection.
    requestTimeout: 30_000,
    // Ours alone: a caller's would let them write into the log, and name the request of somebody else.
    genReqId: () => randomUUID(),
    // `logAnswers` says what is logged.
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerError,
    trustProxy: deps.trustedProxies ?? false,
    ...(deps.httpLog && { loggerInstance: deps.httpLog }),
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNotFound)
  // Operations judge their own input, path and body together; Fastify would judge the parts.
  app.setValidatorCompiler(() => (value) => ({ value }))
  app.setSerializerCompiler(serializerCompiler)
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => nameRequest(request, reply))
  // An error of its own reaches whoever asks instead of an answer without the headers; helmet declares it as unknown.
  app.addHook('onRequest', ({ raw }, reply, done) => securityHeaders(raw, reply.raw, (error) => done(error as Error)))
  await app.register(underPressure, { maxEventLoopDelay: 1_000, pressureHandler: refuseUnderPressure })
  guardHost(app, deps.settings.siteUrl)
  logAnswers(app)
  await describeApi(app)
  await showDescription(app)
  addServiceRoutes(app)
  await addPages(app, deps)
  await addPortal(app, deps)
  addRoutes(app, deps)
  await addTools(app, deps)
  refuseOtherMethods(app)
  return app
}

async function addTools(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const { database, clock, settings } = deps
  const rate = new RequestRate(clock, limits.requestsPerMinute)
  const liveRate = new RequestRate(clock, limits.liveCallsPerMinute)
  const accessTokens = createAccessTokens({ database, clock, siteUrl: settings.siteUrl })
  await addAuthorisationServer(app, deps, { accessTokens, readToken: readBearerToken, challenge })
  await addToolEndpoint(app, deps, {
    accessTokens,
    readToken: readBearerToken,
    count: (token) => rate.count(token),
    origins: deps.assistantOrigins ?? [],
    toolSet: deps.toolSet ?? ourTools,
    countLive: (organisationId) => liveRate.count(organisationId),
    version: interfaceVersion,
  })
}

function refuseUnderPressure(): never {
  throw new ServiceError('unavailable', 'The service is too busy at this moment. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
}

/** Absolute addresses come from the site URL only, and so must requests (S10). Health is asked by address. */
function guardHost(app: FastifyInstance, siteUrl: string): void {
  const { host } = new URL(siteUrl)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (request.url === '/health' || request.headers.host?.toLowerCase() === host) return
    throw new ServiceError('misdirected_request', `This service answers at ${siteUrl} only.`)
  })
}

/** By allow-list: the route's pattern and ids, never an address or a header (S22). */
function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
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
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get(descriptionPath, { schema: { hide: true } }, async (_, reply) =>
    reply.type('application/json; charset=utf-8').send(await readFile(description)),
  )
}

function addRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const rate = new RequestRate(deps.clock, limits.requestsPerMinute)
  const closing = new AbortController()
  // Streams would keep the server from ending.
  app.addHook('preClose', async () => closing.abort())
  for (const route of routes) addRoute(app, route, rate, closing.signal, deps)
}

function addRoute(app: FastifyInstance, route: Route, rate: RequestRate, closing: AbortSignal, deps: ServerDeps): void {
  const { method, path, operation, answer } = route
  const input = routeInput(route)
  app.route({
    method,
    url: path,
    exposeHeadRoute: typeof answer === 'number',
    schema: routeSchema(route, input),
    onRequest: async (request) => {
      request.caller = await admit(request, operation.name, rate, deps)
    },
    handler: async (request, reply) => {
      // The table decided which of them this one is; an operation looks only for what its kind of asker has.
      const by = { ...request.caller, ...visitorOf(request) } as Parameters<typeof operation.run>[1]
      const given = input.merge(request)
      if (typeof answer === 'object')
        return sendFile(request, reply, { route, format: answer.file, given: Object(given), by }, deps)
      const { output, beside } = await perform(operation, given, by, deps)
      const { readSource, location, sessionEnded, events, nothingMore } = beside
      if (events) return reply.type('text/event-stream').send(eventStream(events, closing))
      if (nothingMore) return reply.code(204).send()
      if (sessionEnded) reply.header('set-cookie', endedSessionCookie())
      if (readSource !== undefined) reply.header('x-read-source', readSource)
      if (location !== undefined) reply.header('location', location)
      if (answer === 'events') throw new Error(`${operation.name} has answered without events.`)
      return reply.code(answer).send(answer === 204 ? undefined : output)
    },
  })
}

interface File {
  route: Route
  format: FileFormat
  /** Of a GET: its path and its query. */
  given: object
  by: Parameters<Route['operation']['run']>[1]
}

/** The first page is asked for before the answer begins, so that a refusal is one; who is asking, before each of the others (S6). */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { route: { path, operation }, format, given, by }: File,
  deps: Deps,
): Promise<FastifyReply> {
  const page = async (cursor?: string) => {
    const requested = { ...given, limit: limits.maximumPageSize, ...(cursor && { cursor }) }
    const { output } = await perform(operation, requested, by, deps)
    // Only lists are made files.
    return output as Page
  }
  const first = await page()
  const next = async (cursor: string) => {
    await identify(request, operationPermissions[operation.name], deps)
    return page(cursor)
  }
  return reply
    .type(`${mediaTypeOf(format)}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${path.slice(path.lastIndexOf('/') + 1)}"`)
    .send(Readable.from(linesOf(format, first, next), { objectMode: false }))
}

/** Before the body is read: who does not say who they are learns nothing about what was wrong with it. */
async function admit(request: FastifyRequest, operation: OperationName, rate: RequestRate, deps: Deps) {
  const caller = await identify(request, operationPermissions[operation], deps)
  if (caller === null) return null
  rate.count(request.headers.authorization ?? readSessionCookie(request.headers.cookie) ?? '')
  return caller
}

async function identify(request: FastifyRequest, permission: RequiredPermission, deps: Deps) {
  if (permission === 'public') return null
  if (permission === 'signed-in') return authenticatePerson(request, deps)
  if (permission === 'migrations.manage') return authenticateAdministrator(request, deps)
  return authenticate(request, deps)
}

function visitorOf(request: FastifyRequest): Visitor {
  return { address: request.ip, cookieHeader: request.headers.cookie }
}

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A known address with another method is 405 with `Allow`, not 404. */
function refuseOtherMethods(app: FastifyInstance): void {
  const ofRoutes = routes.map((route) => route.path)
  const paths = new Set(['/health', descriptionPath, ...pagePaths, ...portalPaths, ...authorisationPaths, ...ofRoutes])
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
