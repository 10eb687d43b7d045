import type { ConflictStrategy } from '../../contract/modes.ts'
import { keysOf, listedItems, lookUpKeys } from '../../db/ledger/destination-items.ts'
import { triedAmong } from '../../db/ledger/ledger.ts'
import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { refusedPasses } from '../../db/reports/healing.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { mappingsTo, type Resolved } from '../core/references.ts'
import { existingInSource } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { existingCopies, findUnlisted } from '../read/unlisted.ts'
import { isStorefrontRun } from '../scope/partial-run.ts'
import { onlyNeeded } from '../scope/picked-scope.ts'
import { learnChildrenOfAdopted } from './adopted-children.ts'
import { assignedEarlier, ownOfStorefront, placedEarlier } from './assign-copies.ts'
import { belongingToNew, ownedOnPage, takenOver } from './belonging-to-new.ts'
import { keepBrokenCopies } from './broken-copies.ts'
import { brokenOnPage, referenceTo } from './broken-references.ts'
import { claimsOfOtherRuns, copiesOfOtherRuns } from './copies-of-other-runs.ts'
import { withoutGone } from './gone-copies.ts'
import { claimedAmong, findByKeys, type KeyMatch, keyMatchesToPlan } from './key-matches.ts'
import { leftToOthers } from './left-to-others.ts'
import { learnNamedChildren } from './named-children.ts'

/** What the pages of a pass are planned with. */
export interface PagePlan {
  context: RunContext
  entity: Entity
  pass: Pass
  strategy: ConflictStrategy
  /** Only looks for what exists on both sides. */
  adoptOnly: boolean
  /** Reads the destination as it is now, not as it was listed. */
  healing: boolean
}

/** All facts that decide about the items of a page. Read with a handful of queries, whatever its size (E5). */
export interface PageFacts {
  component: Component
  /** One entry per item. */
  resolved: (Resolved | MissingReference)[]
  /** Mappings of the items, by source id. */
  mappings: ReadonlyMap<string, Mapping>
  /**
   * Source ids of items that have lost their copy to another item: its key has changed, where a different key means a
   * different item, or it was deleted there and one with the same key was made.
   */
  moved: ReadonlySet<string>
  /** Mapped items as the destination has them, by destination id. */
  listed: ReadonlyMap<string, ListedBody>
  /** Destination items that have a key of the item, by source id. */
  candidates: ReadonlyMap<string, KeyMatch[]>
  /** Source ids of items that come into being with an owner that counts as new (stock). */
  onNew: ReadonlySet<string>
  /** Source ids of those whose owner has taken over the copy of another one. */
  takenOver: ReadonlySet<string>
  /** The token cannot see what other API accounts created, so nothing can be looked up. */
  invisible: boolean
  /** Missing parents and parts that this run tried to write, or could not read because their list was refused. */
  tried: ReadonlySet<string>
  /** Destination ids of adopted parents that are protected, because every store has them. */
  protectedParents: ReadonlySet<string>
  /** Source ids of copies that are not on the storefront of this run. */
  notAssigned: ReadonlySet<string>
  /** Source ids of items that were not picked, but are needed by others. */
  onlyNeeded: ReadonlySet<string>
  /** Missing references to items that the source itself does not have. */
  broken: ReadonlySet<string>
}

