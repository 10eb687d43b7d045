import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forwardCall } from './forward-call.ts'

export interface CountedCall {
  method: string
  /** With the store and the query. */
  target: string
  /** Whether its answer was sent back. */
  answered: boolean
}

/** Forwards calls to a store's address and counts them, to separate the calls of one host from those of others. */
export async function startCallCounter(
  to: string,
): Promise<{ url: string; calls: CountedCall[]; stop(): Promise<void> }> {
  const calls: CountedCall[] = []
  const server = createServer((incoming, outgoing) => {
    const call = { method: String(incoming.method), target: String(incoming.url), answered: false }
    calls.push(call)
    outgoing.once('close', () => {
      call.answered = true
    })
    forwardCall(to, incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
