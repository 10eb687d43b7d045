import { hash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../contract/service-error.ts'

const windowMs = 60_000

/**
 * Requests per bearer token or session in fixed windows of a minute. Each server counts separately, so the limit is per
 * server: it stops runaway loops and needs no exact total.
 */
export class RequestRate {
  readonly #clock: Clock
  readonly #perMinute: number
  #windowStartMs = Number.NEGATIVE_INFINITY
  /** By hash, to keep tokens out of heap dumps. Cleared with every window. */
  #counts = new Map<string, number>()

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** @throws ServiceError `rate_limited` for the request after the last permitted one */
  count(token: string): void {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#windowStartMs >= windowMs) {
      this.#windowStartMs = nowMs
      this.#counts = new Map()
    }
    const key = hash('sha256', token, 'base64')
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    if (count > this.#perMinute) this.#refuse(nowMs)
  }

  #refuse(nowMs: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((this.#windowStartMs + windowMs - nowMs) / 1000))
    throw new ServiceError('rate_limited', `More than ${this.#perMinute} requests in a minute. Slow down.`, {
      retryAfterSeconds,
    })
  }
}
