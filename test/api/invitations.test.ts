import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { listAudit } from '../../src/db/accounts/audit.ts'
import { enableStoreMigration } from '../../src/operations/administration/enable-store-migration.ts'
import { removeStoreMigration } from '../../src/operations/administration/remove-store-migration.ts'
import { perform } from '../../src/operations/shared/perform.ts'
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
  submit,
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

const newEmail = () => `mary.${crypto.randomUUID()}@shop.example`
const invite = (email: string, { by = owner, role = 'viewer' } = {}) =>
  by.send('POST', '/v2/members', { firstName: 'Mary', lastName: 'Shelley', email, role })
async function linkTo(email: string, by = owner): Promise<string> {
  return (await invite(email, { by })).json().invitation.link
}
const accept = (link: string, given = password) =>
  submit(service, '/app/invitation', { token: link.split('#')[1] ?? '', password: given })
async function signIn(email: string, given = password) {
  return submit(service, '/app/sign-in', { email, password: given })
}
const anOwnerElsewhere = async () => aBrowser(service, await (await anOrganisation(service)).cookie())
const database = () => service.deps.database

async function anAdministrator() {
  return aBrowser(service, await aSession(service, (await aPerson(service, { administrator: true })).userId))
}

async function withoutPassword({ administrator = false, deactivated = false }): Promise<string> {
  const { userId, email } = await aPerson(service, { administrator })
  await sql`update users set password_hash = null, active = ${!deactivated} where id = ${userId}`.execute(database())
  return email
}

/** Whom an address may belong to, unknown to the owner who invites it. */
const holders: Record<string, () => Promise<string>> = {
  nobody: async () => newEmail(),
  'a person of no organisation': async () => (await aPerson(service)).email,
  'a member of another organisation': async () => (await anOrganisation(service)).identity.email,
  'an administrator of the platform': async () => (await aPerson(service, { administrator: true })).email,
  'a deactivated user': async () => {
    const { userId, email } = await aPerson(service)
    await sql`update users set active = false where id = ${userId}`.execute(database())
    return email
  },
  'an administrator of the platform without a password': () => withoutPassword({ administrator: true }),
  'a deactivated user without a password': () => withoutPassword({ deactivated: true }),
  'a person whom another owner has invited': async () => {
    const email = newEmail()
    await linkTo(email, await anOwnerElsewhere())
    return email
  },
  'a person without a password, a member elsewhere': async () => {
    const email = newEmail()
    const path = `/admin/api/organisations/${(await anOrganisation(service)).id}/members`
    const person = { firstName: 'Mary', lastName: 'Shelley', email, role: 'owner' }
    expect((await (await anAdministrator()).send('POST', path, person)).statusCode).toBe(201)
    return email
  },
}