export async function readPageFacts(plan: PagePlan, items: PlatformItem[]): Promise<PageFacts> {
  const { context, entity, pass, healing } = plan
  const component = componentOf(pass.root)
  const resolved = await resolve(plan, items)
  const good = resolved.filter((one): one is Resolved => !(one instanceof MissingReference))
  const [recorded, tried, protectedParents, needed, broken] = await Promise.all([
    mappingsById(plan, good),
    readTried(plan, resolved),
    readProtectedParents(plan, good),
    onlyNeeded(context, pass, items),
    brokenOnPage(context, pass, resolved),
  ])
  const owned = ownedOnPage(pass, items, resolved)
  const [onNew, kept] = await Promise.all([
    belongingToNew(context, entity, pass, owned, recorded),
    takenOver(context, pass, owned, recorded),
  ])
  const invisible = context.client.invisibleToToken(component)
  if (!healing && !invisible) await findCopies(plan, recorded)
  const copies = [...recorded.values()].map(({ destinationId }) => destinationId)
  const [listed, renamed] = await Promise.all([readListed(plan, copies), readMoved(plan, component, good, recorded)])
  const remade = invisible ? [] : await readRemade(plan, component, good, recorded, listed)
  const moved = new Set([...renamed, ...remade])
  const mappings = new Map([...recorded].filter(([id]) => !moved.has(id)))
  const unmapped = good.map(({ draft }) => draft).filter(({ id }) => !mappings.has(id) && !onNew.has(id))
  const [candidates, notAssigned] = await Promise.all([
    invisible ? new Map<string, KeyMatch[]>() : readCandidates(plan, unmapped),
    readNotAssigned(plan, good, mappings, listed),
  ])
  const read = {
    mappings,
    moved,
    onNew,
    takenOver: kept,
    listed,
    candidates,
    tried,
    protectedParents,
    notAssigned,
  }
  return { component, resolved, invisible, onlyNeeded: needed, broken, ...read }
}

async function resolve(
  { context, pass, strategy, adoptOnly }: PagePlan,
  items: PlatformItem[],
): Promise<(Resolved | MissingReference)[]> {
  const first = await context.references.resolve(pass, items)
  const learned = await learnNamedChildren(context, pass, items, first)
  const more = !adoptOnly && (await learnChildrenOfAdopted(context, pass, items, first))
  const all = learned || more ? await context.references.resolve(pass, items) : first
  const resolved = adoptOnly ? all : await withoutGone(context, pass, items, all)
  const own = await leftToOthers(context, pass, items, resolved)
  return keepBrokenCopies(context, pass, items, own, { compares: strategy !== 'skip', writes: true })
}

/**
 * Of people who belong to a storefront, also what runs of another extent copied: who was deleted since stays so (G12). Without
 * copies that this run has for others: the source may have deleted these people.
 */
async function mappingsById({ context, pass }: PagePlan, resolved: Resolved[]): Promise<Map<string, Mapping>> {
  const { root } = pass
  const ids = resolved.map(({ draft }) => draft.id)
  const mappings = await context.references.mappings(ids.map((sourceId) => ({ component: root, sourceId })))
  const known = new Map([...mappings.values()].map((mapping) => [mapping.sourceId, mapping]))
  if (!componentOf(root).staysErased) return known
  const unknown = ids.filter((id) => !known.has(id))
  const copies = await copiesOfOtherRuns(context, root, unknown)
  const scope = context.references.scope(root)
  const there = copies.map(({ destinationId }) => destinationId)
  const claims = await claimsOf(context.database, context.pair, scope, root, there)
  // What they were like is compared as this run sees it.
  const here = { scope, draftChecksum: null, destinationChecksum: null }
  for (const copy of copies) if (!claims.has(copy.destinationId)) known.set(copy.sourceId, { ...copy, ...here })
  return known
}

/** Looks up copies that the list does not show, except those that this run created, which are newer than the list. */
async function findCopies({ context, pass, strategy }: PagePlan, mappings: Map<string, Mapping>): Promise<void> {
  const ids = [...mappings.values()].filter(({ runId }) => runId !== context.run.id).map((one) => one.destinationId)
  await findUnlisted(context, pass, ids, { compares: strategy !== 'skip' })
}

