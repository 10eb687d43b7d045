import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Mapping } from '../../db/ledger/mappings.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import { isAboutPicture } from '../../model/healing.ts'
import { destinationOwned } from '../context/destination-owned.ts'
import {
  checksum,
  everyDraft,
  type FieldDifference,
  fieldDifferences,
  type Pair,
  pairUp,
  same,
} from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import { draftWithout, isReference, pendingPath } from '../core/references.ts'
import { isSimulated } from '../core/simulated-id.ts'
import { ItemGone } from '../core/stopping.ts'
import { ownOfStorefront, pendingElsewhere, setsOfStorefront } from '../plan/assign-copies.ts'
import { type Candidate, decideByKey } from '../plan/decide.ts'
import { keyMatchesOf } from '../plan/key-matches.ts'
import { isOwnKind } from '../plan/late-references.ts'
import { addressThere } from '../plan/page-addresses.ts'
import { reportPruned } from '../plan/simulated-differences.ts'
import { existingByIds } from '../read/by-ids.ts'
import { itemsByIds } from '../read/source-reader.ts'
import { isStorefrontRun, mayPrune } from '../scope/run-part.ts'
import { desiredAfterwards, withoutPicture, withoutRefused } from './degrade.ts'
import { ItemIssues } from './item-issues.ts'
import { ItemRecord, nameOf, type TaskDeps, type TaskInput } from './item-record.ts'
import { underOwnKeys } from './renamed-children.ts'
import { SiblingOrder } from './sibling-order.ts'
import { pendingAddress, pendingChildren, pendingPicture } from './unconfirmed.ts'
import type { Order, Outcome, Refusal } from './writer.ts'

/** An item that stands at the destination and is compared with what the source has. */
export interface Examined {
  existing: Draft
  /** Somebody else edited it since we wrote it. */
  changed: boolean
  /** Checksum by the list, where the list shows all of the item. */
  listedChecksum: string | null
}

type Parent = { parentId: string; parent: Draft | null }

/**
 * One source item and all that hangs on it: created, completed or continued until nothing is owed. The same comparison of
 * drafts serves a fresh product, one whose creator died, and one that owes something from an earlier run.
 */
export class ItemTask {
  private readonly deps: TaskDeps
  private readonly input: TaskInput
  private readonly record: ItemRecord
  private readonly issues: ItemIssues
  private copies = new Map<string, Mapping>()
  private root: Draft
  private readonly later: Promise<void>[] = []
  private childFailed = false
  /** References and pictures that the platform refused: still owed. */
  private stillPending: string[] = []
  /** What of its own the item was written without, and what the platform said about it. */
  private readonly degradedBy = new Map<'picture' | 'address', Refusal>()
  private wrote = false
  /** This task made it, a moment ago. */
  private made = false
  /** Some other task began it. */
  private continued = false
  /** Something that it or a child of it names has come to be since: children that were written without it are due again. */
  private knowsMore = false
  /** Set while the item is examined rather than created or completed. */
  private examined: Examined | undefined
  private warned = false
  /** Checksum of the item as the platform answered our write; null where answers do not show all of it. */
  private answered: string | null = null

  constructor(deps: TaskDeps, input: TaskInput) {
    this.deps = deps
    this.input = input
    this.root = input.resolved.draft
    this.record = new ItemRecord(deps, input)
    this.issues = new ItemIssues(deps, this.root)
    this.childFailed = [...input.states].some(([key, state]) => state === 'failed' && key !== nameOf(this.root))
  }

  async create(): Promise<void> {
    const parent = { parentId: this.root.parentId ?? '', parent: null }
    // A batch fills while others come; only the one who waits for it steps aside.
    const first = await this.awaitBatch(this.root, () =>
      this.order(this.root, parent, (saved) => this.rootCreated(saved)),
    )
    const outcome = await this.createDegraded(first, parent)
    if ('refused' in outcome) return this.adoptOrFail(outcome.refused)
    this.made = true
    if (outcome.partly && this.repeatsPartly()) await this.correct(outcome.saved)
    if (this.isSimple(outcome.saved)) return
    await this.complete(outcome.saved)
  }

  /** Creates the item without what the platform refused, as long as there is something to do without (F4). */
  private async createDegraded(refused: Outcome, parent: Parent): Promise<Outcome> {
    const whole = this.root
    let outcome = refused
    let sent = whole
    while ('refused' in outcome && this.heals()) {
      const { refused: refusal } = outcome
      const degraded = withoutRefused(sent, refusal)
      if (!degraded) break
      sent = degraded.sent
      this.root = desiredAfterwards(whole, sent)
      if (degraded.degradedBy) this.degradedBy.set(degraded.degradedBy, refusal)
      // By itself: a batch may have been refused because of it.
      outcome = await this.orderAlone(sent, parent, (saved) => this.rootCreated(saved))
    }
    if ('refused' in outcome) this.root = whole
    return outcome
  }

  private repeatsPartly(): boolean {
    return componentOf(this.root.component).repeatsPartly === true
  }

