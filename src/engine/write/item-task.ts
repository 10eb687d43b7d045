import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Mapping } from '../../db/ledger/mappings.ts'
import type { Draft } from '../../entities/core/define.ts'
import { identity, type PlatformItem, type WriteCall } from '../../entities/core/define.ts'
import { componentOf } from '../../entities/registry.ts'
import { isAboutPicture } from '../../model/healing.ts'
import { leftAlone } from '../context/destination-owned.ts'
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
import { draftWithout, isReference, owesPath } from '../core/references.ts'
import { isPlanned } from '../core/simulated-id.ts'
import { ItemGone } from '../core/stopping.ts'
import { owedElsewhere, ownOfStorefront, setsOfStorefront } from '../plan/assign-copies.ts'
import { type Candidate, decideByKey } from '../plan/decide.ts'
import { rivalsOf } from '../plan/key-matches.ts'
import { isOwnKind } from '../plan/late-references.ts'
import { addressThere } from '../plan/page-addresses.ts'
import { tellPruned } from '../plan/simulated-differences.ts'
import { standingByIds } from '../read/by-ids.ts'
import { itemsByIds } from '../read/source-reader.ts'
import { isPair, mayPrune } from '../scope/run-part.ts'
import { afterwards, withoutPicture, withoutRefused } from './degrade.ts'
import { ItemIssues } from './item-issues.ts'
import { ItemRecord, nameOf, type TaskDeps, type TaskInput } from './item-record.ts'
import { underOwnKeys } from './renamed-children.ts'
import { Places } from './sibling-order.ts'
import { owesAddress, owesChildren, owesPicture } from './unconfirmed.ts'
import type { Order, Outcome, Refusal } from './writer.ts'

/** An item that stands at the destination and is compared with what the source has. */
export interface Examined {
  standing: Draft
  /** Somebody else edited it since we wrote it. */
  changed: boolean
  /** Checksum by the list, where the list shows all of the item. */
  listedChecksum: string | null
}