async function readMoved(
  { context, pass, strategy }: PagePlan,
  { knownByKey, shared }: Component,
  resolved: Resolved[],
  mappings: Map<string, Mapping>,
): Promise<Set<string>> {
  const leavesShared = shared === true && strategy !== 'skip'
  if ((knownByKey !== true && !leavesShared) || mappings.size === 0) return new Set()
  const copies = [...mappings.values()].map(({ destinationId }) => destinationId)
  const listed = await keysOf(context.database, context.run.id, pass.root, copies)
  const known = resolved.flatMap(({ draft: { id }, draft }) => {
    const copy = mappings.get(id)?.destinationId ?? ''
    const [ours, theirs] = [context.protection.keys(draft), listed.get(copy)]
    const isKnown = theirs !== undefined && ours.length > 0
    return isKnown ? [{ id, copy, isMoved: !ours.some((key) => theirs.includes(key)) }] : []
  })
  // Of items that share a copy, those with its name keep it.
  const kept = new Set(known.filter(({ isMoved }) => !isMoved).map(({ copy }) => copy))
  return new Set(known.filter(({ copy, isMoved }) => isMoved && (knownByKey || kept.has(copy))).map(({ id }) => id))
}

/**
 * Items whose copy was deleted at the destination, where another one with their key was made: that one is
 * adopted, where a new copy would be a second one (B6). Under `skip`, also those whose strongest key the copy of another one
 * has and keeps: they are refused.
 */
async function readRemade(
  plan: PagePlan,
  { recovery, sharesKeys, staysErased, setOnNew }: Component,
  resolved: Resolved[],
  mappings: ReadonlyMap<string, Mapping>,
  listed: ReadonlyMap<string, ListedBody>,
): Promise<string[]> {
  const { context, pass } = plan
  if (staysErased || setOnNew || pass.createOnly) return []
  const earlier = [...mappings.values()].filter(({ runId }) => runId !== context.run.id)
  const lost = new Set(earlier.filter(({ destinationId }) => !listed.has(destinationId)).map((one) => one.sourceId))
  const drafts = resolved.map(({ draft }) => draft).filter(({ id }) => lost.has(id))
  if (drafts.length === 0) return []
  const matches = await readCandidates(plan, drafts)
  const areKept = plan.strategy === 'skip' && recovery === 'key' && !sharesKeys
  return drafts
    .filter((draft) => {
      const [strongest = ''] = context.protection.keys(draft)
      const isTaken = ({ claimedBy, keys }: KeyMatch) =>
        claimedBy === undefined || (areKept && keys.includes(strongest))
      return matches.get(draft.id)?.some(isTaken)
    })
    .map(({ id }) => id)
}

async function readTried({ context, pass }: PagePlan, resolved: (Resolved | MissingReference)[]): Promise<Set<string>> {
  const missing = resolved.filter((one) => one instanceof MissingReference)
  const triedOf = async (component: string) => {
    const ids = missing.filter((one) => one.component === component).map(({ sourceId }) => sourceId)
    const isRefusedList = ids.length > 0 && (await isRefused(context, component))
    const tried = isRefusedList ? ids : await triedAmong(context.database, context.run.id, component, ids)
    return [...tried].map((sourceId) => referenceTo({ component, sourceId }))
  }
  const components = [pass.below, pass.part?.component].filter((one) => one !== undefined)
  return new Set((await Promise.all(components.map(triedOf))).flat())
}

/** Whether a store refused a list of the component and it has not been read since: healing may still write its items. */
async function isRefused({ database, run }: RunContext, component: string | undefined): Promise<boolean> {
  if (run.mode !== 'full') return false
  const refused = await refusedPasses(database, run)
  return entities.some(({ passes }) => passes.some(({ key, root }) => root === component && refused.includes(key)))
}

export function isBelowAdopted({ pass: { below } }: PagePlan, resolved: Resolved): boolean {
  const { parentId } = resolved.draft
  if (below === undefined || parentId === null) return false
  return mappingsTo(resolved, below, parentId).some(({ origin }) => origin === 'adopted')
}

