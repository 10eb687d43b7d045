import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { until } from '../harness/until.ts'
import { anOrganisation, aService, type Service, siteUrl } from './a-service.ts'

let service: Service
let token: string
beforeAll(async () => {
  service = await aService()
  token = await (await anOrganisation(service)).token()
})
afterAll(() => service.close())

const json = { 'content-type': 'application/json' }

test('an unknown address is a 404 in our error format', async () => {
  const response = await service.get('/v2/nothing', token)
  expect(response.statusCode).toBe(404)
  expect(response.json()).toEqual({ error: 'not_found', message: expect.any(String) })
})

test.each([
  ['GET', '/v2/login', 'POST'],
  ['DELETE', '/v2/stores', 'GET, HEAD, POST'],
  ['OPTIONS', '/v2/stores/abc', 'GET, HEAD, PATCH, DELETE'],
  ['PUT', '/admin/api/capacity', 'GET, HEAD'],
] as const)('%s %s is a 405 that allows %s', async (method, url, allow) => {
  const response = await service.inject({ method, url })
  expect(response.statusCode).toBe(405)
  expect(response.headers.allow).toBe(allow)
  expect(response.json().error).toBe('method_not_allowed')
})

test.each([
  ['broken', '{"username":', 'is not valid JSON'],
  ['empty', '', 'is empty'],
  ['with a key that would change a prototype', '{"__proto__":{"a":1}}', 'has a key that JavaScript reserves'],
  ['with a constructor', '{"a":[{"constructor":{"prototype":1}}]}', 'has a key that JavaScript reserves'],
])('JSON that is %s is a 400, which says so', async (_, payload, reason) => {
  const response = await service.inject({ method: 'POST', url: '/v2/login', headers: json, payload })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({ error: 'malformed_request', message: expect.stringContaining(reason) })
})

test.each([
  ['/v2/migrations/', 'id is empty in /v2/migrations/{id}.'],
  ['/v2/migrations//issues', 'id is empty in /v2/migrations/{id}/issues.'],
  ['/v2/stores/', 'hash is empty in /v2/stores/{hash}.'],
])('%s, as a script without its value asks, is a 404 that names the value', async (url, reason) => {
  const response = await service.get(url, token)
  expect(response.statusCode).toBe(404)
  expect(response.json()).toEqual({ error: 'not_found', message: `There is no such address: ${reason}` })
})

test('a compressed body is a 415, which says what is accepted', async () => {
  const headers = { ...json, 'content-encoding': 'gzip' }
  const response = await service.inject({ method: 'POST', url: '/v2/login', headers, payload: gzipSync('{}') })
  expect([response.statusCode, response.headers['accept-encoding']]).toEqual([415, 'identity'])
  expect(response.json().message).toBe('Send the body as it is, without Content-Encoding.')
})

test.each([
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
])('a body of type %s is a 415', async (type) => {
  const response = await service.inject({
    method: 'POST',
    url: '/v2/login',
    headers: { 'content-type': type },
    payload: '{}',
  })
  expect(response.statusCode).toBe(415)
  expect(response.json().error).toBe('unsupported_media_type')
})

const form = { origin: siteUrl, 'content-type': 'application/x-www-form-urlencoded' }
test.each([
  ['/v2/forecast', limits.bodyBytes, () => ({ ...json, authorization: `Bearer ${token}` })],
  // Whoever has not signed in yet sends a few short values.
  ['/v2/login', limits.formBytes, () => json],
  ['/app/sign-in', limits.formBytes, () => ({ ...json, origin: siteUrl })],
  ['/app/sign-in', limits.formBytes, () => form],
  ['/app/forgot', limits.formBytes, () => form],
] as const)('S25: %s reads a body of %i bytes, and not one more', async (url, most, headersOf) => {
  const headers = headersOf()
  const [before, after] = headers['content-type'] === json['content-type'] ? ['{"email":"', '"}'] : ['email=', '']
  const send = (bytes: number) => {
    const payload = before + 'x'.repeat(bytes - before.length - after.length) + after
    return service.inject({ method: 'POST', url, headers, payload })
  }
  expect([(await send(most)).statusCode, (await send(most + 1)).statusCode]).toEqual([422, 413])
})

