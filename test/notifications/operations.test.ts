import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventKinds } from '../../src/contract/event-kinds.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { forgetEvents } from '../../src/db/notifications/events.ts'
import { aBrowser, anOrganisation, aService, type Browser, type Organisation, type Service } from '../api/a-service.ts'
import { tablesContaining } from '../engine/tables-containing.ts'
import { addWebhook, aSender, type Receiver, startReceiver } from './a-receiver.ts'
import { aRunThat } from './run-states.ts'

let service: Service
let receiver: Receiver
let organisation: Organisation
let owner: Browser
beforeAll(async () => {
  service = await aService()
  receiver = await startReceiver(service)
})
afterAll(async () => {
  await receiver.stop()
  await service.close()
})
beforeEach(async () => {
  organisation = await anOrganisation(service)
  owner = aBrowser(service, await organisation.cookie())
  receiver.received.length = 0
})

const url = 'https://hooks.example/storeferry?team=1'
const audit = async () => (await owner.get('/v2/audit')).json().items

test('a webhook is added, read, changed and deleted, and each change is on record without its whole address', async () => {
  const created = await owner.send('POST', '/v2/webhooks', { url, description: 'Our shop' })
  expect(created.statusCode).toBe(201)
  const { webhook, secret } = created.json()
  expect(webhook).toMatchObject({ url, description: 'Our shop', events: null, enabled: true, failingSince: null })
  expect(secret).toMatch(/^whsec_/)
  const read = await owner.get('/v2/webhooks')
  expect(read.json()).toEqual({ items: [webhook] })
  expect(read.body).not.toContain('whsec_')
  const events = ['migration.finished', 'migration.finished', 'store.mails_off']
  const changed = await owner.send('PATCH', `/v2/webhooks/${webhook.id}`, { events, enabled: false })
  expect(changed.json()).toMatchObject({ url, events: ['migration.finished', 'store.mails_off'], enabled: false })
  expect((await owner.send('DELETE', `/v2/webhooks/${webhook.id}`)).statusCode).toBe(204)
  expect((await owner.get('/v2/webhooks')).json()).toEqual({ items: [] })
  const entries = (await audit()).filter(({ action }: { action: string }) => action.startsWith('webhook.'))
  expect(
    entries.map(({ action, details }: { action: string; details: { host: string } }) => [action, details.host]),
  ).toEqual([
    ['webhook.delete', 'hooks.example'],
    ['webhook.change', 'hooks.example'],
    ['webhook.create', 'hooks.example'],
  ])
  expect(JSON.stringify(entries)).not.toContain('team=1')
})

test('S8: secrets are encrypted, each for its own row', async () => {
  const { secret } = await addWebhook(service, organisation)
  expect(await tablesContaining(service.deps, [secret, secret.slice('whsec_'.length)])).toEqual([])
})

test.each([
  'http://hooks.example/',
  'https://hooks.example:8443/',
  'https://user@hooks.example/',
  'https://user:secret@hooks.example/',
  'https://hooks.example/#fragment',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'ftp://hooks.example/',
  'hooks.example',
  '',
  `https://hooks.example/${'x'.repeat(2_000)}`,
])('S3: %s is no address for a webhook', async (given) => {
  const answer = await owner.send('POST', '/v2/webhooks', { url: given })
  expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['url']])
})

test('S3: an address of a private host is no address for a webhook that exists, either, and the refusal says why', async () => {
  const { id } = await addWebhook(service, organisation)
  const answer = await owner.send('PATCH', `/v2/webhooks/${id}`, { url: 'https://10.0.0.1/' })
  expect([answer.statusCode, answer.json().errors]).toEqual([
    422,
    { url: ['Must be the address of a public host: no message is sent to 10.0.0.1.'] },
  ])
})

test('unknown events, and overlaps outside their limits, are refused with the field named', async () => {
  const { id } = await addWebhook(service, organisation)
  const unknown = await owner.send('POST', '/v2/webhooks', { url, events: ['migration.exploded'] })
  expect([unknown.statusCode, Object.keys(unknown.json().errors)]).toEqual([422, ['events.0']])
  const rotate = (overlapHours: number) => owner.send('POST', `/v2/webhooks/${id}/secret`, { overlapHours })
  for (const hours of [-1, limits.webhookOverlapHours + 1, 0.5])
    expect(Object.keys((await rotate(hours)).json().errors)).toEqual(['overlapHours'])
  for (const hours of [0, limits.webhookOverlapHours]) expect((await rotate(hours)).statusCode).toBe(200)
})

test('a request for a webhook that is sent again, because its answer was lost, makes no second one to the same address', async () => {
  const again = () => owner.send('POST', '/v2/webhooks', { url })
  const answers = await Promise.all([again(), again()])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422])
  const errors = { url: ['One of your webhooks has this address. If you have lost its secret, give it a new one.'] }
  expect((await again()).json()).toMatchObject({ error: 'validation_failed', errors })
  const { id } = await addWebhook(service, organisation, { url: 'https://hooks.example/other' })
  const changed = (given: string) => owner.send('PATCH', `/v2/webhooks/${id}`, { url: given })
  expect((await changed(url)).json()).toMatchObject({ error: 'validation_failed', errors })
  expect((await changed('https://hooks.example/other')).statusCode).toBe(200)
  await addWebhook(service, await anOrganisation(service), { url })
})

