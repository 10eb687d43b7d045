/** Waits, unless the signal is aborted first. Returns undefined if there is nothing to wait for. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (ms <= 0 || signal.aborted) return undefined
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
