import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { aBrowser, anOrganisation, aPerson, aService, password, type Service, submit } from '../api/a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

/** How many of simultaneous requests got each status. */
async function statusesOf(count: number, ask: () => Promise<{ statusCode: number }>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, ask))
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

/** Without stores, a correct login is a 403 and does not wait for any. */
const withoutStores = () => anOrganisation(service, { stores: [] })

async function givePassword(userId: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await sql`update users set password_hash = ${passwordHash} where id = ${userId}`.execute(service.deps.database)
}

const signIn = (email: string, given: string, remoteAddress: string) =>
  submit(service, '/app/sign-in', { email, password: given, return_to: '/app' }, { remoteAddress })

test('S34: of thirty logins at the same moment no more are judged than may fail', async () => {
  const { identity } = await anOrganisation(service)
  const wrong = () => service.login({ ...identity, client_secret: 'wrong' }, '198.51.100.34')
  const judged = limits.loginFailuresPerClient
  expect(await statusesOf(30, wrong)).toEqual({ 401: judged, 429: 30 - judged })
})

test('S34: of two hundred sign-ins at the same moment no more are judged than may fail without a delay, and the owner sees those', async () => {
  const { identity, userId, cookie } = await withoutStores()
  await givePassword(userId)
  const wrong = () => signIn(identity.email, 'wrong', '198.51.100.35')
  expect(await statusesOf(200, wrong)).toEqual({ 401: 3, 429: 197 })
  const { items } = (await aBrowser(service, await cookie()).get('/v2/audit?action=sign-in.fail')).json()
  const seen = { user: { id: userId }, details: { address: '198.51.100.35', reason: 'wrong password' } }
  expect(items).toMatchObject([seen, seen, seen])
})

test('S34: correct logins at the same moment may have to be repeated after a second, and count as nothing', async () => {
  const { identity } = await withoutStores()
  const correct = () => service.login(identity, '198.51.100.36')
  const answers = await Promise.all(Array.from({ length: 30 }, correct))
  for (const { statusCode, headers } of answers)
    expect(statusCode === 403 || headers['retry-after'] === '1', String(statusCode)).toBe(true)
  expect(answers.filter(({ statusCode }) => statusCode === 403).length).toBeGreaterThanOrEqual(10)
  for (let failure = 1; failure < limits.loginFailuresPerClient; failure += 1)
    expect((await service.login({ ...identity, username: 'Grace' }, '198.51.100.36')).statusCode).toBe(401)
  expect((await correct()).statusCode).toBe(403)
})

test('S34: a failed sign-in is on record with its address and reason, for the person and the owners of their organisations', async () => {
  const organisation = await withoutStores()
  await givePassword(organisation.userId)
  const owner = aBrowser(service, await organisation.cookie())
  const stranger = aBrowser(service, await (await anOrganisation(service)).cookie())
  await signIn(organisation.identity.email, 'wrong', '2001:db8:0:34::1')
  await service.login({ ...organisation.identity, client_secret: 'wrong', username: 'Grace' }, '198.51.100.37')
  await service.login(organisation.identity, '198.51.100.37')
  const failedOf = async (browser: typeof owner, path: string) =>
    (await browser.get(path)).json().items.filter(({ action }: { action: string }) => action.endsWith('.fail'))
  const failed = await failedOf(owner, '/v2/audit')
  expect(failed).toMatchObject([
    {
      action: 'login.fail',
      actor: 'visitor',
      user: { id: organisation.userId },
      organisation: { id: organisation.id },
      details: { address: '198.51.100.37', addressKey: '198.51.100.37', reason: 'wrong client_secret, username' },
    },
    {
      action: 'sign-in.fail',
      actor: 'visitor',
      user: { id: organisation.userId },
      organisation: { id: organisation.id },
      details: { address: '2001:db8:0:34::1', addressKey: '2001:db8:0:34::/64', reason: 'wrong password' },
    },
  ])
  expect(await failedOf(owner, '/v2/session/audit')).toEqual(failed)
  expect(await failedOf(stranger, '/v2/audit')).toEqual([])
})

test('S34: failed sign-ins that name no member are on record for administrators, without the email that was typed', async () => {
  const admin = await aPerson(service, { administrator: true })
  const signedIn = await signIn(admin.email, password, '198.51.100.38')
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  await signIn('planted-somebody@nowhere.example', 'wrong', '198.51.100.39')
  await service.login(
    { username: 'x', email: 'x', organization_name: 'x', client_id: 'planted-id', client_secret: 'x' },
    '198.51.100.40',
  )
  const answer = await aBrowser(service, cookie).get('/admin/api/audit')
  const found = answer
    .json()
    .items.filter(({ details }: { details: { address?: string } }) =>
      /^198\.51\.100\.(39|40)$/.test(details.address ?? ''),
    )
  expect(found).toMatchObject([
    { action: 'login.fail', user: null, organisation: null, details: { reason: 'unknown client_id' } },
    { action: 'sign-in.fail', user: null, organisation: null, details: { reason: 'no active user with this email' } },
  ])
  expect(answer.body).not.toContain('planted-')
})