  /** What the platform did not save with the item is sent once more, by itself; what it keeps refusing is told. */
  private async correct(existing: Draft): Promise<void> {
    const component = componentOf(this.root.component)
    const fields = this.differingFields(this.root, existing).map(({ path }) => path)
    const call = component.update?.call(this.root, existing, '', fields)
    if (!call || fields.length === 0) return
    await this.completeField(call, (refusal, saved) => {
      const recording = emptyRecording()
      this.answered = saved ? this.deps.context.protection.checksum(this.read(this.root, saved)) : null
      if (refusal) recording.issues.push(this.issues.issue(this.root, refusal, 'warning'))
      else this.endRoot(existing, recording)
      return recording
    })
  }

  private heals(): boolean {
    const { auto, round } = this.deps.context.run.heal
    return auto || round > 0
  }

  /**
   * The platform refused the item: perhaps because the same one came to be there after the destination was listed. Then it is
   * adopted by the same rule as any other and counts as skipped, never as created (B6).
   */
  private async adoptOrFail(refusal: Refusal): Promise<void> {
    const { context } = this.deps
    const inTheWay = refusal.rule === undefined ? await this.inTheWay() : []
    const decision = decideByKey(this.root, context.protection.keys(this.root), inTheWay)
    const recording = emptyRecording()
    if (decision.kind === 'adopt') {
      const existing = { ...this.root, id: decision.destinationId }
      recording.mappings.push({ ...this.record.mapping(this.root, existing, [], null), origin: 'adopted' })
      for (const draft of everyDraft(this.root))
        recording.ends.push({ component: draft.component, sourceId: draft.id, state: 'skipped' })
    } else this.failed(this.root, refusal, recording)
    if (decision.kind === 'fail')
      recording.issues = [
        {
          ...(recording.issues[0] as IssueToWrite),
          code: decision.code,
          message: decision.message,
          destinationId: decision.destinationId,
        },
      ]
    await context.recorder.record((tx, tally) => this.record.write(recording, tx, tally))
  }

  /** Destination items that carry one of the root's keys, looked up now. */
  private async inTheWay(): Promise<Candidate[]> {
    const { context, pass } = this.deps
    const keyMatches = await keyMatchesOf(context, pass, [this.root], { compares: false })
    const { shared } = componentOf(this.root.component)
    const found = (keyMatches.get(this.root.id) ?? []).map((keyMatch) => ({ ...keyMatch, listed: null }))
    return shared ? found.map((one) => ({ ...one, claimedBy: undefined })) : found
  }

  /** Goes on with an item that stands at the destination already. */
  async continue(mapping: Mapping): Promise<void> {
    this.continued = true
    const pending = this.perhapsPending(mapping)
    this.knowsMore = pending.some((one) => !this.input.resolved.missing.includes(one))
    // Without children nothing but the references can differ.
    const existing =
      this.root.children.length > 0
        ? await this.readExisting(mapping.destinationId)
        : {
            ...this.root,
            id: mapping.destinationId,
            compare: {},
            outside: await this.outsideThere(mapping.destinationId),
          }
    if (!existing)
      throw new ItemGone(
        `its copy ${mapping.destinationId} was deleted at the destination while it was being completed`,
      )
    if (!isSimulated(existing.id)) this.record.found = existing
    if (existing.children.length > 0) await this.learnCopies()
    if (this.knowsMore) await this.completeReferences(pending, existing)
    if (mapping.owed.includes(pendingPicture)) await this.completePicture(existing)
    if (mapping.owed.includes(pendingAddress)) await this.completeAddress(existing)
    await this.complete(existing)
  }

  /** What other storefronts have in its sets at the destination now: it stays (D3). */
  private async outsideThere(destinationId: string): Promise<Record<string, unknown[]>> {
    const { context, pass } = this.deps
    if (!isStorefrontRun(context) || !pass.sets) return {}
    const there = await existingByIds(context, pass, [destinationId], { compares: true })
    return there.get(destinationId)?.outside ?? {}
  }

  /** Only the picture is sent: it is all that is known to be missing. */
  private async completePicture(existing: Draft): Promise<void> {
    const call = componentOf(this.root.component).update?.call(this.root, existing, '', ['image_file'])
    if (!call) return
    await this.completeField(call, (refusal) => {
      const recording = emptyRecording()
      if (refusal) this.pictureFailed(this.root, refusal, recording)
      return recording
    })
  }

  /** The address that another item had, which may be free by now (D4). It is not owed any longer, whatever comes of it. */
  private async completeAddress(existing: Draft): Promise<void> {
    const call = componentOf(this.root.component).update?.call(this.root, existing, '', [this.addressField()])
    if (!call) return
    await this.completeField(call, (refusal, saved) => {
      const recording = emptyRecording()
      if (!refusal) this.noteAddress(saved, recording)
      return recording
    })
  }

