/** Why a child stops before its run is over. Not a failure: everything on the wire is recorded first. */
export type StopReason = 'pause' | 'cancel' | 'drain' | 'memory' | 'lease-lost' | 'handover'

export class Stopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`Stopping: ${reason}`)
    this.name = 'Stopped'
    this.reason = reason
  }
}

/** The run itself cannot go on, and trying again would not help. The message is for the merchant. */
export class RunFailure extends Error {
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'RunFailure'
    this.code = code
  }
}
