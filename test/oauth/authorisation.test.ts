import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { purgeExpired } from '../../src/oauth/registration.ts'
import { anOrganisation, aPerson, aService, type Organisation, type Service, siteUrl } from '../api/a-service.ts'
import { postMessage } from '../mcp/a-connection.ts'
import {
  allow,
  anAssistant,
  authorizeUrl,
  Browser,
  connect,
  exchange,
  fieldsOf,
  reachConsent,
  redirectUri,
  refresh,
  register,
  tokenRequest,
} from './an-assistant.ts'

let service: Service
let organisation: Organisation
let browser: Browser
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())
beforeEach(async () => {
  organisation = await anOrganisation(service)
  browser = new Browser(service)
  await browser.signIn(organisation.userId)
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const opens = async (token: string) => (await postMessage(service, token, ping)).statusCode
/** Of what would be answered in the fragment, too. */
const errorIn = (location: unknown) => {
  const { search, hash } = new URL(String(location))
  return new URLSearchParams(search || hash.slice(1)).get('error')
}

describe('discovery', () => {
  test('S37: a 401 names the resource metadata, which names the server metadata, which promises nothing that does not work', async () => {
    const refused = await service.inject({ method: 'POST', url: '/mcp', payload: ping })
    const [, resourceUrl = ''] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? []
    const resource = (await service.get(new URL(resourceUrl).pathname)).json()
    expect(resource).toMatchObject({
      resource: siteUrl,
      authorization_servers: [siteUrl],
      scopes_supported: ['mcp:read'],
    })
    expect((await service.get('/.well-known/oauth-protected-resource/mcp')).json()).toEqual(resource)
    expect((await service.get('/.well-known/oauth-authorization-server')).json()).toEqual({
      issuer: siteUrl,
      authorization_endpoint: `${siteUrl}/oauth/mcp/authorize`,
      token_endpoint: `${siteUrl}/oauth/mcp/token`,
      registration_endpoint: `${siteUrl}/oauth/mcp/register`,
      revocation_endpoint: `${siteUrl}/oauth/mcp/revoke`,
      jwks_uri: `${siteUrl}/oauth/mcp/jwks`,
      scopes_supported: ['mcp:read'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: false,
    })
  })

  test.each([
    'GET',
    'OPTIONS',
    'POST',
  ] as const)('S37: %s of the discovery document of an OpenID provider is the 404 of any unknown path', async (method) => {
    const openid = await service.inject({ method, url: '/.well-known/openid-configuration' })
    const unknown = await service.inject({ method, url: '/.well-known/none' })
    expect([openid.statusCode, openid.json().error]).toEqual([404, 'not_found'])
    expect(openid.body.replace('openid-configuration', 'none')).toBe(unknown.body)
    expect(openid.headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each([
    ['POST', '/mcp'],
    ['GET', '/oauth/mcp/userinfo'],
  ] as const)('S37: a 401 of %s %s names the way in for assistants, not the login of the API', async (method, url) => {
    for (const headers of [
      {},
      { authorization: 'Basic x' },
      { authorization: `Bearer ${await organisation.token()}` },
    ]) {
      const refused = await service.inject({ method, url, headers, ...(method === 'POST' && { payload: ping }) })
      expect(refused.statusCode).toBe(401)
      expect(refused.json().message).toContain(`${siteUrl}/.well-known/oauth-protected-resource`)
      expect(refused.json().message).not.toContain('login')
    }
    const ofTheApi = (await service.inject({ url: '/v2/stores' })).json().message
    expect(ofTheApi).toContain('POST /v2/login')
  })

  test('S24: pages of other sites may read metadata, without credentials', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server']) {
      const answer = await service.inject({ url: path, headers: { origin: 'https://elsewhere.example' } })
      expect(answer.headers['access-control-allow-origin']).toMatch(/^(\*|https:\/\/elsewhere.example)$/)
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  test('the published key has no private part', async () => {
    const { keys } = (await service.get('/oauth/mcp/jwks')).json()
    expect(keys).toHaveLength(1)
    expect(keys[0]).not.toHaveProperty('d')
  })
})

describe('registration', () => {
  test('gives a client id with our prefix, and no secret', async () => {
    const answer = await register(service, {}, '198.51.100.1')
    expect(answer.statusCode).toBe(201)
    expect(answer.json().client_id).toMatch(/^sfm_/)
    expect(answer.json()).not.toHaveProperty('client_secret')
    expect(answer.json()).toMatchObject({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' })
  })

  test('without a method there is no secret either', async () => {
    const answer = await register(service, { token_endpoint_auth_method: undefined }, '198.51.100.2')
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).not.toHaveProperty('client_secret')
  })

  test.each([
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'client_secret_jwt',
    'tls_client_auth',
    '',
  ])('the authentication method %j is refused', async (method) => {
    const answer = await register(service, { token_endpoint_auth_method: method }, '198.51.100.3')
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_client_metadata'])
  })

  test.each([
    'http://elsewhere.example/callback',
    'http://localhost.elsewhere.example/',
    'http://127.0.0.1.elsewhere.example/',
    'http://127.0.0.2/callback',
    'http://0.0.0.0/callback',
    'cursor://callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://user:pass@elsewhere.example/',
    'https://@elsewhere.example/',
    'https://elsewhere.example/#fragment',
    'https://*.elsewhere.example/',
    'https://elsewhere.example\\@evil.example/',
    'https://elsewhere.example./',
    ' https://elsewhere.example/',
    'https://elsewhere.example/\0',
    'https://elsewhere.example/\n',
    'https://elsewhere.example/\ud800',
    '/callback',
    '',
    `https://elsewhere.example/${'x'.repeat(255)}`,
  ])('S16: a redirect to %j is refused', async (uri) => {
    const answer = await register(service, { redirect_uris: [uri] }, '198.51.100.4')
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_redirect_uri'])
  })

  test.each([
    'https://elsewhere.example/callback?x=1',
    'http://localhost/callback',
    'http://[::1]:7788/callback',
    'https://localhost/callback',
  ])('a redirect to %s is accepted', async (uri) => {
    expect((await register(service, { redirect_uris: [uri] }, '198.51.100.5')).statusCode).toBe(201)
  })

  test('S16: of the redirects of a client, one that opens an app is left out, and the others work', async () => {
    const opening = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const others = ['https://elsewhere.example/callback', 'http://localhost:8787/callback']
    const answer = await register(service, { redirect_uris: [opening, ...others] }, '198.51.100.9')
    expect(answer.json()).toMatchObject({ redirect_uris: others })
    const { parameters } = await anAssistant(service, { redirect_uris: [opening, ...others] })
    for (const [redirect_uri, httpStatus] of [[opening, 400] as const, ...others.map((one) => [one, 303] as const)])
      expect((await browser.get(authorizeUrl({ ...parameters, redirect_uri }))).statusCode).toBe(httpStatus)
    const mixed = [opening, 'http://elsewhere.example/callback', ...others]
    expect((await register(service, { redirect_uris: mixed }, '198.51.100.9')).statusCode).toBe(400)
  })

  test('S16: VS Code registers: of its six redirects, those that differ in the port alone are one, and each may be used', async () => {
    const web = ['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect']
    const own = ['http://127.0.0.1/', 'http://localhost/']
    const redirect_uris = [...web, ...own, 'http://127.0.0.1:33418/', 'http://localhost:33418/']
    const answer = await register(service, { redirect_uris }, '198.51.100.6')
    expect(answer.json()).toMatchObject({ redirect_uris: [...web, ...own] })
    const { parameters } = await anAssistant(service, { redirect_uris })
    for (const redirect_uri of redirect_uris)
      expect((await browser.get(authorizeUrl({ ...parameters, redirect_uri }))).statusCode).toBe(303)
  })

  test('S16: redirects are a list of one to five', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `https://elsewhere.example/${at}`)
    expect((await register(service, { redirect_uris: many(5) }, '198.51.100.6')).statusCode).toBe(201)
    for (const redirect_uris of [many(6), [], 'https://elsewhere.example/', null, undefined, [1]])
      expect((await register(service, { redirect_uris }, '198.51.100.6')).statusCode).toBe(400)
  })

  test('S16: unknown fields do not reach the library', async () => {
    const more = {
      jwks_uri: 'https://elsewhere.example/jwks',
      logo_uri: 'https://elsewhere.example/logo',
      client_id: 'mine',
      scope: 'openid admin',
    }
    const answer = await register(service, more, '198.51.100.7')
    expect(answer.statusCode).toBe(201)
    expect(answer.json().client_id).toMatch(/^sfm_/)
    for (const field of ['jwks_uri', 'logo_uri']) expect(answer.json()).not.toHaveProperty(field)
    expect(answer.json().scope).toBe('mcp:read')
  })

  test.each([
    ['implicit'],
    ['client_credentials'],
    ['refresh_token'],
  ])('grant type %s alone is refused', async (type) => {
    expect((await register(service, { grant_types: [type] }, '198.51.100.8')).statusCode).toBe(400)
  })

  test('S16: more than 4 KiB is a 413, and invalid JSON a 400', async () => {
    const url = '/oauth/mcp/register'
    const headers = { 'content-type': 'application/json' }
    const large = JSON.stringify({ client_name: 'x'.repeat(limits.registrationBytes) })
    expect((await service.inject({ method: 'POST', url, headers, payload: large })).statusCode).toBe(413)
    expect((await service.inject({ method: 'POST', url, headers, payload: '{' })).statusCode).toBe(400)
  })

  test('S16: ten registrations per hour and address; other addresses are not affected, and the limit ends after the hour', async () => {
    const busy = await aService()
    for (let count = 0; count < limits.registrationsPerHour; count += 1)
      expect((await register(busy)).statusCode).toBe(201)
    expect((await register(busy)).statusCode).toBe(429)
    expect((await register(busy, {}, '192.0.2.2')).statusCode).toBe(201)
    busy.clock.jumpSeconds(3_601)
    expect((await register(busy)).statusCode).toBe(201)
    await busy.close()
  })

  test('S34: simultaneous registrations from one address cannot outrun the limit', async () => {
    const several = Array.from({ length: limits.registrationsPerHour + 5 }, () =>
      register(service, {}, '198.51.100.10'),
    )
    const statuses = (await Promise.all(several)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(limits.registrationsPerHour)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  test('S16: an unused client is deleted after a day, a used one stays', async () => {
    const own = await aService()
    const member = await anOrganisation(own)
    const { assistant } = await connect(own, member.userId)
    const unused = await anAssistant(own)
    own.clock.jumpSeconds(limits.unusedClientSeconds + 1)
    await register(own, {}, '198.51.100.9')
    const kept = await sql<{ id: string }>`
      select payload ->> 'client_id' as id from oauth_records where model = 'Client'`.execute(own.deps.database)
    expect(kept.rows.map(({ id }) => id)).toContain(assistant.clientId)
    expect(kept.rows.map(({ id }) => id)).not.toContain(unused.clientId)
    await own.close()
  })
})

describe('authorize', () => {
  test('a signed-in person allows, and the client gets a code with its state and our issuer', async () => {
    const assistant = await anAssistant(service)
    const back = await allow(browser, assistant)
    expect([back.get('state'), back.get('iss')]).toEqual(['a state', siteUrl])
    const answer = await exchange(service, assistant, back.get('code') ?? '')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp:read' })
    expect(answer.json()).not.toHaveProperty('id_token')
    expect(await opens(answer.json().access_token)).toBe(200)
  })

  test('a person who is not signed in signs in first and returns', async () => {
    const { page } = await reachConsent(new Browser(service), await anAssistant(service))
    expect([page.statusCode, String(page.headers.location)]).toEqual([
      303,
      expect.stringMatching(/^\/app\/sign-in\?return_to=%2Foauth%2Fmcp%2Finteraction%2F/),
    ])
  })

  test('after Deny the client gets access_denied and no code', async () => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    const denied = await browser.post(url, { ...fieldsOf(page), decision: 'deny' })
    const back = await browser.get(String(denied.headers.location))
    expect(errorIn(back.headers.location)).toBe('access_denied')
  })

  test.each([
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a challenge without its method', { code_challenge_method: '' }, 'invalid_request'],
    ['no resource', { resource: '' }, 'invalid_target'],
    ['the resource of somebody else', { resource: 'https://elsewhere.example' }, 'invalid_target'],
    ['the resource of the API', { resource: `${siteUrl}/v2` }, 'invalid_target'],
    ['tokens at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['an id token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ] as const)('%s is refused at the client', async (_, changes, error) => {
    const { parameters } = await anAssistant(service)
    const asked = Object.fromEntries(Object.entries({ ...parameters, ...changes }).filter(([, value]) => value !== ''))
    const answer = await browser.get(authorizeUrl(asked))
    const end = String(answer.headers.location).startsWith(redirectUri) ? answer : undefined
    expect(end && errorIn(end.headers.location), answer.body.slice(0, 400)).toBe(error)
  })

  test.each([
    ['an unknown client', { client_id: 'sfm_nobody' }],
    ['another redirect', { redirect_uri: 'https://evil.example/' }],
    ['a longer redirect', { redirect_uri: `${redirectUri}/more` }],
    ['no redirect that is known', { redirect_uri: 'http://127.0.0.1:7788/callback?x=1' }],
  ])('%s is refused on our own page, without a redirect', async (_, changes) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, ...changes }))
    expect(answer.statusCode).toBe(400)
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toContain('could not be connected')
  })

  test('another loopback port is accepted, because native clients use any free one', async () => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, redirect_uri: 'http://127.0.0.1:9911/callback' }))
    expect(String(answer.headers.location)).toContain('/oauth/mcp/interaction/')
  })

  test('a question mark in a value, which need not be encoded, does not cut off the request', async () => {
    const { parameters } = await anAssistant(service)
    const browser = new Browser(service)
    const url = authorizeUrl({ ...parameters, state: 'where?next' }).replace('where%3Fnext', 'where?next')
    expect((await browser.get(url)).headers.location).toMatch(/^\/oauth\/mcp\/interaction\//)
    const refused = authorizeUrl({ ...parameters, state: 'where?next', resource: 'https://elsewhere.example' })
    const { location } = (await browser.get(refused.replace('where%3Fnext', 'where?next'))).headers
    expect(new URL(String(location)).searchParams.get('state')).toBe('where?next')
  })

  test.each([
    ['the site', siteUrl],
    ['the site with a slash', `${siteUrl}/`],
    ['the endpoint, as clients do that go by its address', `${siteUrl}/mcp`],
    ['the endpoint with a slash', `${siteUrl}/mcp/`],
  ])('the scope is optional, and the resource may be %s: all tokens are for the site', async (_, resource) => {
    const assistant = await anAssistant(service)
    const { scope: _scope, ...rest } = assistant.parameters
    const back = await allow(browser, { ...assistant, parameters: { ...rest, resource } })
    const { clientId: client_id, verifier: code_verifier } = assistant
    const code = { grant_type: 'authorization_code', code: back.get('code') ?? '', code_verifier }
    const answer = await tokenRequest(service, { ...code, client_id, redirect_uri: redirectUri, resource })
    expect(answer.json()).toMatchObject({ scope: 'mcp:read' })
    expect(await opens(answer.json().access_token)).toBe(200)
    const renewal = { grant_type: 'refresh_token', refresh_token: answer.json().refresh_token }
    const renewed = await tokenRequest(service, { ...renewal, client_id, resource })
    expect(await opens(renewed.json().access_token)).toBe(200)
  })

  test('another scope is not granted', async () => {
    const assistant = await anAssistant(service)
    const back = await allow(browser, { ...assistant, parameters: { ...assistant.parameters, scope: 'admin openid' } })
    const answer = await exchange(service, assistant, back.get('code') ?? '')
    expect(answer.json().scope).toBe('mcp:read')
    expect(answer.json()).not.toHaveProperty('id_token')
  })

  test('consent is required every time', async () => {
    const { assistant } = await connect(service, organisation.userId)
    const { page } = await reachConsent(browser, assistant)
    expect(page.body).toContain('Allow')
  })
})

describe('consent', () => {
  test('S15: it names the unverified client, its host and the organisation, and Deny has the focus', async () => {
    const { page } = await reachConsent(
      browser,
      await anAssistant(service, { client_name: '<b>Bank\u202e</b>'.padEnd(200, 'x') }),
    )
    expect(page.body).toContain('An unverified application that calls itself')
    expect(page.body).toContain('127.0.0.1:7788')
    expect(page.body).toContain(organisation.identity.organization_name)
    expect(page.body).toMatch(/value="deny" autofocus/)
    expect(page.body).not.toContain('<b>')
    expect(page.body).not.toContain('\u202e')
    expect(/<q>([^<]*)<\/q>/.exec(page.body)?.[1]?.replaceAll(/&\w+;/g, '.').length).toBeLessThanOrEqual(60)
  })

  test('S15: its form may only lead to the redirect, and it cannot be framed', async () => {
    const { page } = await reachConsent(browser, await anAssistant(service))
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("form-action 'self' http://127.0.0.1:7788;")
    expect(policy).toContain("frame-ancestors 'none'")
  })

  test('with several organisations, one is chosen, and the token is for that one', async () => {
    const second = await anOrganisation(service)
    await sql`insert into memberships (organisation_id, user_id, role) values (${second.id}, ${organisation.userId}, 'viewer')`.execute(
      service.deps.database,
    )
    const assistant = await anAssistant(service)
    const back = await allow(browser, assistant, { organisation: second.id })
    const { access_token } = (await exchange(service, assistant, back.get('code') ?? '')).json()
    const said = (await service.get('/oauth/mcp/userinfo', access_token)).json()
    expect(said).toMatchObject({
      sub: organisation.userId,
      organization: second.id,
      role: 'viewer',
      scope: 'mcp:read',
      exp: expect.any(Number),
    })
  })

  test('an organisation of others cannot be chosen', async () => {
    const foreign = await anOrganisation(service)
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    const answer = await browser.post(url, { ...fieldsOf(page), decision: 'allow', organisation: foreign.id })
    expect(answer.statusCode).toBe(422)
  })

  test('a person without organisations has nothing to allow', async () => {
    const nobody = new Browser(service)
    await nobody.signIn((await aPerson(service)).userId)
    const { page } = await reachConsent(nobody, await anAssistant(service))
    expect(page.body).toContain('nothing to read')
    expect(page.body).not.toContain('value="allow"')
  })

  test('an answer without a form is taken as Deny', async () => {
    const { url } = await reachConsent(browser, await anAssistant(service))
    const back = await browser.get(String((await browser.postNothing(url)).headers.location))
    expect(new URL(String(back.headers.location)).searchParams.get('error')).toBe('access_denied')
  })

  test.each(['https://evil.example', 'null', null])('S24: Allow from a page of %s is refused', async (origin) => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    expect((await browser.post(url, { ...fieldsOf(page), decision: 'allow' }, origin)).statusCode).toBe(403)
  })

  test('another browser cannot answer the request', async () => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    const other = new Browser(service)
    await other.signIn(organisation.userId)
    expect((await other.get(url)).statusCode).toBe(404)
    expect((await other.post(url, { ...fieldsOf(page), decision: 'allow' })).statusCode).toBe(404)
  })

  test('if another person signs in before Allow, the page is shown again and nothing is allowed', async () => {
    const other = await anOrganisation(service)
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    await browser.signIn(other.userId)
    const answer = await browser.post(url, { ...fieldsOf(page), decision: 'allow' })
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toContain('Another user has signed in')
  })

  test('the next person in the same browser gets their own token', async () => {
    const first = await connect(service, organisation.userId)
    const other = await anOrganisation(service)
    await first.browser.signIn(other.userId)
    const back = await allow(first.browser, first.assistant)
    const { access_token } = (await exchange(service, first.assistant, back.get('code') ?? '')).json()
    expect((await service.get('/oauth/mcp/userinfo', access_token)).json()).toMatchObject({
      sub: other.userId,
      organization: other.id,
    })
  })
})

