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

  get isIdle(): boolean {
    return this.running === 0
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.queue.push(resolve))
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
}
