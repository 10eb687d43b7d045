import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildServer } from '../../src/api/server.ts'
import { errorHelpPath } from '../../src/contract/service-error.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { anOrganisation, aService, type Service, siteUrl } from './a-service.ts'

/** As short as Node allows, which looks every second. */
const connections = { headersSeconds: 1, requestSeconds: 1, keepAliveSeconds: 1, stalledSeconds: 1, connections: 3 }
let service: Service
let port: number
beforeAll(async () => {
  service = await aService({ connections })
  port = Number(new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => service.close())

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  // One that the server closes at once may see a reset.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Everything that the server says until it closes the connection, and after how many seconds. */
async function answerTo(sent: string): Promise<{ answer: string; seconds: number }> {
  const socket = await open()
  const beganMs = performance.now()
  socket.write(sent)
  const answer = await text(socket)
  return { answer, seconds: (performance.now() - beganMs) / 1000 }
}

const host = `Host: ${new URL(siteUrl).host}\r\n`

/** The status line and headers of an error of ours, whatever was wrong. */
function expectError(answer: string, httpStatus: number, code: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${httpStatus} `))
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  expect(head.toLowerCase()).toMatch(/x-request-id: [\da-f-]{36}/)
  expect(head.toLowerCase()).toContain(`link: <${siteUrl}${errorHelpPath}/${code}>; rel="help"`)
  expect(JSON.parse(body)).toEqual({ error: code, message: expect.stringMatching(/^[A-Z].*\.$/) })
}

test('an expectation that the server does not know is ignored, and the answer is as without it', async () => {
  const { answer } = await answerTo(`GET /v2/stores HTTP/1.1\r\n${host}Expect: something\r\nConnection: close\r\n\r\n`)
  expectError(answer, 401, 'unauthorized')
})

test.each([
  'TRACE /v2/stores',
  'TRACE /nowhere',
  'PROPFIND /v2/stores',
  'SEARCH /app',
  'NONSENSE /v2/stores',
  'CONNECT store.example:443',
])('%s is a 405 in our error format that repeats nothing', async (line) => {
  const { answer } = await answerTo(`${line} HTTP/1.1\r\n${host}X-Secret: planted\r\nConnection: close\r\n\r\n`)
  expectError(answer, 405, 'method_not_allowed')
  expect(answer.toLowerCase()).toContain('allow: get, head, post, patch, delete, options\r\n')
  expect(answer).not.toContain('planted')
})

test('headers of more than 16 KiB are a 431 in our error format', async () => {
  const { answer } = await answerTo(`GET /health HTTP/1.1\r\n${host}Cookie: ${'x'.repeat(16_500)}\r\n\r\n`)
  expectError(answer, 431, 'headers_too_large')
})

test('what is no HTTP is a 400 in our error format', async () => {
  expectError((await answerTo('GET /health HTTP/1.1\r\nno header\r\n\r\n')).answer, 400, 'malformed_request')
})

test('a path that climbs out of the description of the API is a 404 like any other', async () => {
  const asked = `GET /v2/docs/static/../../../package.json HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  expectError((await answerTo(asked)).answer, 404, 'not_found')
})

test.each([new URL(siteUrl).host, 'elsewhere.example'])('S10: a second Host header, %s, is a 400', async (second) => {
  for (const path of ['/v2/stores', '/health'])
    expectError(
      (await answerTo(`GET ${path} HTTP/1.1\r\n${host}Host: ${second}\r\n\r\n`)).answer,
      400,
      'malformed_request',
    )
})

test.each([
  ['http://elsewhere.example', 421],
  [siteUrl, 401],
])('S10: a request whose target is an address of %s is a %i, whatever its Host header says', async (site, httpStatus) => {
  const { answer } = await answerTo(`GET ${site}/v2/stores HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${httpStatus} `))
})

test.each([
  ['https://ferry.example', 'ferry.example:443', 401],
  ['https://ferry.example', 'ferry.example:80', 421],
  ['https://ferry.example:8443', 'ferry.example:8443', 401],
  ['https://ferry.example:8443', 'ferry.example', 421],
])('S10: to the service at %s, a request for %s is a %i', async (site, named, httpStatus) => {
  const settings = { ...service.deps.settings, siteUrl: site }
  const app = await buildServer({ ...service.deps, settings, isReady: async () => true })
  expect((await app.inject({ url: '/v2/stores', headers: { host: named } })).statusCode).toBe(httpStatus)
  await app.close()
})

test('what comes over an open connection while the service closes is answered, and the connection ends', async () => {
  const ending = await aService()
  onTestFinished(() => ending.close())
  const token = await (await anOrganisation(ending)).token()
  const { port: itsPort } = new URL(await ending.app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(itsPort), '127.0.0.1')
  const answered = text(socket)
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`)
  const { database } = ending.deps
  const closed = await database.transaction().execute(async (tx) => {
    await sql`lock table stores in access exclusive mode`.execute(tx)
    ask('/v2/stores')
    await untilWaiting(database, 1)
    const closing = ending.app.close()
    ask('/v2/entities')
    await sleep(100)
    return { closing }
  })
  const heads = (await answered).split(/(?=HTTP\/1\.1 )/).map((answer) => answer.split('\r\n\r\n')[0]?.toLowerCase())
  expect(heads.map((head) => head?.slice(0, 12))).toEqual(['http/1.1 200', 'http/1.1 200'])
  expect(heads[1]).toContain('connection: close')
  await closed.closing
})

test('S25: a body that comes too slowly ends with a 408 at the set time', async () => {
  const socket = await open()
  const beganMs = performance.now()
  socket.write(`POST /v2/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`)
  const drip = setInterval(() => socket.writable && socket.write(' '), 100)
  const answer = await text(socket)
  clearInterval(drip)
  expectError(answer, 408, 'request_timeout')
  expect((performance.now() - beganMs) / 1000).toBeLessThan(10)
})

test('S25: a connection that says nothing, or not all of its headers, is closed at the set time', async () => {
  for (const sent of ['', 'GET /health HTTP/1.1\r\nHost:']) expect((await answerTo(sent)).seconds).toBeLessThan(10)
})

test('S25: a connection that waits for its next request is closed at the set time', async () => {
  const { answer, seconds } = await answerTo(`GET /health HTTP/1.1\r\n${host}\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(seconds).toBeLessThan(10)
})

test('S25: a caller who does not read the answers loses the connection at the set time', async () => {
  const socket = (await open()).pause()
  // More than the buffers on the way hold; each answer has 700 KB.
  socket.write(`GET /v2/openapi.json HTTP/1.1\r\n${host}\r\n`.repeat(50))
  const connected = () => new Promise((resolve) => service.app.server.getConnections((_, count) => resolve(count)))
  expect(await connected()).toBe(1)
  await expect.poll(connected, { timeout: 10_000 }).toBe(0)
  socket.destroy()
})

test('S25: as many connections as the limit are served; one more is closed, until another has ended', async () => {
  const idle = [await open(), await open(), await open()]
  const asked = `GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  expect(await answerTo(asked).catch(() => ({ answer: '' }))).toMatchObject({ answer: '' })
  for (const socket of idle) socket.destroy()
  await expect.poll(async () => (await answerTo(asked).catch(() => undefined))?.answer).toMatch(/^HTTP\/1\.1 200 /)
})
