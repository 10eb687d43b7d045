import { createHash } from 'node:crypto'

interface Seen {
  digest: string
  sinceMs: number
}

/** The most addresses remembered. Clients that make conditional requests use far fewer. */
const MOST_REMEMBERED = 1_000

/** Since when each v2 address has given its current answer. */
export class AnswerTimes {
  #seen = new Map<string, Seen>()

  /**
   * When the answer last changed.
   *
   * @param address path and query
   * @param caller included because answers may differ between callers
   * @returns milliseconds of a whole second, because the header is no more precise. A second change within one second
   * is dated to the next.
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