/** What differs between any two invitations. */
function withoutOwnValues(body: string, email: string): string {
  return body
    .replaceAll(email, 'EMAIL')
    .replace(/#[\w-]{43}/, '#TOKEN')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
}

test('S33: inviting gives the same answer and runs the same statements for every address', async () => {
  const found: Record<string, unknown> = {}
  for (const [holder, make] of Object.entries(holders)) {
    const email = await make()
    const said = await recording(async () => {
      const answer = await invite(email)
      return [answer.statusCode, withoutOwnValues(answer.body, email)]
    })
    const { items } = (await owner.get('/v2/members')).json()
    const listed = items.find((one: { email: string }) => one.email === email)
    found[holder] = { said, listed: withoutOwnValues(JSON.stringify(listed), email) }
  }
  const { nobody, ...others } = found
  expect(nobody).toMatchObject({ said: { answer: [201, expect.stringContaining('#TOKEN')] } })
  for (const [holder, one] of Object.entries(others)) expect([holder, one]).toEqual([holder, nobody])
})

/** The statements that the service runs meanwhile, as they are written. */
async function recording<Answer>(ask: () => Promise<Answer>): Promise<{ answer: Answer; statements: string[] }> {
  const plain = database()
  const statements: string[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'RawNode') statements.push(node.sqlFragments.join('?'))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  service.deps.database = plain.withPlugin(recorder)
  try {
    const answer = await ask()
    expect(statements.length).toBeGreaterThan(3)
    return { answer, statements }
  } finally {
    service.deps.database = plain
  }
}

test('S33: inviting waits for nothing that is done to the account of the address', async () => {
  const { userId, email } = await aPerson(service)
  await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select 1 from users where id = ${userId} for update`.execute(transaction)
      expect((await invite(email)).statusCode).toBe(201)
    })
})

test('S33: a person who has an account accepts with its password, and nothing of theirs ends', async () => {
  const { userId, email } = await aPerson(service)
  const theirs = aBrowser(service, await aSession(service, userId))
  const link = await linkTo(email)
  expect((await theirs.get('/v2/session')).json().organizations).toEqual([])
  const refused = await accept(link, 'another password, long enough')
  expect([refused.statusCode, refused.body.includes('this is not its password')]).toEqual([401, true])
  expect((await accept(link)).headers.location).toBe('/app/sign-in?invitation=accepted')
  expect((await accept(link)).statusCode).toBe(401)
  expect((await theirs.get('/v2/session')).json()).toMatchObject({
    user: { id: userId, firstName: 'Grace' },
    organizations: [{ id: organisation.id, role: 'viewer' }],
  })
  expect((await signIn(email, 'another password, long enough')).statusCode).toBe(401)
  const [mine] = (await theirs.get('/v2/session/audit?action=sign-in.fail')).json().items.slice(-1)
  expect(mine.details.reason).toBe('wrong password for an invitation')
  const entries = await listAudit(database(), organisation.id)
  expect(entries.filter(({ action }) => action === 'invitation.accept')).toMatchObject([
    { actorUserId: userId, details: { role: 'viewer' } },
  ])
})

test('the sign-in page after an invitation has the email filled in, which is no part of its address', async () => {
  const email = `jo+${newEmail()}`
  const { headers } = await accept(await linkTo(email))
  expect(headers.location).toBe('/app/sign-in?invitation=accepted')
  const cookie = cookieOf(headers['set-cookie'])
  const shown = async (url: string) => (await service.inject({ url, headers: { cookie } })).body
  expect(await shown(headers.location ?? '')).toContain(`value="${email}"`)
  expect(await shown('/app/sign-in')).not.toContain(email)
})

test.each([
  'a person without a password, a member elsewhere',
  'an administrator of the platform without a password',
  'a deactivated user without a password',
  'a deactivated user',
])('S33: the link of an owner alone neither gives a first password to %s nor opens the account', async (holder) => {
  const email = (await holders[holder]?.()) ?? ''
  const link = await linkTo(email)
  expect((await accept(link)).statusCode).toBe(401)
  expect((await signIn(email)).statusCode).toBe(401)
})

test('S33: who was a member before they chose a password, and is invited again after their removal, chooses it with that link', async () => {
  const email = newEmail()
  const path = `/admin/api/organisations/${organisation.id}/members`
  const person = { firstName: 'Mary', lastName: 'Shelley', email, role: 'viewer' }
  const { member } = (await (await anAdministrator()).send('POST', path, person)).json()
  await owner.send('DELETE', `/v2/members/${member.userId}`)
  expect((await accept(await linkTo(email))).statusCode).toBe(303)
  expect((await signIn(email)).statusCode).toBe(303)
})

test('S33: of two organisations that invite a new person, the second is joined with the password chosen for the first', async () => {
  const [email, elsewhere] = [newEmail(), await anOwnerElsewhere()]
  const [here, there] = [await linkTo(email), await linkTo(email, elsewhere)]
  expect((await accept(here)).statusCode).toBe(303)
  expect((await accept(there, 'another password, long enough')).statusCode).toBe(401)
  expect((await accept(there)).statusCode).toBe(303)
  const theirs = aBrowser(service, cookieOf((await signIn(email)).headers['set-cookie']))
  expect((await theirs.get('/v2/session')).json().organizations).toHaveLength(2)
})

test('S33: one link that is used at the same moment makes one account, with one of the passwords', async () => {
  const email = newEmail()
  const link = await linkTo(email)
  const answers = await Promise.all([accept(link, 'the first password'), accept(link, 'the second password')])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 401])
  const opened = [await signIn(email, 'the first password'), await signIn(email, 'the second password')]
  expect(opened.map(({ statusCode }) => statusCode).sort()).toEqual([303, 401])
})

test('S34: passwords tried with an invitation count as failed sign-ins of that person', async () => {
  const { email } = await aPerson(service)
  const link = await linkTo(email)
  for (let tries = 0; tries < 3; tries += 1)
    expect((await accept(link, `wrong password ${tries}`)).statusCode).toBe(401)
  expect((await accept(link)).statusCode).toBe(429)
  expect((await signIn(email)).statusCode).toBe(429)
  service.clock.jumpSeconds(limits.loginFailureWindowSeconds + 1)
  expect((await accept(link)).statusCode).toBe(303)
})

test('who is invited is listed under the invitation, gets another role, a new link, and is uninvited', async () => {
  const email = newEmail()
  const { member, invitation } = (await invite(email)).json()
  expect((await invite(email)).json().errors.email[0]).toContain('already invited')
  const path = `/v2/members/${member.userId}`
  const changed = await owner.send('PATCH', path, { role: 'operator' })
  expect(changed.json()).toEqual({ ...member, role: 'operator' })
  expect((await owner.send('POST', `${path}/reset-link`)).json().message).toContain('Invite them again')
  const again = (await owner.send('POST', `${path}/invitation`)).json()
  expect((await accept(invitation.link)).statusCode).toBe(401)
  expect((await accept(again.link)).statusCode).toBe(303)
  const theirs = aBrowser(service, cookieOf((await signIn(email)).headers['set-cookie']))
  expect((await theirs.get('/v2/session')).json()).toMatchObject({
    user: { id: member.userId, firstName: 'Mary' },
    organizations: [{ role: 'operator' }],
  })
  const other = (await invite(newEmail())).json()
  expect((await owner.send('DELETE', `/v2/members/${other.member.userId}`)).statusCode).toBe(204)
  expect((await accept(other.invitation.link)).statusCode).toBe(401)
  expect((await owner.get('/v2/members')).json().items).toHaveLength(2)
})

test('S2: an invitation of another organisation is the same 404 as an unknown user', async () => {
  const { member } = (await invite(newEmail(), { by: await anOwnerElsewhere() })).json()
  for (const [method, suffix, body] of [
    ['PATCH', '', { role: 'viewer' }],
    ['DELETE', '', undefined],
    ['POST', '/invitation', undefined],
    ['POST', '/reset-link', undefined],
  ] as const) {
    const foreign = await owner.send(method, `/v2/members/${member.userId}${suffix}`, body)
    const absent = await owner.send(method, `/v2/members/${crypto.randomUUID()}${suffix}`, body)
    expect([method, suffix, foreign.statusCode, foreign.body]).toEqual([method, suffix, 404, absent.body])
  }
})

test('S31: the links of an organisation end when it is removed from Store Migration; the invited are then invited anew', async () => {
  const { member, invitation } = (await invite(newEmail())).json()
  const anonymous = { userId: null }
  await perform(removeStoreMigration, { organisation: organisation.id }, anonymous, service.deps)
  await perform(enableStoreMigration, { organisation: organisation.id }, anonymous, service.deps)
  expect((await accept(invitation.link)).statusCode).toBe(401)
  const again = aBrowser(service, await aSession(service, organisation.userId))
  const listed = (await again.get('/v2/members')).json().items
  expect(listed.find((one: { userId: string }) => one.userId === member.userId)).toMatchObject({
    ...{ invited: true, invitationExpiresAt: null },
  })
  const { link } = (await again.send('POST', `/v2/members/${member.userId}/invitation`)).json()
  expect((await accept(link)).statusCode).toBe(303)
})

test('S31: the links of others stay when a member is removed, and when another organisation is removed from Store Migration', async () => {
  const administrator = await anAdministrator()
  const person = { firstName: 'Mary', lastName: 'Shelley', email: newEmail(), role: 'viewer' }
  const made = await administrator.send('POST', `/admin/api/organisations/${organisation.id}/members`, person)
  const links = [await linkTo(newEmail()), made.json().invitation.link]
  const viewer = aBrowser(service, await organisation.cookie('viewer'))
  const { id } = (await viewer.get('/v2/session')).json().user
  expect((await owner.send('DELETE', `/v2/members/${id}`)).statusCode).toBe(204)
  const other = await anOrganisation(service)
  await perform(removeStoreMigration, { organisation: other.id }, { userId: null }, service.deps)
  for (const link of links) expect((await accept(link)).statusCode).toBe(303)
})

const aboutLink = async (link: string) =>
  (await submit(service, '/app/invitation/about', { token: link.split('#')[1] ?? '' })).json()

test('the page of an invitation says who is invited by whom, to what and as what, to nobody who has not its link', async () => {
  const email = newEmail()
  const link = await linkTo(email)
  const { organization_name } = organisation.identity
  const open = `Ada Lovelace invited ${email} to join ${organization_name} as viewer: Sees everything, changes nothing.`
  expect(await aboutLink(link)).toEqual({ about: open, ended: false })
  const replaced = await linkTo(newEmail())
  await accept(replaced)
  const used = await aboutLink(replaced)
  expect(used).toEqual({ about: expect.stringContaining('was already used'), ended: true })
  expect(await aboutLink(`#${'A'.repeat(43)}`)).toEqual(used)
  service.clock.jumpSeconds(limits.invitationSeconds)
  const { about, ended } = await aboutLink(link)
  expect(ended).toBe(true)
  expect(about).toContain(`This invitation of ${email} to ${organization_name} ended on `)
  expect(about).toMatch(/ended on [A-Z][a-z]{2} \d+\. Ask Ada Lovelace for a new one\.$/)
})

test('the page of an invitation by the people who run the service names them', async () => {
  const administrator = await anAdministrator()
  const email = newEmail()
  const person = { firstName: 'Mary', lastName: 'Shelley', email, role: 'owner' }
  const made = await administrator.send('POST', `/admin/api/organisations/${organisation.id}/members`, person)
  const { about } = await aboutLink(made.json().invitation.link)
  expect(about).toContain(
    `The people who run this service invited ${email} to join ${organisation.identity.organization_name} as owner: `,
  )
})
