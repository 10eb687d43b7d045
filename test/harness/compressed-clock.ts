import { type Clock, systemClock } from '../../src/clock.ts'

/** How many times faster than a real clock a wait passes. A larger factor would outrun the sandbox's work in real time. */
const factor = 20

/** Pauses between the last tries of a call; those that may also be time-outs of pictures. */
export const retryPauses = [10_000, 30_000]

/**
 * A clock for runs in the test process: their pauses pass twenty times faster, and the skipped time has passed for them.
 * Time-outs stay real, because what they wait for takes real time.
 *
 * @param isTimeout whether an answer can end this wait.
 * @param isSkipped whether a pause passes at once.
 */
export function compressedClock(
  isTimeout: (ms: number) => boolean,
  isSkipped: (ms: number) => boolean = () => false,
): Clock {
  let skippedMs = 0
  return {
    now: () => new Date(Date.now() + skippedMs),
    monotonicMs: () => performance.now() + skippedMs,
    sleep: async (ms, signal) => {
      if (isTimeout(ms)) return systemClock.sleep(ms, signal)
      const realMs = isSkipped(ms) ? 0 : Math.max(0, ms) / factor
      await systemClock.sleep(realMs, signal)
      skippedMs += Math.max(0, ms) - realMs
    },
  }
}
