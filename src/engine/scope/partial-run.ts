import type { Database } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { inScopeAtDestination, markItemsInScope, type Side } from '../../db/runs/scope-items.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { entities, scopeOf } from '../../entities/registry.ts'
import type { OpenRun } from '../context/open-run.ts'
import { everyDraft } from '../core/pairing.ts'

/** A run over picked items, or over one storefront of each store; any other covers whole stores. */
export function isPartialRun({ run }: { run: Pick<OpenRun['run'], 'selective' | 'sourceStorefront'> }): boolean {
  return run.selective || isStorefrontRun({ run })
}

export function isStorefrontRun({ run }: { run: Pick<OpenRun['run'], 'sourceStorefront'> }): boolean {
  return run.sourceStorefront !== null
}

export async function markInScope(
  { run, recorder }: Pick<OpenRun, 'run' | 'recorder'>,
  side: Side,
  items: { component: string; id: string }[],
): Promise<void> {
  if (items.length > 0) await recorder.record((tx) => markItemsInScope(tx, run.id, side, items))
}

/** Components that others belong to or refer to. */
const namedInSets = new Set(
  entities.flatMap(({ passes }) =>
    passes.flatMap((pass) => [...(pass.sets ?? []).map(({ of }) => of), pass.below ?? '']),
  ),
)

/** Notes which drafts of a page others may belong to: a later pass filters a whole list by them. */
export async function markDraftsInScope(
  context: OpenRun,
  side: Side,
  drafts: (Draft | { component: string; id: string })[],
): Promise<void> {
  if (!isPartialRun(context)) return
  const all = drafts.flatMap((root) => ('children' in root ? [...everyDraft(root)] : [root]))
  await markInScope(
    context,
    side,
    all.filter(({ component }) => namedInSets.has(component)).map(({ component, id }) => ({ component, id })),
  )
}

interface ScopeReader {
  run: { id: string }
  database: Database
  pair: StorePair
  mappings: Pick<OpenRun['mappings'], 'scope'>
}

/** Which destination items of a component are in scope. */
export function inScopeThere(
  { run, database, pair, mappings }: ScopeReader,
  component: string,
  ids: string[],
  { neededToo }: { neededToo: boolean },
): Promise<Set<string>> {
  const query = { runId: run.id, scope: mappings.scope(component), component, ids, neededToo }
  return inScopeAtDestination(database, pair, query)
}

/** A destination item as a list shows it. */
interface ListedThere {
  id: string
  parentId: string | undefined
}

/**
 * Which of the items that only the destination has are in scope: all in a run over whole stores, the children of picked
 * items in a run over picks, and what the storefront has in a storefront run (D3, D4).
 */
export async function withinScope<Item extends ListedThere>(
  context: OpenRun,
  pass: Pass,
  items: Item[],
): Promise<Item[]> {
  if (!isPartialRun(context)) return items
  const pickedOnly = { neededToo: false }
  if (pass.below !== undefined) {
    const ids = [...new Set(items.map((item) => item.parentId ?? ''))]
    const parents = await inScopeThere(context, pass.below, ids, pickedOnly)
    return items.filter((item) => parents.has(item.parentId ?? ''))
  }
  if (context.run.selective) return []
  if (scopeOf(pass.root) === 'storefront') return items
  if (!pass.storefront) return []
  const ids = items.map(({ id }) => id)
  const inside = await inScopeThere(context, pass.root, ids, pickedOnly)
  return items.filter(({ id }) => inside.has(id))
}

/** A storefront run never deletes what belongs to the whole store (D3). */
export function mayPrune(context: Pick<OpenRun, 'run'>, component: string): boolean {
  return !isStorefrontRun(context) || scopeOf(component) === 'storefront'
}