  /** Moves the copy to the address that it has in the source and that is free by now. Refused, it stays where it is; its pass looks. */
  async regainAddress(mapping: Mapping, currentPath: string): Promise<void> {
    const field = this.addressField()
    const existing = { ...this.root, id: mapping.destinationId }
    const call = componentOf(this.root.component).update?.call(this.root, existing, '', [field])
    if (!call) return
    const before = this.deps.context.protection.image(this.root.component, existing.id, { [field]: currentPath })
    await this.completeField(call, () => emptyRecording(), before)
  }

  private addressField(): string {
    return 'custom_url' in this.root.body ? 'custom_url' : 'url'
  }

  /** Whether the platform took the address it was given: it may save the rest and keep another one. */
  private noteAddress(saved: PlatformItem | null, recording: Recording): void {
    const existing = saved && this.read(this.root, saved)
    if (existing) recording.addresses.push(...addressThere(this.root, existing.path))
    const moved = existing && this.issues.moved(this.root, existing)
    if (moved) recording.issues.push(moved)
    else recording.settled.push(...this.record.settledAt(this.root, ['address_changed']))
  }

  private async completeField(
    call: WriteCall,
    recorded: (refusal: Refusal | null, saved: PlatformItem | null) => Recording,
    before?: BeforeImage,
  ): Promise<void> {
    const target = { pass: this.deps.pass.key, rootId: this.root.id, parentId: '', before }
    const component = componentOf(this.root.component)
    await this.deps.writer.update(component, this.root, call, target, (refusal, saved) => (tx, tally) => {
      this.wrote ||= !refusal
      return this.record.write(recorded(refusal, saved), tx, tally)
    })
  }

  /**
   * References the item may lack. One whose creator died before it recorded anything was made when others of its pass may not
   * have been there yet, and nobody knows which.
   */
  private perhapsPending({ owed: pending }: Mapping): string[] {
    const references = pending.filter(isReference)
    if (!pending.includes(pendingChildren)) return references
    const known = [...this.input.resolved.known.keys()].map((key) => `reference:${key}`)
    return [...references, ...known.filter((one) => isOwnKind(this.deps.pass, one))]
  }

  /**
   * Pays what an item owed to others of its own pass, which are there by now (C5). The first pass has ended and counted it,
   * also what failed on it: that is left to the next run.
   */
  async completeLate(mapping: Mapping): Promise<void> {
    this.childFailed = mapping.owed.includes(pendingChildren)
    if (mapping.owed.includes(pendingPicture)) this.stillPending.push(pendingPicture)
    const withoutPending = draftWithout(this.deps.pass, this.input.item, this.input.resolved, mapping.owed)
    const childrenPending = checksum({ ...this.root, compare: {} }) !== checksum({ ...withoutPending, compare: {} })
    // Where others have members in the same sets, what stands there is read before it is written.
    if (childrenPending || isStorefrontRun(this.deps.context)) return this.continue(mapping)
    // Not read: what it owes is all that is known to differ.
    const existing = { ...this.root, id: mapping.destinationId, compare: {} }
    await this.completeReferences(mapping.owed, existing)
    this.endRoot(existing, this.record.pending)
    await this.record.flush()
  }

  /** Puts a copy that another run made on the storefront of this one, and leaves the rest of it alone (D3). */
  async assign(mapping: Mapping): Promise<void> {
    const existing = await this.readExisting(mapping.destinationId)
    if (!existing)
      throw new ItemGone(`its copy ${mapping.destinationId} was deleted at the destination while it was being placed`)
    this.examined = { existing, changed: false, listedChecksum: null }
    const sets = setsOfStorefront(this.deps.pass)
    const fields = this.differingFields(this.root, existing).filter(({ path }) => sets.includes(path))
    if (fields.length > 0 && !(await this.updateRoot(existing, fields))) return
    const own = ownOfStorefront(this.root)
    for (const { desired, existing: there } of this.pairUp(own, existing.children).pairs)
      if (there) this.record.note(desired, there, 'matched')
      else if (this.record.isOpen(desired)) await this.createChild(desired, { parentId: existing.id, parent: existing })
    await this.untilBatched()
    for (const { component, id } of everyDraft(this.root))
      this.record.pending.ends.push({ component, sourceId: id, state: 'skipped' })
    await this.record.flush()
  }

  /** Writes what the item differs in from the source, and nothing else (C2); `replace` also deletes what only it has (D2). */
  async examine(examined: Examined): Promise<void> {
    const shown = await this.shown(examined)
    const existing = await this.underOwnKeys(shown)
    this.examined = { ...examined, existing }
    this.record.found = existing
    // What was read just now counts: a process before this one may have written since the destination was listed.
    const readAgain = shown !== examined.existing
    this.answered = readAgain ? this.deps.context.protection.checksum(shown) : examined.listedChecksum
    const fields = this.differingFields(this.root, existing)
    if (fields.length > 0 && !(await this.updateRoot(existing, fields))) return
    await this.complete(await this.withoutForeignOptions(existing))
  }

  private async underOwnKeys(existing: Draft): Promise<Draft> {
    if (existing.children.length === 0) return existing
    await this.learnCopies()
    return underOwnKeys(this.root, existing, this.copyOf)
  }

