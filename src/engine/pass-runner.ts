import { z } from 'zod'
import { CredentialsError, PlatformError, StoreUnreachableError, UnreadableAnswerError } from '../bigcommerce/errors.ts'
import type { IssueCode } from '../contract/issue-codes.ts'
import type { ConflictStrategy } from '../contract/modes.ts'
import { readCheckpoint, writeCheckpoint } from '../db/checkpoints.ts'
import { setExpected, type Tally } from '../db/counters.ts'
import type { InTransaction } from '../db/database.ts'
import { keysOf, listedItems, lookUpKeys } from '../db/destination-items.ts'
import { settleIssues } from '../db/healing.ts'
import { type IssueToWrite, saveIssues } from '../db/issues.ts'
import {
  endAndCount,
  heldByLedger,
  type LedgerRow,
  type LedgerState,
  pendingRoots,
  planItems,
  recordPage,
  statesOf,
} from '../db/ledger.ts'
import { claimsOf, forgetMappings, type Mapping, saveMappings } from '../db/mappings.ts'
import { saveSourceKeys } from '../db/prune.ts'
import {
  type Draft,
  type Entity,
  identity,
  MissingReference,
  type Pass,
  type PlatformItem,
} from '../entities/define.ts'
import { componentOf } from '../entities/registry.ts'
import { Batcher } from './batcher.ts'
import type { RunContext } from './context.ts'
import { type ListedBody, listDestination } from './destination-lister.ts'
import { type Rival, rivalsOf, standingByIds } from './healing/live-destination.ts'
import { ItemTask, type TaskDeps, type TaskInput } from './item-task.ts'
import { Lane } from './lane.ts'
import { isOwnKind, type LatePayment, LateReferences } from './late-references.ts'
import { leftAlone } from './living.ts'
import { openWriter } from './open-writer.ts'
import { everyDraft, fieldDifferences } from './pairing.ts'
import { endGonePicks, namedOutside } from './picks.ts'
import { orPlace, owedHere, ownOfStorefront } from './place-copies.ts'
import { adoptedId, type Decision, decide, type Found, type Listed, TakenOnPage } from './planner.ts'
import type { Resolved } from './references.ts'
import { isPair, meetDrafts, onlyNeeded } from './run-part.ts'
import { sealPass } from './seal.ts'
import { sourceChanged } from './source-changed.ts'
import { itemsByIds, readAgain, type SourcePage, sourcePages } from './source-reader.ts'
import { ItemGone, RunFailure, Stopped } from './stopping.ts'
import { holdAddresses } from './taken-keys.ts'
import type { CorrectionOrder, Order, Outcome, Writes } from './writer.ts'

interface Planned {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  decision: Decision
  /** How it stands by the list, where something is compared and it was listed. */
  listed: ListedBody | undefined
}

/** Roots read again at once after a take-over. */
const resumedAtOnce = 50

/**
 * One pass of a phase: reads the source page by page, plans each page in one transaction, and writes the items of many pages
 * at once. What is planned is in the ledger, so whoever takes over reads again only what is pending there.
 */
export class PassRunner {
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass
  /** Only looks for what exists on both sides: an entity outside the scope is referred to, never copied (C4). */
  private readonly adoptOnly: boolean
  /** An entity outside the scope is left alone, whatever the run does to the others. */
  private readonly strategy: ConflictStrategy
  private readonly lane: Lane
  private readonly writer: Writes
  private readonly batcher: Batcher<Order, Outcome>
  private readonly updates: Batcher<CorrectionOrder, CorrectionOrder>

  /** Items that had failed are tried again: the destination is asked how it stands now, and sending `alone` spares a batch. */
  private readonly healing: { alone: boolean } | undefined

