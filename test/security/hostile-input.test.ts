import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { pagePaths } from '../../src/api/pages/pages.ts'
import { routeInput } from '../../src/api/route-input.ts'
import { type Route, routes } from '../../src/api/routes.ts'
import { type OperationName, operationPermissions } from '../../src/contract/accounts/permissions.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import {
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Organisation,
  password,
  proveAgain,
  type Service,
  siteUrl,
  submit,
} from '../api/a-service.ts'
import { bringTo } from '../api/migration-rows.ts'
import { isLong } from '../harness/long-form.ts'

const storeToken = 'token-of-every-store'

/** The service of the test holds every answer below to openapi.json; these tests only expect that none is a 500. */
let sandbox: Sandbox
let service: Service
let owner: Organisation
let ownerCookie: string
let administratorCookie: string
/** The targets of administrators' operations, because the owner is still needed afterwards. */
let other: Organisation
let runId: string
/** The event stream of an unfinished run would not end. */
let endedRunId: string
beforeAll(async () => {
  const stores = ['store1', 'store2', 'store3'].map((name) => ({ name, seed: 'empty' as const, token: storeToken }))
  sandbox = await startSandbox({ stores, plan: 'unlimited' })
  service = await aService({ bigcommerceApiUrl: sandbox.url })
  owner = await anOrganisation(service, { storeToken })
  other = await anOrganisation(service, { storeToken })
  const passwordHash = await hashPassword(password)
  await sql`update users set password_hash = ${passwordHash} where id = ${owner.userId}`.execute(service.deps.database)
  ownerCookie = await owner.cookie()
  administratorCookie = await aSession(service, (await aPerson(service, { administrator: true })).userId)
  runId = await aRun()
  endedRunId = await aRun()
  await bringTo(service, owner.id, endedRunId, 'completed')
})
afterAll(async () => {
  await service?.close()
  await sandbox?.close()
})

async function aRun(): Promise<string> {
  const created = await service.inject({
    method: 'POST',
    url: '/v2/migrations',
    headers: { cookie: ownerCookie, origin: siteUrl },
    payload: { source: 'store1', destination: 'store2' },
  })
  return created.json().requestId
}

/** Each test starts with fresh rate limits. */
beforeEach(async () => {
  service.clock.jumpSeconds(60)
  await proveAgain(service)
})

/** Texts that have broken other services. */
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
const prototypeKey = fc.constantFrom('__proto__', 'prototype', 'constructor', 'hasOwnProperty', 'toString')
/** Any JSON, of every type, occasionally with a key of a prototype. */
const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(nasty, prototypeKey, fc.string()), tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Valid input for each operation, so that a single hostile value gets past the checks of the others. */
function usualOf(name: OperationName): Record<string, unknown> {
  const person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }
  const stores = { source: 'store1', destination: 'store2' }
  const usual: Partial<Record<OperationName, Record<string, unknown>>> = {
    login: owner.identity,
    'change-password': { currentPassword: 'a wrong password', newPassword: password },
    reauthenticate: { currentPassword: 'a wrong password', code: '123456' },
    'begin-second-step': { currentPassword: 'a wrong password' },
    'confirm-second-step': { code: '123456' },
    'renew-recovery-codes': { code: '123456' },
    'end-second-step': { code: '123456' },
    'remove-second-step': { email: person.email },
    'change-name': { firstName: 'Ada', lastName: 'Lovelace' },
    'create-person-reset-link': { email: person.email },
    'add-member': { ...person, role: 'viewer' },
    'appoint-member': { ...person, role: 'viewer' },
    'change-member': { role: 'owner' },
    'add-store': { hash: 'store3', token: storeToken },
    'connect-store': { hash: 'store3', token: storeToken },
    'label-store': { label: 'A shop' },
    'create-webhook': { url: 'https://hooks.example/' },
    'change-mail-choice': { events: ['migration.finished'] },
    'create-administrator': { ...person, password },
    'create-organisation': { name: 'Another', owner: person },
    'create-migration': stores,
    forecast: { ...stores, mode: 'counts' },
    preflight: { ...stores, mode: 'counts' },
    'dismiss-issues': { ids: ['1'] },
    'dismiss-differences': { ids: ['1'] },
    'reopen-issues': { ids: ['1'] },
    'reopen-differences': { ids: ['1'] },
    'retry-issues': { ids: ['1'] },
    'sign-off': { comparison: endedRunId },
    'rename-migration': { label: 'Spring copy' },
    'compare-item': { ...stores, entity: 'brands', sourceItemId: '1' },
  }
  return usual[name] ?? {}
}

/** Existing values for the parts of a path, by name. */
function realPart(name: string, { answer }: Route): string {
  const id = answer === 'events' ? endedRunId : runId
  const parts: Record<string, string> = { id, hash: 'store1', userId: owner.userId, organisation: other.id }
  return parts[name] ?? '1'
}