/** Only of adopted parents does it matter. */
async function readProtectedParents(plan: PagePlan, resolved: Resolved[]): Promise<Set<string>> {
  const { context, pass } = plan
  const { below } = pass
  const adopted = resolved.filter((one) => isBelowAdopted(plan, one))
  const ids = [...new Set(adopted.flatMap(({ draft }) => draft.parentId ?? []))]
  if (below === undefined || ids.length === 0) return new Set()
  const parents = await listedItems(context.database, context.run.id, below, ids)
  return new Set(ids.filter((id) => (parents.get(id) as ListedBody | undefined)?.spared))
}

async function readListed(
  { context, pass, strategy, healing }: PagePlan,
  destinationIds: string[],
): Promise<Map<string, ListedBody>> {
  if (healing) return existingCopies(context, pass, destinationIds, { compares: strategy !== 'skip' })
  // This run's lister wrote the rows.
  return (await listedItems(context.database, context.run.id, pass.root, destinationIds)) as Map<string, ListedBody>
}

async function readCandidates(plan: PagePlan, drafts: Draft[]): Promise<Map<string, KeyMatch[]>> {
  const { context, pass, strategy, healing } = plan
  const { database, protection, run } = context
  if (healing) return keyMatchesToPlan(context, pass, drafts, { compares: strategy !== 'skip' })
  const keys = new Map(drafts.map((draft) => [draft.id, protection.keys(draft)]))
  const listedHits = await lookUpKeys(database, run.id, pass.root, [...keys.values()].flat())
  const unknown = drafts.filter(({ id }) => !(keys.get(id) ?? []).some((key) => listedHits.has(key)))
  const foundMore = await findByKeys(context, pass, unknown, { compares: strategy !== 'skip' })
  const hits = foundMore ? await lookUpKeys(database, run.id, pass.root, [...keys.values()].flat()) : listedHits
  const { copies, ofOthers } = await copiesElsewhere(context, pass, keys, hits)
  const below = belowSameParent(plan, drafts)
  const ids = [...new Set([...hits.values(), ...copies.values(), ...below.values()].flat())]
  const theirs = await keysOf(database, run.id, pass.root, ids)
  const [claims, listed] = await Promise.all([
    claimedAmong(context, pass, ids, (id) => theirs.get(id) ?? []),
    strategy === 'skip' ? new Map<string, ListedBody>() : readListed(plan, ids),
  ])
  const matchOf = (id: string): KeyMatch => ({
    destinationId: id,
    keys: theirs.get(id) ?? [],
    claimedBy: claims.get(id),
    body: listed.get(id),
  })
  const isListed = (id: string) => theirs.has(id)
  return new Map(
    [...keys].map(([sourceId, own]) => {
      const ofParent = (below.get(sourceId) ?? []).filter((id) => listed.has(id)).map(matchOf)
      const found = [...new Set(own.flatMap((key) => hits.get(key) ?? []))]
      const matches = found.filter((id) => !ofOthers(id, sourceId)).map(matchOf)
      const copy = copies.get(sourceId)
      const renamed = copy !== undefined && isListed(copy) ? [{ ...matchOf(copy), keys: own }] : []
      return [sourceId, [...matches, ...renamed, ...ofParent]]
    }),
  )
}

/**
 * By source id, the id of what a parent has one of. `skip` writes that of its own copies, also where it is there already with
 * what another run knew of (D3).
 */
function belowSameParent({ pass, strategy }: PagePlan, drafts: Draft[]): Map<string, string[]> {
  if (!pass.hasIdOfParent || strategy === 'skip') return new Map()
  return new Map(drafts.map(({ id, parentId }) => [id, parentId === null ? [] : [parentId]]))
}

interface CopiesElsewhere {
  copies: ReadonlyMap<string, string>
  ofOthers(destinationId: string, sourceId: string): boolean
}

/**
 * Which destination items are copies of other items that runs of another extent made: an item that has exchanged its name with
 * another does not take that one's copy. And such copies of the items that have no match then, by source id: they were renamed
 * since in one of the stores (B6).
 */
