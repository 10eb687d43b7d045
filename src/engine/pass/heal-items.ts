import type { LedgerState } from '../../db/ledger/ledger.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { isPlanned, type PageItem } from '../plan/decision.ts'
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
  const write = async (some: PlatformItem[]): Promise<PageItem[]> => {
    const planned = await planPage(open.plan, some)
    await recordDecided(open.plan, planned)
    if (exchanging) await freeExchanged(open, planned, exchanging)
    await startPlanned(open, planned, (rootId) => closed.get(rootId) ?? new Map())
    await open.workers.settle()
    return planned
  }
  await open.workers.watch(async () => {
    // The copy that had their key may have another one by now.
    const waiting = waitingFor(await write(items))
    if (waiting.length > 0) await write(waiting)
  })
}

/** Items that collided with copies of others, which were written along with them. */
function waitingFor(planned: PageItem[]): PlatformItem[] {
  const written = new Set(planned.filter(isPlanned).map(({ resolved }) => resolved.draft.id))
  return planned.filter(isPlanned).flatMap(({ decision, item }) => {
    const isWaiting = decision.kind === 'fail' && decision.claimedBy !== undefined && written.has(decision.claimedBy)
    return isWaiting ? [item] : []
  })
}
