/** The quota in a store's answer. */
export interface Quota {
  /**
   * Calls allowed per window for this app, adjusted by the platform as other apps come and go; Infinity if unlimited.
   */
  quota: number
  /** Calls left in the current window after this answer. */
  left: number
  /** Milliseconds until the window is refilled. */
  resetMs: number
  windowMs: number
}

/**
 * Quotas above this count as unlimited. The largest fixed plan has 450 calls per 30 s, enterprise plans a few times
 * that, and unlimited stores answer with billions. With a larger value an unlimited store would be paced needlessly;
 * with a smaller one an enterprise store would not be paced at all.
 */
const unlimitedFrom = 1_000_000

const defaultWindowMs = 30_000
/**
 * The longest window, and the longest wait after a refusal, whatever the headers say. A store that refuses calls for
 * longer is waited for without a process (G8); a time of day instead of a number of milliseconds would stop a run.
 */
const longestMs = 5 * 60_000

/**
 * @returns null without a complete quota; a missing or unreadable header is never guessed.
 * Source: BigCommerce "API rate limits", response headers. The legacy `X-BC-ApiLimit-Remaining` is not read, because it
 * comes without a reset time.
 */
export function readQuota(headers: Record<string, string>): Quota | null {
  const quota = numberIn(headers, 'x-rate-limit-requests-quota')
  const left = numberIn(headers, 'x-rate-limit-requests-left')
  const resetMs = numberIn(headers, 'x-rate-limit-time-reset-ms')
  if (quota === null || left === null || resetMs === null) return null
  const namedMs = numberIn(headers, 'x-rate-limit-time-window-ms') ?? defaultWindowMs
  const windowMs = Math.min(Math.max(1, namedMs), longestMs)
  const ofWindow = { resetMs: Math.min(resetMs, windowMs), windowMs }
  if (quota >= unlimitedFrom) return { quota: Infinity, left: Infinity, ...ofWindow }
  return { quota, left, ...ofWindow }
}

/**
 * How long to wait after a refused call (429).
 *
 * @returns milliseconds; null when the refusal names no time, which means an overloaded platform or an endpoint's
 * concurrency cap rather than a used-up quota.
 */
export function readRefusalMs(headers: Record<string, string>): number | null {
  const resetMs = numberIn(headers, 'x-rate-limit-time-reset-ms')
  if (resetMs !== null) return Math.min(resetMs, longestMs)
  const seconds = numberIn(headers, 'x-retry-after') ?? numberIn(headers, 'retry-after')
  return seconds === null ? null : Math.min(seconds * 1000, longestMs)
}

function numberIn(headers: Record<string, string>, name: string): number | null {
  const text = headers[name]?.trim()
  if (!text) return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}
