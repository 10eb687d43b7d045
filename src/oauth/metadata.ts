import type { FastifyInstance, FastifyReply } from 'fastify'
import { toolScope } from '../accounts/access-tokens.ts'
import { type OauthDeps, oauthPaths } from './configuration.ts'
import { grantTypes } from './request-checks.ts'

const hidden = { schema: { hide: true } }
const json = 'application/json; charset=utf-8'

/**
 * Clients look here first. The alternative, `/.well-known/openid-configuration`, would claim that we are an OpenID
 * provider (S37). Source: MCP 2025-11-25, Authorization Server Metadata Discovery.
 */
const serverPath = '/.well-known/oauth-authorization-server'
/** Clients look for the resource both with and without the path of the endpoint. */
const resourcePaths = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']
export const metadataPaths = [serverPath, ...resourcePaths]

/**
 * The documents by which clients discover us. Written here, because the library's own document promises OpenID Connect
 * (S37).
 */
export function addMetadata(app: FastifyInstance, deps: Pick<OauthDeps, 'settings' | 'clientDocuments'>): void {
  const { siteUrl } = deps.settings
  serve(app, [serverPath], describeServer(siteUrl, deps.clientDocuments !== undefined))
  serve(app, resourcePaths, describeResource(siteUrl))
}

/** Source: RFC 8414, 2. */
function describeServer(siteUrl: string, readsClientDocuments: boolean) {
  return {
    issuer: siteUrl,
    authorization_endpoint: `${siteUrl}${oauthPaths.authorize}`,
    token_endpoint: `${siteUrl}${oauthPaths.token}`,
    registration_endpoint: `${siteUrl}${oauthPaths.register}`,
    revocation_endpoint: `${siteUrl}${oauthPaths.revoke}`,
    jwks_uri: `${siteUrl}${oauthPaths.jwks}`,
    scopes_supported: [toolScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsClientDocuments,
  }
}

/** Source: RFC 9728, 2. */
function describeResource(siteUrl: string) {
  return {
    resource: siteUrl,
    authorization_servers: [siteUrl],
    scopes_supported: [toolScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Storeferry',
  }
}

function serve(app: FastifyInstance, paths: readonly string[], metadata: object): void {
  const body = JSON.stringify(metadata)
  for (const path of paths) {
    app.get(path, hidden, async (_, reply) => allowAnyOrigin(reply).type(json).send(body))
    app.options(path, hidden, async (_, reply) => allowAnyOrigin(reply).code(204).send())
  }
}

/** CORS without credentials: these requests carry a token or a code and need no cookie (S24). */
export function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, POST')
    .header('access-control-allow-headers', 'authorization, content-type, mcp-protocol-version')
}
