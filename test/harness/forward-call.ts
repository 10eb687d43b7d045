import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Sends a call on to another address, and its answer back. */
export function forwardCall(to: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _ours, ...headers } = incoming.headers
  const onward = request(`${to}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
