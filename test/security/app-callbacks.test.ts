import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { findInstallation } from '../../src/db/accounts/app-installations.ts'
import { findStore } from '../../src/db/accounts/stores.ts'
import { aService, type Organisation, siteUrl } from '../api/a-service.ts'
import {
  type AppWorld,
  anAppWorld,
  app,
  claim,
  install,
  installAndClaim,
  installKey,
  keyIn,
  visit,
} from '../api/an-app.ts'

let world: AppWorld
let organisation: Organisation
let cookie: string
let hash: string
beforeAll(async () => {
  world = await anAppWorld(36)
})
afterAll(() => world?.close())
beforeEach(async () => {
  ;({ hash, organisation, cookie } = await world.another())
})
afterEach(() => world.platform.admin(`/${app.clientId}`, { tokenStatus: null, codeSeconds: 60 }))

const database = () => world.service.deps.database
const storeOf = () => findStore(database(), organisation.id, hash)
const installation = () => findInstallation(database(), hash)

const claimed = () => installAndClaim(world, { hash, organisation, cookie })

test('S1: the page in the control panel is a link that opens our site in a new tab, and no other page may be framed', async () => {
  const page = await install(world, hash)
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain('frame-ancestors https://*.mybigcommerce.com https://*.bigcommerce.com')
  expect(policy).toContain("form-action 'none'")
  expect(page.headers['x-frame-options']).toBeUndefined()
  const links = [...page.body.matchAll(/<a [^>]*>/g)].map(([link]) => link)
  expect(links).toEqual([
    `<a class="button" href="${siteUrl}/app/claim-store?key=${keyIn(page)}" target="_blank" rel="noopener">`,
  ])
  expect(page.body).not.toMatch(/<form|<script|<input/)
  const claimPage = await visit(world.service, `/app/claim-store?key=${keyIn(page)}`, { cookie })
  const callback = await visit(world.service, await world.platform.does('install', hash))
  for (const other of [claimPage, callback, await visit(world.service, '/app/sign-in')]) {
    expect(String(other.headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect(other.headers['x-frame-options']).toBe('SAMEORIGIN')
  }
})

test('S1: opening the app gives the owner of the store a new link, which replaces the one before; later it says that the store is connected', async () => {
  const first = await installKey(world, hash)
  const page = await visit(world.service, await world.platform.does('load', hash))
  expect([page.statusCode, page.headers['set-cookie']]).toEqual([200, undefined])
  const second = keyIn(page)!
  expect(second).not.toBe(first)
  expect((await claim(world, cookie, { key: first, organisation: organisation.id })).statusCode).toBe(404)
  expect((await claim(world, cookie, { key: second, organisation: organisation.id })).statusCode).toBe(303)
  const later = await visit(world.service, await world.platform.does('load', hash))
  expect([later.statusCode, keyIn(later)]).toEqual([200, undefined])
  expect(later.body).toContain('This store is connected')
  expect(later.body).toContain(`href="${siteUrl}/app"`)
})

test('S1: a user of the store who is not its owner gets no link', async () => {
  const key = await installKey(world, hash)
  const page = await visit(world.service, await world.platform.does('load', hash, { user: 'staff' }))
  expect([page.statusCode, keyIn(page)]).toEqual([403, undefined])
  expect(page.body).toContain('Ask its owner')
  expect((await claim(world, cookie, { key, organisation: organisation.id })).statusCode).toBe(303)
})

test('S1: a code works once: whoever replays it gets no link, and the first installation stays as it is', async () => {
  const callback = await world.platform.does('install', hash)
  const key = keyIn(await visit(world.service, String((await visit(world.service, callback)).headers.location)))!
  const before = await installation()
  const replayed = await visit(world.service, callback)
  expect(replayed.headers.location).toBe('/load?outcome=refused')
  const page = await visit(world.service, '/load?outcome=refused')
  expect([page.statusCode, keyIn(page)]).toEqual([422, undefined])
  expect(page.body).toContain('Install the app again.')
  expect(await installation()).toEqual(before)
  expect((await claim(world, cookie, { key, organisation: organisation.id })).statusCode).toBe(303)
})

test('S1: a code that has expired, belongs to another store, or was never issued installs nothing', async () => {
  await world.platform.admin(`/${app.clientId}`, { codeSeconds: -1 })
  const expired = await world.platform.does('install', hash)
  await world.platform.admin(`/${app.clientId}`, { codeSeconds: 60 })
  const ofAnother = new URL(await world.platform.does('install', (await world.another()).hash))
  ofAnother.searchParams.set('context', `stores/${hash}`)
  const otherScope = new URL(await world.platform.does('install', hash))
  otherScope.searchParams.set('scope', 'store_v2_orders')
  const invented = new URL(expired)
  invented.searchParams.set('code', 'qr6h3thvbvag2ffq')
  for (const url of [
    expired,
    ofAnother.href,
    otherScope.href,
    invented.href,
    '/auth',
    '/auth?code=a&context=stores/..&scope=b',
  ])
    expect((await visit(world.service, url)).headers.location, url).toBe('/load?outcome=refused')
  expect(await installation()).toBeUndefined()
})

test('S1: when the platform fails during the exchange, nothing is installed, and the page says what to do', async () => {
  await world.platform.admin(`/${app.clientId}`, { tokenStatus: 503 })
  const answer = await visit(world.service, await world.platform.does('install', hash))
  expect(answer.headers.location).toBe('/load?outcome=failed')
  const page = await visit(world.service, '/load?outcome=failed')
  expect(page.statusCode).toBe(502)
  expect(page.body).toContain('Install the app again in a minute')
  expect(await installation()).toBeUndefined()
})

const day = 24 * 60 * 60
const seconds = () => Math.floor(world.service.clock.now().getTime() / 1000)

/** Payloads that are not of the platform for this app at this time. */
const forgeries: [string, () => object][] = [
  ['without a signature (alg: none)', () => ({ algorithm: 'none' })],
  ['with another algorithm', () => ({ algorithm: 'HS512' })],
  ['with another secret', () => ({ secret: 'a guess' })],
  ['of another app', () => ({ claims: { aud: 'app2client' } })],
  ['for several apps of which none is ours', () => ({ claims: { aud: ['app2client', 'app3client'] } })],
  ['of another issuer', () => ({ claims: { iss: 'storeferry' } })],
  ['about no store', () => ({ claims: { sub: 'customers/shop1' } })],
  ['about a path', () => ({ claims: { sub: 'stores/../admin' } })],
  ['without a subject', () => ({ claims: { sub: null } })],
  ['without an expiry', () => ({ claims: { exp: null } })],
  ['without the time of its issue', () => ({ claims: { iat: null } })],
  ['without the time from which it is valid', () => ({ claims: { nbf: null } })],
  ['without a user', () => ({ claims: { user: null } })],
  ['that expired ten minutes ago', () => ({ claims: { exp: seconds() - 600 } })],
  ['that expired more than a minute ago', () => ({ claims: { exp: seconds() - 62 } })],
  ['that is valid in ten minutes', () => ({ claims: { nbf: seconds() + 600 } })],
  ['that was issued in ten minutes', () => ({ claims: { iat: seconds() + 600 } })],
  ['older than a day, whatever its expiry', () => ({ claims: { iat: seconds() - day - 62, exp: seconds() + day } })],
]

test.each(forgeries)('S1: a payload %s opens, uninstalls and removes nothing', async (_, wish) => {
  await claimed()
  const before = await installation()
  for (const event of ['load', 'uninstall', 'remove-user'] as const) {
    // Uninstalling ends the token at the platform, and without one there are no further callbacks.
    const url = new URL(await world.platform.does('load', hash, wish()))
    url.pathname = { load: '/load', uninstall: '/uninstall', 'remove-user': '/remove_user' }[event]
    const answer = await visit(world.service, url.href)
    expect([event, answer.statusCode]).toEqual([event, 401])
    expect(keyIn(answer)).toBeUndefined()
  }
  expect(await installation()).toEqual(before)
  expect(await storeOf()).toBeDefined()
})

test('S1: a payload that was changed, cut, or left out is refused', async () => {
  await claimed()
  const real = new URL(await world.platform.does('load', hash)).searchParams.get('signed_payload_jwt')!
  const [header, , signature] = real.split('.')
  const claims = Buffer.from(JSON.stringify({ sub: 'stores/shop0' })).toString('base64url')
  for (const payload of [
    `${header}.${claims}.${signature}`,
    real.slice(0, -4),
    `${header}.`,
    'a.b.c',
    '',
    'x'.repeat(20_000),
  ])
    for (const path of ['/load', '/uninstall', '/remove_user']) {
      const answer = await visit(world.service, `${path}?signed_payload_jwt=${payload}`)
      expect([401, 422], `${path} ${payload.slice(0, 50)}`).toContain(answer.statusCode)
    }
  for (const path of ['/load', '/uninstall', '/remove_user']) {
    expect([401, 422], path).toContain((await visit(world.service, path)).statusCode)
    const twice = `${path}?signed_payload_jwt=${real}&signed_payload_jwt=${real}`
    expect([401, 422], path).toContain((await visit(world.service, twice)).statusCode)
  }
  expect(await storeOf()).toBeDefined()
})

test('S1: clocks may differ by a minute and no more', async () => {
  await installKey(world, hash)
  const load = async (wish: object) =>
    (await visit(world.service, await world.platform.does('load', hash, wish))).statusCode
  const at = (ahead: number) => ({ iat: seconds() + ahead, nbf: seconds() + ahead, exp: seconds() + ahead + day })
  expect(await load({ claims: at(58) })).toBe(200)
  expect(await load({ claims: at(62) })).toBe(401)
  expect(await load({ claims: { ...at(0), exp: seconds() - 58 } })).toBe(200)
  expect(await load({ claims: { ...at(0), exp: seconds() - 62 } })).toBe(401)
})

test('S1: with a clock that is ten minutes slow nothing is opened, and the page names the clock; with one that is ten minutes fast all works', async () => {
  await installKey(world, hash)
  const load = async (ahead: number) => {
    const iat = seconds() + ahead
    const claims = { iat, nbf: iat - 5, exp: iat - 5 + day }
    return visit(world.service, await world.platform.does('load', hash, { claims }))
  }
  const slow = await load(600)
  expect([slow.statusCode, keyIn(slow)]).toEqual([401, undefined])
  expect(slow.body).toContain('the clock of the server')
  // Signed ten minutes ago by our clock, and the installation before it, too.
  await sql`update app_installations set installed_at = installed_at - interval '10 minutes' where hash = ${hash}`.execute(
    database(),
  )
  expect((await load(-600)).statusCode).toBe(200)
})

test('S1: a callback from before the present installation is ignored, however often it comes', async () => {
  await claimed()
  const late = await world.platform.does('uninstall', hash, { secondsAgo: 10 })
  await installKey(world, hash).catch(() => undefined)
  expect((await visit(world.service, late)).statusCode).toBe(200)
  expect(await storeOf()).toBeDefined()
  const present = await world.platform.does('uninstall', hash)
  for (const _ of [1, 2]) expect((await visit(world.service, present)).statusCode).toBe(200)
  expect(await storeOf()).toBeUndefined()
  const key = await installKey(world, hash)
  const load = await world.platform.does('load', hash, { secondsAgo: 10 })
  expect(keyIn(await visit(world.service, load))).toBeUndefined()
  expect((await visit(world.service, late)).statusCode).toBe(200)
  expect((await claim(world, cookie, { key, organisation: organisation.id })).statusCode).toBe(303)
})

test('S1: a removed user of the store is acknowledged: the app has no users of its own, and nothing changes', async () => {
  await claimed()
  const before = [await installation(), await storeOf()]
  const answer = await visit(world.service, await world.platform.does('remove-user', hash))
  expect([answer.statusCode, answer.json()]).toEqual([200, {}])
  expect([await installation(), await storeOf()]).toEqual(before)
  const session = await world.service.inject({ url: '/v2/session', headers: { cookie } })
  expect(session.statusCode).toBe(200)
})

test('S1: an address may install ten times a minute, and send 120 other callbacks of each kind', async () => {
  const from = { remoteAddress: '198.51.100.7' }
  const statuses = async (url: string, times: number) => {
    const answers = []
    for (let count = 0; count < times; count += 1) answers.push((await visit(world.service, url, from)).statusCode)
    return answers
  }
  world.service.clock.jumpSeconds(60)
  const installs = await statuses('/auth', limits.appInstallsPerMinute + 1)
  expect(installs).toEqual([...Array(limits.appInstallsPerMinute).fill(303), 429])
  expect((await visit(world.service, '/auth', { remoteAddress: '198.51.100.8' })).statusCode).toBe(303)
  for (const path of ['/load', '/uninstall']) {
    const callbacks = await statuses(`${path}?signed_payload_jwt=a.b.c`, limits.appCallbacksPerMinute + 1)
    expect(callbacks.slice(0, -1).every((status) => status === 401)).toBe(true)
    expect(callbacks.at(-1)).toBe(429)
  }
  world.service.clock.jumpSeconds(60)
  expect((await visit(world.service, '/auth', from)).statusCode).toBe(303)
})

test('S1: other methods are refused: a HEAD would use up a code', async () => {
  const callback = new URL(await world.platform.does('install', hash))
  for (const path of [callback.pathname + callback.search, '/load', '/uninstall', '/remove_user'])
    for (const method of ['HEAD', 'POST', 'DELETE'] as const) {
      const answer = await world.service.inject({ method, url: path })
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, 'GET'])
    }
  const answer = await visit(world.service, callback.href)
  expect(answer.headers.location).toMatch(/^\/load\?claim=/)
})

test('S1: without an app its addresses do not exist', async () => {
  const service = await aService()
  try {
    for (const url of ['/auth', '/load', '/uninstall', '/remove_user'])
      for (const method of ['GET', 'POST'] as const)
        expect([url, (await service.inject({ method, url })).json().error]).toEqual([url, 'not_found'])
    expect((await service.inject({ method: 'POST', url: '/app/claim-store' })).statusCode).toBe(404)
  } finally {
    await service.close()
  }
})
