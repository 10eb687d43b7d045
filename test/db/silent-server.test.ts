import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/core/database.ts'
import { isDatabaseAway } from '../../src/db/core/database-away.ts'

test('A5: a database that accepts a connection and never answers counts as away', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const database = openDatabase(`postgres://nobody@127.0.0.1:${port}/nothing`, { connections: 1 })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    silent.close()
    await database.destroy()
  })
  const error = await sql`select 1`.execute(database).catch((reason: unknown) => reason)
  expect(isDatabaseAway(error)).toBe(true)
})
