import type { ConflictStrategy } from '../../contract/modes.ts'
import { keysOf, listedItems, lookUpKeys } from '../../db/ledger/destination-items.ts'
import { heldByLedger, type LedgerRow, type LedgerState } from '../../db/ledger/ledger.ts'
import { claimsOf, type Mapping, saveMappings } from '../../db/ledger/mappings.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { destinationOwned } from '../context/destination-owned.ts'
import { everyDraft, fieldDifferences } from '../core/pairing.ts'
import type { Resolved } from '../core/references.ts'
import { existingByIds } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { itemsByIds } from '../read/source-reader.ts'
import { namedOutside } from '../scope/picks.ts'
import { isStorefrontRun, onlyNeeded } from '../scope/run-part.ts'
import { orAssign, ownOfStorefront, pendingHere } from './assign-copies.ts'
import { belongingToNew } from './belonging-to-new.ts'
import { adoptedId, decide, type Found, type Listed, TakenOnPage } from './decide.ts'
import type { PlannedItem, Unwritable } from './decision.ts'
import { type KeyMatch, keyMatchesOf } from './key-matches.ts'
import { leftToOthers } from './left-to-others.ts'
import { learnNamedChildren } from './named-children.ts'
import { PlanIssues } from './plan-issues.ts'

export interface PlannerOptions {
  strategy: ConflictStrategy
  /** Only looks for what exists on both sides. */
  adoptOnly: boolean
  /** Asks the destination how it stands now, whatever was listed. */
  healing: boolean
}

/** Decides what becomes of the items of a page, and says what each decision comes to in the ledger and the mappings. */
export class PagePlanner {
  readonly issues: PlanIssues
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass
  private readonly strategy: ConflictStrategy
  private readonly adoptOnly: boolean
  private readonly healing: boolean

  constructor(context: RunContext, entity: Entity, pass: Pass, { strategy, adoptOnly, healing }: PlannerOptions) {
    this.context = context
    this.entity = entity
    this.pass = pass
    this.strategy = strategy
    this.adoptOnly = adoptOnly
    this.healing = healing
    this.issues = new PlanIssues(context, entity, pass)
  }

  /**
   * A run over picked items may meet others of the same kind only by their names: those are looked up by mapping, then by
   * natural key, and taken as found (C4).
   */
  async planKnowing(items: PlatformItem[]): Promise<(PlannedItem | Unwritable)[]> {
    const planned = await this.plan(items)
    const named = await namedOutside(
      this.context,
      this.pass,
      planned.flatMap((one) => ('resolved' in one ? one.resolved.missing : [])),
    )
    if (named.length === 0) return planned
    const others = await this.plan(await itemsByIds(this.context, 'source', this.pass, named))
    const found = others.flatMap((one) => this.adopted(one))
    if (found.length === 0) return planned
    const { shared } = componentOf(this.pass.root)
    await this.context.recorder.record((tx) => saveMappings(tx, this.context.pair, found, { manyToOne: shared }))
    return this.plan(items)
  }

