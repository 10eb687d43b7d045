import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableCredential, issueCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import { createSigningKeys } from '../../src/accounts/signing-keys.ts'
import { anOrganisation, aService, type Organisation, type Service, siteUrl } from '../api/a-service.ts'

const anonymous = { userId: null }
const tenDays = 10 * 24 * 60 * 60

let service: Service
let organisation: Organisation
/** The `jti` of a token that was issued. */
let jti: string
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  jti = String(decodeJwt(await organisation.token()).jti)
})
afterAll(() => service.close())

interface Forgery {
  header?: { alg?: string; typ?: string | undefined; kid?: string }
  claims?: JWTPayload
}

/** A token signed with the service's own key, like a real one except for the given changes. */
async function forge({ header, claims }: Forgery = {}): Promise<string> {
  const { kid, privateKey } = await service.signingKeys.current()
  const now = Math.floor(service.clock.now().getTime() / 1000)
  const real = { iss: siteUrl, aud: `${siteUrl}/v2`, sub: organisation.userId, org: organisation.id, version: 1, jti }
  const payload = { ...real, iat: now, exp: now + tenDays, ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header }).sign(privateKey)
}

async function httpStatusOf(token: string): Promise<number> {
  return (await service.get('/v2/stores', token)).statusCode
}

test('S7: a token with every pinned part is accepted', async () => {
  expect(await httpStatusOf(await forge())).toBe(200)
})

test.each<[string, Forgery]>([
  ['another typ', { header: { typ: 'JWT' } }],
  ['no typ', { header: { typ: undefined } }],
  ['a kid that is not ours', { header: { kid: randomUUID() } }],
  ['a kid that is not text for a database', { header: { kid: 'a\0b' } }],
  ['another issuer', { claims: { iss: 'http://localhost:4001' } }],
  ['the audience of the tool endpoint', { claims: { aud: siteUrl } }],
  ['another user', { claims: { sub: randomUUID() } }],
  ['a user that is not an id', { claims: { sub: 'root' } }],
  ['another organisation', { claims: { org: randomUUID() } }],
  ['another secret version', { claims: { version: 2 } }],
  ['a secret version that is text', { claims: { version: '1' } }],
  ['the id of no token', { claims: { jti: randomUUID() } }],
  ['no id', { claims: { jti: undefined } }],
  ['no expiry', { claims: { exp: undefined } }],
  ['no time of issue', { claims: { iat: undefined } }],
])('S7: a token signed by us with %s is a 401', async (_, forgery) => {
  expect(await httpStatusOf(await forge(forgery))).toBe(401)
})

test('S7: unsigned, symmetric and foreign signatures are a 401', async () => {
  const [header, payload] = (await forge()).split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { kid } = await service.signingKeys.current()
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
  const symmetric = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
  const foreign = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
  const { privateKey } = generateKeyPairSync('ed25519')
  expect(await httpStatusOf(`${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`)).toBe(401)
  expect(await httpStatusOf(`${header}.${payload}.`)).toBe(401)
  expect(await httpStatusOf(await symmetric.sign(Buffer.alloc(32, 1)))).toBe(401)
  expect(await httpStatusOf(await foreign.sign(privateKey))).toBe(401)
})

test('S7: a token that expired 4 s ago or is issued 5 s ahead is accepted; at 6 s and 7 s it is a 401', async () => {
  const now = Math.floor(service.clock.now().getTime() / 1000)
  expect(await httpStatusOf(await forge({ claims: { exp: now - 4 } }))).toBe(200)
  expect(await httpStatusOf(await forge({ claims: { exp: now - 6 } }))).toBe(401)
  expect(await httpStatusOf(await forge({ claims: { iat: now + 5 } }))).toBe(200)
  expect(await httpStatusOf(await forge({ claims: { iat: now + 7 } }))).toBe(401)
})

test('a token lives ten days', async () => {
  const other = await aService()
  try {
    const token = await (await anOrganisation(other)).token()
    other.clock.jumpSeconds(tenDays)
    expect((await other.get('/v2/stores', token)).statusCode).toBe(200)
    other.clock.jumpSeconds(7)
    expect((await other.get('/v2/stores', token)).statusCode).toBe(401)
  } finally {
    await other.close()
  }
})

test('S6: rotating ends every token and the old secret at the next request, and keeps the client id', async () => {
  const { id, identity, token } = await anOrganisation(service)
  const tokens = [await token(), await token('viewer')]
  const rotated = await rotateCredential(id, anonymous, service.deps)
  for (const old of tokens) expect(await httpStatusOf(old)).toBe(401)
  expect(rotated).toMatchObject({ clientId: identity.client_id, version: 2 })
  expect((await service.login(identity)).statusCode).toBe(401)
  const renewed = await service.login({ ...identity, client_secret: rotated.clientSecret })
  expect(await httpStatusOf(renewed.json().access_token)).toBe(200)
})

