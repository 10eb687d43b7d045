import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { answer, type Script, type StoreServer, startStore } from '../../test/harness/store-server.ts'
import { until } from '../../test/harness/until.ts'
import { systemClock } from '../clock.ts'
import type { ObservedCall } from './client.ts'
import {
  CredentialsError,
  MissingScopeError,
  PlatformError,
  ReadOnlyStoreError,
  StoreUnreachableError,
  UnconfirmedWriteError,
} from './errors.ts'

let store: StoreServer

afterEach(() => store.stop())

async function aStore(script: Script): Promise<StoreServer> {
  store = await startStore(script)
  return store
}

/** The error itself, so that a test can check several of its fields. */
async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => null,
    (error: Error) => error,
  )
  if (outcome === null) throw new Error('It succeeded.')
  return outcome
}

const brand = { method: 'POST', path: '/v3/catalog/brands', body: { name: 'Acme' } } as const

describe('an empty page of a list that still counts items', () => {
  const page = (data: unknown[], pagination: object) => ({ data, meta: { pagination } })
  /** @returns how many pages were requested, and the last answer. */
  async function reading(...bodies: object[]): Promise<[asked: number, data: unknown]> {
    await aStore((_request, response) =>
      answer(response, 200, bodies[Math.min(store.requests.length, bodies.length) - 1]),
    )
    const { body } = await store.client.get<{ data: unknown }>('/v3/catalog/brands')
    return [store.requests.length, body.data]
  }

  test('C3: is read again', async () => {
    const empty = page([], { total: 1, current_page: 1, per_page: 50 })
    expect(await reading(empty, page([{ id: 1 }], { total: 1 }))).toEqual([2, [{ id: 1 }]])
  })

  test('C3: is believed the third time', async () => {
    expect(await reading(page([], { total: 1 }))).toEqual([3, []])
  })

  test('is believed at once when the list is empty or ends before it', async () => {
    expect(await reading(page([], { total: 0, current_page: 1, per_page: 50 }))).toEqual([1, []])
    await store.stop()
    expect(await reading(page([], { total: 50, current_page: 2, per_page: 50 }))).toEqual([1, []])
  })
})

describe('S3: where a request may go', () => {
  test.each(['', 'ABC', '../x', 'a'.repeat(21), 'a/b', 'a?b'])('S3: the store hash %j is refused', async (hash) => {
    await aStore((_request, response) => answer(response, 200, {}))
    expect(() => store.connect({ hash })).toThrow('store hash')
  })

  test.each([
    '/v3/../admin',
    '/v3/catalog/%2e%2e/x',
    '/v1/x',
    '/v3//x',
    '/v3/x?y=1',
    '/v3/x#y',
    'v3/x',
    '/v3/',
    '/v3/a\\b',
  ])('S3: the path %j is refused unsent', async (path) => {
    await aStore((_request, response) => answer(response, 200, {}))
    await expect(store.client.get(path)).rejects.toThrow(TypeError)
    expect(store.requests).toHaveLength(0)
  })

  test('S3: a redirect is a refusal and is not followed', async () => {
    await aStore((_request, response) => answer(response, 302, undefined, { location: '/elsewhere' }))
    const error = await failureOf(store.client.get('/v3/catalog/brands'))
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({ httpStatus: 302 })
    expect(store.requests).toHaveLength(1)
  })

  test('the URL is base, hash, path and query, and the token is only in its header', async () => {
    await aStore((_request, response) => answer(response, 200, { data: [] }))
    const client = store.connect({ apiUrl: `${store.url}/base/` })
    await client.get('/v3/catalog/brands', { 'id:in': '1,2', page: 2, nothing: undefined })
    expect(store.requests[0]?.url).toBe('/base/stores/abc123/v3/catalog/brands?id%3Ain=1%2C2&page=2')
    expect(store.requests[0]?.headers).toMatchObject({ 'x-auth-token': 'planted-token', accept: 'application/json' })
  })
})

