import type { Mapping } from '../../db/ledger/store-pair.ts'
import { isAccepted } from '../../entities/core/accepted-fields.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { hasRows, type Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { itemWords } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import { namedItems } from '../../model/pending.ts'
import { destinationOwned } from '../context/destination-owned.ts'
import { fieldDifferences } from '../core/pairing.ts'
import { namesIn, type Resolved } from '../core/references.ts'
import { isSimulated, simulatedId } from '../core/simulated-id.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { isPartialRun, mayPrune } from '../scope/partial-run.ts'
import { orAssign, pendingHere } from './assign-copies.ts'
import { referenceTo } from './broken-references.ts'
import {
  adoptedId,
  type Candidate,
  type Decision,
  decide,
  type Found,
  type Listed,
  type TakenOnPage,
} from './decide.ts'
import type { PageItem, PlannedItem } from './decision.ts'
import type { KeyMatch } from './key-matches.ts'
import { isBelowAdopted, type PageFacts, type PagePlan } from './page-facts.ts'
import { unwritable } from './plan-issues.ts'

/** Decides about one item of a page. Pure: reads nothing, changes nothing. @param at its index on the page */
export function decideItem(
  plan: PagePlan,
  facts: PageFacts,
  taken: Pick<TakenOnPage, 'claimedBy'>,
  item: PlatformItem,
  at: number,
): PageItem {
  // One entry per item.
  const resolved = facts.resolved[at] as Resolved | MissingReference
  if (resolved instanceof MissingReference) return withoutParent(plan, facts, item, resolved)
  const { draft } = resolved
  const mapping = facts.mappings.get(draft.id)
  const current = mapping && facts.listed.get(mapping.destinationId)
  const existing = (facts.candidates.get(draft.id) ?? []).filter((match) => isMatch(facts, taken, match))
  const matches = existing.length > 0 ? existing : expected(plan, facts, item, resolved)
  const candidates = candidatesOf(plan, facts, taken, draft, matches)
  const found = foundOf(plan, facts, { item, resolved, mapping, current, candidates })
  const decided = orOwnChange(plan, found, orSkipUncounted(facts, found, decide(found)))
  const decision = facts.notAssigned.has(draft.id) ? orAssign(decided) : decided
  const absent = decision.kind === 'examine' ? missingMember(plan, resolved) : undefined
  if (absent) return unwritable(plan, item, absent, facts.broken)
  const adopted = adoptedId(decision)
  const listed = current ?? matches.find(({ destinationId }) => destinationId === adopted)?.body
  const { broken } = facts
  const moved = facts.moved.has(draft.id)
  const keyMatchSources = sourcesOfKeyMatches(facts, taken, draft, decision)
  return { kind: 'planned', item, resolved, mapping, decision, listed, moved, broken, keyMatchSources }
}

/** What an existing item would be written without, where it must not be: a discount that is on could apply to everything. */
function missingMember(
  { pass: { mayWiden } }: PagePlan,
  { missing, leftToOthers }: Resolved,
): MissingReference | undefined {
  if (!mayWiden || leftToOthers) return undefined
  const [first] = namedItems(missing, 'reference')
  return first && new MissingReference(first.component, first.sourceId)
}

function sourcesOfKeyMatches(
  { candidates }: PageFacts,
  taken: Pick<TakenOnPage, 'claimedBy'>,
  { id }: Draft,
  { kind }: Decision,
): string[] {
  if (kind !== 'create' && kind !== 'fail') return []
  return (candidates.get(id) ?? []).flatMap((match) => taken.claimedBy(match) ?? [])
}

/** What the items of an earlier pass have changed is no edit of the shop. */
function orOwnChange({ pass }: PagePlan, { mapping, checksum }: Found, decision: Decision): Decision {
  const isOwn = pass.changesWithOthers === true && mapping?.draftChecksum !== checksum
  return isOwn && decision.kind === 'examine' ? { ...decision, changed: false } : decision
}

