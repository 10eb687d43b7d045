import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { StoreClient } from '../../src/bigcommerce/client.ts'
import { Governor } from '../../src/bigcommerce/governor.ts'
import { systemClock } from '../../src/clock.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { freeSlot, takeSlot } from '../../src/db/runs/endpoint-slots.ts'
import { leaveShops, type RecentCalls, renewShares, reportUsedUp, usedUpMs } from '../../src/db/runs/quota-shares.ts'
import { createDatabaseSlots } from '../../src/engine/core/database-slots.ts'
import { startGate } from '../harness/gate.ts'
import { longTest } from '../harness/long-form.ts'
import { mostWithin } from '../harness/most-within.ts'
import { until } from '../harness/until.ts'
import { workerGround } from '../harness/worker-ground.ts'
import { aWorld } from '../harness/world.ts'
import { copyBesideAnotherApp } from './quota-story.ts'

const withCalls = (shops: string[], calls: RecentCalls = []) => new Map(shops.map((shop) => [shop, calls]))

test('E4: a claim halves the share of other consumers of the same shop only, and frees it when it ends', async () => {
  const { database } = await workerGround()
  const [one, two] = [randomUUID(), randomUUID()]
  const [first, second] = [randomUUID(), randomUUID()]
  const claimsOf = async (shops: string[], consumer: string) =>
    [...(await renewShares(database, withCalls(shops), consumer))].map(([shop, { claims }]) => [shop, claims])
  const ofBoth = (claims: number) =>
    expect.arrayContaining([
      [one, claims],
      [two, 1],
    ])
  expect(await claimsOf([one, two], first)).toEqual(ofBoth(1))
  expect(await claimsOf([one], second)).toEqual([[one, 2]])
  expect(await claimsOf([one, two], first)).toEqual(ofBoth(2))
  await leaveShops(database, withCalls([one]), second)
  expect(await claimsOf([one, two], first)).toEqual(ofBoth(1))
})

test('E4: a consumer learns what the others of a shop have called in the last seconds, those that have ended too', async () => {
  const { database } = await workerGround()
  const [shop, otherShop] = [randomUUID(), randomUUID()]
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  await renewShares(database, withCalls([shop], [5, 0, 2]), first)
  await renewShares(database, withCalls([otherShop], [9]), second)
  await renewShares(database, withCalls([shop], [1]), second)
  await leaveShops(database, withCalls([shop], [3, 4]), second)
  await sql`update quota_shares set seen_at = seen_at - interval '2.5 seconds'
    where store_hash = ${shop} and consumer = ${first}`.execute(database)
  expect(await renewShares(database, withCalls([shop], [7]), third)).toEqual(
    new Map([[shop, { claims: 2, others: [3, 4, 5, 0, 2] }]]),
  )
})

test('E4: a process that starts learns which windows are used up, until they end', async () => {
  const { database } = await workerGround()
  const [used, free, ended, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await reportUsedUp(
    database,
    new Map([
      [used, 60_000],
      [free, 0],
      [ended, 1],
    ]),
  )
  await until('a window ends', async () => !(await usedUpMs(database, [ended])).has(ended))
  const known = await usedUpMs(database, [used, free, ended, other])
  expect([...known.keys()]).toEqual([used])
  expect(known.get(used)).toBeGreaterThan(0)
  expect(known.get(used)).toBeLessThanOrEqual(60_000)
})

test('E4: the slots of a small limit are shared by all consumers of a shop, and that of a dead process is free again after a minute', async () => {
  const { database } = await workerGround()
  const [shop, otherShop] = [randomUUID(), randomUUID()]
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()]
  const take = (consumer: string, storeHash = shop) =>
    takeSlot(database, { storeHash, endpoint: 'PUT somewhere', limit: 2, consumer })
  for (const consumer of [a, b, c]) await renewShares(database, withCalls([shop]), consumer)
  const first = await take(a)
  expect([first?.slot, (await take(b))?.slot]).toEqual([1, 2])
  expect(await take(c)).toBeUndefined()
  expect((await take(c, otherShop))?.slot).toBe(1)
  if (first) await freeSlot(database, first)
  expect((await take(c))?.slot).toBe(1)
  // A slot taken by another process in the meantime stays there.
  if (first) await freeSlot(database, first)
  expect(await take(a)).toBeUndefined()
  // The second died some time ago.
  await leaveShops(database, withCalls([shop]), b)
  expect(await take(a)).toBeUndefined()
  await sql`update endpoint_slots set taken_at = now() - interval '1 minute' where store_hash = ${shop}`.execute(
    database,
  )
  expect((await take(a))?.slot).toBe(2)
  expect(await take(b)).toBeUndefined()
})

