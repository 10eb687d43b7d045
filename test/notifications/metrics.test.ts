import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMailer, type Mailer } from '../../src/accounts/mailer.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { readWaitingNotifications } from '../../src/db/notifications/waiting.ts'
import { createMetrics, type Metrics } from '../../src/metrics/metrics.ts'
import { aBrowser, anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { type MailServer, startMailServer } from '../api/mail-server.ts'
import { addWebhook, aSender, type Receiver, startReceiver } from './a-receiver.ts'
import { aRunThat } from './run-states.ts'

let service: Service
let organisation: Organisation
let receiver: Receiver
let mailServer: MailServer
let mailer: Mailer
let metrics: Metrics
let send: () => Promise<number>
beforeEach(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  receiver = await startReceiver(service)
  mailServer = await startMailServer()
  const { clock, log, database } = service.deps
  mailer = createMailer({ smtpUrl: mailServer.url, from: 'ferry@service.example', clock, log })
  metrics = createMetrics({
    numbers: async () => undefined,
    notifications: () => readWaitingNotifications(database, clock.now()),
  })
  const sender = aSender(service, receiver, mailer)
  send = () => sender({ observer: metrics.notifications })
})
afterEach(async () => {
  await mailer.close()
  await mailServer.stop()
  await receiver.stop()
  await service.close()
})

/** Values of a metric by kind, or by kind and end. */
async function valuesOf(metric: string): Promise<Record<string, number>> {
  const lines = (await metrics.text()).body.split('\n').filter((line) => line.startsWith(`${metric}{`))
  const parsed = lines.map((line) => line.match(/kind="(\w+)"(?:,end="(\w+)")?\} (\S+)/) ?? [])
  return Object.fromEntries(parsed.map(([, kind, end, value]) => [end ? `${kind} ${end}` : kind, Number(value)]))
}
const waiting = () => valuesOf('storeferry_notifications_waiting')
const oldest = () => valuesOf('storeferry_oldest_notification_seconds')
/** Only what was counted. */
async function tries(): Promise<Record<string, number>> {
  const all = Object.entries(await valuesOf('storeferry_notification_tries_total'))
  expect(all).toHaveLength(6)
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}

async function mailOwner(): Promise<void> {
  const browser = aBrowser(service, await organisation.cookie())
  const events = ['migration.finished']
  const answer = await browser.send('PATCH', `/v2/mail-choices/${organisation.userId}`, { events })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

test('metrics count webhooks and mails by how each try ended: delivered, to be repeated, given up', async () => {
  await addWebhook(service, organisation)
  await mailOwner()
  receiver.answer = (response) => response.writeHead(503).end()
  mailServer.refusals.push('550 no such person')
  await aRunThat(service, organisation, 'completed')
  expect(await send()).toBe(2)
  expect(await tries()).toEqual({ 'webhook to_repeat': 1, 'mail failed': 1 })
  receiver.answer = (response) => response.writeHead(204).end()
  service.clock.jumpSeconds(60)
  await aRunThat(service, organisation, 'completed')
  await send()
  await send()
  expect(await tries()).toEqual({
    'webhook to_repeat': 1,
    'webhook delivered': 2,
    'mail failed': 1,
    'mail delivered': 1,
  })
})

test('metrics show what waits and for how long, over failed tries too, until it is delivered or given up', async () => {
  await addWebhook(service, organisation)
  await mailOwner()
  expect([await waiting(), await oldest()]).toEqual([nothing, nothing])
  receiver.answer = (response) => response.writeHead(503).end()
  mailServer.refusals.push(...Array(9).fill('451 not now'))
  await aRunThat(service, organisation, 'completed')
  await send()
  service.clock.jumpSeconds(3_000)
  await send()
  await aRunThat(service, organisation, 'completed')
  await send()
  service.clock.jumpSeconds(1_000)
  expect(await waiting()).toEqual({ event: 0, webhook: 2, mail: 2 })
  const { webhook, mail, event } = await oldest()
  expect([Math.floor(webhook! / 100), Math.floor(mail! / 100), event]).toEqual([40, 40, 0])
  mailServer.refusals.length = 0
  receiver.answer = (response) => response.writeHead(204).end()
  service.clock.jumpSeconds(limits.notificationMailSeconds)
  while ((await send()) > 0);
  expect([await waiting(), await oldest()]).toEqual([nothing, nothing])
})
const nothing = { event: 0, webhook: 0, mail: 0 }

test('without a server that sends, metrics show events of which nothing has been written, and their age', async () => {
  await addWebhook(service, organisation)
  await aRunThat(service, organisation, 'completed')
  service.clock.jumpSeconds(400)
  expect(await waiting()).toEqual({ event: 1, webhook: 0, mail: 0 })
  const { event, webhook } = await oldest()
  // Events are written by the clock of the database, which has moved on by the time of this story.
  expect([event! > 300 && event! <= 400, webhook]).toEqual([true, 0])
  await send()
  expect(await waiting()).toEqual(nothing)
})
