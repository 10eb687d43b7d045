import type { Tally } from '../db/counters.ts'
import type { InTransaction } from '../db/database.ts'
import { type IssueToWrite, saveIssues } from '../db/issues.ts'
import { endItems, type LedgerState } from '../db/ledger.ts'
import { claimsOf, type Mapping, saveMappings } from '../db/mappings.ts'
import { type Draft, type Entity, identity, type Pass, type PlatformItem } from '../entities/define.ts'
import { componentOf } from '../entities/registry.ts'
import type { Batcher } from './batcher.ts'
import type { RunContext } from './context.ts'
import { owesChildren } from './doubt.ts'
import { isOwnKind } from './late-references.ts'
import { checksum, everyDraft, fieldDifferences, pairUp, same } from './pairing.ts'
import { type Candidate, decideByKey } from './planner.ts'
import { draftWithout, type Resolved } from './references.ts'
import { ItemGone } from './stopping.ts'
import type { Order, Outcome, Refusal, Writer } from './writer.ts'

export interface TaskDeps {
  context: RunContext
  entity: Entity
  pass: Pass
  writer: Writer
  batcher: Batcher
  setAside: <T>(wait: () => Promise<T>) => Promise<T>
}

export interface TaskInput {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  /** States from before a take-over, by `component/id`; only what is pending is still to be done. */
  states: Map<string, LedgerState>
}

interface Recording {
  ends: { component: string; sourceId: string; state: LedgerState }[]
  mappings: Mapping[]
  issues: IssueToWrite[]
}

type Place = { parentId: string; parent: Draft | null }

/**
 * One source item and all that hangs on it: created, completed or continued until nothing is owed. The same comparison of
 * drafts serves a fresh product, one whose creator died, and one that owes something from an earlier run.
 */
export class ItemTask {
  private readonly deps: TaskDeps
  private readonly input: TaskInput
  private readonly root: Draft
  /** What needs no call of its own and is recorded with the next one that does. */
  private pending: Recording = emptyRecording()
  private readonly later: Promise<void>[] = []
  private childFailed = false
  /** References that the platform refused: still owed. */
  private unpaid: string[] = []
  private wrote = false

  constructor(deps: TaskDeps, input: TaskInput) {
    this.deps = deps
    this.input = input
    this.root = input.resolved.draft
  }

  async create(): Promise<void> {
    const place = { parentId: this.root.parentId ?? '', parent: null }
    // A batch fills while others come; only the one who waits for it steps aside.
    const outcome = await this.awaitBatch(this.root, () =>
      this.order(this.root, place, (saved) => this.rootCreated(saved)),
    )
    if ('refused' in outcome) return this.adoptOrFail(outcome.refused)
    if (this.isSimple(outcome.saved)) return
    await this.complete(outcome.saved)
  }