  /** Children that were copied before are found again, whatever they look like. */
  private async learnCopies(): Promise<void> {
    const children = [...everyDraft(this.root)].slice(1)
    this.copies = await this.deps.context.references.mappings(
      children.map(({ component, id }) => ({ component, sourceId: id })),
    )
    this.record.takesOver = true
  }

  private readonly copyOf = ({ component, id }: Draft): string | undefined =>
    this.copies.get(`${component}:${id}`)?.destinationId

  private pairUp(desired: Draft[], existing: Draft[]): ReturnType<typeof pairUp> {
    return pairUp(desired, existing, this.copyOf)
  }

  /** Of personal and secret items the list kept hashes only: what is about to be overwritten is read once more (D6, S9). */
  private async shown({ existing, listedChecksum }: Examined): Promise<Draft> {
    const { context } = this.deps
    const component = componentOf(this.root.component)
    if (listedChecksum === null || context.protection.open(component.key)) return existing
    const parentIds = [this.root.parentId ?? '']
    const look = async (keys: string[][]) =>
      (await component.probe?.(context.destination, { keys, parentIds }))?.find((draft) => draft.id === existing.id)
    // By its keys, as far as it has kept them; else among all of them.
    const found = (this.root.keys.length > 0 ? await look([this.root.keys]) : undefined) ?? (await look([]))
    if (!found) throw new ItemGone(`its copy ${existing.id} was deleted at the destination while it was being compared`)
    return found
  }

  /** @returns whether the platform took it. */
  private async updateRoot(existing: Draft, fields: FieldDifference[]): Promise<boolean> {
    if (!componentOf(this.root.component).update) return true
    const paths = fields.map((field) => field.path)
    const before = this.before(existing, fields)
    let taken = false
    let withoutIt = false
    await this.correctRoot(existing, paths, before, (refusal, saved) => (tx, tally) => {
      withoutIt = refusal !== null && this.doesWithoutPicture(this.root, refusal)
      if (refusal && withoutIt) {
        const bare = emptyRecording()
        this.pictureFailed(this.root, refusal, bare)
        return this.record.write(bare, tx, tally)
      }
      taken = !refusal
      const recording = refusal ? this.failed(this.root, refusal, emptyRecording()) : this.warnOnce(emptyRecording())
      if (!refusal) {
        recording.ends.push({ component: this.root.component, sourceId: this.root.id, state: 'updated' })
        if (fields.some(({ path }) => path === 'custom_url' || path === 'url')) this.noteAddress(saved, recording)
      }
      this.answered =
        saved && !this.deps.pass.byIds ? this.deps.context.protection.checksum(this.read(this.root, saved)) : null
      return this.record.write(recording, tx, tally)
    })
    if (!withoutIt) return taken
    const others = fields.filter((field) => field.path !== 'image_file')
    return others.length === 0 || this.updateRoot(existing, others)
  }

  /** In a batch where the platform takes them: it fills while others come, and only the one who waits for it steps aside. */
  private async correctRoot(
    existing: Draft,
    fields: string[],
    before: BeforeImage | undefined,
    entry: (refusal: Refusal | null, saved: PlatformItem | null) => Entry,
  ): Promise<void> {
    const { pass, writer, updates, park } = this.deps
    const component = componentOf(this.root.component)
    const target = { pass: pass.key, rootId: this.root.id, parentId: '', before }
    const order = { desired: this.root, existing, fields, target, entry }
    if (component.update?.several) {
      await park(() => updates.add(component, order))
      return
    }
    const call = component.update?.call(this.root, existing, '', fields)
    if (call) await writer.update(component, this.root, call, target, entry)
  }

  /** What an update is about to overwrite, for the before-image (D6). */
  private before(existing: Draft, fields: FieldDifference[]) {
    const body = Object.fromEntries(fields.map(({ path, destination }) => [path, existing.body[path] ?? destination]))
    return this.deps.context.protection.image(existing.component, existing.id, body)
  }

  /** Told once per item, with the first thing we write over somebody's edit (C2). */
  private warnOnce(recording: Recording): Recording {
    if (!this.examined?.changed || this.warned) return recording
    this.warned = true
    const item = this.deps.context.protection.item(this.root)
    const called = `"${item.name ?? this.root.id}" (source ${this.root.id})`
    recording.issues.push({
      phase: this.deps.entity.key,
      component: this.root.component,
      severity: 'warning',
      code: 'destination_changed',
      sourceId: this.root.id,
      item,
      destinationId: this.examined.existing.id,
      message: `${called} had been edited at the destination after it was copied; it is as in the source again.`,
    })
    return recording
  }

  /** Fields that stand otherwise than wanted; living ones of an item that is not ours are left alone (D1). */
  private differingFields(desired: Draft, existing: Draft): FieldDifference[] {
    const left = this.record.ours() ? [] : destinationOwned(this.deps.context.run, desired.component)
    return fieldDifferences(desired.compare, existing.compare).filter((field) => !left.includes(field.path))
  }

  /** Nothing but inline children: the create call has done it all and was recorded as such. */
  private isSimple(existing: Draft): boolean {
    return this.openChildren(this.root, existing).length === 0
  }

