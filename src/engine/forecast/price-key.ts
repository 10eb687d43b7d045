import type { Scope } from '../../model/forecast/scope.ts'
import type { PairHistory } from './pair-history.ts'

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
  const { mode, strategy, pruneLive = [] } = scope
  return JSON.stringify([
    organisationId,
    storeIds,
    mode,
    strategy,
    choicesKey(scope),
    pruneLive.toSorted(),
    items && sorted(Object.entries(items)),
    storefront,
    Object.entries(history).map(([key, value]) => [key, value instanceof Map ? sorted([...value]) : value]),
  ])
}

/** What decides which lists of the two stores are surveyed, and how. */
export function choicesKey({ phases, customerConsent = false, orderStatuses = [] }: Scope): string {
  return JSON.stringify([phases.map(({ key }) => key), customerConsent, orderStatuses.toSorted()])
}

function sorted(entries: [unknown, unknown][]): [unknown, unknown][] {
  return entries.toSorted(([one], [other]) => String(one).localeCompare(String(other)))
}