test('S25: an organization has at most ten webhooks, also when they are added at the same time', async () => {
  for (let at = 1; at < limits.webhooksPerOrganisation; at += 1)
    await addWebhook(service, organisation, { url: `${url}&at=${at}` })
  const answers = await Promise.all(
    [1, 2, 3].map((at) => owner.send('POST', '/v2/webhooks', { url: `${url}&of=${at}` })),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409])
  const refused = answers.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json().message).toContain('Delete one that you no longer need')
  expect((await owner.get('/v2/webhooks')).json().items).toHaveLength(limits.webhooksPerOrganisation)
})

describe('S18: who may do what', () => {
  const calls = (id: string, delivery: string) =>
    [
      ['GET', '/v2/webhooks', undefined, 'read'],
      ['GET', '/v2/deliveries', undefined, 'read'],
      ['POST', '/v2/webhooks', { url }, 'manage'],
      ['PATCH', `/v2/webhooks/${id}`, { description: 'x' }, 'manage'],
      ['POST', `/v2/webhooks/${id}/secret`, {}, 'manage'],
      ['POST', `/v2/webhooks/${id}/test`, undefined, 'manage'],
      ['POST', `/v2/deliveries/${delivery}/redeliver`, undefined, 'manage'],
      ['GET', '/v2/mail-choices', undefined, 'manage'],
      ['PATCH', `/v2/mail-choices/${organisation.userId}`, { events: [] }, 'manage'],
      ['DELETE', `/v2/webhooks/${id}`, undefined, 'manage'],
    ] as const

  test.each([
    ['owner', ['read', 'manage']],
    ['operator', ['read']],
    ['viewer', []],
  ] as const)('an %s may %j', async (role, allowed) => {
    const { id } = await addWebhook(service, organisation)
    await owner.send('POST', `/v2/webhooks/${id}/test`)
    const [delivery] = (await owner.get('/v2/deliveries')).json().items
    const browser = aBrowser(service, await organisation.cookie(role))
    for (const [method, path, body, kind] of calls(id, delivery.id)) {
      const answer = method === 'GET' ? await browser.get(path) : await browser.send(method, path, body)
      const may = (allowed as readonly string[]).includes(kind)
      expect([method, path, answer.statusCode < 300 ? 'done' : answer.statusCode]).toEqual([
        method,
        path,
        may ? 'done' : 403,
      ])
    }
  })

  test('S4, S6: a bearer token reads the log, and makes nothing that would outlive it', async () => {
    const { id } = await addWebhook(service, organisation)
    const authorization = `Bearer ${await organisation.token('owner')}`
    for (const [method, path, body, kind] of calls(id, randomUUID())) {
      const answer = await service.inject({
        method,
        url: path,
        headers: { authorization },
        ...(body && { payload: body }),
      })
      expect([method, path, answer.statusCode]).toEqual([method, path, kind === 'read' ? 200 : 403])
    }
  })

  test('S2: what belongs to another organization is the same 404 as what does not exist, and stays as it is', async () => {
    const { id } = await addWebhook(service, organisation)
    await owner.send('POST', `/v2/webhooks/${id}/test`)
    const [delivery] = (await owner.get('/v2/deliveries')).json().items
    const other = await anOrganisation(service)
    const stranger = aBrowser(service, await other.cookie())
    const nothing = randomUUID()
    const absent = calls(nothing, nothing)
    for (const [at, [method, path, body]] of calls(id, delivery.id).entries()) {
      if (!path.includes(id) && !path.includes(delivery.id)) continue
      if (method === 'GET') continue
      const [foreign, unknown] = [
        await stranger.send(method, path, body),
        await stranger.send(method, absent[at]![1], body),
      ]
      expect([path, foreign.statusCode]).toEqual([path, 404])
      expect(foreign.json()).toEqual(unknown.json())
    }
    const theirMember = await stranger.send('PATCH', `/v2/mail-choices/${organisation.userId}`, { events: [] })
    expect(theirMember.statusCode).toBe(404)
    for (const path of ['/v2/webhooks', '/v2/deliveries']) expect((await stranger.get(path)).json().items).toEqual([])
    // Also a misspelled id: an empty list would say that nothing was sent.
    for (const webhookId of [id, randomUUID(), 'x'])
      expect((await stranger.get(`/v2/deliveries?webhookId=${webhookId}`)).statusCode).toBe(404)
    expect((await owner.get('/v2/webhooks')).json().items).toMatchObject([{ id, description: '' }])
    expect((await owner.get('/v2/deliveries')).json().items).toHaveLength(1)
  })
})

