import { pacing } from '../contract/primitives/pacing.ts'
import type { Quota } from './quota-headers.ts'

/** How far two resets of the same window may differ through rounding, as a part of the window. */
const jitter = 0.05

/**
 * The platform's quota window as one consumer sees it: the latest headers, and the calls sent since it began.
 *
 * Two estimates err on the safe side. An answer arrives after it was made, so `received + reset` is never before the
 * true reset. A call in flight when a window ends may count in the next one, so it is carried over.
 */
export class QuotaWindow {
  readonly #reserve: number
  #latest: Quota | null = null
  /** Calls sent in the current window; never fewer than those in flight. */
  #used = 0
  #resetAtMs = 0
  /** When the latest call was sent. */
  #sentAtMs = 0
  /** Numbers the windows, to recognise late answers from earlier ones. */
  #serial = 0
  /** False after a rollover by time, until an answer confirms the end of the new window. */
  #anchored = false
  /** Whether the current window, and the one before, had no call left for us. */
  #isUsedUp = false
  #wasUsedUp = false
  /** When the calls of the last window's length ended, oldest first. The platform counted each of them before. */
  #ended: number[] = []
  /** Calls of other consumers, by when they ended, oldest first. */
  #others: { atMs: number; calls: number }[] = []

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

  /** Counts a call about to be sent. @returns the number of its window. */
  spend(nowMs: number): number {
    this.#used += 1
    this.#sentAtMs = nowMs
    return this.#serial
  }

