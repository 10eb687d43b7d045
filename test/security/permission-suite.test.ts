import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import { type Route, routes } from '../../src/api/routes.ts'
import { isOpenToBearerTokens, mayCall, operationPermissions } from '../../src/contract/accounts/permissions.ts'
import { removeStoreMigration } from '../../src/operations/administration/remove-store-migration.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import {
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Organisation,
  type Service,
  siteUrl,
} from '../api/a-service.ts'

const anonymous = { userId: null }

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

/** No operation has this key: a caller with permission is stopped at the input, and nothing is done. */
const noSuchKey = { 'no such key': '1' }
const passed = 422

async function ask(
  { method, path }: Route,
  headers: Record<string, string>,
): Promise<{ code: string; status: number }> {
  const url = path.replaceAll(/:\w+/g, 'x')
  const response = await service.inject({
    method,
    url: method === 'GET' ? `${url}?no%20such%20key=1` : url,
    headers,
    ...(method !== 'GET' && { payload: noSuchKey }),
  })
  return { code: response.json().error, status: response.statusCode }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const guarded = routes.filter(({ operation }) => operationPermissions[operation.name] !== 'public')
const ofMembers = guarded.filter(({ operation }) => mayCall('owner', operation.name))
const open = guarded.filter(({ operation }) => isOpenToBearerTokens(operation.name))
const ofPersons = guarded.filter(({ operation }) => operationPermissions[operation.name] === 'signed-in')
const ofAdministrators = guarded.filter(({ operation }) => operationPermissions[operation.name] === 'migrations.manage')

test('every operation that is not public is for members, persons or administrators, and there are some for each', () => {
  expect(ofMembers.length + ofPersons.length + ofAdministrators.length).toBe(guarded.length)
  for (const kind of [open, ofPersons, ofAdministrators]) expect(kind.length).toBeGreaterThan(0)
})

interface Attempt {
  headers(): Promise<Record<string, string>>
  httpStatus: number
}

async function spoilt(revoke: (organisation: Organisation) => Promise<unknown>): Promise<Record<string, string>> {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  await revoke(organisation)
  return bearer(token)
}

/** A changed claim or header, signed with the given key or the service's own. */
async function forged(by: 'another key' | 'a symmetric key' | 'our key', claims: object = {}) {
  const { id, userId } = await anOrganisation(service)
  const { kid, privateKey } = await service.signingKeys.current()
  const now = Math.floor(service.clock.now().getTime() / 1000)
  const real = {
    iss: siteUrl,
    aud: `${siteUrl}/v2`,
    sub: userId,
    org: id,
    version: 1,
    generation: 0,
    iat: now,
    exp: now + 60,
  }
  const alg = by === 'a symmetric key' ? 'HS256' : 'EdDSA'
  const keys = {
    'our key': privateKey,
    'another key': generateKeyPairSync('ed25519').privateKey,
    'a symmetric key': Buffer.alloc(32, 1),
  }
  const token = new SignJWT({ ...real, ...claims }).setProtectedHeader({ alg, typ: 'at+jwt', kid })
  return bearer(await token.sign(keys[by]))
}

async function unsigned() {
  const { authorization } = await forged('our key')
  const [, payload] = authorization.slice('Bearer '.length).split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
  return bearer(`${header}.${payload}.`)
}

async function tampered() {
  const { authorization } = await forged('our key')
  const [header, payload, signature] = authorization.slice('Bearer '.length).split('.')
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
  const other = Buffer.from(JSON.stringify({ ...claims, org: randomUUID() })).toString('base64url')
  return bearer(`${header}.${other}.${signature}`)
}

const database = () => service.deps.database

/** The tokens made by these are refused by every operation. */
const attempts: Record<string, Attempt> = {
  'no token': { headers: async () => ({}), httpStatus: 401 },
  'an expired token': { headers: () => forged('our key', { iat: 1, exp: 2 }), httpStatus: 401 },
  'a tampered token': { headers: tampered, httpStatus: 401 },
  'a token without a signature': { headers: unsigned, httpStatus: 401 },
  'a token signed with a symmetric algorithm': { headers: () => forged('a symmetric key'), httpStatus: 401 },
  'a token signed with another key': { headers: () => forged('another key'), httpStatus: 401 },
  'a token that names another organisation': {
    headers: async () => forged('our key', { org: (await anOrganisation(service)).id }),
    httpStatus: 401,
  },
  'a token of a rotated credential': {
    headers: () => spoilt(({ id }) => rotateCredential(id, anonymous, service.deps)),
    httpStatus: 401,
  },
  'a token of a disabled credential': {
    headers: () => spoilt(({ id }) => disableCredential(id, anonymous, service.deps)),
    httpStatus: 401,
  },
  'a token of an organisation that was removed': {
    headers: () => spoilt(({ id }) => perform(removeStoreMigration, { organisation: id }, anonymous, service.deps)),
    httpStatus: 401,
  },
  'a token of an organisation that is not enabled': {
    headers: () =>
      spoilt(({ id }) =>
        sql`update organisations set store_migration_enabled = false where id = ${id}`.execute(database()),
      ),
    httpStatus: 403,
  },
  'a token of a removed member': {
    headers: () =>
      spoilt(({ userId }) => sql`update memberships set active = false where user_id = ${userId}`.execute(database())),
    httpStatus: 401,
  },
  'a token of a deactivated user': {
    headers: () =>
      spoilt(({ userId }) => sql`update users set active = false where id = ${userId}`.execute(database())),
    httpStatus: 401,
  },
  'a cookie without a session': {
    headers: async () => ({ cookie: `__Host-storeferry=${'A'.repeat(43)}` }),
    httpStatus: 401,
  },
}

test.each(Object.entries(attempts))('with %s every operation except the public ones is refused', async (_, attempt) => {
  const headers = { origin: siteUrl, ...(await attempt.headers()) }
  for (const route of guarded) {
    const { status } = await ask(route, headers)
    expect(`${route.method} ${route.path} ${status}`).toBe(`${route.method} ${route.path} ${attempt.httpStatus}`)
  }
})

test('an owner passes every operation of members by cookie, and by token where that is allowed', async () => {
  const owner = await anOrganisation(service)
  const [token, cookie] = [bearer(await owner.token()), { cookie: await owner.cookie(), origin: siteUrl }]
  for (const route of ofMembers) {
    const byToken = isOpenToBearerTokens(route.operation.name) ? passed : 403
    expect(`${route.path} ${(await ask(route, token)).status}`).toBe(`${route.path} ${byToken}`)
    expect(`${route.path} ${(await ask(route, cookie)).status}`).toBe(`${route.path} ${passed}`)
  }
})

test.each([
  'viewer',
  'operator',
] as const)('a %s is stopped before the input is read wherever the role has no access', async (role) => {
  const organisation = await anOrganisation(service)
  const [token, cookie] = [
    bearer(await organisation.token(role)),
    { cookie: await organisation.cookie(role), origin: siteUrl },
  ]
  for (const route of ofMembers) {
    const expected = mayCall(role, route.operation.name) ? passed : 403
    const byToken = isOpenToBearerTokens(route.operation.name) ? expected : 403
    expect(`${route.path} ${(await ask(route, token)).status}`).toBe(`${route.path} ${byToken}`)
    expect(`${route.path} ${(await ask(route, cookie)).status}`).toBe(`${route.path} ${expected}`)
  }
})

test('S4: operations of persons and of administrators refuse a bearer token, even of an owner who is an administrator', async () => {
  const owner = await anOrganisation(service)
  const token = bearer(await owner.token())
  await sql`update users set is_administrator = true where id = ${owner.userId}`.execute(database())
  for (const route of [...ofPersons, ...ofAdministrators]) expect((await ask(route, token)).status).toBe(403)
})

test('operations of administrators are open to administrators and to no owner', async () => {
  const administrator = await aSession(service, (await aPerson(service, { administrator: true })).userId)
  const owner = await (await anOrganisation(service)).cookie()
  for (const route of ofAdministrators) {
    expect((await ask(route, { cookie: administrator, origin: siteUrl })).status).toBe(passed)
    expect((await ask(route, { cookie: owner, origin: siteUrl })).status).toBe(403)
  }
})

test('S24: with a cookie every change needs the origin of the site', async () => {
  const owner = await (await anOrganisation(service)).cookie()
  const administrator = await aSession(service, (await aPerson(service, { administrator: true })).userId)
  const changing = guarded.filter(({ method }) => method !== 'GET')
  for (const route of changing) {
    const cookie = ofAdministrators.includes(route) ? administrator : owner
    for (const headers of [{ cookie }, { cookie, origin: 'null' }, { cookie, origin: 'https://evil.example' }]) {
      expect(`${route.path} ${(await ask(route, headers as Record<string, string>)).status}`).toBe(`${route.path} 403`)
    }
    expect(`${route.path} ${(await ask(route, { cookie, origin: siteUrl })).status}`).toBe(`${route.path} ${passed}`)
  }
})

test('after Disable the cookie still works at every operation of members, after Remove at none', async () => {
  const owner = await anOrganisation(service)
  const headers = { cookie: await owner.cookie(), origin: siteUrl }
  await disableCredential(owner.id, anonymous, service.deps)
  for (const route of ofMembers) expect((await ask(route, headers)).status).toBe(passed)
  await perform(removeStoreMigration, { organisation: owner.id }, anonymous, service.deps)
  for (const route of ofMembers) {
    expect(await ask(route, headers)).toEqual({ code: 'store_migration_disabled', status: 403 })
  }
  for (const route of ofPersons) expect((await ask(route, headers)).status).toBe(passed)
})

test('the only public operation over HTTP is the login', () => {
  const open = routes.filter(({ operation }) => operationPermissions[operation.name] === 'public')
  expect(open.map(({ path }) => path)).toEqual(['/v2/login'])
})
