import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../src/contract/primitives/limits.ts'
import { claimDue, endPending } from '../../src/db/notifications/deliveries.ts'
import { lockWebhook } from '../../src/db/notifications/webhooks.ts'
import { sendDue } from '../../src/notifications/sender.ts'
import { enableStoreMigration } from '../../src/operations/administration/enable-store-migration.ts'
import { removeStoreMigration } from '../../src/operations/administration/remove-store-migration.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import {
  aBrowser,
  anOrganisation,
  aService,
  type Organisation,
  proveAgain,
  type Service,
  siteUrl,
} from '../api/a-service.ts'
import { tablesContaining } from '../engine/tables-containing.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { until } from '../harness/until.ts'
import { addWebhook, aSender, type Receiver, startReceiver, verified } from './a-receiver.ts'
import { aRunThat } from './run-states.ts'

let service: Service
let organisation: Organisation
let receiver: Receiver
let send: ReturnType<typeof aSender>
beforeEach(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  receiver = await startReceiver(service)
  send = aSender(service, receiver)
})
afterEach(async () => {
  await receiver.stop()
  await service.close()
})

const inBrowser = async () => aBrowser(service, await organisation.cookie())
const deliveries = async (query = '') =>
  (await service.get(`/v2/deliveries${query}`, await organisation.token('operator'))).json().items
const webhooks = async () => (await service.get('/v2/webhooks', await organisation.token('operator'))).json().items
/** Sends until nothing is due for this long, at the moments at which something is. */
async function sendFor(seconds: number): Promise<void> {
  const end = new Date(service.clock.now().getTime() + seconds * 1000)
  for (;;) {
    await send()
    const { rows } = await sql<{ at: Date | null }>`
      select min(next_try_at) as at from notification_deliveries where state = 'pending'`.execute(service.deps.database)
    const at = rows[0]?.at
    if (!at || at > end) break
    service.clock.jump(Math.max(0, at.getTime() - service.clock.now().getTime()))
  }
  service.clock.jump(end.getTime() - service.clock.now().getTime())
}
const failing = () => {
  receiver.answer = (response) => response.writeHead(503).end('Down for repairs.')
}
const working = () => {
  receiver.answer = (response) => response.writeHead(200).end()
}

test('S26: a message has the headers of Standard Webhooks, and the public library accepts its signature', async () => {
  const { secret } = await addWebhook(service, organisation)
  const id = await aRunThat(service, organisation, 'completed')
  expect(await send()).toBe(1)
  const [message] = receiver.received
  expect(message?.headers).toMatchObject({
    'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    'content-type': 'application/json',
    'user-agent': 'Storeferry',
  })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const { type, data } = verified(secret, message!)
  expect(type).toBe('migration.finished')
  expect(data).toEqual({
    migrationId: id,
    url: `${siteUrl}/app/migrations/${id}/report?org=${organisation.id}`,
    ...{ mode: 'full', status: 'completed', source: 'store1', destination: 'store2' },
    ...{ summaryLine: 'Copied nothing.', failuresOpen: 0 },
    counters: { done: 0, inProgress: 0, failed: 0, skipped: 0, cancelled: 0, exceptions: 0, warnings: 0 },
  })
  const changed = { ...message!, body: message!.body.replace('store2', 'store3') }
  expect(() => verified(secret, changed)).toThrow('No matching signature found')
})

