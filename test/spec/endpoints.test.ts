import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { migrationDetail } from '../../src/contract/migration.ts'
import { anOrganisation } from '../api/a-service.ts'
import { bringTo } from '../api/migration-rows.ts'
import { postMessage } from '../mcp/a-connection.ts'
import {
  Browser as AssistantBrowser,
  allow,
  anAssistant,
  connect,
  exchange,
  reachConsent,
  redirectUri,
  refresh,
  register,
} from '../oauth/an-assistant.ts'
import { aSearch } from '../search/a-search.ts'
import { aMerchant, type Merchant, pair } from './a-merchant.ts'

let merchant: Merchant
let live: string
let finished: string
beforeAll(async () => {
  merchant = await aMerchant()
  live = await aRun()
  finished = await aRun()
  // A forecast that comes after the end is added to the snapshot.
  await vi.waitFor(async () => expect((await read(finished)).json().forecast).not.toBeNull(), 20_000)
  await bringTo(merchant.service, merchant.organisation.id, finished, 'completed')
})
afterAll(() => merchant?.close())

async function aRun(): Promise<string> {
  return (await merchant.post('/v2/migrations', { ...pair, entities: ['brands'] })).json().requestId
}

const read = (id: string) => merchant.get(`/v2/migrations/${id}`)

test('GET | `{base_url}/migrations/{id}` | bearer token or session cookie | path parameter `id` (string, required): the migration request id returned by Create migration; no body | 200 JSON MigrationDetail; header `X-Read-Source`', async () => {
  const byToken = await read(live)
  expect(byToken.statusCode).toBe(200)
  expect(migrationDetail.parse(byToken.json()).requestId).toBe(live)
  expect(byToken.headers['x-read-source']).toBe('engine')
  const cookie = await merchant.organisation.cookie()
  expect((await merchant.ask({ url: `/v2/migrations/${live}`, headers: { cookie } })).json()).toEqual(byToken.json())
})

test('POST | `{base_url}/login` | none (credentials in body) | JSON body, see below | JSON: connected stores, `access_token`, expiry', async () => {
  const login = await merchant.service.login(merchant.organisation.identity)
  expect(login.statusCode).toBe(200)
  const { stores, access_token, expires_in, expires_at } = login.json()
  expect(stores.map(({ hash }: { hash: string }) => hash).sort()).toEqual(Object.values(pair).sort())
  expect((await merchant.service.get('/v2/stores', access_token)).statusCode).toBe(200)
  expect(Date.parse(expires_at)).toBeCloseTo(merchant.service.clock.now().getTime() + expires_in * 1000, -4)
})

test('Finished run: response comes from the durable snapshot.', async () => {
  const before = await read(finished)
  // What the engine kept of it is gone; the snapshot is not.
  await sql`update run_counters set created = 41 where run_id = ${finished}`.execute(merchant.service.deps.database)
  const after = await read(finished)
  expect(after.json()).toEqual(before.json())
  expect(after.headers['x-read-source']).toBe('postgres')
})

test('Live run: response comes from the engine.', async () => {
  await sql`update run_counters set discovered = 7, created = 7 where run_id = ${live} and component = 'brands'`.execute(
    merchant.service.deps.database,
  )
  const answer = await read(live)
  expect(answer.headers['x-read-source']).toBe('engine')
  expect(answer.json().phases[0]).toMatchObject({ key: 'brands', created: 7 })
})

test('The shape is the same.', async () => {
  const keysOf = async (id: string) => Object.keys((await read(id)).json()).sort()
  expect(await keysOf(live)).toEqual(await keysOf(finished))
})

test('Response header `X-Read-Source` names the store that served the read.', async () => {
  for (const id of [live, finished]) expect((await read(id)).headers['x-read-source']).toMatch(/./)
})

test('Values: one naming the search-index store, one naming the relational store, and `engine`.', async () => {
  const source = async (id: string) => (await read(id)).headers['x-read-source']
  const search = aSearch(merchant.service)
  expect([await source(live), await source(finished)]).toEqual(['engine', 'postgres'])
  await search.index()
  expect([await source(live), await source(finished)]).toEqual(['engine', search.store.name])
})

test('It is for observability only.', async () => {
  const answer = await merchant.ask({
    url: `/v2/migrations/${finished}`,
    headers: { authorization: `Bearer ${merchant.token}`, 'x-read-source': 'engine' },
  })
  expect(answer.headers['x-read-source']).toBe('postgres')
  expect(answer.json()).toEqual((await read(finished)).json())
})

test("Errors: 401 (no valid token or session), 403 (Store Migration not enabled for the organisation), 404 (no such migration in the caller's organisation).", async () => {
  const { service } = merchant
  const path = `/v2/migrations/${live}`
  expect((await service.get(path)).statusCode).toBe(401)
  const off = await anOrganisation(service)
  const token = await off.token()
  expect((await service.get(path, token)).statusCode).toBe(404)
  await sql`update organisations set store_migration_enabled = false where id = ${off.id}`.execute(
    service.deps.database,
  )
  expect((await service.get(path, token)).statusCode).toBe(403)
  expect((await read(randomUUID())).statusCode).toBe(404)
})

const identity = () => merchant.organisation.identity
const loginStatus = async (changes: object) =>
  (await merchant.service.login({ ...identity(), ...changes }, '192.0.2.77')).statusCode

test("username | user's name as registered: first name, last name or full name", async () => {
  for (const username of ['Ada', 'Lovelace', 'Ada Lovelace']) expect(await loginStatus({ username })).toBe(200)
  for (const username of ['Lovelace Ada', 'Grace']) expect(await loginStatus({ username })).toBe(401)
})

