import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOrganisation } from '../api/a-service.ts'
import { aMerchant, type Merchant, pair } from './a-merchant.ts'

let merchant: Merchant
beforeAll(async () => {
  merchant = await aMerchant()
})
afterAll(() => merchant?.close())

/** An organisation that had been enabled, and its token. */
async function notEnabled() {
  const { service } = merchant
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  await sql`update organisations set store_migration_enabled = false where id = ${organisation.id}`.execute(
    service.deps.database,
  )
  return { organisation, token }
}

const migrationPaths = ['', `/${randomUUID()}`, `/${randomUUID()}/issues`].map((path) => `/v2/migrations${path}`)

test('401 | migration endpoints | no valid bearer token or session', async () => {
  for (const url of migrationPaths) {
    for (const headers of [{}, { authorization: 'Bearer x.y.z' }, { cookie: '__Host-storeferry=x' }])
      expect((await merchant.ask({ url, headers })).statusCode).toBe(401)
  }
})

test('401 | login | identity or credential mismatch', async () => {
  const { service, organisation } = merchant
  for (const field of Object.keys(organisation.identity)) {
    const refused = await service.login({ ...organisation.identity, [field]: 'somebody else' })
    expect(`${field} ${refused.statusCode}`).toBe(`${field} 401`)
  }
})

test('403 | migration endpoints | Store Migration not enabled for the organisation (message states this)', async () => {
  const { token } = await notEnabled()
  for (const url of migrationPaths) {
    const refused = await merchant.service.get(url, token)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({
      error: 'store_migration_disabled',
      message: expect.stringContaining('not enabled'),
    })
  }
})

test('403 | login | organisation has fewer than 2 connected stores', async () => {
  const { service } = merchant
  const one = await anOrganisation(service, { stores: ['alone1'] })
  const refused = await service.login(one.identity)
  expect(refused.statusCode).toBe(403)
  expect(refused.json().error).toBe('insufficient_stores')
})

test("404 | Get migration | no migration with that id in the caller's organisation", async () => {
  const { service, post } = merchant
  const { requestId } = (await post('/v2/migrations', { ...pair, mode: 'counts' })).json()
  expect((await merchant.get(`/v2/migrations/${requestId}`)).statusCode).toBe(200)
  const stranger = await (await anOrganisation(service)).token()
  expect((await service.get(`/v2/migrations/${requestId}`, stranger)).statusCode).toBe(404)
  expect((await merchant.get(`/v2/migrations/${randomUUID()}`)).statusCode).toBe(404)
})

test('Error bodies follow the Error body resource: `error`, `message`, and optionally `status` and `errors`.', async () => {
  const { post } = merchant
  const invalid = (await post('/v2/migrations', { ...pair, mode: 'sideways' })).json()
  expect(invalid).toEqual({
    error: 'validation_failed',
    message: expect.any(String),
    errors: { mode: [expect.any(String)] },
  })
  const plain = (await merchant.get(`/v2/migrations/${randomUUID()}`)).json()
  expect(plain).toEqual({ error: 'not_found', message: expect.any(String) })
  const other = await anOrganisation(merchant.service, { stores: [pair.source], storeToken: 'revoked' })
  const upstream = await merchant.service.get(`/v2/stores/${pair.source}/storefronts`, await other.token())
  expect(upstream.json()).toEqual({ error: 'platform_error', message: expect.any(String), status: 401 })
})

test('The 403 example message says Store Migration is not enabled for this organisation.', async () => {
  const { token } = await notEnabled()
  const { message } = (await merchant.service.get('/v2/migrations', token)).json()
  expect(message).toContain('Store Migration is not enabled for this organisation')
})

test('401 | tool endpoint and userinfo | token invalid or expired; carries the `WWW-Authenticate` header described above', async () => {
  const headers = { authorization: 'Bearer no-such-token', 'content-type': 'application/json' }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const refused of [
    await merchant.ask({ method: 'POST', url: '/mcp', headers, payload: ping }),
    await merchant.ask({ url: '/oauth/mcp/userinfo', headers: { authorization: headers.authorization } }),
  ]) {
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer .*resource_metadata="/)
  }
})

test('405 | GET or DELETE on `{site_url}/mcp` | method not supported', async () => {
  for (const method of ['GET', 'DELETE'] as const)
    expect((await merchant.ask({ method, url: '/mcp' })).statusCode).toBe(405)
})
