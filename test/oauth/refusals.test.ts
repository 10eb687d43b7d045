import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { anOrganisation, aService, type Organisation, type Service, siteUrl } from '../api/a-service.ts'
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

const opens = async (token: string, at = service) =>
  (await postMessage(at, token, { jsonrpc: '2.0', id: 1, method: 'ping' })).statusCode
const form = 'application/x-www-form-urlencoded'

describe('codes, tokens and client ids are not interchangeable', () => {
  test('a code, a refresh token or a client id gives no access to tools', async () => {
    const { assistant, tokens, code } = await connect(service, organisation.userId)
    for (const other of [code, tokens.refresh_token, assistant.clientId]) expect(await opens(other)).toBe(401)
  })

  test.each(['access_token', 'code'] as const)('the %s cannot refresh', async (kind) => {
    const { assistant, tokens, code } = await connect(service, organisation.userId)
    const answer = await refresh(service, assistant, kind === 'code' ? code : tokens.access_token)
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
  })

  test('a refresh token is not accepted as a code', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    expect((await exchange(service, assistant, tokens.refresh_token)).json().error).toBe('invalid_grant')
  })

  test.each([
    ['password', { username: 'a', password: 'b' }],
    ['client_credentials', {}],
    ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'a' }],
    ['urn:ietf:params:oauth:grant-type:token-exchange', { subject_token: 'a' }],
    ['', {}],
  ])('no token is issued for %j', async (grant_type, more) => {
    const { clientId } = await anAssistant(service)
    const answer = await tokenRequest(service, { grant_type, client_id: clientId, ...more })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).not.toHaveProperty('access_token')
  })
})

describe('clients have no secrets', () => {
  test.each([
    ['a secret of its own', { client_secret: 'mine' }],
    ['a day on which it ends', { client_secret_expires_at: 0 }],
    ['keys of its own', { jwks: { keys: [] } }],
    ['a statement', { software_statement: 'a.b.c' }],
  ])('a registration with %s gets neither it nor a secret', async (_, more) => {
    const answer = await register(service, more, '198.51.100.20')
    expect(answer.statusCode).toBe(201)
    for (const field of [
      'client_secret',
      'client_secret_expires_at',
      'registration_access_token',
      ...Object.keys(more),
    ])
      expect(answer.json()).not.toHaveProperty(field)
  })

  test.each([null, 'NONE', 'none ', ['none'], 1])('the method %j is not none', async (method) => {
    const answer = await register(service, { token_endpoint_auth_method: method }, '198.51.100.21')
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_client_metadata'])
  })

  test('a client that authenticates is refused', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    const headers = {
      'content-type': form,
      authorization: `Basic ${Buffer.from(`${assistant.clientId}:a secret`).toString('base64')}`,
    }
    const payload = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }).toString()
    const basic = await service.inject({ method: 'POST', url: '/oauth/mcp/token', headers, payload })
    expect([400, 401]).toContain(basic.statusCode)
    expect(basic.json()).not.toHaveProperty('access_token')
    const inTheBody = await service.inject({
      method: 'POST',
      url: '/oauth/mcp/token',
      headers: { 'content-type': form },
      payload: `${payload}&client_id=${assistant.clientId}&client_secret=a-secret`,
    })
    expect([inTheBody.statusCode, inTheBody.json().error]).toEqual([401, 'invalid_client'])
    // Nothing was used up by it, and a secret without a value is none.
    const without = await service.inject({
      method: 'POST',
      url: '/oauth/mcp/token',
      headers: { 'content-type': form },
      payload: `${payload}&client_id=${assistant.clientId}&client_secret=`,
    })
    expect(without.json()).toHaveProperty('access_token')
  })
})

test('S16: the number of unused clients is limited; used ones still work', async () => {
  const full = await aService()
  const { assistant, tokens } = await connect(full, (await anOrganisation(full)).userId)
  await sql`
    insert into oauth_records (model, id_hash, payload, created_at)
    select 'Client', sha256(n::text::bytea), jsonb_build_object('client_id', 'sfm_' || n), ${full.clock.now()}
    from generate_series(2, ${limits.unusedClients}::integer) n`.execute(full.deps.database)
  expect((await register(full, {}, '198.51.100.30')).statusCode).toBe(201)
  expect((await register(full, {}, '198.51.100.30')).statusCode).toBe(429)
  expect((await refresh(full, assistant, tokens.refresh_token)).statusCode).toBe(200)
  full.clock.jumpSeconds(limits.unusedClientSeconds + 1)
  expect((await register(full, {}, '198.51.100.30')).statusCode).toBe(201)
  await full.close()
})

