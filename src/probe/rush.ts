import type { AnsweredCall } from '../bigcommerce/answer-shape.ts'
import { StoreClient } from '../bigcommerce/client.ts'
import { readQuota } from '../bigcommerce/quota-headers.ts'
import type { Clock } from '../clock.ts'
import type { ProbedStore } from './probe-store.ts'

/** The largest fixed plan has 450 calls per 30 s; no attempt is made to use up a larger quota. */
export const mostRushed = 460
const atOnce = 8
/** Without a governor, whose purpose is to stay within the quota. */
const ungoverned = { take: () => Promise.resolve({ settle: () => undefined, cancel: () => undefined }) }

/**
 * Uses up the store's quota with reads, to see how it refuses calls.
 *
 * @returns the first 429 answer; null if the quota is too large or the signal aborts.
 */
export async function rush(
  { apiUrl, hash, token, requestTimeoutMs }: ProbedStore,
  { clock, path, signal, onCall }: { clock: Clock; path: string; signal: AbortSignal; onCall: () => void },
): Promise<AnsweredCall | null> {
  let refusal: AnsweredCall | null = null
  let sent = 0
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  const client = new StoreClient({ apiUrl, hash, token, requestTimeoutMs, readOnly: true }, ungoverned, {
    clock,
    onCall,
    onAnswer: (answer) => {
      const isTooLarge = (readQuota(answer.headers)?.quota ?? Number.POSITIVE_INFINITY) > mostRushed
      if (answer.httpStatus === 429) refusal ??= answer
      if (isTooLarge || refusal !== null || ++sent >= mostRushed) over.abort(new Error('The quota is used up.'))
    },
  })
  const repeat = async () => {
    while (!ended.aborted) await client.get(path, {}, { signal: ended }).catch(() => over.abort())
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, repeat))
  } finally {
    await client.close()
  }
  return refusal
}
