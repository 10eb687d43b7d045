import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { totpCode, totpStepAt } from '../../src/accounts/totp.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { deleteLinksOfUser } from '../../src/db/accounts/one-time-links.ts'
import { lockPassword } from '../../src/db/accounts/users.ts'
import { removeSecondStep } from '../../src/operations/administration/remove-second-step.ts'
import { signInWithCode } from '../../src/operations/sessions/sign-in-with-code.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  cookieOf,
  password,
  type Service,
  submit,
} from '../api/a-service.ts'
import { fromBase32 } from '../harness/base32.ts'
import { untilWaiting } from '../harness/lock-waits.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

interface Enrolled {
  userId: string
  email: string
  browser: Browser
  recoveryCodes: string[]
  /** The next code of the app: one that was not used yet. */
  nextCode(): string
}

const codeOf = (secret: Buffer) => totpCode(secret, totpStepAt(service.clock.now()))

async function begin(browser: Browser): Promise<Buffer> {
  const begun = await browser.send('POST', '/v2/session/second-step', { currentPassword: password })
  expect(begun.statusCode).toBe(200)
  return fromBase32(begun.json().secret)
}

async function anEnrolledPerson({ administrator = false } = {}): Promise<Enrolled> {
  const person = await aPerson(service, { administrator })
  const browser = aBrowser(service, await aSession(service, person.userId))
  const secret = await begin(browser)
  const confirmed = await browser.send('POST', '/v2/session/second-step/confirm', { code: codeOf(secret) })
  expect(confirmed.statusCode).toBe(200)
  const nextCode = () => {
    service.clock.jumpSeconds(30)
    return codeOf(secret)
  }
  return { ...person, browser, recoveryCodes: confirmed.json().recoveryCodes, nextCode }
}

async function givePassword(email: string): Promise<string> {
  const page = await submit(service, '/app/sign-in', { email, password, return_to: '/app/members' })
  expect(page.headers['set-cookie']).toBeUndefined()
  return /name="token" value="([\w-]{43})"/.exec(page.body)?.[1] ?? ''
}

const giveCode = (token: string, code: string, remoteAddress = '192.0.2.1') =>
  submit(service, '/app/sign-in/code', { token, code, return_to: '/app/members' }, { remoteAddress })

const stateOf = async (browser: Browser) => (await browser.get('/v2/session/second-step')).json()

test('a code is given at the moment that the password changes: the sign-in begins again, and neither of them fails', async () => {
  const { userId, email, nextCode } = await anEnrolledPerson()
  const [token, code] = [await givePassword(email), nextCode()]
  const { database } = service.deps
  const begun = await database.transaction().execute(async (tx) => {
    // As where a password changes: the person first, then what waits for a code.
    await lockPassword(tx, userId)
    const given = Promise.allSettled([signInWithCode.run({ token, code }, { address: '192.0.2.1' }, service.deps)])
    await untilWaiting(database, 1)
    await deleteLinksOfUser(tx, userId)
    return { given }
  })
  expect(await begun.given).toMatchObject([{ reason: { code: 'invalid_credentials' } }])
})

test('S33: with the second step on, the password leads to a page for the code, and the code signs in', async () => {
  const { email, nextCode, browser } = await anEnrolledPerson()
  expect(await stateOf(browser)).toEqual({ onSince: expect.any(String), recoveryCodesLeft: 10 })
  const token = await givePassword(email)
  const code = nextCode()
  const signedIn = await giveCode(token, `${code.slice(0, 3)} ${code.slice(3)}`)
  expect(signedIn.statusCode).toBe(303)
  expect(signedIn.headers.location).toBe('/app/sign-in?kept=1&return_to=%2Fapp%2Fmembers')
  const cookie = cookieOf(signedIn.headers['set-cookie'])
  expect((await service.inject({ url: '/v2/session', headers: { cookie } })).statusCode).toBe(200)
  const late = await giveCode(token, nextCode())
  expect(late.statusCode).toBe(401)
  // Whoever starts again still gets where the link that brought them leads.
  expect(late.body).toContain('<a href="/app/sign-in?return_to=%2Fapp%2Fmembers">Start again</a>')
})

test('S14: a code counts once, also when it comes twice at the same moment', async () => {
  const { email, nextCode } = await anEnrolledPerson()
  const code = nextCode()
  const tokens = [await givePassword(email), await givePassword(email)]
  const answers = await Promise.all(tokens.map((token) => giveCode(token, code)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 401])
  expect((await giveCode(await givePassword(email), code)).body).toContain('was used already')
})

