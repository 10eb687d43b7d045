import type { Quota } from './quota-headers.ts'

/** How far, as a part of the window, two resets of one window may lie apart by the platform's rounding. */
const jitter = 0.05

/**
 * The platform's quota window as one consumer sees it: what the headers said last, and what we sent since it began.
 *
 * Two estimates err on the careful side. An answer is received after it was made, so `received + reset` is never before
 * the true reset. And a call in flight when a window ends may be counted in the next one, so it is carried over.
 */
export class QuotaWindow {
  readonly #reserve: number
  #latest: Quota | null = null
  /** Calls sent in the present window; never fewer than those in flight. */
  #used = 0
  #resetAtMs = 0
  /** Counts windows, so that a late answer is not taken for news of the present one. */
  #serial = 0
  /** False from a rollover by time until an answer confirms when the new window ends. */
  #anchored = false

  constructor(reserve: number) {
    this.#reserve = reserve
  }

  /** Whether there is a finite quota to keep. */
  get paces(): boolean {
    return this.#latest !== null && Number.isFinite(this.#latest.quota)
  }

  get quota(): number | null {
    return this.#latest?.quota ?? null
  }

  get left(): number | null {
    return this.#latest?.left ?? null
  }

  get used(): number {
    return this.#used
  }

  /** Calls one of `claims` consumers may send per window; at least one, or a small quota would stop all of them. */
  share(claims: number): number | null {
    if (!this.paces || this.#latest === null) return null
    return Math.max(1, Math.floor((this.#latest.quota - this.#reserved()) / claims))
  }

  ratePerSec(claims: number): number | null {
    const share = this.share(claims)
    return share === null || this.#latest === null ? null : (share * 1000) / this.#latest.windowMs
  }

  /** Notes a call about to be sent, and answers with the window it belongs to. */
  spend(): number {
    this.#used += 1
    return this.#serial
  }

  /** Takes back a call that was never sent. One carried over from an earlier window stays counted: careful, not exact. */
  giveBack(serial: number): void {
    if (serial === this.#serial) this.#used = Math.max(0, this.#used - 1)
  }

  /**
   * When the next call may go out as far as the quota is concerned: now, or at the reset. Every call in flight counts
   * as not yet reflected in `left`, because nothing says which of them the platform has counted.
   */
  opensAtMs(nowMs: number, inFlight: number, claims: number): number {
    const share = this.share(claims)
    if (share === null || this.#latest === null) return nowMs
    const free = this.#latest.left - inFlight > this.#reserved()
    return this.#used < share && free ? nowMs : Math.max(nowMs, this.#resetAtMs)
  }

  /** Milliseconds until the reset while nothing but the reserve is left; 0 otherwise. */
  usedUpMs(nowMs: number, inFlight: number): number {
    if (!this.paces || this.#latest === null || this.#latest.left - inFlight > this.#reserved()) return 0
    return Math.max(0, this.#resetAtMs - nowMs)
  }

  /** Starts the next window when its time has come. Idle windows are stepped over, keeping the platform's rhythm. */
  rollOver(nowMs: number, inFlight: number): void {
    if (!this.paces || this.#latest === null || nowMs < this.#resetAtMs) return
    const { windowMs, quota } = this.#latest
    const passed = Math.floor((nowMs - this.#resetAtMs) / windowMs) + 1
    this.#begin(this.#resetAtMs + passed * windowMs, inFlight)
    this.#anchored = false
    this.#latest = { ...this.#latest, left: quota }
  }

  /**
   * Learns from an answer to a call that was sent in window `serial` and took `latencyMs`; `inFlight` still includes it.
   *
   * The platform counted the call at some time between sending and receiving. Even the earliest reset that this allows
   * must lie beyond the one we know before it is taken for another window, or a slow answer would open a new one.
   */
  observe(seen: Quota, answer: { serial: number; latencyMs: number; nowMs: number; inFlight: number }): void {
    const latestResetMs = answer.nowMs + seen.resetMs
    const another = latestResetMs - answer.latencyMs > this.#resetAtMs + seen.windowMs * jitter
    if (this.#latest !== null && !another) {
      // Before the first answer nothing tells windows apart: one counted in the window before may come after it.
      const past = this.#resetAtMs - latestResetMs > seen.windowMs / 2
      if (answer.serial === this.#serial && !past) this.#refine(seen, latestResetMs)
      return
    }
    if (this.#latest !== null) this.#begin(latestResetMs, answer.inFlight)
    this.#resetAtMs = latestResetMs
    this.#anchored = true
    this.#latest = seen
  }

  /** Answers overtake each other, and `left` only falls within a window unless the platform moved our quota. */
  #refine(seen: Quota, resetAtMs: number): void {
    const sameQuota = this.#latest?.quota === seen.quota
    this.#resetAtMs = this.#anchored ? Math.min(this.#resetAtMs, resetAtMs) : resetAtMs
    this.#anchored = true
    this.#latest = { ...seen, left: sameQuota ? Math.min(this.#latest?.left ?? seen.left, seen.left) : seen.left }
  }

  #begin(resetAtMs: number, inFlight: number): void {
    this.#serial += 1
    this.#resetAtMs = resetAtMs
    this.#used = inFlight
  }

  #reserved(): number {
    return Math.ceil((this.#latest?.quota ?? 0) * this.#reserve)
  }
}