describe('reading', () => {
  test('an empty answer is undefined, and gzip is unpacked', async () => {
    await aStore((request, response) => {
      if (request.url?.endsWith('coupons')) return answer(response, 204)
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('{"data":[1]}'))
    })
    expect(await store.client.get('/v2/coupons')).toMatchObject({ httpStatus: 204, body: undefined })
    expect(await store.client.get('/v3/channels')).toMatchObject({ httpStatus: 200, body: { data: [1] } })
  })

  test('server errors are retried with growing waits until the store answers', async () => {
    const faults: Script[] = [
      (request) => request.socket.destroy(),
      (_request, response) => answer(response, 503),
      (_request, response) => void response.writeHead(200).end('{"data":'),
      (_request, response) => answer(response, 429, {}),
    ]
    await aStore((request, response, body) => {
      const fault = faults.shift()
      if (fault) return fault(request, response, body)
      answer(response, 200, { data: 'at last' })
    })
    expect(await store.client.get('/v3/channels')).toMatchObject({ body: { data: 'at last' } })
    // 90 s is the time-out of each call; the last second is the governor's wait after the 429.
    expect(store.clock.slept.filter((ms) => ms !== 90_000)).toEqual([1_000, 4_000, 10_000, 1_000])
  })

  test('an answer without the body that it should have is read again', async () => {
    await aStore((_request, response) =>
      answer(response, 200, store.requests.length < 3 ? undefined : { data: 'at last' }),
    )
    expect(await store.client.get('/v3/channels')).toMatchObject({ body: { data: 'at last' } })
  })

  test('E4: a 429 never counts as a failed try, and each server error counts once', async () => {
    const busy: Script = (_request, response) => answer(response, 429, {})
    const broken: Script = (_request, response) => answer(response, 502)
    const answers = [...Array.from({ length: 8 }, () => busy), broken, busy, broken, busy, broken, busy, broken]
    await aStore((request, response, body) => {
      const script = answers.shift()
      if (script) return script(request, response, body)
      answer(response, 200, { data: 'at last' })
    })
    expect(await store.client.get('/v3/channels')).toMatchObject({ body: { data: 'at last' } })
    expect(store.requests).toHaveLength(16)
  })

  test('G8: a call that a store answers 429 for five minutes is given up', async () => {
    await aStore((_request, response) => answer(response, 429, {}))
    await expect(store.client.get('/v3/channels')).rejects.toMatchObject({ httpStatus: 429, path: '/v3/channels' })
    expect(store.clock.now().getTime()).toBeGreaterThan(5 * 60_000)
    const write = store.client.write({ method: 'PUT', path: '/v3/channels/1', body: {} })
    await expect(write).rejects.toMatchObject({ httpStatus: 429, onSocket: false })
  })

  test('G8: a call that a store asks to repeat after an hour is given up after five minutes', async () => {
    await aStore((_request, response) => answer(response, 429, {}, { 'retry-after': '3600' }))
    const read = failureOf(store.client.get('/v3/channels'))
    await until('the call waits', () => store.clock.slept.some((ms) => ms >= 5 * 60_000))
    await store.clock.advance(5 * 60_000)
    expect(await read).toMatchObject({ httpStatus: 429, path: '/v3/channels' })
    expect(store.requests).toHaveLength(2)
  })

  test('E4: a caller stops waiting for a busy store by a signal', async () => {
    const stop = new AbortController()
    let attempts = 0
    await aStore((_request, response) => {
      answer(response, 429, {})
      if (++attempts === 7) stop.abort(new Error('too late'))
    })
    await expect(store.client.get('/v3/channels', {}, { signal: stop.signal })).rejects.toThrow('too late')
  })

  test('after five tries the store is unreachable', async () => {
    await aStore((_request, response) => answer(response, 502))
    const error = await failureOf(store.client.get('/v3/channels'))
    expect(error).toBeInstanceOf(StoreUnreachableError)
    expect(error).toMatchObject({ httpStatus: 502, tries: 5, path: '/v3/channels' })
    expect(store.requests).toHaveLength(5)
    expect(store.governor.stats.inFlight).toBe(0)
  })

  test('a call without an answer times out and is tried again', async () => {
    let attempts = 0
    await aStore((_request, response) => {
      attempts += 1
      if (attempts === 1) void store.clock.advance(90_000)
      else answer(response, 200, { data: [] })
    })
    expect(await store.client.get('/v3/channels')).toMatchObject({ httpStatus: 200 })
    expect(store.requests).toHaveLength(2)
  })

  test('the caller can give up during a call and between tries', async () => {
    const stop = new AbortController()
    await aStore(() => stop.abort(new Error('paused')))
    await expect(store.client.get('/v3/channels', {}, { signal: stop.signal })).rejects.toThrow('paused')
    expect(store.governor.stats.inFlight).toBe(0)
  })

  test('an answer above the size limit is not tried again, compressed or not', async () => {
    await aStore((request, response) => {
      const text = JSON.stringify('x'.repeat(2_000))
      const packed = request.url?.endsWith('packed')
      response.writeHead(200, packed ? { 'content-encoding': 'gzip' } : {})
      response.end(packed ? gzipSync(text) : text)
    })
    const client = store.connect({}, { maxBodyBytes: 1_000 })
    for (const path of ['/v3/plain', '/v3/packed']) {
      expect(await failureOf(client.get(path))).toMatchObject({ name: 'StoreUnreachableError', tries: 1 })
    }
    expect(store.requests).toHaveLength(2)
  })

  test('every call is reported, with its class and answer', async () => {
    await aStore((_request, response) => answer(response, 200, {}))
    const calls: ObservedCall[] = []
    const client = store.connect({}, { onCall: (call) => calls.push(call) })
    await client.get('/v3/channels')
    await client.write({ ...brand, heavy: true })
    expect(calls).toMatchObject([
      { cls: 'read', method: 'GET', path: '/v3/channels', httpStatus: 200 },
      { cls: 'heavy', method: 'POST', path: '/v3/catalog/brands', httpStatus: 200 },
    ])
  })
})

