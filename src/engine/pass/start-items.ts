import type { LedgerRow, LedgerState } from '../../db/ledger/ledger.ts'
import { type Draft, identity } from '../../entities/core/define.ts'
import { ItemGone } from '../core/stopping.ts'
import type { Decision } from '../plan/decide.ts'
import type { PlannedItem, Unwritable } from '../plan/decision.ts'
import { itemsByIds } from '../read/by-ids.ts'
import { ItemTask } from '../write/item-task.ts'
import { type OpenPass, startItem } from './open-pass.ts'

/** Begins to write the planned items. `rows`: their states in the ledger. */
export async function startAll(
  open: OpenPass,
  planned: (PlannedItem | Unwritable)[],
  rows: LedgerRow[],
): Promise<void> {
  const byRoot = Map.groupBy(rows, ({ rootId }) => rootId)
  const statesOf = (rootId: string) =>
    new Map((byRoot.get(rootId) ?? []).map((row) => [`${row.component}/${row.sourceId}`, row.state]))
  await startPlanned(open, planned, statesOf)
}

/** @param statesOf states of a root and its children by `component/id`; what is not pending is not written */
export async function startPlanned(
  open: OpenPass,
  planned: (PlannedItem | Unwritable)[],
  statesOf: (rootId: string) => Map<string, LedgerState>,
): Promise<void> {
  const existing = await existingToExamine(open, planned)
  for (const one of planned) if ('resolved' in one) await startOne(open, one, existing, statesOf(one.resolved.draft.id))
}

/** Items to examine as the destination has them, read with the largest page that shows all of them. */
async function existingToExamine(
  { pass, context }: OpenPass,
  planned: (PlannedItem | Unwritable)[],
): Promise<Map<string, Draft>> {
  const ids = planned.flatMap((one) =>
    'resolved' in one && one.decision.kind === 'examine' ? [one.decision.destinationId] : [],
  )
  if (!pass.byIds || ids.length === 0) return new Map()
  const items = await itemsByIds(context, 'destination', pass, ids)
  return new Map(items.map((item) => pass.drafts(item, identity)).map((draft) => [draft.id, draft]))
}

async function startOne(
  open: OpenPass,
  planned: PlannedItem,
  existing: Map<string, Draft>,
  states: Map<string, LedgerState>,
): Promise<void> {
  const { decision, mapping, item, resolved } = planned
  const state = states.get(`${open.pass.root}/${resolved.draft.id}`)
  if (!['place', 'create', 'continue', 'examine'].includes(decision.kind)) return
  if ((state ?? 'pending') !== 'pending' && decision.kind === 'create') return
  // An item adopted a moment ago is not ours: it keeps its destination-owned values (D1).
  const copy = decision.kind === 'create' ? undefined : (mapping ?? open.planner.adopted(planned)[0])
  const task = new ItemTask(open.tasks, { item, resolved, mapping: copy, states })
  await startItem(open, resolved.draft, () => {
    if (decision.kind === 'examine') return examine(open, task, planned, { decision, existing })
    if (decision.kind === 'place' && mapping) return task.assign(mapping)
    return decision.kind === 'continue' && mapping ? task.continue(mapping) : task.create()
  })
}

/** @throws ItemGone when it was deleted at the destination after it was listed: the next run creates it. */
async function examine(
  { pass }: OpenPass,
  task: ItemTask,
  { resolved, listed }: PlannedItem,
  {
    decision: { destinationId, changed },
    existing,
  }: { decision: Extract<Decision, { kind: 'examine' }>; existing: Map<string, Draft> },
): Promise<void> {
  const shown = pass.byIds ? undefined : listed?.compare
  const outside = listed?.outside ?? {}
  const found = shown
    ? { ...resolved.draft, id: destinationId, body: shown, compare: shown, outside, children: [] }
    : existing.get(destinationId)
  if (!found) throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being compared`)
  await task.examine({ existing: found, changed, listedChecksum: shown ? (listed?.checksum ?? null) : null })
}