  constructor(
    context: RunContext,
    entity: Entity,
    pass: Pass,
    options: { adoptOnly: boolean; healing?: { alone: boolean } },
  ) {
    this.context = context
    this.entity = entity
    this.pass = pass
    this.adoptOnly = options.adoptOnly
    this.healing = options.healing
    this.strategy = options.adoptOnly ? 'skip' : context.run.conflictStrategy
    this.lane = new Lane(() => context.readAhead.roots)
    this.writer = openWriter(context, (wait) => this.lane.setAside(wait))
    const { alone } = options.healing ?? { alone: false }
    this.batcher = new Batcher((component, orders) => this.writer.create(component, orders), {
      largest: ({ create }) => (alone ? 1 : (create?.batch ?? 1)),
      shared: ({ create }, order) => create?.together?.(order),
    })
    this.updates = new Batcher(
      async (component, corrections) => {
        await this.writer.updateTogether(component, corrections)
        return corrections
      },
      { largest: ({ update }) => (alone ? 1 : (update?.several?.batch ?? 1)) },
    )
  }

  run(): Promise<void> {
    return this.watched(async () => {
      const { database, run } = this.context
      await listDestination(this.context, this.pass, { compares: this.strategy !== 'skip' })
      await holdAddresses(this.context, this.pass)
      const checkpoint = await readCheckpoint(database, run.id, this.pass.key)
      await this.resumePending()
      if (!checkpoint.finished) await this.planOn(checkpoint.position, checkpoint.pages)
      await this.settle()
      if (!this.adoptOnly) {
        await this.payLate()
        await sealPass(this.context, this.pass)
      }
    })
  }

  /** Tries items again (F4). `closed`: what failed on them, by the root's id, and is not tried this time. */
  heal(items: PlatformItem[], closed: Map<string, Map<string, LedgerState>>): Promise<void> {
    return this.watched(async () => {
      const planned = await this.plan(items)
      await this.recordDecided(planned)
      const standing = await this.standing(planned)
      for (const one of planned)
        if ('resolved' in one) await this.start(one, standing, closed.get(one.resolved.draft.id) ?? new Map())
      await this.settle()
    })
  }

  /** What is decided without a call: left alone, taken as the copy, or impossible as before. */
  private async recordDecided(planned: (Planned | Unwritable)[]): Promise<void> {
    const { pair, run, recorder } = this.context
    await recorder.record(async (tx, tally) => {
      await forgetMappings(
        tx,
        pair,
        planned.flatMap((one) => this.forgotten(one)),
      )
      await saveMappings(
        tx,
        pair,
        planned.flatMap((one) => this.adopted(one)),
      )
      for (const one of planned) {
        const state = 'resolved' in one ? decidedState(one) : null
        if (!('resolved' in one) || !state) continue
        await this.end(
          tx,
          tally,
          namesOf(one.resolved.draft).map((name) => ({ ...name, state })),
        )
        const root = { component: this.pass.root, sourceId: one.resolved.draft.id }
        if (state === 'matched') await settleIssues(tx, run, [{ ...root, code: 'reference_left_out' }])
      }
      await this.saveIssues(
        tx,
        tally,
        planned.flatMap((one) => this.issuesOf(one)),
      )
    })
  }

  /** On a fault nothing new is sent, and what is on the wire is recorded before anybody hears of it. */
  private async watched(work: () => Promise<void>): Promise<void> {
    const { lease } = this.context
    const stop = () => this.abandon(lease.stop.reason)
    lease.stop.addEventListener('abort', stop, { once: true })
    try {
      await work()
    } catch (error) {
      this.lane.fault(error)
      this.abandon(error)
      await this.lane.drain()
    } finally {
      lease.stop.removeEventListener('abort', stop)
    }
  }

  private abandon(reason: unknown): void {
    this.batcher.abandon(reason)
    this.updates.abandon(reason)
  }

  private async planOn(position: string, pages: number): Promise<void> {
    let number = pages
    let at = position
    let level: number | null = null
    for await (const page of this.pages(position)) {
      if (page.level !== level) await this.settle()
      level = page.level
      await this.planPage(page, ++number)
      at = page.position
    }
    const end = { position: at, pages: number, finished: true }
    await this.context.recorder.record((tx) => writeCheckpoint(tx, this.context.run.id, this.pass.key, end))
  }

