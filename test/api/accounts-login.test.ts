import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableCredential } from '../../src/accounts/api-credentials.ts'
import { nameKey } from '../../src/accounts/name-key.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { listAudit } from '../../src/db/accounts/audit.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'

let service: Service
let organisation: Organisation
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service, { name: 'Fictional Füße GmbH' })
})
afterAll(() => service.close())

const refused = {
  error: 'invalid_credentials',
  message:
    'Invalid credentials. Check all five values; an administrator of the platform issues client_id and client_secret.',
}

test('a login with all five values returns a bearer token, its expiry, the user and the connected stores', async () => {
  const response = await service.login(organisation.identity)
  expect(response.statusCode).toBe(200)
  const body = response.json()
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 864_000,
    expires_at: expect.any(String),
    user: { id: organisation.userId, name: 'Ada Lovelace', email: organisation.identity.email },
    organization: { id: organisation.id, name: 'Fictional Füße GmbH' },
    stores: [
      { hash: 'store1', label: 'Shop store1', platform: 'BC', storefronts: [] },
      { hash: 'store2', label: 'Shop store2', platform: 'BC', storefronts: [] },
    ],
  })
  const seconds = (Date.parse(body.expires_at) - service.clock.now().getTime()) / 1000
  expect(Math.ceil(seconds)).toBe(864_000)
  expect((await service.get('/v2/stores', body.access_token)).statusCode).toBe(200)
})

test('S4: a login is audited with its user', async () => {
  const visited = await anOrganisation(service)
  await service.login(visited.identity)
  const audit = await listAudit(service.deps.database, visited.id)
  expect(audit.at(-1)).toMatchObject({ action: 'login', actor: 'user', actorUserId: visited.userId })
})

test.each([
  'Ada',
  'Lovelace',
  'Ada Lovelace',
  '  Ada Lovelace\t',
])('username %j is a registered name', async (username) => {
  expect((await service.login({ ...organisation.identity, username })).statusCode).toBe(200)
})

test.each([
  'FICTIONAL FÜSSE GMBH',
  'fictional füße gmbh ',
  'Fictional Fu\u0308\u00dfe GmbH',
  'Ｆictional Füße GmbH',
])('organisation name %j is the registered one', async (organization_name) => {
  expect((await service.login({ ...organisation.identity, organization_name })).statusCode).toBe(200)
})

test('the email is case-insensitive', async () => {
  const email = organisation.identity.email.toUpperCase()
  expect((await service.login({ ...organisation.identity, email })).statusCode).toBe(200)
})

test.each([
  ['username', 'ada'],
  ['username', 'Ada  Lovelace'],
  ['username', ' '],
  ['email', 'somebody@example.com'],
  ['organization_name', 'Fictional'],
  ['client_id', 'sfc_unknown'],
  ['client_secret', 'wrong'],
])('S5: a wrong %s (%j) gives the same 401 as any other wrong value', async (field, value) => {
  const other = await anOrganisation(service, { name: `S5 ${field}${value}` })
  const response = await service.login({ ...other.identity, [field]: value }, '192.0.2.77')
  expect(response.statusCode).toBe(401)
  expect(response.json()).toEqual(refused)
  expect(response.headers['www-authenticate']).toBe('Bearer')
})

test('S5: values of different organisations cannot be combined', async () => {
  const other = await anOrganisation(service)
  const { client_id, client_secret } = other.identity
  const response = await service.login({ ...organisation.identity, client_id, client_secret }, '192.0.2.78')
  expect(response.json()).toEqual(refused)
})

test.each([
  [
    'user',
    (id: string) =>
      sql`update users set active = false where id in (select user_id from memberships where organisation_id = ${id})`,
  ],
  ['membership', (id: string) => sql`update memberships set active = false where organisation_id = ${id}`],
])('an inactive %s is a 401', async (_, deactivate) => {
  const other = await anOrganisation(service)
  await deactivate(other.id).execute(service.deps.database)
  expect((await service.login(other.identity)).json()).toEqual(refused)
})

test('a disabled credential is a 401', async () => {
  const other = await anOrganisation(service)
  await disableCredential(other.id, { userId: null }, service.deps)
  expect((await service.login(other.identity)).json()).toEqual(refused)
})

