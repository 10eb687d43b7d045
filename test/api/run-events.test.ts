import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateCredential } from '../../src/accounts/api-credentials.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { savePassword } from '../../src/db/accounts/users.ts'
import { mapItems } from '../harness/map-items.ts'
import { aBrowser, anOrganisation, aService, type Organisation, type Service } from './a-service.ts'
import { askSocket } from './ask-socket.ts'
import { bringTo, setCount } from './migration-rows.ts'

let service: Service
let address: string
beforeAll(async () => {
  service = await aService()
  address = await service.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => service.close())

async function aRun({ token }: Organisation): Promise<string> {
  const pair = { source: 'store1', destination: 'store2', mode: 'counts' }
  const headers = { authorization: `Bearer ${await token()}` }
  const made = await service.inject({ method: 'POST', url: '/v2/migrations', headers, payload: pair })
  expect(made.statusCode).toBe(202)
  return made.json().requestId
}

interface Told {
  id?: string
  event?: string
  data?: { status: string; progress?: { done: number } }
}

/** Reads a stream as a browser does, until `enough` or its end. */
async function listen(id: string, token: string, { lastEventId = '', enough = (_: Told[]): boolean => false } = {}) {
  const response = await askSocket(address, `/v2/migrations/${id}/events`, {
    authorization: `Bearer ${token}`,
    ...(lastEventId && { 'last-event-id': lastEventId }),
  })
  const events: Told[] = []
  let text = ''
  const status = response.statusCode
  for await (const chunk of status === 200 ? response : []) {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    events.push(...parts.filter((part) => !part.startsWith(':')).map(eventOf))
    if (enough(events)) break
  }
  response.destroy()
  const { 'content-type': type, 'x-accel-buffering': buffering } = response.headers
  return { status, type, buffering, events }
}

function eventOf(part: string): Told {
  const fields = part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
  const { id, event, data } = Object.fromEntries(fields)
  return { id, event, data: JSON.parse(data) }
}

test('a stream sends the migration, each change and the end; a reader who has seen the end gets a 204', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  let changed = false
  const { status, type, buffering, events } = await listen(id, token, {
    enough: (told) => {
      if (told.length === 1 && !changed) {
        changed = true
        void bringTo(service, organisation.id, id, 'in_progress').then(() =>
          bringTo(service, organisation.id, id, 'completed'),
        )
      }
      return false
    },
  })
  expect(status).toBe(200)
  expect(type).toBe('text/event-stream')
  // Else nginx would hold events back until they fill a buffer.
  expect(buffering).toBe('no')
  expect(events[0]).toMatchObject({ event: 'migration', data: { requestId: id, status: 'queued' } })
  expect(events.at(-2)).toMatchObject({ event: 'migration', data: { status: 'completed' } })
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } })
  const again = await listen(id, token, { lastEventId: events.at(-1)?.id ?? '' })
  expect(again).toMatchObject({ status: 204, events: [] })
})

test('a reader who reconnects with the last id gets only later changes', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  await bringTo(service, organisation.id, id, 'in_progress')
  const first = await listen(id, token, { enough: (told) => told.length === 1 })
  await setCount(service.deps.database, id, 'brands', { expected: 3, discovered: 3, matched: 3 })
  const second = await listen(id, token, { lastEventId: first.events[0]?.id, enough: (told) => told.length === 1 })
  expect(second.events[0]?.data?.progress?.done).toBe(3)
  await bringTo(service, organisation.id, id, 'completed')
  const last = await listen(id, token, { lastEventId: second.events[0]?.id })
  expect(last.events.map(({ event }) => event)).toEqual(['migration', 'end'])
})

test('S23: an unknown event id is ignored, and the stream begins with the current state', async () => {
  const [organisation, other] = [await anOrganisation(service), await anOrganisation(service)]
  const [id, theirs] = [await aRun(organisation), await aRun(other)]
  const [token, theirToken] = [await organisation.token(), await other.token()]
  const foreign = await listen(theirs, theirToken, { enough: (told) => told.length === 1 })
  for (const lastEventId of [foreign.events[0]?.id ?? '', 'invented', 'a.b']) {
    const { events } = await listen(id, token, { lastEventId, enough: (told) => told.length === 1 })
    expect(events[0]).toMatchObject({ event: 'migration', data: { requestId: id } })
  }
  expect((await listen(theirs, token)).status).toBe(404)
})