/**
 * A level that is gone is set again only for a new owner: that of an old one is not counted any more, and a copy that the
 * owner has taken over has a level (D1). One whose owner is not there, such as a variant that `skip` leaves out, waits for it,
 * and `skip` lets the destination count nothing that it has not counted.
 */
function orSkipUncounted(
  { component: { idByOwner }, onNew, takenOver }: PageFacts,
  { draft, mapping, overwritesDestinationOwned, strategy }: Found,
  decision: Decision,
): Decision {
  if (!idByOwner || decision.kind !== 'create') return decision
  if (strategy === 'skip' && !onNew.has(draft.id)) return { kind: 'skipped' }
  if (takenOver.has(draft.id) && !overwritesDestinationOwned) return { kind: 'skipped' }
  const id = idByOwner(draft)
  if (!mapping) return id === undefined ? { kind: 'skipped' } : decision
  if (overwritesDestinationOwned) return decision
  return id === undefined || id === mapping.destinationId ? { kind: 'skipped' } : decision
}

/**
 * An item that lacks something it needs. Children of a skipped parent, which has no mapping, are skipped as well (D2),
 * what is of a part that was left out is left out, and so is what belongs to an erased person (G12).
 */
function withoutParent(
  plan: PagePlan,
  { tried, broken }: PageFacts,
  item: PlatformItem,
  missing: MissingReference,
): PageItem {
  const { pass, healing } = plan
  const { component, sourceId, erased } = missing
  const reference = referenceTo(missing)
  if (!healing && !tried.has(reference)) {
    if (component === pass.below) return withoutMapping(pass, item, { kind: 'skipped' })
    if (component === pass.part?.component && !broken.has(reference)) return withoutPart(pass, item, pass.part)
  }
  if (!erased) return unwritable(plan, item, missing, broken)
  const owner = itemWords({ component, id: sourceId })
  return withoutMapping(pass, item, { kind: 'of-erased', owner, component })
}

function withoutPart(pass: Pass, item: PlatformItem, { leftOut, remedy }: NonNullable<Pass['part']>): PlannedItem {
  const planned = withoutMapping(pass, item, { kind: 'left-out', message: leftOut })
  const draft = { ...planned.resolved.draft, uncreatable: leftOut, remedy }
  return { ...planned, resolved: { ...planned.resolved, draft } }
}

const nothing: ReadonlySet<string> = new Set()

function withoutMapping(pass: Pass, item: PlatformItem, decision: Decision): PlannedItem {
  const resolved = { draft: pass.drafts(item, identity), missing: [], known: new Map() }
  const unknown = { mapping: undefined, listed: undefined, moved: false, broken: nothing, keyMatchSources: [] }
  return { kind: 'planned', item, resolved, decision, ...unknown }
}

/** If the platform lets several items share a key, the copy of another item is no match (B6). */
function isMatch({ component }: PageFacts, taken: Pick<TakenOnPage, 'claimedBy'>, match: KeyMatch): boolean {
  return component.sharesKeys !== true || taken.claimedBy(match) === undefined
}

/** What a dry run has to take for present, because the real run brings it along with the items of an earlier phase (F2). */
function expected(
  { context: { protection, run }, pass }: PagePlan,
  { component, onNew }: PageFacts,
  item: PlatformItem,
  { draft, known }: Resolved,
): KeyMatch[] {
  if (run.mode !== 'dry-run') return []
  const isOfPhase = pass.comesWith !== undefined && run.phases.includes(pass.comesWith) && !isPartialRun({ run })
  // A new location has levels of all that was there before.
  const isOfLocation = component.setOnNew !== undefined && !onNew.has(draft.id) && namesSimulated(pass, item, known)
  if (!isOfPhase && !isOfLocation) return []
  const body = { item: protection.item(draft), checksum: protection.checksum(draft), compare: {} }
  const destinationId = simulatedId(draft.component, draft.id)
  return [{ destinationId, keys: protection.keys(draft), claimedBy: undefined, body }]
}