describe('A4: the order of a write', () => {
  test('A4: first the grant, then beforeSend, then the socket', async () => {
    const order: string[] = []
    await aStore((_request, response) => {
      order.push('socket')
      answer(response, 200, { data: { id: 1 } })
    })
    const beforeSend = async () => void order.push(`confirmed with ${store.governor.stats.inFlight} granted`)
    expect(await store.client.write({ ...brand, beforeSend })).toMatchObject({
      httpStatus: 200,
      body: { data: { id: 1 } },
    })
    expect(order).toEqual(['confirmed with 1 granted', 'socket'])
    expect(store.requests[0]).toMatchObject({ method: 'POST', body: '{"name":"Acme"}' })
    expect(store.governor.stats.inFlight).toBe(0)
  })

  test('A4: an error of beforeSend is thrown on, and nothing is sent', async () => {
    await aStore((_request, response) => answer(response, 200, {}))
    const lost = new Error('lease lost')
    expect(await failureOf(store.client.write({ ...brand, beforeSend: () => Promise.reject(lost) }))).toBe(lost)
    expect(store.requests).toHaveLength(0)
    expect(store.governor.stats).toMatchObject({ inFlight: 0, granted: 0 })
  })

  test('A4: a confirmation that expired while connecting is renewed before anything is sent', async () => {
    await aStore((_request, response) => answer(response, 200, {}))
    let attempts = 0
    const beforeSend = async () => {
      attempts += 1
      if (attempts === 1) soon(() => store.clock.jump(3_000))
    }
    await store.client.write({ ...brand, beforeSend })
    expect(attempts).toBe(2)
    expect(store.requests).toHaveLength(1)
  })

  test('A4: a 429 was not applied, so all steps are repeated', async () => {
    let left = 7
    await aStore((_request, response) => {
      left -= 1
      if (left > 0) answer(response, 429, {}, left % 2 === 0 ? { 'X-Rate-Limit-Time-Reset-Ms': '2000' } : {})
      else answer(response, 200, { data: 1 })
    })
    let attempts = 0
    const beforeSend = async () => {
      attempts += 1
    }
    expect(await store.client.write({ ...brand, beforeSend })).toMatchObject({ body: { data: 1 } })
    expect([attempts, store.requests.length]).toEqual([7, 7])
  })

  test('a pause ends the wait for another try; the write was not applied', async () => {
    const stop = new AbortController()
    await aStore((_request, response) => {
      answer(response, 429, {}, { 'x-rate-limit-time-reset-ms': '3600000' })
      stop.abort(new Error('paused'))
    })
    await expect(store.client.write({ ...brand, signal: stop.signal })).rejects.toThrow('paused')
    expect(store.requests).toHaveLength(1)
  })

  test('a pause never interrupts a write that is on the wire', async () => {
    const stop = new AbortController()
    await aStore((_request, response) => {
      stop.abort(new Error('paused'))
      setImmediate(() => answer(response, 200, { data: 1 }))
    })
    expect(await store.client.write({ ...brand, signal: stop.signal })).toMatchObject({ body: { data: 1 } })
  })
})