  /** Decides about a page with a handful of queries, whatever its size (E5). */
  async plan(items: PlatformItem[]): Promise<(PlannedItem | Unwritable)[]> {
    const { context, pass } = this
    const resolved = await this.resolve(items)
    const good = resolved.filter((one): one is Resolved => !(one instanceof MissingReference))
    const recorded = await context.references.mappings(
      good.map(({ draft }) => ({ component: pass.root, sourceId: draft.id })),
    )
    const moved = await this.moved(good, recorded)
    const mappings = new Map([...recorded].filter(([key]) => !moved.has(key)))
    const mapped = [...mappings.values()].map((mapping) => mapping.destinationId)
    const listed = await this.listed(mapped)
    const onNew = await belongingToNew(context, this.entity, pass, items, resolved)
    const candidates = await this.candidates(
      good
        .filter(({ draft }) => !mappings.has(`${pass.root}:${draft.id}`) && !onNew.has(draft.id))
        .map(({ draft }) => draft),
    )
    const hidden = context.client.invisibleToToken(componentOf(pass.root))
    const overwritesDestinationOwned = this.entity.components.some(({ key }) =>
      context.run.overwriteLiving.includes(key),
    )
    const taken = new TakenOnPage()
    const written = await this.writtenParents(resolved)
    const absentHere = await this.absentHere(good, mappings)
    // Where the platform enforces no key, what another item has taken is no match and in nobody's way (B6).
    const { recovery, shared } = componentOf(pass.root)
    const enforced = recovery !== 'baseline'
    const kept = await this.keptParents(good)
    const leftAsFound = await onlyNeeded(context, pass, items)
    return items.map((item, at) => {
      const one = resolved[at] as Resolved | MissingReference
      if (one instanceof MissingReference)
        return this.healing || one.component !== pass.below || written.has(one.sourceId)
          ? this.issues.unwritable(item, one)
          : this.belowSkipped(item)
      const mapping = mappings.get(`${pass.root}:${one.draft.id}`)
      const own = (candidates.get(one.draft.id) ?? []).filter((candidate) => this.isFree(candidate, taken))
      const there = mapping && listed.get(mapping.destinationId)
      const found: Found = {
        strategy: one.leftToOthers || leftAsFound.has(one.draft.id) ? 'skip' : this.strategy,
        draft: one.draft,
        keys: context.protection.keys(one.draft),
        checksum: context.protection.checksum(one.draft),
        mapping: mapping && (one.leftToOthers ? { ...mapping, owed: [] } : pendingHere(context, mapping, one)),
        // A list is from before this run wrote anything.
        exists:
          mapping !== undefined &&
          (there !== undefined || hidden || (!this.healing && mapping.runId === context.run.id)),
        listed: this.howListed(one.draft, there),
        candidates: own
          .map((candidate) => ({
            ...candidate,
            claimedBy: shared ? undefined : taken.claimedBy(candidate),
            listed: this.howListed(one.draft, candidate.body),
          }))
          .filter(({ claimedBy }) => enforced || claimedBy === undefined),
        missing: one.missing,
        parentAdopted: this.hangsOnAdopted(one) && !kept.has(one.draft.parentId ?? ''),
        overwritesDestinationOwned,
        createOnly: pass.createOnly === true,
        unlisted: (pass.details ?? []).some(({ field }) => isFilled(item[field])),
      }
      const decision = absentHere.has(one.draft.id) ? orAssign(decide(found)) : decide(found)
      const adopts = adoptedId(decision)
      taken.note(found, decision)
      const shown = there ?? own.find((candidate) => candidate.destinationId === adopts)?.body
      return { item, resolved: one, mapping, decision, listed: shown, moved: moved.has(`${pass.root}:${one.draft.id}`) }
    })
  }

  /** Mappings of items that have another key than their copies, where the platform takes that for another item. */
  private async moved(resolved: Resolved[], mappings: Map<string, Mapping>): Promise<Set<string>> {
    const { context, pass } = this
    if (componentOf(pass.root).knownByKey !== true || mappings.size === 0) return new Set()
    const copies = [...mappings.values()].map(({ destinationId }) => destinationId)
    const listed = await keysOf(context.database, context.run.id, pass.root, copies)
    const mappingKeys = resolved.flatMap(({ draft }) => {
      const key = `${pass.root}:${draft.id}`
      const theirs = listed.get(mappings.get(key)?.destinationId ?? '')
      const ours = context.protection.keys(draft)
      return theirs !== undefined && !ours.some((one) => theirs.includes(one)) ? [key] : []
    })
    return new Set(mappingKeys)
  }

  private async resolve(items: PlatformItem[]): Promise<(Resolved | MissingReference)[]> {
    const { context, pass } = this
    const first = await context.references.resolve(pass, items)
    const again = await learnNamedChildren(context, pass, items, first)
    const resolved = again ? await context.references.resolve(pass, items) : first
    return leftToOthers(context, pass, items, resolved)
  }

