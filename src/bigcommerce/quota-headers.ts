/** What a store's answer says about its quota. */
export interface Quota {
  /** Calls allowed per window for this app, moved by the platform as other apps come and go; Infinity when unlimited. */
  quota: number
  /** Calls left in the present window, after this answer. */
  left: number
  /** Milliseconds until the window is refilled. */
  resetMs: number
  windowMs: number
}

/**
 * The magnitude above which a quota paces nothing. The largest plan with a quota has 450 calls per 30 s and enterprise
 * plans a few times that; "unlimited" stores answer with numbers in the billions. Larger: an unlimited store would be
 * paced by a count we cannot send anyway; smaller: an enterprise store would be sent everything at once.
 */
const unlimitedFrom = 1_000_000

const defaultWindowMs = 30_000

/**
 * @returns null when the answer carries no complete quota: a missing or unreadable header is no reason to guess.
 * Source: BigCommerce "API rate limits", response headers. `X-BC-ApiLimit-Remaining` is the legacy form of "left" and
 * comes without a reset, so that it cannot be paced by and is not read.
 */
export function readQuota(headers: Record<string, string>): Quota | null {
  const quota = numberIn(headers, 'x-rate-limit-requests-quota')
  const left = numberIn(headers, 'x-rate-limit-requests-left')
  const resetMs = numberIn(headers, 'x-rate-limit-time-reset-ms')
  if (quota === null || left === null || resetMs === null) return null
  const windowMs = numberIn(headers, 'x-rate-limit-time-window-ms') ?? defaultWindowMs
  if (quota >= unlimitedFrom) return { quota: Infinity, left: Infinity, resetMs, windowMs: Math.max(1, windowMs) }
  return { quota, left, resetMs, windowMs: Math.max(1, windowMs) }
}

/**
 * How long a refused call (429) asks us to stay away.
 *
 * @returns milliseconds; null when the refusal says nothing, which means an overloaded platform or an endpoint's
 * concurrency cap rather than a used-up quota.
 */
export function readRefusalMs(headers: Record<string, string>): number | null {
  const resetMs = numberIn(headers, 'x-rate-limit-time-reset-ms')
  if (resetMs !== null) return resetMs
  const seconds = numberIn(headers, 'x-retry-after') ?? numberIn(headers, 'retry-after')
  return seconds === null ? null : seconds * 1000
}

function numberIn(headers: Record<string, string>, name: string): number | null {
  const text = headers[name]?.trim()
  if (!text) return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}