describe('B2: unconfirmed writes', () => {
  const lostAnswers: [string, Script][] = [
    ['a reset', (request) => request.socket.destroy()],
    ['a time-out', () => void store.clock.advance(90_000)],
    ['a 500', (_request, response) => answer(response, 500, {})],
    ['a 503', (_request, response) => answer(response, 503)],
    ['a 408', (_request, response) => answer(response, 408)],
    ['an answer that is not JSON', (_request, response) => void response.writeHead(200).end('<html>')],
    [
      'an answer cut off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"data":', () => response.destroy())
      },
    ],
    ['a 422 that cannot be read', (_request, response) => void response.writeHead(422).end('{"data":')],
  ]

  test.each([
    501, 507,
  ])('B2: a %s is a refusal, because the store says that it will not apply the write', async (status) => {
    await aStore((_request, response) => answer(response, status, { title: 'The plan has no room' }))
    const error = await failureOf(store.client.write(brand))
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({ httpStatus: status, title: 'The plan has no room' })
    expect(store.requests).toHaveLength(1)
  })

  test.each(lostAnswers)('B2: %s leaves the write unconfirmed, and it is not sent again', async (_title, script) => {
    await aStore(script)
    const error = await failureOf(store.client.write(brand))
    expect(error).toBeInstanceOf(UnconfirmedWriteError)
    expect(error).toMatchObject({ method: 'POST', path: '/v3/catalog/brands', onSocket: true })
    expect(store.requests).toHaveLength(1)
    expect(store.governor.stats.inFlight).toBe(0)
  })

  test('B2: without a connection nothing was sent, and the error says so', async () => {
    await aStore((_request, response) => answer(response, 200, {}))
    // Nothing listens on port 1 of the loopback interface.
    const client = store.connect({ apiUrl: 'http://127.0.0.1:1' })
    let attempts = 0
    const beforeSend = async () => {
      attempts += 1
    }
    const error = await failureOf(client.write({ ...brand, beforeSend }))
    expect(error).toMatchObject({ name: 'UnconfirmedWriteError', onSocket: false, httpStatus: null })
    expect(attempts).toBe(5)
    expect(store.governor.stats).toMatchObject({ inFlight: 0, granted: 0 })
  })
})

