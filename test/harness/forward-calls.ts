import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Sends calls on to another address, and their answers back. @param before what each call waits for */
export async function startForwarding(
  to: string,
  before: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming, outgoing)
    forward(to, incoming, outgoing)
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

function forward(to: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _ours, ...headers } = incoming.headers
  const onward = request(`${to}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
