import { createHash, randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { aSession, cookieOf, type Service, siteUrl, submit } from '../api/a-service.ts'

export const redirectUri = 'http://127.0.0.1:7788/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
}

/** What a client sends and what comes back, step by step, so that a test can change any of them. */
export interface Assistant {
  clientId: string
  verifier: string
  /** The parameters of `authorize`, as a good client sends them. */
  parameters: Record<string, string>
}

export function register(service: Service, changes: Record<string, unknown> = {}, remoteAddress = '192.0.2.1') {
  const payload = {
    client_name: 'A test',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    ...changes,
  }
  return service.inject({ method: 'POST', url: '/oauth/mcp/register', payload, remoteAddress })
}

export async function anAssistant(service: Service, changes: Record<string, unknown> = {}): Promise<Assistant> {
  // From an address of its own: a test makes more clients than one address may.
  const address = `192.0.2.${1 + Math.floor(Math.random() * 250)}`
  const registered = await register(service, changes, address)
  if (registered.statusCode !== 201)
    throw new Error(`Registration answered ${registered.statusCode} ${registered.body}`)
  const verifier = randomBytes(32).toString('base64url')
  return {
    clientId: registered.json().client_id,
    verifier,
    parameters: {
      response_type: 'code',
      client_id: registered.json().client_id,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a state',
      resource: siteUrl,
      scope: 'mcp:read',
    },
  }
}

/** A browser: it keeps cookies by name, and who is signed in to the portal. */
export class Browser {
  private readonly service: Service
  private readonly cookies = new Map<string, string>()

  constructor(service: Service) {
    this.service = service
  }

  /** @returns the cookie of the session */
  async signIn(userId: string): Promise<string> {
    const cookie = await aSession(this.service, userId)
    this.keep(cookie)
    return cookie
  }

  async get(url: string): Promise<LightMyRequestResponse> {
    return this.kept(await this.service.inject({ url: pathOf(url), headers: { cookie: this.header() } }))
  }

  async post(
    url: string,
    fields: Record<string, string>,
    origin: string | null = siteUrl,
  ): Promise<LightMyRequestResponse> {
    return this.kept(await submit(this.service, pathOf(url), fields, { cookie: this.header(), origin }))
  }

  async postNothing(url: string): Promise<LightMyRequestResponse> {
    const headers = { cookie: this.header(), origin: siteUrl }
    return this.kept(await this.service.inject({ method: 'POST', url: pathOf(url), headers }))
  }

  async delete(url: string, origin: string | null = siteUrl): Promise<LightMyRequestResponse> {
    const headers = { cookie: this.header(), ...(origin !== null && { origin }) }
    return this.kept(await this.service.inject({ method: 'DELETE', url, headers }))
  }

  private kept(answer: LightMyRequestResponse): LightMyRequestResponse {
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) this.keep(cookieOf(cookie))
    return answer
  }

  private keep(pair: string): void {
    const [name = '', ...value] = pair.split('=')
    if (value.join('=') === '') this.cookies.delete(name)
    else this.cookies.set(name, value.join('='))
  }

  private header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, siteUrl)
  return pathname + search
}

export function authorizeUrl(parameters: Record<string, string>): string {
  return `/oauth/mcp/authorize?${new URLSearchParams(parameters)}`
}

/** Up to the consent page; @returns its address and markup. */
export async function reachConsent(
  browser: Browser,
  { parameters }: Assistant,
): Promise<{ url: string; page: LightMyRequestResponse }> {
  const asked = await browser.get(authorizeUrl(parameters))
  if (asked.statusCode !== 303) throw new Error(`authorize answered ${asked.statusCode} ${asked.body}`)
  const url = String(asked.headers.location)
  return { url, page: await browser.get(url) }
}

/** The hidden fields and the first choice of a page, as its form sends them. */
export function fieldsOf(page: LightMyRequestResponse): Record<string, string> {
  const inputs = [...page.body.matchAll(/<input type="(?:hidden|radio)" name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
}

/** Allow, and the way back to the client. @returns the parameters of its redirect. */
export async function allow(
  browser: Browser,
  assistant: Assistant,
  changes: Record<string, string> = {},
): Promise<URLSearchParams> {
  const { url, page } = await reachConsent(browser, assistant)
  const allowed = await browser.post(url, { ...fieldsOf(page), decision: 'allow', ...changes })
  const back = await browser.get(String(allowed.headers.location))
  if (back.headers.location === undefined)
    throw new Error(
      `Allow answered ${allowed.statusCode} ${allowed.headers.location}, then ${back.statusCode} ${back.body}`,
    )
  return new URL(String(back.headers.location)).searchParams
}

export function tokenRequest(service: Service, fields: Record<string, string>): Promise<LightMyRequestResponse> {
  return service.inject({
    method: 'POST',
    url: '/oauth/mcp/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}

export function exchange(
  service: Service,
  { clientId, verifier }: Assistant,
  code: string,
  changes: Record<string, string> = {},
) {
  const fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource: siteUrl,
  }
  return tokenRequest(service, { ...fields, ...changes })
}

export function refresh(
  service: Service,
  { clientId }: Assistant,
  refreshToken: string,
  changes: Record<string, string> = {},
) {
  return tokenRequest(service, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    resource: siteUrl,
    ...changes,
  })
}

/** Everything from registration to tokens, as a user of the portal. */
export async function connect(
  service: Service,
  userId: string,
): Promise<{ assistant: Assistant; tokens: Tokens; code: string; browser: Browser }> {
  const assistant = await anAssistant(service)
  const browser = new Browser(service)
  await browser.signIn(userId)
  const code = (await allow(browser, assistant)).get('code') ?? ''
  const answer = await exchange(service, assistant, code)
  if (answer.statusCode !== 200) throw new Error(`token answered ${answer.statusCode} ${answer.body}`)
  return { assistant, tokens: answer.json(), code, browser }
}
