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

  /** Resolves when it is changed; the first call does it. */
  begin(): Promise<Begun> {
    this.begun ??= this.change().catch((error: unknown) => {
      this.begun = undefined
      throw error
    })
    return this.begun
  }

  /** Also what an earlier run left, as no other run writes there. Call it when no write is under way. */
  async release(): Promise<void> {
    await this.begun?.catch(() => undefined)
    this.begun = undefined
    await this.putBack()
  }
}

/** Order emails of the destination. */
export interface MailHold {
  /** Resolves when no later write can send a mail. */
  hold(): Promise<void>
  release(): Promise<void>
}

/** What new orders are going to sell. */
interface Selling {
  component: string
  sourceId: string
  lines: SoldLine[]
}

/** The destination's stock. */
export interface StockHold {
  /** Resolves when what these orders take can be given back, whatever happens. */
  hold(orders: Selling[]): Promise<void>
  release(): Promise<void>
}