describe('answers to a write', () => {
  test('a definite refusal keeps its body', async () => {
    const body = { status: 409, title: 'Duplicate brand', errors: { name: 'taken', deep: { er: 'too' } } }
    await aStore((_request, response) => answer(response, 409, body))
    const error = await failureOf(store.client.write(brand))
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({
      httpStatus: 409,
      title: 'Duplicate brand',
      errors: { name: 'taken', 'deep.er': 'too' },
      body,
    })
    expect(error.message).not.toContain('Duplicate')
  })

  test('v2 says it in a list', async () => {
    await aStore((_request, response) =>
      answer(response, 400, [{ status: 400, message: 'No code', details: { code: 'missing' } }]),
    )
    const error = await failureOf(store.client.write({ method: 'POST', path: '/v2/coupons', body: {} }))
    expect(error).toMatchObject({ title: 'No code', errors: { code: 'missing' } })
  })

  test.each(['errors', 'batch_errors'])('a list of %s says it in its first', async (field) => {
    const first = { status: 422, title: 'Not saved', errors: { name: 'taken' } }
    await aStore((_request, response) => answer(response, 422, { [field]: [first, { ...first, title: 'Nor this' }] }))
    expect(await failureOf(store.client.write(brand))).toMatchObject({ title: 'Not saved', errors: { name: 'taken' } })
  })

  test.each([
    [
      '<!DOCTYPE html>\n<html><head><TITLE>Access\n Denied</TITLE></head><body><p>18.2d</p></body></html>',
      'Access Denied',
    ],
    ['<html><body><h1>Blocked</h1><p>Ask  us.</p></body></html>', 'Blocked Ask us.'],
    ['a < b', 'a < b'],
  ])('of a page in HTML only the words are kept', async (page, title) => {
    await aStore((_request, response) => void response.writeHead(403, { 'content-type': 'text/html' }).end(page))
    expect(await failureOf(store.client.write(brand))).toMatchObject({ title, body: title })
  })

  test('207 is an answer', async () => {
    await aStore((_request, response) => answer(response, 207, { data: { id: 1 }, errors: { url: 'taken' } }))
    expect(await store.client.write(brand)).toMatchObject({ httpStatus: 207, body: { data: { id: 1 } } })
  })

  test('401 and 403 have errors of their own, also in plain text', async () => {
    await aStore(
      (request, response) => void response.writeHead(request.method === 'PUT' ? 403 : 401).end('Unauthorized'),
    )
    expect(await failureOf(store.client.write(brand))).toBeInstanceOf(CredentialsError)
    expect(await failureOf(store.client.get('/v3/channels'))).toMatchObject({
      name: 'CredentialsError',
      title: 'Unauthorized',
    })
    const error = await failureOf(store.client.write({ method: 'PUT', path: '/v3/channels/1', body: {} }))
    expect(error).toBeInstanceOf(MissingScopeError)
  })
})

test.each(['POST', 'PUT', 'DELETE'] as const)('D7: a source refuses %s before anything else', async (method) => {
  await aStore((_request, response) => answer(response, 200, {}))
  const client = store.connect({ readOnly: true })
  let attempts = 0
  const beforeSend = async () => {
    attempts += 1
  }
  const error = await failureOf(client.write({ method, path: '/v3/catalog/brands', beforeSend }))
  expect(error).toBeInstanceOf(ReadOnlyStoreError)
  expect([attempts, store.requests.length, store.governor.stats.granted]).toEqual([0, 0, 0])
  expect(await client.get('/v3/channels')).toMatchObject({ httpStatus: 200 })
})

test('D7, S3: a source may be asked to export a theme, and nothing that only looks like it', async () => {
  await aStore((_request, response) => answer(response, 200, { job_id: 'one' }))
  const client = store.connect({ readOnly: true })
  const theme = '/v3/themes/872b3e20-731f-0136-9d2f-633ff0d6ced1'
  const body = { which: 'last_activated' }
  expect((await client.write({ method: 'POST', path: `${theme}/actions/download`, body })).body).toEqual({
    job_id: 'one',
  })
  expect(store.requests).toHaveLength(1)
  const others = [
    { method: 'POST', path: '/v3/themes' },
    { method: 'POST', path: '/v3/themes/actions/activate' },
    { method: 'POST', path: `${theme}/actions/download/more` },
    { method: 'POST', path: '/v3/themes/all/actions/download' },
    { method: 'PUT', path: `${theme}/actions/download` },
    { method: 'DELETE', path: theme },
  ] as const
  for (const request of others) expect(await failureOf(client.write(request))).toBeInstanceOf(ReadOnlyStoreError)
  expect(store.requests).toHaveLength(1)
})

