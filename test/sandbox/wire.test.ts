import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aSandbox } from './a-sandbox.ts'

const BRANDS = '/v3/catalog/brands'

interface Wire {
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** A call without the headers that fetch adds. */
function callBare(url: string, method: string, headers: Record<string, string> = {}): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const asking = request(
      url,
      { method, headers: { 'X-Auth-Token': 'secret', ...headers }, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        )
      },
    )
    asking.on('error', reject).end()
  })
}

async function aWire(brands = 4) {
  const { url, admin, sandbox } = await aSandbox()
  const table = sandbox.store('source').table('brands')
  for (let at = 0; at < brands; at++) table.insert({ name: `Brand ${at}`, search_keywords: 'x'.repeat(400) })
  const call = (method: string, path: string, headers?: Record<string, string>) =>
    callBare(`${url}${path}`, method, headers)
  const lastBytes = async () => (await admin('GET', '/requests')).body.requests.at(-1).bytes
  return { call, lastBytes }
}

test('an answer is gzipped on request, and the log counts the bytes as sent', async () => {
  const { call, lastBytes } = await aWire()
  const plain = await call('GET', BRANDS)
  expect(plain.bytes.length).toBeGreaterThan(1024)
  expect(await lastBytes()).toBe(plain.bytes.length)
  const packed = await call('GET', BRANDS, { 'Accept-Encoding': 'gzip, deflate' })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length)
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
  expect(await lastBytes()).toBe(packed.bytes.length)
})

test.each([
  [undefined],
  ['identity'],
  ['br'],
  ['gzip;q=0'],
  ['*;q=0.0, deflate'],
])('Accept-Encoding %s gets the plain body', async (wish) => {
  const { call } = await aWire()
  const answer = await call('GET', BRANDS, wish === undefined ? {} : { 'Accept-Encoding': wish })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(JSON.parse(answer.bytes.toString()).data).toHaveLength(4)
})

test.each(['gzip', 'GZIP;q=0.5', 'deflate, *'])('Accept-Encoding %s gets gzip', async (wish) => {
  const { call } = await aWire()
  expect((await call('GET', BRANDS, { 'Accept-Encoding': wish })).headers['content-encoding']).toBe('gzip')
})

test('a small body is not compressed', async () => {
  const { call } = await aWire(0)
  const answer = await call('GET', BRANDS, { 'Accept-Encoding': 'gzip' })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(JSON.parse(answer.bytes.toString()).data).toEqual([])
})

test('HEAD is answered like GET without the body', async () => {
  const { call, lastBytes } = await aWire()
  const [head, get] = [await call('HEAD', BRANDS), await call('GET', BRANDS)]
  expect([head.status, head.bytes.length]).toEqual([200, 0])
  expect(head.headers['content-length']).toBe(get.headers['content-length'])
  await call('HEAD', BRANDS)
  expect(await lastBytes()).toBe(0)
  expect((await call('HEAD', '/v3/catalog/nothing')).status).toBe(404)
})

test('OPTIONS lists the methods of a path, and a wrong method is 405 with the right ones', async () => {
  const { call } = await aWire()
  const options = await call('OPTIONS', BRANDS)
  expect([options.status, options.headers.allow, options.bytes.length]).toEqual([204, 'GET, HEAD, POST, DELETE', 0])
  const wrong = await call('PATCH', BRANDS)
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, POST, DELETE'])
  expect((await call('OPTIONS', '/v3/catalog/nothing')).status).toBe(404)
  expect((await call('OPTIONS', BRANDS, { 'X-Auth-Token': 'wrong' })).status).toBe(401)
})
