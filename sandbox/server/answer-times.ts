import { createHash } from 'node:crypto'

interface Seen {
  digest: string
  sinceMs: number
}

/** More addresses than these have been asked for by nobody who wants to know what is new. */
const MOST_REMEMBERED = 1_000

/** Since when each address of version 2 has given the answer it gives now. */
export class AnswerTimes {
  #seen = new Map<string, Seen>()

  /**
   * @param address path and query.
   * @param caller answers may differ by who asks.
   * @returns milliseconds of a whole second, as a header tells it; another answer in the same second gets the next one.
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