test.each([
  401, 403, 409, 422, 500,
])('S22: the token is in no error, even when the store echoes it with %i', async (httpStatus) => {
  await aStore((request, response) => answer(response, httpStatus, { title: `no ${request.headers['x-auth-token']}` }))
  for (const call of [() => store.client.get('/v3/channels'), () => store.client.write(brand)]) {
    const error = await failureOf(call())
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('planted-token')
    expect(inspect(store.client, { depth: 10 })).not.toContain('planted-token')
  }
})

/** Lets pending promises continue, but not the network. */
function soon(act: () => void, turns = 30): void {
  queueMicrotask(() => (turns === 0 ? act() : soon(act, turns - 1)))
}

test('closing the client ends the wait before the next try', async () => {
  await aStore((_request, response) => answer(response, 502))
  const client = store.connect({}, { clock: systemClock })
  const reading = failureOf(client.get('/v3/channels'))
  await until('the first try has failed', () => store.requests.length === 1 && store.governor.stats.inFlight === 0)
  await client.close()
  expect(await reading).toMatchObject({ message: 'The store client was closed.' })
})

const refusals: [string, number, unknown][] = [
  [
    'of version 3',
    422,
    { status: 422, title: 'The filter(s): page,limit are not valid filter parameter(s).', errors: {} },
  ],
  ['of version 3 that lists names', 422, { status: 422, title: 'Invalid Input.', errors: ['page', 'limit'] }],
  ['of version 2', 400, [{ status: 400, message: "The field 'page' is not supported by this resource." }]],
]

test.each(
  refusals,
)('a list is read without the parameters of paging that it does not have: a refusal %s', async (_form, status, body) => {
  const asked: string[] = []
  await aStore(({ url = '' }, response) => {
    asked.push(url.slice(url.indexOf('?') + 1))
    answer(response, url.includes('page=') ? status : 200, url.includes('page=') ? body : { data: [{ id: 1 }] })
  })
  const client = store.connect()
  const query = { 'id:in': '1', page: 1, limit: 250 }
  expect((await client.get('/v3/tax/zones/5/rates', query)).body).toEqual({ data: [{ id: 1 }] })
  const without = asked.at(-1)
  expect(without).not.toContain('page=')
  expect(without).toContain('id%3Ain=1')
  await client.get('/v3/tax/zones/6/rates', query)
  expect(asked).toHaveLength(3)
  expect(asked.at(-1)).toBe(without)
})

test('a filter that a list does not have is never left out', async () => {
  const title = 'The filter(s): id:in,page are not valid filter parameter(s).'
  await aStore((_request, response) => answer(response, 422, { status: 422, title, errors: {} }))
  const reading = store.connect().get('/v3/tax/zones', { 'id:in': '1', page: 1 })
  await expect(reading).rejects.toMatchObject({ httpStatus: 422, title })
  expect(store.requests).toHaveLength(1)
})

test.each([
  ['/v3/tax/zones', { data: [{ id: 1 }], meta: { pagination: { total: 1 } } }, 1],
  ['/v3/tax/zones', { data: [{ id: 1 }], meta: { pagination: { total: 2 } } }, 2],
  ['/v2/shipping/zones', Array.from({ length: 49 }, (_none, id) => ({ id })), 1],
  ['/v2/shipping/zones', Array.from({ length: 50 }, (_none, id) => ({ id })), 2],
])('G16: %s, which no file says how to page, is asked for pages only if it seems to have some', async (path, body, calls) => {
  const asked: string[] = []
  await aStore(({ url = '' }, response) => {
    asked.push(url.slice(url.indexOf(path) + path.length))
    answer(response, 200, body)
  })
  const client = store.connect()
  await client.get(path, { page: 1, limit: 250 })
  expect(asked).toEqual(['', '?page=1&limit=250'].slice(0, calls))
  await client.get(path, { page: 1, limit: 250 })
  expect(asked.at(-1)).toBe(asked[calls - 1])
})
