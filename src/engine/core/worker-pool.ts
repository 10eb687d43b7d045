interface Limits {
  /** How many items may have a slot. */
  slots(): number
  /** How many may be parked before no more are started, because each is kept in memory. Absent: any number. */
  parked?(): number
  /** Called when no item has a slot and no more may be parked. It has to end one of the waits. */
  saturated?(): void
}

/** Works on many items at a time: limits how many have a slot, and parks those that wait for long. */
export class WorkerPool {
  private active = 0
  private parked = 0
  private firstFault: unknown
  private faulted = false
  private readonly wakers: (() => void)[] = []
  private readonly limits: Limits
  private readonly running = new Set<Promise<void>>()

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Starts the work when a slot is free. @throws the first fault of any work */
  async start(work: () => Promise<void>): Promise<void> {
    while (!this.hasRoom() && !this.faulted) {
      if (this.active === 0) this.limits.saturated?.()
      await this.change()
    }
    this.throwFault()
    this.active++
    const running: Promise<void> = work()
      .catch((error: unknown) => this.fault(error))
      .finally(() => {
        this.active--
        this.running.delete(running)
        this.wake()
      })
    this.running.add(running)
  }

  private hasRoom(): boolean {
    const { slots, parked } = this.limits
    return this.active < slots() && (parked === undefined || this.parked < parked())
  }

  /** Waits without a slot, so that other items go on. */
  async park<T>(wait: () => Promise<T>): Promise<T> {
    this.active--
    this.parked++
    this.wake()
    try {
      return await wait()
    } finally {
      this.active++
      this.parked--
    }
  }

  /** Resolves when no item has a slot; the others are parked. */
  async quiet(): Promise<void> {
    while (this.active > 0) await this.change()
  }

  get idle(): boolean {
    return this.active === 0 && this.parked === 0
  }

  /** Resolves when an item is parked or ends, or a fault occurs. */
  change(): Promise<void> {
    return new Promise((resolve) => this.wakers.push(resolve))
  }

  /** Resolves when all work has ended. @throws the first fault */
  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled([...this.running])
    this.throwFault()
  }

  throwFault(): void {
    if (this.faulted) throw this.firstFault
  }

  fault(error: unknown): void {
    if (!this.faulted) {
      this.firstFault = error
      this.faulted = true
    }
    this.wake()
  }

  private wake(): void {
    for (const resolve of this.wakers.splice(0)) resolve()
  }
}
