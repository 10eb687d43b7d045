import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { listAudit } from '../../src/db/accounts/audit.ts'
import { deleteLinksOfUser } from '../../src/db/accounts/one-time-links.ts'
import { lockPassword } from '../../src/db/accounts/users.ts'
import { resetPassword } from '../../src/operations/sessions/reset-password.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
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
  proveAgain,
  type Service,
  submit,
} from './a-service.ts'

let service: Service
let organisation: Organisation
let owner: Browser
let passwordHash: string
beforeAll(async () => {
  service = await aService()
  passwordHash = await hashPassword(password)
})
afterAll(() => service.close())
beforeEach(async () => {
  organisation = await anOrganisation(service)
  owner = aBrowser(service, await organisation.cookie())
})

const newPassword = 'an entirely new password'
const newcomer = () => ({ firstName: 'Mary', lastName: 'Shelley', email: `mary.${crypto.randomUUID()}@shop.example` })

/** As an administrator made them one. */
async function aMember({ withPassword = true } = {}) {
  const person = newcomer()
  const { browser } = await anAdministrator()
  const path = `/admin/api/organisations/${organisation.id}/members`
  const { member, invitation } = (await browser.send('POST', path, { ...person, role: 'viewer' })).json()
  if (withPassword)
    await sql`update users set password_hash = ${passwordHash} where id = ${member.userId}`.execute(
      service.deps.database,
    )
  return { userId: String(member.userId), email: person.email, invitation }
}

async function anAdministrator() {
  const { userId } = await aPerson(service, { administrator: true })
  return { userId, browser: aBrowser(service, await aSession(service, userId)) }
}

async function joinElsewhere(email: string) {
  const { browser } = await anAdministrator()
  const { id } = await anOrganisation(service)
  const person = { ...newcomer(), email, role: 'viewer' }
  expect((await browser.send('POST', `/admin/api/organisations/${id}/members`, person)).statusCode).toBe(201)
}

const ask = (userId: string, browser = owner) => browser.send('POST', `/v2/members/${userId}/reset-link`)
const tokenOf = (link: string) => link.split('#')[1] ?? ''
const use = (link: string, chosen = newPassword) =>
  submit(service, '/app/reset', { token: tokenOf(link), password: chosen })
const signIn = async (email: string, given: string) =>
  (await submit(service, '/app/sign-in', { email, password: given })).statusCode