  private openChildren(desired: Draft, existing: Draft): Pair[] {
    return this.pairUp(desired.children, existing.children).pairs.filter(
      ({ desired: child, existing: there }) =>
        !there || !child.inline || this.differs(child, there) || this.openChildren(child, there).length > 0,
    )
  }

  private async complete(existing: Draft): Promise<void> {
    await this.reconcile(this.root, existing, existing.id)
    await this.untilBatched()
    await this.takeBack(existing)
    this.endRoot(existing, this.record.pending)
    await this.record.flush()
  }

  /** The platform may add something to a new item that nobody wants there (a product is put on the default storefront). */
  private async takeBack(existing: Draft): Promise<void> {
    const { context, entity, pass, writer } = this.deps
    if (!this.isFresh() || this.examined || this.root.component !== entity.key) return
    for (const component of entity.components) {
      const added = component.addedByPlatform?.(context.defaults)
      if (!added || !component.remove) continue
      if (this.root.children.some((child) => child.keys[0] === added.keys[0])) continue
      const call = component.remove.call(added, existing.id)
      const target = { pass: pass.key, rootId: this.root.id, parentId: existing.id, prunes: false }
      await writer.remove(component, added, call, target, (refusal) => (tx, tally) => {
        const recording = emptyRecording()
        if (refusal) recording.issues.push(this.issues.notRemoved(added, refusal))
        return this.record.write(recording, tx, tally)
      })
    }
  }

  /** Made by this task, or by one that died before it was finished. */
  private isFresh(): boolean {
    const { mapping } = this.input
    return !mapping || (mapping.origin === 'created' && mapping.owed.includes(pendingChildren))
  }

  private async reconcile(desired: Draft, existing: Draft, address: string): Promise<void> {
    const { pairs, extra } = this.pairUp(desired.children, existing.children)
    const foreign = this.removesExtras() ? extra.filter((draft) => this.mayRemove(draft)) : []
    const first = foreign.filter((draft) => componentOf(draft.component).remove?.first)
    for (const draft of first) await this.removeChild(draft, address)
    const order = new SiblingOrder()
    for (const pair of order.inOrder(pairs)) {
      if (pair.existing)
        await this.reconcileChild(pair.desired, order.perhapsMoved(pair.desired, pair.existing), address)
      else if (this.record.isOpen(pair.desired))
        await this.createChild(pair.desired, { parentId: address, parent: existing })
    }
    for (const draft of foreign) if (!first.includes(draft)) await this.removeChild(draft, address)
  }

  private removesExtras(): boolean {
    return this.examined !== undefined && this.deps.context.run.conflictStrategy === 'replace' && !this.record.ours()
  }

  private mayRemove({ component }: Draft): boolean {
    return componentOf(component).remove !== undefined && mayPrune(this.deps.context, component)
  }

  /** An option that only the destination has gives every variant another shape, so it goes before anything is compared. */
  private async withoutForeignOptions(existing: Draft): Promise<Draft> {
    if (!this.removesExtras()) return existing
    const { extra } = this.pairUp(this.root.children, existing.children)
    const reshaping = extra.filter((draft) => this.mayRemove(draft) && componentOf(draft.component).remove?.reshapes)
    for (const draft of reshaping) await this.removeChild(draft, existing.id)
    if (reshaping.length === 0) return existing
    if (this.deps.context.run.mode === 'dry-run') return afterRemoval(existing, reshaping)
    const again = await this.readExisting(existing.id)
    return again ? this.underOwnKeys(again) : existing
  }

  /** Deletes what only the destination has (D2), and counts it with all that goes with it. */
  private async removeChild(existing: Draft, address: string): Promise<void> {
    const { writer, context, pass } = this.deps
    const component = componentOf(existing.component)
    if (!component.remove) return
    await this.record.flush()
    const before = context.protection.image(existing.component, existing.id, wholeBody(existing))
    const target = { pass: pass.key, rootId: this.root.id, parentId: address, before, prunes: true }
    await writer.remove(
      component,
      existing,
      component.remove.call(existing, address),
      target,
      (refusal) => async (tx, tally) => {
        const recording = this.warnOnce(emptyRecording())
        if (refusal) recording.issues.push(this.issues.notRemoved(existing, refusal))
        if (!refusal) await reportPruned(context, this.deps.entity.key, existing, tx)
        await this.record.write(recording, tx, tally)
      },
    )
  }

  private async reconcileChild(desired: Draft, existing: Draft, address: string): Promise<void> {
    const isDue = this.record.isOpen(desired) || (this.knowsMore && this.record.isWritten(desired))
    if (isDue && this.differs(desired, existing)) await this.updateChild(desired, existing, address)
    else this.record.note(desired, existing, this.record.stateOfFound())
    const below = componentOf(desired.component).addressBelow?.(existing.id, address) ?? existing.id
    await this.reconcile(desired, existing, below)
  }