  /** Items that name others of their own pass are completed when all of them are there, and told when they cannot be. */
  private async payLate(): Promise<void> {
    const late = new LateReferences(this.context, this.pass)
    for await (const payment of late.payable()) await this.startLate(payment)
    await this.settle()
    await late.warnOnce((draft, missing) => this.leftOut(draft, missing))
  }

  private async startLate({ item, resolved, mapping, states }: LatePayment): Promise<void> {
    const task = new ItemTask(this.taskDeps(), { item, resolved, mapping, states })
    await this.lane.start(() => this.guard(resolved.draft, task.payLate(mapping)))
  }

  private pages(position: string): AsyncGenerator<SourcePage> {
    const { context, entity, pass } = this
    const gone = (ids: string[]) => (this.adoptOnly ? Promise.resolve() : endGonePicks(context, entity, pass, ids))
    return sourcePages(context, pass, position, (missing) => this.warnShort(missing), gone)
  }

  private warnShort(missing: number): Promise<void> {
    const issue = sourceChanged(this.entity, this.pass.root, missing)
    return this.context.recorder.record((tx, tally) => this.saveIssues(tx, tally, [issue]))
  }

  /** Sends the batches that are not full and waits until every item has ended. */
  private async settle(): Promise<void> {
    for (;;) {
      await this.lane.quiet()
      this.lane.throwFault()
      if (this.lane.idle) return
      this.batcher.flush()
      this.updates.flush()
      await this.lane.change()
    }
  }

  private async resumePending(): Promise<void> {
    const { database, run } = this.context
    for (let after = ''; ; ) {
      const ids = await pendingRoots(database, run.id, this.pass.key, after, resumedAtOnce)
      if (ids.length === 0) return
      after = ids.at(-1) ?? after
      await this.resumeRoots(ids)
    }
  }

  private async resumeRoots(ids: string[]): Promise<void> {
    const { context, pass } = this
    const items = await readAgain(context, pass, ids)
    const found = new Set(items.map((item) => String(item[pass.source.idField])))
    const states = await statesOf(context.database, context.run.id, pass.key, ids)
    await this.endGone(
      ids.filter((id) => !found.has(id)),
      states,
    )
    const planned = (await this.plan(items)).map((one) => ('resolved' in one ? this.orPlacedAgain(one) : one))
    // Another run may have copied them while this one was paused: then there is nothing left to do.
    await this.recordDecided(planned.filter((one) => 'resolved' in one && isNews(one)))
    await this.recordUnwritable(planned, states)
    const standing = await this.standing(planned)
    for (const one of planned) {
      if (!('resolved' in one)) continue
      const own = states.filter((row) => row.rootId === one.resolved.draft.id)
      await this.start(one, standing, new Map(own.map((row) => [`${row.component}/${row.sourceId}`, row.state])))
    }
  }

  /** Whoever died over it may have put it on the storefront already, and not said so. */
  private orPlacedAgain(one: Planned): Planned {
    const ours = one.mapping?.origin === 'created' && ownOfStorefront(one.resolved.draft).length > 0
    return ours && this.places() ? { ...one, decision: orPlace(one.decision) } : one
  }

  /** Deleted at the source while nobody was looking (C3). */
  private async endGone(ids: string[], states: LedgerRow[]): Promise<void> {
    if (ids.length === 0) return
    const gone = states.filter((row) => ids.includes(row.rootId) && row.state === 'pending')
    await this.context.recorder.record(async (tx, tally) => {
      await this.end(
        tx,
        tally,
        gone.map((row) => ({ ...row, state: 'skipped' })),
      )
      const item = { name: null, sku: null, path: null }
      await this.saveIssues(
        tx,
        tally,
        ids.map((id) =>
          this.issue(
            'warning',
            'source_gone',
            id,
            item,
            `${this.entity.label}: item ${id} was deleted in the source store before it could be copied.`,
          ),
        ),
      )
    })
  }

