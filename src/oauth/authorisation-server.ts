import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Provider from 'oidc-provider'
import type { AccessTokens } from '../accounts/access-tokens.ts'
import { limits } from '../contract/primitives/limits.ts'
import { errorStatuses, ServiceError } from '../contract/service-error.ts'
import { configuration, oauthCookies, oauthPaths } from './configuration.ts'
import { handOver, requestOf, withoutCookies } from './hand-over.ts'
import { addInteractions, type InteractionDeps } from './interactions.ts'
import { addMetadata, allowAnyOrigin, metadataPaths } from './metadata.ts'
import { admitRegistration } from './registration.ts'
import {
  authorizeChecks,
  checked,
  namesOtherResource,
  namesSecret,
  readRegistration,
  tokenChecks,
} from './request-checks.ts'

/** Every path of the authorisation server and its metadata; with other methods they return a 405. */
export const authorisationPaths = [
  ...Object.values(oauthPaths).filter((path) => path !== oauthPaths.interaction),
  `${oauthPaths.interaction}/:uid`,
  `${oauthPaths.authorize}/:uid`,
  ...metadataPaths,
]

export interface AuthorisationOptions {
  accessTokens: AccessTokens
  readToken(authorization: string | undefined): string
  challenge(siteUrl: string, tokenSent: boolean): string
  /** Counts an authorisation or a registration that is begun from an address. @throws ServiceError `rate_limited` */
  countAuthorisation(address: string): void
  /** Logs an unexpected error. @returns what a caller may know of it */
  reveal(error: unknown, request: FastifyRequest): ServiceError
  /** Answers a person's browser. */
  answerErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void
}

const hidden = { schema: { hide: true } }
const form = 'application/x-www-form-urlencoded'
const json = 'application/json; charset=utf-8'
/** Source: RFC 6749, 5.2. */
const noSecrets = { error: 'invalid_client', error_description: 'clients have no secret: leave out client_secret' }

/** Source: RFC 8707, 2. */
const otherResource = (siteUrl: string) => ({
  error: 'invalid_target',
  error_description: `resource must be ${siteUrl}`,
})

/** The only authorisation server: oidc-provider, behind the checks it does not make itself. */
export async function addAuthorisationServer(
  app: FastifyInstance,
  deps: InteractionDeps,
  options: AuthorisationOptions,
): Promise<void> {
  const { siteUrl } = deps.settings
  const provider = new Provider(siteUrl, configuration(deps))
  // The library reads its own address from the proxy headers, which `handOver` sets.
  provider.proxy = true
  // Without this, the library only calls it a 500.
  provider.on('server_error', (context, error) => {
    const { code, retryAfterSeconds } = options.reveal(error, requestOf(context.req))
    context.status = errorStatuses[code]
    if (retryAfterSeconds !== undefined) context.set('retry-after', String(retryAfterSeconds))
  })
  addMetadata(app, deps)
  addHealthCheck(app, siteUrl, options)
  await app.register(async (scope) => {
    parseBodies(scope, '*', (body) => body)
    addLibraryAnswers(scope, provider, siteUrl)
    addAuthorize(scope, provider, siteUrl, options)
    addTokenEndpoints(scope, provider, siteUrl)
    addRegistration(scope, provider, deps, options)
  })
  await app.register(async (pages) => {
    parseBodies(pages, form, (body) => Object.fromEntries(new URLSearchParams(body)))
    pages.setErrorHandler(options.answerErrorPage)
    addInteractions(pages, provider, deps)
  })
}

/** Replaces all body parsers. oidc-provider reads bodies itself, so the checks get them as plain text. */
function parseBodies(scope: FastifyInstance, contentType: string, parse: (body: string) => unknown): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    contentType,
    { parseAs: 'string', bodyLimit: limits.formBytes },
    async (_: unknown, body: string) => parse(body),
  )
}

/** Requests that the library answers by itself. */
function addLibraryAnswers(scope: FastifyInstance, provider: Provider, siteUrl: string): void {
  const pass = (request: FastifyRequest, reply: FastifyReply) => handOver(provider, siteUrl, request, reply)
  scope.get(oauthPaths.jwks, hidden, pass)
  scope.options(oauthPaths.jwks, hidden, pass)
  scope.options(oauthPaths.token, hidden, pass)
}