  /** Whoever died over it may have put it on the storefront already, and not said so. */
  orAssignedAgain(one: PlannedItem): PlannedItem {
    const ours = one.mapping?.origin === 'created' && ownOfStorefront(one.resolved.draft).length > 0
    return ours && this.assignsCopies() ? { ...one, decision: orAssign(one.decision) } : one
  }

  adopted(one: PlannedItem | Unwritable): Mapping[] {
    if (!('resolved' in one)) return []
    const destinationId = adoptedId(one.decision)
    if (destinationId === undefined) return []
    const { context, pass } = this
    const { draft, missing } = one.resolved
    // Both checksums only of what stands as wanted and owes nothing (C2).
    const equal = one.decision.kind === 'equal' && missing.length === 0
    return [
      {
        scope: context.references.scope(pass.root),
        component: pass.root,
        sourceId: draft.id,
        destinationId,
        origin: 'adopted',
        owed: one.decision.kind === 'equal' ? missing : [],
        draftChecksum: equal ? context.protection.checksum(draft) : null,
        destinationChecksum: equal ? (one.listed?.checksum ?? null) : null,
        runId: context.run.id,
      },
    ]
  }

  /** The destination lost the item, and with it everything on it. */
  forgotten(one: PlannedItem | Unwritable) {
    if (!('resolved' in one) || !isLost(one)) return []
    const { references } = this.context
    return [...everyDraft(one.resolved.draft)].map((draft) => ({
      scope: references.scope(draft.component),
      component: draft.component,
      sourceId: draft.id,
    }))
  }

  ledgerRows(one: PlannedItem | Unwritable): LedgerRow[] {
    const row = (draft: { component: string; id: string }, rootId: string, state: LedgerState) => ({
      component: draft.component,
      sourceId: draft.id,
      pass: this.pass.key,
      rootId,
      state,
    })
    if ('failure' in one) return [row({ component: this.pass.root, id: one.id }, one.id, 'failed')]
    const { decision, resolved } = one
    if (['matched', 'equal', 'skipped', 'archived', 'adopt', 'left-out'].includes(decision.kind)) return []
    const state = decision.kind === 'fail' ? 'failed' : 'pending'
    return [...everyDraft(resolved.draft)].map((draft) => row(draft, resolved.draft.id, state))
  }

  /** Where the platform lets several have one key, a copy of another item is no match (B6). */
  private isFree(candidate: KeyMatch, taken: TakenOnPage): boolean {
    return componentOf(this.pass.root).sharesKeys !== true || taken.claimedBy(candidate) === undefined
  }

  /** Copies of ours without what a storefront has of its own: another run made them, for another storefront (D3). */
  private async absentHere(resolved: Resolved[], mappings: Map<string, Mapping>): Promise<Set<string>> {
    const { context, pass } = this
    const ours = resolved.filter(({ draft }) => mappings.get(`${pass.root}:${draft.id}`)?.origin === 'created')
    if (!this.assignsCopies()) return new Set()
    const own = ours.flatMap(({ draft }) => ownOfStorefront(draft).map((child) => ({ root: draft.id, child })))
    const requested = own.map(({ child }) => ({ component: child.component, sourceId: child.id }))
    const there = await context.references.mappings(requested)
    return new Set(own.filter(({ child }) => !there.has(`${child.component}:${child.id}`)).map(({ root }) => root))
  }

  /** Copies that another run made are put on the storefront of this one. */
  private assignsCopies(): boolean {
    return isStorefrontRun(this.context) && this.strategy === 'skip' && !this.adoptOnly
  }

  /** Of the parents without a counterpart, those that this run tried to write. */
  private writtenParents(resolved: (Resolved | MissingReference)[]): Promise<Set<string>> {
    const { context, pass } = this
    const parents = resolved.flatMap((one) =>
      one instanceof MissingReference && one.component === pass.below ? one.sourceId : [],
    )
    return heldByLedger(context.database, context.run.id, pass.below ?? '', parents)
  }

