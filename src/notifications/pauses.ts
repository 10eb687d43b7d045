/**
 * Seconds before a failed message is tried again; the last value repeats. Source: the schedule of Standard Webhooks 1.0.0,
 * with shorter steps at its start, because most receivers are back within minutes.
 */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200] as const

/** So that messages that failed together do not come back together. */
const spread = 0.1

interface Failed {
  /** Including the one that failed just now. */
  tries: number
  /** When the message was written, or requested again. */
  since: Date
  now: Date
}

/**
 * When to try next. The last try is at the end of the time allowed, however long the pause would be.
 *
 * @param random from 0 to 1
 * @returns null if the time is over
 */
export function nextTryAt({ tries, since, now }: Failed, givenUpAfterSeconds: number, random: number): Date | null {
  const endMs = since.getTime() + givenUpAfterSeconds * 1000
  if (now.getTime() >= endMs) return null
  const seconds = pauses[Math.min(tries, pauses.length) - 1] ?? pauses[0]
  const pauseMs = seconds * 1000 * (1 + spread * random)
  return new Date(Math.min(now.getTime() + pauseMs, endMs))
}
