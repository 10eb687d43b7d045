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

/** Something that an item needs was deleted while the run was working. The message is for the merchant. */
export class ItemGone extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ItemGone'
  }
}

/** The run itself cannot go on. The message is for the merchant. */
export class RunFailure extends Error {
  readonly code: string
  /** Another attempt may help, as when a store is away for minutes; otherwise the run ends at once. */
  readonly mayPass: boolean

  constructor(code: string, message: string, { cause, mayPass = false }: { cause?: unknown; mayPass?: boolean } = {}) {
    super(message, { cause })
    this.name = 'RunFailure'
    this.code = code
    this.mayPass = mayPass
  }
}
