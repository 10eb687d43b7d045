/** Every wait and every "now" of the service, so that a test can move time by hand. */
export interface Clock {
  /** Wall-clock time; may jump when the machine's clock is set. */
  now(): Date
  /** Milliseconds that only grow; compare with itself only. */
  monotonicMs(): number
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(finish, Math.max(0, ms))
      function finish() {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      function abort() {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    }),
}