  /** It hangs on a child of what was left alone, and the children of such an item are nowhere mapped (D2). */
  private belowSkipped(item: PlatformItem): PlannedItem {
    const draft = this.pass.drafts(item, identity)
    const resolved = { draft, missing: [], known: new Map() }
    return { item, resolved, mapping: undefined, decision: { kind: 'skipped' }, listed: undefined, moved: false }
  }

  private async listed(destinationIds: string[]): Promise<Map<string, ListedBody>> {
    const { context, pass } = this
    if (this.healing) return existingByIds(context, pass, destinationIds, { compares: this.strategy !== 'skip' })
    return (await listedItems(context.database, context.run.id, pass.root, destinationIds)) as Map<string, ListedBody>
  }

  /** Null where nothing is compared: a list made for `skip` holds no checksums. */
  private howListed(draft: Draft, body: ListedBody | undefined): Listed | null {
    if (body?.checksum === undefined || this.strategy === 'skip') return null
    const { checksum, compare } = body
    if (!compare || draft.children.length > 0) return { checksum, equal: null }
    const left = destinationOwned(this.context.run, draft.component)
    const desired = this.context.protection.compare(draft.component, draft.compare)
    const differences = fieldDifferences(desired, compare).filter((field) => !left.includes(field.path))
    return { checksum, equal: differences.length === 0 }
  }

  private hangsOnAdopted({ draft, known }: Resolved): boolean {
    const { below } = this.pass
    const isParent = (one: Mapping) => one.component === below && one.destinationId === draft.parentId
    return below !== undefined && [...known.values()].some((one) => isParent(one) && one.origin === 'adopted')
  }

  /** Of what the items hang on, what every store has: it was nobody's before. */
  private async keptParents(resolved: Resolved[]): Promise<Set<string>> {
    const { below } = this.pass
    const ids = [...new Set(resolved.flatMap(({ draft }) => draft.parentId ?? []))]
    if (below === undefined || ids.length === 0) return new Set()
    const parents = await listedItems(this.context.database, this.context.run.id, below, ids)
    return new Set(ids.filter((id) => (parents.get(id) as ListedBody | undefined)?.spared))
  }

  private async candidates(drafts: Draft[]): Promise<Map<string, KeyMatch[]>> {
    const { context, pass } = this
    if (context.client.invisibleToToken(componentOf(pass.root))) return new Map()
    if (this.healing) return keyMatchesOf(context, pass, drafts, { compares: this.strategy !== 'skip' })
    const keys = new Map(drafts.map((draft) => [draft.id, context.protection.keys(draft)]))
    const hits = await lookUpKeys(context.database, context.run.id, pass.root, [...keys.values()].flat())
    const ids = [...new Set([...hits.values()].flat())]
    const theirs = await keysOf(context.database, context.run.id, pass.root, ids)
    const claims = await claimsOf(context.database, context.pair, context.references.scope(pass.root), pass.root, ids)
    const listed = this.strategy === 'skip' ? new Map<string, ListedBody>() : await this.listed(ids)
    return new Map(
      drafts.map((draft) => {
        const own = [...new Set((keys.get(draft.id) ?? []).flatMap((key) => hits.get(key) ?? []))]
        return [
          draft.id,
          own.map((id) => ({
            destinationId: id,
            keys: theirs.get(id) ?? [],
            claimedBy: claims.get(id),
            body: listed.get(id),
          })),
        ]
      }),
    )
  }
}

/** Also what stood there and is nothing that could be made again (a file of the theme), and what is the copy of nothing now. */
function isLost({ decision, mapping, moved }: PlannedItem): boolean {
  if (moved) return true
  if (decision.kind === 'left-out') return mapping !== undefined
  return decision.kind === 'create' && decision.destinationDeleted
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}