test('a receiver that fails for an hour gets every event, at the documented times and once each', async () => {
  const { secret } = await addWebhook(service, organisation)
  failing()
  const start = service.clock.now().getTime()
  const first = await aRunThat(service, organisation, 'completed')
  await sendFor(600)
  const second = await aRunThat(service, organisation, 'partial_completed')
  await sendFor(1_800)
  const third = await aRunThat(service, organisation, 'failed')
  await sendFor(1_200)
  const duringTheHour = receiver.received.length
  working()
  await sendFor(2 * 3_600)

  const seen = receiver.received.map((message) => ({ ...message, ...verified(secret, message) }))
  const secondsOf = (run: string) =>
    seen.filter(({ data }) => data.migrationId === run).map(({ at }) => Math.round((at.getTime() - start) / 1000))
  // The third is due first after the hour. As soon as it is accepted, the others follow, the oldest first.
  expect(secondsOf(first)).toEqual([0, 5, 35, 155, 755, 2_555, 4_955])
  expect(secondsOf(second)).toEqual([600, 605, 635, 755, 1_355, 3_155, 4_955])
  expect(secondsOf(third)).toEqual([2_400, 2_405, 2_435, 2_555, 3_155, 4_955])
  const accepted = seen.slice(duringTheHour)
  expect(accepted.map(({ data }) => data.migrationId)).toEqual([third, first, second])
  for (const run of [first, second, third]) {
    const tries = seen.filter(({ data }) => data.migrationId === run)
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1)
    const times = tries.map(({ headers }) => headers['webhook-timestamp'])
    expect(new Set(times).size).toBe(times.length)
  }
  expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual(Array(3).fill('delivered'))
  expect(await webhooks()).toMatchObject([{ enabled: true, failingSince: null }])
})

test('what waits for a webhook is sent to its new address at once', async () => {
  const { id } = await addWebhook(service, organisation)
  failing()
  const run = await aRunThat(service, organisation, 'completed')
  await sendFor(600)
  working()
  const browser = await inBrowser()
  const url = 'https://hooks.example/new'
  expect((await browser.send('PATCH', `/v2/webhooks/${id}`, { url })).statusCode).toBe(200)
  expect(await send()).toBe(1)
  const last = receiver.received.at(-1)!
  expect([last.url, JSON.parse(last.body).data.migrationId]).toEqual(['/new', run])
})

test('S26: during a rotation messages are signed with both secrets, and afterwards with the new one only', async () => {
  const { id, secret: old } = await addWebhook(service, organisation)
  const browser = await inBrowser()
  const rotate = async (overlapHours: number) => {
    await proveAgain(service)
    return (await browser.send('POST', `/v2/webhooks/${id}/secret`, { overlapHours })).json()
  }
  const message = async () => {
    await aRunThat(service, organisation, 'completed')
    await send()
    return receiver.received.at(-1)!
  }
  const accepts = async (...secrets: string[]) => {
    const one = await message()
    return secrets.map((secret) => {
      try {
        return verified(secret, one).type
      } catch {
        return 'refused'
      }
    })
  }
  const rotated = await rotate(1)
  expect(rotated.previousUntil).toBe(new Date(service.clock.now().getTime() + 3_600_000).toISOString())
  expect(await webhooks()).toMatchObject([{ previousSecretUntil: rotated.previousUntil }])
  expect(await accepts(old, rotated.secret)).toEqual(['migration.finished', 'migration.finished'])
  service.clock.jumpSeconds(3_600)
  expect(await accepts(old, rotated.secret)).toEqual(['refused', 'migration.finished'])
  const { secret: third } = await rotate(1)
  const { secret: fourth } = await rotate(1)
  expect(await accepts(rotated.secret, third, fourth)).toEqual(['refused', 'migration.finished', 'migration.finished'])
  const { secret: last, previousUntil } = await rotate(0)
  expect(previousUntil).toBeNull()
  expect(await accepts(third, fourth, last)).toEqual(['refused', 'refused', 'migration.finished'])
})