test('email | email of the user account', async () => {
  expect(await loginStatus({ email: identity().email })).toBe(200)
  expect(await loginStatus({ email: 'nobody@example.com' })).toBe(401)
})

test('organization_name | organisation name as registered; case-insensitive', async () => {
  expect(await loginStatus({ organization_name: identity().organization_name.toUpperCase() })).toBe(200)
  expect(await loginStatus({ organization_name: `${identity().organization_name} Ltd` })).toBe(401)
})

test("client_id | organisation's API credential id", async () => {
  const other = await anOrganisation(merchant.service)
  expect(await loginStatus({ client_id: other.identity.client_id })).toBe(401)
  expect(await loginStatus({ client_id: identity().client_id })).toBe(200)
})

test('client_secret | latest secret of the credential', async () => {
  const own = await anOrganisation(merchant.service)
  const rotate = `/admin/api/organisations/${own.id}/credential/rotate`
  const { clientSecret } = (await merchant.administrator.send('POST', rotate)).json()
  const status = async (secret: string) =>
    (await merchant.service.login({ ...own.identity, client_secret: secret })).statusCode
  expect(await status(own.identity.client_secret)).toBe(401)
  expect(await status(clientSecret)).toBe(200)
})

test('All three identity values must match the registered user and organisation.', async () => {
  const other = await anOrganisation(merchant.service)
  for (const field of ['username', 'email', 'organization_name'] as const) {
    const foreign = field === 'username' ? 'Grace' : other.identity[field]
    expect(`${field} ${await loginStatus({ [field]: foreign })}`).toBe(`${field} 401`)
  }
})

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

test('POST | `{site_url}/mcp` | JSON-RPC style tool endpoint; methods `initialize`, `tools/list`, `tools/call`, `ping`; requires `Authorization: Bearer <ACCESS_TOKEN>`; exposes 30 read-only tools scoped to the signed-in user', async () => {
  const { service, organisation } = merchant
  const { access_token } = (await connect(service, organisation.userId)).tokens
  const clientInfo = { name: 'a test', version: '1' }
  const greeting = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  for (const [method, params] of [
    ['initialize', greeting],
    ['ping', {}],
    ['tools/call', { name: 'list_stores', arguments: {} }],
  ] as const) {
    const answer = await postMessage(service, access_token, message(method, params))
    expect(`${method} ${answer.statusCode}`).toBe(`${method} 200`)
    expect(answer.body).not.toContain('"error"')
  }
  const { tools } = (await postMessage(service, access_token, message('tools/list'))).json().result
  expect(tools).toHaveLength(30)
  for (const { annotations } of tools) expect(annotations.readOnlyHint).toBe(true)
  expect((await postMessage(service, undefined, message('ping'))).statusCode).toBe(401)
})

test.each([
  'GET | `{site_url}/mcp` | 405; no server-initiated stream',
  'DELETE | `{site_url}/mcp` | 405',
])('%s', async (row) => {
  const method = row.startsWith('GET') ? 'GET' : 'DELETE'
  const answer = await merchant.ask({ method, url: '/mcp' })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST'])
})

test('GET | `{site_url}/oauth/mcp/userinfo` | token health check: 200 token valid, 401 re-authenticate', async () => {
  const { service, organisation } = merchant
  const { tokens } = await connect(service, organisation.userId)
  expect((await service.get('/oauth/mcp/userinfo', tokens.access_token)).statusCode).toBe(200)
  expect((await service.get('/oauth/mcp/userinfo', 'no-such-token')).statusCode).toBe(401)
})

test('(registration) | Dynamic Client Registration per RFC 7591 | public, self-service; returns a JSON object containing `client_id` (begins with a fixed prefix) and no secret', async () => {
  const registered = await register(merchant.service, {}, '198.51.100.1')
  expect(registered.statusCode).toBe(201)
  expect(registered.json().client_id).toMatch(/^sfm_/)
  expect(registered.json()).not.toHaveProperty('client_secret')
})

test('(authorize) | browser authorisation endpoint | user signs in and allows; redirects to `<REDIRECT_URI>?code=<AUTH_CODE>&state=<RANDOM>`', async () => {
  const browser = new AssistantBrowser(merchant.service)
  await browser.signIn(merchant.organisation.userId)
  const assistant = await anAssistant(merchant.service)
  const back = await allow(browser, assistant)
  expect(back.get('state')).toBe(assistant.parameters.state)
  expect(back.get('code')).toMatch(/./)
  expect((await reachConsent(browser, await anAssistant(merchant.service))).page.body).toContain(
    new URL(redirectUri).hostname,
  )
})

test('(token) | token endpoint | exchanges the code for tokens; refreshes tokens', async () => {
  const { service, organisation } = merchant
  const { assistant, tokens, code } = await connect(service, organisation.userId)
  expect((await refresh(service, assistant, tokens.refresh_token)).json().access_token).toMatch(/./)
  expect((await exchange(service, assistant, code)).statusCode).toBe(400)
})

test('Registration input: `redirect_uris` (must be https; localhost allowed for development) and `token_endpoint_auth_method` which must be `none`; only public clients are accepted.', async () => {
  const status = async (changes: object) =>
    (await register(merchant.service, { ...changes }, '198.51.100.2')).statusCode
  expect(await status({ redirect_uris: ['https://assistant.example/back'] })).toBe(201)
  expect(await status({ redirect_uris: ['http://localhost:9/back'] })).toBe(201)
  expect(await status({ redirect_uris: ['http://assistant.example/back'] })).toBe(400)
  expect(await status({ token_endpoint_auth_method: 'client_secret_basic' })).toBe(400)
})
