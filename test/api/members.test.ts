import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAudit } from '../../src/db/accounts/audit.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  cookieOf,
  password,
  type Service,
  submit,
} from './a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

async function anOwner() {
  const organisation = await anOrganisation(service)
  return { ...organisation, browser: aBrowser(service, await organisation.cookie()) }
}

let people = 0
function aNewcomer(role = 'operator') {
  people += 1
  return { firstName: 'Mary', lastName: 'Shelley', email: `mary.${people}@shop.example`, role }
}

const tokenOf = (link: string) => link.split('#')[1] ?? ''

test('S14: an invited person chooses a password once, signs in, and has the given role', async () => {
  const { browser, id } = await anOwner()
  const newcomer = aNewcomer('viewer')
  const added = await browser.send('POST', '/v2/members', newcomer)
  expect(added.statusCode).toBe(201)
  const { member, invitation } = added.json()
  const { expiresAt: invitationExpiresAt } = invitation
  const resetBy = 'owner'
  expect(member).toEqual({
    userId: expect.any(String),
    ...newcomer,
    ...{ invited: true, invitationExpiresAt, lastSignInAt: null, resetBy },
  })
  expect(invitation.link).toMatch(/^http:\/\/localhost:4000\/app\/invitation#[\w-]{43}$/)
  const signIn = () => submit(service, '/app/sign-in', { email: newcomer.email, password })
  expect((await signIn()).statusCode).toBe(401)
  const token = tokenOf(invitation.link)
  expect((await submit(service, '/app/invitation', { token, password: 'short' })).statusCode).toBe(422)
  expect((await submit(service, '/app/invitation', { token, password })).headers.location).toBe(
    '/app/sign-in?invitation=accepted',
  )
  expect((await submit(service, '/app/invitation', { token, password: 'another password' })).statusCode).toBe(401)
  const theirs = aBrowser(service, cookieOf((await signIn()).headers['set-cookie']))
  expect((await theirs.get('/v2/migrations')).statusCode).toBe(200)
  expect((await theirs.get('/v2/members')).json().error).toBe('forbidden')
  const { items } = (await browser.get('/v2/members')).json()
  expect(items.find((one: { email: string }) => one.email === newcomer.email)).toMatchObject({
    invited: false,
    invitationExpiresAt: null,
    lastSignInAt: service.clock.now().toISOString(),
  })
  const actions = (await listAudit(service.deps.database, id)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['member.invite', 'invitation.accept']))
})

test('S14: an invitation is valid for seven days, and a new one voids the previous one', async () => {
  const { browser, cookie } = await anOwner()
  const { member, invitation } = (await browser.send('POST', '/v2/members', aNewcomer())).json()
  const again = (await browser.send('POST', `/v2/members/${member.userId}/invitation`)).json()
  const accept = (link: string) => submit(service, '/app/invitation', { token: tokenOf(link), password })
  expect((await accept(invitation.link)).statusCode).toBe(401)
  service.clock.jumpSeconds(7 * 24 * 60 * 60)
  expect((await accept(again.link)).statusCode).toBe(401)
  // By now the owner has to sign in again.
  const later = aBrowser(service, await cookie())
  const last = (await later.send('POST', `/v2/members/${member.userId}/invitation`)).json()
  service.clock.jumpSeconds(7 * 24 * 60 * 60 - 1)
  expect((await accept(last.link)).statusCode).toBe(303)
})

test('a member with a password cannot be invited again', async () => {
  const owner = await anOwner()
  const refused = await owner.browser.send('POST', `/v2/members/${owner.userId}/invitation`)
  expect(refused.json().error).toBe('invalid_transition')
})

test('S31: a new role applies from the next request on; a removed member loses access at once, and invited again has to sign in', async () => {
  const { browser, id } = await anOwner()
  const elsewhere = await aPerson(service)
  const join = async () => {
    const person = { ...aNewcomer('operator'), email: elsewhere.email }
    const { invitation } = (await browser.send('POST', '/v2/members', person)).json()
    const token = tokenOf(invitation.link)
    expect((await submit(service, '/app/invitation', { token, password })).statusCode).toBe(303)
  }
  await join()
  const theirs = aBrowser(service, await aSession(service, elsewhere.userId))
  const { user } = (await theirs.get('/v2/session')).json()
  expect((await browser.send('PATCH', `/v2/members/${user.id}`, { role: 'viewer' })).json().role).toBe('viewer')
  expect((await theirs.send('POST', '/v2/migrations', { 'no such key': 1 })).json().error).toBe('forbidden')
  expect((await browser.send('DELETE', `/v2/members/${user.id}`)).statusCode).toBe(204)
  expect((await theirs.get('/v2/migrations')).json().error).toBe('forbidden')
  await join()
  expect((await theirs.get('/v2/migrations')).json().message).toContain('Sign out, then sign in again')
  expect((await theirs.get('/v2/session')).json().organizations).toEqual([])
  const anew = aBrowser(service, await aSession(service, user.id))
  expect((await anew.get('/v2/migrations')).statusCode).toBe(200)
  expect((await anew.get('/v2/session')).json().organizations).toMatchObject([{ id, role: 'operator' }])
  const actions = (await listAudit(service.deps.database, id)).map(({ action }) => action)
  expect(actions.slice(-3)).toEqual(['member.remove', 'member.invite', 'invitation.accept'])
})