describe('tokens', () => {
  test('a code works once: the second use is refused and revokes its tokens', async () => {
    const { assistant, tokens, code } = await connect(service, organisation.userId)
    expect(await opens(tokens.access_token)).toBe(200)
    expect((await exchange(service, assistant, code)).json().error).toBe('invalid_grant')
    expect(await opens(tokens.access_token)).toBe(401)
  })

  test('a code is invalid without its verifier, for another client, or with another redirect', async () => {
    const other = await anAssistant(service)
    for (const changes of [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: '' },
      { client_id: other.clientId },
      { redirect_uri: 'http://127.0.0.1:7788/other' },
      { resource: 'https://elsewhere.example' },
    ] as Record<string, string>[]) {
      const assistant = await anAssistant(service)
      const code = (await allow(browser, assistant)).get('code') ?? ''
      const answer = await exchange(service, assistant, code, changes)
      expect([400, 401], JSON.stringify(changes)).toContain(answer.statusCode)
      expect(answer.json()).not.toHaveProperty('access_token')
    }
  })

  test('a code lasts five minutes, an access token an hour, a refresh token 30 days', async () => {
    const { tokens } = await connect(service, organisation.userId)
    expect(tokens.expires_in).toBe(3_600)
    const kept = await sql<{ model: string; seconds: number }>`
      select model, round(extract(epoch from max(expires_at - created_at)))::integer as seconds from oauth_records
      where model in ('AuthorizationCode', 'AccessToken', 'RefreshToken') group by model order by model`.execute(
      service.deps.database,
    )
    expect(kept.rows).toEqual([
      { model: 'AccessToken', seconds: 3_600 },
      { model: 'AuthorizationCode', seconds: 300 },
      { model: 'RefreshToken', seconds: 30 * 24 * 3_600 },
    ])
  })

  test('a refresh gives new tokens and ends the old refresh token; using that again ends all of them', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    const second = (await refresh(service, assistant, tokens.refresh_token)).json()
    expect(await opens(second.access_token)).toBe(200)
    expect(second.refresh_token).not.toBe(tokens.refresh_token)
    expect((await refresh(service, assistant, tokens.refresh_token)).json().error).toBe('invalid_grant')
    expect((await refresh(service, assistant, second.refresh_token)).json().error).toBe('invalid_grant')
    expect(await opens(second.access_token)).toBe(401)
  })

  test('of five concurrent refreshes exactly one succeeds', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refresh(service, assistant, tokens.refresh_token)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('of five concurrent exchanges of one code at most one succeeds', async () => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(service, assistant, code)))
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1)
  })

  test.each([
    `${siteUrl}/v2`,
    'https://elsewhere.example',
  ])('a request for the resource %s is refused, and can be corrected: it uses up neither code nor refresh token', async (resource) => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    expect((await exchange(service, assistant, code, { resource })).json().error).toBe('invalid_target')
    const exchanged = await exchange(service, assistant, code)
    expect(exchanged.statusCode).toBe(200)
    const { refresh_token: token } = exchanged.json()
    expect((await refresh(service, assistant, token, { resource })).json().error).toBe('invalid_target')
    const refreshed = await refresh(service, assistant, token)
    expect(refreshed.statusCode).toBe(200)
    expect(await opens(refreshed.json().access_token)).toBe(200)
  })

  test('a refresh for another resource, or by another client, is refused', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    const other = await anAssistant(service)
    expect(
      (await refresh(service, assistant, tokens.refresh_token, { resource: 'https://elsewhere.example' })).statusCode,
    ).toBe(400)
    expect((await refresh(service, other, tokens.refresh_token)).statusCode).toBe(400)
  })

  test.each([
    ['the user is deactivated', (id: string) => sql`update users set active = false where id = ${id}`],
    ['the membership ends', (id: string) => sql`update memberships set active = false where user_id = ${id}`],
    [
      'the password changes',
      (id: string) => sql`update users set tokens_since = now() + interval '1 hour' where id = ${id}`,
    ],
    [
      'the organisation is removed',
      (id: string) => sql`update organisations set store_migration_enabled = false
        where id = (select organisation_id from memberships where user_id = ${id})`,
    ],
  ])('neither token works once %s', async (_, end) => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    await end(organisation.userId).execute(service.deps.database)
    expect(await opens(tokens.access_token)).toBe(401)
    expect((await refresh(service, assistant, tokens.refresh_token)).json().error).toBe('invalid_grant')
  })

  test('a deleted client gets 401 invalid_client, so it registers again', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    await sql`delete from oauth_records where model = 'Client' and payload ->> 'client_id' = ${assistant.clientId}`.execute(
      service.deps.database,
    )
    const answer = await refresh(service, assistant, tokens.refresh_token)
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client'])
  })

  test('the client revokes its token', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    const answer = await service.inject({
      method: 'POST',
      url: '/oauth/mcp/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token: tokens.refresh_token, client_id: assistant.clientId }).toString(),
    })
    expect(answer.statusCode).toBe(200)
    expect((await refresh(service, assistant, tokens.refresh_token)).json().error).toBe('invalid_grant')
    expect(await opens(tokens.access_token)).toBe(401)
  })

  test('neither codes nor tokens are stored in plain text', async () => {
    const { tokens, code } = await connect(service, organisation.userId)
    const rows = await sql<{ row: string }>`select r::text as row from oauth_records r`.execute(service.deps.database)
    for (const secret of [code, tokens.access_token, tokens.refresh_token])
      expect(rows.rows.filter(({ row }) => row.includes(secret))).toEqual([])
  })

  test('userinfo: 401 with the metadata address for an invalid token', async () => {
    const answer = await service.get('/oauth/mcp/userinfo', 'nothing')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toContain('resource_metadata=')
  })
})