test('S26: after three days of failures a webhook is switched off, and other webhooks are sent a notice', async () => {
  const { id } = await addWebhook(service, organisation)
  const other = await addWebhook(service, organisation, { url: 'https://hooks.example/other' })
  receiver.answer = (response, { url }) => response.writeHead(url === '/one' ? 500 : 204).end()
  await aRunThat(service, organisation, 'completed')
  await sendFor(limits.webhookFailingSeconds - 1)
  expect(await webhooks()).toMatchObject([{ enabled: true, failingSince: expect.any(String) }, { enabled: true }])
  const tries = receiver.received.filter(({ url }) => url === '/one').length
  // At least a day of growing pauses, and no hammering.
  expect(tries).toBeGreaterThan(10)
  expect(tries).toBeLessThan(20)
  await sendFor(60)
  expect(await webhooks()).toMatchObject([{ enabled: false, disabledBecause: 'failures' }, { enabled: true }])
  const notice = receiver.received.at(-1)!
  expect(verified(other.secret, notice)).toMatchObject({
    type: 'webhook.disabled',
    data: { webhookId: id, host: 'hooks.example' },
  })
  const before = receiver.received.length
  await aRunThat(service, organisation, 'completed')
  await sendFor(3_600)
  expect(receiver.received.slice(before).map(({ url }) => url)).toEqual(['/other'])

  const browser = await inBrowser()
  expect((await browser.send('POST', `/v2/webhooks/${id}/test`)).statusCode).toBe(409)
  await browser.send('PATCH', `/v2/webhooks/${id}`, { enabled: true })
  expect((await webhooks())[0]).toMatchObject({ enabled: true, disabledBecause: null, failingSince: null })
  working()
  const [failed] = await deliveries(`?webhookId=${id}&state=failed`)
  expect((await browser.send('POST', `/v2/deliveries/${failed.id}/redeliver`)).statusCode).toBe(204)
  await send()
  expect((await deliveries(`?webhookId=${id}`))[0]).toMatchObject({
    id: failed.id,
    state: 'delivered',
    nextTryAt: null,
  })
})

test('a receiver that says it is gone is switched off at once', async () => {
  await addWebhook(service, organisation)
  receiver.answer = (response) => response.writeHead(410).end()
  await aRunThat(service, organisation, 'completed')
  await aRunThat(service, organisation, 'completed')
  await sendFor(3_600)
  expect(receiver.received.length).toBe(1)
  expect(await webhooks()).toMatchObject([{ enabled: false, disabledBecause: 'gone' }])
  expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed'])
})

test('what an old address answers does not switch off the new one', async () => {
  const { id } = await addWebhook(service, organisation)
  const asked = Promise.withResolvers<() => void>()
  receiver.answer = (response, { url }) => {
    if (url === '/one') asked.resolve(() => response.writeHead(410).end())
    else response.writeHead(204).end()
  }
  await aRunThat(service, organisation, 'completed')
  const sending = send()
  const answer = await asked.promise
  const browser = await inBrowser()
  const url = 'https://hooks.example/new'
  expect((await browser.send('PATCH', `/v2/webhooks/${id}`, { url })).statusCode).toBe(200)
  answer()
  await sending
  expect(await webhooks()).toMatchObject([{ url, enabled: true, disabledBecause: null, failingSince: null }])
  await sendFor(5)
  expect(receiver.received.map((message) => message.url)).toEqual(['/one', '/new'])
})

test('S3: a redirect is not followed, and no private address is reached', async () => {
  await addWebhook(service, organisation)
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', 'nowhere.invalid']) {
    const { id } = await addWebhook(service, organisation, { url: 'https://hooks.example/private' })
    // As one that was added before such addresses were refused.
    await sql`update webhooks set url = ${`https://${host}/`} where id = ${id}`.execute(service.deps.database)
  }
  receiver.answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
  await aRunThat(service, organisation, 'completed')
  await send()
  expect(receiver.received.map(({ url }) => url)).toEqual(['/one'])
  const problems = (await deliveries()).map(
    ({ tries }: { tries: { problem: string; httpStatus: number | null }[] }) => [
      tries[0]?.problem,
      tries[0]?.httpStatus,
    ],
  )
  expect(problems.filter(([problem]: [string]) => problem === 'http_status')).toEqual([['http_status', 302]])
  expect(problems.filter(([problem]: [string]) => problem === 'address_refused').length).toBeGreaterThanOrEqual(4)
  expect(problems).toHaveLength(6)
})

