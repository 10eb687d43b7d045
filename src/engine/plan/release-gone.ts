import { forgetMappings } from '../../db/ledger/mappings.ts'
import { identity } from '../../entities/core/references.ts'
import { namedByOthers, passOf } from '../../entities/registry.ts'
import { everyDraft } from '../core/pairing.ts'
import { mappingsTo, namesIn } from '../core/references.ts'
import { isSimulated } from '../core/simulated-id.ts'
import { existingInSource, itemsByIds } from '../read/by-ids.ts'
import { isPlanned, type PageItem, type PlannedItem } from './decision.ts'
import { forgetGoneChildren } from './forget-gone-children.ts'
import type { PagePlan } from './page-facts.ts'

/**
 * Forgets whose copies have the keys of items of a page if the source no longer has them: an item that was deleted in
 * the source and created again, with the same key, takes over the copy of the first one (B6).
 *
 * @returns whether there were any, so that the page has to be planned again
 */
export async function releaseGone({ context, pass }: PagePlan, planned: PageItem[]): Promise<boolean> {
  const keyMatchSources = [...new Set(planned.filter(isPlanned).flatMap((one) => one.keyMatchSources))]
  if (keyMatchSources.length === 0) return false
  const existing = await existingInSource(context, pass, keyMatchSources)
  const scope = context.references.scope(pass.root)
  const gone = keyMatchSources
    .filter((id) => !existing.has(id))
    .map((sourceId) => ({ scope, component: pass.root, sourceId }))
  if (gone.length === 0) return false
  await context.recorder.record((tx) => forgetMappings(tx, context.pair, gone))
  return true
}

/**
 * Forgets children of other items that the destination has lost, if copies that name them are gone with them, such as the
 * variant of a price: only writing their owner creates them again (D2).
 *
 * @returns whether there were any, so that the page has to be planned again
 */
export async function forgetGoneNamed({ context, pass }: PagePlan, planned: PageItem[]): Promise<boolean> {
  const owner = passOf(pass.about?.component ?? '')
  const named = goneCopies(planned).flatMap(({ item, resolved: { known } }) =>
    namesIn(pass, item).flatMap(({ component, sourceId }) => known.get(`${component}:${sourceId}`) ?? []),
  )
  // What this run created is newer than the copies that are gone.
  const earlier = named.filter(({ destinationId, runId }) => runId !== context.run.id && !isSimulated(destinationId))
  const children = earlier.filter(({ component }) => namedByOthers.get(component)?.on === owner?.root)
  if (!owner || children.length === 0) return false
  const owners = earlier.filter(({ component }) => component === owner.root).map((one) => one.destinationId)
  const items = await itemsByIds(context, 'destination', owner, [...new Set(owners)])
  const drafts = items.flatMap((item) => [...everyDraft(owner.drafts(item, identity))])
  const existing = new Set(drafts.map(({ component, id }) => `${component}:${id}`))
  const gone = children.filter(({ component, destinationId }) => !existing.has(`${component}:${destinationId}`))
  if (gone.length === 0) return false
  await context.recorder.record((tx) => forgetMappings(tx, context.pair, gone))
  return true
}

/**
 * Forgets parents that the destination has lost and `skip` leaves out, such as the variant of a metafield: what was below them
 * is left out with them (D2).
 *
 * @returns whether there were any, so that the page has to be planned again
 */
export function forgetGoneParents(
  { context, pass: { below = '' }, strategy }: PagePlan,
  planned: PageItem[],
): Promise<boolean> {
  const parents = goneCopies(planned).flatMap(({ resolved }) =>
    mappingsTo(resolved, below, resolved.draft.parentId ?? ''),
  )
  const earlier = strategy === 'skip' ? parents.filter(({ runId }) => runId !== context.run.id) : []
  return forgetGoneChildren(context, below, earlier)
}

/** Items whose copies were deleted at the destination. */
function goneCopies(planned: PageItem[]): PlannedItem[] {
  return planned.filter(isPlanned).filter(({ decision }) => decision.kind === 'create' && decision.destinationDeleted)
}