test('S33: an owner gives a member a link; it works once, and both are on record', async () => {
  const { userId, email } = await aMember()
  const asked = await ask(userId)
  expect(asked.statusCode).toBe(201)
  const { link, expiresAt } = asked.json()
  expect(link).toMatch(/^http:\/\/localhost:4000\/app\/reset#[\w-]{43}$/)
  expect(new Date(expiresAt).getTime() - service.clock.now().getTime()).toBe(limits.resetLinkSeconds * 1000)
  expect((await use(link, 'short')).statusCode).toBe(422)
  expect((await use(link)).headers.location).toBe('/app/sign-in?password=set')
  expect((await use(link, 'another password')).statusCode).toBe(401)
  const entries = (await listAudit(service.deps.database, organisation.id)).slice(-2)
  expect(entries.map(({ action, actorUserId }) => [action, actorUserId])).toEqual([
    ['password.reset-link', organisation.userId],
    ['password.reset', userId],
  ])
  expect([await signIn(email, password), await signIn(email, newPassword)]).toEqual([401, 303])
})

test('S14: a link to a new password works for thirty minutes, and a new one voids the previous one', async () => {
  const { userId } = await aMember()
  const [first, second] = [(await ask(userId)).json().link, (await ask(userId)).json().link]
  expect((await use(first)).statusCode).toBe(401)
  service.clock.jumpSeconds(limits.resetLinkSeconds)
  expect((await use(second)).statusCode).toBe(401)
  await proveAgain(service)
  const third = (await ask(userId)).json().link
  service.clock.jumpSeconds(limits.resetLinkSeconds - 1)
  expect((await use(third)).statusCode).toBe(303)
})

test('S33: an owner’s link is only for a person who belongs nowhere else and is no administrator', async () => {
  const [shared, former, staff] = [await aMember(), await aMember(), await aMember()]
  await joinElsewhere(shared.email)
  await joinElsewhere(former.email)
  const { database } = service.deps
  await sql`
    update memberships set active = false
    where user_id = ${former.userId} and organisation_id <> ${organisation.id}`.execute(database)
  await sql`update users set is_administrator = true where id = ${staff.userId}`.execute(database)
  for (const { userId } of [shared, former, staff]) expect((await ask(userId)).json().error).toBe('forbidden')
  const { items } = (await owner.get('/v2/members')).json()
  for (const { userId } of [shared, former, staff])
    expect(items.find((one: { userId: string }) => one.userId === userId).resetBy).toBe('administrator')
})

test('S33: what an owner has made ends when an administrator makes the person a member elsewhere', async () => {
  const [known, invited] = [await aMember(), await aMember({ withPassword: false })]
  const { link } = (await ask(known.userId)).json()
  await joinElsewhere(known.email)
  await joinElsewhere(invited.email)
  expect((await use(link)).statusCode).toBe(401)
  const token = tokenOf(invited.invitation.link)
  expect((await submit(service, '/app/invitation', { token, password })).statusCode).toBe(401)
  const again = await owner.send('POST', `/v2/members/${invited.userId}/invitation`)
  expect(again.json().error).toBe('forbidden')
  await owner.send('DELETE', `/v2/members/${invited.userId}`)
  const back = await owner.send('POST', '/v2/members', { ...newcomer(), email: invited.email, role: 'viewer' })
  const anew = { token: tokenOf(back.json().invitation.link), password }
  expect((await submit(service, '/app/invitation', anew)).statusCode).toBe(401)
})

test('S33: an administrator gives anyone but themselves a link, to who has no password yet for the first one', async () => {
  const { browser: administrator, userId } = await anAdministrator()
  const member = await aMember()
  await joinElsewhere(member.email)
  const askFor = (email: string) => administrator.send('POST', '/admin/api/reset-links', { email })
  const { link } = (await askFor(member.email.toUpperCase())).json()
  expect((await use(link)).statusCode).toBe(303)
  expect(await signIn(member.email, newPassword)).toBe(303)
  const invited = await aMember({ withPassword: false })
  const first = (await askFor(invited.email)).json().link
  expect((await submit(service, '/app/invitation', { token: tokenOf(first), password })).statusCode).toBe(303)
  expect((await askFor('nobody@shop.example')).json().error).toBe('not_found')
  const self = (await administrator.get('/v2/session')).json().user
  expect(self.id).toBe(userId)
  expect((await askFor(self.email)).json().message).toContain('in your profile')
})

test('S33: nobody gets a link for themselves, and a member without a password gets an invitation instead', async () => {
  for (const own of [organisation.userId, organisation.userId.toUpperCase()])
    expect((await ask(own)).json().message).toContain('in your profile')
  const { userId } = await aMember({ withPassword: false })
  expect((await ask(userId)).json().message).toContain('Invite them again')
})

test('a link is used at the moment that another one replaces it: it has ended, and neither of them fails', async () => {
  const { userId, email } = await aMember()
  const { link } = (await ask(userId)).json()
  const { database } = service.deps
  const begun = await database.transaction().execute(async (tx) => {
    // As where a link is made: the person first, then the earlier links.
    await lockPassword(tx, userId)
    const given = { token: tokenOf(link), password: newPassword }
    const used = Promise.allSettled([resetPassword.run(given, { address: '192.0.2.1' }, service.deps)])
    await untilWaiting(database, 1)
    await deleteLinksOfUser(tx, userId)
    return { used }
  })
  expect(await begun.used).toMatchObject([{ reason: { code: 'invalid_credentials' } }])
  expect(await signIn(email, password)).toBe(303)
})

test('a link works while one of another person that has expired is being deleted', async () => {
  const [other, person] = [await aMember(), await aMember()]
  await ask(other.userId)
  service.clock.jumpSeconds(limits.resetLinkSeconds)
  owner = aBrowser(service, await organisation.cookie())
  const { link } = (await ask(person.userId)).json()
  await service.deps.database.transaction().execute(async (tx) => {
    await deleteLinksOfUser(tx, other.userId)
    expect((await use(link)).statusCode).toBe(303)
  })
})

test('S2: a link for a member of another organisation is the same 404 as for an unknown user', async () => {
  const { userId } = await anOrganisation(service)
  const [foreign, absent] = [await ask(userId), await ask(crypto.randomUUID())]
  expect([foreign.statusCode, foreign.body]).toEqual([404, absent.body])
})

test('S14: the page for a forgotten password says the same to everyone', async () => {
  const page = await service.inject({ url: '/app/forgot' })
  expect(page.body).toContain('This service cannot send mail')
  expect((await service.inject({ url: '/app/sign-in' })).body).toContain('href="/app/forgot"')
})

test('the sign-in page confirms a password that was set, and has the email filled in', async () => {
  const { userId, email } = await aMember()
  const { headers } = await use((await ask(userId)).json().link)
  const cookie = cookieOf(headers['set-cookie'])
  const { body } = await service.inject({ url: headers.location ?? '', headers: { cookie } })
  expect(body).toContain('Your password is set')
  expect(body).toContain(`value="${email}"`)
  expect((await service.inject({ url: '/app/sign-in' })).body).not.toContain('Your password is set')
})
