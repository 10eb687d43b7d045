import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Route, routes } from '../../src/api/routes.ts'
import { operationPermissions } from '../../src/contract/permissions.ts'
import { anOrganisation, aPerson, aService, aSession, type Service, siteUrl } from '../api/a-service.ts'

let service: Service
let owner: string
let administrator: string
beforeAll(async () => {
  service = await aService()
  owner = await (await anOrganisation(service)).cookie()
  administrator = await aSession(service, (await aPerson(service, { administrator: true })).userId)
})
afterAll(() => service.close())

/** Texts that have broken somebody's service before. */
const nasty = fc.constantFrom(
  '',
  '\0',
  '\ud800',
  '\u202Egnp.exe',
  '\u200b',
  '💥'.repeat(300),
  "'; drop table runs; --",
  "' or '1'='1",
  '$1',
  '%s%n',
  '../../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'a\r\nset-cookie: b=c',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '-1',
  '1e309',
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(70_000),
)
const anyText = fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string())
const anyKey = fc.oneof(nasty, fc.constantFrom('__proto__', 'prototype', 'constructor', 'hasOwnProperty'), fc.string())
/** Any JSON, with a prototype's key here and there, and deep. */
const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 4 }),
  ),
})).value

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
}

/** Keys that the operation knows, so that values get past the look at the keys. */
function keysOf({ operation }: Route): string[] {
  return Object.keys((operation.input as unknown as { shape: object }).shape)
}

interface Hostile {
  pathParts: string[]
  body: Record<string, unknown>
  headers: Record<string, string>
}

function hostileTo(route: Route): fc.Arbitrary<Hostile> {
  const headerText = fc.string().map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''))
  return fc.record({
    pathParts: fc.array(anyText, { minLength: 4, maxLength: 4 }),
    body: fc.dictionary(fc.oneof(fc.constantFrom(...keysOf(route), 'x'), anyKey), anyValue, { maxKeys: 6 }),
    headers: fc.record({
      'idempotency-key': fc.oneof(headerText, fc.constant("'; drop table runs; --")),
      'last-event-id': headerText,
      'x-forwarded-for': headerText,
    }),
  })
}

const cookieFor = ({ operation }: Route) =>
  operationPermissions[operation.name] === 'migrations.manage' ? administrator : owner

/** What ends the session would leave the others with nothing to ask. */
const ending = ['sign-out', 'sign-out-everywhere']

test.each(
  routes.filter(({ operation }) => !ending.includes(operation.name)),
)('$method $path answers hostile input as it is described, and never with a 500', async (route) => {
  const runs = process.env.STOREFERRY_LONG ? 200 : 15
  await fc.assert(
    fc.asyncProperty(hostileTo(route), async ({ pathParts, body, headers }) => {
      let at = 0
      const path = route.path.replaceAll(/:\w+/g, () => encodeURIComponent(wellFormed(pathParts[at++] ?? 'x')))
      const response = await service.inject({
        method: route.method,
        url: route.method === 'GET' ? `${path}?${queryOf(body)}` : path,
        headers: {
          ...headers,
          cookie: cookieFor(route),
          origin: siteUrl,
          'content-type': 'application/json',
        },
        ...(route.method !== 'GET' && { payload: JSON.stringify(body) }),
      })
      expect(response.statusCode, response.body).not.toBe(500)
    }),
    { numRuns: runs },
  )
})

function wellFormed(text: string): string {
  return text.toWellFormed() || 'x'
}

function queryOf(body: Record<string, unknown>): string {
  const pairs = Object.entries(body).map(
    ([key, value]) => [wellFormed(key), wellFormed(typeof value === 'string' ? value : JSON.stringify(value))] as const,
  )
  return new URLSearchParams(
    pairs.map(([key, value]): [string, string] => [key.slice(0, 100), value.slice(0, 2_000)]),
  ).toString()
}

test.each(
  routes.filter(({ method }) => method !== 'GET'),
)('$method $path survives deep, huge and broken bodies', async (route) => {
  for (const payload of [
    deep(100_000),
    `[${'['.repeat(50_000)}`,
    '{"__proto__":{"admin":true}}',
    '{"a":1e999}',
    '"',
    '\0',
    'null',
  ]) {
    if (payload === 'null' && ending.includes(route.operation.name)) continue
    const response = await service.inject({
      method: route.method,
      url: route.path.replaceAll(/:\w+/g, 'x'),
      headers: { cookie: cookieFor(route), origin: siteUrl, 'content-type': 'application/json' },
      payload,
    })
    expect(response.statusCode, response.body).toBeGreaterThanOrEqual(400)
    expect(response.statusCode, response.body).toBeLessThan(500)
  }
})

test('whatever was sent, no table is gone and no prototype has changed', async () => {
  await sql`select 1 from runs, stores, users, audit limit 0`.execute(service.deps.database)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('headers that name an organisation nobody has are refused, whatever they hold', async () => {
  for (const header of ["' or '1'='1", '1; drop table runs', 'x'.repeat(5_000), '%00', '__proto__']) {
    const response = await service.inject({
      url: '/v2/stores',
      headers: { cookie: owner, 'storeferry-organization': header },
    })
    expect(response.json().error).toBe('forbidden')
  }
})
