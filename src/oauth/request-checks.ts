import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { toolScope } from '../accounts/access-tokens.ts'
import { ServiceError } from '../contract/service-error.ts'

/** One of the checks that oidc-provider does not make. It changes the parameters before the library sees them. */
type Check = (parameters: URLSearchParams, siteUrl: string) => void

/** PostgreSQL cannot store NUL in what the library keeps of a request (S36). */
const storable: Check = (parameters) => {
  if ([...parameters.values()].some((value) => value.includes('\0')))
    throw new ServiceError('malformed_request', 'The request contains the NUL character. Start again in the assistant.')
}

/**
 * Tokens are for the site. Its tool endpoint, which many clients name because they were given its address, is the same
 * resource, with or without a slash at the end. An empty value counts as absent (RFC 6749, 3.1).
 */
const canonicalResource: Check = (parameters, siteUrl) => {
  const ours = ['', '/', '/mcp', '/mcp/'].map((path) => siteUrl + path)
  const requested = parameters.getAll('resource').filter((one) => one !== '')
  parameters.delete('resource')
  const named = requested.map((one) => (ours.includes(one) ? siteUrl : one))
  for (const one of new Set(named)) parameters.append('resource', one)
}

/** There is one scope, whatever a client requests; the token response contains it. Source: RFC 6749, 3.3. */
const onlyScope: Check = (parameters) => parameters.set('scope', toolScope)

/** A refresh cannot change the scope. */
const noScope: Check = (parameters) => {
  if (parameters.get('grant_type') === 'refresh_token' && parameters.get('scope') !== toolScope)
    parameters.delete('scope')
}

/** A client cannot choose the user or skip the consent page. */
const noPrompt: Check = (parameters) => {
  for (const name of ['prompt', 'max_age', 'login_hint', 'id_token_hint', 'acr_values', 'claims'])
    parameters.delete(name)
}

/**
 * The library could also respond with a form or a fragment, which the metadata do not promise (S37); it refuses modes
 * that it does not know.
 */
const onlyQuery: Check = (parameters) => {
  if (parameters.getAll('response_mode').some((mode) => mode !== 'query'))
    parameters.set('response_mode', 'unsupported')
}

export const authorizeChecks: readonly Check[] = [storable, canonicalResource, onlyScope, onlyQuery, noPrompt]
export const tokenChecks: readonly Check[] = [canonicalResource, noScope]

export function checked(text: string, checks: readonly Check[], siteUrl: string): string {
  const parameters = new URLSearchParams(text)
  for (const check of checks) check(parameters, siteUrl)
  return parameters.toString()
}

/**
 * Whether a token is requested for anything but this service. The library looks at it only when it has used up the code or the refresh
 * token, so a client could not correct the request.
 */
export function namesOtherResource(text: string, siteUrl: string): boolean {
  return new URLSearchParams(text).getAll('resource').some((value) => value !== siteUrl)
}

/** The library ignores a secret in the body. An empty value counts as absent (RFC 6749, 3.2). */
export function namesSecret(text: string): boolean {
  return new URLSearchParams(text).getAll('client_secret').some((value) => value !== '')
}

/** Source: RFC 7591, 3.2.2. */
export interface RegistrationRefusal {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  error_description: string
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Any https address, or http on the user's own machine (S16). @returns what is wrong with it, or undefined */
export function redirectFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 255 || text !== text.trim()) return 'must be an address of at most 255 characters'
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) return 'must not name a user'
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return 'must not have control characters'
  if (text.includes('#')) return 'must not have a fragment'
  if (text.includes('*')) return 'must not have a wildcard'
  if (text.includes('\\')) return 'must not have a backslash'
  if (url.hostname.endsWith('.')) return 'must not end its host with a dot'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:' && loopback.has(url.hostname)) return undefined
  return 'must be https, or http on localhost, 127.0.0.1 or [::1]'
}

/**
 * An address that opens an app, such as `cursor://callback`. Clients register it beside others, as RFC 8252 (7) lists them, and refusing
 * all would keep them out.
 */
function opensApp(uri: string): boolean {
  const scheme = URL.parse(uri)?.protocol ?? 'https:'
  return scheme !== 'https:' && scheme !== 'http:'
}

/** The fields kept of a registration; the library never sees the others (S16). */
const registration = z.object({
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string()).min(1),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

const mostRedirects = 5
const listOfRedirects = `redirect_uris is a list of 1 to ${mostRedirects} addresses`

export const grantTypes = ['authorization_code', 'refresh_token']

/** A registration as the library sees it, or why it is refused. */
export function readRegistration(body: unknown): { metadata: object } | RegistrationRefusal {
  const parsed = registration.safeParse(body)
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'body')
    const about = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    return { error: about, error_description: `${field} is missing or not valid; ${listOfRedirects}` }
  }
  const {
    client_name,
    redirect_uris: requested,
    grant_types,
    response_types,
    token_endpoint_auth_method: method = 'none',
  } = parsed.data
  // Only public clients: every method with a secret is refused.
  if (method !== 'none') return refused('token_endpoint_auth_method must be none')
  if (response_types?.some((type) => type !== 'code')) return refused('response_types must be code')
  if (
    grant_types &&
    (!grant_types.includes('authorization_code') || grant_types.some((type) => !grantTypes.includes(type)))
  )
    return refused('grant_types must be authorization_code, optionally with refresh_token')
  const onTheWeb = requested.filter((uri) => !opensApp(uri))
  const known = onTheWeb.length > 0 ? onTheWeb : requested
  for (const uri of known) {
    const fault = redirectFault(uri)
    if (fault) return { error: 'invalid_redirect_uri', error_description: `a redirect_uri ${fault}` }
  }
  const application_type = applicationType(known)
  const redirect_uris = application_type === 'native' ? withoutOtherPorts(known) : [...new Set(known)]
  if (redirect_uris.length > mostRedirects) return { error: 'invalid_redirect_uri', error_description: listOfRedirects }
  return {
    metadata: {
      client_name: shownName(client_name),
      redirect_uris,
      grant_types: grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: toolScope,
      application_type,
    },
  }
}

function refused(error_description: string): RegistrationRefusal {
  return { error: 'invalid_client_metadata', error_description }
}

/** Native clients may use any loopback port, but for them the library refuses https on localhost. */
function applicationType(uris: string[]): 'native' | 'web' {
  const hosts = uris.map((uri) => new URL(uri))
  return hosts.some(({ protocol, hostname }) => protocol === 'https:' && loopback.has(hostname)) ? 'web' : 'native'
}

/**
 * Of the addresses of a native client that differ in their loopback port alone, the first: any port may be used with it. VS Code
 * has two ports on each of two hosts, beside two sites.
 */
function withoutOtherPorts(uris: string[]): string[] {
  const byPort = Map.groupBy(uris, (uri) => {
    const { hostname, host } = new URL(uri)
    return loopback.has(hostname) ? uri.replace(host, hostname) : uri
  })
  return [...byPort.values()].flatMap(([first]) => first ?? [])
}

/** A client's own name, safe to show: 60 printable characters, none of which reorder or hide text (S15). */
export function shownName(given: string | undefined): string {
  const plain = (given ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...plain].slice(0, 60).join('') || 'no name'
}

/** The host that the browser goes to after Allow, in ASCII, without look-alike letters (S15). */
export function redirectHost(uri: string): string {
  const { host, hostname } = new URL(uri)
  return host.replace(hostname, domainToASCII(hostname) || hostname)
}