  /**
   * Uncounts a call that was never sent. One carried over from an earlier window stays counted, to be on the safe side.
   */
  giveBack(serial: number): void {
    if (serial === this.#serial) this.#used = Math.max(0, this.#used - 1)
  }

  /**
   * When the quota allows the next call: now, at the reset, or when enough calls are older than a window. Calls in
   * flight count as not yet included in `left`, because the platform does not say which of them it has counted.
   */
  opensAtMs(nowMs: number, inFlight: number, claims: number): number {
    const share = this.share(claims)
    if (share === null || this.#latest === null) return nowMs
    // In a window of which nothing is known yet, one call is sent, or a quota no larger than the reserve would never be
    // read again.
    const probes = !this.#anchored && this.#used === 0
    const free = this.#latest.left - inFlight - this.#reserved()
    const left = Math.min(share - this.#used, probes ? Math.max(1, free) : free)
    if (left <= 0) this.#isUsedUp = true
    const ofWindow = left > 0 ? this.#evenlyAtMs(left, share) : this.#resetAtMs
    return Math.max(nowMs, ofWindow, this.#spreadAtMs(nowMs, inFlight, claims, share))
  }

  /** When the next of `left` calls of this window is due. A run whose calls fit in one window does not wait. */
  #evenlyAtMs(left: number, share: number): number {
    if (!this.#wasUsedUp || this.#used < share * pacing.sentAtOnce) return 0
    const endMs = this.#resetAtMs - (this.#latest?.windowMs ?? 0) * (1 - pacing.sentEvenlyUntil)
    return this.#sentAtMs + Math.max(0, endMs - this.#sentAtMs) / left
  }

  /** A call has ended, whatever its answer. Call it before the call no longer counts as in flight. */
  end(nowMs: number): void {
    if (this.paces) this.#ended.push(nowMs)
  }

  /** Calls that ended in each of the last seconds, the latest first; those in flight are among the latest. */
  recentCalls(nowMs: number, inFlight: number): number[] {
    if (!this.paces) return []
    this.#forget(nowMs)
    const calls = Array.from({ length: Math.ceil((this.#latest?.windowMs ?? 0) / 1000) }, () => 0)
    for (const atMs of [...this.#ended, ...Array.from({ length: inFlight }, () => nowMs)]) {
      const age = Math.floor((nowMs - atMs) / 1000)
      calls[age] = (calls[age] ?? 0) + 1
    }
    return calls
  }

  /** The same of all other consumers of the store, as they have reported it. */
  adoptOthers(calls: readonly number[], nowMs: number): void {
    this.#others = calls
      .map((count, age) => ({ atMs: nowMs - age * 1000, calls: count }))
      .filter((one) => one.calls > 0)
      .reverse()
  }

  /**
   * When a call can be sent without more than our share in any time of a window's length. Otherwise the calls of the end
   * of one window and of the beginning of the next would come at once, twice as many as the quota. What other consumers
   * have sent beyond their shares, before there were so many or before they ended, counts as ours.
   */
  #spreadAtMs(nowMs: number, inFlight: number, claims: number, share: number): number {
    this.#forget(nowMs)
    const ofOthers = this.#others.reduce((sum, { calls }) => sum + calls, 0)
    const beyond = Math.max(0, ofOthers - (claims - 1) * share)
    if (inFlight + this.#ended.length + beyond < share) return nowMs
    const windowMs = this.#latest?.windowMs ?? 0
    // If all are in flight, one of them ends before.
    const oldest = Math.min(this.#ended[0] ?? nowMs, beyond > 0 ? (this.#others[0]?.atMs ?? nowMs) : nowMs)
    return oldest + windowMs
  }

  #forget(nowMs: number): void {
    const windowMs = this.#latest?.windowMs ?? 0
    // Added as in `#spreadAtMs`: rounded differently, a call would hold up none and still count.
    const isPast = (atMs: number) => atMs + windowMs <= nowMs
    while (this.#ended[0] !== undefined && isPast(this.#ended[0])) this.#ended.shift()
    while (this.#others[0] !== undefined && isPast(this.#others[0].atMs)) this.#others.shift()
  }

  /** Milliseconds until the reset while only the reserve is left; 0 otherwise. */
  usedUpMs(nowMs: number, inFlight: number): number {
    if (!this.paces || this.#latest === null || this.#latest.left - inFlight > this.#reserved()) return 0
    return Math.max(0, this.#resetAtMs - nowMs)
  }

  /** Starts the next window when it is due. Idle windows are skipped, in step with the platform's. */
  rollOver(nowMs: number, inFlight: number): void {
    if (!this.paces || this.#latest === null || nowMs < this.#resetAtMs) return
    const { windowMs, quota } = this.#latest
    const passed = Math.floor((nowMs - this.#resetAtMs) / windowMs) + 1
    this.#begin(this.#resetAtMs + passed * windowMs, inFlight)
    this.#anchored = false
    this.#latest = { ...this.#latest, left: quota }
  }

  /**
   * Learns from the answer to a call that was sent in window `serial` and took `latencyMs`; `inFlight` still includes
   * it.
   *
   * The platform counted the call at some time between sending and receiving. Only when the earliest possible reset is
   * after the known one is it a new window; otherwise a slow answer would open one.
   */
  observe(seen: Quota, answer: { serial: number; latencyMs: number; nowMs: number; inFlight: number }): void {
    const latestResetMs = answer.nowMs + seen.resetMs
    const another = latestResetMs - answer.latencyMs > this.#resetAtMs + seen.windowMs * jitter
    if (this.#latest !== null && !another) {
      // Before the first answer, one window cannot be distinguished from the next: an answer counted in the previous
      // window may arrive late.
      const past = this.#resetAtMs - latestResetMs > seen.windowMs / 2
      if (answer.serial === this.#serial && !past) this.#refine(seen, latestResetMs)
      return
    }
    if (this.#latest !== null) this.#begin(latestResetMs, answer.inFlight)
    this.#resetAtMs = latestResetMs
    this.#anchored = true
    this.#latest = seen
  }

  /** Answers may overtake each other. Within a window `left` only falls, unless the platform changed our quota. */
  #refine(seen: Quota, resetAtMs: number): void {
    const sameQuota = this.#latest?.quota === seen.quota
    this.#resetAtMs = this.#anchored ? Math.min(this.#resetAtMs, resetAtMs) : resetAtMs
    this.#anchored = true
    this.#latest = { ...seen, left: sameQuota ? Math.min(this.#latest?.left ?? seen.left, seen.left) : seen.left }
  }

  #begin(resetAtMs: number, inFlight: number): void {
    this.#serial += 1
    this.#wasUsedUp = this.#isUsedUp
    this.#isUsedUp = false
    this.#resetAtMs = resetAtMs
    this.#used = inFlight
  }

  #reserved(): number {
    return Math.ceil((this.#latest?.quota ?? 0) * this.#reserve)
  }
}
