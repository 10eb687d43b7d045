import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { disableCredential } from '../../src/accounts/api-credentials.ts'
import { sha256 } from '../../src/accounts/credential-secret.ts'
import { newLinkToken } from '../../src/accounts/one-time-links.ts'
import { readSessionCookie } from '../../src/accounts/session-cookie.ts'
import { stillCounting } from '../../src/accounts/sessions.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { deleteEndedSessions, deleteSession } from '../../src/db/accounts/sessions.ts'
import { confirmCaller } from '../../src/operations/shared/confirm-caller.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  cookieOf,
  password,
  type Service,
  siteUrl,
  submit,
} from '../api/a-service.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { longTest } from '../harness/long-form.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function sessionOf(cookie: string) {
  return service.inject({ url: '/v2/session', headers: { cookie } })
}

async function signIn(email: string, given = password, how: Parameters<typeof submit>[3] = {}) {
  return submit(service, '/app/sign-in', { email, password: given, return_to: '/app' }, how)
}

test('a person signs in on the page, stays signed in, and signs out', async () => {
  const { userId, email } = await aPerson(service)
  const page = await service.inject({ url: '/app/sign-in' })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const signedIn = await signIn(` ${email.toUpperCase()} `)
  expect(signedIn.statusCode).toBe(303)
  const cookie = cookieOf(signedIn.headers['set-cookie'])
  const kept = await service.inject({ url: String(signedIn.headers.location), headers: { cookie } })
  expect(kept.headers.location).toBe('/app')
  expect((await sessionOf(cookie)).json()).toEqual({
    user: { id: userId, firstName: 'Grace', lastName: 'Hopper', email },
    isAdministrator: false,
    secondStep: false,
    secondStepMissing: false,
    organizations: [],
    connectsByApp: false,
    expiresAt: new Date(service.clock.now().getTime() + 14 * 24 * 60 * 60 * 1000).toISOString(),
  })
  const out = await submit(service, '/app/sign-out', {}, { cookie })
  expect(out.headers['set-cookie']).toMatch(/^__Host-storeferry=; Max-Age=0;/)
  expect((await sessionOf(cookie)).statusCode).toBe(401)
  expect((await service.inject({ url: '/app', headers: { cookie, accept: 'text/html' } })).headers.location).toBe(
    '/app/sign-in?return_to=%2Fapp',
  )
})