interface Hostile {
  /** Null means an existing value. */
  pathParts: (string | null)[]
  body: [key: string, value: unknown][]
  headers: Record<string, string>
}

function hostileTo(route: Route): fc.Arbitrary<Hostile> {
  const { body, querystring } = routeInput(route)
  const known = Object.keys((body ?? querystring)?.shape ?? {})
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known, 'x') },
    { weight: 1, arbitrary: fc.oneof(prototypeKey, nasty, fc.string()) },
  )
  const headerText = fc.oneof(
    fc.constantFrom("'; drop table runs; --", '__proto__', '../..', '%0d%0aset-cookie: a=b', '9'.repeat(400)),
    fc.string().map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')),
  )
  return fc.record({
    pathParts: fc.array(fc.option(anyText, { freq: 1 }), { minLength: 2, maxLength: 2 }),
    body: fc.array(fc.tuple(key, anyValue), { maxLength: 3 }),
    headers: fc.record({
      'idempotency-key': headerText,
      'last-event-id': headerText,
      'x-forwarded-for': headerText,
      'x-forwarded-host': headerText,
      'user-agent': headerText,
    }),
  })
}

const cookieFor = ({ operation }: Route) =>
  operationPermissions[operation.name] === 'migrations.manage' ? administratorCookie : ownerCookie

/** Operations that end the session or delete what the others need never get both a valid path and a valid body. */
const ending = new Set<OperationName>(['sign-out', 'sign-out-everywhere'])

test.each(
  routes.filter(({ operation }) => !ending.has(operation.name)),
)('$method $path answers hostile input as described, and never with a 500', async (route) => {
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(hostileTo(route), async ({ pathParts, body, headers }) => {
      const parts = [...pathParts]
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent((parts.shift() ?? realPart(name, route)).toWellFormed() || 'x'),
      )
      const given = new Map<string, unknown>([...Object.entries(usualOf(route.operation.name)), ...body])
      const response = await service.inject({
        method: route.method,
        url: route.method === 'GET' ? `${path}?${queryOf(body)}` : path,
        headers: { ...headers, cookie: cookieFor(route), origin: siteUrl, 'content-type': 'application/json' },
        ...(route.method !== 'GET' && { payload: jsonOf(given) }),
      })
      seen.add(response.statusCode)
      expect(response.statusCode, response.body.slice(0, 500)).not.toBe(500)
      expect(response.headers['set-cookie'] ?? '').toBe('')
    }),
    { numRuns: isLong ? 300 : 15 },
  )
  // A request that was only rate-limited or sent to sign in has tested nothing.
  expect([...seen].some((status) => ![401, 429, 503].includes(status))).toBe(true)
})

/** An object would treat the key `__proto__` as its prototype; a client's JSON may contain it. */
function jsonOf(pairs: Map<string, unknown>): string {
  const members = [...pairs].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  return `{${members.join(',')}}`
}

