import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Sends calls on to another address, and their answers back.
 *
 * @param to may be known later
 * @param before what each call waits for
 * @param onBody called with the body of each call once all of it has arrived
 */
export async function startForwarding(
  to: string | (() => string),
  before: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  onBody?: (incoming: IncomingMessage, body: Buffer) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming, outgoing)
    // In the same turn, so that neither misses the beginning.
    if (onBody) collect(incoming, (body) => onBody(incoming, body))
    forward(typeof to === 'string' ? to : to(), incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function collect(incoming: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.once('end', () => done(Buffer.concat(chunks)))
}

function forward(to: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _ours, ...headers } = incoming.headers
  const onward = request(`${to}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
