import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type ServiceClient } from './service-client.ts'

async function aClientOf(answer: RequestListener): Promise<ServiceClient> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const siteUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return connect({ siteUrl, signal: new AbortController().signal })
}

test('S10: a login under another address of the service names the one that it has', async () => {
  const message = 'This service is only available at https://ferry.example.'
  const client = await aClientOf((_, response) => {
    response.writeHead(421).end(JSON.stringify({ error: 'misdirected_request', message }))
  })
  await expect(client.post('/v2/login', { username: 'Olive' })).rejects.toThrow(`${message} (misdirected_request)`)
})