test('S6: a stream ends within seconds of the credential’s rotation', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  let rotating: Promise<unknown> | undefined
  const { events } = await listen(id, token, {
    enough: () => {
      rotating ??= rotateCredential(organisation.id, { userId: null }, service.deps).then(() =>
        service.clock.jumpSeconds(11),
      )
      return false
    },
  })
  await rotating
  expect(events.map(({ event }) => event)).toEqual(['migration'])
})

test('S6: a stream ends within seconds of the expiry of its token', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  let expiring: Promise<unknown> | undefined
  const { events } = await listen(id, token, {
    enough: (told) => {
      expiring ??= sql`update bearer_tokens set expires_at = now() where user_id = ${organisation.userId}`
        .execute(service.deps.database)
        .then(() => {
          service.clock.jumpSeconds(11)
          return bringTo(service, organisation.id, id, 'in_progress')
        })
      return told.length > 1
    },
  })
  await expiring
  expect(events.map(({ data }) => data?.status)).toEqual(['queued'])
})

test('S6, S7: a stream ends within seconds of the rotation of a compromised key, and its token is listed no more', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  let rotating: Promise<unknown> | undefined
  const { events } = await listen(id, token, {
    enough: (told) => {
      rotating ??= service.signingKeys.rotate({ userId: null }, { compromised: true }).then(() => {
        service.clock.jumpSeconds(11)
        return bringTo(service, organisation.id, id, 'in_progress')
      })
      return told.length > 1
    },
  })
  await rotating
  expect(events.map(({ data }) => data?.status)).toEqual(['queued'])
  const browser = aBrowser(service, await organisation.cookie())
  expect((await browser.get('/v2/tokens')).json().items).toEqual([])
})

test('S6, S14: a stream that a bearer token opened ends within seconds of a new password of its person', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  let changing: Promise<unknown> | undefined
  const { events } = await listen(id, token, {
    enough: (told) => {
      changing ??= newPassword(organisation).then(() => {
        service.clock.jumpSeconds(11)
        return bringTo(service, organisation.id, id, 'in_progress')
      })
      return told.length > 1
    },
  })
  await changing
  expect(events.map(({ data }) => data?.status)).toEqual(['queued'])
})

function newPassword({ userId: id }: Organisation): Promise<void> {
  service.clock.jumpSeconds(1)
  const at = service.clock.now()
  return service.deps.database
    .transaction()
    .execute((transaction) => savePassword(transaction, { id, passwordHash: 'another', at }))
}

test('S25: an organisation may watch fifty migrations at a time, and others are not affected', async () => {
  const [organisation, other] = [await anOrganisation(service), await anOrganisation(service)]
  const token = await organisation.token()
  const id = await aRun(organisation)
  const leaving: (() => void)[] = []
  async function watch(): Promise<number | undefined> {
    const response = await askSocket(address, `/v2/migrations/${id}/events`, { authorization: `Bearer ${token}` })
    leaving.push(() => response.destroy())
    // Counted once its first event is out.
    await once(response, 'data')
    return response.statusCode
  }
  for (let watching = 0; watching < limits.streamsPerOrganisation; watching += 1) expect(await watch()).toBe(200)
  expect(await watch()).toBe(429)
  const theirs = await aRun(other)
  expect((await listen(theirs, await other.token(), { enough: (told) => told.length === 1 })).status).toBe(200)
  for (const leave of leaving) leave()
  await expect.poll(watch, { timeout: 60_000, interval: 1_000 }).toBe(200)
  for (const leave of leaving) leave()
})

test('mappings are listed in pages, for the components of the migration only', async () => {
  const organisation = await anOrganisation(service)
  const token = await organisation.token()
  const id = await aRun(organisation)
  await mapItems(service.deps.database, id, [
    { sourceId: '1', destinationId: '11' },
    { sourceId: '2', destinationId: '12' },
    { component: 'products', sourceId: '1', destinationId: '21' },
    { component: 'nothing', sourceId: '1', destinationId: '31' },
  ])
  const page = async (query: string) => (await service.get(`/v2/migrations/${id}/mappings${query}`, token)).json()
  const item = { name: null, sku: null }
  const first = await page('?limit=2')
  expect(first.items).toEqual([
    {
      component: 'brands',
      storefronts: 'store',
      sourceId: '1',
      destinationId: '11',
      item,
      origin: 'created',
      owed: [],
    },
    {
      component: 'brands',
      storefronts: 'store',
      sourceId: '2',
      destinationId: '12',
      item,
      origin: 'created',
      owed: [],
    },
  ])
  const second = await page(`?limit=2&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ items: [{ component: 'products', destinationId: '21' }], nextCursor: null })
  expect((await page('?component=products')).items).toHaveLength(1)
  expect((await page('?component=pages')).items).toEqual([])
})
