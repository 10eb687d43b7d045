import type { Clock } from '../../src/clock.ts'

/** A clock for tests: time stands still until it is moved, except that waits up to `skipUpToMs` move it themselves. */
export class FakeClock implements Clock {
  /** Every wait that was begun, in milliseconds, in order. */
  readonly slept: number[] = []
  #nowMs = 0
  #sleepers: { atMs: number; wake: () => void }[] = []
  readonly #skipUpToMs: number

  constructor({ skipUpToMs = -1 }: { skipUpToMs?: number } = {}) {
    this.#skipUpToMs = skipUpToMs
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms)
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

  /** How many waits are under way. */
  get sleeping(): number {
    return this.#sleepers.length
  }

  /** Moves time, waking whoever is due, each at its own moment and with time to act before the next. */
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

  /** Moves time without waking anybody, as when the process is busy elsewhere. */
  jump(ms: number): void {
    this.#nowMs += ms
  }
}

/** Long enough for every promise that can go on without time or network to have done so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
}