test('S14: the first code, which turned the step on, does not sign in', async () => {
  const person = await aPerson(service)
  const browser = aBrowser(service, await aSession(service, person.userId))
  const secret = await begin(browser)
  const code = codeOf(secret)
  await browser.send('POST', '/v2/session/second-step/confirm', { code })
  expect((await giveCode(await givePassword(person.email), code)).statusCode).toBe(401)
})

test('S14: after five wrong codes of a person, from whatever address, the right one waits 15 minutes', async () => {
  const { email, nextCode } = await anEnrolledPerson()
  const token = await givePassword(email)
  for (let address = 1; address <= limits.secondStepFailures; address += 1)
    expect((await giveCode(token, '000000', `192.0.2.${address}`)).statusCode).toBe(401)
  const refused = await giveCode(token, nextCode(), '192.0.2.99')
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
  service.clock.jumpSeconds(limits.loginFailureWindowSeconds)
  expect((await giveCode(await givePassword(email), nextCode(), '192.0.2.99')).statusCode).toBe(303)
})

test('S34: of twenty codes at the same moment no more than five are judged', async () => {
  const { email } = await anEnrolledPerson()
  const token = await givePassword(email)
  const answers = await Promise.all(Array.from({ length: 20 }, () => giveCode(token, '000000')))
  const judged = answers.filter(({ statusCode }) => statusCode === 401).length
  expect([judged, answers.length - judged]).toEqual([5, 15])
})

test('S14: a recovery code signs its person in once, however it is typed, nobody else, and only its hash is stored', async () => {
  const { userId, email, recoveryCodes, browser } = await anEnrolledPerson()
  const [first = ''] = recoveryCodes
  expect(new Set(recoveryCodes).size).toBe(limits.recoveryCodes)
  const typed = first.toUpperCase().replaceAll('-', ' ')
  expect((await giveCode(await givePassword(email), typed)).statusCode).toBe(303)
  expect((await giveCode(await givePassword(email), first)).statusCode).toBe(401)
  const [ofAnother = ''] = (await anEnrolledPerson()).recoveryCodes
  expect((await giveCode(await givePassword(email), ofAnother)).statusCode).toBe(401)
  expect(await stateOf(browser)).toMatchObject({ recoveryCodesLeft: 9 })
  const { rows } = await sql<{ text: string }>`
    select code::text as text from recovery_codes code where user_id = ${userId}`.execute(service.deps.database)
  for (const { text } of rows) for (const code of recoveryCodes) expect(text).not.toContain(code.replaceAll('-', ''))
})

test('S14: new recovery codes take a code, and end the earlier ones', async () => {
  const { email, recoveryCodes, browser, nextCode } = await anEnrolledPerson()
  const ask = (code: string) => browser.send('POST', '/v2/session/recovery-codes', { code })
  expect((await ask('000000')).json()).toMatchObject({
    error: 'validation_failed',
    errors: { code: [expect.any(String)] },
  })
  const renewed = (await ask(nextCode())).json().recoveryCodes
  expect((await giveCode(await givePassword(email), recoveryCodes[0] ?? '')).statusCode).toBe(401)
  expect((await giveCode(await givePassword(email), renewed[0])).statusCode).toBe(303)
})

test('S14: it takes the password to begin, a code to turn on and a code to turn off', async () => {
  const { userId, email } = await aPerson(service)
  const browser = aBrowser(service, await aSession(service, userId))
  const wrong = await browser.send('POST', '/v2/session/second-step', { currentPassword: 'not the password' })
  expect(wrong.json()).toMatchObject({ errors: { currentPassword: [expect.any(String)] } })
  const confirm = (code: string) => browser.send('POST', '/v2/session/second-step/confirm', { code })
  expect((await confirm('123456')).statusCode).toBe(409)
  const secret = await begin(browser)
  expect((await confirm('000000')).statusCode).toBe(422)
  // Begun only: the password is still enough.
  expect((await submit(service, '/app/sign-in', { email, password, return_to: '/app' })).statusCode).toBe(303)
  expect((await confirm(codeOf(secret))).statusCode).toBe(200)
  expect((await browser.send('POST', '/v2/session/second-step', { currentPassword: password })).statusCode).toBe(409)
  const off = (code: string) => browser.send('POST', '/v2/session/second-step/off', { code })
  expect((await off(codeOf(secret))).statusCode).toBe(422)
  service.clock.jumpSeconds(30)
  expect((await off(codeOf(secret))).statusCode).toBe(204)
  expect(await stateOf(browser)).toEqual({ onSince: null, recoveryCodesLeft: 0 })
  expect((await submit(service, '/app/sign-in', { email, password, return_to: '/app' })).statusCode).toBe(303)
})

