import { startForwarding } from '../../harness/forward-calls.ts'

export interface Relay {
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
export async function startRelay(to: string): Promise<Relay> {
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

  const { url, stop } = await startForwarding(to, async (_incoming, outgoing) => {
    calls += 1
    if (calls >= next) {
      next = Number.POSITIVE_INFINITY
      acting = interrupt()
    }
    await acting
    const closed = new Promise<void>((resolve) => outgoing.once('close', resolve))
    onTheWay.add(closed)
    void closed.then(() => onTheWay.delete(closed))
  })
  return {
    url,
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
    stop,
  }
}
