import { pacing } from '../../contract/primitives/pacing.ts'
import type { OpeningCalls } from './call-totals.ts'
import type { PassWork } from './calls.ts'
import { pagesWithAny } from './list-calls.ts'

/** Milliseconds per call. The two stores may be at different distances. */
export interface StoreLatencies {
  sourceRead: number
  destinationRead: number
  write: number
  heavy: number
}

/** The calls a run may send to a store. */
export interface QuotaShare {
  /** Calls per window; Infinity if the store sets no limit. */
  calls: number
  windowSeconds: number
  /** Calls left in the current window, and when it ends. Absent: a new window begins with the first call. */
  left?: number | undefined
  resetSeconds?: number | undefined
}

/** The limits of the governor and the engine. */
const { rootsUnderWay, unlimitedInFlight, leastInFlight, mostInFlight, inFlightSlack, sentAtOnce, sentEvenlyUntil } =
  pacing

/**
 * How long our own work takes, measured on two cores: planning and committing a page, recording the intent and result
 * of a write, starting a pass, and starting a run's process. Larger values would forecast too much for fast stores,
 * smaller ones too little; slow stores hide the difference.
 */
const pageSeconds = 0.01
const writeSeconds = 0.008
const passSeconds = 0.01
const startSeconds = 0.6
/** Sequential reads at the start of a run: store information, scopes, channels, preflight. */
const openingRounds = 6

export interface Conditions {
  latencies: StoreLatencies
  quotas: { source: QuotaShare; destination: QuotaShare }
  opening: OpeningCalls
  /** Whether a page is read only when the one before is planned, as in part of a store. */
  inTurn?: boolean | undefined
}

export interface Durations {
  /** Seconds before the first phase, including look-ups for phases out of scope. */
  opening: number
  phases: Record<string, number>
}

/**
 * Simulates the passes one after another. Each takes as long as the slower of reading the source and writing the
 * destination (E2), and no store gets more calls per window than the run's share. Dividing calls by the quota would be
 * wrong: calls that fit into the current window only cost their latency.
 */
export function durationsOf(works: readonly PassWork[], { latencies, quotas, opening, inTurn }: Conditions): Durations {
  const seconds = inSeconds(latencies)
  const play = new Play(seconds, quotas, inTurn ?? false)
  play.wait(startSeconds)
  play.open(opening, openingRounds * Math.max(seconds.sourceRead, seconds.destinationRead))
  const phases: Record<string, number> = {}
  let looking = 0
  const add = (work: PassWork, took: number) => {
    if (work.adoptOnly) looking += took
    else phases[work.phase] = (phases[work.phase] ?? 0) + took
  }
  const opened = play.now
  for (const work of works) add(work, play.pass(work))
  for (const work of works.toReversed()) add(work, play.deletions(work))
  return { opening: opened + looking, phases }
}

function inSeconds(latencies: StoreLatencies): StoreLatencies {
  const { sourceRead, destinationRead, write, heavy } = latencies
  return {
    sourceRead: sourceRead / 1000,
    destinationRead: destinationRead / 1000,
    write: write / 1000,
    heavy: heavy / 1000,
  }
}

class Play {
  now = 0
  private readonly seconds: StoreLatencies
  private readonly source: Store
  private readonly destination: Store
  private readonly inTurn: boolean

  constructor(seconds: StoreLatencies, quotas: Conditions['quotas'], inTurn: boolean) {
    this.seconds = seconds
    this.inTurn = inTurn
    this.source = new Store(quotas.source)
    this.destination = new Store(quotas.destination)
  }

  wait(seconds: number): void {
    this.now += seconds
  }

  /** @param unhindered seconds that the opening calls take without a quota. */
  open(calls: OpeningCalls, unhindered: number): void {
    const from = this.now
    this.now = Math.max(
      this.source.send(from, calls.source, unhindered),
      this.destination.send(from, calls.destination, unhindered),
      from + unhindered,
    )
  }

  /** @returns the seconds the pass took. */
  pass(work: PassWork): number {
    const { seconds, source, destination } = this
    const began = this.now
    this.wait(passSeconds)
    this.oneByOne(destination, work.listing, seconds.destinationRead, pageSeconds)
    this.together(destination, work.listingDetails, seconds.destinationRead)
    this.oneByOne(source, work.staging, seconds.sourceRead, pageSeconds)
    this.copy(work)
    this.together(source, work.lateReads, seconds.sourceRead)
    this.together(destination, work.lateWrites, seconds.write + writeSeconds)
    this.oneByOne(destination, work.recordingChecksums, seconds.destinationRead, pageSeconds)
    return this.now - began
  }

  deletions({ deletions, deletionReads, deletionSourceReads }: PassWork): number {
    const began = this.now
    this.oneByOne(this.source, deletionSourceReads, this.seconds.sourceRead, 0)
    this.oneByOne(this.destination, deletionReads, this.seconds.destinationRead, 0)
    this.together(this.destination, deletions, this.seconds.write + writeSeconds)
    return this.now - began
  }

