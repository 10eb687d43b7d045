const bitsPerBlock = 32

/**
 * A set of any number of ids that takes little memory: the platform numbers items consecutively, so 32 of them share an
 * entry (E5). Ids that are not integers take an entry each.
 */
export class IdSet {
  private readonly blocks = new Map<number, number>()
  private readonly others = new Set<unknown>()
  private count = 0
  private highest: number | null = null

  /** @returns whether it is new */
  add(id: unknown): boolean {
    const isNew = typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? this.addNumber(id) : this.addOther(id)
    if (isNew) this.count += 1
    return isNew
  }

  get size(): number {
    return this.count
  }

  /** The largest number; null without one. */
  get newest(): number | null {
    return this.highest
  }

  private addNumber(id: number): boolean {
    const at = Math.floor(id / bitsPerBlock)
    const bit = 1 << (id % bitsPerBlock)
    const block = this.blocks.get(at) ?? 0
    if ((block & bit) !== 0) return false
    this.blocks.set(at, block | bit)
    this.highest = Math.max(this.highest ?? 0, id)
    return true
  }

  private addOther(id: unknown): boolean {
    if (this.others.has(id)) return false
    this.others.add(id)
    return true
  }
}