test('S23: the log is paged and filtered, newest first, and a cursor belongs to its filters', async () => {
  const send = aSender(service, receiver)
  const { id } = await addWebhook(service, organisation)
  await addWebhook(service, organisation, { url: 'https://hooks.example/other' })
  receiver.answer = (response, message) => response.writeHead(message.url === '/one' ? 500 : 204).end()
  const run = await aRunThat(service, organisation, 'completed')
  await send()
  receiver.answer = (response) => response.writeHead(204).end()
  const list = async (query: string) => (await owner.get(`/v2/deliveries?${query}`)).json()
  const all = await list('')
  expect(all.items).toHaveLength(2)
  const [pending] = (await list('state=pending')).items
  expect(pending).toMatchObject({
    ...{ webhookId: id, member: null, state: 'pending', nextTryAt: expect.any(String) },
    event: { id: expect.stringMatching(/^msg_/), type: 'migration.finished', migrationId: run },
    tries: [{ httpStatus: 500, problem: 'http_status', durationMs: expect.any(Number) }],
  })
  expect((await list(`webhookId=${id}`)).items).toEqual([pending])
  const first = await list('limit=1')
  const second = await list(`limit=1&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items]).toEqual(all.items)
  expect(second.nextCursor).toBeNull()
  expect((await owner.get(`/v2/deliveries?state=failed&cursor=${first.nextCursor}`)).statusCode).toBe(422)
})

test('what waits is sent at once when it is requested again, and the log of a month ago is forgotten', async () => {
  const send = aSender(service, receiver)
  await addWebhook(service, organisation)
  receiver.answer = (response) => response.writeHead(500).end()
  await aRunThat(service, organisation, 'completed')
  await send()
  receiver.answer = (response) => response.writeHead(204).end()
  const [waiting] = (await owner.get('/v2/deliveries')).json().items
  await owner.send('POST', `/v2/deliveries/${waiting.id}/redeliver`)
  await send()
  expect((await owner.get('/v2/deliveries')).json().items[0].state).toBe('delivered')
  await sql`update notification_events set at = at - interval '31 days' where organisation_id = ${organisation.id}`.execute(
    service.deps.database,
  )
  await forgetEvents(service.deps.database, new Date(Date.now() - limits.deliveryDays * 86_400_000))
  expect((await owner.get('/v2/deliveries')).json().items).toEqual([])
})

test('S25: a test of a webhook that still waits is not sent twice, and each webhook has its own', async () => {
  const send = aSender(service, receiver)
  const one = await addWebhook(service, organisation)
  const other = await addWebhook(service, organisation, { url: 'https://hooks.example/other' })
  const ask = async ({ id }: { id: string }) => (await owner.send('POST', `/v2/webhooks/${id}/test`)).json().deliveryId
  const asked = await Promise.all([one, one, one, other].map(ask))
  expect(new Set(asked.slice(0, 3)).size).toBe(1)
  expect(asked[3]).not.toBe(asked[0])
  await send()
  expect(receiver.received).toHaveLength(2)
  expect(await ask(one)).not.toBe(asked[0])
})

test('an owner chooses the mails of members, and every choice is on record', async () => {
  const {
    userId,
    identity: { email },
  } = organisation
  const before = (await owner.get('/v2/mail-choices')).json()
  expect(before).toEqual({ canSend: false, items: [{ userId, name: 'Ada Lovelace', email, events: [] }] })
  const chosen = await owner.send('PATCH', `/v2/mail-choices/${userId}`, { events: eventKinds })
  expect(chosen.json()).toEqual({ userId, name: 'Ada Lovelace', email, events: [...eventKinds] })
  expect((await owner.get('/v2/mail-choices')).json().items[0].events).toEqual([...eventKinds])
  expect((await audit())[0]).toMatchObject({ action: 'notification.mail', details: { userId } })
  expect((await owner.send('PATCH', `/v2/mail-choices/${randomUUID()}`, { events: [] })).statusCode).toBe(404)
})

test('S2: of a member of two organizations each chooses its own mails, and one that removes the member ends only its own', async () => {
  const [other, member] = [await anOrganisation(service), aBrowser(service, await organisation.cookie('viewer'))]
  const { id: userId } = (await member.get('/v2/session')).json().user
  await sql`
    insert into memberships (organisation_id, user_id, role) values (${other.id}, ${userId}, 'viewer')`.execute(
    service.deps.database,
  )
  const elsewhere = aBrowser(service, await other.cookie())
  const choose = (by: Browser, events: readonly string[]) => by.send('PATCH', `/v2/mail-choices/${userId}`, { events })
  const chosenBy = async (by: Browser) =>
    (await by.get('/v2/mail-choices')).json().items.find((one: { userId: string }) => one.userId === userId)?.events
  await choose(elsewhere, eventKinds)
  await choose(owner, ['migration.finished'])
  expect([await chosenBy(owner), await chosenBy(elsewhere)]).toEqual([['migration.finished'], [...eventKinds]])
  await owner.send('DELETE', `/v2/members/${userId}`)
  expect([await chosenBy(owner), await chosenBy(elsewhere)]).toEqual([undefined, [...eventKinds]])
})
