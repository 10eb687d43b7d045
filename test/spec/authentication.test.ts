import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anOrganisation,
  aPerson,
  aService,
  type Browser,
  type Organisation,
  password,
  siteUrl,
  submit,
} from '../api/a-service.ts'
import { postMessage } from '../mcp/a-connection.ts'
import {
  Browser as AssistantBrowser,
  allow,
  anAssistant,
  authorizeUrl,
  connect,
  exchange,
  reachConsent,
  redirectUri,
  refresh,
  register,
} from '../oauth/an-assistant.ts'
import { aMerchant, type Merchant } from './a-merchant.ts'

let merchant: Merchant
let administrator: Browser
beforeAll(async () => {
  merchant = await aMerchant()
  administrator = merchant.administrator
})
afterAll(() => merchant?.close())

const statusWith = async (token: string) => (await merchant.service.get('/v2/stores', token)).statusCode
const credentialOf = ({ id }: Organisation) => `/admin/api/organisations/${id}/credential`

describe('Migration API: bearer token', () => {
  test('Scheme: HTTP bearer, token format JWT, sent as `Authorization: Bearer <ACCESS_TOKEN>`.', async () => {
    const { access_token, token_type } = (await merchant.service.login(merchant.organisation.identity)).json()
    expect(token_type).toBe('Bearer')
    expect(decodeProtectedHeader(access_token)).toMatchObject({ typ: 'at+jwt' })
    expect(await statusWith(access_token)).toBe(200)
    const elsewhere = await merchant.ask({ url: `/v2/stores?access_token=${access_token}` })
    expect(elsewhere.statusCode).toBe(401)
  })

  test('The token comes from `POST {base_url}/login`.', async () => {
    const login = await merchant.service.login(merchant.organisation.identity)
    expect(await statusWith(login.json().access_token)).toBe(200)
  })

  test('It is valid 10 days, scoped to the user and organisation it was issued for.', async () => {
    const { access_token } = (await merchant.service.login(merchant.organisation.identity)).json()
    const { iat = 0, exp = 0, sub, org } = decodeJwt(access_token)
    expect(exp - iat).toBe(10 * 24 * 60 * 60)
    expect({ sub, org }).toEqual({ sub: merchant.organisation.userId, org: merchant.organisation.id })
  })

  test('After expiry the caller logs in again.', async () => {
    const own = await aService()
    try {
      const { identity } = await anOrganisation(own)
      const { access_token } = (await own.login(identity)).json()
      own.clock.jumpSeconds(11 * 24 * 60 * 60)
      expect((await own.get('/v2/stores', access_token)).statusCode).toBe(401)
      const again = (await own.login(identity)).json().access_token
      expect((await own.get('/v2/stores', again)).statusCode).toBe(200)
    } finally {
      await own.close()
    }
  })

  test("Rotating or disabling the organisation's API credential immediately invalidates all outstanding tokens of that organisation.", async () => {
    for (const change of ['rotate', 'disable']) {
      const organisation = await anOrganisation(merchant.service)
      const tokens = [
        await organisation.token(),
        await organisation.token('operator'),
        await organisation.token('viewer'),
      ]
      for (const token of tokens) expect(await statusWith(token)).toBe(200)
      await administrator.send('POST', `${credentialOf(organisation)}/${change}`)
      for (const token of tokens) expect(await statusWith(token)).toBe(401)
    }
  })

  test('Browser calls from a signed-in page of the platform are also accepted through the session cookie.', async () => {
    const cookie = await merchant.organisation.cookie()
    expect((await merchant.ask({ url: '/v2/migrations', headers: { cookie } })).statusCode).toBe(200)
  })

  test('Login succeeds only when username, email, organization_name, client_id and client_secret all match; a mismatch yields 401.', async () => {
    const { identity } = merchant.organisation
    const stranger = await anOrganisation(merchant.service)
    expect((await merchant.service.login(identity)).statusCode).toBe(200)
    for (const field of ['email', 'organization_name', 'client_id', 'client_secret'] as const) {
      const mixed = { ...identity, [field]: stranger.identity[field] }
      expect(`${field} ${(await merchant.service.login(mixed)).statusCode}`).toBe(`${field} 401`)
    }
    expect((await merchant.service.login({ ...identity, username: 'Grace' })).statusCode).toBe(401)
  })

  test('Login requires the organisation to have at least 2 connected commerce-platform stores (source and destination); otherwise 403.', async () => {
    for (const stores of [[], ['alone1']]) {
      const { identity } = await anOrganisation(merchant.service, { stores })
      expect((await merchant.service.login(identity)).statusCode).toBe(403)
    }
  })

  test('Store Migration must be enabled for the organisation; otherwise 403 on migration endpoints.', async () => {
    const organisation = await anOrganisation(merchant.service)
    const token = await organisation.token()
    await sql`update organisations set store_migration_enabled = false where id = ${organisation.id}`.execute(
      merchant.service.deps.database,
    )
    expect((await merchant.service.get('/v2/migrations', token)).statusCode).toBe(403)
  })
})

