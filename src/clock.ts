/** Every wait and every "now" of the service, so tests can control time. */
export interface Clock {
  /** Wall-clock time; may jump when the machine's clock is set. */
  now(): Date
  /** Milliseconds that never go back; only differences are meaningful. */
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
