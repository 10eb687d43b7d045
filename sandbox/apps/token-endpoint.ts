import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SandboxAnswer } from '../http/resource.ts'
import type { StoreHost } from '../server/store-host.ts'
import { type App, type Apps, grantToken } from './apps.ts'
import { OWNER } from './people.ts'

/** Where apps exchange codes: on the platform at login.bigcommerce.com. */
export const TOKEN_PATH = '/oauth2/token'

interface TokenParts {
  apps: Apps
  hosts: Map<string, StoreHost>
}

/**
 * Exchanges the code of an installation for a token.
 *
 * Source: BigCommerce "Single-Click App OAuth Flow". It shows no refusals; these are of RFC 6749, 5.2.
 */
export function exchangeCode({ apps, hosts }: TokenParts, request: IncomingMessage, text: string): SandboxAnswer {
  if (request.method !== 'POST') return refusal(405, 'invalid_request', 'The token endpoint accepts POST only')
  const body = bodyOf(request, text)
  if (!body) return refusal(400, 'invalid_request', 'The body is neither a JSON object nor a form')
  const app = apps.named(String(body.client_id))
  if (!app || !isSame(body.client_secret, app.clientSecret))
    return refusal(401, 'invalid_client', 'The client id or the client secret is wrong')
  if (app.tokenStatus !== undefined) return refusal(app.tokenStatus, 'server_error', 'Try again later')
  if (body.grant_type !== 'authorization_code')
    return refusal(400, 'unsupported_grant_type', 'grant_type must be authorization_code')
  return redeem({ apps, hosts }, app, body)
}

function redeem({ apps, hosts }: TokenParts, app: App, body: Record<string, unknown>): SandboxAnswer {
  const code = apps.redeem(String(body.code))
  if (!code || code.clientId !== app.clientId)
    return refusal(400, 'invalid_grant', 'The code is unknown, was used, or has expired')
  if (body.context !== `stores/${code.hash}`)
    return refusal(400, 'invalid_grant', 'The context is not that of the code')
  if (body.redirect_uri !== app.callbacks.auth)
    return refusal(400, 'invalid_grant', 'redirect_uri is not the auth callback of the app')
  if (body.scope !== code.scope) return refusal(400, 'invalid_scope', 'The scope is not that of the code')
  const host = hosts.get(code.hash)
  const token = host && grantToken(app, host)
  if (token === undefined) return refusal(400, 'invalid_grant', 'The store is gone, or has uninstalled the app')
  const person = { ...OWNER, username: OWNER.email }
  return {
    status: 200,
    body: {
      access_token: token,
      scope: code.scope,
      user: person,
      owner: person,
      context: `stores/${code.hash}`,
      account_uuid: app.accountUuid,
    },
  }
}

function bodyOf({ headers }: IncomingMessage, text: string): Record<string, unknown> | undefined {
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Compares digests, so that the time of an answer reveals nothing. */
function isSame(given: unknown, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected))
}

function refusal(status: number, error: string, error_description: string): SandboxAnswer {
  return { status, body: { error, error_description } }
}
