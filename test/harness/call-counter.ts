import { startForwarding } from './forward-calls.ts'

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
  const forwarding = await startForwarding(to, async (incoming, outgoing) => {
    const call = { method: String(incoming.method), target: String(incoming.url), answered: false }
    calls.push(call)
    outgoing.once('close', () => {
      call.answered = true
    })
  })
  return { ...forwarding, calls }
}