  /**
   * Inline children stand as they were sent, except for pictures that were not fetched then; the rest is compared, with the
   * children its own update call carries.
   */
  private differs(desired: Draft, existing: Draft): boolean {
    const component = componentOf(desired.component)
    if (!component.update) return false
    if (desired.inline && !this.examined) return this.continued && isMissingPicture(desired, existing)
    if (this.differingFields(desired, existing).length > 0) return true
    return this.pairUp(desired.children, existing.children).pairs.some(
      ({ desired: child, existing: there }) =>
        there && componentOf(child.component).carried && fieldDifferences(child.compare, there.compare).length > 0,
    )
  }

  private async createChild(desired: Draft, parent: Parent): Promise<void> {
    const component = componentOf(desired.component)
    if (component.create && component.create.batch > 1) {
      const noted = this.order(desired, parent, (saved) => this.childCreated(desired, saved)).then((outcome) =>
        this.afterBatch(desired, outcome, parent),
      )
      // A fault is met where all of them are waited for; until then nobody may listen, which is no reason to end the process.
      noted.catch(() => undefined)
      this.later.push(noted)
      return
    }
    await this.record.flush()
    const outcome = await this.createWhole(desired, parent)
    this.noteFailure(outcome)
    if ('refused' in outcome) return
    // Siblings that come later may name it (complex rules name modifiers).
    parent.parent?.children.push(outcome.saved)
    const below = component.addressBelow?.(outcome.saved.id, parent.parentId) ?? outcome.saved.id
    if (this.differs(desired, outcome.saved))
      await this.updateChild(desired, outcome.saved, parent.parentId, { justMade: true })
    await this.reconcile(desired, outcome.saved, below)
  }

  /** A picture of which the source does not serve this one original is copied in its smaller size (F1). */
  private async createWhole(desired: Draft, parent: Parent): Promise<Outcome> {
    const outcome = await this.order(desired, parent, (saved) => this.childCreated(desired, saved))
    const { reducedPicture, ...rest } = desired
    if (!('refused' in outcome) || reducedPicture === undefined || !this.doesReduced(desired, outcome.refused))
      return outcome
    const smaller = { ...rest, body: { ...rest.body, image_url: reducedPicture } }
    return this.order(smaller, parent, (saved) => {
      const recording = this.childCreated(smaller, saved)
      recording.issues.push(this.issues.pictureReduced(smaller))
      return recording
    })
  }

  private doesReduced({ reducedPicture }: Draft, refusal: Refusal): boolean {
    return this.heals() && reducedPicture !== undefined && isAboutPicture(refusal)
  }

  /** What hangs on a child that went in a batch is ordered when that is there. */
  private async afterBatch(desired: Draft, outcome: Outcome, { parentId }: Parent): Promise<void> {
    this.noteFailure(outcome)
    if ('refused' in outcome || desired.children.length === 0) return
    const below = componentOf(desired.component).addressBelow?.(outcome.saved.id, parentId) ?? outcome.saved.id
    await this.reconcile(desired, outcome.saved, below)
  }

  /** Between the rounds somebody has to notice that new batches wait. */
  private async untilBatched(): Promise<void> {
    while (this.later.length > 0) {
      const batched = this.later.splice(0)
      await this.deps.park(() => Promise.all(batched))
    }
  }

  private awaitBatch<T>(draft: Draft, wait: () => Promise<T>): Promise<T> {
    return (componentOf(draft.component).create?.batch ?? 1) > 1 ? this.deps.park(wait) : wait()
  }

  private noteFailure(outcome: Outcome): void {
    if ('refused' in outcome) this.childFailed = true
    else this.wrote = true
  }

  private async updateChild(
    desired: Draft,
    existing: Draft,
    address: string,
    { justMade = false } = {},
  ): Promise<void> {
    const component = componentOf(desired.component)
    const fields = this.differingFields(desired, existing)
    const paths = this.examined ? fields.map((field) => field.path) : ('all' as const)
    const call = component.update?.call(desired, existing, address, paths)
    if (!call) return
    const before = justMade || this.record.ours() ? undefined : this.before(existing, fields)
    const target = { pass: this.deps.pass.key, rootId: this.root.id, parentId: address, before }
    const recording = this.record.take()
    let withoutIt = false
    await this.deps.writer.update(component, desired, call, target, (refusal) => (tx, tally) => {
      withoutIt = refusal !== null && this.doesWithoutPicture(desired, refusal)
      if (refusal && withoutIt) this.pictureFailed(desired, refusal, recording)
      else if (refusal) this.failed(desired, refusal, recording)
      else {
        if (justMade) this.record.noteTree(desired, existing, 'created', recording)
        else this.noteUpdated(desired, existing, recording)
        recording.settled.push(...this.record.settledAt(desired, ['picture_not_fetched']))
      }
      return this.record.write(this.warnOnce(recording), tx, tally)
    })
    if (withoutIt) await this.updateBare(desired, existing, address)
    else this.wrote = true
  }

