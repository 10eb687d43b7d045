import type { PlannedChild } from '../../db/ledger/deletions.ts'
import { type LedgerRow, type LedgerState, statesOf } from '../../db/ledger/ledger.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { namesOf } from '../core/pairing.ts'
import { isPlanned, type PageItem } from '../plan/decision.ts'
import { planPage } from '../plan/plan-page.ts'
import { recordGone, recordUnwritable } from '../plan/record-plan.ts'
import { readNow } from '../read/by-ids.ts'
import { openPass } from './open-pass.ts'
import { recordChecksums } from './record-checksums.ts'
import { startPlanned } from './start-items.ts'

/** Items that lose children, read again in one go. */
export interface LosingChildren {
  rootIds: string[]
  /** The children that may be deleted from them, if only the destination still has these. */
  planned: PlannedChild[]
}

/** Reads items again on both sides, deletes the planned children, and writes what had to wait for that (G4). */
export async function deleteChildren(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  pages: AsyncIterable<LosingChildren>,
): Promise<void> {
  const deletions = new Map<string, PlannedChild[]>()
  const open = openPass(context, entity, pass, { adoptOnly: false, deletions })
  await open.workers.watch(async () => {
    for await (const { rootIds, planned } of pages) {
      deletions.clear()
      for (const [rootId, children] of Map.groupBy(planned, (child) => child.rootId)) deletions.set(rootId, children)
      const items = await readNow(context, 'source', pass, rootIds)
      const states = await statesOf(context.database, context.run.id, pass.key, rootIds)
      const found = await planPage(open.plan, items)
      const unfinished = states.filter(({ state }) => state === 'pending').map(({ rootId }) => rootId)
      const read = new Set(items.map((item) => String(item[pass.source.idField])))
      await recordGone(
        open.plan,
        [...new Set(unfinished)].filter((id) => !read.has(id)),
        states,
      )
      await recordUnwritable(open.plan, found, states)
      await startPlanned(open, found.map(compared), statesIn(states, found))
      await open.workers.settle()
    }
    await recordChecksums(context, pass)
  })
}

/** Children that an item has gained in the source since it was compared are left to the next run. */
function statesIn(rows: LedgerRow[], found: PageItem[]): (rootId: string) => Map<string, LedgerState> {
  const byRoot = Map.groupBy(rows, ({ rootId }) => rootId)
  const drafts = new Map(found.filter(isPlanned).map(({ resolved: { draft } }) => [draft.id, draft]))
  return (rootId) => {
    const draft = drafts.get(rootId)
    const names = draft ? namesOf(draft) : []
    const known = (byRoot.get(rootId) ?? []).map((row) => [`${row.component}/${row.sourceId}`, row.state] as const)
    const unknown = names.map(({ component, sourceId }) => [`${component}/${sourceId}`, 'skipped'] as const)
    return new Map<string, LedgerState>([...unknown, ...known])
  }
}

/** Has the item compared, even if nothing seems to have changed. */
function compared(one: PageItem): PageItem {
  if (!isPlanned(one) || !one.mapping || one.decision.kind === 'examine') return one
  const { destinationId } = one.mapping
  return { ...one, decision: { kind: 'examine', destinationId, adopts: false, changed: false } }
}
