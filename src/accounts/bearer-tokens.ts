import { randomUUID } from 'node:crypto'
import { errors, type JWTVerifyResult, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import { ServiceError } from '../contract/service-error.ts'
import { findCallerAccess } from '../db/accounts/api-credentials.ts'
import { insertBearerToken } from '../db/accounts/bearer-tokens.ts'
import type { Database } from '../db/core/database.ts'
import type { BearerCaller } from './caller.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface BearerTokens {
  issue(login: Login): Promise<{ token: string; expiresAt: Date }>
  /**
   * Finds the caller behind a token. The token proves who requested it; the database decides whether it is still valid.
   *
   * @throws ServiceError `unauthorized` with the same message for every cause, or `store_migration_disabled`
   */
  verify(token: string): Promise<BearerCaller>
}

interface Login {
  userId: string
  organisationId: string
  secretVersion: number
  /** The person's generation: the token is not valid for a membership that ended after it was issued (S31). */
  generation: number
  tokensSince?: Date
  /** The address from which the person logged in. */
  address?: string
}

type TokenClaims = Pick<BearerCaller, 'userId' | 'organisationId' | 'secretVersion' | 'tokenId'>

interface Deps {
  database: Database
  clock: Clock
  signingKeys: SigningKeys
  siteUrl: string
}

/** Exactly our claims. A token with any others is not ours. */
const payload = z.object({
  sub: z.uuid(),
  org: z.uuid(),
  version: z.int().min(1),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
})

/** How far the clocks of two servers may differ (S7). */
const toleranceSeconds = 5

/** EdDSA JWTs with nothing left open (S7): typ, iss, aud and the lifetime in the specification are fixed. */
export function createBearerTokens({ database, clock, signingKeys, siteUrl }: Deps): BearerTokens {
  const issuer = siteUrl
  const audience = `${siteUrl}/v2`

  async function issue({ userId, organisationId, secretVersion, generation, tokensSince, address }: Login) {
    const id = randomUUID()
    const { kid, privateKey } = await signingKeys.current()
    // `iat` is in whole seconds. A token issued in the same second as a password change must not count as older.
    const issuedAt = Math.max(Math.floor(clock.now().getTime() / 1000), secondAfter(tokensSince))
    const expiresAt = issuedAt + limits.bearerTokenSeconds
    const token = await new SignJWT({ org: organisationId, version: secretVersion })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setJti(id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey)
    const times = { issuedAt: new Date(issuedAt * 1000), expiresAt: new Date(expiresAt * 1000) }
    const issued = { id, organisationId, userId, secretVersion, generation, address: address ?? null, ...times }
    // An expired token still counts as in use until its expiry is beyond the tolerance.
    await insertBearerToken(database, issued, new Date(clock.now().getTime() - 2 * toleranceSeconds * 1000))
    return { token, expiresAt: times.expiresAt }
  }

  async function verify(token: string): Promise<BearerCaller> {
    const { claims, ...proof } = await readClaims(token)
    const access = await findCallerAccess(database, {
      ...claims,
      ...proof,
      keysRetiredAfter: signingKeys.retiredAfter(),
    })
    if (!access) throw refusal()
    if (!access.storeMigrationEnabled) {
      throw new ServiceError('store_migration_disabled', 'Store Migration is not enabled for this organisation.')
    }
    return { ...claims, role: access.role }
  }

  async function readClaims(token: string): Promise<VerifiedClaims> {
    try {
      const verified = await jwtVerify(token, ({ kid }) => signingKeys.publicKey(kid), {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        issuer,
        audience,
        clockTolerance: toleranceSeconds,
        currentDate: clock.now(),
        requiredClaims: ['iat', 'exp', 'sub', 'org', 'version', 'jti'],
      })
      return claimsOf(verified, clock.now())
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw refusal(error)
      throw error
    }
  }

  return { issue, verify }
}

interface VerifiedClaims {
  claims: TokenClaims
  kid: string
  issuedAt: Date
}

function claimsOf({ payload: unparsed, protectedHeader }: JWTVerifyResult, now: Date): VerifiedClaims {
  const { sub, org, version, iat, jti } = payload.parse(unparsed)
  if (iat > now.getTime() / 1000 + toleranceSeconds) throw new errors.JWTInvalid('issued in the future')
  // `publicKey` has just found the key with this id.
  const kid = protectedHeader.kid ?? ''
  const claims = { userId: sub, organisationId: org, secretVersion: version, tokenId: jti }
  return { claims, kid, issuedAt: new Date(iat * 1000) }
}

function secondAfter(moment: Date | undefined): number {
  return moment === undefined ? 0 : Math.ceil(moment.getTime() / 1000)
}

function refusal(cause?: unknown): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The bearer token is expired, no longer valid, or not one of the API. Log in again with POST /v2/login.',
    {
      cause,
    },
  )
}
