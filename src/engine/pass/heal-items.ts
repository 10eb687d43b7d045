import type { LedgerState } from '../../db/ledger/ledger.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { planPage } from '../plan/plan-page.ts'
import { recordDecided } from '../plan/record-plan.ts'
import type { Deletions } from '../write/item-state.ts'
import { freeExchanged } from './free-exchanged.ts'
import { openPass } from './open-pass.ts'
import { startPlanned } from './start-items.ts'

interface Healing {
  alone: boolean
  items: PlatformItem[]
  /** What failed on the items and is not retried now, by the id of the root. */
  closed: Map<string, Map<string, LedgerState>>
  deletions?: Deletions
  /** Source ids of items that were refused because of what another one has. */
  exchanging?: ReadonlySet<string>
}

/** Retries items (F4). */
export async function healItems(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  { alone, items, closed, deletions, exchanging }: Healing,
): Promise<void> {
  const open = openPass(context, entity, pass, {
    adoptOnly: false,
    healing: { alone },
    ...(deletions && { deletions }),
  })
  await open.workers.watch(async () => {
    const planned = await planPage(open.plan, items)
    await recordDecided(open.plan, planned)
    if (exchanging) await freeExchanged(open, planned, exchanging)
    await startPlanned(open, planned, (rootId) => closed.get(rootId) ?? new Map())
    await open.workers.settle()
  })
}
