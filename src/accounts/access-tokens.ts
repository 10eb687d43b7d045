import type { Clock } from '../clock.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Database } from '../db/core/database.ts'
import { findTokenAccess, noteUse } from '../db/oauth/oauth-connections.ts'
import type { ToolCaller } from './caller.ts'

export interface AccessTokens {
  /**
   * The caller behind an access token, as things stand on this request.
   *
   * @throws ServiceError `unauthorized`, one message for every cause.
   */
  verify(token: string): Promise<ToolCaller>
}

/** The one thing an access token of ours lets its bearer do. */
export const toolScope = 'mcp:read'

/** How exactly the time of the last use is known: a call must not become a write each time. */
const useNotedEveryMs = 60_000

/** Opaque tokens, looked up on every call: what was revoked ends at once. */
export function createAccessTokens(deps: { database: Database; clock: Clock; siteUrl: string }): AccessTokens {
  const { database, clock, siteUrl } = deps
  async function verify(token: string): Promise<ToolCaller> {
    const access = await findTokenAccess(database, token, clock.now())
    if (!access) throw refusal()
    const { userId, organisationId, role, payload, expiresAt, userName, organisationName } = access
    const scopes = (payload.scope ?? '').split(' ')
    if (payload.aud !== siteUrl || !scopes.includes(toolScope)) throw refusal()
    const lastUsedMs = access.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY
    if (clock.now().getTime() - lastUsedMs >= useNotedEveryMs) await noteUse(database, token, clock.now())
    const names = { userName, organisationName }
    return { userId, organisationId, role, oauthClientId: payload.clientId, scope: toolScope, expiresAt, ...names }
  }
  return { verify }
}

function refusal(): ServiceError {
  return new ServiceError('unauthorized', 'The access token is missing, expired or no longer valid. Connect again.')
}
