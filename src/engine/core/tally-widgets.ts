import type { Tally } from '../../db/ledger/counters.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'

/** Counts the widgets of a page that was written or already as it should be. */
export function tallyWidgets(tally: Tally, draft: Draft): void {
  const count = componentOf(draft.component).widgets?.count(draft) ?? 0
  if (count > 0) tally.add(draft.component, 'widgets', count)
}