  /** Reads and plans the source while the destination is written. */
  private copy(work: PassWork): void {
    const { source, destination } = this
    if (work.pages === 0 && work.pageReads === 0) return
    const { first, all: read } = this.readingSeconds(work)
    const { total, chain } = this.writingSeconds(work)
    // Writing begins after the first page is read and ends after the last one.
    const unhindered = Math.max(read + chain, first + total)
    const sourceCalls = work.pageReads + work.sourceDetails
    const destinationCalls = work.examining + work.examiningDetails + work.itemReads + work.writes + work.heavyWrites
    const from = this.now
    // After the last call that waited for the quota, the rest of its item still takes time.
    this.now = Math.max(
      source.send(from, sourceCalls, unhindered - chain) + chain,
      destination.send(from, destinationCalls, unhindered - chain) + chain,
      from + unhindered,
    )
  }

  /** @returns the seconds until the first page is planned, and until all are. */
  private readingSeconds(work: PassWork): { first: number; all: number } {
    const { sourceRead, destinationRead } = this.seconds
    // The detail lists of a page are read in parallel; a page without any does not wait.
    const ofDetails = (calls: number, store: Store, latency: number) =>
      Math.max(pagesWithAny(work.pages, calls), calls / store.inFlight(latency)) * latency
    const steps = [
      work.pageReads * sourceRead,
      ofDetails(work.sourceDetails, this.source, sourceRead),
      (work.pages + work.examining) * pageSeconds +
        work.examining * destinationRead +
        ofDetails(work.examiningDetails, this.destination, destinationRead),
    ]
    const sum = steps.reduce((total, step) => total + step, 0)
    const first = sum / Math.max(1, work.pages)
    if (this.inTurn) return { first, all: sum }
    // The next page is listed while the details of one are read and another is planned: the slowest step counts.
    const slowest = Math.max(...steps)
    return { first, all: slowest + first - slowest / Math.max(1, work.pages) }
  }

  private writingSeconds(work: PassWork): { total: number; chain: number } {
    if (work.roots === 0) return { total: 0, chain: 0 }
    const { destinationRead, write, heavy } = this.seconds
    const writes = work.writes + work.heavyWrites
    const busy = work.itemReads * destinationRead + work.writes * write + work.heavyWrites * heavy
    // There are fewer batches than items; the calls of one item run one after another.
    const lines = Math.max(1, Math.min(work.roots, writes))
    const chain = busy / lines + writeSeconds
    const atOnce = Math.min(lines, rootsUnderWay, this.destination.inFlight(busy / Math.max(1, writes)))
    const total = Math.max(busy / atOnce, writes * writeSeconds) + chain + (work.levels - 1) * (write + writeSeconds)
    return { total, chain }
  }

  private oneByOne(store: Store, calls: number, latency: number, own: number): void {
    if (calls > 0) this.now = store.send(this.now, calls, calls * (latency + own))
  }

  private together(store: Store, calls: number, latency: number): void {
    if (calls > 0) this.now = store.send(this.now, calls, Math.ceil(calls / store.inFlight(latency)) * latency)
  }
}

/** One store's quota during the simulation. */
class Store {
  private readonly share: QuotaShare
  private left: number
  private resetsAt: number
  /** Whether the current window was used up, and the one before. */
  private usedUp = false
  private wasUsedUp = false

  constructor(share: QuotaShare) {
    this.share = share
    this.left = share.left ?? 0
    this.resetsAt = share.left === undefined ? 0 : (share.resetSeconds ?? 0)
  }

  /** Concurrent calls that the governor allows. */
  inFlight(latency: number): number {
    const { calls, windowSeconds } = this.share
    if (!Number.isFinite(calls)) return unlimitedInFlight
    return Math.min(mostInFlight, Math.max(leastInFlight, Math.ceil((calls / windowSeconds) * latency * inFlightSlack)))
  }

  /**
   * Sends calls that would take `seconds` without a quota.
   *
   * @returns when the last call is answered.
   */
  send(from: number, calls: number, seconds: number): number {
    if (!Number.isFinite(this.share.calls) || calls <= 0) return from + seconds
    const gap = seconds / calls
    let open = calls
    let now = from
    for (;;) {
      if (this.left <= 0 && now < this.resetsAt) {
        this.usedUp = true
        now = this.resetsAt
      }
      if (now >= this.resetsAt) this.begin(now)
      const pace = this.pace(now, gap)
      const fitting = pace.gap === 0 ? open : Math.max(1, Math.floor((this.resetsAt - now) / pace.gap))
      const sent = Math.min(open, pace.calls, fitting)
      this.left -= sent
      open -= sent
      now += sent * pace.gap
      if (open <= 0) return now
    }
  }

  private begin(now: number): void {
    this.left = this.share.calls
    this.resetsAt = now + this.share.windowSeconds
    this.wasUsedUp = this.usedUp
    this.usedUp = false
  }

  /** How many calls are next, and the seconds between them: at once or evenly, as the governor sends them. */
  private pace(now: number, gap: number): { calls: number; gap: number } {
    if (!this.wasUsedUp) return { calls: this.left, gap }
    const { calls, windowSeconds } = this.share
    const atOnce = this.left - Math.floor(calls * (1 - sentAtOnce))
    if (atOnce > 0) return { calls: atOnce, gap }
    const until = this.resetsAt - windowSeconds * (1 - sentEvenlyUntil)
    return { calls: this.left, gap: Math.max(gap, (until - now) / this.left) }
  }
}