test.each(['[]', 'null', '"text"', '7'])('a body that is not an object (%s) is a 422', async (payload) => {
  const response = await service.inject({ method: 'POST', url: '/v2/login', headers: json, payload })
  expect(response.statusCode).toBe(422)
})

test('an unknown query key is a 422 by its name', async () => {
  const response = await service.get('/v2/stores?page=2&__proto__=1', token)
  expect(response.statusCode).toBe(422)
  expect(response.json().errors.page).toEqual(['Unknown key.'])
})

test.each([
  undefined,
  '',
  'Basic YTpi',
  'Bearer',
  'Bearer not-a-token',
  'Bearer a.b.c',
])('the authorization %j is a 401 that names the scheme, whatever the body', async (authorization) => {
  const headers = authorization === undefined ? {} : { authorization }
  const response = await service.inject({ url: '/v2/stores?unknown=1', headers })
  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toBe('Bearer')
  expect(response.json()).toEqual({ error: 'unauthorized', message: expect.any(String) })
})

test('S10: a request for another Host is a 421, except for health', async () => {
  for (const host of ['evil.example', 'localhost', '127.0.0.1:4000']) {
    const headers = { host, authorization: `Bearer ${token}` }
    expect((await service.inject({ url: '/v2/stores', headers })).json().error).toBe('misdirected_request')
    expect((await service.inject({ url: '/health', headers })).json()).toEqual({ status: 'ok' })
  }
  expect((await service.inject({ url: '/v2/stores', headers: { host: 'LOCALHOST:4000' } })).statusCode).toBe(401)
})

test('S10: X-Forwarded-For counts only from a trusted proxy, and changes neither host nor scheme', async () => {
  const other = await aService({ trustedProxies: ['192.0.2.10', '198.51.100.0/24'] })
  try {
    const { identity } = await anOrganisation(other)
    const login = (remoteAddress: string, forwarded: string, changes = {}) =>
      other.inject({
        method: 'POST',
        url: '/v2/login',
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
        payload: { ...identity, ...changes },
      })
    for (let failure = 0; failure < limits.loginFailuresPerClient; failure += 1)
      await login('192.0.2.10', '203.0.113.7', { client_secret: 'wrong' })
    expect((await login('192.0.2.10', '203.0.113.7')).statusCode).toBe(429)
    expect((await login('198.51.100.9', '203.0.113.7')).statusCode).toBe(429)
    // What a client claims about itself comes before what the proxy saw, and is not believed.
    expect((await login('192.0.2.10', '203.0.113.7, 203.0.113.8')).statusCode).toBe(200)
    expect((await login('203.0.113.9', '203.0.113.7')).statusCode).toBe(200)
  } finally {
    await other.close()
  }
})