  /** A child whose picture could not be fetched: whatever else differs about it is written all the same (F4). */
  private async updateBare(desired: Draft, existing: Draft, address: string): Promise<void> {
    const { image_file: _file, ...compare } = desired.compare
    const bare = { ...desired, body: withoutPicture(desired.body), compare }
    if (this.differingFields(bare, existing).length > 0) await this.updateChild(bare, existing, address)
    else this.record.note(bare, existing, this.record.stateOfFound())
  }

  private doesWithoutPicture({ component, body }: Draft, refusal: Refusal): boolean {
    return (
      this.heals() &&
      componentOf(component).withoutPicture === true &&
      body.image_url !== undefined &&
      isAboutPicture(refusal)
    )
  }

  /** Of what an update carried only that counts as updated which stood otherwise. */
  private noteUpdated(desired: Draft, existing: Draft, recording: Recording): void {
    if (!this.examined) {
      this.record.noteTree(desired, existing, this.record.ours() ? 'created' : 'updated', recording)
      return
    }
    this.record.note(desired, existing, 'updated', recording)
    for (const { desired: child, existing: there } of this.pairUp(desired.children, existing.children).pairs) {
      if (!there) continue
      const differs = this.differingFields(child, there).length > 0
      this.record.note(child, there, differs ? 'updated' : this.record.stateOfFound(), recording)
    }
  }

  /** A product that lacked its brand gets it: only the fields that depend on what was missing (C1). */
  private async completeReferences(pending: string[], existing: Draft): Promise<void> {
    const withoutPending = draftWithout(this.deps.pass, this.input.item, this.input.resolved, pending)
    const named = fieldDifferences(this.root.body, withoutPending.body).map((difference) => difference.path)
    // What it said before of a page that moved back is not known.
    const texts = pending.some((one) => one.startsWith(pendingPath)) ? (this.deps.pass.texts ?? []) : []
    const fields = [...new Set([...named, ...texts.filter((field) => field in this.root.body)])].filter(
      (path) => !same(this.root.compare[path], existing.compare[path]),
    )
    if (!componentOf(this.root.component).update || fields.length === 0) return
    await this.correctRoot(existing, fields, undefined, (refusal) => async (tx, tally) => {
      if (!refusal) return
      const refused = emptyRecording()
      this.stillPending.push(...pending.filter(isReference))
      refused.issues.push(this.issues.issue(this.root, refusal, 'failure'))
      await this.record.write(refused, tx, tally)
    })
    this.wrote = true
  }

  private async readExisting(destinationId: string): Promise<Draft | undefined> {
    const { pass, context } = this.deps
    // What a dry run only planned can be read nowhere: its children are planned like the first time.
    if (isSimulated(destinationId)) return { ...this.root, id: destinationId, children: [] }
    if (!pass.byIds) return undefined
    const [item] = await itemsByIds(context, 'destination', pass, [destinationId])
    return item && pass.drafts(item, identity)
  }

  /** Sends an order; what becomes of it is recorded in the transaction that ends its intent. */
  private order(desired: Draft, parent: Parent, recorded: (saved: Draft) => Recording): Promise<Outcome> {
    const component = componentOf(desired.component)
    if ((component.create?.batch ?? 1) === 1) return this.orderAlone(desired, parent, recorded)
    return this.deps.batcher.add(component, this.orderOf(desired, parent, recorded))
  }

  private async orderAlone(desired: Draft, parent: Parent, recorded: (saved: Draft) => Recording): Promise<Outcome> {
    const order = this.orderOf(desired, parent, recorded)
    const [outcome] = await this.deps.writer.create(componentOf(desired.component), [order])
    return outcome as Outcome
  }

  private orderOf(desired: Draft, parent: Parent, recorded: (saved: Draft) => Recording): Order {
    return {
      draft: desired,
      ...parent,
      pass: this.deps.pass.key,
      rootId: this.root.id,
      parentIsNew: this.isRoot(desired) ? this.hangsOnNew() : this.made,
      read: (item) => this.read(desired, item),
      entry: (outcome) => (tx, tally) => {
        // Whether a refused root is a failure is only known once we looked for what stands in its way.
        if ('refused' in outcome && this.isRoot(desired)) return Promise.resolve()
        // Nor a picture that is sent once more from another address.
        if ('refused' in outcome && this.doesReduced(desired, outcome.refused)) return Promise.resolve()
        const recording =
          'refused' in outcome ? this.failed(desired, outcome.refused, emptyRecording()) : recorded(outcome.saved)
        if ('saved' in outcome && outcome.partly && !this.repeatsPartly())
          recording.issues.push(
            this.issues.moved(desired, outcome.saved) ?? this.issues.issue(desired, outcome.partly, 'warning'),
          )
        return this.record.write(this.warnOnce(recording), tx, tally)
      },
    }
  }

  /** What it hangs on by another pass was made by this run: nothing but what the run made is there (B3). */
  private hangsOnNew(): boolean {
    const { context, pass } = this.deps
    const owner = pass.below ?? pass.about?.component
    return [...this.input.resolved.known.values()].some(
      ({ component, destinationId, origin, runId }) =>
        component === owner && destinationId === this.root.parentId && origin === 'created' && runId === context.run.id,
    )
  }

