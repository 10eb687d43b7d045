import type { BearerTokens } from '../accounts/bearer-tokens.ts'
import type { Caller } from '../accounts/caller.ts'
import { ServiceError } from '../contract/service-error.ts'

/** RFC 6750, 2.1; the scheme is compared without case (RFC 9110, 11.1). */
const bearer = /^Bearer +([\w.~+/-]+=*) *$/i

/** @returns the token of an `Authorization` header. @throws ServiceError `unauthorized`. */
export function readBearerToken(authorization: string | undefined): string {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw new ServiceError('unauthorized', 'Send the bearer token of POST /v2/login as "Authorization: Bearer <token>".')
}

/** The caller behind a request, verified now; @throws ServiceError `unauthorized` or `store_migration_disabled`. */
export function authenticate(authorization: string | undefined, bearerTokens: BearerTokens): Promise<Caller> {
  return bearerTokens.verify(readBearerToken(authorization))
}