  /** Items whose page was planned before, and which now cannot be written: a parent failed meanwhile. */
  private async recordUnwritable(planned: (Planned | Unwritable)[], states: LedgerRow[]): Promise<void> {
    const failures = planned.filter((one) => 'failure' in one)
    if (failures.length === 0) return
    await this.context.recorder.record(async (tx, tally) => {
      for (const { failure, id } of failures) {
        const pending = states.filter((row) => row.rootId === id && row.state === 'pending')
        await this.end(
          tx,
          tally,
          pending.map((row) => ({ ...row, state: 'failed' })),
        )
        await this.saveIssues(tx, tally, [{ ...failure, covers: [...pending, ...(failure.covers ?? [])] }])
      }
    })
  }

  private async planPage(page: SourcePage, number: number): Promise<void> {
    const { context, pass } = this
    const planned = page.broken ? page.items.map((item) => this.broken(item)) : await this.planKnowing(page.items)
    await meetDrafts(
      context,
      'source',
      planned.map((one) => ('resolved' in one ? one.resolved.draft : { component: pass.root, id: one.id })),
    )
    const rows = planned.flatMap((one) => this.ledgerRows(one))
    await context.recorder.record(async (tx, tally) => {
      if (!this.adoptOnly) await this.recordPlan(tx, tally, planned, rows, number)
      else
        await saveMappings(
          tx,
          context.pair,
          planned.flatMap((one) => this.adopted(one)),
        )
      if (this.strategy === 'replace') await saveSourceKeys(tx, context.run.id, pass.root, this.keysMet(planned))
      if (page.total !== null) await setExpected(tx, context.run.id, pass.root, page.total)
      await writeCheckpoint(tx, context.run.id, pass.key, { position: page.position, pages: number, finished: false })
    })
    if (this.adoptOnly) return
    const states = new Map(rows.map((row) => [`${row.component}/${row.sourceId}`, row.state]))
    const standing = await this.standing(planned)
    for (const one of planned) if ('resolved' in one) await this.start(one, standing, states)
  }

  /** An item that cannot be written has keys that nobody can tell: it keeps everything of its kind from being pruned. */
  private keysMet(planned: (Planned | Unwritable)[]): string[] {
    return planned.flatMap((one) => ('resolved' in one ? this.context.protection.keys(one.resolved.draft) : []))
  }

  private async recordPlan(
    tx: InTransaction,
    tally: Tally,
    planned: (Planned | Unwritable)[],
    rows: LedgerRow[],
    number: number,
  ): Promise<void> {
    const { context } = this
    const fresh = await planItems(tx, context.run.id, rows)
    for (const row of fresh) {
      tally.add(row.component, 'discovered')
      if (row.state !== 'pending') tally.add(row.component, row.state as 'failed')
    }
    await this.recordUntouched(tx, tally, planned, number)
    await forgetMappings(
      tx,
      context.pair,
      planned.flatMap((one) => this.forgotten(one)),
    )
    await saveMappings(
      tx,
      context.pair,
      planned.flatMap((one) => this.adopted(one)),
    )
    await this.saveIssues(
      tx,
      tally,
      planned.flatMap((one) => this.issuesOf(one)),
    )
  }

  /** Matched and skipped items, with all that hangs on them, are counted per page (E3). */
  private async recordUntouched(
    tx: InTransaction,
    tally: Tally,
    planned: (Planned | Unwritable)[],
    number: number,
  ): Promise<void> {
    const counts = new Map<string, { matched: number; skipped: number }>()
    const ids: string[] = []
    for (const one of planned) {
      if (!('resolved' in one)) continue
      const state = untouchedState(one)
      if (!state) continue
      ids.push(one.resolved.draft.id)
      for (const draft of everyDraft(one.resolved.draft)) {
        const count = counts.get(draft.component) ?? { matched: 0, skipped: 0 }
        count[state]++
        counts.set(draft.component, count)
        tally.add(draft.component, 'discovered')
        tally.add(draft.component, state)
      }
    }
    await recordPage(tx, this.context.run.id, { number, firstId: ids[0] ?? '', lastId: ids.at(-1) ?? '' }, counts)
  }

