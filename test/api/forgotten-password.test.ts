import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMailer, type Mailer } from '../../src/accounts/mailer.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { createLog } from '../../src/log.ts'
import { FakeClock } from '../harness/fake-clock.ts'
import { until } from '../harness/until.ts'
import { aBrowser, aPerson, aService, aSession, password, type Service, submit } from './a-service.ts'
import { type MailServer, startMailServer } from './mail-server.ts'

const from = 'storeferry@service.example'
const newPassword = 'an entirely new password'

let service: Service
let mailServer: MailServer
let mailer: Mailer
let lines: string[]
beforeAll(async () => {
  service = await aService()
  mailServer = await startMailServer()
})
afterAll(async () => {
  await mailServer.stop()
  await service.close()
})
beforeEach(async () => {
  mailServer.received.length = 0
  await sql`delete from login_failures`.execute(service.deps.database)
  lines = []
  mailer = aMailer(mailServer.url)
  service.deps.mailer = mailer
})

/** Its pauses pass at once, and what it logs is in `lines`. */
function aMailer(smtpUrl: string): Mailer {
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const clock = new FakeClock({ skipUpToMs: 600_000 })
  return createMailer({ smtpUrl, from, clock, log: createLog({ level: 'trace', destination }) })
}

const ask = (email: string, remoteAddress = '192.0.2.1') => submit(service, '/app/forgot', { email }, { remoteAddress })
const signIn = async (email: string, given: string) => submit(service, '/app/sign-in', { email, password: given })
const choose = (token: string) => submit(service, '/app/reset', { token, password: newPassword })

/** Whatever was asked for before has been mailed, or never will be. */
async function untilMailed(): Promise<void> {
  await mailer.close()
  mailer = aMailer(mailServer.url)
  service.deps.mailer = mailer
}

function tokensIn({ received }: MailServer): string[] {
  return received.map(({ content }) => content.match(/http:\/\/localhost:4000\/app\/reset#([\w-]{43})\n/)?.[1] ?? '')
}

test('S33: a person who forgot the password gets a link by mail, which works once', async () => {
  const { email, userId } = await aPerson(service)
  const asked = await ask(email.toUpperCase())
  expect([asked.statusCode, asked.body]).toEqual([200, expect.stringContaining('a link is on its way')])
  await untilMailed()
  expect(mailServer.received).toMatchObject([{ from, to: [email] }])
  const [mail] = mailServer.received
  expect(mail?.content).toMatch(/^auto-submitted: auto-generated$/im)
  expect(mail?.content).toContain('for 30 minutes')
  const [token = ''] = tokensIn(mailServer)
  expect((await choose(token)).headers.location).toBe('/app/sign-in?password=set')
  expect((await choose(token)).statusCode).toBe(401)
  expect([(await signIn(email, password)).statusCode, (await signIn(email, newPassword)).statusCode]).toEqual([
    401, 303,
  ])
  const { rows } = await sql<{ action: string; actor: string }>`
    select action, actor from audit where actor_user_id = ${userId} order by id limit 2`.execute(service.deps.database)
  expect(rows).toEqual([
    { action: 'password.mail-link', actor: 'visitor' },
    { action: 'password.reset', actor: 'user' },
  ])
})

test('S14: a link that was mailed works for thirty minutes, and its use ends every session and every other link', async () => {
  const { email, userId } = await aPerson(service)
  const browser = aBrowser(service, await aSession(service, userId))
  await ask(email)
  await untilMailed()
  service.clock.jumpSeconds(limits.resetLinkSeconds)
  expect((await choose(tokensIn(mailServer)[0] ?? '')).statusCode).toBe(401)
  await ask(email)
  await ask(email)
  await untilMailed()
  const [, second = '', third = ''] = tokensIn(mailServer)
  expect((await browser.get('/v2/session')).statusCode).toBe(200)
  service.clock.jumpSeconds(limits.resetLinkSeconds - 1)
  expect((await choose(third)).statusCode).toBe(303)
  expect((await choose(second)).statusCode).toBe(401)
  expect((await browser.get('/v2/session')).statusCode).toBe(401)
})

test('S14: who asks gets the same answer for every address, and only active people get a mail', async () => {
  const [known, former] = [await aPerson(service), await aPerson(service)]
  await sql`update users set active = false where id = ${former.userId}`.execute(service.deps.database)
  const nobody = `nobody.${crypto.randomUUID()}@shop.example`
  const given = [known.email, former.email, nobody, 'no address']
  const answers = []
  for (const email of given) {
    const { statusCode, body, headers } = await ask(email)
    const { date: _now, 'x-request-id': _id, 'content-length': _length, ...same } = headers
    answers.push({ statusCode, body: body.replaceAll(email, '…'), same })
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await untilMailed()
  expect(mailServer.received.map(({ to }) => to)).toEqual([[known.email]])
})

test('S33: a stranger who asks takes no link away, and nobody is mailed more than three that work', async () => {
  const { email, userId } = await aPerson(service)
  const { userId: administrator } = await aPerson(service, { administrator: true })
  const given = await aBrowser(service, await aSession(service, administrator)).send('POST', '/admin/api/reset-links', {
    email,
  })
  const mine = given.json().link.split('#')[1]
  for (let asked = 0; asked < limits.resetLinksAtOnce; asked += 1) await ask(email, `198.51.100.${asked}`)
  await untilMailed()
  // One of the three is the administrator's.
  expect(mailServer.received).toHaveLength(limits.resetLinksAtOnce - 1)
  expect((await choose(mine)).statusCode).toBe(303)
  await ask(email)
  await untilMailed()
  expect(mailServer.received).toHaveLength(limits.resetLinksAtOnce)
  const { rows } = await sql`select 1 from one_time_links where user_id = ${userId}`.execute(service.deps.database)
  expect(rows).toHaveLength(1)
})

test('S34: of a network address ten mails may be asked for in a quarter of an hour, known or not, and sign-ins do not count', async () => {
  const { email } = await aPerson(service)
  for (let asked = 0; asked < limits.mailRequests; asked += 1)
    expect((await ask(`nobody.${asked}@shop.example`)).statusCode).toBe(200)
  const refused = await ask(email)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(limits.loginFailureWindowSeconds)])
  expect(refused.body).toContain('Too many mails')
  expect((await ask(email, '198.51.100.7')).statusCode).toBe(200)
  expect((await signIn(email, password)).statusCode).toBe(303)
  service.clock.jumpSeconds(limits.loginFailureWindowSeconds)
  expect((await ask(email)).statusCode).toBe(200)
  await untilMailed()
})

test('S34: two hundred who ask at the same moment are no more than ten', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask('nobody@shop.example')))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(limits.mailRequests)
  await untilMailed()
})

