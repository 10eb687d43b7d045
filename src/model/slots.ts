/** Lets a number of works run at once; the others wait, first come, first served. */
export class Slots {
  private readonly atOnce: number
  private running = 0
  private readonly queue: (() => void)[] = []

  constructor(atOnce: number) {
    this.atOnce = atOnce
  }

  get waiting(): number {
    return this.queue.length
  }

  get isFull(): boolean {
    return this.running >= this.atOnce
  }

  get isIdle(): boolean {
    return this.running === 0
  }

  /** @throws the reason of `tooLate`, if it aborts before it is the turn of this work */
  async take<Result>(work: () => Promise<Result>, tooLate?: AbortSignal): Promise<Result> {
    if (this.isFull) await this.turn(tooLate)
    else this.running += 1
    try {
      return await work()
    } finally {
      // The slot goes straight to the next in line.
      const next = this.queue.shift()
      if (next) next()
      else this.running -= 1
    }
  }

  private turn(tooLate?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push(resolve)
      tooLate?.addEventListener('abort', () => {
        const at = this.queue.indexOf(resolve)
        if (at !== -1) this.queue.splice(at, 1)
        reject(tooLate.reason)
      })
    })
  }
}
