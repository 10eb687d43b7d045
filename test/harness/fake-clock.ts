import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

interface FakeClockOptions {
  start?: Date
  /** Waits up to this length advance the clock themselves. */
  skipUpToMs?: number
  /** Waits take real time, for tests in which they are only deadlines of calls that answer at once. */
  realWaits?: boolean
}

/** A clock for tests: time moves only when the test moves it. */
export class FakeClock implements Clock {
  /** Every wait that was started, in milliseconds, in order. */
  readonly slept: number[] = []
  #nowMs: number
  #sleepers: { atMs: number; wake: () => void }[] = []
  readonly #skipUpToMs: number
  readonly #realWaits: boolean

  constructor({ start = new Date(0), skipUpToMs = -1, realWaits = false }: FakeClockOptions = {}) {
    this.#nowMs = start.getTime()
    this.#skipUpToMs = skipUpToMs
    this.#realWaits = realWaits
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms)
    if (this.#realWaits) return sleep(ms, undefined, { signal })
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const sleeper = { atMs: this.#nowMs + Math.max(0, ms), wake: resolve }
      this.#sleepers.push(sleeper)
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
          reject(signal.reason)
        },
        { once: true },
      )
      if (ms <= this.#skipUpToMs) setImmediate(() => void this.advance(Math.max(0, sleeper.atMs - this.#nowMs)))
    })
  }

  /** The number of current waits. */
  get sleeping(): number {
    return this.#sleepers.length
  }

  /** Advances time and wakes each wait when it ends, with time to act before the next. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms
    for (;;) {
      const next = this.#sleepers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      this.#sleepers = this.#sleepers.filter((other) => other !== next)
      next.wake()
      await settled()
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  /** Advances time without ending any wait, as when the process is busy elsewhere. */
  jump(ms: number): void {
    this.#nowMs += ms
  }

  jumpSeconds(seconds: number): void {
    this.jump(seconds * 1000)
  }
}

/** Long enough for every promise that needs neither time nor network. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
}