test('S24: another site cannot ask for a mail', async () => {
  const { email } = await aPerson(service)
  const origin = 'https://elsewhere.example'
  expect((await submit(service, '/app/forgot', { email }, { origin })).statusCode).toBe(403)
  await untilMailed()
  expect(mailServer.received).toEqual([])
})

test('a mail that the server does not take now is tried again', async () => {
  const { email } = await aPerson(service)
  mailServer.refusals.push('451 later', '451 later', '451 later')
  await ask(email)
  await until('the mail arrives', () => mailServer.received.length === 1)
  expect(lines.filter((line) => line.includes('tried again'))).toHaveLength(3)
})

test('S22: a mail that is refused for good is given up, and no log line has the address, the link or what the server said', async () => {
  const { email, userId } = await aPerson(service)
  mailServer.refusals.push(`550 planted: no such person ${email}`)
  await ask(email)
  await until('the mail is given up', () => lines.some((line) => line.includes('given up')))
  await untilMailed()
  expect(mailServer.received).toEqual([])
  const logged = lines.join('')
  expect(logged).toContain(userId)
  for (const secret of [email, 'planted', '/app/reset']) expect(logged).not.toContain(secret)
})

test('S13: a mail server elsewhere is not given a mail without TLS', async () => {
  // The same server, under a way to write its address that does not count as this machine.
  const other = aMailer(mailServer.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'))
  other.sendLater(async () => ({ userId: 'somebody', to: 'a@shop.example', subject: 'planted', text: 'planted' }))
  await until('it is given up', () => lines.some((line) => line.includes('given up')))
  await other.close()
  expect(lines.at(-1)).toContain('"code":"ETLS"')
  expect(mailServer.received).toEqual([])
})

test('S33: without a mail server the page says whom to ask, and takes nothing', async () => {
  service.deps.mailer = undefined
  const page = await service.inject({ url: '/app/forgot' })
  expect(page.body).toContain('This service cannot send mail')
  expect(page.body).not.toContain('<form')
  expect((await ask('a@shop.example')).statusCode).toBe(409)
})

test('a mail that waits for another try does not hold the end of the service', async () => {
  const slow = createMailer({
    ...{ smtpUrl: mailServer.url, from, clock: new FakeClock() },
    log: createLog({ level: 'silent' }),
  })
  mailServer.refusals.push('451 later')
  slow.sendLater(async () => ({ userId: 'somebody', to: 'a@shop.example', subject: 'x', text: 'x' }))
  await until('the first try is refused', () => mailServer.refusals.length === 0)
  await slow.close()
  expect(mailServer.received).toEqual([])
})