test('S13: the cookie is bound to the host, secure, out of reach of scripts, and the database has only its hash', async () => {
  const { email } = await aPerson(service)
  const header = String((await signIn(email)).headers['set-cookie'])
  expect(header).toMatch(/^__Host-storeferry=[\w-]{43}; Max-Age=1209600; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
  const id = cookieOf(header).split('=')[1] ?? ''
  const { rows } = await sql<{ row: string }>`
    select s::text as row from sessions s where id_hash = ${sha256(id)}`.execute(service.deps.database)
  expect(rows).toHaveLength(1)
  expect(rows[0]!.row).not.toContain(id)
})

test('S13: a sign-in renews the session: the browser’s earlier one ends, and an id it brought is not adopted', async () => {
  const { email } = await aPerson(service)
  const first = cookieOf((await signIn(email)).headers['set-cookie'])
  const second = cookieOf((await signIn(email, password, { cookie: first })).headers['set-cookie'])
  expect(second).not.toBe(first)
  expect((await sessionOf(first)).statusCode).toBe(401)
  expect((await sessionOf(second)).statusCode).toBe(200)
  const planted = `__Host-storeferry=${'A'.repeat(43)}`
  const third = cookieOf((await signIn(email, password, { cookie: planted })).headers['set-cookie'])
  expect(third).not.toBe(planted)
  expect((await sessionOf(planted)).statusCode).toBe(401)
})

test('S13: a session ends after 12 hours without a request, and after 14 days in any case', async () => {
  const other = await aService()
  try {
    const { userId } = await aPerson(other)
    const ask = async (cookie: string) => (await other.inject({ url: '/v2/session', headers: { cookie } })).statusCode
    const idle = await aSession(other, userId)
    other.clock.jumpSeconds(limits.sessionIdleSeconds - 1)
    expect(await ask(idle)).toBe(200)
    other.clock.jumpSeconds(limits.sessionIdleSeconds - 1)
    expect(await ask(idle)).toBe(200)
    other.clock.jumpSeconds(limits.sessionIdleSeconds)
    expect(await ask(idle)).toBe(401)
    const busy = await aSession(other, userId)
    for (let hour = 1; hour < 14 * 24; hour += 1) {
      other.clock.jumpSeconds(3_600)
      if (hour % 11 === 0) expect(await ask(busy)).toBe(200)
    }
    other.clock.jumpSeconds(3_599)
    expect(await ask(busy)).toBe(200)
    other.clock.jumpSeconds(1)
    expect(await ask(busy)).toBe(401)
    await aSession(other, userId)
    const { rows } = await sql`select 1 from sessions`.execute(other.deps.database)
    expect(rows).toHaveLength(1)
  } finally {
    await other.close()
  }
})

test('people whose sessions have ended overnight sign in at the same moment, and do not wait for each other', async () => {
  const morning = await aService()
  onTestFinished(() => morning.close())
  const { database, sessions } = morning.deps
  const people = [await aPerson(morning), await aPerson(morning)] as const
  const [first, second] = await Promise.all(people.map(({ userId }) => aSession(morning, userId)))
  morning.clock.jumpSeconds(limits.sessionIdleSeconds)
  const begun = await database.transaction().execute(async (tx) => {
    // As a sign-in does: the browser's earlier session first, then all that have ended.
    await deleteSession(tx, sha256(readSessionCookie(first)!))
    const other = database
      .transaction()
      .execute((one) => sessions.begin(one, people[1].userId, { cookieHeader: second, address: '192.0.2.1' }))
    await Promise.race([other, untilWaiting(database, 1)])
    await deleteEndedSessions(tx, stillCounting(morning.clock))
    return { other }
  })
  await expect(begun.other).resolves.toBeDefined()
  const { rows } = await sql`select from sessions`.execute(database)
  expect(rows).toHaveLength(1)
})

test('S13: a browser that returns from the sign-in without its cookie gets an explanation', async () => {
  const { email } = await aPerson(service)
  const signedIn = await signIn(email)
  const page = await service.inject({ url: String(signedIn.headers.location) })
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('did not keep the sign-in cookie')
})

test.each([
  ['/app', '/app'],
  ['/app/migrations?status=paused&text=spring%20copy', '/app/migrations?status=paused&text=spring%20copy'],
  ['/app/migrations?text=summer*', '/app/migrations?text=summer*'],
  ['/app?next=//evil.example', '/app'],
  ['/app/migrations#x', '/app'],
  ['/oauth/mcp/interaction/abc_-1', '/oauth/mcp/interaction/abc_-1'],
  ['https://evil.example/app', '/app'],
  ['//evil.example/app', '/app'],
  ['/app/../v2', '/app'],
  ['/\\evil.example', '/app'],
  ['/app\r\nset-cookie: a=b', '/app'],
  ['', '/app'],
])('S15: a sign-in with the target %j leads to %s', async (target, leads) => {
  const { userId } = await aPerson(service)
  const cookie = await aSession(service, userId)
  const url = `/app/sign-in?return_to=${encodeURIComponent(target)}`
  expect((await service.inject({ url, headers: { cookie } })).headers.location).toBe(leads)
})

test('a wrong password, an unknown email and a deactivated user get the same message, and the input comes back escaped', async () => {
  const { email, userId } = await aPerson(service)
  const wrong = await signIn(email, 'another password')
  const unknown = await signIn('"><script>@nobody.example')
  await sql`update users set active = false where id = ${userId}`.execute(service.deps.database)
  const inactive = await signIn(email)
  for (const refused of [wrong, unknown, inactive]) {
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect(refused.body).toContain('Wrong email or password.')
  }
  expect(unknown.body).toContain('&quot;&gt;&lt;script&gt;@nobody.example')
  expect(unknown.body).not.toContain('"><script>')
})

test('S24: a sign-in from another origin, from none and from "null" is refused', async () => {
  const { email } = await aPerson(service)
  for (const origin of ['https://evil.example', null, 'null', `${siteUrl}.evil.example`, 'http://localhost:4001']) {
    const refused = await signIn(email, password, { origin })
    expect(refused.statusCode).toBe(403)
    expect(refused.headers['set-cookie']).toBeUndefined()
  }
  expect((await signIn(email)).statusCode).toBe(303)
})

test('S5: after three failures each further one makes only this address wait longer, and a correct password then signs in', async () => {
  const { email } = await aPerson(service)
  for (let failure = 1; failure <= 3; failure += 1) expect((await signIn(email, 'wrong')).statusCode).toBe(401)
  const early = await signIn(email)
  expect(early.statusCode).toBe(429)
  expect(early.headers['retry-after']).toBe('1')
  expect((await signIn(email, password, { remoteAddress: '192.0.2.77' })).statusCode).toBe(303)
  service.clock.jumpSeconds(1)
  expect((await signIn(email, 'wrong')).statusCode).toBe(401)
  service.clock.jumpSeconds(1)
  expect((await signIn(email)).headers['retry-after']).toBe('1')
  service.clock.jumpSeconds(1)
  expect((await signIn(email)).statusCode).toBe(303)
})

test('S5: after ten failures an address has to wait more than a minute, and another address signs in', async () => {
  const { email } = await aPerson(service)
  for (let failure = 1; failure <= limits.loginFailuresPerClient; failure += 1) {
    expect((await signIn(email, 'wrong', { remoteAddress: '192.0.2.50' })).statusCode).toBe(401)
    service.clock.jumpSeconds(61)
  }
  const refused = await signIn(email, password, { remoteAddress: '192.0.2.50' })
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
  expect((await signIn(email, password, { remoteAddress: '192.0.2.51' })).statusCode).toBe(303)
})

test('signing out everywhere ends every session of this person only', async () => {
  const [one, other] = [await aPerson(service), await aPerson(service)]
  const cookies = [await aSession(service, one.userId), await aSession(service, one.userId)]
  const others = await aSession(service, other.userId)
  const headers = { cookie: cookies[0]!, origin: siteUrl }
  const response = await service.inject({ method: 'DELETE', url: '/v2/sessions', headers })
  expect(response.json()).toEqual({ ended: 2 })
  expect(response.headers['set-cookie']).toMatch(/Max-Age=0/)
  for (const cookie of cookies) expect((await sessionOf(cookie)).statusCode).toBe(401)
  expect((await sessionOf(others)).statusCode).toBe(200)
})

longTest(
  'S14: a changed password ends the other sessions and every bearer token, and only the new one signs in',
  async () => {
    const organisation = await anOrganisation(service)
    const { userId, identity } = organisation
    const person = await aPerson(service)
    await sql`
    update users set password_hash = (select password_hash from users where id = ${person.userId}) where id = ${userId}`.execute(
      service.deps.database,
    )
    const [here, elsewhere] = [await aSession(service, userId), await aSession(service, userId)]
    const token = await organisation.token()
    const change = (currentPassword: string, newPassword: string) =>
      aBrowser(service, here).send('POST', '/v2/session/password', { currentPassword, newPassword })
    const wrong = await change('not the password', 'another password')
    expect(wrong.json().errors).toEqual({ currentPassword: ['Is not the current password.'] })
    expect((await change(password, 'short')).json().errors.newPassword[0]).toContain('at least 12 characters')
    expect((await sessionOf(elsewhere)).statusCode).toBe(200)
    expect((await change(password, 'another password')).json()).toEqual({ ended: 1 })
    expect((await sessionOf(here)).statusCode).toBe(200)
    expect((await sessionOf(elsewhere)).statusCode).toBe(401)
    expect((await service.get('/v2/stores', token)).statusCode).toBe(401)
    expect((await signIn(identity.email)).statusCode).toBe(401)
    expect((await signIn(identity.email, 'another password')).statusCode).toBe(303)
    // In the same second as the change, but not before it.
    const renewed = (await service.login(identity)).json().access_token
    expect((await service.get('/v2/stores', renewed)).statusCode).toBe(200)
  },
)

test('the cookie speaks for a member as the bearer token does, and still does after the credential is disabled', async () => {
  const { id, userId } = await anOrganisation(service)
  const cookie = await aSession(service, userId)
  const stores = () => service.inject({ url: '/v2/stores', headers: { cookie } })
  expect((await stores()).json().items).toHaveLength(2)
  await disableCredential(id, { userId: null }, service.deps)
  expect((await stores()).json().items).toHaveLength(2)
  await sql`update organisations set store_migration_enabled = false where id = ${id}`.execute(service.deps.database)
  expect((await stores()).json().error).toBe('store_migration_disabled')
})

test('S24: a change by cookie needs the origin of the site; with an Authorization header the cookie is ignored', async () => {
  const { userId } = await anOrganisation(service)
  const cookie = await aSession(service, userId)
  const ask = (headers: Record<string, string>) =>
    service.inject({
      method: 'POST',
      url: `/v2/migrations/${randomUUID()}/pause`,
      headers: { cookie, 'content-type': 'application/json', ...headers },
      payload: '{}',
    })
  for (const headers of [{}, { origin: 'null' }, { origin: 'https://evil.example' }]) {
    expect((await ask(headers as Record<string, string>)).json().error).toBe('forbidden')
  }
  expect((await ask({ origin: siteUrl })).json().error).toBe('not_found')
  expect((await ask({ origin: siteUrl, authorization: 'Bearer a.b.c' })).statusCode).toBe(401)
  const asForm = await ask({ origin: siteUrl, ...form })
  expect(asForm.statusCode).toBe(415)
})

test('S18: a member of several organisations has to name one of them, and can name no other', async () => {
  const [one, two, foreign] = [
    await anOrganisation(service),
    await anOrganisation(service),
    await anOrganisation(service),
  ]
  await sql`
    insert into memberships (organisation_id, user_id, role) values (${two.id}, ${one.userId}, 'viewer')`.execute(
    service.deps.database,
  )
  const cookie = await aSession(service, one.userId)
  const ask = async (organisation?: string) =>
    service.inject({
      url: '/v2/migrations',
      headers: { cookie, ...(organisation !== undefined && { 'storeferry-organization': organisation }) },
    })
  expect((await ask()).json().error).toBe('malformed_request')
  expect((await ask(one.id)).statusCode).toBe(200)
  expect((await ask(two.id)).statusCode).toBe(200)
  const [theirs, nobodys] = [await ask(foreign.id), await ask(randomUUID())]
  expect(theirs.statusCode).toBe(403)
  expect(theirs.body).toBe(nobodys.body)
  const pause = await service.inject({
    method: 'POST',
    url: `/v2/migrations/${randomUUID()}/pause`,
    headers: { cookie, origin: siteUrl, 'storeferry-organization': two.id },
  })
  expect(pause.json().error).toBe('forbidden')
})

test('S6: ending a session or removing a member stops a write that was let in before', async () => {
  const { id, userId } = await anOrganisation(service)
  const write = async (sessionHash: Buffer) => {
    const caller = { userId, organisationId: id, role: 'owner' as const, sessionHash, provedAt: service.clock.now() }
    return service.deps.database.transaction().execute((tx) => confirmCaller(tx, caller, 'pause'))
  }
  const begin = async () => {
    const cookie = await aSession(service, userId)
    return { cookie, sessionHash: (await service.deps.sessions.find(cookie))!.sessionHash }
  }
  const first = await begin()
  await expect(write(first.sessionHash)).resolves.toBeUndefined()
  await service.inject({ method: 'DELETE', url: '/v2/session', headers: { cookie: first.cookie, origin: siteUrl } })
  await expect(write(first.sessionHash)).rejects.toMatchObject({ code: 'unauthorized' })
  const second = await begin()
  await expect(write(second.sessionHash)).resolves.toBeUndefined()
  await sql`update memberships set active = false where user_id = ${userId}`.execute(service.deps.database)
  await expect(write(second.sessionHash)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('S4: a bearer token does not reach a person’s own account', async () => {
  const token = await (await anOrganisation(service)).token()
  const response = await service.get('/v2/session', token)
  expect(response.statusCode).toBe(403)
  expect(response.json().message).toContain('Sign in to the portal')
})

test.each([
  '__Host-storeferry=',
  '__Host-storeferry=short',
  `__Host-storeferry=${'A'.repeat(43)}`,
  `__Host-storeferry=${'A'.repeat(43)}; __Host-storeferry=${'B'.repeat(43)}`,
  'a=b; ;;; =',
])('a cookie header of %j identifies no person', async (cookie) => {
  expect((await sessionOf(cookie)).statusCode).toBe(401)
})

test('S13: two cookies with the name are refused, even when one of them is valid', async () => {
  const { userId } = await aPerson(service)
  const cookie = await aSession(service, userId)
  expect((await sessionOf(cookie)).statusCode).toBe(200)
  expect((await sessionOf(`__Host-storeferry=${'A'.repeat(43)}; ${cookie}`)).statusCode).toBe(401)
})

test('S27: pages cannot be framed, run only our own scripts, and let forms keep their origin', async () => {
  const { headers, body } = await service.inject({ url: '/app/first-administrator' })
  const policy = String(headers['content-security-policy'])
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"]) {
    expect(policy).toContain(rule)
  }
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(headers['cache-control']).toBe('no-store')
  expect(body).not.toMatch(/style=|onload|<script>/)
  expect((await service.inject({ url: '/app/one-time-link.js' })).headers['content-type']).toMatch(/^text\/javascript/)
  expect((await service.inject({ method: 'DELETE', url: '/app/sign-in' })).headers.allow).toBe('GET, HEAD, POST')
})

const firstAdministrator = { firstName: 'Ada', lastName: 'Stone', email: 'ada@staff.example', password }

test('S11: of two links used at the same moment one creates the first administrator, and no link works afterwards', async () => {
  const other = await aService()
  try {
    const { database, clock } = other.deps
    const link = () => newLinkToken(database, clock, { purpose: 'first-administrator', userId: null })
    const [{ token: late }, { token: one }, { token: two }] = [await link(), await link(), await link()]
    const claim = (token: string, email: string) =>
      submit(other, '/app/first-administrator', { ...firstAdministrator, email, token })
    const short = await submit(other, '/app/first-administrator', {
      ...firstAdministrator,
      password: 'short',
      token: one,
    })
    expect(short.statusCode).toBe(422)
    expect(short.body).toContain(`value="${one}"`)
    const answers = await Promise.all([claim(one, 'one@staff.example'), claim(two, 'two@staff.example')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 401])
    const { location } = answers.find(({ statusCode }) => statusCode === 303)?.headers ?? {}
    expect((await other.inject({ url: String(location) })).body).toContain('The administrator is created. Sign in.')
    for (const token of [late, one, two, 'A'.repeat(43)]) {
      expect((await claim(token, 'three@staff.example')).statusCode).toBe(401)
    }
    const { rows } = await sql<{ email: string }>`select email from users where is_administrator`.execute(database)
    expect(rows).toHaveLength(1)
    const signedIn = await submit(other, '/app/sign-in', { email: rows[0]!.email, password })
    const cookie = cookieOf(signedIn.headers['set-cookie'])
    const session = await other.inject({ url: '/v2/session', headers: { cookie } })
    expect(session.json().isAdministrator).toBe(true)
  } finally {
    await other.close()
  }
})

test('S11: the link of the first administrator works for thirty minutes', async () => {
  const other = await aService()
  try {
    const { database, clock } = other.deps
    const claim = async (seconds: number) => {
      const { token } = await newLinkToken(database, clock, { purpose: 'first-administrator', userId: null })
      other.clock.jumpSeconds(seconds)
      return (await submit(other, '/app/first-administrator', { ...firstAdministrator, token })).statusCode
    }
    expect(await claim(1_800)).toBe(401)
    expect(await claim(1_799)).toBe(303)
  } finally {
    await other.close()
  }
})
