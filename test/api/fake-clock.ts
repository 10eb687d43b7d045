import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

export interface FakeClock extends Clock {
  advance(seconds: number): void
}

/** Wall-clock time that a test moves. Waits are real: they are deadlines of calls that answer at once. */
export function fakeClock(start = new Date()): FakeClock {
  let nowMs = start.getTime()
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    advance: (seconds) => {
      nowMs += seconds * 1000
    },
  }
}
