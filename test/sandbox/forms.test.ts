import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { SandboxRequest, SandboxRoute } from '../../sandbox/http/resource.ts'
import { aServer } from './a-server.ts'

/** A server with one route for each form setting; each returns what it received. */
async function aFormServer() {
  const route = (path: string, form?: SandboxRoute['form']): SandboxRoute => ({
    method: 'POST',
    path,
    scope: 'store_v2_default',
    latency: 'write',
    ...(form && { form }),
    handle: ({ body, files }: SandboxRequest) => ({ status: 200, body: { body, files: told(files) } }),
  })
  const { url } = await aServer([route('/v3/json'), route('/v3/also', 'also'), route('/v3/only', 'only')])
  return async (
    path: string,
    body: FormData | string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'X-Auth-Token': 'secret', ...headers },
      body,
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
}

function told(files: SandboxRequest['files']) {
  return [...files].map(([name, { fileName, contentType, bytes }]) => [name, fileName, contentType, [...bytes]])
}

function aForm(): FormData {
  const form = new FormData()
  form.append('description', 'Größe in cm')
  form.append('image_file', new Blob([new Uint8Array([0, 13, 10, 255])], { type: 'image/png' }), 'shirt.png')
  return form
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

test.each(['/v3/also', '/v3/only'])('%s splits a form into plain fields and files', async (path) => {
  const call = await aFormServer()
  expect(await call(path, aForm())).toEqual({
    status: 200,
    body: {
      body: { description: 'Größe in cm' },
      files: [['image_file', 'shirt.png', 'image/png', [0, 13, 10, 255]]],
    },
  })
})

test('a route without forms answers 415 to one, and a route for forms only answers 415 to JSON', async () => {
  const call = await aFormServer()
  expect((await call('/v3/json', aForm())).status).toBe(415)
  expect((await call('/v3/only', '{"a":1}', JSON_TYPE)).status).toBe(415)
  expect(await call('/v3/also', '{"a":1}', JSON_TYPE)).toEqual({ status: 200, body: { body: { a: 1 }, files: [] } })
})

test.each([
  ['without a boundary', 'multipart/form-data', '--x\r\n\r\n'],
  ['that breaks off', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'],
  ['that breaks off in a file', 'multipart/form-data; boundary=x', brokenFile()],
])('a form %s is 400', async (_case, type, body) => {
  const call = await aFormServer()
  expect((await call('/v3/also', body, { 'Content-Type': type })).status).toBe(400)
})

function brokenFile(): string {
  return '--x\r\nContent-Disposition: form-data; name="a"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc'
}

test('a field named like an inner part of an object is a plain field', async () => {
  const call = await aFormServer()
  const form = new FormData()
  form.append('__proto__', 'x')
  expect(JSON.stringify((await call('/v3/also', form)).body.body)).toBe('{"__proto__":"x"}')
})

test('a body of 20,000,000 bytes is read and one byte more is 413, compressed or not', async () => {
  const call = await aFormServer()
  const most = new Uint8Array(20_000_000).fill(32)
  const over = new Uint8Array(20_000_001).fill(32)
  most[0] = over[0] = 0x31
  expect((await call('/v3/json', most, JSON_TYPE)).status).toBe(200)
  expect((await call('/v3/json', over, JSON_TYPE)).status).toBe(413)
  const packed = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
  expect((await call('/v3/json', new Uint8Array(gzipSync(most)), packed)).status).toBe(200)
  expect((await call('/v3/json', new Uint8Array(gzipSync(over)), packed)).status).toBe(413)
})

test('a gzipped body is read like a plain one; an invalid one is 400 and another encoding is 415', async () => {
  const call = await aFormServer()
  const packed = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
  expect((await call('/v3/json', new Uint8Array(gzipSync('{"a":1}')), packed)).body.body).toEqual({ a: 1 })
  expect((await call('/v3/json', '{"a":1}', packed)).status).toBe(400)
  expect((await call('/v3/json', '{"a":1}', { ...JSON_TYPE, 'Content-Encoding': 'br' })).status).toBe(415)
})
