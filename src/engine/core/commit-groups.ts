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
 * Commits items in order, many at once: while one group is being committed, the next one fills. A group that fails is
 * committed item by item, so that one bad item does not fail the others.
 */
export class CommitGroups<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = []
  private running = false
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
    for (let last = 0; this.waiting.length > 0; ) {
      // An item that came alone is waited for by work that goes on one step after the other.
      if (last > 1 && this.waiting.length < this.largest) await this.clock.sleep(fillMs)
      const group = this.waiting.splice(0, this.largest)
      last = group.length
      await this.commit(group)
    }
    this.running = false
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
