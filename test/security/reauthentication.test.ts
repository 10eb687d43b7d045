import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { totpCode, totpStepAt } from '../../src/accounts/totp.ts'
import { routes } from '../../src/api/routes.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  password,
  type Service,
  siteUrl,
} from '../api/a-service.ts'
import { fromBase32 } from '../harness/base32.ts'

let service: Service
let passwordHash: string
beforeAll(async () => {
  service = await aService()
  passwordHash = await hashPassword(password)
})
afterAll(() => service.close())

/** An owner with a password, who has just signed in. */
async function anOwner() {
  const organisation = await anOrganisation(service)
  const { userId, id } = organisation
  await sql`update users set password_hash = ${passwordHash} where id = ${userId}`.execute(service.deps.database)
  return { organisation, userId, id, browser: aBrowser(service, await organisation.cookie()) }
}

async function anAdministrator(): Promise<Browser> {
  const { userId } = await aPerson(service, { administrator: true })
  return aBrowser(service, await aSession(service, userId))
}

const tooLong = () => service.clock.jumpSeconds(limits.proofSeconds)
const prove = (browser: Browser, given: object = { currentPassword: password }) =>
  browser.send('POST', '/v2/session/reauthentication', given)
const newcomer = () => ({ firstName: 'Mary', lastName: 'Shelley', email: `mary.${crypto.randomUUID()}@shop.example` })
const invite = (browser: Browser) => browser.send('POST', '/v2/members', { ...newcomer(), role: 'viewer' })
const confirmPrune = 'a'.repeat(64)

/** Everything that takes the password again, with a call that would be let through. */
const calls: [string, 'owner' | 'administrator', Parameters<Browser['send']>][] = [
  ['issue-credential', 'administrator', ['POST', '/admin/api/organisations/ID/credential']],
  ['rotate-credential', 'administrator', ['POST', '/admin/api/organisations/ID/credential/rotate']],
  ['disable-credential', 'administrator', ['POST', '/admin/api/organisations/ID/credential/disable']],
  [
    'appoint-member',
    'administrator',
    ['POST', '/admin/api/organisations/ID/members', { ...newcomer(), role: 'owner' }],
  ],
  ['create-administrator', 'administrator', ['POST', '/admin/api/administrators', newcomer()]],
  ['create-organisation', 'administrator', ['POST', '/admin/api/organisations', { name: 'Lamps', owner: newcomer() }]],
  ['create-person-reset-link', 'administrator', ['POST', '/admin/api/reset-links', { email: 'a@shop.example' }]],
  ['remove-second-step', 'administrator', ['POST', '/admin/api/second-step-removals', { email: 'a@shop.example' }]],
  ['connect-store', 'administrator', ['POST', '/admin/api/organisations/ID/stores', { hash: 'store3', token: 'x' }]],
  ['add-member', 'owner', ['POST', '/v2/members', { ...newcomer(), role: 'viewer' }]],
  ['change-member', 'owner', ['PATCH', '/v2/members/USER', { role: 'owner' }]],
  ['invite-member', 'owner', ['POST', '/v2/members/USER/invitation']],
  ['create-reset-link', 'owner', ['POST', '/v2/members/USER/reset-link']],
  ['add-store', 'owner', ['POST', '/v2/stores', { hash: 'store3', token: 'x' }]],
  ['disconnect-store', 'owner', ['DELETE', '/v2/stores/store1']],
  ['create-webhook', 'owner', ['POST', '/v2/webhooks', { url: 'https://hooks.example/' }]],
  ['change-webhook', 'owner', ['PATCH', `/v2/webhooks/${crypto.randomUUID()}`, {}]],
  ['rotate-webhook-secret', 'owner', ['POST', `/v2/webhooks/${crypto.randomUUID()}/secret`]],
  ['resume', 'owner', ['POST', `/v2/migrations/${crypto.randomUUID()}/resume`, { confirmPrune }]],
]

test('S14, S18: what opens or deletes the most takes the password again after a quarter of an hour, and nothing else does', async () => {
  const asking = routes.filter(({ operation }) => operation.needsProof).map(({ operation }) => operation.name)
  expect([...new Set(asking)].toSorted()).toEqual(calls.map(([name]) => name).toSorted())
  const { id, userId, browser: owner } = await anOwner()
  const administrator = await anAdministrator()
  tooLong()
  for (const [name, who, [method, path, body]] of calls) {
    const address = path.replace('ID', id).replace('USER', userId)
    const refused = await (who === 'owner' ? owner : administrator).send(method, address, body)
    expect([name, refused.statusCode, refused.json().error]).toEqual([name, 403, 'reauthentication_required'])
  }
  expect((await owner.send('PATCH', '/v2/stores/store1', { label: 'Lamps' })).statusCode).toBe(200)
  expect((await owner.get('/v2/members')).statusCode).toBe(200)
  expect((await administrator.get(`/admin/api/organisations/${id}`)).statusCode).toBe(200)
})