test('S25: one address may begin so many authorisations per minute; other addresses are not affected', async () => {
  const busy = await aService()
  const begin = (remoteAddress: string) => busy.inject({ url: '/oauth/mcp/authorize?client_id=unknown', remoteAddress })
  for (let count = 0; count < limits.authorisationsPerMinute; count += 1)
    expect((await begin('192.0.2.1')).statusCode).toBe(400)
  const refused = await begin('192.0.2.1')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
  // A person reads it.
  expect(refused.headers['content-type']).toBe('text/html; charset=utf-8')
  expect((await register(busy, {}, '192.0.2.1')).statusCode).toBe(429)
  expect((await begin('192.0.2.2')).statusCode).toBe(400)
  busy.clock.jumpSeconds(60)
  expect((await begin('192.0.2.1')).statusCode).toBe(400)
  await busy.close()
})

describe('redirects to other addresses', () => {
  test.each([
    ['the host in other words', 'http://localhost:7788/callback'],
    ['the other loopback', 'http://[::1]:7788/callback'],
    ['https instead', 'https://127.0.0.1:7788/callback'],
    ['a user before the host', 'http://127.0.0.1:7788@evil.example/callback'],
    ['a host behind ours', 'http://127.0.0.1.evil.example:7788/callback'],
    ['a path that goes up', 'http://127.0.0.1:7788/callback/../other'],
    ['a path that goes up in disguise', 'http://127.0.0.1:7788/callback/%2e%2e/other'],
    ['a fragment', 'http://127.0.0.1:7788/callback#x'],
    ['other letters', 'http://127.0.0.1:7788/Callback'],
    ['a slash more', 'http://127.0.0.1:7788/callback/'],
    ['a script', 'javascript:alert(1)'],
  ])('%s is refused on our own page', async (_, redirect_uri) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, redirect_uri }))
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
  })

  test('without a redirect, the only registered one is used, and two are refused', async () => {
    const two = await anAssistant(service, { redirect_uris: [redirectUri, 'https://elsewhere.example/callback'] })
    const { redirect_uri: _, ...without } = two.parameters
    expect((await browser.get(authorizeUrl(without))).statusCode).toBe(400)
    const one = await anAssistant(service)
    const { redirect_uri: _one, ...parameters } = one.parameters
    const { page } = await reachConsent(browser, { ...one, parameters })
    expect(page.body).toContain(new URL(redirectUri).host)
  })

  test('a second redirect is not followed: the error goes to the registered address', async () => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(`${authorizeUrl(parameters)}&redirect_uri=https%3A%2F%2Fevil.example%2F`)
    const { origin, searchParams } = new URL(String(answer.headers.location))
    expect([origin, searchParams.get('error')]).toEqual([new URL(redirectUri).origin, 'invalid_request'])
  })

  test('a second client is refused on our own page', async () => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(`${authorizeUrl(parameters)}&client_id=sfm_other`)
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
  })

  test.each(['state', 'nonce', 'ui_locales'])('S36: NUL in %s is refused on our own page', async (name) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, [name]: 'a\0b' }))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('The request contains the NUL character. Start again in the assistant.')
  })

  test.each([
    ['state', 'another'],
    ['code_challenge', 'a'.repeat(43)],
    ['code_challenge_method', 'plain'],
    ['response_type', 'token'],
  ])('%s twice gives no code', async (name, second) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(`${authorizeUrl(parameters)}&${new URLSearchParams({ [name]: second })}`)
    expect(String(answer.headers.location ?? '')).not.toContain('/interaction/')
  })

  test('two resources give no code, even if one of them is ours', async () => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(`${authorizeUrl(parameters)}&resource=https%3A%2F%2Felsewhere.example`)
    expect(new URL(String(answer.headers.location)).searchParams.get('error')).toBe('invalid_target')
  })

  test.each([
    ['request', 'a.b.c'],
    ['request_uri', 'https://evil.example/request'],
    ['registration', '{}'],
  ])('parameters in %s are ignored', async (name, value) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, [name]: value }))
    expect(answer.body + String(answer.headers.location)).not.toContain('/oauth/mcp/interaction/')
  })

  test.each([
    'form_post',
    'fragment',
    'web_message',
    'query.jwt',
    'form_post query',
  ])('S37: the response mode %s, which the metadata do not promise, is refused by name in the query', async (mode) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, response_mode: mode }))
    const { origin, searchParams, hash } = new URL(String(answer.headers.location))
    expect([origin, hash]).toEqual([new URL(redirectUri).origin, ''])
    expect(searchParams.get('error')).toBe('unsupported_response_mode')
  })

  test('the response mode query may be named', async () => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, response_mode: 'query' }))
    expect(answer.headers.location).toContain('/oauth/mcp/interaction/')
  })

  test('S15: the error page shows the values of a client as text', async () => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, client_id: '<script>alert(1)</script>' }))
    expect(answer.statusCode).toBe(400)
    expect(answer.body).not.toContain('<script>')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('invalid challenges', () => {
  test.each([
    ['short', 'a'.repeat(42)],
    ['long', 'a'.repeat(129)],
    ['of other letters', `${'a'.repeat(42)}+`],
  ])('a challenge that is %s is refused', async (_, code_challenge) => {
    const { parameters } = await anAssistant(service)
    const answer = await browser.get(authorizeUrl({ ...parameters, code_challenge }))
    expect(new URL(String(answer.headers.location)).searchParams.get('error')).toBe('invalid_request')
  })

  test('the challenge is not accepted as its verifier', async () => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    const { code_challenge: code_verifier = '' } = assistant.parameters
    expect((await exchange(service, assistant, code, { code_verifier })).json().error).toBe('invalid_grant')
  })
})

