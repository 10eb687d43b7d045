/** If fewer deliveries succeed, the destination is blocked for a while. Source: BigCommerce "Webhooks overview". */
const LEAST_SHARE = 0.9
const FEWEST_CALLS = 100
const WINDOW_MS = 120_000
const PAUSE_MS = 180_000

export interface BlockedDestination {
  destination: string
  /** In seconds. */
  time_left: number
  reasons: { failure_description: string; count: number; timestamp: number }[]
}

interface Result {
  atMs: number
  /** undefined if the delivery was acknowledged. */
  failure: string | undefined
}

/** The success rate of one client's destination over a sliding window. */
export class SuccessRate {
  readonly clientId: string
  #destination: string
  #results: Result[] = []
  #blockedUntilMs = 0
  /** How often each failure occurred in the window. */
  #failures = new Map<string, number>()
  #blockedFor: [failure: string, count: number][] = []

  constructor(clientId: string, destination: string) {
    this.clientId = clientId
    this.#destination = destination
  }

  isBlocked(nowMs: number): boolean {
    return nowMs < this.#blockedUntilMs
  }

  /**
   * Adds a result. `scale` shortens the window and the pause.
   *
   * @returns whether this result blocked the destination
   */
  note(failure: string | undefined, nowMs: number, scale: number): boolean {
    this.#add({ atMs: nowMs, failure })
    this.#forget(nowMs - WINDOW_MS * scale)
    const calls = this.#results.length
    const failed = [...this.#failures.values()].reduce((sum, count) => sum + count, 0)
    if (calls < FEWEST_CALLS || (calls - failed) / calls >= LEAST_SHARE) return false
    this.#blockedUntilMs = nowMs + PAUSE_MS * scale
    this.#blockedFor = [...this.#failures]
    this.#failures.clear()
    this.#results = []
    return true
  }

  #add(result: Result): void {
    this.#results.push(result)
    if (result.failure !== undefined) this.#count(result.failure, 1)
  }

  #forget(beforeMs: number): void {
    const kept = this.#results.findIndex(({ atMs }) => atMs >= beforeMs)
    for (const { failure } of this.#results.splice(0, kept)) if (failure !== undefined) this.#count(failure, -1)
  }

  #count(failure: string, step: number): void {
    this.#failures.set(failure, (this.#failures.get(failure) ?? 0) + step)
  }

  shown(nowMs: number): BlockedDestination {
    return {
      destination: this.#destination,
      time_left: Math.max(0, Math.ceil((this.#blockedUntilMs - nowMs) / 1000)),
      reasons: this.#blockedFor.map(([failure_description, count]) => ({
        failure_description,
        count,
        timestamp: Math.floor(nowMs / 1000),
      })),
    }
  }
}