test('S14: signing in and the password again are enough for a quarter of an hour, in this browser alone', async () => {
  const { browser, organisation } = await anOwner()
  service.clock.jumpSeconds(limits.proofSeconds - 1)
  expect((await invite(browser)).statusCode).toBe(201)
  service.clock.jumpSeconds(1)
  expect((await invite(browser)).json().error).toBe('reauthentication_required')
  const elsewhere = aBrowser(service, await organisation.cookie())
  tooLong()
  expect((await prove(browser)).statusCode).toBe(204)
  expect((await invite(browser)).statusCode).toBe(201)
  expect((await invite(elsewhere)).json().error).toBe('reauthentication_required')
  service.clock.jumpSeconds(limits.proofSeconds - 1)
  expect((await invite(browser)).statusCode).toBe(201)
  service.clock.jumpSeconds(1)
  expect((await invite(browser)).json().error).toBe('reauthentication_required')
  const { items } = (await browser.get('/v2/session/audit')).json()
  expect(items.map(({ action }: { action: string }) => action)).toContain('session.reauthenticate')
})

test('S34: a wrong password is no proof, is counted like a failed sign-in, and is on record', async () => {
  const { browser } = await anOwner()
  tooLong()
  const wrong = await prove(browser, { currentPassword: 'a wrong password' })
  expect([wrong.statusCode, wrong.json().errors]).toEqual([422, { currentPassword: ['Is not the current password.'] }])
  expect((await invite(browser)).statusCode).toBe(403)
  const { items } = (await browser.get('/v2/session/audit')).json()
  expect(items[0]).toMatchObject({ action: 'sign-in.fail' })
  for (let failed = 1; failed < limits.loginFailuresPerClient; failed += 1) {
    service.clock.jumpSeconds(60)
    expect((await prove(browser, { currentPassword: 'a wrong password' })).statusCode).toBe(422)
  }
  service.clock.jumpSeconds(60)
  expect((await prove(browser)).statusCode).toBe(429)
})

test('S33: with the second step on, the proof takes a code, too, and each code once', async () => {
  const { browser } = await anOwner()
  expect((await browser.get('/v2/session')).json().secondStep).toBe(false)
  const begun = await browser.send('POST', '/v2/session/second-step', { currentPassword: password })
  const secret = fromBase32(begun.json().secret)
  const code = () => totpCode(secret, totpStepAt(service.clock.now()))
  const { recoveryCodes } = (await browser.send('POST', '/v2/session/second-step/confirm', { code: code() })).json()
  tooLong()
  expect((await browser.get('/v2/session')).json().secondStep).toBe(true)
  expect((await prove(browser)).json().errors).toEqual({ code: [expect.stringContaining('Give a code')] })
  expect((await prove(browser, { currentPassword: 'a wrong password', code: code() })).statusCode).toBe(422)
  const given = { currentPassword: password, code: code() }
  expect((await prove(browser, given)).statusCode).toBe(204)
  expect((await invite(browser)).statusCode).toBe(201)
  tooLong()
  expect((await prove(browser, given)).json().errors).toHaveProperty('code')
  expect((await invite(browser)).statusCode).toBe(403)
  expect((await prove(browser, { currentPassword: password, code: recoveryCodes[0] })).statusCode).toBe(204)
  expect((await invite(browser)).statusCode).toBe(201)
})

test('S4: a bearer token is never asked for a password, nor does it take one', async () => {
  const { organisation } = await anOwner()
  const headers = { authorization: `Bearer ${await organisation.token()}` }
  tooLong()
  const resume = { method: 'POST' as const, url: `/v2/migrations/${crypto.randomUUID()}/resume`, headers }
  expect((await service.inject({ ...resume, payload: { confirmPrune } })).statusCode).toBe(404)
  const proof = { method: 'POST' as const, url: '/v2/session/reauthentication', headers }
  expect((await service.inject({ ...proof, payload: { currentPassword: password } })).statusCode).toBe(403)
})

test('S24: another site cannot give the proof', async () => {
  const { organisation } = await anOwner()
  const headers = { cookie: await organisation.cookie(), origin: 'https://elsewhere.example' }
  const url = '/v2/session/reauthentication'
  const asked = await service.inject({ method: 'POST', url, headers, payload: { currentPassword: password } })
  expect(asked.statusCode).toBe(403)
  const own = await service.inject({ method: 'POST', url, headers: { ...headers, origin: siteUrl }, payload: {} })
  expect(own.statusCode).toBe(422)
})
