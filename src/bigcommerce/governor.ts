import type { Clock } from '../clock.ts'
import { pacing } from '../contract/primitives/pacing.ts'
import { alwaysBySlots, type CapSlots } from './cap-slots.ts'
import { type EndpointCap, endpointCaps } from './endpoint-caps.ts'
import { readQuota, readRefusalMs } from './quota-headers.ts'
import { QuotaWindow } from './quota-window.ts'
import { RouteLatencies } from './route-latencies.ts'

/** How much work a call is for the platform. Latencies of different classes are never compared. */
export type CallClass = 'read' | 'write' | 'heavy'

export interface GovernedCall {
  cls: CallClass
  method: string
  /** Without the query. */
  path: string
  signal?: AbortSignal
}

/** Permission to send one call. End it with exactly one of the two methods; ending it twice throws. */
export interface Grant {
  /** The call ended, with an answer or with nulls. */
  settle(headers: Record<string, string> | null, httpStatus: number | null, latencyMs: number): void
  /** The call was never sent and costs nothing. */
  cancel(): void
}

export interface GovernorOptions {
  clock: Clock
  /** Share of the quota left to the merchant's other apps; 0.1 by default. */
  reserve?: number
  /** How many consumers share this store now, this one included; read before every grant. */
  claims?: () => number
  /** The most calls in flight. Default: 24 for an unlimited store, 64 where a quota limits the rate anyway. */
  maxInFlight?: number
  /** Concurrency caps of single endpoints; by default those the platform documents. */
  caps?: EndpointCap[]
  /** Shared with the store's other consumers; without it, each may make one call under every cap. */
  slots?: CapSlots
}

export interface GovernorStats {
  granted: number
  refused429: number
  waiting: number
  inFlight: number
  /** How many calls may be in flight now. */
  concurrency: number
  /** The platform's quota per window; null until an answer names it, Infinity if unlimited. */
  quota: number | null
  /** Calls left of the quota, by the latest answer. */
  left: number | null
  /**
   * Calls this consumer may send per window, and has sent in the current one; the share is null without a finite quota.
   */
  windowShare: number | null
  windowUsed: number
  /** Moving average over all calls; 0 before the first answer. */
  latencyMs: number
}

interface Waiter {
  call: GovernedCall
  caps: CapCount[]
  grant(): void
}

interface CapCount extends EndpointCap {
  inFlight: number
}

/** Before the first answer, the calls left are unknown: more would use up the reserve whenever a process starts. */
const blindInFlight = 1
const { unlimitedInFlight, leastInFlight, mostInFlight, inFlightSlack } = pacing
const replaced = new Error('Another timer replaced this one.')

/**
 * Decides when a call to one store may be sent (E4). First come, first served, except that a call held back by its
 * endpoint's cap lets others pass. It relies only on the platform's headers and refusals.
 */
export class Governor {
  readonly #clock: Clock
  readonly #claims: () => number
  readonly #maxInFlight: number | undefined
  readonly #caps: CapCount[]
  readonly #slots: CapSlots | undefined
  readonly #window: QuotaWindow
  readonly #routes = new RouteLatencies()
  readonly #queue: Waiter[] = []
  #inFlight = 0
  #ordinal = 0
  #answered = false
  #granted = 0
  #refused429 = 0
  #latencyMs = 0
  /** Calls that may be in flight; grows in fractions. */
  #concurrency = leastInFlight
  /**
   * False while the concurrency doubles, until the platform first objects; then true, and it grows by one per round, as
   * in ordinary congestion control.
   */
  #cautious = false
  #refusalsInARow = 0
  #heldUntilMs = 0
  /** The last call granted before reacting to a refusal. Calls up to it do not show the effect of the reaction. */
  #ordinalAtRefusal = 0
  #alarm: { atMs: number; stop: AbortController } | null = null

  constructor(options: GovernorOptions) {
    this.#clock = options.clock
    this.#claims = () => Math.max(1, Math.floor(options.claims?.() ?? 1))
    this.#maxInFlight = options.maxInFlight
    this.#caps = (options.caps ?? endpointCaps).map((cap) => ({ ...cap, inFlight: 0 }))
    this.#slots = options.slots
    this.#window = new QuotaWindow(options.reserve ?? pacing.quotaReserve)
    if (options.maxInFlight !== undefined) this.#concurrency = Math.min(leastInFlight, Math.max(1, options.maxInFlight))
  }

