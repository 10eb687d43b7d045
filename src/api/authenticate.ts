import type { Administrator, Caller, SignedIn } from '../accounts/caller.ts'
import { requireSameOrigin } from '../accounts/same-origin.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Deps } from '../operations/shared/operation.ts'

export interface HttpCaller {
  method: string
  headers: Record<string, string | string[] | undefined> & { authorization?: string; cookie?: string; origin?: string }
}

type Needed = Pick<Deps, 'bearerTokens' | 'sessions' | 'memberships' | 'settings'>

/** Chooses the organisation of a request made with a session cookie (S18). */
const organisationHeader = 'storeferry-organization'

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
const bearer = /^Bearer +([\w.~+/-]+=*) *$/i

const ofLogin = 'Send the bearer token of POST /v2/login as "Authorization: Bearer <token>".'

/** @returns the token of an `Authorization` header. @throws ServiceError `unauthorized`, with how to get a token */
export function readBearerToken(authorization: string | undefined, wayIn = ofLogin): string {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw new ServiceError('unauthorized', wayIn)
}

/**
 * The member behind a request, verified now, by bearer token or by session cookie. With an `Authorization` header the
 * cookie is ignored (S24).
 *
 * @throws ServiceError `unauthorized`, `forbidden` or `store_migration_disabled`
 */
export async function authenticate(request: HttpCaller, deps: Needed): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization !== undefined) return deps.bearerTokens.verify(readBearerToken(authorization))
  const signedIn = await requireSignedIn(request, deps)
  const member = await deps.memberships.choose(signedIn, one(request.headers[organisationHeader]))
  const { sessionHash, provedAt } = signedIn
  return { ...member, sessionHash, provedAt }
}

/** The person behind a session cookie. @throws ServiceError `unauthorized` or `forbidden` */
export async function authenticatePerson(request: HttpCaller, deps: Needed): Promise<SignedIn> {
  const { authorization } = request.headers
  if (authorization === undefined) return requireSignedIn(request, deps)
  await deps.bearerTokens.verify(readBearerToken(authorization))
  throw new ServiceError('forbidden', 'Not available with a bearer token. Sign in to the portal.')
}

/** One of the platform's own staff; no organisation role is enough (S4). */
export async function authenticateAdministrator(request: HttpCaller, deps: Needed): Promise<Administrator> {
  const { user, sessionHash, provedAt, hasSecondStep } = await authenticatePerson(request, deps)
  if (!user.isAdministrator)
    throw new ServiceError('forbidden', 'Only administrators of the platform may do this (migrations.manage).')
  if (hasSecondStep || !deps.settings.administratorSecondStep) return { userId: user.id, sessionHash, provedAt }
  throw new ServiceError(
    'second_step_required',
    'Administrators sign in with a second step. Turn it on in your profile, then come back.',
  )
}

async function requireSignedIn(request: HttpCaller, { sessions, settings }: Needed): Promise<SignedIn> {
  const signedIn = await sessions.find(request.headers.cookie)
  if (!signedIn) {
    throw new ServiceError(
      'unauthorized',
      'Send the bearer token of POST /v2/login as "Authorization: Bearer <token>", or sign in to the portal.',
    )
  }
  requireSameOrigin(request, settings.siteUrl)
  return signedIn
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}