function addAuthorize(
  scope: FastifyInstance,
  provider: Provider,
  siteUrl: string,
  { countAuthorisation, answerErrorPage }: Pick<AuthorisationOptions, 'countAuthorisation' | 'answerErrorPage'>,
): void {
  const shown = { ...hidden, errorHandler: answerErrorPage }
  scope.get(oauthPaths.authorize, shown, async (request, reply) => {
    countAuthorisation(request.ip)
    // Without library cookies: each authorisation begins with the person who is now signed in to the portal.
    const cookie = withoutCookies(request.headers.cookie, Object.values(oauthCookies))
    const query = checked(new URL(request.url, siteUrl).search, authorizeChecks, siteUrl)
    return handOver(provider, siteUrl, request, reply, { url: `${oauthPaths.authorize}?${query}`, cookie })
  })
  scope.get(`${oauthPaths.authorize}/:uid`, shown, (request, reply) => {
    // The interaction contains the person; the session of an earlier authorisation could contradict it.
    const cookie = withoutCookies(request.headers.cookie, [oauthCookies.session])
    return handOver(provider, siteUrl, request, reply, { cookie })
  })
}

function addTokenEndpoints(scope: FastifyInstance, provider: Provider, siteUrl: string): void {
  for (const path of [oauthPaths.token, oauthPaths.revoke]) {
    scope.post(path, hidden, (request, reply) => {
      const { origin = siteUrl } = request.headers
      // The library lets pages of any site read the response; we allow them only the token endpoint (S24).
      if (path === oauthPaths.revoke && origin !== siteUrl)
        throw new ServiceError('forbidden', 'Pages of other sites may not use this address.')
      const body = checked(String(request.body ?? ''), tokenChecks, siteUrl)
      const refuse = (httpStatus: number, error: object) => {
        if (path === oauthPaths.token) allowAnyOrigin(reply)
        return reply.code(httpStatus).header('cache-control', 'no-store').type(json).send(JSON.stringify(error))
      }
      if (namesSecret(body)) return refuse(401, noSecrets)
      if (path === oauthPaths.token && namesOtherResource(body, siteUrl)) return refuse(400, otherResource(siteUrl))
      const { 'content-type': contentType = form } = request.headers
      return handOver(provider, siteUrl, request, reply, { body, contentType })
    })
  }
}

function addRegistration(
  scope: FastifyInstance,
  provider: Provider,
  deps: InteractionDeps,
  { countAuthorisation }: Pick<AuthorisationOptions, 'countAuthorisation'>,
): void {
  scope.options(oauthPaths.register, hidden, async (_, reply) => allowAnyOrigin(reply).code(204).send())
  scope.post(oauthPaths.register, { ...hidden, bodyLimit: limits.registrationBytes }, async (request, reply) => {
    allowAnyOrigin(reply)
    // The limit of an hour is in the database, of which a flood must not take all connections.
    countAuthorisation(request.ip)
    const read = readRegistration(parsed(request.body))
    if ('error' in read) return reply.code(400).type(json).send(JSON.stringify(read))
    if (!(await admitRegistration(deps, request.ip)))
      throw new ServiceError('rate_limited', 'Too many clients were registered. Try again in an hour.', {
        retryAfterSeconds: 3_600,
      })
    const body = JSON.stringify(read.metadata)
    return handOver(provider, deps.settings.siteUrl, request, reply, { body, contentType: 'application/json' })
  })
}

/** Undefined if it is not JSON; the check then reports the missing fields. */
function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a token still works. The library's own endpoint refuses tokens with an audience. */
function addHealthCheck(app: FastifyInstance, siteUrl: string, options: AuthorisationOptions): void {
  app.get(oauthPaths.userinfo, hidden, async (request, reply) => {
    const { authorization } = request.headers
    try {
      const caller = await options.accessTokens.verify(options.readToken(authorization))
      const { userId: sub, organisationId: organization, role, scope, expiresAt } = caller
      const said = { sub, organization, role, scope, exp: Math.floor(expiresAt.getTime() / 1000) }
      return await reply.type(json).send(JSON.stringify(said))
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unauthorized')
        reply.header('www-authenticate', options.challenge(siteUrl, authorization !== undefined))
      throw error
    }
  })
}