  /**
   * Waits until the call may be sent.
   *
   * @throws the signal's reason when it aborts first; the call then leaves the queue and costs nothing.
   */
  take(call: GovernedCall): Promise<Grant> {
    const granted = this.#wait(call)
    const slots = this.#slots
    const caps = this.#capsOf(call)
    if (slots === undefined || caps.length === 0) return granted
    return granted.then((grant) => this.#withSlots(grant, call, { caps, slots }))
  }

  /**
   * Holds a slot of each cap that is too small to be divided until the grant ends. Taken last, so no slot is held while
   * waiting for the quota, and in the order of the table, to avoid deadlocks between consumers.
   */
  async #withSlots(
    grant: Grant,
    call: GovernedCall,
    { caps, slots }: { caps: EndpointCap[]; slots: CapSlots },
  ): Promise<Grant> {
    const taken: (() => void)[] = []
    const giveBack = () => {
      for (const free of taken.splice(0)) free()
    }
    try {
      for (const cap of caps) {
        if (cap.limit > alwaysBySlots && cap.limit >= this.#claims()) continue
        taken.push(await slots.take(cap, call.signal))
      }
    } catch (error) {
      giveBack()
      grant.cancel()
      throw error
    }
    return {
      settle: (...answer) => {
        giveBack()
        grant.settle(...answer)
      },
      cancel: () => {
        giveBack()
        grant.cancel()
      },
    }
  }

  #wait(call: GovernedCall): Promise<Grant> {
    return new Promise((resolve, reject) => {
      if (call.signal?.aborted) return reject(call.signal.reason)
      const waiter: Waiter = {
        call,
        caps: this.#capsOf(call),
        grant: () => {
          call.signal?.removeEventListener('abort', leave)
          resolve(this.#grant(waiter))
        },
      }
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1)
        reject(call.signal?.reason)
        this.#pump()
      }
      call.signal?.addEventListener('abort', leave, { once: true })
      this.#queue.push(waiter)
      this.#pump()
    })
  }

  get stats(): GovernorStats {
    return {
      granted: this.#granted,
      refused429: this.#refused429,
      waiting: this.#queue.length,
      inFlight: this.#inFlight,
      concurrency: this.#allowedInFlight(),
      quota: this.#window.quota,
      left: this.#window.left,
      windowShare: this.#window.share(this.#claims()),
      windowUsed: this.#window.used,
      latencyMs: this.#latencyMs,
    }
  }

  /**
   * Milliseconds for which only the reserve is left of the store's window, as far as this consumer knows; 0 otherwise.
   */
  get usedUpMs(): number {
    return this.#window.usedUpMs(this.#clock.monotonicMs(), this.#inFlight)
  }

  /** Calls that ended in each of the last seconds, the latest first; none without a quota. For other consumers. */
  get recentCalls(): number[] {
    return this.#window.recentCalls(this.#clock.monotonicMs(), this.#inFlight)
  }

  /** Adopts the calls of the store's other consumers, by their age in seconds. */
  adoptOthers(calls: readonly number[]): void {
    this.#window.adoptOthers(calls, this.#clock.monotonicMs())
    this.#pump()
  }

  /** Adopts what another consumer has seen, to delay the first call. Later calls follow this consumer's own answers. */
  holdFirstCall(ms: number): void {
    if (this.#answered) return
    this.#holdUntil(this.#clock.monotonicMs() + ms)
    this.#pump()
  }

  #capsOf({ method, path }: GovernedCall): CapCount[] {
    return this.#caps.filter((cap) => (cap.method ?? method) === method && cap.pattern.test(path))
  }

  /** Grants waiting calls in order, and sets a timer for those that wait for a time rather than an answer. */
  #pump(): void {
    const nowMs = this.#clock.monotonicMs()
    this.#window.rollOver(nowMs, this.#inFlight)
    while (this.#inFlight < this.#allowedInFlight() && this.#mayGoAtMs(nowMs) <= nowMs) {
      const next = this.#queue.findIndex((waiter) => waiter.caps.every((cap) => this.#fits(cap)))
      if (next < 0) break
      this.#queue.splice(next, 1)[0]?.grant()
    }
    this.#setAlarm(this.#queue.length === 0 ? 0 : this.#mayGoAtMs(nowMs), nowMs)
  }

  /**
   * A cap smaller than the number of consumers cannot be divided: each takes one call at a time, and slots keep them
   * apart.
   */
  #fits(cap: CapCount): boolean {
    return cap.inFlight < Math.max(1, Math.floor(cap.limit / this.#claims()))
  }

  #mayGoAtMs(nowMs: number): number {
    return Math.max(this.#heldUntilMs, this.#window.opensAtMs(nowMs, this.#inFlight, this.#claims()))
  }

  #setAlarm(atMs: number, nowMs: number): void {
    if (this.#alarm?.atMs === atMs) return
    this.#alarm?.stop.abort(replaced)
    this.#alarm = null
    if (atMs <= nowMs) return
    const alarm = { atMs, stop: new AbortController() }
    this.#alarm = alarm
    this.#clock.sleep(atMs - nowMs, alarm.stop.signal).then(
      () => {
        if (this.#alarm === alarm) this.#alarm = null
        this.#pump()
      },
      () => undefined,
    )
  }

  #grant({ call, caps }: Waiter): Grant {
    this.#ordinal += 1
    const ordinal = this.#ordinal
    const windowSerial = this.#window.spend(this.#clock.monotonicMs())
    for (const cap of caps) cap.inFlight += 1
    this.#inFlight += 1
    this.#granted += 1
    let ended = false
    const end = (learn: () => void) => {
      if (ended) throw new Error(`The grant of ${call.method} ${call.path} was ended twice.`)
      ended = true
      learn()
      for (const cap of caps) cap.inFlight -= 1
      this.#inFlight -= 1
      this.#pump()
    }
    return {
      settle: (headers, httpStatus, latencyMs) =>
        end(() => {
          this.#learn({ call, ordinal, windowSerial, headers: headers ?? {}, httpStatus, latencyMs })
          this.#window.end(this.#clock.monotonicMs())
        }),
      cancel: () =>
        end(() => {
          this.#granted -= 1
          this.#window.giveBack(windowSerial)
        }),
    }
  }

  #learn(ended: EndedCall): void {
    const nowMs = this.#clock.monotonicMs()
    const quota = readQuota(ended.headers)
    if (quota !== null) {
      const { windowSerial: serial, latencyMs } = ended
      this.#window.observe(quota, { serial, latencyMs, nowMs, inFlight: this.#inFlight })
    }
    if (ended.httpStatus === null) return
    this.#answered = true
    if (ended.httpStatus === 429) {
      this.#refuse(ended, nowMs)
      return
    }
    const degraded = this.#observeLatency(ended)
    if (ended.ordinal <= this.#ordinalAtRefusal) return
    this.#refusalsInARow = 0
    this.#adapt(degraded)
  }

  /** One overload refuses everything in flight; only the first refusal of such a volley counts. */
  #refuse({ headers, ordinal }: EndedCall, nowMs: number): void {
    this.#refused429 += 1
    const namedMs = readRefusalMs(headers)
    this.#holdUntil(nowMs + (namedMs ?? 0))
    if (ordinal <= this.#ordinalAtRefusal) return
    this.#ordinalAtRefusal = this.#ordinal
    this.#refusalsInARow += 1
    if (namedMs !== null) {
      // A used-up quota ends at its reset; only a repeated refusal calls for a longer wait.
      this.#holdUntil(nowMs + namedMs + backoffMs(this.#refusalsInARow - 1))
      return
    }
    this.#cautious = true
    this.#concurrency = Math.max(1, Math.floor(this.#allowedInFlight() / 2))
    this.#holdUntil(nowMs + backoffMs(this.#refusalsInARow))
  }

  #holdUntil(atMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, atMs)
  }

  /** @returns whether this route is now much slower than usual. */
  #observeLatency({ call, latencyMs }: EndedCall): boolean {
    this.#latencyMs = this.#latencyMs === 0 ? latencyMs : this.#latencyMs * 0.9 + latencyMs * 0.1
    return this.#routes.observe(call, latencyMs)
  }

  #adapt(degraded: boolean): void {
    if (degraded && !this.#window.paces) {
      this.#cautious = true
      this.#concurrency = Math.max(Math.min(leastInFlight, this.#ceiling()), this.#concurrency * 0.95)
      return
    }
    if (this.#inFlight < this.#allowedInFlight()) return
    this.#concurrency = Math.min(this.#ceiling(), this.#concurrency + (this.#cautious ? 1 / this.#concurrency : 1))
  }

  #allowedInFlight(): number {
    if (!this.#answered) return blindInFlight
    return Math.max(1, Math.floor(Math.min(this.#concurrency, this.#ceiling())))
  }

  /**
   * With a quota: the concurrency that our share needs at the observed latency, plus half, so a few slow calls do not
   * leave quota unused. Without one: our part of a reasonable maximum.
   */
  #ceiling(): number {
    const claims = this.#claims()
    const ratePerSec = this.#window.ratePerSec(claims)
    if (ratePerSec === null) {
      const most = this.#maxInFlight ?? unlimitedInFlight
      return Math.max(Math.min(leastInFlight, most), Math.ceil(most / claims))
    }
    const needed = Math.ceil(((ratePerSec * this.#latencyMs) / 1000) * inFlightSlack)
    return Math.max(1, Math.min(this.#maxInFlight ?? mostInFlight, Math.max(leastInFlight, needed)))
  }
}

interface EndedCall {
  call: GovernedCall
  ordinal: number
  windowSerial: number
  headers: Record<string, string>
  httpStatus: number | null
  latencyMs: number
}

/** Milliseconds to wait after refusals that name no time, or that repeat after a wait: 1, 2, 4 ... 30 s. */
function backoffMs(refusalsInARow: number): number {
  return refusalsInARow < 1 ? 0 : Math.min(30, 2 ** (refusalsInARow - 1)) * 1000
}
