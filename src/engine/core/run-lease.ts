import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { beat, type Heartbeat, LeaseLost } from '../../db/ledger/leases.ts'
import { Stopped, type StopReason } from './stopping.ts'

/**
 * A write may start only while the last confirmed heartbeat is no older than this. Larger: a write could start more
 * than a second after a pause was accepted (A7). Smaller: a slow commit of the database would delay every write.
 */
const freshMs = 700
const beatEveryMs = 250
/** After this, the previous process can no longer send anything (A4). */
export const leaseMs = 6_000

/** By both clocks: the monotonic one stops while the machine sleeps, and the other may be set. */
interface Instant {
  monotonicMs: number
  wallMs: number
}

function instantOf(clock: Clock): Instant {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.now().getTime() }
}

/** The longer time of the two. If the clock was set, a write waits for the next heartbeat. */
function passedMs(from: Instant, to: Instant): number {
  return Math.max(to.monotonicMs - from.monotonicMs, to.wallMs - from.wallMs)
}

/** Renews the lease of a run and knows, at any moment, whether this process may still write. */
export class RunLease {
  private readonly stopper = new AbortController()
  private confirmed: Instant
  private beating: Promise<void> = Promise.resolve()
  private readonly ending = new AbortController()
  private readonly options: {
    database: Database
    clock: Clock
    run: { id: string; epoch: number }
    onBeat?: () => Promise<void> | void
  }

  constructor(options: RunLease['options']) {
    this.options = options
    this.confirmed = instantOf(options.clock)
  }

  /** Aborted, with a `Stopped` as its reason, as soon as no new write may start. */
  get stop(): AbortSignal {
    return this.stopper.signal
  }

  get reason(): StopReason | null {
    return this.stopper.signal.aborted ? (this.stopper.signal.reason as Stopped).reason : null
  }

  requestStop(reason: StopReason): void {
    if (!this.stopper.signal.aborted) this.stopper.abort(new Stopped(reason))
  }

  start(): void {
    this.beating = this.keepBeating()
  }

  async end(): Promise<void> {
    this.ending.abort()
    await this.beating
  }

  /**
   * The last check before a write is sent. Waits for the next heartbeat if the last one is not fresh.
   * @throws Stopped when a pause, cancel or hand-over was requested, or the lease is gone
   */
  async confirm(): Promise<void> {
    while (!this.stop.aborted && passedMs(this.confirmed, instantOf(this.options.clock)) > freshMs)
      await this.options.clock.sleep(20, this.stop)
    this.stop.throwIfAborted()
  }

  private async keepBeating(): Promise<void> {
    const { clock } = this.options
    while (!this.ending.signal.aborted && this.reason !== 'lease-lost') {
      await this.beatOnce()
      // The end of the lease only cuts the wait short.
      await clock.sleep(beatEveryMs, this.ending.signal).catch(() => undefined)
    }
  }

  private async beatOnce(): Promise<void> {
    const { database, run, clock, onBeat } = this.options
    // Taken before the query, so the answer is not older than this.
    const sentAt = instantOf(clock)
    try {
      this.obey(await beat(database, run.id, run.epoch))
      this.confirmed = sentAt
      await onBeat?.()
    } catch (error) {
      if (error instanceof LeaseLost) this.requestStop('lease-lost')
      // The database may be unreachable for a moment; nothing is written until a heartbeat is confirmed again.
    }
  }

  private obey({ asked, status, organisationEnabled }: Heartbeat): void {
    if (asked !== 'none') this.requestStop(asked)
    else if (!organisationEnabled) this.requestStop('cancel')
    else if (status !== 'in_progress') this.requestStop('lease-lost')
  }
}
