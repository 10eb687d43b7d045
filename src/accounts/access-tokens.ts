import type { Clock } from '../clock.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Database } from '../db/core/database.ts'
import { findTokenAccess, noteUse } from '../db/oauth/oauth-connections.ts'
import type { ToolCaller } from './caller.ts'

export interface AccessTokens {
  /**
   * Finds the caller behind an access token. The token is verified now.
   *
   * @throws ServiceError `unauthorized`, with the same message for every cause
   */
  verify(token: string): Promise<ToolCaller>
}

/** The only scope that our access tokens have. */
export const toolScope = 'mcp:read'

/** How often the last use is recorded. More often, every call would write to the database. */
const useNotedEveryMs = 60_000

/** Access tokens are opaque and looked up on every call, so a revocation takes effect at once. */
export function createAccessTokens(deps: { database: Database; clock: Clock; siteUrl: string }): AccessTokens {
  const { database, clock, siteUrl } = deps
  async function verify(token: string): Promise<ToolCaller> {
    const access = await findTokenAccess(database, token, clock.now())
    if (!access) throw refusal(siteUrl)
    const { userId, organisationId, role, payload, expiresAt, userName, organisationName } = access
    const scopes = (payload.scope ?? '').split(' ')
    if (payload.aud !== siteUrl || !scopes.includes(toolScope)) throw refusal(siteUrl)
    const lastUsedMs = access.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY
    if (clock.now().getTime() - lastUsedMs >= useNotedEveryMs) await noteUse(database, token, clock.now())
    const names = { userName, organisationName }
    return { userId, organisationId, role, oauthClientId: payload.clientId, scope: toolScope, expiresAt, ...names }
  }
  return { verify }
}

function refusal(siteUrl: string): ServiceError {
  return new ServiceError(
    'unauthorized',
    `The access token is expired, no longer valid, or not one for assistants. Refresh it, or connect again: ${whereToGetOne(siteUrl)}`,
  )
}

/** Where assistants get a token, which is not where API clients get theirs (S37). */
export function whereToGetOne(siteUrl: string): string {
  return `${siteUrl}/.well-known/oauth-protected-resource says where to get an access token.`
}