test('a webhook is switched off at the moment in which the result of a try is written, and neither of them fails', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  receiver.answer = asked.resolve
  const { id } = await addWebhook(service, organisation)
  await aRunThat(service, organisation, 'completed')
  const { database, clock } = service.deps
  const sent = send()
  const response = await asked.promise
  await database.transaction().execute(async (tx) => {
    await lockWebhook(tx, organisation.id, id)
    response.writeHead(503).end()
    await untilWaiting(database, 1)
    await endPending(tx, { organisationId: organisation.id, webhookId: id }, clock.now())
  })
  expect(await sent).toBe(1)
  expect((await deliveries())[0]).toMatchObject({ state: 'failed' })
})

test('a receiver that does not answer in time has failed, and the next ones are not kept waiting', async () => {
  await addWebhook(service, organisation)
  await addWebhook(service, organisation, { url: 'https://hooks.example/other' })
  receiver.answer = (response, { url }) => (url === '/one' ? undefined : response.writeHead(204).end())
  for (let run = 0; run < 3; run += 1) await aRunThat(service, organisation, 'completed')
  await send({ outbound: (request) => receiver.outbound({ ...request, timeoutMs: 500 }) })
  const urls = receiver.received.map(({ url }) => url)
  expect(urls.filter((url) => url === '/other')).toHaveLength(3)
  const slow = (await deliveries()).filter(({ state }: { state: string }) => state === 'pending')
  expect(slow).toHaveLength(3)
  for (const { tries } of slow) expect(tries).toMatchObject([{ httpStatus: null, problem: 'timeout' }])
})

test.each([
  ['does not end', (_: ServerResponse) => undefined],
  ['breaks off', (response: ServerResponse) => void response.socket?.destroy()],
])('a message whose answer %s after its status has arrived, and is not sent again', async (_, afterwards) => {
  await addWebhook(service, organisation)
  receiver.answer = (response) => response.writeHead(200).write('Working on it', () => void afterwards(response))
  await aRunThat(service, organisation, 'completed')
  await send({ outbound: (request) => receiver.outbound({ ...request, timeoutMs: 500 }) })
  expect(await deliveries()).toMatchObject([{ state: 'delivered', tries: [{ httpStatus: 200, problem: null }] }])
})

test('a receiver that is slow to answer delays no message to another one about what happens meanwhile', async () => {
  const { id: slow } = await addWebhook(service, organisation)
  await addWebhook(service, organisation, { url: 'https://hooks.example/other' })
  const answers: (() => void)[] = []
  receiver.answer = (response, { url }) => {
    const answer = () => response.writeHead(204).end()
    if (url === '/one') answers.push(answer)
    else answer()
  }
  const seen = (path: string) => receiver.received.filter(({ url }) => url === path).length
  await aRunThat(service, organisation, 'completed')
  const sending = send()
  await until('both have a message', () => seen('/one') === 1 && seen('/other') === 1)
  await aRunThat(service, organisation, 'completed')
  await until('the other has the next one', () => seen('/other') === 2)
  const tried = (await deliveries(`?webhookId=${slow}`)).map(({ tries }: { tries: object[] }) => tries.length)
  expect(tried).toEqual([0, 0])
  working()
  for (const answer of answers) answer()
  await sending
  expect([seen('/one'), seen('/other')]).toEqual([2, 2])
})

test('S26: the log keeps the status of an answer, and nothing else of it', async () => {
  await addWebhook(service, organisation)
  const planted = 'planted-in-an-answer'
  receiver.answer = (response) => response.writeHead(500, { 'x-said': planted }).end(planted.repeat(2_000))
  await aRunThat(service, organisation, 'completed')
  await send()
  expect((await deliveries())[0].tries).toMatchObject([{ httpStatus: 500, problem: 'http_status' }])
  expect(await tablesContaining(service.deps, [planted])).toEqual([])
})