  /**
   * The platform refused the item: perhaps because the same one came to be there after the destination was listed. Then it is
   * adopted by the same rule as any other and counts as skipped, never as created (B6).
   */
  private async adoptOrFail(refusal: Refusal): Promise<void> {
    const { context } = this.deps
    const decision = decideByKey(this.root, context.protection.keys(this.root), await this.inTheWay())
    const recording = emptyRecording()
    if (decision.kind === 'adopt') {
      const standing = { ...this.root, id: decision.destinationId }
      recording.mappings.push({ ...this.mapping(this.root, standing, [], null), origin: 'adopted' })
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
    await context.recorder.record((tx, tally) => this.write(recording, tx, tally))
  }

  /** Destination items that carry one of the root's keys, looked up now. */
  private async inTheWay(): Promise<Candidate[]> {
    const { context } = this.deps
    const component = componentOf(this.root.component)
    if (component.recovery !== 'key' || !component.probe) return []
    const keys = context.protection.keys(this.root)
    const sought = { keys: [this.root.keys], parentIds: [this.root.parentId ?? ''] }
    const standing = await component.probe(context.destination, sought)
    const found = standing
      .map((draft) => ({ destinationId: draft.id, keys: context.protection.keys(draft) }))
      .filter((one) => one.keys.some((key) => keys.includes(key)))
    const claims = await claimsOf(
      context.database,
      context.pair,
      context.references.scope(component.key),
      component.key,
      found.map((one) => one.destinationId),
    )
    return found.map((one) => ({ ...one, claimedBy: claims.get(one.destinationId) }))
  }

  /** Goes on with an item that stands at the destination already. */
  async continue(mapping: Mapping): Promise<void> {
    const owed = this.perhapsOwed(mapping)
    const owesReference = owed.some((one) => !this.input.resolved.missing.includes(one))
    const standing =
      this.root.children.length > 0 || owesReference
        ? await this.readStanding(mapping.destinationId)
        : { ...this.root, id: mapping.destinationId }
    if (!standing)
      throw new ItemGone(
        `its copy ${mapping.destinationId} was deleted at the destination while it was being completed`,
      )
    if (owesReference) await this.payReferences(owed, standing)
    await this.complete(standing)
  }

  /**
   * References the item may lack. One whose creator died before it recorded anything was made when others of its pass may not
   * have been there yet, and nobody knows which.
   */
  private perhapsOwed({ owed }: Mapping): string[] {
    const references = owed.filter((one) => one.startsWith('reference:'))
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
    const poorer = draftWithout(this.deps.pass, this.input.item, this.input.resolved.known, mapping.owed)
    const childrenOwe = checksum({ ...this.root, compare: {} }) !== checksum({ ...poorer, compare: {} })
    if (childrenOwe) return this.continue(mapping)
    // Not read: what it owes is all that is known to differ.
    const standing = { ...this.root, id: mapping.destinationId, compare: {} }
    await this.payReferences(mapping.owed, standing)
    this.endRoot(standing, this.pending)
    await this.flush()
  }

  /** Nothing but inline children: the create call has done it all and was recorded as such. */
  private isSimple(standing: Draft): boolean {
    return this.openChildren(this.root, standing).length === 0
  }

  private openChildren(wanted: Draft, standing: Draft) {
    return pairUp(wanted.children, standing.children).pairs.filter(
      ({ wanted: child, standing: there }) => !there || !child.inline || this.differs(child, there),
    )
  }

  private async complete(standing: Draft): Promise<void> {
    await this.reconcile(this.root, standing, standing.id)
    if (this.later.length > 0) await this.deps.setAside(() => Promise.all(this.later))
    this.endRoot(standing, this.pending)
    await this.flush()
  }

  private async reconcile(wanted: Draft, standing: Draft, address: string): Promise<void> {
    for (const pair of pairUp(wanted.children, standing.children).pairs) {
      if (pair.standing) await this.reconcileChild(pair.wanted, pair.standing, address)
      else if (this.isOpen(pair.wanted)) await this.createChild(pair.wanted, { parentId: address, parent: standing })
    }
  }

  private async reconcileChild(wanted: Draft, standing: Draft, address: string): Promise<void> {
    if (this.isOpen(wanted) && this.differs(wanted, standing)) await this.updateChild(wanted, standing, address)
    else this.note(wanted, standing, this.stateOfFound())
    const below = componentOf(wanted.component).addressBelow?.(standing.id, address) ?? standing.id
    await this.reconcile(wanted, standing, below)
  }

  /** Inline children stand as they were sent; the rest is compared, with the children its own update call carries. */
  private differs(wanted: Draft, standing: Draft): boolean {
    const component = componentOf(wanted.component)
    if (!component.update || wanted.inline) return false
    if (fieldDifferences(wanted.compare, standing.compare).length > 0) return true
    return pairUp(wanted.children, standing.children).pairs.some(
      ({ wanted: child, standing: there }) =>
        there && componentOf(child.component).carried && fieldDifferences(child.compare, there.compare).length > 0,
    )
  }

  private async createChild(wanted: Draft, place: Place): Promise<void> {
    const component = componentOf(wanted.component)
    if (component.create && component.create.batch > 1) {
      this.later.push(
        this.order(wanted, place, (saved) => this.childCreated(wanted, saved)).then((outcome) =>
          this.noteFailure(outcome),
        ),
      )
      return
    }
    await this.flush()
    const outcome = await this.order(wanted, place, (saved) => this.childCreated(wanted, saved))
    this.noteFailure(outcome)
    if ('refused' in outcome) return
    const below = component.addressBelow?.(outcome.saved.id, place.parentId) ?? outcome.saved.id
    if (this.differs(wanted, outcome.saved)) await this.updateChild(wanted, outcome.saved, place.parentId)
    await this.reconcile(wanted, outcome.saved, below)
  }

  private awaitBatch<T>(draft: Draft, wait: () => Promise<T>): Promise<T> {
    return (componentOf(draft.component).create?.batch ?? 1) > 1 ? this.deps.setAside(wait) : wait()
  }

  private noteFailure(outcome: Outcome): void {
    if ('refused' in outcome) this.childFailed = true
    else this.wrote = true
  }

  private async updateChild(wanted: Draft, standing: Draft, address: string): Promise<void> {
    const component = componentOf(wanted.component)
    const call = component.update?.call(wanted, standing, address, 'all')
    if (!call) return
    const place = { pass: this.deps.pass.key, rootId: this.root.id, parentId: address }
    const before = this.take()
    await this.deps.writer.update(component, wanted, call, place, (refusal) => (tx, tally) => {
      if (refusal) this.failed(wanted, refusal, before)
      else this.noteTree(wanted, standing, this.ours() ? 'created' : 'updated', before)
      return this.write(before, tx, tally)
    })
    this.wrote = true
  }

  /** A product that lacked its brand gets it: only the fields that depend on what was missing (C1). */
  private async payReferences(owed: string[], standing: Draft): Promise<void> {
    const component = componentOf(this.root.component)
    const poorer = draftWithout(this.deps.pass, this.input.item, this.input.resolved.known, owed)
    const fields = fieldDifferences(this.root.body, poorer.body)
      .map((difference) => difference.path)
      .filter((path) => !same(this.root.compare[path], standing.compare[path]))
    const call = component.update?.call(this.root, standing, '', fields)
    if (!call || fields.length === 0) return
    const place = { pass: this.deps.pass.key, rootId: this.root.id, parentId: '' }
    await this.deps.writer.update(component, this.root, call, place, (refusal) => async (tx, tally) => {
      if (!refusal) return
      const refused = emptyRecording()
      this.unpaid = owed.filter((one) => one.startsWith('reference:'))
      refused.issues.push(this.issue(this.root, refusal, 'failure'))
      await this.write(refused, tx, tally)
    })
    this.wrote = true
  }

  private async readStanding(destinationId: string): Promise<Draft | undefined> {
    const { pass, context } = this.deps
    if (!pass.byIds) return undefined
    const answer = await context.destination.get<{ data: PlatformItem[] }>(
      pass.byIds.path,
      { ...pass.byIds.query, [pass.byIds.idsParameter]: destinationId },
      { signal: context.lease.stop },
    )
    const item = answer.body.data[0]
    return item && pass.drafts(item, identity)
  }

  /** Sends an order; what becomes of it is recorded in the transaction that ends its intent. */
  private async order(wanted: Draft, place: Place, recorded: (saved: Draft) => Recording): Promise<Outcome> {
    const component = componentOf(wanted.component)
    const order: Order = {
      draft: wanted,
      ...place,
      pass: this.deps.pass.key,
      rootId: this.root.id,
      read: (item) => this.read(wanted, item),
      entry: (outcome) => (tx, tally) => {
        // Whether a refused root is a failure is only known once we looked for what stands in its way.
        if ('refused' in outcome && wanted === this.root) return Promise.resolve()
        const recording =
          'refused' in outcome ? this.failed(wanted, outcome.refused, emptyRecording()) : recorded(outcome.saved)
        if ('saved' in outcome && outcome.partly) recording.issues.push(this.issue(wanted, outcome.partly, 'warning'))
        return this.write(recording, tx, tally)
      },
    }
    if ((component.create?.batch ?? 1) > 1) return this.deps.batcher.add(component, order)
    const [outcome] = await this.deps.writer.create(component, [order])
    return outcome as Outcome
  }

  private read(wanted: Draft, item: PlatformItem): Draft {
    if (wanted === this.root) return this.deps.pass.drafts(item, identity)
    const reader = componentOf(wanted.component).read
    return reader ? reader(item) : { ...wanted, id: String(item.id) }
  }

  private rootCreated(standing: Draft): Recording {
    const recording = emptyRecording()
    for (const { wanted, standing: there } of pairUp(this.root.children, standing.children).pairs)
      if (there && wanted.inline) this.noteTree(wanted, there, 'created', recording)
    if (this.isSimple(standing)) this.endRoot(standing, recording)
    else
      recording.mappings.push(this.mapping(this.root, standing, [...this.input.resolved.missing, owesChildren], null))
    return recording
  }

  private childCreated(wanted: Draft, standing: Draft): Recording {
    const recording = emptyRecording()
    // One that still needs a correction ends with it: whoever takes over in between must find it open.
    if (this.differs(wanted, standing)) recording.mappings.push(this.mapping(wanted, standing, [], null))
    else this.note(wanted, standing, 'created', recording)
    for (const { wanted: child, standing: there } of pairUp(wanted.children, standing.children).pairs)
      if (there && child.inline) this.noteTree(child, there, 'created', recording)
    return recording
  }

  /** The item is finished, or owes what is listed. The checksum is kept only when nothing is owed (C2). */
  private endRoot(standing: Draft, recording: Recording): void {
    const references = new Set([...this.input.resolved.missing, ...this.unpaid])
    const owed = [...references, ...(this.childFailed ? [owesChildren] : [])]
    recording.mappings.push(this.mapping(this.root, standing, owed, owed.length === 0 ? checksum(this.root) : null))
    const state = this.ours() ? 'created' : this.wrote ? 'updated' : 'matched'
    recording.ends.push({ component: this.root.component, sourceId: this.root.id, state })
  }

  /** This run made the item; what is found on it is our doing too. */
  private ours(): boolean {
    const { mapping } = this.input
    return !mapping || (mapping.origin === 'created' && mapping.runId === this.deps.context.run.id)
  }

  private stateOfFound(): LedgerState {
    return this.ours() ? 'created' : 'matched'
  }

  private isOpen(draft: Draft): boolean {
    return (this.input.states.get(`${draft.component}/${draft.id}`) ?? 'pending') === 'pending'
  }

  private note(wanted: Draft, standing: Draft, state: LedgerState, recording = this.pending): void {
    if (!this.isOpen(wanted)) return
    recording.ends.push({ component: wanted.component, sourceId: wanted.id, state })
    recording.mappings.push(this.mapping(wanted, standing, [], null))
  }

  private noteTree(wanted: Draft, standing: Draft, state: LedgerState, recording: Recording): void {
    this.note(wanted, standing, state, recording)
    for (const pair of pairUp(wanted.children, standing.children).pairs)
      if (pair.standing) this.noteTree(pair.wanted, pair.standing, state, recording)
  }

  private mapping(wanted: Draft, standing: Draft, owed: string[], draftChecksum: string | null): Mapping {
    const { context } = this.deps
    return {
      scope: context.references.scope(wanted.component),
      component: wanted.component,
      sourceId: wanted.id,
      destinationId: standing.id,
      origin: 'created',
      owed,
      draftChecksum,
      destinationChecksum: null,
      runId: context.run.id,
    }
  }

  /** The item and everything on it that is still open fails with it; one issue tells. */
  private failed(wanted: Draft, refusal: Refusal, recording: Recording): Recording {
    for (const draft of everyDraft(wanted))
      if (this.isOpen(draft)) recording.ends.push({ component: draft.component, sourceId: draft.id, state: 'failed' })
    if (wanted !== this.root) this.childFailed = true
    recording.issues.push(this.issue(wanted, refusal, 'failure'))
    return recording
  }

  private issue(draft: Draft, refusal: Refusal, severity: 'failure' | 'warning'): IssueToWrite {
    const { protection } = this.deps.context
    const open = protection.open(draft.component)
    const said = [
      refusal.title,
      ...Object.entries(refusal.errors).map(([field, message]) => `${field}: ${message}`),
    ].join('; ')
    const item = protection.item(draft)
    const code = severity === 'warning' ? 'partly_saved' : 'platform_refused'
    return {
      phase: this.deps.entity.key,
      component: draft.component,
      severity,
      code,
      sourceId: draft.id,
      item,
      message: `The destination ${severity === 'warning' ? 'saved' : 'refused'} "${item.name ?? draft.id}" (source ${draft.id})${open ? `: ${said}` : ''}.`,
      platform: {
        method: refusal.method,
        path: refusal.path,
        status: refusal.httpStatus,
        title: open ? refusal.title : '',
        errors: open ? refusal.errors : {},
      },
    }
  }

  private take(): Recording {
    const taken = this.pending
    this.pending = emptyRecording()
    return taken
  }

  private async flush(): Promise<void> {
    const recording = this.take()
    if (recording.ends.length === 0 && recording.mappings.length === 0 && recording.issues.length === 0) return
    await this.deps.context.recorder.record((tx, tally) => this.write(recording, tx, tally))
  }

  private async write(recording: Recording, tx: InTransaction, tally: Tally): Promise<void> {
    const { context } = this.deps
    for (const end of await endItems(tx, context.run.id, recording.ends))
      tally.add(end.component, end.state as 'created')
    await saveMappings(tx, context.pair, recording.mappings)
    await saveIssues(tx, context.run, recording.issues)
    for (const issue of recording.issues) if (issue.severity === 'warning') tally.add(issue.component, 'warnings')
  }
}

function emptyRecording(): Recording {
  return { ends: [], mappings: [], issues: [] }
}
