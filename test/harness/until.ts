/** How often a condition is checked. */
const pollMs = 25

/** Long enough for a machine that is busy with several suites: the wait only ends here when something is wrong. */
const patience = 150

/**
 * Waits until `look` returns something other than undefined or false.
 *
 * @throws with what was waited for and the last value seen, when the deadline passes.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { seconds = patience, seen }: { seconds?: number; seen?: () => unknown } = {},
): Promise<T> {
  const deadlineMs = performance.now() + seconds * 1000
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadlineMs) {
      const state = seen ? ` Seen at last: ${JSON.stringify(await seen())}` : ''
      throw new Error(`Waited ${seconds} s in vain until ${what}.${state}`)
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
