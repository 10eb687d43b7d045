import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { createReadiness } from '../../src/db/core/readiness.ts'
import { aService, type Service } from './a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

/** As a probe asks, which knows only the address of the machine. */
async function probe(path: string) {
  const { statusCode, body } = await service.inject({ url: path, headers: { host: '10.0.0.7:4000' } })
  return [statusCode, body]
}

test('S29: /healthz says that the process answers, and /readyz that it can do its work, on any host name', async () => {
  expect(await probe('/healthz')).toEqual([200, '{"status":"ok"}'])
  expect(await probe('/readyz')).toEqual([200, '{"status":"ready"}'])
})

test('S29: a service whose database lacks a migration is not ready, does not say why, and is ready once it has it', async () => {
  const { database } = service.deps
  const { rows } = await sql<{ name: string }>`
    delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`.execute(
    database,
  )
  service.clock.jumpSeconds(2)
  expect(await probe('/readyz')).toEqual([503, '{"status":"not_ready"}'])
  expect(await probe('/healthz')).toEqual([200, '{"status":"ok"}'])
  await sql`insert into schema_migrations (name) values (${rows[0]?.name})`.execute(database)
  service.clock.jumpSeconds(2)
  expect(await probe('/readyz')).toEqual([200, '{"status":"ready"}'])
})

test('a server stays ready while a later version, which migrates the database first, replaces it', async () => {
  const { database } = service.deps
  await sql`insert into schema_migrations (name) values ('9999_later.sql')`.execute(database)
  service.clock.jumpSeconds(2)
  expect(await probe('/readyz')).toEqual([200, '{"status":"ready"}'])
  await sql`delete from schema_migrations where name = '9999_later.sql'`.execute(database)
})

test('a process that shuts down is not ready, although its database still answers', async () => {
  const readiness = createReadiness({ database: service.deps.database, clock: systemClock })
  expect(await readiness.isReady()).toBe(true)
  readiness.end()
  expect(await readiness.isReady()).toBe(false)
})

test('a process without its database is not ready', async () => {
  const { url, close } = await aListener()
  await close()
  const database = openDatabase(url)
  onTestFinished(() => database.destroy())
  expect(await createReadiness({ database, clock: systemClock }).isReady()).toBe(false)
})

test('with a database that hangs, probes get their answer within a second and do not take a connection each', async () => {
  const { url, sockets, close } = await aListener()
  const database = openDatabase(url)
  onTestFinished(async () => {
    await close()
    await database.destroy()
  })
  const readiness = createReadiness({ database, clock: systemClock })
  const askedAt = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, () => readiness.isReady()))
  expect(performance.now() - askedAt).toBeLessThan(3_000)
  answers.push(await readiness.isReady())
  expect(new Set(answers)).toEqual(new Set([false]))
  expect(sockets.size).toBe(1)
})

/** Accepts connections and never says a word. */
async function aListener() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://ferry@127.0.0.1:${(server.address() as AddressInfo).port}/ferry`,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await sleep(0)
    },
  }
}