describe('changes during an authorisation', () => {
  test('after signing out before Allow, a sign-in is required', async () => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    await sql`delete from sessions where user_id = ${organisation.userId}`.execute(service.deps.database)
    const answer = await browser.post(url, { ...fieldsOf(page), decision: 'allow' })
    expect([answer.statusCode, String(answer.headers.location)]).toEqual([303, expect.stringContaining('/app/sign-in')])
  })

  test('an organisation removed before Allow cannot be chosen', async () => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    await removed()
    const answer = await browser.post(url, { ...fieldsOf(page), decision: 'allow' })
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('nothing to read')
  })

  test('an organisation removed between Allow and the exchange gives no token', async () => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    await removed()
    expect((await exchange(service, assistant, code)).json().error).toBe('invalid_grant')
  })

  test('a user deactivated between Allow and the exchange gets no token', async () => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    await sql`update users set active = false where id = ${organisation.userId}`.execute(service.deps.database)
    expect((await exchange(service, assistant, code)).json().error).toBe('invalid_grant')
  })

  test('sending Allow twice gives one code', async () => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    const fields = { ...fieldsOf(page), decision: 'allow' }
    const first = await browser.post(url, fields)
    expect(first.statusCode).toBe(303)
    expect(
      new URL(String((await browser.get(String(first.headers.location))).headers.location)).searchParams.get('code'),
    ).toBeTruthy()
    expect((await browser.post(url, fields)).statusCode).toBe(404)
  })

  test.each([{}, { decision: '' }, { decision: 'ALLOW' }, { decision: 'yes' }])('%j allows nothing', async (fields) => {
    const { url, page } = await reachConsent(browser, await anAssistant(service))
    const answer = await browser.post(url, { ...fieldsOf(page), ...fields } as Record<string, string>)
    const back = await browser.get(String(answer.headers.location))
    expect(new URL(String(back.headers.location)).searchParams.get('error')).toBe('access_denied')
  })

  test('while the database fails, the page does not say that the request has expired', async () => {
    const { url } = await reachConsent(browser, await anAssistant(service))
    await sql`alter table oauth_records rename to oauth_records_away`.execute(service.deps.database)
    const answer = await browser.get(url)
    await sql`alter table oauth_records_away rename to oauth_records`.execute(service.deps.database)
    expect([answer.statusCode, answer.body]).toEqual([500, expect.stringContaining('Something went wrong on our side')])
    expect((await browser.get(url)).statusCode).toBe(200)
  })

  test('the page expires after half an hour', async () => {
    const slow = await aService()
    const late = new Browser(slow)
    await late.signIn((await anOrganisation(slow)).userId)
    const { url, page } = await reachConsent(late, await anAssistant(slow))
    slow.clock.jumpSeconds(limits.interactionSeconds + 1)
    const answer = await late.post(url, { ...fieldsOf(page), decision: 'allow' })
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('Start again in the assistant')])
    // A person reads it.
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    await slow.close()
  })

  const removed = () =>
    sql`update organisations set store_migration_enabled = false where id = ${organisation.id}`.execute(
      service.deps.database,
    )
})