  /** Items to examine as they stand at the destination, read with the largest page that shows all of them. */
  private async standing(planned: (Planned | Unwritable)[]): Promise<Map<string, Draft>> {
    const { pass, context } = this
    const ids = planned.flatMap((one) =>
      'resolved' in one && one.decision.kind === 'examine' ? [one.decision.destinationId] : [],
    )
    if (!pass.byIds || ids.length === 0) return new Map()
    const items = await itemsByIds(context, 'destination', pass, ids)
    return new Map(items.map((item) => pass.drafts(item, identity)).map((draft) => [draft.id, draft]))
  }

  private async start(planned: Planned, standing: Map<string, Draft>, states: Map<string, LedgerState>): Promise<void> {
    const { decision, mapping, item, resolved } = planned
    const state = states.get(`${this.pass.root}/${resolved.draft.id}`)
    if (!['place', 'create', 'continue', 'examine'].includes(decision.kind)) return
    if ((state ?? 'pending') !== 'pending' && decision.kind === 'create') return
    // What was taken as the copy a moment ago is not ours: it keeps its living values (D1).
    const copy = decision.kind === 'create' ? undefined : (mapping ?? this.adopted(planned)[0])
    const input: TaskInput = { item, resolved, mapping: copy, states }
    const task = new ItemTask(this.taskDeps(), input)
    const work = () => {
      if (decision.kind === 'examine') return this.examine(task, planned, decision, standing)
      if (decision.kind === 'place' && mapping) return task.place(mapping)
      return decision.kind === 'continue' && mapping ? task.continue(mapping) : task.create()
    }
    await this.lane.start(() => this.guard(resolved.draft, work()))
  }