type Place = { parentId: string; parent: Draft | null }

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
  private unpaid: string[] = []
  /** What of its own the item was written without, and what the platform said about it. */
  private readonly lacks = new Map<'picture' | 'address', Refusal>()
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
    const place = { parentId: this.root.parentId ?? '', parent: null }
    // A batch fills while others come; only the one who waits for it steps aside.
    const first = await this.awaitBatch(this.root, () =>
      this.order(this.root, place, (saved) => this.rootCreated(saved)),
    )
    const outcome = await this.createPoorer(first, place)
    if ('refused' in outcome) return this.adoptOrFail(outcome.refused)
    this.made = true
    if (outcome.partly && this.repeatsPartly()) await this.correct(outcome.saved)
    if (this.isSimple(outcome.saved)) return
    await this.complete(outcome.saved)
  }

  /** Creates the item without what the platform refused, as long as there is something to do without (F4). */
  private async createPoorer(refused: Outcome, place: Place): Promise<Outcome> {
    const whole = this.root
    let outcome = refused
    let sent = whole
    while ('refused' in outcome && this.heals()) {
      const { refused: refusal } = outcome
      const poorer = withoutRefused(sent, refusal)
      if (!poorer) break
      sent = poorer.sent
      this.root = afterwards(whole, sent)
      if (poorer.lacks) this.lacks.set(poorer.lacks, refusal)
      // By itself: a batch may have been refused because of it.
      outcome = await this.orderAlone(sent, place, (saved) => this.rootCreated(saved))
    }
    if ('refused' in outcome) this.root = whole
    return outcome
  }

  private repeatsPartly(): boolean {
    return componentOf(this.root.component).repeatsPartly === true
  }

  /** What the platform did not save with the item is sent once more, by itself; what it keeps refusing is told. */
  private async correct(standing: Draft): Promise<void> {
    const component = componentOf(this.root.component)
    const fields = this.differingFields(this.root, standing).map(({ path }) => path)
    const call = component.update?.call(this.root, standing, '', fields)
    if (!call || fields.length === 0) return
    await this.payField(call, (refusal, saved) => {
      const recording = emptyRecording()
      this.answered = saved ? this.deps.context.protection.checksum(this.read(this.root, saved)) : null
      if (refusal) recording.issues.push(this.issues.issue(this.root, refusal, 'warning'))
      else this.endRoot(standing, recording)
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
      const standing = { ...this.root, id: decision.destinationId }
      recording.mappings.push({ ...this.record.mapping(this.root, standing, [], null), origin: 'adopted' })
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
    const rivals = await rivalsOf(context, pass, [this.root], { compares: false })
    const { shared } = componentOf(this.root.component)
    const found = (rivals.get(this.root.id) ?? []).map((rival) => ({ ...rival, listed: null }))
    return shared ? found.map((one) => ({ ...one, claimedBy: undefined })) : found
  }

  /** Goes on with an item that stands at the destination already. */
  async continue(mapping: Mapping): Promise<void> {
    this.continued = true
    const owed = this.perhapsOwed(mapping)
    this.knowsMore = owed.some((one) => !this.input.resolved.missing.includes(one))
    // Without children nothing but the references can differ.
    const standing =
      this.root.children.length > 0
        ? await this.readStanding(mapping.destinationId)
        : {
            ...this.root,
            id: mapping.destinationId,
            compare: {},
            outside: await this.outsideThere(mapping.destinationId),
          }
    if (!standing)
      throw new ItemGone(
        `its copy ${mapping.destinationId} was deleted at the destination while it was being completed`,
      )
    if (!isPlanned(standing.id)) this.record.found = standing
    if (standing.children.length > 0) await this.learnCopies()
    if (this.knowsMore) await this.payReferences(owed, standing)
    if (mapping.owed.includes(owesPicture)) await this.payPicture(standing)
    if (mapping.owed.includes(owesAddress)) await this.payAddress(standing)
    await this.complete(standing)
  }

  /** What other storefronts have in its sets at the destination now: it stays (D3). */
  private async outsideThere(destinationId: string): Promise<Record<string, unknown[]>> {
    const { context, pass } = this.deps
    if (!isPair(context) || !pass.sets) return {}
    const there = await standingByIds(context, pass, [destinationId], { compares: true })
    return there.get(destinationId)?.outside ?? {}
  }

  /** Only the picture is sent: it is all that is known to be missing. */
  private async payPicture(standing: Draft): Promise<void> {
    const call = componentOf(this.root.component).update?.call(this.root, standing, '', ['image_file'])
    if (!call) return
    await this.payField(call, (refusal) => {
      const recording = emptyRecording()
      if (refusal) this.pictureFailed(this.root, refusal, recording)
      return recording
    })
  }

  /** The address that another item had, which may be free by now (D4). It is not owed any longer, whatever comes of it. */
  private async payAddress(standing: Draft): Promise<void> {
    const call = componentOf(this.root.component).update?.call(this.root, standing, '', [this.addressField()])
    if (!call) return
    await this.payField(call, (refusal, saved) => {
      const recording = emptyRecording()
      if (!refusal) this.tellAddress(saved, recording)
      return recording
    })
  }

  /** Moves the copy to the address that it has in the source and that is free by now. Refused, it stays where it is; its pass looks. */
  async regainAddress(mapping: Mapping, standsAt: string): Promise<void> {
    const field = this.addressField()
    const standing = { ...this.root, id: mapping.destinationId }
    const call = componentOf(this.root.component).update?.call(this.root, standing, '', [field])
    if (!call) return
    const before = this.deps.context.protection.image(this.root.component, standing.id, { [field]: standsAt })
    await this.payField(call, () => emptyRecording(), before)
  }

  private addressField(): string {
    return 'custom_url' in this.root.body ? 'custom_url' : 'url'
  }

  /** Whether the platform took the address it was given: it may save the rest and keep another one. */
  private tellAddress(saved: PlatformItem | null, recording: Recording): void {
    const standing = saved && this.read(this.root, saved)
    if (standing) recording.addresses.push(...addressThere(this.root, standing.path))
    const moved = standing && this.issues.moved(this.root, standing)
    if (moved) recording.issues.push(moved)
    else recording.settled.push(...this.record.settledAt(this.root, ['address_changed']))
  }

  private async payField(
    call: WriteCall,
    recorded: (refusal: Refusal | null, saved: PlatformItem | null) => Recording,
    before?: BeforeImage,
  ): Promise<void> {
    const place = { pass: this.deps.pass.key, rootId: this.root.id, parentId: '', before }
    const component = componentOf(this.root.component)
    await this.deps.writer.update(component, this.root, call, place, (refusal, saved) => (tx, tally) => {
      this.wrote ||= !refusal
      return this.record.write(recorded(refusal, saved), tx, tally)
    })
  }

  /**
   * References the item may lack. One whose creator died before it recorded anything was made when others of its pass may not
   * have been there yet, and nobody knows which.
   */
  private perhapsOwed({ owed }: Mapping): string[] {
    const references = owed.filter(isReference)
    if (!owed.includes(owesChildren)) return references
    const known = [...this.input.resolved.known.keys()].map((key) => `reference:${key}`)
    return [...references, ...known.filter((one) => isOwnKind(this.deps.pass, one))]
  }

  /**
   * Pays what an item owed to others of its own pass, which are there by now (C5). The first pass has ended and counted it,
   * also what failed on it: that is left to the next run.
   */
  async payLate(mapping: Mapping): Promise<void> {
    this.childFailed = mapping.owed.includes(owesChildren)
    if (mapping.owed.includes(owesPicture)) this.unpaid.push(owesPicture)
    const poorer = draftWithout(this.deps.pass, this.input.item, this.input.resolved, mapping.owed)
    const childrenOwe = checksum({ ...this.root, compare: {} }) !== checksum({ ...poorer, compare: {} })
    // Where others have members in the same sets, what stands there is read before it is written.
    if (childrenOwe || isPair(this.deps.context)) return this.continue(mapping)
    // Not read: what it owes is all that is known to differ.
    const standing = { ...this.root, id: mapping.destinationId, compare: {} }
    await this.payReferences(mapping.owed, standing)
    this.endRoot(standing, this.record.pending)
    await this.record.flush()
  }

  /** Puts a copy that another run made on the storefront of this one, and leaves the rest of it alone (D3). */
  async place(mapping: Mapping): Promise<void> {
    const standing = await this.readStanding(mapping.destinationId)
    if (!standing)
      throw new ItemGone(`its copy ${mapping.destinationId} was deleted at the destination while it was being placed`)
    this.examined = { standing, changed: false, listedChecksum: null }
    const sets = setsOfStorefront(this.deps.pass)
    const fields = this.differingFields(this.root, standing).filter(({ path }) => sets.includes(path))
    if (fields.length > 0 && !(await this.updateRoot(standing, fields))) return
    const own = ownOfStorefront(this.root)
    for (const { wanted, standing: there } of this.pairUp(own, standing.children).pairs)
      if (there) this.record.note(wanted, there, 'matched')
      else if (this.record.isOpen(wanted)) await this.createChild(wanted, { parentId: standing.id, parent: standing })
    await this.untilBatched()
    for (const { component, id } of everyDraft(this.root))
      this.record.pending.ends.push({ component, sourceId: id, state: 'skipped' })
    await this.record.flush()
  }

  /** Writes what the item differs in from the source, and nothing else (C2); `replace` also deletes what only it has (D2). */
  async examine(examined: Examined): Promise<void> {
    const shown = await this.shown(examined)
    const standing = await this.underOwnKeys(shown)
    this.examined = { ...examined, standing }
    this.record.found = standing
    // What was read just now counts: a process before this one may have written since the destination was listed.
    const readAgain = shown !== examined.standing
    this.answered = readAgain ? this.deps.context.protection.checksum(shown) : examined.listedChecksum
    const fields = this.differingFields(this.root, standing)
    if (fields.length > 0 && !(await this.updateRoot(standing, fields))) return
    await this.complete(await this.withoutForeignOptions(standing))
  }

  private async underOwnKeys(standing: Draft): Promise<Draft> {
    if (standing.children.length === 0) return standing
    await this.learnCopies()
    return underOwnKeys(this.root, standing, this.copyOf)
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

  private pairUp(wanted: Draft[], standing: Draft[]): ReturnType<typeof pairUp> {
    return pairUp(wanted, standing, this.copyOf)
  }

  /** Of personal and secret items the list kept hashes only: what is about to be overwritten is read once more (D6, S9). */
  private async shown({ standing, listedChecksum }: Examined): Promise<Draft> {
    const { context } = this.deps
    const component = componentOf(this.root.component)
    if (listedChecksum === null || context.protection.open(component.key)) return standing
    const parentIds = [this.root.parentId ?? '']
    const look = async (keys: string[][]) =>
      (await component.probe?.(context.destination, { keys, parentIds }))?.find((draft) => draft.id === standing.id)
    // By its keys, as far as it has kept them; else among all of them.
    const found = (this.root.keys.length > 0 ? await look([this.root.keys]) : undefined) ?? (await look([]))
    if (!found) throw new ItemGone(`its copy ${standing.id} was deleted at the destination while it was being compared`)
    return found
  }

  /** @returns whether the platform took it. */
  private async updateRoot(standing: Draft, fields: FieldDifference[]): Promise<boolean> {
    if (!componentOf(this.root.component).update) return true
    const paths = fields.map((field) => field.path)
    const before = this.before(standing, fields)
    let taken = false
    let withoutIt = false
    await this.correctRoot(standing, paths, before, (refusal, saved) => (tx, tally) => {
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
        if (fields.some(({ path }) => path === 'custom_url' || path === 'url')) this.tellAddress(saved, recording)
      }
      this.answered =
        saved && !this.deps.pass.byIds ? this.deps.context.protection.checksum(this.read(this.root, saved)) : null
      return this.record.write(recording, tx, tally)
    })
    if (!withoutIt) return taken
    const others = fields.filter((field) => field.path !== 'image_file')
    return others.length === 0 || this.updateRoot(standing, others)
  }

  /** In a batch where the platform takes them: it fills while others come, and only the one who waits for it steps aside. */
  private async correctRoot(
    standing: Draft,
    fields: string[],
    before: BeforeImage | undefined,
    entry: (refusal: Refusal | null, saved: PlatformItem | null) => Entry,
  ): Promise<void> {
    const { pass, writer, updates, setAside } = this.deps
    const component = componentOf(this.root.component)
    const place = { pass: pass.key, rootId: this.root.id, parentId: '', before }
    const order = { wanted: this.root, standing, fields, place, entry }
    if (component.update?.several) {
      await setAside(() => updates.add(component, order))
      return
    }
    const call = component.update?.call(this.root, standing, '', fields)
    if (call) await writer.update(component, this.root, call, place, entry)
  }

  /** What an update is about to overwrite, for the before-image (D6). */
  private before(standing: Draft, fields: FieldDifference[]) {
    const body = Object.fromEntries(fields.map(({ path, destination }) => [path, standing.body[path] ?? destination]))
    return this.deps.context.protection.image(standing.component, standing.id, body)
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
      destinationId: this.examined.standing.id,
      message: `${called} had been edited at the destination after it was copied; it is as in the source again.`,
    })
    return recording
  }

  /** Fields that stand otherwise than wanted; living ones of an item that is not ours are left alone (D1). */
  private differingFields(wanted: Draft, standing: Draft): FieldDifference[] {
    const left = this.record.ours() ? [] : leftAlone(this.deps.context.run, wanted.component)
    return fieldDifferences(wanted.compare, standing.compare).filter((field) => !left.includes(field.path))
  }

  /** Nothing but inline children: the create call has done it all and was recorded as such. */
  private isSimple(standing: Draft): boolean {
    return this.openChildren(this.root, standing).length === 0
  }

  private openChildren(wanted: Draft, standing: Draft): Pair[] {
    return this.pairUp(wanted.children, standing.children).pairs.filter(
      ({ wanted: child, standing: there }) =>
        !there || !child.inline || this.differs(child, there) || this.openChildren(child, there).length > 0,
    )
  }

  private async complete(standing: Draft): Promise<void> {
    await this.reconcile(this.root, standing, standing.id)
    await this.untilBatched()
    await this.takeBack(standing)
    this.endRoot(standing, this.record.pending)
    await this.record.flush()
  }

  /** The platform may add something to a new item that nobody wants there (a product is put on the default storefront). */
  private async takeBack(standing: Draft): Promise<void> {
    const { context, entity, pass, writer } = this.deps
    if (!this.isFresh() || this.examined || this.root.component !== entity.key) return
    for (const component of entity.components) {
      const added = component.addedByPlatform?.(context.defaults)
      if (!added || !component.remove) continue
      if (this.root.children.some((child) => child.keys[0] === added.keys[0])) continue
      const call = component.remove.call(added, standing.id)
      const place = { pass: pass.key, rootId: this.root.id, parentId: standing.id, prunes: false }
      await writer.remove(component, added, call, place, (refusal) => (tx, tally) => {
        const recording = emptyRecording()
        if (refusal) recording.issues.push(this.issues.notRemoved(added, refusal))
        return this.record.write(recording, tx, tally)
      })
    }
  }

  /** Made by this task, or by one that died before it was finished. */
  private isFresh(): boolean {
    const { mapping } = this.input
    return !mapping || (mapping.origin === 'created' && mapping.owed.includes(owesChildren))
  }

  private async reconcile(wanted: Draft, standing: Draft, address: string): Promise<void> {
    const { pairs, extra } = this.pairUp(wanted.children, standing.children)
    const foreign = this.removesExtras() ? extra.filter((draft) => this.mayRemove(draft)) : []
    const first = foreign.filter((draft) => componentOf(draft.component).remove?.first)
    for (const draft of first) await this.removeChild(draft, address)
    const places = new Places()
    for (const pair of places.inOrder(pairs)) {
      if (pair.standing)
        await this.reconcileChild(pair.wanted, places.perhapsMoved(pair.wanted, pair.standing), address)
      else if (this.record.isOpen(pair.wanted))
        await this.createChild(pair.wanted, { parentId: address, parent: standing })
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
  private async withoutForeignOptions(standing: Draft): Promise<Draft> {
    if (!this.removesExtras()) return standing
    const { extra } = this.pairUp(this.root.children, standing.children)
    const reshaping = extra.filter((draft) => this.mayRemove(draft) && componentOf(draft.component).remove?.reshapes)
    for (const draft of reshaping) await this.removeChild(draft, standing.id)
    if (reshaping.length === 0) return standing
    if (this.deps.context.run.mode === 'dry-run') return afterRemoval(standing, reshaping)
    const again = await this.readStanding(standing.id)
    return again ? this.underOwnKeys(again) : standing
  }

  /** Deletes what only the destination has (D2), and counts it with all that goes with it. */
  private async removeChild(standing: Draft, address: string): Promise<void> {
    const { writer, context, pass } = this.deps
    const component = componentOf(standing.component)
    if (!component.remove) return
    await this.record.flush()
    const before = context.protection.image(standing.component, standing.id, wholeBody(standing))
    const place = { pass: pass.key, rootId: this.root.id, parentId: address, before, prunes: true }
    await writer.remove(
      component,
      standing,
      component.remove.call(standing, address),
      place,
      (refusal) => async (tx, tally) => {
        const recording = this.warnOnce(emptyRecording())
        if (refusal) recording.issues.push(this.issues.notRemoved(standing, refusal))
        if (!refusal) await tellPruned(context, this.deps.entity.key, standing, tx)
        await this.record.write(recording, tx, tally)
      },
    )
  }

  private async reconcileChild(wanted: Draft, standing: Draft, address: string): Promise<void> {
    const isDue = this.record.isOpen(wanted) || (this.knowsMore && this.record.isWritten(wanted))
    if (isDue && this.differs(wanted, standing)) await this.updateChild(wanted, standing, address)
    else this.record.note(wanted, standing, this.record.stateOfFound())
    const below = componentOf(wanted.component).addressBelow?.(standing.id, address) ?? standing.id
    await this.reconcile(wanted, standing, below)
  }

  /**
   * Inline children stand as they were sent, except for pictures that were not fetched then; the rest is compared, with the
   * children its own update call carries.
   */
  private differs(wanted: Draft, standing: Draft): boolean {
    const component = componentOf(wanted.component)
    if (!component.update) return false
    if (wanted.inline && !this.examined) return this.continued && lacksPicture(wanted, standing)
    if (this.differingFields(wanted, standing).length > 0) return true
    return this.pairUp(wanted.children, standing.children).pairs.some(
      ({ wanted: child, standing: there }) =>
        there && componentOf(child.component).carried && fieldDifferences(child.compare, there.compare).length > 0,
    )
  }

  private async createChild(wanted: Draft, place: Place): Promise<void> {
    const component = componentOf(wanted.component)
    if (component.create && component.create.batch > 1) {
      const noted = this.order(wanted, place, (saved) => this.childCreated(wanted, saved)).then((outcome) =>
        this.afterBatch(wanted, outcome, place),
      )
      // A fault is met where all of them are waited for; until then nobody may listen, which is no reason to end the process.
      noted.catch(() => undefined)
      this.later.push(noted)
      return
    }
    await this.record.flush()
    const outcome = await this.createWhole(wanted, place)
    this.noteFailure(outcome)
    if ('refused' in outcome) return
    // Siblings that come later may name it (complex rules name modifiers).
    place.parent?.children.push(outcome.saved)
    const below = component.addressBelow?.(outcome.saved.id, place.parentId) ?? outcome.saved.id
    if (this.differs(wanted, outcome.saved))
      await this.updateChild(wanted, outcome.saved, place.parentId, { justMade: true })
    await this.reconcile(wanted, outcome.saved, below)
  }

  /** A picture of which the source does not serve this one original is copied in its smaller size (F1). */
  private async createWhole(wanted: Draft, place: Place): Promise<Outcome> {
    const outcome = await this.order(wanted, place, (saved) => this.childCreated(wanted, saved))
    const { reducedPicture, ...rest } = wanted
    if (!('refused' in outcome) || reducedPicture === undefined || !this.doesReduced(wanted, outcome.refused))
      return outcome
    const smaller = { ...rest, body: { ...rest.body, image_url: reducedPicture } }
    return this.order(smaller, place, (saved) => {
      const recording = this.childCreated(smaller, saved)
      recording.issues.push(this.issues.pictureReduced(smaller))
      return recording
    })
  }

  private doesReduced({ reducedPicture }: Draft, refusal: Refusal): boolean {
    return this.heals() && reducedPicture !== undefined && isAboutPicture(refusal)
  }

  /** What hangs on a child that went in a batch is ordered when that is there. */
  private async afterBatch(wanted: Draft, outcome: Outcome, { parentId }: Place): Promise<void> {
    this.noteFailure(outcome)
    if ('refused' in outcome || wanted.children.length === 0) return
    const below = componentOf(wanted.component).addressBelow?.(outcome.saved.id, parentId) ?? outcome.saved.id
    await this.reconcile(wanted, outcome.saved, below)
  }

  /** Between the rounds somebody has to notice that new batches wait. */
  private async untilBatched(): Promise<void> {
    while (this.later.length > 0) {
      const batched = this.later.splice(0)
      await this.deps.setAside(() => Promise.all(batched))
    }
  }

  private awaitBatch<T>(draft: Draft, wait: () => Promise<T>): Promise<T> {
    return (componentOf(draft.component).create?.batch ?? 1) > 1 ? this.deps.setAside(wait) : wait()
  }

  private noteFailure(outcome: Outcome): void {
    if ('refused' in outcome) this.childFailed = true
    else this.wrote = true
  }

  private async updateChild(wanted: Draft, standing: Draft, address: string, { justMade = false } = {}): Promise<void> {
    const component = componentOf(wanted.component)
    const fields = this.differingFields(wanted, standing)
    const paths = this.examined ? fields.map((field) => field.path) : ('all' as const)
    const call = component.update?.call(wanted, standing, address, paths)
    if (!call) return
    const before = justMade || this.record.ours() ? undefined : this.before(standing, fields)
    const place = { pass: this.deps.pass.key, rootId: this.root.id, parentId: address, before }
    const recording = this.record.take()
    let withoutIt = false
    await this.deps.writer.update(component, wanted, call, place, (refusal) => (tx, tally) => {
      withoutIt = refusal !== null && this.doesWithoutPicture(wanted, refusal)
      if (refusal && withoutIt) this.pictureFailed(wanted, refusal, recording)
      else if (refusal) this.failed(wanted, refusal, recording)
      else {
        if (justMade) this.record.noteTree(wanted, standing, 'created', recording)
        else this.noteUpdated(wanted, standing, recording)
        recording.settled.push(...this.record.settledAt(wanted, ['picture_not_fetched']))
      }
      return this.record.write(this.warnOnce(recording), tx, tally)
    })
    if (withoutIt) await this.updateBare(wanted, standing, address)
    else this.wrote = true
  }

  /** A child whose picture could not be fetched: whatever else differs about it is written all the same (F4). */
  private async updateBare(wanted: Draft, standing: Draft, address: string): Promise<void> {
    const { image_file: _file, ...compare } = wanted.compare
    const bare = { ...wanted, body: withoutPicture(wanted.body), compare }
    if (this.differingFields(bare, standing).length > 0) await this.updateChild(bare, standing, address)
    else this.record.note(bare, standing, this.record.stateOfFound())
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
  private noteUpdated(wanted: Draft, standing: Draft, recording: Recording): void {
    if (!this.examined) {
      this.record.noteTree(wanted, standing, this.record.ours() ? 'created' : 'updated', recording)
      return
    }
    this.record.note(wanted, standing, 'updated', recording)
    for (const { wanted: child, standing: there } of this.pairUp(wanted.children, standing.children).pairs) {
      if (!there) continue
      const differs = this.differingFields(child, there).length > 0
      this.record.note(child, there, differs ? 'updated' : this.record.stateOfFound(), recording)
    }
  }

  /** A product that lacked its brand gets it: only the fields that depend on what was missing (C1). */
  private async payReferences(owed: string[], standing: Draft): Promise<void> {
    const poorer = draftWithout(this.deps.pass, this.input.item, this.input.resolved, owed)
    const named = fieldDifferences(this.root.body, poorer.body).map((difference) => difference.path)
    // What it said before of a page that moved back is not known.
    const texts = owed.some((one) => one.startsWith(owesPath)) ? (this.deps.pass.texts ?? []) : []
    const fields = [...new Set([...named, ...texts.filter((field) => field in this.root.body)])].filter(
      (path) => !same(this.root.compare[path], standing.compare[path]),
    )
    if (!componentOf(this.root.component).update || fields.length === 0) return
    await this.correctRoot(standing, fields, undefined, (refusal) => async (tx, tally) => {
      if (!refusal) return
      const refused = emptyRecording()
      this.unpaid.push(...owed.filter(isReference))
      refused.issues.push(this.issues.issue(this.root, refusal, 'failure'))
      await this.record.write(refused, tx, tally)
    })
    this.wrote = true
  }

  private async readStanding(destinationId: string): Promise<Draft | undefined> {
    const { pass, context } = this.deps
    // What a dry run only planned can be read nowhere: its children are planned like the first time.
    if (isPlanned(destinationId)) return { ...this.root, id: destinationId, children: [] }
    if (!pass.byIds) return undefined
    const [item] = await itemsByIds(context, 'destination', pass, [destinationId])
    return item && pass.drafts(item, identity)
  }

  /** Sends an order; what becomes of it is recorded in the transaction that ends its intent. */
  private order(wanted: Draft, place: Place, recorded: (saved: Draft) => Recording): Promise<Outcome> {
    const component = componentOf(wanted.component)
    if ((component.create?.batch ?? 1) === 1) return this.orderAlone(wanted, place, recorded)
    return this.deps.batcher.add(component, this.orderOf(wanted, place, recorded))
  }

  private async orderAlone(wanted: Draft, place: Place, recorded: (saved: Draft) => Recording): Promise<Outcome> {
    const order = this.orderOf(wanted, place, recorded)
    const [outcome] = await this.deps.writer.create(componentOf(wanted.component), [order])
    return outcome as Outcome
  }

  private orderOf(wanted: Draft, place: Place, recorded: (saved: Draft) => Recording): Order {
    return {
      draft: wanted,
      ...place,
      pass: this.deps.pass.key,
      rootId: this.root.id,
      parentIsNew: this.isRoot(wanted) ? this.hangsOnNew() : this.made,
      read: (item) => this.read(wanted, item),
      entry: (outcome) => (tx, tally) => {
        // Whether a refused root is a failure is only known once we looked for what stands in its way.
        if ('refused' in outcome && this.isRoot(wanted)) return Promise.resolve()
        // Nor a picture that is sent once more from another address.
        if ('refused' in outcome && this.doesReduced(wanted, outcome.refused)) return Promise.resolve()
        const recording =
          'refused' in outcome ? this.failed(wanted, outcome.refused, emptyRecording()) : recorded(outcome.saved)
        if ('saved' in outcome && outcome.partly && !this.repeatsPartly())
          recording.issues.push(
            this.issues.moved(wanted, outcome.saved) ?? this.issues.issue(wanted, outcome.partly, 'warning'),
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

  private read(wanted: Draft, item: PlatformItem): Draft {
    if (this.isRoot(wanted)) return this.deps.pass.drafts(item, identity)
    const reader = componentOf(wanted.component).read
    return reader ? reader(item) : { ...wanted, id: String(item.id) }
  }

  private rootCreated(standing: Draft): Recording {
    const recording = emptyRecording()
    if (!this.deps.pass.byIds) this.answered = this.deps.context.protection.checksum(standing)
    const picture = this.lacks.get('picture')
    if (picture) this.pictureFailed(this.root, picture, recording)
    recording.addresses.push(...addressThere(this.root, standing.path))
    const address = this.lacks.get('address')
    // A dry run cannot tell which one it would get.
    const moved = address?.rule
      ? this.issues.issue(this.root, address, 'warning')
      : address && this.issues.moved(this.root, standing)
    if (moved) recording.issues.push(moved)
    for (const { wanted, standing: there } of this.pairUp(this.root.children, standing.children).pairs)
      if (there && wanted.inline) this.record.noteTree(wanted, there, 'created', recording)
    if (this.isSimple(standing)) this.endRoot(standing, recording)
    else
      recording.mappings.push(
        this.record.mapping(this.root, standing, [...this.input.resolved.missing, owesChildren], null),
      )
    return recording
  }

  private childCreated(wanted: Draft, standing: Draft): Recording {
    const recording = emptyRecording()
    // One that still needs a correction ends with it: whoever takes over in between must find it open.
    if (this.differs(wanted, standing)) recording.mappings.push(this.record.mapping(wanted, standing, [], null))
    else this.record.note(wanted, standing, 'created', recording)
    for (const { wanted: child, standing: there } of this.pairUp(wanted.children, standing.children).pairs)
      if (there && child.inline) this.record.noteTree(child, there, 'created', recording)
    return recording
  }

  /** The item is finished, or owes what is listed. The checksum is kept only when nothing is owed (C2). */
  private endRoot(standing: Draft, recording: Recording): void {
    const references = new Set([...this.input.resolved.missing, ...this.unpaid])
    const owed = [...references, ...(this.childFailed ? [owesChildren] : [])]
    const elsewhere = owedElsewhere(this.deps.context, this.input.mapping, this.input.resolved)
    const draftChecksum = owed.length === 0 ? this.deps.context.protection.checksum(this.root) : null
    const destinationChecksum = owed.length === 0 ? this.answered : null
    const mapping = this.record.mapping(this.root, standing, [...owed, ...elsewhere], draftChecksum)
    recording.mappings.push({ ...mapping, destinationChecksum })
    const { component, id: sourceId, lastly } = this.root
    if (lastly !== null && this.isFresh()) recording.duties.push({ component, sourceId, fields: lastly })
    if (!owed.some((one) => one.startsWith('reference:')))
      recording.settled.push(...this.record.settledAt(this.root, ['reference_left_out', 'platform_refused']))
    if (!owed.includes(owesPicture))
      recording.settled.push(...this.record.settledAt(this.root, ['picture_not_fetched']))
    // An examined item counts by its own fields: what was done to its children is counted with them.
    const state = this.record.ours() ? 'created' : this.wrote && !this.examined ? 'updated' : 'matched'
    recording.ends.push({ component: this.root.component, sourceId: this.root.id, state })
  }

  /** The item and everything on it that is still open fails with it; one issue tells. */
  private failed(wanted: Draft, refusal: Refusal, recording: Recording): Recording {
    const open = [...everyDraft(wanted)].filter((draft) => this.record.isOpen(draft))
    const covers = open.map(({ component, id }) => ({ component, sourceId: id }))
    for (const one of covers) recording.ends.push({ ...one, state: 'failed' })
    if (!this.isRoot(wanted)) this.childFailed = true
    recording.issues.push({ ...this.issues.issue(wanted, refusal, 'failure'), covers })
    return recording
  }

  /** The item is there without its picture, which is owed (F4). */
  private pictureFailed(draft: Draft, refusal: Refusal, recording: Recording): void {
    if (this.isRoot(draft)) this.unpaid.push(owesPicture)
    else this.childFailed = true
    recording.issues.push(this.issues.issue(draft, refusal, 'failure'))
  }
}

/** How the item looks when they are gone, which in a dry run they are not. */
function afterRemoval(standing: Draft, removed: Draft[]): Draft {
  return removed.reduce((left, one) => componentOf(one.component).remove?.reshapes?.(left, one) ?? left, standing)
}

function lacksPicture(wanted: Draft, standing: Draft): boolean {
  if (!componentOf(wanted.component).withoutPicture) return false
  return fieldDifferences(wanted.compare, standing.compare).some(({ path }) => path === 'image_file')
}

/** A child with all that goes with it, as it stood. */
function wholeBody(standing: Draft): PlatformItem {
  if (standing.children.length === 0) return standing.body
  return { ...standing.body, children: standing.children.map(wholeBody) }
}