describe('time', () => {
  test('a code is refused after five minutes', async () => {
    const slow = await aService()
    const { userId } = await anOrganisation(slow)
    const late = new Browser(slow)
    await late.signIn(userId)
    const assistant = await anAssistant(slow)
    const code = (await allow(late, assistant)).get('code') ?? ''
    slow.clock.jumpSeconds(limits.authorizationCodeSeconds + 1)
    expect((await exchange(slow, assistant, code)).json().error).toBe('invalid_grant')
    await slow.close()
  })

  test('an access token expires after an hour; a refresh token works on day 29, and not on day 31', async () => {
    const slow = await aService()
    const { assistant, tokens } = await connect(slow, (await anOrganisation(slow)).userId)
    slow.clock.jumpSeconds(3_600)
    expect(await opens(tokens.access_token, slow)).toBe(401)
    slow.clock.jumpSeconds(29 * 24 * 3_600)
    const second = await refresh(slow, assistant, tokens.refresh_token)
    expect(second.statusCode).toBe(200)
    expect(await opens(second.json().access_token, slow)).toBe(200)
    slow.clock.jumpSeconds(31 * 24 * 3_600)
    expect((await refresh(slow, assistant, second.json().refresh_token)).json().error).toBe('invalid_grant')
    await slow.close()
  })

  test('the old and the new refresh token never work at the same time', async () => {
    const { assistant, tokens } = await connect(service, organisation.userId)
    const second = (await refresh(service, assistant, tokens.refresh_token)).json()
    expect((await refresh(service, assistant, tokens.refresh_token)).json().error).toBe('invalid_grant')
    // And what came of the reuse ends the access token with the next call, not with its hour.
    expect(await opens(second.access_token)).toBe(401)
  })
})

describe('differences between client generations', () => {
  test('a client may register with our scope', async () => {
    const answer = await register(service, { scope: 'mcp:read' }, '198.51.100.22')
    expect([answer.statusCode, answer.json().scope]).toEqual([201, 'mcp:read'])
    const { scopes_supported: supported } = (await service.get('/.well-known/oauth-authorization-server')).json()
    expect(supported).toContain('mcp:read')
  })

  test('a trailing slash may differ between authorisation and exchange', async () => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    const first = await exchange(service, assistant, code, { resource: `${siteUrl}/` })
    expect(first.statusCode).toBe(200)
    expect((await refresh(service, assistant, first.json().refresh_token, { resource: siteUrl })).statusCode).toBe(200)
  })

  test('without a resource, the token endpoint uses the allowed one', async () => {
    const assistant = await anAssistant(service)
    const code = (await allow(browser, assistant)).get('code') ?? ''
    const { clientId: client_id, verifier: code_verifier } = assistant
    const fields = { grant_type: 'authorization_code', client_id, code, code_verifier, redirect_uri: redirectUri }
    const answer = await tokenRequest(service, fields)
    expect(await opens(answer.json().access_token)).toBe(200)
  })

  test('a client gets a refresh token without requesting one, even without grant types', async () => {
    const registered = await register(service, {}, '198.51.100.23')
    expect(registered.json().grant_types).toEqual(['authorization_code', 'refresh_token'])
    expect((await connect(service, organisation.userId)).tokens.refresh_token).toEqual(expect.any(String))
  })

  test('cookies have our names and are hidden from scripts, and a form above 16 KiB is refused', async () => {
    const { parameters } = await anAssistant(service)
    const set = [(await browser.get(authorizeUrl(parameters))).headers['set-cookie'] ?? []].flat()
    expect(set.length).toBeGreaterThan(0)
    for (const cookie of set) expect(cookie).toMatch(/^storeferry_\w+(\.sig)?=.*httponly/i)
    const payload = (length: number) => `grant_type=refresh_token&refresh_token=${'x'.repeat(length)}`
    const send = (text: string) =>
      service.inject({ method: 'POST', url: '/oauth/mcp/token', headers: { 'content-type': form }, payload: text })
    expect((await send(payload(limits.formBytes - payload(0).length))).statusCode).toBeLessThan(413)
    expect((await send(payload(limits.formBytes - payload(0).length + 1))).statusCode).toBe(413)
  })

  test('a token request that is not a form is refused', async () => {
    const payload = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'y' }
    const answer = await service.inject({ method: 'POST', url: '/oauth/mcp/token', payload })
    expect(answer.statusCode).toBe(400)
  })
})

