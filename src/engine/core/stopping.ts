import type { Outage } from '../../db/ledger/waiting.ts'

/** Why a child stops before its run is over. Not a failure: every call in flight is recorded first. */
export type StopReason = 'pause' | 'cancel' | 'drain' | 'memory' | 'lease-lost' | 'handover'

export class Stopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`Stopping: ${reason}`)
    this.name = 'Stopped'
    this.reason = reason
  }
}

/** Something that an item needs was deleted during the run. The message is for the merchant. */
export class ItemGone extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ItemGone'
  }
}

/**
 * The run cannot go on now. With an outage, it waits until the system answers again; otherwise it pauses until a person
 * has done what the message says (G8).
 */
export class RunFailure extends Error {
  readonly code: string
  readonly outage: Outage | null

  constructor(
    code: string,
    message: string,
    { cause, outage = null }: { cause?: unknown; outage?: Outage | null } = {},
  ) {
    super(message, { cause })
    this.name = 'RunFailure'
    this.code = code
    this.outage = outage
  }
}
