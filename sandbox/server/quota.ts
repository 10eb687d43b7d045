export interface QuotaSettings {
  /** Requests per window. Infinity for a plan without a quota. */
  requests: number
  windowMs: number
}

export type Plan = 'standard' | 'plus' | 'pro' | 'unlimited'

const WINDOW_MS = 30_000

/** Source: BigCommerce "API rate limits"; Standard and Plus 20,000, Pro 60,000 requests per hour. */
export const PLAN_QUOTAS: Record<Plan, QuotaSettings> = {
  standard: { requests: 150, windowMs: WINDOW_MS },
  plus: { requests: 150, windowMs: WINDOW_MS },
  pro: { requests: 450, windowMs: WINDOW_MS },
  unlimited: { requests: Infinity, windowMs: WINDOW_MS },
}

/** Sent in the headers when there is no quota. Large enough never to slow a client down. */
const UNLIMITED_SHOWN = 1_000_000

/** The quota of one store, shared by all its tokens. */
export class Quota {
  #settings: QuotaSettings
  #isSliding: () => boolean
  #now: () => number
  #endsAtMs = 0
  /** When each request of the window was made. */
  #takenMs: number[] = []

  /**
   * @param isSliding whether each request counts for one window from when it was made; otherwise all counts are reset
   * at the end of a window
   */
  constructor(settings: QuotaSettings, isSliding = () => false, now = () => performance.now()) {
    this.#settings = settings
    this.#isSliding = isSliding
    this.#now = now
  }

  #roll(): number {
    const { requests, windowMs } = this.#settings
    const nowMs = this.#now()
    if (requests !== Infinity && this.#isSliding()) {
      this.#takenMs = this.#takenMs.filter((takenMs) => takenMs + windowMs > nowMs)
      this.#endsAtMs = (this.#takenMs[0] ?? nowMs) + windowMs
    } else if (nowMs >= this.#endsAtMs) {
      this.#endsAtMs = nowMs + windowMs
      this.#takenMs = []
    }
    return nowMs
  }

  /** Counts one request. False if the quota is used up. */
  take(): boolean {
    const nowMs = this.#roll()
    if (this.#left <= 0) return false
    if (this.#settings.requests !== Infinity) this.#takenMs.push(nowMs)
    return true
  }

  get #left(): number {
    return this.#settings.requests - this.#takenMs.length
  }

  headers(): Record<string, string> {
    const nowMs = this.#roll()
    const { requests, windowMs } = this.#settings
    const unlimited = requests === Infinity
    const left = String(unlimited ? UNLIMITED_SHOWN : this.#left)
    return {
      'X-Rate-Limit-Time-Window-Ms': String(windowMs),
      'X-Rate-Limit-Time-Reset-Ms': String(Math.ceil(this.#endsAtMs - nowMs)),
      'X-Rate-Limit-Requests-Quota': String(unlimited ? UNLIMITED_SHOWN : requests),
      'X-Rate-Limit-Requests-Left': left,
      // The older header, which v2 clients still read.
      'X-BC-ApiLimit-Remaining': left,
    }
  }
}
