import { expect, test } from 'vitest'
import { PlatformError } from './bigcommerce/errors.ts'
import { createLog } from './log.ts'

const secret = 'planted-secret'

function aLog() {
  const lines: string[] = []
  return { log: createLog({ destination: { write: (line) => void lines.push(line) } }), lines }
}

test('S22: listed fields are logged, and unlisted ones are not', () => {
  const { log, lines } = aLog()
  log
    .child({ runId: 'run-1', whatever: secret })
    .child({ again: secret })
    .info({ httpStatus: 200, surprise: { deep: secret } }, 'Called.')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    runId: 'run-1',
    httpStatus: 200,
    surprise: '[not listed]',
    msg: 'Called.',
  })
  expect(lines.join()).not.toContain(secret)
})

test('S22: secrets inside a listed field are removed, and what is beside them stays', () => {
  const { log, lines } = aLog()
  const items = { token: secret, deep: [{ password: secret, deeper: { email: secret, name: 'kept' } }] }
  log.child({ items }).info({ total: { at: new Date(0), items } })
  const hidden = {
    token: '[redacted]',
    deep: [{ password: '[redacted]', deeper: { email: '[redacted]', name: 'kept' } }],
  }
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    total: { at: '1970-01-01T00:00:00.000Z', items: { token: '[redacted]' } },
  })
  expect(lines.join()).toContain(JSON.stringify(hidden))
  expect(lines.join()).not.toContain(secret)
})

test('S22: what a listed field holds at a depth that nothing has is not logged', () => {
  const { log, lines } = aLog()
  const circle: Record<string, unknown> = { token: secret }
  circle.again = circle
  log.info({ items: { a: { b: { c: { d: { e: { f: secret } } } } } }, total: circle })
  expect(JSON.parse(lines[0] ?? '').items).toEqual({ a: { b: { c: { d: { e: '[too deep]' } } } } })
  expect(lines.join()).not.toContain(secret)
})

test('S22: our own errors keep their message and call, but not the store’s answer', () => {
  const { log, lines } = aLog()
  const body = { title: secret, errors: { name: secret } }
  log.error({ err: new PlatformError({ method: 'POST', path: '/v3/catalog/brands', httpStatus: 409, body }) })
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    name: 'PlatformError',
    message: 'The store refused POST /v3/catalog/brands with HTTP 409.',
    method: 'POST',
    path: '/v3/catalog/brands',
    httpStatus: 409,
  })
  expect(lines.join()).not.toContain(secret)
})

test('S22: other errors keep only name, code and stack, also in their causes', () => {
  const { log, lines } = aLog()
  const database = Object.assign(new Error(`invalid input: "${secret}"\n${secret}`), { code: '22P02', detail: secret })
  log.error(new Error(secret, { cause: database }), 'Saving failed.')
  log.error({ err: new TypeError('x is not a function', { cause: secret }) })
  log.error(new Error(secret))
  log.error({ err: new Error(secret) })
  const [first, second] = lines.map((line) => JSON.parse(line).err)
  expect(first).toMatchObject({ message: '[withheld]', cause: { code: '22P02', message: '[withheld]' } })
  expect(first.stack[0]).toContain('log.test.ts')
  expect(second).toMatchObject({ message: 'x is not a function', cause: { message: '[withheld]' } })
  expect(lines.join()).not.toContain(secret)
})

test('S22: a request is logged by its route, never by its URL', () => {
  const { log, lines } = aLog()
  log.info({
    req: { method: 'GET', url: `/reset?${secret}`, headers: { cookie: secret }, routeOptions: { url: '/reset' } },
  })
  expect(JSON.parse(lines[0] ?? '').req).toEqual({ method: 'GET', route: '/reset' })
  expect(lines.join()).not.toContain(secret)
})
