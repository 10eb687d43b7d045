import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forwardCall } from '../../harness/forward-call.ts'

export interface Gate {
  url: string
  /** How many calls have arrived. */
  calls(): number
  /** Acts before the call that follows so many more; what `act` returns is the number until it acts again. */
  actAfter(calls: number, act: () => Promise<number>): void
  /** No act begins any more. @throws what the last one threw */
  stopActing(): Promise<void>
  stop(): Promise<void>
}

/**
 * Forwards calls to the stores. Between two of them it lets others act: no call is on its way meanwhile, and those that arrive wait.
 * So what happens depends on the number of calls and not on the time that they take.
 */
export async function startGate(to: string): Promise<Gate> {
  let calls = 0
  let next = Number.POSITIVE_INFINITY
  let act: () => Promise<number> = async () => Number.POSITIVE_INFINITY
  let acting: Promise<void> = Promise.resolve()
  let fault: unknown
  const onTheWay = new Set<Promise<void>>()

  async function interrupt(): Promise<void> {
    await Promise.all(onTheWay)
    try {
      next = calls + (await act())
    } catch (error) {
      fault = error
    }
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    calls += 1
    if (calls >= next) {
      next = Number.POSITIVE_INFINITY
      acting = interrupt()
    }
    await acting
    const closed = new Promise<void>((resolve) => outgoing.once('close', resolve))
    onTheWay.add(closed)
    void closed.then(() => onTheWay.delete(closed))
    forwardCall(to, incoming, outgoing)
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    actAfter: (more, whatToDo) => {
      next = calls + more
      act = whatToDo
    },
    stopActing: async () => {
      next = Number.POSITIVE_INFINITY
      act = async () => Number.POSITIVE_INFINITY
      await acting
      if (fault) throw fault
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