  private isRoot({ component, id }: Draft): boolean {
    return component === this.root.component && id === this.root.id
  }

  private read(desired: Draft, item: PlatformItem): Draft {
    if (this.isRoot(desired)) return this.deps.pass.drafts(item, identity)
    const reader = componentOf(desired.component).read
    return reader ? reader(item) : { ...desired, id: String(item.id) }
  }

  private rootCreated(existing: Draft): Recording {
    const recording = emptyRecording()
    if (!this.deps.pass.byIds) this.answered = this.deps.context.protection.checksum(existing)
    const picture = this.degradedBy.get('picture')
    if (picture) this.pictureFailed(this.root, picture, recording)
    recording.addresses.push(...addressThere(this.root, existing.path))
    const address = this.degradedBy.get('address')
    // A dry run cannot tell which one it would get.
    const moved = address?.rule
      ? this.issues.issue(this.root, address, 'warning')
      : address && this.issues.moved(this.root, existing)
    if (moved) recording.issues.push(moved)
    for (const { desired, existing: there } of this.pairUp(this.root.children, existing.children).pairs)
      if (there && desired.inline) this.record.noteTree(desired, there, 'created', recording)
    if (this.isSimple(existing)) this.endRoot(existing, recording)
    else
      recording.mappings.push(
        this.record.mapping(this.root, existing, [...this.input.resolved.missing, pendingChildren], null),
      )
    return recording
  }

  private childCreated(desired: Draft, existing: Draft): Recording {
    const recording = emptyRecording()
    // One that still needs a correction ends with it: whoever takes over in between must find it open.
    if (this.differs(desired, existing)) recording.mappings.push(this.record.mapping(desired, existing, [], null))
    else this.record.note(desired, existing, 'created', recording)
    for (const { desired: child, existing: there } of this.pairUp(desired.children, existing.children).pairs)
      if (there && child.inline) this.record.noteTree(child, there, 'created', recording)
    return recording
  }

  /** The item is finished, or owes what is listed. The checksum is kept only when nothing is owed (C2). */
  private endRoot(existing: Draft, recording: Recording): void {
    const references = new Set([...this.input.resolved.missing, ...this.stillPending])
    const pending = [...references, ...(this.childFailed ? [pendingChildren] : [])]
    const elsewhere = pendingElsewhere(this.deps.context, this.input.mapping, this.input.resolved)
    const draftChecksum = pending.length === 0 ? this.deps.context.protection.checksum(this.root) : null
    const destinationChecksum = pending.length === 0 ? this.answered : null
    const mapping = this.record.mapping(this.root, existing, [...pending, ...elsewhere], draftChecksum)
    recording.mappings.push({ ...mapping, destinationChecksum })
    const { component, id: sourceId, deferred } = this.root
    if (deferred !== null && this.isFresh()) recording.deferredWrites.push({ component, sourceId, fields: deferred })
    if (!pending.some((one) => one.startsWith('reference:')))
      recording.settled.push(...this.record.settledAt(this.root, ['reference_left_out', 'platform_refused']))
    if (!pending.includes(pendingPicture))
      recording.settled.push(...this.record.settledAt(this.root, ['picture_not_fetched']))
    // An examined item counts by its own fields: what was done to its children is counted with them.
    const state = this.record.ours() ? 'created' : this.wrote && !this.examined ? 'updated' : 'matched'
    recording.ends.push({ component: this.root.component, sourceId: this.root.id, state })
  }

  /** The item and everything on it that is still open fails with it; one issue tells. */
  private failed(desired: Draft, refusal: Refusal, recording: Recording): Recording {
    const open = [...everyDraft(desired)].filter((draft) => this.record.isOpen(draft))
    const covers = open.map(({ component, id }) => ({ component, sourceId: id }))
    for (const one of covers) recording.ends.push({ ...one, state: 'failed' })
    if (!this.isRoot(desired)) this.childFailed = true
    recording.issues.push({ ...this.issues.issue(desired, refusal, 'failure'), covers })
    return recording
  }

  /** The item is there without its picture, which is owed (F4). */
  private pictureFailed(draft: Draft, refusal: Refusal, recording: Recording): void {
    if (this.isRoot(draft)) this.stillPending.push(pendingPicture)
    else this.childFailed = true
    recording.issues.push(this.issues.issue(draft, refusal, 'failure'))
  }
}

/** How the item looks when they are gone, which in a dry run they are not. */
function afterRemoval(existing: Draft, removed: Draft[]): Draft {
  return removed.reduce((left, one) => componentOf(one.component).remove?.reshapes?.(left, one) ?? left, existing)
}

function isMissingPicture(desired: Draft, existing: Draft): boolean {
  if (!componentOf(desired.component).withoutPicture) return false
  return fieldDifferences(desired.compare, existing.compare).some(({ path }) => path === 'image_file')
}

/** A child with all that goes with it, as it stood. */
function wholeBody(existing: Draft): PlatformItem {
  if (existing.children.length === 0) return existing.body
  return { ...existing.body, children: existing.children.map(wholeBody) }
}