describe('Issuing the credential (administrator, admin portal)', () => {
  test('The organisation must exist already.', async () => {
    const nobody = await administrator.send('POST', '/admin/api/organisations/Nobody%20Inc/store-migration')
    expect(nobody.statusCode).toBe(404)
  })

  test('an administrator signs in with email and password and reaches what members of an organisation do not', async () => {
    const { email } = await aPerson(merchant.service, { administrator: true })
    const signedIn = await submit(merchant.service, '/app/sign-in', { email, password, return_to: '/admin' })
    expect(signedIn.statusCode).toBe(303)
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const listed = await merchant.ask({ url: '/admin/api/organisations', headers: { cookie } })
    expect(listed.statusCode).toBe(200)
    const ordinary = await merchant.organisation.cookie()
    const refused = await merchant.ask({ url: '/admin/api/organisations', headers: { cookie: ordinary } })
    expect(refused.statusCode).toBe(403)
  })

  test('Rotate: new secret, same client_id, shown once; old secret and all outstanding tokens are invalid at once.', async () => {
    const organisation = await anOrganisation(merchant.service)
    const token = await organisation.token()
    const rotated = (await administrator.send('POST', `${credentialOf(organisation)}/rotate`)).json()
    expect(rotated.clientId).toBe(organisation.identity.client_id)
    expect(rotated.clientSecret).not.toBe(organisation.identity.client_secret)
    const listed = await administrator.get(`/admin/api/organisations?text=${organisation.identity.organization_name}`)
    expect(listed.body).toContain(rotated.clientSecret.slice(-4))
    expect(listed.body).not.toContain(rotated.clientSecret)
    expect((await merchant.service.login(organisation.identity)).statusCode).toBe(401)
    expect(await statusWith(token)).toBe(401)
    const renewed = { ...organisation.identity, client_secret: rotated.clientSecret }
    expect((await merchant.service.login(renewed)).statusCode).toBe(200)
  })

  test('Disable: API access off, normal UI access untouched; all outstanding tokens stop working at once; Issue credential turns it on again with a fresh secret.', async () => {
    const organisation = await anOrganisation(merchant.service)
    const [token, cookie] = [await organisation.token(), await organisation.cookie()]
    await administrator.send('POST', `${credentialOf(organisation)}/disable`)
    expect(await statusWith(token)).toBe(401)
    expect((await merchant.service.login(organisation.identity)).statusCode).toBe(401)
    expect((await merchant.ask({ url: '/v2/stores', headers: { cookie } })).statusCode).toBe(200)
    const issued = (await administrator.send('POST', credentialOf(organisation))).json()
    expect(issued.clientId).toBe(organisation.identity.client_id)
    expect(issued.clientSecret).not.toBe(organisation.identity.client_secret)
    const fresh = { ...organisation.identity, client_secret: issued.clientSecret }
    expect((await merchant.service.login(fresh)).statusCode).toBe(200)
    expect(await statusWith(token)).toBe(401)
  })

  test('Remove: removes the organisation from Store Migration entirely (UI and API).', async () => {
    const organisation = await anOrganisation(merchant.service)
    const [token, cookie] = [await organisation.token(), await organisation.cookie()]
    await administrator.send('DELETE', `/admin/api/organisations/${organisation.id}/store-migration`)
    expect(await statusWith(token)).toBe(401)
    expect((await merchant.ask({ url: '/v2/stores', headers: { cookie } })).statusCode).toBe(403)
    expect([401, 403]).toContain((await merchant.service.login(organisation.identity)).statusCode)
  })
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const opens = async (token: string) => (await postMessage(merchant.service, token, ping)).statusCode

async function aSignedInBrowser(): Promise<AssistantBrowser> {
  const browser = new AssistantBrowser(merchant.service)
  await browser.signIn(merchant.organisation.userId)
  return browser
}

/** What is told to the client, or to the person where there is no client to tell. */
const errorIn = (location: unknown) => new URL(String(location), siteUrl).searchParams.get('error')

describe('Tool endpoint: OAuth 2.0 authorisation code with PKCE', () => {
  test('Register a client once (RFC 7591); keep the returned `client_id`; no secret exists or is accepted.', async () => {
    const registered = await register(merchant.service, {}, '198.51.100.1')
    expect(registered.statusCode).toBe(201)
    expect(registered.json()).not.toHaveProperty('client_secret')
    const assistant = await anAssistant(merchant.service)
    const code = (await allow(await aSignedInBrowser(), assistant)).get('code') ?? ''
    const basic = Buffer.from(`${assistant.clientId}:a-secret`).toString('base64')
    const fields = {
      grant_type: 'authorization_code',
      code,
      code_verifier: assistant.verifier,
      redirect_uri: redirectUri,
    }
    const withSecret = await merchant.ask({
      method: 'POST',
      url: '/oauth/mcp/token',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...fields, resource: siteUrl }).toString(),
    })
    expect(withSecret.json().error).toBe('invalid_client')
    const asking = await register(
      merchant.service,
      { token_endpoint_auth_method: 'client_secret_post' },
      '198.51.100.4',
    )
    expect(asking.statusCode).toBe(400)
  })

  test('Per authorisation, generate a PKCE `code_verifier` and challenge.', async () => {
    const assistant = await anAssistant(merchant.service)
    const { code_challenge: _left, ...without } = assistant.parameters
    const browser = await aSignedInBrowser()
    expect(errorIn((await browser.get(authorizeUrl(without))).headers.location)).toBe('invalid_request')
    const code = (await allow(browser, assistant)).get('code') ?? ''
    const wrong = await exchange(merchant.service, assistant, code, { code_verifier: 'x'.repeat(43) })
    expect(wrong.json().error).toBe('invalid_grant')
  })

  test('Method `S256` is mandatory; `plain` is rejected.', async () => {
    const { parameters } = await anAssistant(merchant.service)
    const plain = authorizeUrl({ ...parameters, code_challenge_method: 'plain' })
    expect(errorIn((await (await aSignedInBrowser()).get(plain)).headers.location)).toBe('invalid_request')
  })

  test('Open the authorize endpoint in a browser.', async () => {
    const { page } = await reachConsent(await aSignedInBrowser(), await anAssistant(merchant.service))
    expect(page.headers['content-type']).toMatch('text/html')
  })

  test('The user signs in with the existing platform login and clicks Allow.', async () => {
    const nobody = new AssistantBrowser(merchant.service)
    const { page } = await reachConsent(nobody, await anAssistant(merchant.service))
    expect(`${page.headers.location ?? page.body}`).toContain('/app/sign-in')
    const back = await allow(await aSignedInBrowser(), await anAssistant(merchant.service))
    expect(back.get('code')).toMatch(/./)
  })

  test('The redirect carries `code` and `state`; the caller verifies `state`.', async () => {
    const assistant = await anAssistant(merchant.service)
    const back = await allow(await aSignedInBrowser(), assistant)
    expect(back.get('state')).toBe(assistant.parameters.state)
    expect(back.get('code')).toMatch(/./)
  })

  test('The code is single-use and expires in about 5 minutes.', async () => {
    const used = await connect(merchant.service, merchant.organisation.userId)
    expect((await exchange(merchant.service, used.assistant, used.code)).json().error).toBe('invalid_grant')
    const late = await anAssistant(merchant.service)
    const code = (await allow(await aSignedInBrowser(), late)).get('code') ?? ''
    merchant.service.clock.jumpSeconds(6 * 60)
    expect((await exchange(merchant.service, late, code)).json().error).toBe('invalid_grant')
  })

  test('Exchange the code (with the verifier) for tokens.', async () => {
    const { tokens } = await connect(merchant.service, merchant.organisation.userId)
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      access_token: expect.stringMatching(/./),
      refresh_token: expect.stringMatching(/./),
    })
  })

  test('Call `POST {site_url}/mcp` with the bearer access token.', async () => {
    const { tokens } = await connect(merchant.service, merchant.organisation.userId)
    expect(await opens(tokens.access_token)).toBe(200)
    expect((await postMessage(merchant.service, undefined, ping)).statusCode).toBe(401)
  })

  test('Refresh tokens rotate: each refresh returns a new refresh token and invalidates the old one; always store the newest.', async () => {
    const { assistant, tokens } = await connect(merchant.service, merchant.organisation.userId)
    const renewed = await refresh(merchant.service, assistant, tokens.refresh_token)
    expect(renewed.json().refresh_token).not.toBe(tokens.refresh_token)
    const old = await refresh(merchant.service, assistant, tokens.refresh_token)
    expect(old.json().error).toBe('invalid_grant')
  })

  test('Audience binding: always send `resource` equal to the site root (RFC 8707).', async () => {
    const { parameters } = await anAssistant(merchant.service)
    const elsewhere = authorizeUrl({ ...parameters, resource: 'https://elsewhere.example' })
    expect(errorIn((await (await aSignedInBrowser()).get(elsewhere)).headers.location)).toBe('invalid_target')
  })

  test('Tokens minted for another audience are rejected.', async () => {
    // A bearer token is made for the API, below the same site.
    expect(await opens(await merchant.organisation.token())).toBe(401)
    const { tokens } = await connect(merchant.service, merchant.organisation.userId)
    expect((await merchant.service.get('/v2/stores', tokens.access_token)).statusCode).toBe(401)
  })

  test('Redirect URIs must be https; localhost only for development.', async () => {
    const status = async (uri: string) =>
      (await register(merchant.service, { redirect_uris: [uri] }, '198.51.100.9')).statusCode
    expect(await status('https://assistant.example/callback')).toBe(201)
    expect(await status('http://localhost:4711/callback')).toBe(201)
    expect(await status('http://assistant.example/callback')).toBe(400)
    expect(redirectUri).toMatch('http://127.0.0.1')
  })

  test("The token acts as the signed-in user with that user's organisation and role permissions.", async () => {
    const { tokens } = await connect(merchant.service, merchant.organisation.userId)
    const who = await merchant.service.get('/oauth/mcp/userinfo', tokens.access_token)
    expect(who.json()).toMatchObject({ sub: merchant.organisation.userId, role: 'owner' })
    expect(JSON.stringify(who.json().organization)).toContain(merchant.organisation.id)
  })

  test('On 401 the response carries a `WWW-Authenticate: Bearer` header with a `resource_metadata` parameter pointing at `{site_url}/.well-known/oauth-protected-resource`, to re-discover endpoints.', async () => {
    const refused = await postMessage(merchant.service, 'no-such-token', ping)
    expect(refused.statusCode).toBe(401)
    const metadata = `${siteUrl}/.well-known/oauth-protected-resource`
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer /)
    expect(refused.headers['www-authenticate']).toContain(`resource_metadata="${metadata}`)
  })

  test('Endpoints are machine-discoverable, so a client needs only the server URL.', async () => {
    const resource = (await merchant.service.get('/.well-known/oauth-protected-resource')).json()
    expect(resource.authorization_servers).toEqual([siteUrl])
    const server = (await merchant.service.get('/.well-known/oauth-authorization-server')).json()
    for (const name of ['registration_endpoint', 'authorization_endpoint', 'token_endpoint'])
      expect(server[name]).toMatch(new RegExp(`^${siteUrl}/`))
  })

  test('Refresh: the access token expires in about 1 hour; the refresh token lasts about 30 days.', async () => {
    // Its clock is moved by months, which would end the sessions of other tests.
    const own = await aService()
    try {
      const { assistant, tokens } = await connect(own, (await anOrganisation(own)).userId)
      expect(tokens.expires_in).toBe(60 * 60)
      own.clock.jumpSeconds(60 * 60 + 60)
      expect((await postMessage(own, tokens.access_token, ping)).statusCode).toBe(401)
      own.clock.jumpSeconds(29 * 24 * 60 * 60)
      const renewed = await refresh(own, assistant, tokens.refresh_token)
      expect(renewed.statusCode).toBe(200)
      own.clock.jumpSeconds(31 * 24 * 60 * 60)
      const late = await refresh(own, assistant, renewed.json().refresh_token)
      expect(late.json().error).toBe('invalid_grant')
    } finally {
      await own.close()
    }
  })
})
