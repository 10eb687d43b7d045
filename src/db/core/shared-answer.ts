import type { Clock } from '../../clock.ts'

/**
 * A query for many callers: one at a time, so that with a database that hangs they do not take all connections, and its answer serves all
 * of them for a while.
 *
 * @returns undefined when the query failed or takes too long; it never throws.
 */
export function shareAnswer<Answer>(
  ask: () => Promise<Answer>,
  { clock, freshMs, deadlineMs }: { clock: Clock; freshMs: number; deadlineMs: number },
): () => Promise<Answer | undefined> {
  let last: { atMs: number; answer: Answer | undefined } = { atMs: -Infinity, answer: undefined }
  let query: Promise<Answer | undefined> | undefined
  async function askOnce(): Promise<Answer | undefined> {
    const answer = await ask().catch(() => undefined)
    last = { atMs: clock.monotonicMs(), answer }
    query = undefined
    return answer
  }
  return async () => {
    if (clock.monotonicMs() - last.atMs < freshMs) return last.answer
    query ??= askOnce()
    const answered = new AbortController()
    const tooLate = clock.sleep(deadlineMs, answered.signal).then(
      () => undefined,
      () => undefined,
    )
    const answer = await Promise.race([query, tooLate])
    answered.abort()
    return answer
  }
}