describe('connected assistants', () => {
  test('the user sees connected assistants and can disconnect them at once', async () => {
    const { tokens, browser: own } = await connect(service, organisation.userId)
    const { items } = (await own.get('/v2/assistants')).json()
    expect(items).toEqual([
      {
        id: expect.any(String),
        name: 'A test',
        host: '127.0.0.1:7788',
        organization: organisation.identity.organization_name,
        connectedAt: expect.any(String),
        lastUsedAt: null,
      },
    ])
    expect((await own.delete(`/v2/assistants/${items[0].id}`)).statusCode).toBe(204)
    expect(await opens(tokens.access_token)).toBe(401)
    expect((await own.get('/v2/assistants')).json().items).toEqual([])
    expect((await own.delete(`/v2/assistants/${items[0].id}`)).json().error).toBe('not_found')
  })

  test('S16: an assistant that is disconnected can be connected again within a day without a new registration', async () => {
    const { assistant, browser: own } = await connect(service, organisation.userId)
    const { database, clock } = service.deps
    await sql`update oauth_records set created_at = now() - interval '2 days' where model = 'Client'`.execute(database)
    const [{ id }] = (await own.get('/v2/assistants')).json().items
    await own.delete(`/v2/assistants/${id}`)
    await purgeExpired({ database, clock })
    expect((await reachConsent(own, assistant)).page.statusCode).toBe(200)
  })

  test('a user cannot disconnect the assistant of another user', async () => {
    const { tokens, browser: own } = await connect(service, organisation.userId)
    const other = new Browser(service)
    await other.signIn((await anOrganisation(service)).userId)
    const [{ id }] = (await own.get('/v2/assistants')).json().items
    const [theirs, unknown] = [await other.delete(`/v2/assistants/${id}`), await other.delete('/v2/assistants/unknown')]
    expect([theirs.statusCode, theirs.body]).toEqual([404, unknown.body])
    expect((await other.get('/v2/assistants')).json().items).toEqual([])
    expect(await opens(tokens.access_token)).toBe(200)
  })
})