describe('other methods and other sites', () => {
  test.each([
    ['/.well-known/oauth-authorization-server', 'GET'],
    ['/.well-known/oauth-protected-resource', 'GET'],
    ['/.well-known/oauth-protected-resource/mcp', 'GET'],
    ['/oauth/mcp/authorize', 'GET'],
    ['/oauth/mcp/jwks', 'GET'],
    ['/oauth/mcp/userinfo', 'GET'],
    ['/oauth/mcp/register', 'POST'],
    ['/oauth/mcp/token', 'POST'],
    ['/oauth/mcp/revoke', 'POST'],
  ] as const)('%s answers to %s and refuses the others with 405', async (url, method) => {
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (other === method) continue
      const answer = await service.inject({ method: other, url })
      expect([other, answer.statusCode, answer.json().error]).toEqual([other, 405, 'method_not_allowed'])
      expect(String(answer.headers.allow).split(', ')).toContain(method)
    }
  })

  test.each([
    '/oauth/mcp/token',
    '/oauth/mcp/register',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server',
  ])('S24: %s allows pages of other sites, without cookies', async (url) => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
    const answer = await service.inject({ method: 'OPTIONS', url, headers })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toMatch(/^(\*|https:\/\/elsewhere.example)$/)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test.each([
    '/oauth/mcp/authorize',
    '/oauth/mcp/userinfo',
    '/oauth/mcp/revoke',
    '/v2/assistants',
    '/v2/stores',
  ])('S24: %s does not allow other sites', async (url) => {
    const headers = { origin: 'https://elsewhere.example' }
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const answer = await service.inject({ method, url, headers })
      expect([method, answer.headers['access-control-allow-origin']]).toEqual([method, undefined])
    }
  })

  test('S24: a page of another site cannot disconnect an assistant', async () => {
    const { tokens, browser: own } = await connect(service, organisation.userId)
    const [{ id }] = (await own.get('/v2/assistants')).json().items
    for (const origin of ['https://evil.example', 'null', null])
      expect((await own.delete(`/v2/assistants/${id}`, origin)).statusCode).toBe(403)
    expect(await opens(tokens.access_token)).toBe(200)
  })

  test('S10: metadata and pages always use the address of the site', async () => {
    for (const headers of [
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      { forwarded: 'host=evil.example' },
    ] as Record<string, string>[]) {
      const found = await service.inject({ url: '/.well-known/oauth-authorization-server', headers })
      expect(found.json().issuer).toBe(siteUrl)
      expect(found.body).not.toContain('evil')
    }
    for (const url of ['/.well-known/oauth-authorization-server', '/oauth/mcp/authorize', '/oauth/mcp/userinfo'])
      expect((await service.inject({ url, headers: { host: 'evil.example' } })).statusCode).toBe(421)
  })
})

describe('revoking', () => {
  test('another client cannot revoke, and an unknown token is no error', async () => {
    const { tokens } = await connect(service, organisation.userId)
    const other = await anAssistant(service)
    const revoke = (token: string) =>
      service.inject({
        method: 'POST',
        url: '/oauth/mcp/revoke',
        headers: { 'content-type': form },
        payload: new URLSearchParams({ token, client_id: other.clientId }).toString(),
      })
    await revoke(tokens.refresh_token)
    await revoke(tokens.access_token)
    expect(await opens(tokens.access_token)).toBe(200)
    expect((await revoke('nothing')).statusCode).toBe(200)
  })
})