test('E4: concurrent requests never get more slots than there are', async () => {
  const consumers = Array.from({ length: 20 }, () => randomUUID())
  const { database } = await workerGround()
  for (const endpoint of ['GET it', 'GET that', 'GET more']) {
    const slot = { storeHash: randomUUID(), endpoint, limit: 3 }
    const got = await Promise.all(consumers.map((consumer) => takeSlot(database, { ...slot, consumer })))
    const slots = got.filter((one) => one !== undefined).map(({ slot }) => slot)
    expect(slots.length).toBeGreaterThan(0)
    expect(slots.length).toBeLessThanOrEqual(3)
    expect(new Set(slots).size).toBe(slots.length)
  }
})

test('E4: a slot is free again after its call, however long the database was away', async () => {
  const { database, runDatabaseUrl } = await workerGround()
  const gate = await startGate(runDatabaseUrl)
  const gated = openDatabase(gate.url)
  const clock = { ...systemClock, sleep: (ms: number) => systemClock.sleep(ms / 100) }
  const options = { database: gated, clock, storeHash: 'gated', consumer: 'server 1' }
  const held = async () =>
    (await sql`select from endpoint_slots where store_hash = 'gated'`.execute(database)).rows.length
  try {
    const free = await createDatabaseSlots(options).take({ pattern: /^\/v3\/list$/, limit: 1 })
    expect(await held()).toBe(1)
    await gate.shut()
    free()
    await sleep(1_000)
    await gate.open()
    await until('the slot is free', async () => (await held()) === 0, { seconds: 10 })
  } finally {
    await gated.destroy()
    await gate.stop()
  }
})

test('E4: five consumers of a list that a shop serves one call at a time are never refused', async () => {
  const world = await aWorld()
  const { database } = world
  const { hash, token } = world.address('source')
  const trees = await world.state('source')
  const path = `/v3/catalog/trees/${trees.category_trees?.[0]?.id}/categories`
  const consumers = Array.from({ length: 5 }, () => randomUUID())
  await world.resetRequests('source')
  for (const consumer of consumers) await renewShares(database, withCalls([hash]), consumer)
  const clients = consumers.map((consumer) => {
    const slots = createDatabaseSlots({ database, clock: systemClock, storeHash: hash, consumer })
    const governor = new Governor({ clock: systemClock, claims: () => consumers.length, slots })
    const connection = { apiUrl: world.sandboxUrl, hash, token, readOnly: true, requestTimeoutMs: 10_000 }
    return new StoreClient(connection, governor, { clock: systemClock })
  })
  await world.fault('source', { kind: 'slow', method: 'GET', path, seconds: 0.05, times: null })
  await Promise.all(clients.flatMap((client) => [1, 2, 3].map(() => client.get(path))))
  await Promise.all(clients.map((client) => client.close()))
  const requests = await world.requests('source')
  expect(requests.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 200))
  for (const consumer of consumers) await leaveShops(database, withCalls([hash]), consumer)
})

test('E4: a migration sends no more calls than nine tenths of the quota in any time of a window’s length', async () => {
  const [requests, windowMs] = [40, 4_000]
  const world = await aWorld({ quota: { requests, windowMs }, catalogueOnly: true })
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  await world.complete()
  for (const side of ['source', 'destination'] as const) {
    const calls = (await world.requests(side)).map(({ at }) => Date.parse(at))
    expect(calls.length).toBeGreaterThan(requests)
    // The server and the run each send one call before they know the quota.
    expect(mostWithin(windowMs, calls)).toBeLessThanOrEqual(0.9 * requests + 2)
  }
})

const quota = { requests: 75, windowMs: 3_000 }

longTest(
  'E4: a run waits for the end of a window that was already used up, and leaves the reserve of a shared one alone',
  async () => {
    const world = await aWorld({ quota, catalogueOnly: true })
    const { hash } = world.address('source')
    await world.resetRequests('source')
    const before = Date.now()
    await reportUsedUp(world.database, new Map([[hash, 3_000]]))
    await world.complete({ entities: ['tax-classes'] })
    // The counting by the service does not call this path.
    const [first] = (await world.requests('source')).filter(({ path }) => path === '/v2/store')
    expect(Date.parse(String(first?.at))).toBeGreaterThanOrEqual(before + 3_000)
    await copyBesideAnotherApp(world, { quota: quota.requests, windowMs: quota.windowMs, calls: 50 })
  },
)
