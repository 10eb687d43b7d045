import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import type { Scope } from '../../model/forecast/scope.ts'
import type { PairHistory } from './pair-history.ts'

/** Longer: a migration gets the price of a store that has changed since. Shorter: people read on, and get another one. */
const keptMs = 10 * 60_000
/** More than people ask for at the same time. */
const mostKept = 200

interface Kept {
  price: unknown
  atMs: number
}

/** By database, because what a price is about is only known within one. */
const kept = new WeakMap<Database, Map<string, Kept>>()

/**
 * Prices that somebody asked for in the last minutes, in this process. A migration with the same choices keeps the price
 * that was shown before it was started: a second survey measures the stores anew and would say something else.
 */
export class RecentPrices<Price> {
  private readonly prices: Map<string, Kept>
  private readonly clock: Pick<Clock, 'monotonicMs'>

  constructor({ database, clock }: { database: Database; clock: Pick<Clock, 'monotonicMs'> }) {
    this.prices = kept.get(database) ?? new Map()
    kept.set(database, this.prices)
    this.clock = clock
  }

  find(key: string): Price | undefined {
    const found = this.prices.get(key)
    return found && this.clock.monotonicMs() - found.atMs < keptMs ? (found.price as Price) : undefined
  }

  keep(key: string, price: Price): void {
    this.prices.delete(key)
    this.prices.set(key, { price, atMs: this.clock.monotonicMs() })
    const [oldest] = this.prices.keys()
    if (this.prices.size > mostKept && oldest !== undefined) this.prices.delete(oldest)
  }
}

interface Priced {
  organisationId: string
  storeIds: string[]
  scope: Scope
  items: Record<string, number> | null
  storefront: string | null
  /** A price from before another run is another price. */
  history: PairHistory
}

/** Everything that decides a price, apart from what the two stores answer. */
export function priceKey({ scope, items, storefront, history, organisationId, storeIds }: Priced): string {
  const { mode, strategy, phases, customerConsent = false, orderStatuses = [], pruneLive = [] } = scope
  return JSON.stringify([
    organisationId,
    storeIds,
    mode,
    strategy,
    phases.map(({ key }) => key),
    customerConsent,
    orderStatuses.toSorted(),
    pruneLive.toSorted(),
    items && sorted(Object.entries(items)),
    storefront,
    Object.entries(history).map(([key, value]) => [key, value instanceof Map ? sorted([...value]) : value]),
  ])
}

function sorted(entries: [unknown, unknown][]): [unknown, unknown][] {
  return entries.toSorted(([one], [other]) => String(one).localeCompare(String(other)))
}