test('S18: the last owner who can sign in stays an owner and a member', async () => {
  const { browser, userId, id } = await anOwner()
  const invited = (await browser.send('POST', '/v2/members', aNewcomer('owner'))).json()
  for (const refused of [
    await browser.send('PATCH', `/v2/members/${userId}`, { role: 'operator' }),
    await browser.send('DELETE', `/v2/members/${userId}`),
  ]) {
    expect(refused.statusCode).toBe(409)
    expect(refused.json().message).toContain('last owner')
  }
  await submit(service, '/app/invitation', { token: tokenOf(invited.invitation.link), password })
  expect((await browser.send('DELETE', `/v2/members/${userId}`)).statusCode).toBe(204)
  const { rows } = await sql`select 1 from memberships where organisation_id = ${id} and active`.execute(
    service.deps.database,
  )
  expect(rows).toHaveLength(1)
})

test('S18: of two owners who remove each other at the same time, one stays', async () => {
  const organisation = await anOrganisation(service)
  const [one, other] = [await organisation.cookie(), await organisation.cookie('viewer')]
  const second = (await aBrowser(service, other).get('/v2/session')).json().user.id
  await aBrowser(service, one).send('PATCH', `/v2/members/${second}`, { role: 'owner' })
  const answers = await Promise.all([
    aBrowser(service, one).send('DELETE', `/v2/members/${second}`),
    aBrowser(service, other).send('DELETE', `/v2/members/${organisation.userId}`),
  ])
  // The other one is stopped at the door or inside, whichever comes first.
  const [removed, stopped] = answers.map(({ statusCode }) => statusCode).sort()
  expect(removed).toBe(204)
  expect([401, 403]).toContain(stopped)
})

test('what is no id is refused in plain words', async () => {
  const { browser } = await anOwner()
  const answer = await browser.send('DELETE', '/v2/members/mary')
  expect([answer.statusCode, answer.json().errors]).toEqual([422, { userId: ['Must be an id, as the lists have it.'] }])
})

test('S2: a member of another organisation is the same 404 as an unknown user', async () => {
  const [{ browser }, theirs] = [await anOwner(), await anOrganisation(service)]
  for (const [method, suffix, body] of [
    ['PATCH', '', { role: 'viewer' }],
    ['DELETE', '', undefined],
    ['POST', '/invitation', undefined],
  ] as const) {
    const foreign = await browser.send(method, `/v2/members/${theirs.userId}${suffix}`, body)
    const absent = await browser.send(method, `/v2/members/${crypto.randomUUID()}${suffix}`, body)
    expect(foreign.statusCode).toBe(404)
    expect(foreign.body).toBe(absent.body)
  }
})

test('S2: a member removed from one organisation stays a member of another', async () => {
  const [{ browser, id }, elsewhere] = [await anOwner(), await anOrganisation(service)]
  const theirs = aBrowser(service, await elsewhere.cookie('operator'))
  const { user } = (await theirs.get('/v2/session')).json()
  await sql`
    insert into memberships (organisation_id, user_id, role) values (${id}, ${user.id}, 'viewer')`.execute(
    service.deps.database,
  )
  expect((await browser.send('DELETE', `/v2/members/${user.id}`)).statusCode).toBe(204)
  expect((await theirs.get('/v2/migrations')).statusCode).toBe(200)
})

test('an administrator makes a person a member at once, also of a second organisation; an existing member is refused as such', async () => {
  const [owner, elsewhere] = [await anOwner(), await aPerson(service)]
  const person = { ...aNewcomer('viewer'), email: elsewhere.email }
  // A link that is void from then on.
  const { invitation } = (await owner.browser.send('POST', '/v2/members', person)).json()
  const administrator = await aSession(service, (await aPerson(service, { administrator: true })).userId)
  const admin = aBrowser(service, administrator)
  const path = `/admin/api/organisations/${owner.id}/members`
  expect((await admin.send('POST', path, person)).json()).toMatchObject({
    member: { userId: elsewhere.userId, firstName: 'Grace', role: 'viewer' },
    invitation: null,
  })
  const token = tokenOf(invitation.link)
  expect((await submit(service, '/app/invitation', { token, password })).statusCode).toBe(401)
  expect((await admin.send('POST', path, person)).json().errors.email).toEqual(['Is already a member.'])
  await sql`update users set active = false where id = ${elsewhere.userId}`.execute(service.deps.database)
  expect((await admin.send('POST', path, person)).json().errors.email[0]).toContain('deactivated')
})

