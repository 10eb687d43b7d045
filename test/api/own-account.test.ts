import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rotateCredential } from '../../src/accounts/api-credentials.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  cookieOf,
  type Organisation,
  password,
  type Service,
  siteUrl,
} from './a-service.ts'

let service: Service
let organisation: Organisation
let owner: Browser
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())
beforeEach(async () => {
  organisation = await anOrganisation(service)
  owner = aBrowser(service, await organisation.cookie())
})

interface Listed {
  id: string
  current: boolean
}
const sessionsOf = async (browser: Browser): Promise<Listed[]> => (await browser.get('/v2/sessions')).json().items

test('a person sees where they are signed in, newest first, and ends one of them at once', async () => {
  const { email } = await aPerson(service)
  const signIn = async (agent: string, remoteAddress: string) => {
    const signedIn = await service.inject({
      method: 'POST',
      url: '/app/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: siteUrl, 'user-agent': agent },
      payload: new URLSearchParams({ email, password }).toString(),
      remoteAddress,
    })
    service.clock.jumpSeconds(1)
    return aBrowser(service, cookieOf(signedIn.headers['set-cookie']))
  }
  const startedAt = service.clock.now().toISOString()
  const [laptop, phone] = [await signIn('Laptop', '192.0.2.10'), await signIn('P'.repeat(300), '192.0.2.11')]
  const [newest, oldest] = (await laptop.get('/v2/sessions')).json().items
  expect(oldest).toEqual({
    ...{ id: expect.any(String), startedAt, lastSeenAt: startedAt, address: '192.0.2.10', agent: 'Laptop' },
    current: true,
  })
  expect(newest).toMatchObject({ address: '192.0.2.11', agent: 'P'.repeat(limits.textLength), current: false })
  expect((await laptop.send('DELETE', `/v2/sessions/${newest.id}`)).statusCode).toBe(204)
  expect((await phone.get('/v2/session')).statusCode).toBe(401)
  expect(await sessionsOf(laptop)).toMatchObject([{ id: oldest.id }])
  const itself = await laptop.send('DELETE', `/v2/sessions/${oldest.id}`)
  expect(itself.headers['set-cookie']).toMatch(/Max-Age=0/)
  expect((await laptop.get('/v2/session')).statusCode).toBe(401)
})

test('S2: the session of another person is the same 404 as one that does not exist', async () => {
  const stranger = aBrowser(service, await aSession(service, (await aPerson(service)).userId))
  const [theirs] = await sessionsOf(owner)
  const refused = await stranger.send('DELETE', `/v2/sessions/${theirs?.id}`)
  const absent = await stranger.send('DELETE', `/v2/sessions/${crypto.randomUUID()}`)
  expect([refused.statusCode, refused.body]).toEqual([404, absent.body])
  expect((await owner.get('/v2/session')).statusCode).toBe(200)
})

test('sessions are listed in pages, without those that are over, and a cursor is invalid for another person', async () => {
  service.clock.jumpSeconds(limits.sessionIdleSeconds)
  const here = aBrowser(service, await organisation.cookie())
  for (let more = 0; more < 2; more += 1) await organisation.cookie()
  const first = (await here.get('/v2/sessions?limit=2')).json()
  const second = (await here.get(`/v2/sessions?limit=2&cursor=${first.nextCursor}`)).json()
  const ids = [...first.items, ...second.items].map(({ id }: Listed) => id)
  expect([ids.length, new Set(ids).size, second.nextCursor]).toEqual([3, 3, null])
  const stranger = aBrowser(service, await aSession(service, (await aPerson(service)).userId))
  expect((await stranger.get(`/v2/sessions?cursor=${first.nextCursor}`)).json().errors.cursor).toHaveLength(1)
})

test('a person changes their name, which the API login then goes by', async () => {
  const changed = await owner.send('PATCH', '/v2/session', { firstName: 'Augusta', lastName: 'King' })
  expect(changed.json()).toEqual({ firstName: 'Augusta', lastName: 'King' })
  expect((await owner.get('/v2/session')).json().user).toMatchObject(changed.json())
  const { identity } = organisation
  expect((await service.login(identity)).statusCode).toBe(401)
  expect((await service.login({ ...identity, username: 'Augusta King' })).statusCode).toBe(200)
  const [entry] = (await owner.get('/v2/session/audit?action=name.change')).json().items
  expect(entry.details).toEqual({ from: 'Ada Lovelace', to: 'Augusta King' })
})

test.each([
  [{ firstName: '', lastName: 'King' }, 'firstName'],
  [{ firstName: 'x'.repeat(256), lastName: 'King' }, 'firstName'],
  [{ firstName: 'Augusta', lastName: 'King', email: 'new@shop.example' }, 'email'],
])('a name of %j is refused by path', async (name, path) => {
  expect(Object.keys((await owner.send('PATCH', '/v2/session', name)).json().errors)).toEqual([path])
})

test('an owner sees who made the present secret and when, an operator does not', async () => {
  const issued = (await owner.get('/v2/credential')).json().credential
  const { client_id: clientId, client_secret: secret } = organisation.identity
  expect(issued).toMatchObject({ clientId, lastFour: secret.slice(-4), version: 1, state: 'enabled', issuedBy: null })
  const administrator = await aPerson(service, { administrator: true })
  const cookie = await aSession(service, administrator.userId)
  const { sessionHash } = (await service.deps.sessions.find(cookie)) ?? {}
  service.clock.jumpSeconds(60)
  await rotateCredential(organisation.id, { userId: administrator.userId, sessionHash }, service.deps)
  expect((await owner.get('/v2/credential')).json().credential).toMatchObject({
    ...{ version: 2, issuedBy: 'Grace Hopper', issuedAt: service.clock.now().toISOString() },
  })
  const operator = aBrowser(service, await organisation.cookie('operator'))
  expect((await operator.get('/v2/credential')).json().error).toBe('forbidden')
})

test('an organisation without a credential has none to show', async () => {
  await sql`delete from api_credentials where organisation_id = ${organisation.id}`.execute(service.deps.database)
  expect((await owner.get('/v2/credential')).json()).toEqual({ credential: null })
})

test('the audit of an organisation is narrowed by person, action and time', async () => {
  const operator = aBrowser(service, await organisation.cookie('operator'))
  const { user } = (await operator.get('/v2/session')).json()
  const path = `/v2/members/${user.id}`
  await owner.send('PATCH', path, { role: 'viewer' })
  service.clock.jumpSeconds(60)
  const between = service.clock.now().toISOString()
  await owner.send('PATCH', path, { role: 'operator' })
  const found = async (query: Record<string, string>) => {
    const { items } = (await owner.get(`/v2/audit?${new URLSearchParams(query)}`)).json()
    return items.map(({ action, details }: { action: string; details: { to?: string } }) => details.to ?? action)
  }
  expect(await found({ action: 'member.change' })).toEqual(['operator', 'viewer'])
  expect(await found({ action: 'member.change', from: between })).toEqual(['operator'])
  expect(await found({ action: 'member.change', before: between })).toEqual(['viewer'])
  expect(await found({ user: user.id })).toEqual([])
  expect(await found({ user: organisation.userId, action: 'member.change' })).toHaveLength(2)
})

test.each([
  ['action', 'member.unknown'],
  ['from', 'yesterday'],
  ['before', '0000-01-01T00:00:00Z'],
  ['user', 'Ada'],
])('an audit filtered by %s %s is refused', async (key, value) => {
  const refused = await owner.get(`/v2/audit?${new URLSearchParams({ [key]: value })}`)
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [key]])
})