  /** @throws ItemGone when it was deleted at the destination after it was listed: the next run creates it. */
  private async examine(
    task: ItemTask,
    { resolved, listed }: Planned,
    { destinationId, changed }: Extract<Decision, { kind: 'examine' }>,
    read: Map<string, Draft>,
  ): Promise<void> {
    const shown = this.pass.byIds ? undefined : listed?.compare
    const standing = shown
      ? { ...resolved.draft, id: destinationId, compare: shown, children: [] }
      : read.get(destinationId)
    if (!standing)
      throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being compared`)
    await task.examine({ standing, changed, listedChecksum: shown ? (listed?.checksum ?? null) : null })
  }

  private taskDeps(): TaskDeps {
    const { context, entity, pass, writer, batcher, updates, lane } = this
    return {
      context,
      entity,
      pass,
      writer,
      batcher,
      updates,
      healing: this.healing !== undefined,
      setAside: (wait) => lane.setAside(wait),
    }
  }

  /** A fault of one item becomes its issue; a fault of the run ends this attempt. */
  private async guard(draft: Draft, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!isItemFault(error)) throw error
      this.context.log.error({ err: error, component: draft.component }, 'an item failed in a way nobody foresaw')
      await this.context.recorder.record(async (tx, tally) => {
        const rows = [...everyDraft(draft)].map((one) => ({
          component: one.component,
          sourceId: one.id,
          state: 'failed' as const,
        }))
        await this.end(tx, tally, rows)
        const item = this.context.protection.item(draft)
        const said = wordsOf(error)
        const message = `"${item.name ?? draft.id}" (source ${draft.id}) could not be copied: ${said}.`
        await this.saveIssues(tx, tally, [
          { ...this.issue('failure', 'unexpected', draft.id, item, message), covers: rows },
        ])
      })
    }
  }

  /**
   * A run over picked items may meet others of the same kind only by their names: those are looked up by mapping, then by
   * natural key, and taken as found (C4).
   */
  private async planKnowing(items: PlatformItem[]): Promise<(Planned | Unwritable)[]> {
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
    await this.context.recorder.record((tx) => saveMappings(tx, this.context.pair, found))
    return this.plan(items)
  }

  /** Decides about a page with a handful of queries, whatever its size (E5). */
  private async plan(items: PlatformItem[]): Promise<(Planned | Unwritable)[]> {
    const { context, pass } = this
    const resolved = await context.references.resolve(pass, items)
    const good = resolved.filter((one): one is Resolved => !(one instanceof MissingReference))
    const mappings = await context.references.mappings(
      good.map(({ draft }) => ({ component: pass.root, sourceId: draft.id })),
    )
    const mapped = [...mappings.values()].map((mapping) => mapping.destinationId)
    const listed = await this.listed(mapped)
    const candidates = await this.candidates(
      good.filter(({ draft }) => !mappings.has(`${pass.root}:${draft.id}`)).map(({ draft }) => draft),
    )
    const hidden = context.client.hides(componentOf(pass.root))
    const overwritesLiving = this.entity.components.some(({ key }) => context.run.overwriteLiving.includes(key))
    const taken = new TakenOnPage()
    const written = await this.writtenParents(resolved)
    const absentHere = await this.absentHere(good, mappings)
    const leftAsFound = await onlyNeeded(context, pass, items)
    return items.map((item, at) => {
      const one = resolved[at] as Resolved | MissingReference
      if (one instanceof MissingReference)
        return this.healing || one.component !== pass.below || written.has(one.sourceId)
          ? this.unwritable(item, one)
          : this.belowLeftAlone(item)
      const mapping = mappings.get(`${pass.root}:${one.draft.id}`)
      const own = candidates.get(one.draft.id) ?? []
      const there = mapping && listed.get(mapping.destinationId)
      const found: Found = {
        strategy: leftAsFound.has(one.draft.id) ? 'skip' : this.strategy,
        draft: one.draft,
        keys: context.protection.keys(one.draft),
        checksum: context.protection.checksum(one.draft),
        mapping: mapping && owedHere(context, mapping, one),
        // A list is from before this run wrote anything.
        stands:
          mapping !== undefined &&
          (there !== undefined || hidden || (!this.healing && mapping.runId === context.run.id)),
        listed: this.howListed(one.draft, there),
        candidates: own.map((candidate) => ({
          ...candidate,
          claimedBy: taken.claimedBy(candidate),
          listed: this.howListed(one.draft, candidate.body),
        })),
        missing: one.missing,
        parentAdopted: this.hangsOnAdopted(one),
        overwritesLiving,
        unlisted: (pass.details ?? []).some(({ field }) => isFilled(item[field])),
      }
      const decision = absentHere.has(one.draft.id) ? orPlace(decide(found)) : decide(found)
      const adopts = adoptedId(decision)
      taken.note(found, decision)
      const shown = there ?? own.find((candidate) => candidate.destinationId === adopts)?.body
      return { item, resolved: one, mapping, decision, listed: shown }
    })
  }

  /** Copies of ours without what a storefront has of its own: another run made them, for another storefront (D3). */
  private async absentHere(resolved: Resolved[], mappings: Map<string, Mapping>): Promise<Set<string>> {
    const { context, pass } = this
    const ours = resolved.filter(({ draft }) => mappings.get(`${pass.root}:${draft.id}`)?.origin === 'created')
    if (!this.places()) return new Set()
    const own = ours.flatMap(({ draft }) => ownOfStorefront(draft).map((child) => ({ root: draft.id, child })))
    const wanted = own.map(({ child }) => ({ component: child.component, sourceId: child.id }))
    const there = await context.references.mappings(wanted)
    return new Set(own.filter(({ child }) => !there.has(`${child.component}:${child.id}`)).map(({ root }) => root))
  }

  /** Copies that another run made are put on the storefront of this one. */
  private places(): boolean {
    return isPair(this.context) && this.strategy === 'skip' && !this.adoptOnly
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
  private belowLeftAlone(item: PlatformItem): Planned {
    const draft = this.pass.drafts(item, identity)
    const resolved = { draft, missing: [], known: new Map() }
    return { item, resolved, mapping: undefined, decision: { kind: 'skipped' }, listed: undefined }
  }

  private async listed(destinationIds: string[]): Promise<Map<string, ListedBody>> {
    const { context, pass } = this
    if (this.healing) return standingByIds(context, pass, destinationIds, { compares: this.strategy !== 'skip' })
    return (await listedItems(context.database, context.run.id, pass.root, destinationIds)) as Map<string, ListedBody>
  }

  /** Null where nothing is compared: a list made for `skip` holds no checksums. */
  private howListed(draft: Draft, body: ListedBody | undefined): Listed | null {
    if (body?.checksum === undefined || this.strategy === 'skip') return null
    const { checksum, compare } = body
    if (!compare || draft.children.length > 0) return { checksum, equal: null }
    const left = leftAlone(this.context.run, draft.component)
    const wanted = this.context.protection.compare(draft.component, draft.compare)
    const differences = fieldDifferences(wanted, compare).filter((field) => !left.includes(field.path))
    return { checksum, equal: differences.length === 0 }
  }

  private hangsOnAdopted({ draft, known }: Resolved): boolean {
    const { below } = this.pass
    const isParent = (one: Mapping) => one.component === below && one.destinationId === draft.parentId
    return below !== undefined && [...known.values()].some((one) => isParent(one) && one.origin === 'adopted')
  }

  private async candidates(drafts: Draft[]): Promise<Map<string, Rival[]>> {
    const { context, pass } = this
    if (context.client.hides(componentOf(pass.root))) return new Map()
    if (this.healing) return rivalsOf(context, pass, drafts, { compares: this.strategy !== 'skip' })
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

  private ledgerRows(one: Planned | Unwritable): LedgerRow[] {
    const row = (draft: { component: string; id: string }, rootId: string, state: LedgerState) => ({
      component: draft.component,
      sourceId: draft.id,
      pass: this.pass.key,
      rootId,
      state,
    })
    if ('failure' in one) return [row({ component: this.pass.root, id: one.id }, one.id, 'failed')]
    const { decision, resolved } = one
    if (['matched', 'equal', 'skipped', 'adopt'].includes(decision.kind)) return []
    const state = decision.kind === 'fail' ? 'failed' : 'pending'
    return [...everyDraft(resolved.draft)].map((draft) => row(draft, resolved.draft.id, state))
  }

  private adopted(one: Planned | Unwritable): Mapping[] {
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
  private forgotten(one: Planned | Unwritable) {
    if (!('resolved' in one) || one.decision.kind !== 'create' || !one.decision.destinationDeleted) return []
    const { references } = this.context
    return [...everyDraft(one.resolved.draft)].map((draft) => ({
      scope: references.scope(draft.component),
      component: draft.component,
      sourceId: draft.id,
    }))
  }

  private issuesOf(one: Planned | Unwritable): IssueToWrite[] {
    if ('failure' in one) return [one.failure]
    const { draft, missing } = one.resolved
    const item = this.context.protection.item(draft)
    const called = `"${item.name ?? draft.id}" (source ${draft.id})`
    const issues: IssueToWrite[] = []
    if (one.decision.kind === 'fail')
      issues.push({
        ...this.issue('failure', one.decision.code, draft.id, item, one.decision.message),
        destinationId: one.decision.destinationId,
        covers: namesOf(draft),
      })
    if (one.decision.kind === 'create' && one.decision.destinationDeleted)
      issues.push(
        this.issue(
          'warning',
          'destination_deleted',
          draft.id,
          item,
          `${called} had been copied before and was deleted at the destination; it was created again.`,
        ),
      )
    const { reduced } = one.resolved
    if (reduced && writes(one.decision))
      issues.push(this.issue('warning', 'picture_reduced', draft.id, item, saidReduced(called, reduced.length)))
    // Whether others of the same pass stay out is only known at its end.
    const absent = missing.filter((owed) => !isOwnKind(this.pass, owed))
    if (absent.length > 0 && one.decision.kind !== 'fail') issues.push(this.leftOut(draft, absent))
    return issues
  }

  private leftOut(draft: Draft, missing: string[]): IssueToWrite {
    const item = this.context.protection.item(draft)
    const what = missing.map((owed) => owed.slice('reference:'.length).replace(':', ' ')).join(', ')
    const message = `"${item.name ?? draft.id}" (source ${draft.id}) ${this.context.run.mode === 'dry-run' ? 'would be' : 'was'} copied without ${what}, which the destination does not have.`
    return this.issue('warning', 'reference_left_out', draft.id, item, message)
  }

  private unwritable(item: PlatformItem, missing: MissingReference): Unwritable {
    const id = String(item[this.pass.source.idField])
    const open = this.context.protection.open(this.pass.root)
    const name = open && typeof item.name === 'string' ? item.name : null
    const message = `${name ? `"${name}"` : `${this.entity.label}: item`} (source ${id}) needs ${missing.component} ${missing.sourceId}, which the destination does not have.`
    return { id, failure: this.issue('failure', 'missing_reference', id, { name, sku: null, path: null }, message) }
  }

  private broken(item: PlatformItem): Unwritable {
    const id = String(item[this.pass.source.idField])
    const name = typeof item.name === 'string' ? item.name : null
    const message = `"${name ?? id}" (source ${id}) hangs on ${this.pass.parentOf?.(item)}, which does not exist or leads back to it.`
    return { id, failure: this.issue('failure', 'hierarchy_broken', id, { name, sku: null, path: null }, message) }
  }

  private issue(
    severity: 'failure' | 'warning',
    code: IssueCode,
    sourceId: string,
    item: IssueToWrite['item'],
    message: string,
  ): IssueToWrite {
    const component = this.pass.root
    const place = { pass: this.pass.key, rootId: sourceId }
    const covers = severity === 'failure' ? [{ component, sourceId }] : []
    return { phase: this.entity.key, component, severity, code, message, sourceId, item, place, covers }
  }

  private async end(
    tx: InTransaction,
    tally: Tally,
    rows: { component: string; sourceId: string; state: LedgerState }[],
  ): Promise<void> {
    await endAndCount(tx, tally, this.context.run.id, rows)
  }

  private async saveIssues(tx: InTransaction, tally: Tally, issues: IssueToWrite[]): Promise<void> {
    for (const { component, severity, code } of await saveIssues(tx, this.context.run, issues)) {
      if (severity === 'warning') tally.add(component, 'warnings')
      if (code === 'unexpected') tally.add(component, 'exceptions')
    }
  }
}

/** What becomes of an item that nothing is written for; null when something is. */
function untouchedState({ decision: { kind } }: Planned): 'matched' | 'skipped' | null {
  if (kind === 'matched' || kind === 'equal') return 'matched'
  return kind === 'skipped' || kind === 'adopt' ? 'skipped' : null
}

/** How an item ends that nothing is sent for; null when something is. */
function decidedState(one: Planned): 'matched' | 'skipped' | 'failed' | null {
  return one.decision.kind === 'fail' ? 'failed' : untouchedState(one)
}

/** Decided otherwise than when its page was planned, as far as anybody has to be told. */
function isNews(one: Planned): boolean {
  const deleted = one.decision.kind === 'create' && one.decision.destinationDeleted
  return deleted || decidedState(one) !== null || adoptedId(one.decision) !== undefined
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}

function writes({ kind }: Decision): boolean {
  return kind === 'create' || kind === 'continue' || kind === 'examine'
}

function saidReduced(called: string, pictures: number): string {
  return `${called}: the originals of ${pictures} of its pictures have addresses longer than the platform takes; new ones are copied with at most 1280 pixels.`
}

interface Unwritable {
  id: string
  failure: IssueToWrite
}

function namesOf(draft: Draft): { component: string; sourceId: string }[] {
  return [...everyDraft(draft)].map(({ component, id }) => ({ component, sourceId: id }))
}

function wordsOf(error: unknown): string {
  if (error instanceof ItemGone) return error.message
  return error instanceof PlatformError ? error.title : 'an unexpected fault'
}

/** Anything that says something about one item only. The store being away, the database, a lost lease are not. */
function isItemFault(error: unknown): boolean {
  if (
    error instanceof CredentialsError ||
    error instanceof StoreUnreachableError ||
    error instanceof Stopped ||
    error instanceof RunFailure
  )
    return false
  return (
    error instanceof ItemGone ||
    error instanceof PlatformError ||
    error instanceof UnreadableAnswerError ||
    error instanceof z.ZodError ||
    error instanceof TypeError ||
    error instanceof RangeError
  )
}