test('the people of the audit log are those of the organisation, also who has left it', async () => {
  const [{ browser, userId, identity }, other] = [await anOwner(), await anOwner()]
  const newcomer = aNewcomer()
  const { email } = newcomer
  const added = (await browser.send('POST', '/v2/members', newcomer)).json()
  await submit(service, '/app/invitation', { token: tokenOf(added.invitation.link), password })
  const { items } = (await browser.get('/v2/members')).json()
  const mary = items.find((one: { email: string }) => one.email === email)
  expect((await browser.send('DELETE', `/v2/members/${mary.userId}`)).statusCode).toBe(204)
  const people = async (asker = browser) => (await asker.get('/v2/audit/people')).json().items
  expect(await people()).toEqual([
    { id: userId, name: 'Ada Lovelace', email: identity.email },
    { id: mary.userId, name: 'Mary Shelley', email },
  ])
  const [{ user }] = (await browser.get(`/v2/audit?user=${mary.userId}`)).json().items
  expect(user.email).toBe(email)
  expect(await people(other.browser)).toEqual([])
})

test('members are listed by email in pages, and a cursor is invalid for another organisation', async () => {
  const [{ browser }, other] = [await anOwner(), await anOwner()]
  for (let more = 0; more < 4; more += 1) await browser.send('POST', '/v2/members', aNewcomer())
  const emails: string[] = []
  let cursor: string | null = null
  do {
    const page = await browser.get(`/v2/members?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
    emails.push(...page.json().items.map((one: { email: string }) => one.email.toLowerCase()))
    cursor = page.json().nextCursor
    if (cursor !== null) {
      const stolen = await other.browser.get(`/v2/members?limit=2&cursor=${cursor}`)
      expect(stolen.json().errors.cursor).toHaveLength(1)
    }
  } while (cursor !== null)
  expect(emails).toHaveLength(5)
  expect(emails).toEqual(emails.toSorted())
})

test('members and invited people are found by a part of their name or email, on every page, and nobody of another organisation', async () => {
  const { browser, userId } = await anOwner()
  await (await anOwner()).browser.send('POST', '/v2/members', aNewcomer())
  for (const lastName of ['Shelley', 'Wollstonecraft', 'Godwin', '100%'])
    await browser.send('POST', '/v2/members', { ...aNewcomer(), lastName })
  await sql`update users set first_name = 'Émilie', last_name = 'Maryon' where id = ${userId}`.execute(
    service.deps.database,
  )
  const find = async (query: string) => (await browser.get(`/v2/members?${query}`)).json()
  const namesOf = async (text: string) =>
    (await find(`text=${encodeURIComponent(text)}`)).items.map(({ lastName }: { lastName: string }) => lastName).sort()
  expect(await namesOf('MARY ')).toEqual(['100%', 'Godwin', 'Maryon', 'Shelley', 'Wollstonecraft'])
  expect(await namesOf('émilie mary')).toEqual(['Maryon'])
  expect(await namesOf('ary Godwin')).toEqual(['Godwin'])
  expect(await namesOf('%')).toEqual(['100%'])
  expect(await namesOf('shop.EXAMPLE')).toHaveLength(4)
  expect(await namesOf('nobody')).toEqual([])
  const first = await find('text=mary&limit=3')
  const rest = await find(`text=mary&limit=3&cursor=${first.nextCursor}`)
  expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 2, null])
  expect(Object.keys((await find(`text=other&cursor=${first.nextCursor}`)).errors)).toEqual(['cursor'])
  expect(Object.keys((await find(`text=${'x'.repeat(256)}`)).errors)).toEqual(['text'])
})

test.each([
  [{ role: 'administrator' }, 'role'],
  [{ email: 'no address' }, 'email'],
  [{ firstName: '' }, 'firstName'],
  [{ isAdministrator: true }, 'isAdministrator'],
])('a new member with %j is refused by path', async (change, path) => {
  const { browser } = await anOwner()
  const refused = await browser.send('POST', '/v2/members', { ...aNewcomer(), ...change })
  expect(refused.statusCode).toBe(422)
  expect(Object.keys(refused.json().errors)).toEqual([path])
})

test('S4: a login with the credential is visible to its member and the owner, but to no other organisation', async () => {
  const [owner, other] = [await anOwner(), await anOwner()]
  await service.login(owner.identity)
  const logins = async (path: string, browser = owner.browser) =>
    (await browser.get(`${path}?action=login`)).json().items
  const expected = [
    {
      id: expect.any(String),
      at: expect.any(String),
      action: 'login',
      actor: 'user',
      user: { id: owner.userId, name: 'Ada Lovelace', email: owner.identity.email },
      organisation: { id: owner.id, name: owner.identity.organization_name },
      details: { userId: owner.userId },
    },
  ]
  expect(await logins('/v2/audit')).toEqual(expected)
  expect(await logins('/v2/session/audit')).toEqual(expected)
  expect(await logins('/v2/audit', other.browser)).toEqual([])
  expect(await logins('/v2/session/audit', other.browser)).toEqual([])
})
