import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface SentBody {
  method: string
  /** Without the store and the query: `/v3/catalog/brands`. */
  path: string
  body: unknown
}

/**
 * Forwards calls to an address that is named later, and keeps the JSON bodies that were sent. @returns where it listens, and what it kept
 */
export async function startKeepingBodies(): Promise<{
  url: string
  sent: SentBody[]
  forwardTo(address: string): void
  stop(): Promise<void>
}> {
  const sent: SentBody[] = []
  let to = ''
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    keep(incoming, body, sent)
    const { host: _ours, ...headers } = incoming.headers
    const onward = request(`${to}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.once('error', () => outgoing.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    forwardTo: (address) => {
      to = address
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function keep({ method = '', url = '', headers }: IncomingMessage, body: Buffer, sent: SentBody[]): void {
  if (body.length === 0 || !headers['content-type']?.startsWith('application/json')) return
  const path = url.replace(/^\/stores\/[^/]+/, '').replace(/\?.*$/, '')
  sent.push({ method, path, body: JSON.parse(body.toString('utf8')) })
}