/** @param known the mappings of a whole page */
function namesSimulated(pass: Pass, item: PlatformItem, known: Resolved['known']): boolean {
  return namesIn(pass, item).some(({ component, sourceId }) =>
    isSimulated(known.get(`${component}:${sourceId}`)?.destinationId ?? ''),
  )
}

/**
 * If the platform does not enforce keys, another item's copy is neither a match nor a conflict (B6). Nor is a shared one that
 * gets another name.
 */
function candidatesOf(
  plan: PagePlan,
  { component: { recovery, shared } }: PageFacts,
  taken: Pick<TakenOnPage, 'claimedBy'>,
  draft: Draft,
  matches: KeyMatch[],
): Candidate[] {
  return matches
    .map((match) => ({
      ...match,
      claimedBy: shared ? match.claimedBy : taken.claimedBy(match),
      listed: asListed(plan, draft, match.body),
    }))
    .filter(({ claimedBy }) => (recovery !== 'baseline' && !shared) || claimedBy === undefined)
}

interface Known {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  /** The mapped item as the destination has it. */
  current: ListedBody | undefined
  candidates: Candidate[]
}

function foundOf(plan: PagePlan, facts: PageFacts, { item, resolved, mapping, current, candidates }: Known): Found {
  const { context, entity, pass, strategy } = plan
  const { draft, missing } = resolved
  return {
    strategy: resolved.leftToOthers || facts.onlyNeeded.has(draft.id) ? 'skip' : strategy,
    draft,
    // Few decisions name the item.
    get called() {
      return context.protection.calledInCollision(draft)
    },
    sku: context.protection.item(draft).sku,
    keys: context.protection.keys(draft),
    checksum: context.protection.checksum(draft),
    mapping: mapping && asThisRunSees(plan, mapping, resolved),
    exists: mapping !== undefined && exists(plan, facts, mapping, current),
    listed: asListed(plan, draft, current),
    candidates,
    missing,
    parentAdopted: isBelowAdopted(plan, resolved) && !facts.protectedParents.has(draft.parentId ?? ''),
    overwritesDestinationOwned: entity.components.some(({ key }) => context.run.overwriteLiving.includes(key)),
    createOnly: pass.createOnly === true,
    mayHaveExtra: pass.byIds !== undefined && mapping?.extraChildren !== false && deletesChildren(plan),
    staysErased: facts.component.staysErased === true && !context.run.recreateErased.includes(facts.component.key),
    unlisted: !pass.destination.complete && (pass.details ?? []).some(({ field }) => hasRows(item[field])),
  }
}

function asThisRunSees({ context }: PagePlan, mapping: Mapping, resolved: Resolved): Mapping {
  return resolved.leftToOthers ? { ...mapping, owed: [] } : pendingHere(context, mapping, resolved)
}

/** The list is older than anything this run wrote, so what this run created is not in it. */
function exists(
  { context, healing }: PagePlan,
  { invisible }: PageFacts,
  { runId }: Mapping,
  current: ListedBody | undefined,
): boolean {
  return current !== undefined || invisible || (!healing && runId === context.run.id)
}

/** Null if nothing can be compared: under `skip`, only lists that show items in full have checksums. */
function asListed({ context }: PagePlan, draft: Draft, body: ListedBody | undefined): Listed | null {
  if (body?.checksum === undefined) return null
  const { checksum, compare, unread } = body
  if (unread) return { checksum, equal: null, unread }
  if (!compare || draft.children.length > 0) return { checksum, equal: null }
  const ignored = destinationOwned(context.run, draft.component)
  const desired = context.protection.compare(draft.component, draft.compare)
  const component = componentOf(draft.component)
  const differences = fieldDifferences(desired, compare).filter(
    ({ path }) => !ignored.includes(path) && isAccepted(component, path),
  )
  return { checksum, equal: differences.length === 0 }
}

function deletesChildren({ context, entity, pass, strategy }: PagePlan): boolean {
  if (strategy !== 'replace') return false
  return entity.components.some(({ key, remove }) => key !== pass.root && remove && mayPrune(context, key))
}
