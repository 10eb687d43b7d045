import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from './service-client.ts'
import { startMigration } from './start-migration.ts'

/** A service that does not answer the first so many requests. */
async function aService(lost: number) {
  const asked: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    if (asked.push(request.headers) <= lost) return request.socket.destroy()
    response.end(JSON.stringify({ requestId: '7' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, client: connect({ siteUrl, signal: new AbortController().signal }) }
}

test('a migration whose answer was lost is asked for once more, with the same key', async () => {
  const { asked, client } = await aService(1)
  expect(await startMigration(client, '/v2/migrations', { source: 'a' })).toEqual({ requestId: '7' })
  const keys = asked.map((headers) => headers['idempotency-key'])
  expect(keys).toEqual([expect.any(String), keys[0]])
  await startMigration(client, '/v2/migrations', { source: 'a' })
  expect(asked[2]?.['idempotency-key']).not.toBe(keys[0])
})

test('a service that does not answer then either is reported', async () => {
  const { asked, client } = await aService(9)
  await expect(startMigration(client, '/v2/migrations/7/verify')).rejects.toThrow(/^No answer from /)
  expect(asked).toHaveLength(2)
})