test('S5: the 403s come only after all five values matched, store migration before stores', async () => {
  const other = await anOrganisation(service, { stores: ['only1'] })
  const disable = sql`update organisations set store_migration_enabled = false where id = ${other.id}`
  const wrong = { ...other.identity, client_secret: 'wrong' }
  expect((await service.login(other.identity)).json()).toMatchObject({ error: 'insufficient_stores' })
  expect((await service.login(wrong)).json()).toEqual(refused)
  await disable.execute(service.deps.database)
  const response = await service.login(other.identity)
  expect(response.statusCode).toBe(403)
  expect(response.json()).toEqual({
    error: 'store_migration_disabled',
    message: 'Store Migration is not enabled for this organisation.',
  })
  expect((await service.login(wrong)).json()).toEqual(refused)
})

test.each([
  [0, 403],
  [1, 403],
  [2, 200],
  [3, 200],
])('with %i connected stores a login answers %i', async (count, httpStatus) => {
  const stores = Array.from({ length: count }, (_, index) => `shop${index}`)
  const other = await anOrganisation(service, { stores })
  expect((await service.login(other.identity)).statusCode).toBe(httpStatus)
})

test('S5: after ten failures of a client id from an address, even the right secret is a 429, but only from there', async () => {
  const other = await anOrganisation(service)
  const wrong = { ...other.identity, client_secret: 'wrong' }
  const attacker = '198.51.100.1'
  for (let failure = 1; failure <= limits.loginFailuresPerClient; failure += 1) {
    expect((await service.login(wrong, attacker)).statusCode).toBe(401)
  }
  const blocked = await service.login(other.identity, attacker)
  expect(blocked.statusCode).toBe(429)
  expect(blocked.json().error).toBe('rate_limited')
  expect(Number(blocked.headers['retry-after'])).toBe(limits.loginFailureWindowSeconds)
  expect((await service.login(other.identity, '198.51.100.2')).statusCode).toBe(200)
  expect((await service.login(organisation.identity, attacker)).statusCode).toBe(200)
  service.clock.jumpSeconds(limits.loginFailureWindowSeconds)
  expect((await service.login(other.identity, attacker)).statusCode).toBe(200)
})

test('S5: one failure fewer than the limit refuses no login', async () => {
  const other = await anOrganisation(service)
  for (let failure = 1; failure < limits.loginFailuresPerClient; failure += 1) {
    await service.login({ ...other.identity, client_secret: 'wrong' }, '198.51.100.3')
  }
  expect((await service.login(other.identity, '198.51.100.3')).statusCode).toBe(200)
})

test('S5: an address is refused after too many failures with any client ids, and an IPv6 address counts as its /64', async () => {
  for (let failure = 1; failure <= limits.loginFailuresPerAddress; failure += 1) {
    const unknown = { ...organisation.identity, client_id: `sfc_${failure}` }
    const response = await service.login(unknown, `2001:db8:0:7::${failure.toString(16)}`)
    expect(response.statusCode).toBe(401)
  }
  expect((await service.login(organisation.identity, '2001:db8:0:7:ffff::1')).statusCode).toBe(429)
  expect((await service.login(organisation.identity, '2001:db8:0:8::1')).statusCode).toBe(200)
})

test('all five fields are required strings, and nothing else is accepted', async () => {
  const response = await service.login({ email: 5, username: '', client_secret: '', password: 'x' })
  expect(response.statusCode).toBe(422)
  expect(response.json()).toEqual({
    error: 'validation_failed',
    message: 'Some fields are not valid; see errors.',
    errors: {
      username: ['Must not be empty.'],
      email: ['Must be a string.'],
      organization_name: ['Must be given.'],
      client_id: ['Must be given.'],
      client_secret: ['Must not be empty.'],
      password: ['Unknown key.'],
    },
  })
})

test('a character that the database cannot store is refused by field', async () => {
  const response = await service.login({ ...organisation.identity, client_secret: 'a\0b' })
  expect(response.statusCode).toBe(422)
  expect(response.json().errors).toEqual({ client_secret: [expect.stringContaining('NUL')] })
})

test.each([
  [255, 401],
  [256, 422],
])('a field of %i characters answers %i', async (length, httpStatus) => {
  const long = { ...organisation.identity, client_id: 'x'.repeat(length) }
  expect((await service.login(long, '192.0.2.90')).statusCode).toBe(httpStatus)
})

test('S5: spellings of a name that differ by form, width or case have one key', () => {
  expect(nameKey(' ＡＣＭＥ ﬁsh ')).toBe(nameKey('acme fish'))
  expect(nameKey('Straße')).toBe(nameKey('STRASSE'))
  expect(nameKey('ΟΔΟΣ')).toBe(nameKey('οδοσ'))
  expect(nameKey('Acme')).not.toBe(nameKey('Acme 2'))
})
