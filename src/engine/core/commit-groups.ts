import type { Clock } from '../../clock.ts'
import { isDatabaseAway } from '../../db/core/database-away.ts'
import { LeaseLost } from '../../db/ledger/leases.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * How long a group waits for more items while many are under way. A commit takes about as long, and most of its work does
 * not depend on the number of items. With more, each item would take longer and a store would idle.
 */
const fillMs = 5
/**
 * An item that comes this soon after a commit belongs to work on many items. Work that goes on one step after the other
 * has made a call of a store meanwhile, and is not kept waiting.
 */
const soonMs = 2

/**
 * Commits items in order, many at once: while one group is being committed, the next one fills. A group that fails is
 * committed item by item, so that one bad item does not fail the others.
 */
export class CommitGroups<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = []
  private running = false
  private last = { size: 0, endedMs: Number.NEGATIVE_INFINITY }
  private readonly largest: number
  private readonly clock: Clock
  private readonly commitAll: (items: Item[]) => Promise<Result[]>

  /** @param commitAll returns one result for each item, or commits none of them */
  constructor({ largest, clock }: { largest: number; clock: Clock }, commitAll: (items: Item[]) => Promise<Result[]>) {
    this.largest = largest
    this.clock = clock
    this.commitAll = commitAll
  }

  /** Resolves when the item is committed. @throws what committing it threw, or LeaseLost */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      if (!this.running) void this.drain()
    })
  }

  private async drain(): Promise<void> {
    this.running = true
    while (this.waiting.length > 0) {
      if (this.isBusy() && this.waiting.length < this.largest) await this.clock.sleep(fillMs)
      const group = this.waiting.splice(0, this.largest)
      await this.commit(group)
      this.last = { size: group.length, endedMs: this.clock.monotonicMs() }
    }
    this.running = false
  }

  private isBusy(): boolean {
    const { size, endedMs } = this.last
    return this.clock.monotonicMs() - endedMs < (size > 1 ? fillMs : soonMs)
  }

  private async commit(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.commitAll(group.map(({ item }) => item))
      // `commitAll` returns one result for each item.
      for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result)
    } catch (error) {
      if (group.length > 1 && mayBeOneItem(error)) for (const one of group) await this.commit([one])
      else for (const { reject } of group) reject(error)
    }
  }
}

/** An unreachable database may have committed all the same, and items must not be committed twice. */
function mayBeOneItem(error: unknown): boolean {
  return !(error instanceof LeaseLost) && !isDatabaseAway(error)
}
