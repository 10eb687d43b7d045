import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StoreClient } from '../../src/bigcommerce/client.ts'
import { Governor } from '../../src/bigcommerce/governor.ts'
import { systemClock } from '../../src/clock.ts'
import { freeSlot, takeSlot } from '../../src/db/endpoint-slots.ts'
import { dropShares, renewShares, tellUsedUp, usedUpMs } from '../../src/db/quota-shares.ts'
import { createDatabaseSlots } from '../../src/engine/database-slots.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ plan: 'standard' })
})
afterAll(() => world?.stop())

test('E4: a claim halves the share of another consumer of the same shop, of no other shop, and frees it when it ends', async () => {
  const { database } = world
  expect(await renewShares(database, ['one', 'two'], 'first')).toEqual(
    new Map([
      ['one', 1],
      ['two', 1],
    ]),
  )
  expect(await renewShares(database, ['one'], 'second')).toEqual(new Map([['one', 2]]))
  expect(await renewShares(database, ['one', 'two'], 'first')).toEqual(
    new Map([
      ['one', 2],
      ['two', 1],
    ]),
  )
  await dropShares(database, 'second')
  expect(await renewShares(database, ['one', 'two'], 'first')).toEqual(
    new Map([
      ['one', 1],
      ['two', 1],
    ]),
  )
})

test('E4: that a window is used up is told to whoever begins, until it ends, and of no other shop', async () => {
  const { database } = world
  await tellUsedUp(
    database,
    new Map([
      ['used', 60_000],
      ['free', 0],
      ['ended', 1],
    ]),
  )
  await until('a window ends', async () => !(await usedUpMs(database, ['ended'])).has('ended'))
  const known = await usedUpMs(database, ['used', 'free', 'ended', 'other'])
  expect([...known.keys()]).toEqual(['used'])
  expect(known.get('used')).toBeGreaterThan(0)
  expect(known.get('used')).toBeLessThanOrEqual(60_000)
})

test('E4: the first call of a run waits for the end of a window that others have used up', async () => {
  const { hash } = world.address('source')
  await world.resetRequests('source')
  const before = Date.now()
  await tellUsedUp(world.database, new Map([[hash, 5_000]]))
  const run = await world.migrate({ entities: ['tax-classes'] })
  await world.finished(run)
  // The server's counting does not ask for it.
  const [first] = (await world.requests('source')).filter(({ path }) => path === '/v2/store')
  expect(Date.parse(String(first?.at))).toBeGreaterThanOrEqual(before + 5_000)
})

test('E4: slots of a small cap are shared by all consumers of a shop, and those of a process that died or froze are free again', async () => {
  const { database } = world
  const take = (consumer: string, storeHash = 'three') =>
    takeSlot(database, { storeHash, endpoint: 'PUT somewhere', limit: 2, consumer })
  for (const consumer of ['a', 'b', 'c']) await renewShares(database, ['three'], consumer)
  const first = await take('a')
  expect([first?.slot, (await take('b'))?.slot]).toEqual([1, 2])
  expect(await take('c')).toBeUndefined()
  expect((await take('c', 'four'))?.slot).toBe(1)
  if (first) await freeSlot(database, first)
  expect((await take('c'))?.slot).toBe(1)
  // What went to another meanwhile stays there.
  if (first) await freeSlot(database, first)
  expect(await take('a')).toBeUndefined()
  // The second died some time ago.
  await dropShares(database, 'b')
  expect(await take('a')).toBeUndefined()
  await sql`update endpoint_slots set taken_at = now() - interval '1 minute'`.execute(database)
  expect((await take('a'))?.slot).toBe(2)
  expect(await take('b')).toBeUndefined()
})

test('E4: however many ask at once, no more get a slot than there are', async () => {
  const consumers = Array.from({ length: 20 }, (_, at) => `many ${at}`)
  const { database } = world
  for (let round = 0; round < 5; round++) {
    const wanted = { storeHash: `crowd${round}`, endpoint: 'GET it', limit: 3 }
    const got = await Promise.all(consumers.map((consumer) => takeSlot(database, { ...wanted, consumer })))
    const slots = got.filter((one) => one !== undefined).map(({ slot }) => slot)
    expect(slots.length).toBeGreaterThan(0)
    expect(slots.length).toBeLessThanOrEqual(3)
    expect(new Set(slots).size).toBe(slots.length)
  }
})

test('E4: five consumers of a list that a shop answers one at a time are never refused', async () => {
  const { database } = world
  const { hash, token } = world.address('source')
  const trees = await world.state('source')
  const path = `/v3/catalog/trees/${trees.category_trees?.[0]?.id}/categories`
  const consumers = ['v', 'w', 'x', 'y', 'z']
  await world.resetRequests('source')
  for (const consumer of consumers) await renewShares(database, [hash], consumer)
  const clients = consumers.map((consumer) => {
    const slots = createDatabaseSlots({ database, clock: systemClock, storeHash: hash, consumer })
    const governor = new Governor({ clock: systemClock, claims: () => consumers.length, slots })
    const connection = { apiUrl: world.sandboxUrl, hash, token, readOnly: true, requestTimeoutMs: 10_000 }
    return new StoreClient(connection, governor, { clock: systemClock })
  })
  await world.fault('source', { kind: 'slow', method: 'GET', path, seconds: 0.05, times: null })
  await Promise.all(clients.flatMap((client) => [1, 2, 3].map(() => client.get(path))))
  await Promise.all(clients.map((client) => client.close()))
  await world.clearFaults('source')
  const requests = await world.requests('source')
  expect(requests.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200))
  for (const consumer of consumers) await dropShares(database, consumer)
})

test('E4: a run leaves a window that another app has nearly used up alone, waits for the next, and is never refused', async () => {
  // 150 calls in 30 s, a tenth of them reserved for others: 60 calls of a copy do not fit beside these.
  const { url, token } = world.address('destination')
  const ask = () => fetch(`${url}/v2/time`, { headers: { 'x-auth-token': token } })
  for (let call = 0; call < 110; call++) expect((await ask()).status).toBe(200)
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const requests = await world.requests('destination')
  expect(requests.filter(({ status }) => status === 429)).toEqual([])
  // The reserve of the first window was left to the other app.
  const firstMs = Date.parse(String(requests[0]?.at))
  const inFirstWindow = requests.filter(({ at }) => Date.parse(at) - firstMs < 29_000)
  // The process of the run knows of no window before its first answer, and sends one call until then.
  expect(inFirstWindow.length).toBeLessThanOrEqual(135 + 1)
  expect(inFirstWindow.length).toBeLessThan(requests.length)
})
