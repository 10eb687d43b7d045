import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMailer, type Mailer } from '../../src/accounts/mailer.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { endMembership, saveMembership } from '../../src/db/accounts/members.ts'
import { aBrowser, anOrganisation, aService, type Organisation, type Service, siteUrl } from '../api/a-service.ts'
import { type MailServer, startMailServer } from '../api/mail-server.ts'
import { addWebhook, aSender, type Receiver, startReceiver } from './a-receiver.ts'
import { aRunThat } from './run-states.ts'

let service: Service
let organisation: Organisation
let receiver: Receiver
let mailServer: MailServer
let mailer: Mailer
let send: ReturnType<typeof aSender>
beforeEach(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  receiver = await startReceiver(service)
  mailServer = await startMailServer()
  mailer = createMailer({
    smtpUrl: mailServer.url,
    from: 'ferry@service.example',
    clock: service.clock,
    log: service.deps.log,
  })
  send = aSender(service, receiver, mailer)
})
afterEach(async () => {
  await mailer.close()
  await mailServer.stop()
  await receiver.stop()
  await service.close()
})

async function mailOwner(events: string[]) {
  const browser = aBrowser(service, await organisation.cookie())
  const answer = await browser.send('PATCH', `/v2/mail-choices/${organisation.userId}`, { events })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
const deliveries = async () => (await service.get('/v2/deliveries', await organisation.token('operator'))).json().items

test('a member is mailed about what an owner chose, with the state of the migration and a link to it', async () => {
  await mailOwner(['migration.needs_review'])
  await aRunThat(service, organisation, 'completed')
  const id = await aRunThat(service, organisation, 'partial_completed')
  await send()
  expect(mailServer.received.map(({ to }) => to)).toEqual([[organisation.identity.email]])
  const content = mailServer.received[0]?.content ?? ''
  expect(content).toMatch(/^subject: Storeferry: migration needs review$/im)
  expect(content).toMatch(/^auto-submitted: auto-generated$/im)
  expect(content).toContain(`${siteUrl}/app/migrations/${id}/report?org=${organisation.id}`)
  expect(await deliveries()).toMatchObject([
    { member: { id: organisation.userId, name: 'Ada Lovelace' }, webhookId: null, state: 'delivered' },
  ])
})

test('a mail that the server does not take now is sent later, and given up after a day', async () => {
  await mailOwner(['migration.finished'])
  mailServer.refusals.push('451 not now')
  await aRunThat(service, organisation, 'completed')
  await send()
  expect(await deliveries()).toMatchObject([{ state: 'pending', tries: [{ problem: 'mail_server_unreachable' }] }])
  service.clock.jumpSeconds(5)
  await send()
  expect([mailServer.received.length, (await deliveries())[0].state]).toEqual([1, 'delivered'])
  mailServer.refusals.push(...Array(2).fill('451 not now'))
  await aRunThat(service, organisation, 'completed')
  await send()
  service.clock.jumpSeconds(limits.notificationMailSeconds)
  await send()
  expect((await deliveries())[0].state).toBe('failed')
})

test('a mail that the server refuses for good is not repeated', async () => {
  await mailOwner(['migration.finished'])
  mailServer.refusals.push('550 no such person')
  await aRunThat(service, organisation, 'completed')
  await send()
  expect(await deliveries()).toMatchObject([{ state: 'failed', tries: [{ problem: 'mail_refused' }] }])
})

/** The owner, to whom a mail could not be sent yet. */
async function aMemberWithAWaitingMail() {
  await mailOwner(['migration.finished'])
  mailServer.refusals.push('451 not now')
  await aRunThat(service, organisation, 'completed')
  await send()
  return { organisationId: organisation.id, userId: organisation.userId }
}

test('S31: a member who was removed is mailed nothing, not even what was waiting, nor when added again', async () => {
  const member = await aMemberWithAWaitingMail()
  const { database } = service.deps
  await database.transaction().execute((tx) => endMembership(tx, member.organisationId, member.userId))
  service.clock.jumpSeconds(60)
  await send()
  await database.transaction().execute((tx) => saveMembership(tx, { ...member, role: 'owner' }))
  await aRunThat(service, organisation, 'completed')
  await send()
  expect(mailServer.received).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'failed', tries: [{ problem: 'not_a_member' }, {}] }])
})

test('S31: what was waiting for a member is not mailed if the member is removed and added again before the next try', async () => {
  const member = await aMemberWithAWaitingMail()
  const { database } = service.deps
  await database.transaction().execute(async (tx) => {
    await endMembership(tx, member.organisationId, member.userId)
    await saveMembership(tx, { ...member, role: 'owner' })
  })
  service.clock.jumpSeconds(60)
  await send()
  expect(mailServer.received).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'failed', tries: [{ problem: 'not_a_member' }, {}] }])
})

test('S26: owners are mailed when a webhook is switched off, whatever they have chosen', async () => {
  await addWebhook(service, organisation)
  receiver.answer = (response) => response.writeHead(410).end()
  await aRunThat(service, organisation, 'completed')
  await send()
  await send()
  expect(mailServer.received.map(({ to }) => to)).toEqual([[organisation.identity.email]])
  expect(mailServer.received[0]?.content).toContain('The webhook to hooks.example was switched off')
})

test('without a mail server no mail is kept for later', async () => {
  await mailOwner(['migration.finished'])
  await aRunThat(service, organisation, 'completed')
  await send({ mailer: undefined })
  await send()
  expect([mailServer.received, await deliveries()]).toEqual([[], []])
})
