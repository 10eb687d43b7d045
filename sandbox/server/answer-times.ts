import { createHash } from 'node:crypto'

interface Seen {
  digest: string
  sinceMs: number
}

/** Limit of remembered addresses. Clients of conditional requests use far fewer. */
const MOST_REMEMBERED = 1_000

/** When each v2 address began to give its present answer. */
export class AnswerTimes {
  #seen = new Map<string, Seen>()

  /**
   * @param address path and query.
   * @param caller because answers may differ by caller.
   * @returns milliseconds of a whole second, the precision of the header. A second change within one second is dated to
   * the next.
   */
  lastModifiedMs(address: string, caller: string, body: unknown): number {
    const key = `${caller} ${address}`
    const digest = createHash('sha1').update(JSON.stringify(body)).digest('base64')
    const before = this.#seen.get(key)
    if (before?.digest === digest) return before.sinceMs
    if (this.#seen.size >= MOST_REMEMBERED) this.#seen.clear()
    const sinceMs = Math.max(Math.ceil(Date.now() / 1000) * 1000, (before?.sinceMs ?? 0) + 1000)
    this.#seen.set(key, { digest, sinceMs })
    return sinceMs
  }
}
