import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/api/server.ts'
import { createLog } from '../../src/log.ts'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

function logTo(lines: string[]) {
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return createLog({ level: 'trace', destination })
}

test('every answer has our own request id in a header, and log lines have the same ids, never the caller’s', async () => {
  const lines: string[] = []
  const app = await buildServer({ ...service.deps, isReady: async () => true, httpLog: logTo(lines) })
  const host = 'localhost:4000'
  const requests = [
    { url: '/health', headers: { host } },
    { url: '/v2/stores', headers: { host, 'x-request-id': 'of-the-caller', 'request-id': 'of-the-caller' } },
    { url: '/v2/stores/%zz', headers: { host } },
    { url: '/nowhere', headers: { host } },
    { url: '/v2/stores', headers: { host: 'elsewhere.example' } },
    { url: '/app/sign-in', headers: { host } },
    { url: '/mcp', headers: { host } },
    { url: '/.well-known/oauth-authorization-server', headers: { host } },
    { url: '/oauth/mcp/authorize', headers: { host } },
  ]
  const ids = []
  for (const one of requests) {
    const id = (await app.inject(one)).headers['x-request-id']
    expect(id, one.url).toMatch(/^[0-9a-f-]{36}$/)
    ids.push(String(id))
  }
  await app.close()
  expect(new Set(ids).size).toBe(requests.length)
  const logged = lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId !== undefined)
  for (const { reqId } of logged) expect(ids).toContain(reqId)
  // A line for each request that reached a route or was found to have none.
  expect(new Set(logged.map(({ reqId }) => reqId)).size).toBeGreaterThanOrEqual(requests.length - 1)
  expect(lines.join('')).not.toContain('of-the-caller')
})

test('what goes wrong inside the authorisation server is logged with the id of the request', async () => {
  const lines: string[] = []
  const app = await buildServer({ ...service.deps, isReady: async () => true, httpLog: logTo(lines) })
  const { database } = service.deps
  await sql`alter table oauth_records rename to oauth_records_away`.execute(database)
  const answer = await app.inject({
    method: 'POST',
    url: '/oauth/mcp/token',
    headers: { host: 'localhost:4000', 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=refresh_token&client_id=planted-client&refresh_token=planted-token',
  })
  await sql`alter table oauth_records_away rename to oauth_records`.execute(database)
  await app.close()
  expect([answer.statusCode, answer.json().error]).toEqual([500, 'server_error'])
  const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'Unexpected error')
  expect(logged).toMatchObject({ reqId: answer.headers['x-request-id'], route: '/oauth/mcp/token' })
  expect(lines.join('')).not.toContain('planted')
})

test('S22: lines about requests contain the route, the status and the organisation id, and no planted value that was sent', async () => {
  const lines: string[] = []
  const { identity, id, token } = await anOrganisation(service, { storeToken: 'planted-store-token' })
  const bearerToken = await token()
  const app = await buildServer({ ...service.deps, isReady: async () => true, httpLog: logTo(lines) })
  const headers = { host: 'localhost:4000', authorization: `Bearer ${bearerToken}`, cookie: 'planted-cookie' }
  await app.inject({ method: 'POST', url: '/v2/login', headers, payload: identity })
  await app.inject({
    method: 'POST',
    url: '/v2/login',
    headers,
    payload: { ...identity, client_secret: 'planted-wrong' },
  })
  await app.inject({ url: '/v2/stores/store1?planted-query=1', headers })
  await app.inject({ url: '/planted-address', headers })
  await app.inject({ method: 'POST', url: '/v2/login', headers, payload: '{"planted-json' })
  await app.close()
  const log = lines.join('')
  expect(log).toContain('"route":"/v2/login"')
  expect(log).toContain('"httpStatus":401')
  expect(log).toContain(`"organisationId":"${id}"`)
  const planted = [
    identity.client_secret,
    identity.email,
    identity.client_id,
    bearerToken,
    bearerToken.split('.')[2]!,
    'planted',
  ]
  for (const secret of planted) expect(log).not.toContain(secret)
})