function queryOf(pairs: [key: string, value: unknown][]): string {
  const cut = (value: unknown, length: number) =>
    (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, length).toWellFormed()
  return new URLSearchParams(
    pairs.map(([key, value]): [string, string] => [cut(key, 100), cut(value, 2_000)]),
  ).toString()
}

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each(
  routes.filter(({ method }) => method !== 'GET'),
)('$method $path refuses deep, huge and broken bodies', async (route) => {
  const [known = 'x'] = Object.keys(routeInput(route).body?.shape ?? {})
  const payloads = [
    deep(100_000),
    `{${JSON.stringify(known)}:${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    `[${'['.repeat(50_000)}`,
    `{"x":"${'x'.repeat(limits.bodyBytes)}"}`,
    '{"__proto__":{"isAdministrator":true}}',
    '{"constructor":{"prototype":{"isAdministrator":true}}}',
    '{"x":1e999}',
    '"text"',
    '"',
    '\0',
    '\ufeff{}x',
  ]
  for (const payload of payloads) {
    const response = await service.inject({
      method: route.method,
      url: route.path.replaceAll(/:\w+/g, 'x'),
      headers: { cookie: cookieFor(route), origin: siteUrl, 'content-type': 'application/json' },
      payload,
    })
    expect(response.statusCode, response.body.slice(0, 500)).toBeGreaterThanOrEqual(400)
    expect(response.statusCode, response.body.slice(0, 500)).toBeLessThan(500)
  }
})

test.each(
  pagePaths,
)('%s never answers hostile forms and queries with a 500, their script or a redirect outside /app', async (path) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('email', 'password', 'return_to', 'token', 'kept', 'x'), anyText), {
        maxLength: 5,
      }),
      async (fields) => {
        const query = queryOf(fields)
        const queried = await service.inject({ url: `${path}?${query}`, headers: { cookie: ownerCookie } })
        const submitted = await submit(service, path, Object.fromEntries(fields.map(([key, text]) => [key, text])))
        for (const { statusCode, body, headers } of [queried, submitted]) {
          expect(statusCode, body.slice(0, 500)).not.toBe(500)
          expect(body).not.toContain('<script>alert(1)</script>')
          expect(headers.location ?? '/app').toMatch(/^\/app/)
        }
      },
    ),
    { numRuns: isLong ? 200 : 10 },
  )
})

test('hostile organisation headers are refused as forbidden', async () => {
  for (const header of ["' or '1'='1", '1; drop table runs', 'x'.repeat(5_000), '%00', '__proto__']) {
    const response = await service.inject({
      url: '/v2/stores',
      headers: { cookie: ownerCookie, 'storeferry-organization': header },
    })
    expect(response.json().error).toBe('forbidden')
  }
})

test('malformed tokens and cookies are a 401', async () => {
  const texts = ['', ' ', 'a.b.c', '..', '"', "'; --", '%00', 'x'.repeat(8_000), '__proto__', 'eyJhbGciOiJub25lIn0..']
  for (const text of texts) {
    const attempts: Record<string, string>[] = [
      { authorization: text },
      { authorization: `Bearer ${text}` },
      { cookie: text },
      { cookie: `__Host-storeferry=${text}` },
    ]
    for (const headers of attempts) {
      expect((await service.inject({ url: '/v2/stores', headers })).statusCode).toBe(401)
    }
  }
})

test('after all of these requests tables still exist, neither owner is an administrator, and Object.prototype is unchanged', async () => {
  await sql`select 1 from runs, stores, users, audit limit 0`.execute(service.deps.database)
  const { rows } = await sql<{ id: string }>`
    select id from users where is_administrator and id in (${owner.userId}, ${other.userId})`.execute(
    service.deps.database,
  )
  expect(rows).toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { isAdministrator?: boolean }).isAdministrator).toBeUndefined()
})

/** The two stores and the body are values as well. */
const many = limits.bodyValues - 10
const picked = { ids: ['1'] }
test.each<[string, object]>([
  ['values', { entities: Array(limits.bodyBytes / 4 - 100).fill('x') }],
  ['entities', { entities: Array(many).fill('x') }],
  ['overwriteLiving', { overwriteLiving: Array(many).fill('x') }],
  ['pruneLive', { pruneLive: Array(many).fill('x'), conflictStrategy: 'replace' }],
  ['recreateErased', { recreateErased: Array(many).fill('x') }],
  ['ids', { selection: { brands: { ids: Array(many).fill('x') } } }],
  ['entityIds', { selection: { pageTemplates: [{ file: 'pages/brand', entityIds: Array(many).fill('1') }] } }],
  ['selection', { selection: Object.fromEntries(Array.from({ length: many / 4 }, (_, at) => [`k${at}`, picked])) }],
  ['unknown keys', Object.fromEntries(Array.from({ length: many }, (_, at) => [`k${at}`, 1]))],
])('S25: a body full of wrong %s gets a short answer', async (_, body) => {
  const answer = await service.inject({
    method: 'POST',
    url: '/v2/migrations',
    headers: { cookie: ownerCookie, origin: siteUrl },
    payload: { source: 'store1', destination: 'store2', ...body },
  })
  expect([413, 422]).toContain(answer.statusCode)
  expect(Object.keys(answer.json().errors ?? {}).length).toBeLessThanOrEqual(limits.refusedFields)
  expect(answer.payload.length).toBeLessThan(100_000)
})

const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`)
test.each<[string, number, (count: number) => object, string]>([
  ['names', limits.namedParts, (count) => ({ entities: keys(count) }), 'entries'],
  [
    'picks',
    limits.namedParts,
    (count) => ({ selection: Object.fromEntries(keys(count).map((key) => [key, picked])) }),
    'entities',
  ],
  // The body, three of its fields, and the entries of one.
  ['values', limits.bodyValues - 4, (count) => ({ entities: keys(count) }), `${limits.bodyValues} values`],
])('S25: at most so many %s are read, and one more is told so: %i', async (_, most, bodyOf, said) => {
  const [answer, more] = await Promise.all(
    [most, most + 1].map((count) =>
      service.inject({
        method: 'POST',
        url: '/v2/migrations',
        headers: { cookie: ownerCookie, origin: siteUrl },
        payload: { source: 'store1', destination: 'store2', ...bodyOf(count) },
      }),
    ),
  )
  expect(answer?.statusCode).toBe(422)
  expect(answer?.payload).not.toMatch(new RegExp(`at most (\\d+ )?${said}`))
  expect(more?.payload).toMatch(new RegExp(`at most (\\d+ )?${said}`))
})