test('S14: the second step survives a new password, which ends a sign-in that waits for its code', async () => {
  const { email, browser, nextCode } = await anEnrolledPerson()
  const waiting = await givePassword(email)
  const change = { currentPassword: password, newPassword: 'an entirely new password' }
  expect((await browser.send('POST', '/v2/session/password', change)).statusCode).toBe(200)
  expect((await giveCode(waiting, nextCode())).statusCode).toBe(401)
  const page = await submit(service, '/app/sign-in', { email, password: change.newPassword, return_to: '/app' })
  expect(page.body).toContain('Enter your code')
})

test('S14: a sign-in that waits for its code ends after ten minutes', async () => {
  const { email, nextCode } = await anEnrolledPerson()
  const token = await givePassword(email)
  service.clock.jumpSeconds(limits.secondStepSeconds)
  const late = await giveCode(token, nextCode())
  expect([late.statusCode, late.body]).toEqual([401, expect.stringContaining('Sign in again.')])
})

test('S33: the administration stays closed to an administrator until the second step is on, unless it is optional by name', async () => {
  const bare = await aPerson(service, { administrator: true })
  const browser = aBrowser(service, await aSession(service, bare.userId))
  const enrolled = await anEnrolledPerson({ administrator: true })
  const { settings } = service.deps
  const statuses = async () => [
    (await browser.get('/admin/api/organisations')).statusCode,
    (await enrolled.browser.get('/admin/api/organisations')).statusCode,
  ]
  expect(await statuses()).toEqual([200, 200])
  settings.administratorSecondStep = true
  try {
    expect(await statuses()).toEqual([403, 200])
    expect((await browser.get('/admin/api/organisations')).json().error).toBe('second_step_required')
    expect((await browser.get('/v2/session')).json().secondStepMissing).toBe(true)
    expect((await enrolled.browser.get('/v2/session')).json().secondStepMissing).toBe(false)
    // Their own organisations are not closed to them.
    const owner = await anOrganisation(service)
    expect((await aBrowser(service, await owner.cookie()).get('/v2/session')).json().secondStepMissing).toBe(false)
  } finally {
    settings.administratorSecondStep = false
  }
})

test('S33: an administrator turns the second step of another person off, who is signed out; not their own', async () => {
  const administrator = await anEnrolledPerson({ administrator: true })
  const { email, browser } = await anEnrolledPerson()
  const remove = (of: string) => administrator.browser.send('POST', '/admin/api/second-step-removals', { email: of })
  expect((await remove('nobody@shop.example')).statusCode).toBe(404)
  expect((await remove(administrator.email)).statusCode).toBe(409)
  expect((await remove(email)).statusCode).toBe(204)
  expect((await remove(email)).statusCode).toBe(409)
  expect((await browser.get('/v2/session')).statusCode).toBe(401)
  expect((await submit(service, '/app/sign-in', { email, password, return_to: '/app' })).statusCode).toBe(303)
  // On the command line, so that the last administrator gets back in.
  await perform(removeSecondStep, { email: administrator.email }, { userId: null }, service.deps)
  expect((await administrator.browser.get('/v2/session')).statusCode).toBe(401)
})

test('S8, S33: the secret is stored encrypted, and turning on and off is on record', async () => {
  const { userId, browser, nextCode } = await anEnrolledPerson()
  const { rows } = await sql<{ sealed: Buffer }>`
    select secret_encrypted as sealed from second_steps where user_id = ${userId}`.execute(service.deps.database)
  expect(rows[0]?.sealed.length).toBeGreaterThan(20 + 28)
  await browser.send('POST', '/v2/session/second-step/off', { code: nextCode() })
  const { items } = (await browser.get('/v2/session/audit')).json()
  expect(items.map(({ action }: { action: string }) => action)).toEqual(['second-step.off', 'second-step.on'])
})