async function copiesElsewhere(
  context: RunContext,
  pass: Pass,
  keys: ReadonlyMap<string, string[]>,
  hits: ReadonlyMap<string, string[]>,
): Promise<CopiesElsewhere> {
  const { root, lookupOnly } = pass
  if (lookupOnly || componentOf(root).knownByKey) return { copies: new Map(), ofOthers: () => false }
  const found = (own: string[]) => own.flatMap((key) => hits.get(key) ?? [])
  const claims = await claimsOfOtherRuns(context, root, [...new Set([...hits.values()].flat())])
  const owners = [...keys].flatMap(([sourceId, own]) =>
    found(own)
      .flatMap((id) => claims.get(id) ?? [])
      .filter((owner) => owner !== sourceId),
  )
  const existing = owners.length > 0 ? await existingInSource(context, pass, [...new Set(owners)]) : new Set<string>()
  const ofOthers = (destinationId: string, sourceId: string) => {
    const owner = claims.get(destinationId)
    return owner !== undefined && owner !== sourceId && existing.has(owner)
  }
  const unmatched = [...keys].filter(([id, own]) => own.length > 0 && found(own).every((hit) => ofOthers(hit, id)))
  const copies = await copiesOfOtherRuns(
    context,
    root,
    unmatched.map(([id]) => id),
  )
  return { copies: new Map(copies.map(({ sourceId, destinationId }) => [sourceId, destinationId])), ofOthers }
}

/** Copies without assignments of this run's storefronts: a run over another storefront made them (D3). */
async function readNotAssigned(
  plan: PagePlan,
  resolved: Resolved[],
  mappings: ReadonlyMap<string, Mapping>,
  listed: ReadonlyMap<string, ListedBody>,
): Promise<Set<string>> {
  if (!assignsCopies(plan)) return new Set()
  const copies = resolved.filter(({ draft }) => {
    const mapping = mappings.get(draft.id)
    return mapping?.origin === 'created' && mapping.runId !== plan.context.run.id
  })
  // Those that this run's storefronts have seen in full have checksums, and are where the merchant has put them since.
  const others = copies.filter(({ draft }) => mappings.get(draft.id)?.draftChecksum === null)
  const ours = isStorefrontRun(plan.context) ? copies : others
  const own = ours.flatMap(({ draft }) => ownOfStorefront(draft).map((child) => ({ root: draft.id, child })))
  const requested = own.map(({ child }) => ({ component: child.component, sourceId: child.id }))
  const there = requested.length === 0 ? new Map() : await plan.context.references.mappings(requested)
  const isThere = ({ child: { component, id } }: { child: Draft }) => there.has(`${component}:${id}`)
  const seen = new Set(own.filter(isThere).map(({ root }) => root))
  const open = own.filter(({ root }) => !seen.has(root))
  const earlier = await assignedEarlier(
    plan.context,
    open.map(({ child }) => child),
  )
  const left = new Set(earlier.map(({ sourceId }) => sourceId))
  const unassigned = open.filter(({ child }) => !left.has(child.id)).map(({ root }) => root)
  const elsewhere = others
    .flatMap(({ draft }) => mappings.get(draft.id) ?? [])
    .filter(({ destinationId }) => listed.get(destinationId)?.elsewhere)
  const placed = await placedEarlier(plan.context, plan.pass.root, elsewhere)
  const notPlaced = elsewhere.filter(({ destinationId }) => !placed.has(destinationId))
  return new Set([...unassigned, ...notPlaced.map(({ sourceId }) => sourceId)])
}

/** Whether copies that another run made are assigned to this run's storefronts. */
export function assignsCopies({ strategy, adoptOnly }: Pick<PagePlan, 'strategy' | 'adoptOnly'>): boolean {
  return strategy === 'skip' && !adoptOnly
}