test('S27: answers are not cached, sniffed or framed', async () => {
  // The second address cannot be decoded.
  for (const path of ['/v2/stores', '/v2/stores/%']) {
    const { headers } = await service.get(path, token)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})

test('S29: the health check only says that the service is up, to any caller', async () => {
  const { statusCode, headers, body } = await service.inject({ url: '/health' })
  expect([statusCode, body]).toEqual([200, '{"status":"ok"}'])
  for (const telling of ['server', 'x-powered-by', 'set-cookie']) expect(headers).not.toHaveProperty(telling)
})

test('S25: a token may send 600 requests per minute, and the next one gets Retry-After', async () => {
  const busy = await (await anOrganisation(service)).token()
  service.clock.jumpSeconds(60)
  for (let sent = 1; sent <= limits.requestsPerMinute; sent += 1) {
    const scheme = ['Bearer', 'bearer', 'BEARER '][sent % 3]
    const headers = { authorization: `${scheme} ${busy}` }
    expect((await service.inject({ url: '/v2/stores', headers })).statusCode).toBe(200)
  }
  service.clock.jumpSeconds(20)
  const refused = await service.get('/v2/stores', busy)
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('40')
  expect((await service.get('/v2/stores', token)).statusCode).toBe(200)
  service.clock.jumpSeconds(40)
  expect((await service.get('/v2/stores', busy)).statusCode).toBe(200)
})

test.each([
  ['logins', '/v2/login', { 'content-type': 'application/json' }, '{}'],
  ['sign-ins', '/app/sign-in', { 'content-type': 'application/x-www-form-urlencoded', origin: siteUrl }, 'email='],
])('S25: an address may send 600 %s per minute, and another address is not affected', async (_, url, headers, payload) => {
  service.clock.jumpSeconds(60)
  const send = async (remoteAddress: string) =>
    (await service.inject({ method: 'POST', url, headers, payload, remoteAddress })).statusCode
  for (let sent = 1; sent <= limits.requestsPerMinute; sent += 1) expect(await send('192.0.2.77')).toBe(422)
  expect([await send('192.0.2.77'), await send('192.0.2.78')]).toEqual([429, 422])
  service.clock.jumpSeconds(60)
  expect(await send('192.0.2.77')).toBe(422)
})

test('a malformed address is a 400 in our error format', async () => {
  const response = await service.get('/v2/stores/%zz', token)
  expect(response.statusCode).toBe(400)
  expect(response.json().error).toBe('malformed_request')
})

test('the server answers over a socket as it does to injected requests', async () => {
  const other = await aService()
  try {
    const { port } = new URL(await other.app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('GET /v2/stores HTTP/1.1\r\nHost: localhost:4000\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 .*"error":"unauthorized"/s)
  } finally {
    await other.close()
  }
})

test('S25: an overloaded service answers at once, with Retry-After, and still serves the files of the portal', async () => {
  const other = await aService()
  try {
    const ask = (url = '/v2/stores') => other.app.inject({ url, headers: { host: new URL(siteUrl).host } })
    const { refused, file } = await until('somebody is told to come back', async () => {
      keepBusy(1_500)
      const [answer, unknown] = await Promise.all([ask(), ask('/app/assets/unknown.js')])
      return answer.statusCode === 503 && { refused: answer, file: unknown }
    })
    expect(file.statusCode).toBe(404)
    expect(refused.json()).toEqual({ error: 'unavailable', message: expect.stringContaining('too busy') })
    expect(refused.headers).toMatchObject({ 'retry-after': '5', 'x-request-id': expect.stringMatching(/./) })
    await until('it answers again', async () => (await ask()).statusCode === 401)
  } finally {
    await other.close()
  }
})

/** As a request would that takes the whole process. */
function keepBusy(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

test('without the database, an answer is a 503 with Retry-After, and afterwards the service works as usual', async () => {
  const other = await aService()
  try {
    const ownToken = await (await anOrganisation(other)).token()
    const held = Promise.withResolvers<void>()
    const connections = Array.from({ length: 10 }, () => other.deps.database.connection().execute(() => held.promise))
    const headers = { host: new URL(siteUrl).host, authorization: `Bearer ${ownToken}` }
    // Once: `get` would ask again.
    const response = await other.app.inject({ url: '/v2/stores', headers })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('5')
    expect(response.json()).toEqual({ error: 'unavailable', message: expect.stringContaining('database') })
    held.resolve()
    await Promise.all(connections)
    expect((await other.get('/v2/stores', ownToken)).statusCode).toBe(200)
  } finally {
    await other.close()
  }
})

test('an internal error is a 500 without details', async () => {
  const other = await aService()
  try {
    const ownToken = await (await anOrganisation(other)).token()
    await sql`alter table stores rename column label to planted_secret_column`.execute(other.deps.database)
    const response = await other.get('/v2/stores', ownToken)
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({ error: 'internal_error', message: expect.any(String) })
    expect(response.body).not.toContain('label')
  } finally {
    await other.close()
  }
})
