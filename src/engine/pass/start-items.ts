import type { LedgerRow, LedgerState } from '../../db/ledger/ledger.ts'
import { sourcesOfCopies } from '../../db/ledger/other-sources.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { ItemGone } from '../core/stopping.ts'
import type { Decision } from '../plan/decide.ts'
import { isPlanned, type PageItem, type PlannedItem } from '../plan/decision.ts'
import { copyIssues } from '../plan/plan-issues.ts'
import { adoptedMappings } from '../plan/planned-rows.ts'
import { itemsByIds } from '../read/by-ids.ts'
import { assignAndContinue, assignStorefront } from '../write/assign-storefront.ts'
import { type Compared, compareItem } from '../write/compare-item.ts'
import { continueItem } from '../write/complete-pending.ts'
import type { ItemInput } from '../write/item-state.ts'
import { createAfterNamed } from './create-after-named.ts'
import { type OpenPass, startItem } from './open-pass.ts'

/** Starts to write the planned items. @param rows their states in the ledger */
export async function startAll(open: OpenPass, planned: PageItem[], rows: LedgerRow[]): Promise<void> {
  const byRoot = Map.groupBy(rows, ({ rootId }) => rootId)
  const statesOf = (rootId: string) =>
    new Map((byRoot.get(rootId) ?? []).map((row) => [`${row.component}/${row.sourceId}`, row.state]))
  await startPlanned(open, planned, statesOf)
}

/** @param statesOf states of a root and its children, by `component/id`; only pending ones are written */
export async function startPlanned(
  open: OpenPass,
  planned: PageItem[],
  statesOf: (rootId: string) => Map<string, LedgerState>,
): Promise<void> {
  const examined = await readExamined(open, planned)
  for (const one of planned) if (isPlanned(one)) await startOne(open, one, examined, statesOf(one.resolved.draft.id))
}

/** What is known of the items to examine, by destination id. */
export interface Examined {
  /** The items as they are at the destination, read with the largest page that shows all their fields. */
  existing: ReadonlyMap<string, Draft>
  /** The labels of the other stores that items were copied from. */
  copiedFrom: ReadonlyMap<string, string>
}

export async function readExamined({ pass, context }: OpenPass, planned: PageItem[]): Promise<Examined> {
  const ids = planned.flatMap((one) =>
    isPlanned(one) && one.decision.kind === 'examine' ? [one.decision.destinationId] : [],
  )
  const of = { scope: context.references.scope(pass.root), component: pass.root }
  const sources = await sourcesOfCopies(context.database, context.pair, of, ids)
  const copiedFrom = new Map([...sources].map(([id, { label }]) => [id, label]))
  if (!pass.byIds || ids.length === 0) return { existing: new Map(), copiedFrom }
  const items = await itemsByIds(context, 'destination', pass, ids)
  const drafts = items.map((item) => pass.drafts(item, identity))
  return { existing: new Map(drafts.map((draft) => [draft.id, draft])), copiedFrom }
}

async function startOne(
  open: OpenPass,
  planned: PlannedItem,
  examined: Examined,
  states: Map<string, LedgerState>,
): Promise<void> {
  const { decision, mapping, item, resolved } = planned
  const state = states.get(`${open.pass.root}/${resolved.draft.id}`)
  if (!['assign', 'create', 'continue', 'examine'].includes(decision.kind)) return
  if ((state ?? 'pending') !== 'pending' && decision.kind === 'create') return
  // A newly adopted item is not ours: it keeps its destination-owned values (D1).
  const copy = decision.kind === 'create' ? undefined : (mapping ?? adoptedMappings(open.plan, planned)[0])
  const input: ItemInput = { item, resolved, mapping: copy, states }
  await startItem(open, resolved.draft, () => {
    if (decision.kind === 'examine') return examine(open, input, planned, { decision, ...examined })
    if (decision.kind === 'assign' && mapping) return assignStorefront(open.deps, input, mapping)
    if (decision.kind === 'continue' && mapping)
      return decision.assigns ? assignAndContinue(open.deps, input, mapping) : continueItem(open.deps, input, mapping)
    return createAfterNamed(open, input, copyIssues(open.plan, planned))
  })
}

/** The item to examine as the destination has it, and its checksum if a list shows all of it; undefined if it is gone. */
export function existingOf(
  pass: Pass,
  { resolved, listed, decision }: PlannedItem,
  { existing }: Examined,
): Pick<Compared, 'existing' | 'listedChecksum'> | undefined {
  const id = decision.kind === 'examine' ? decision.destinationId : ''
  const shown = pass.byIds ? undefined : listed?.compare
  const { outside = {}, item: { path } = { path: null } } = listed ?? {}
  const found = shown
    ? { ...resolved.draft, id, body: shown, compare: shown, path, outside, children: [] }
    : existing.get(id)
  return found && { existing: found, listedChecksum: shown ? (listed?.checksum ?? null) : null }
}

/** @throws ItemGone when it was deleted at the destination after it was listed: the next run creates it. */
async function examine(
  { pass, deps }: OpenPass,
  input: ItemInput,
  planned: PlannedItem,
  {
    decision: { destinationId, changed },
    ...examined
  }: Examined & { decision: Extract<Decision, { kind: 'examine' }> },
): Promise<void> {
  const found = existingOf(pass, planned, examined)
  if (!found) throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being compared`)
  await compareItem(deps, input, { ...found, changed, copiedFrom: examined.copiedFrom.get(destinationId) })
}
