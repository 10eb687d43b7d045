import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLinkToken } from '../../src/accounts/one-time-links.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  password,
  type Service,
  submit,
} from '../api/a-service.ts'

let service: Service
let administrator: Browser
let owner: Browser
let organisation: { id: string; name: string }
beforeAll(async () => {
  service = await aService()
  administrator = aBrowser(service, await aSession(service, (await aPerson(service, { administrator: true })).userId))
  const { id, identity, cookie } = await anOrganisation(service)
  organisation = { id, name: identity.organization_name }
  owner = aBrowser(service, await cookie())
})
afterAll(() => service.close())

const newcomer = () => ({ firstName: 'Mary', lastName: 'Shelley', email: `mary.${crypto.randomUUID()}@shop.example` })
const tokenOf = (link: string) => link.split('#')[1] ?? ''

/** Every way to a password, with where the answer names the field. */
const ways: Record<
  string,
  { choose: (password: string) => Promise<{ statusCode: number; body: string }>; field: string }
> = {
  'the first administrator': {
    field: 'Password: ',
    choose: async (chosen) => {
      const { database, clock } = service.deps
      const { token } = await newLinkToken(database, clock, { purpose: 'first-administrator', userId: null })
      return submit(service, '/app/first-administrator', { token, ...newcomer(), password: chosen })
    },
  },
  'an administrator whom another one creates': {
    field: '"password":[',
    choose: (chosen) => administrator.send('POST', '/admin/api/administrators', { ...newcomer(), password: chosen }),
  },
  'the owner of a new organisation': {
    field: '"owner.password":[',
    choose: (chosen) => {
      const name = `Reed Lamps ${crypto.randomUUID()}`
      const given = { name, owner: { ...newcomer(), password: chosen } }
      return administrator.send('POST', '/admin/api/organisations', given)
    },
  },
  'a person whom an owner invited': {
    field: 'Password: ',
    choose: async (chosen) => {
      const { invitation } = (await owner.send('POST', '/v2/members', { ...newcomer(), role: 'viewer' })).json()
      return submit(service, '/app/invitation', { token: tokenOf(invitation.link), password: chosen })
    },
  },
  'a member whom an administrator invited': {
    field: 'Password: ',
    choose: async (chosen) => {
      const { invitation } = await appoint()
      return submit(service, '/app/invitation', { token: tokenOf(invitation.link), password: chosen })
    },
  },
  'a person who forgot the password': {
    field: 'Password: ',
    choose: async (chosen) => {
      const { email, invitation } = await appoint()
      await submit(service, '/app/invitation', { token: tokenOf(invitation.link), password })
      const { link } = (await administrator.send('POST', '/admin/api/reset-links', { email })).json()
      return submit(service, '/app/reset', { token: tokenOf(link), password: chosen })
    },
  },
  'a person who changes it': {
    field: '"newPassword":[',
    choose: async (chosen) => {
      const { email, userId, invitation } = await appoint()
      await submit(service, '/app/invitation', { token: tokenOf(invitation.link), password })
      expect(email).toContain('mary')
      const theirs = aBrowser(service, await aSession(service, userId))
      return theirs.send('POST', '/v2/session/password', { currentPassword: password, newPassword: chosen })
    },
  },
}

/** Mary, made a member without an own password by an administrator. */
async function appoint() {
  const person = newcomer()
  const path = `/admin/api/organisations/${organisation.id}/members`
  const { member, invitation } = (await administrator.send('POST', path, { ...person, role: 'viewer' })).json()
  return { email: person.email, userId: String(member.userId), invitation }
}

test.each(Object.entries(ways))('S33: %s takes no password that is tried first, and no name', async (_, way) => {
  const common = await way.choose('passwordpassword')
  expect([common.statusCode, common.body]).toEqual([422, expect.stringContaining(`${way.field}`)])
  expect(common.body).toContain('too easy to guess')
  const name = await way.choose('Mary-Shelley-1797')
  expect([name.statusCode, name.body]).toEqual([422, expect.stringContaining('beside your name')])
})

test.each(Object.entries(ways).slice(2))('S33: %s takes no name of their organisation', async (way, { choose }) => {
  const name = way === 'the owner of a new organisation' ? 'Reed Lamps' : organisation.name
  const refused = await choose(`${name} 26`)
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('name of your organization')])
})

test('S33: an invitation refuses a password that is tried first whether or not its address is registered, and stays valid', async () => {
  const registered = (await aPerson(service)).email
  const answers = []
  for (const email of [newcomer().email, registered]) {
    const invited = await owner.send('POST', '/v2/members', { ...newcomer(), email, role: 'viewer' })
    const token = tokenOf(invited.json().invitation.link)
    const refused = await submit(service, '/app/invitation', { token, password: 'passwordpassword' })
    answers.push([refused.statusCode, refused.body.replaceAll(token, 'TOKEN')])
    expect((await submit(service, '/app/invitation', { token, password })).statusCode).toBe(303)
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0]).toBe(422)
})
