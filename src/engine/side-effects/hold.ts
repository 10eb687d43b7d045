import type { SoldLine } from '../../db/side-effects/sold-stock.ts'

/** Keeps something at the destination changed for one run, from the first write that needs it. */
export class Hold<Begun = void> {
  private begun: Promise<Begun> | undefined
  private readonly change: () => Promise<Begun>
  private readonly putBack: () => Promise<void>

  constructor({ change, putBack }: { change: () => Promise<Begun>; putBack: () => Promise<void> }) {
    this.change = change
    this.putBack = putBack
  }

  /** Resolves when the change is made; the first call makes it. */
  begin(): Promise<Begun> {
    this.begun ??= this.change().catch((error: unknown) => {
      this.begun = undefined
      throw error
    })
    return this.begun
  }

  /**
   * Puts back what an earlier run left, too, because no other run writes to this store. Call it when no write is under
   * way.
   */
  async release(): Promise<void> {
    await this.begun?.catch(() => undefined)
    this.begun = undefined
    await this.putBack()
  }
}

/** Keeps the destination's order emails off. */
export interface MailHold {
  /** Resolves when writes can no longer send a mail. */
  hold(): Promise<void>
  release(): Promise<void>
}

/** What new orders are going to sell. */
interface Selling {
  component: string
  sourceId: string
  lines: SoldLine[]
}

/** Makes sure that stock the destination loses to copied orders is given back. */
export interface StockHold {
  /** Resolves when it is certain that what these orders take can be given back. */
  hold(orders: Selling[]): Promise<void>
  release(): Promise<void>
}
