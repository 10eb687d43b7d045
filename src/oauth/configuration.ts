import { randomBytes } from 'node:crypto'
import { type Configuration, errors, interactionPolicy } from 'oidc-provider'
import { toolScope } from '../accounts/access-tokens.ts'
import type { Keyring } from '../accounts/encryption.ts'
import type { Clock } from '../clock.ts'
import { html, page } from '../contract/primitives/html.ts'
import { limits } from '../contract/primitives/limits.ts'
import type { Database } from '../db/core/database.ts'
import { isGrantUsable } from '../db/oauth/oauth-connections.ts'
import type { Outbound } from '../outbound.ts'
import { createAdapters } from './adapter.ts'
import { type ClientDocuments, createClientDocuments, isDocumentAddress } from './client-documents.ts'
import { admitDocument } from './registration.ts'
import { signingKeys } from './signing-keys.ts'

export interface OauthDeps {
  database: Database
  clock: Clock
  keyring: Keyring
  settings: { siteUrl: string }
  /** Fetches client metadata documents; without it, clients have to register. */
  clientDocuments?: Outbound
}

export const oauthPaths = {
  authorize: '/oauth/mcp/authorize',
  token: '/oauth/mcp/token',
  register: '/oauth/mcp/register',
  revoke: '/oauth/mcp/revoke',
  jwks: '/oauth/mcp/jwks',
  userinfo: '/oauth/mcp/userinfo',
  interaction: '/oauth/mcp/interaction',
} as const

export const clientIdPrefix = 'sfm_'

/** Cookies of the authorisation server. People sign in with the portal's session, not with these. */
export const oauthCookies = { session: 'storeferry_oauth', interaction: 'storeferry_ask', resume: 'storeferry_resume' }

/** The whole configuration of oidc-provider. Checks that it does not make are in `request-checks.ts`. */
export function configuration(deps: OauthDeps): Configuration {
  const { database, clock, keyring } = deps
  const documents = createClientDocuments(deps.clientDocuments, clock)
  return {
    // The library fetches nothing but client documents.
    fetch: documents.fetch,
    adapter: createAdapters({ database, clock }),
    jwks: signingKeys(keyring),
    cookies: {
      keys: [keyring.subkey('oauth cookies').toString('base64url')],
      names: oauthCookies,
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      registration: oauthPaths.register,
      revocation: oauthPaths.revoke,
      jwks: oauthPaths.jwks,
    },
    scopes: [toolScope],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    features: features(deps, documents),
    ttl: {
      AuthorizationCode: limits.authorizationCodeSeconds,
      AccessToken: limits.accessTokenSeconds,
      RefreshToken: limits.refreshTokenSeconds,
      // Longer than any refresh token: with the library's default of 14 days, later refreshes would fail.
      Grant: limits.grantSeconds,
      Interaction: limits.interactionSeconds,
      Session: limits.interactionSeconds,
      IdToken: limits.accessTokenSeconds,
    },
    rotateRefreshToken: true,
    // Clients of the older revisions never request offline_access.
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    interactions: { url: (_context, { uid }) => `${oauthPaths.interaction}/${uid}`, policy: interactionPolicy.base() },
    findAccount: async (_context, id, token) => {
      const grantId = token && 'grantId' in token ? token.grantId : undefined
      if (grantId !== undefined && !(await isGrantUsable(database, String(grantId), id))) return undefined
      return { accountId: id, claims: () => ({ sub: id }) }
    },
    clientBasedCORS: () => true,
    renderError,
  }
}

const renderError: Configuration['renderError'] = (context, { error, error_description }) => {
  context.type = 'text/html; charset=utf-8'
  const title = 'The assistant could not be connected'
  const problem =
    error === 'server_error'
      ? 'Something went wrong on our side. Wait a minute, then start again in the assistant.'
      : `${error}: ${error_description ?? 'start again in the assistant.'}`
  context.body = page({ title, problem, body: html`` })
}

function features(deps: OauthDeps, documents: ClientDocuments): Configuration['features'] {
  const { siteUrl } = deps.settings
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      idFactory: () => clientIdPrefix + randomBytes(15).toString('base64url'),
    },
    clientIdMetadataDocument: {
      enabled: deps.clientDocuments !== undefined,
      ack: 'draft-02',
      allowFetch: async ({ ip }, clientId) =>
        isDocumentAddress(clientId) && (documents.hasFailed(clientId) || (await admitDocument(deps, ip))),
      cacheDuration: { min: limits.clientDocumentSeconds, max: limits.unusedClientSeconds },
    },
    resourceIndicators: {
      enabled: true,
      // RFC 8707: every token is for one resource.
      defaultResource: (_context, _client, oneOf) => {
        if (oneOf) return oneOf
        throw new errors.InvalidTarget(`send resource=${siteUrl}`)
      },
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => {
        if (resource !== siteUrl) throw new errors.InvalidTarget(`resource must be ${siteUrl}`)
        const accessTokenTTL = limits.accessTokenSeconds
        return { scope: toolScope, audience: siteUrl, accessTokenTTL, accessTokenFormat: 'opaque' as const }
      },
    },
  }
}
