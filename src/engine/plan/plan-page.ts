import { saveMappings } from '../../db/ledger/mappings.ts'
import type { NewMapping } from '../../db/ledger/store-pair.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { itemsByIds } from '../read/by-ids.ts'
import { namedOutside } from '../scope/picks.ts'
import { saveCreations } from '../send/unconfirmed.ts'
import { orAssign, ownOfStorefront } from './assign-copies.ts'
import { adoptedId, TakenOnPage } from './decide.ts'
import { decideItem } from './decide-item.ts'
import { isPlanned, type PageItem, type PlannedItem } from './decision.ts'
import { withRolesLeft } from './left-roles.ts'
import { lostCreations } from './lost-creations.ts'
import { assignsCopies, type PagePlan, readPageFacts } from './page-facts.ts'
import { adoptedMappings } from './planned-rows.ts'
import { forgetGoneNamed, forgetGoneParents, releaseGone } from './release-gone.ts'
import { withRemedies } from './remedy-of-collision.ts'

/**
 * Plans a page. Picked items may refer to others of their kind that were not picked: those are looked up by mapping,
 * then by natural key, and adopted if found (C4).
 */
export async function planWithReferred(plan: PagePlan, items: PlatformItem[]): Promise<PageItem[]> {
  const { context, pass } = plan
  const planned = await planPage(plan, items)
  const missing = planned.filter(isPlanned).flatMap(({ resolved }) => resolved.missing)
  const named = await namedOutside(context, pass, missing)
  if (named.length === 0) return planned
  const others = await planPage(plan, await itemsByIds(context, 'source', pass, named))
  const found = others.flatMap((one) => adoptedMappings(plan, one))
  if (found.length === 0) return planned
  await saveFound(plan, found)
  return planPage(plan, items)
}

/** Decides about the items of a page. */
export async function planPage(plan: PagePlan, items: PlatformItem[]): Promise<PageItem[]> {
  return withRolesLeft(plan, await withRemedies(plan, await decideAll(plan, items)))
}

/** Items that we created without getting a response are planned as our copies. */
async function decideAll(plan: PagePlan, items: PlatformItem[]): Promise<PageItem[]> {
  const { context, pass } = plan
  const decided = await decidePage(plan, items)
  const areStale = [
    await releaseGone(plan, decided),
    await forgetGoneParents(plan, decided),
    await forgetGoneNamed(plan, decided),
  ]
  const planned = areStale.includes(true) ? await decidePage(plan, items) : decided
  const ours = await lostCreations(context, pass, new Map(planned.flatMap(newlyAdopted)))
  if (ours.length === 0) return planned
  await context.recorder.record((tx) => saveCreations(context, tx, componentOf(pass.root), ours))
  return decidePage(plan, items)
}

async function saveFound({ context, pass }: PagePlan, found: NewMapping[]): Promise<void> {
  const { shared } = componentOf(pass.root)
  await context.recorder.record((tx) => saveMappings(tx, context.pair, found, { manyToOne: shared }))
}

function newlyAdopted(one: PageItem): [sourceId: string, destinationId: string][] {
  const adopted = isPlanned(one) && !one.mapping ? adoptedId(one.decision) : undefined
  return isPlanned(one) && adopted !== undefined ? [[one.resolved.draft.id, adopted]] : []
}

/** Decides in the order of the items, because what one takes is no longer free for the next. */
async function decidePage(plan: PagePlan, items: PlatformItem[]): Promise<PageItem[]> {
  const facts = await readPageFacts(plan, items)
  const taken = new TakenOnPage()
  return items.map((item, at) => {
    const decided = decideItem(plan, facts, taken, item, at)
    if (isPlanned(decided)) taken.note({ draft: decided.resolved.draft, mapping: decided.mapping }, decided.decision)
    return decided
  })
}

/**
 * Assigns a copy again, because a process that died may not have recorded its assignment. One that is continued gets what it
 * lacks anyway.
 */
export function orAssignedAgain(plan: PagePlan, one: PageItem): PageItem {
  if (!isPlanned(one) || !assignsCopies(plan) || !isOwnCopy(one) || one.decision.kind === 'continue') return one
  return { ...one, decision: orAssign(one.decision) }
}

function isOwnCopy({ mapping, resolved }: PlannedItem): boolean {
  return mapping?.origin === 'created' && ownOfStorefront(resolved.draft).length > 0
}