test('of several servers one sends at a time, so that no message is sent twice', async () => {
  await addWebhook(service, organisation)
  for (let run = 0; run < 5; run += 1) await aRunThat(service, organisation, 'completed')
  const sent = await Promise.all(Array.from({ length: 4 }, () => send()))
  expect(sent.toSorted()).toEqual([0, 0, 0, 5])
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([5, 5])
})

test('a server that dies while it sends loses nothing: the message is sent again after two minutes', async () => {
  await addWebhook(service, organisation)
  await aRunThat(service, organisation, 'completed')
  await send({ outbound: () => Promise.reject(new Error('No way out yet.')) })
  service.clock.jumpSeconds(5)
  const now = service.clock.now()
  const claimed = await claimDue(service.deps.database, { now, busy: [], limit: 10, mails: false })
  expect(claimed).toHaveLength(1)
  expect(await send()).toBe(0)
  service.clock.jumpSeconds(120)
  expect(await send()).toBe(1)
  expect(receiver.received).toHaveLength(1)
})

test('a server that stops breaks off what it sends, and gives it back', async () => {
  await addWebhook(service, organisation)
  await aRunThat(service, organisation, 'completed')
  const stopped = new AbortController()
  const { signal } = stopped
  const { database, clock, keyring } = service.deps
  receiver.answer = () => stopped.abort(new Error('The server stops.'))
  const absent = { mailer: undefined, observer: undefined }
  const deps = { database, clock, keyring, outbound: receiver.outbound, ...absent, siteUrl, random: () => 0 }
  await sendDue(deps, signal)
  expect((await deliveries())[0]).toMatchObject({ state: 'pending', tries: [] })
  working()
  expect(await send()).toBe(1)
})

test('S2: an organization is sent its own events only, of the kinds it has chosen', async () => {
  const theirs = await anOrganisation(service)
  await addWebhook(service, organisation, { events: ['migration.needs_review'] })
  await addWebhook(service, theirs, { url: 'https://hooks.example/theirs' })
  await aRunThat(service, organisation, 'completed')
  const reviewed = await aRunThat(service, organisation, 'partial_completed')
  await send()
  expect(receiver.received.map(({ url, body }) => [url, JSON.parse(body).data.migrationId])).toEqual([
    ['/one', reviewed],
  ])
})

test('S6, S31: an organization that has lost its access is sent nothing, and its webhooks stay off afterwards', async () => {
  await addWebhook(service, organisation)
  await aRunThat(service, organisation, 'completed')
  const input = { organisation: organisation.id }
  await perform(removeStoreMigration, input, { userId: null }, service.deps)
  await send()
  await perform(enableStoreMigration, input, { userId: null }, service.deps)
  await aRunThat(service, organisation, 'completed')
  await send()
  expect(receiver.received).toEqual([])
  const { rows } = await sql<{ enabled: boolean; reason: string }>`
    select enabled, disabled_because as reason from webhooks`.execute(service.deps.database)
  expect(rows).toEqual([{ enabled: false, reason: 'access_removed' }])
})

test('a test is sent at once and only once, whatever comes back', async () => {
  const { id, secret } = await addWebhook(service, organisation, { events: [] })
  const browser = await inBrowser()
  const ask = async () => (await browser.send('POST', `/v2/webhooks/${id}/test`)).json().deliveryId
  const good = await ask()
  await send()
  expect(verified(secret, receiver.received[0]!)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } })
  failing()
  service.clock.jump(1)
  const bad = await ask()
  await sendFor(24 * 3_600)
  expect(receiver.received).toHaveLength(2)
  expect((await deliveries()).map((one: { id: string; state: string }) => [one.id, one.state])).toEqual([
    [bad, 'failed'],
    [good, 'delivered'],
  ])
  expect(await webhooks()).toMatchObject([{ enabled: true, failingSince: null }])
})
