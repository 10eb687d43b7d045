import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/clock.ts'

/** How many times faster than a real clock a wait passes. Larger would outrun work that the sandbox does in real time. */
const factor = 20

/**
 * A clock for runs that are worked on in the test's process: the pauses they make pass twenty times faster, and the time that was
 * skipped has passed for them. Time-outs stay real, because what they wait for takes real time.
 *
 * @param isTimeout whether a wait is there to be cut short by an answer.
 */
export function compressedClock(isTimeout: (ms: number) => boolean): Clock {
  let skippedMs = 0
  return {
    now: () => new Date(Date.now() + skippedMs),
    monotonicMs: () => performance.now() + skippedMs,
    sleep: async (ms, signal) => {
      if (isTimeout(ms)) return sleep(Math.max(0, ms), undefined, { signal })
      const realMs = Math.max(0, ms) / factor
      await sleep(realMs, undefined, { signal })
      skippedMs += Math.max(0, ms) - realMs
    },
  }
}