test('S6: disabling ends every token, and issuing again does not revive them', async () => {
  const { id, identity, token } = await anOrganisation(service)
  const old = await token()
  expect(await disableCredential(id, anonymous, service.deps)).toEqual({ clientId: identity.client_id, version: 2 })
  expect(await httpStatusOf(old)).toBe(401)
  expect(await issueCredential(id, anonymous, service.deps)).toMatchObject({ clientId: identity.client_id, version: 2 })
  expect(await httpStatusOf(old)).toBe(401)
})

test.each([
  ['the user', (owner: Organisation) => sql`update users set active = false where id = ${owner.userId}`, 401],
  [
    'the membership',
    (owner: Organisation) => sql`update memberships set active = false where user_id = ${owner.userId}`,
    401,
  ],
  [
    'Store Migration of the organisation',
    (owner: Organisation) => sql`update organisations set store_migration_enabled = false where id = ${owner.id}`,
    403,
  ],
])('S6: turning off %s takes effect at the next request', async (_, turnOff, httpStatus) => {
  const owner = await anOrganisation(service)
  const token = await owner.token()
  expect(await httpStatusOf(token)).toBe(200)
  await turnOff(owner).execute(service.deps.database)
  expect(await httpStatusOf(token)).toBe(httpStatus)
})

test('a request of an organisation without Store Migration is refused with the reason', async () => {
  const owner = await anOrganisation(service)
  const token = await owner.token()
  await sql`update organisations set store_migration_enabled = false where id = ${owner.id}`.execute(
    service.deps.database,
  )
  expect((await service.get('/v2/stores', token)).json()).toEqual({
    error: 'store_migration_disabled',
    message: 'Store Migration is not enabled for this organisation.',
  })
})

test('S7: after a rotation the old key still verifies, and after one for a compromised key it does not', async () => {
  const other = await aService()
  try {
    const owner = await anOrganisation(other)
    const old = await owner.token()
    const ask = async (token: string) => (await other.get('/v2/stores', token)).statusCode
    expect(await ask(old)).toBe(200)
    const { kid } = await other.signingKeys.rotate(anonymous)
    expect((await other.signingKeys.current()).kid).toBe(kid)
    expect(await ask(old)).toBe(200)
    const renewed = await owner.token()
    await other.signingKeys.rotate(anonymous, { compromised: true })
    expect(await ask(old)).toBe(401)
    expect(await ask(renewed)).toBe(401)
    expect(await ask(await owner.token())).toBe(200)
  } finally {
    await other.close()
  }
})

test('S7: a replaced key verifies for ten days and not a second longer', async () => {
  const other = await aService()
  try {
    const owner = await anOrganisation(other)
    const { jti } = decodeJwt(await owner.token())
    const { kid, privateKey } = await other.signingKeys.current()
    await other.signingKeys.rotate(anonymous)
    const ask = async () => {
      const now = Math.floor(other.clock.now().getTime() / 1000)
      const times = { iat: now, exp: now + 60 }
      const claims = { iss: siteUrl, aud: `${siteUrl}/v2`, sub: owner.userId, org: owner.id, version: 1, jti, ...times }
      const token = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
      return (await other.get('/v2/stores', await token.sign(privateKey))).statusCode
    }
    other.clock.jumpSeconds(tenDays - 1)
    expect(await ask()).toBe(200)
    other.clock.jumpSeconds(1)
    expect(await ask()).toBe(401)
  } finally {
    await other.close()
  }
})

test('S7: servers that start at the same moment share one key', async () => {
  const other = await aService()
  try {
    const servers = Array.from({ length: 5 }, () => createSigningKeys(other.deps))
    const kids = await Promise.all(servers.map(async (keys) => (await keys.current()).kid))
    expect(new Set(kids).size).toBe(1)
  } finally {
    await other.close()
  }
})

test('S7: the database has the public half of a key, and the private half only encrypted', async () => {
  const { rows } = await sql<{ publicJwk: object; sealed: Buffer }>`
    select public_jwk as "publicJwk", private_key_encrypted as sealed from signing_keys`.execute(service.deps.database)
  expect(rows).toHaveLength(1)
  expect(Object.keys(rows[0]!.publicJwk).sort()).toEqual(['crv', 'kty', 'x'])
  expect(rows[0]!.sealed.includes('"d"')).toBe(false)
})
