interface Limits {
  /** How many hold a place. */
  slots(): number
  /** How many wait aside before no other is begun: each is kept whole. Absent: any number. */
  parked?(): number
  /** Nobody holds a place, and as many wait aside as may: whoever can has to end a wait. */
  saturated?(): void
}

/** Items under way: bounds how many hold a place, lets long waits step aside, and ends when all are done. */
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

  /** Starts the work when there is a place. @throws the first fault of any work. */
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

  /** Waits without holding a place: the items behind go on. */
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

  /** Nobody holds a place; whoever is left waits aside. */
  async quiet(): Promise<void> {
    while (this.active > 0) await this.change()
  }

  get idle(): boolean {
    return this.active === 0 && this.parked === 0
  }

  /** Resolves at the next change of who is under way. */
  change(): Promise<void> {
    return new Promise((resolve) => this.wakers.push(resolve))
  }

  /** After this every piece of work has ended. @throws the first fault */
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
