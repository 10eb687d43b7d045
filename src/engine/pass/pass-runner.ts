import type { ConflictStrategy } from '../../contract/modes.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { setExpected } from '../../db/ledger/counters.ts'
import { type LedgerRow, type LedgerState, pendingRoots, statesOf, statesOfRoots } from '../../db/ledger/ledger.ts'
import { saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import { saveSourceKeys } from '../../db/ledger/prune.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { Batcher } from '../core/batcher.ts'
import { isItemFault, wordsOf } from '../core/item-faults.ts'
import { everyDraft } from '../core/pairing.ts'
import { ItemGone } from '../core/stopping.ts'
import { WorkerPool } from '../core/worker-pool.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { holdAddresses } from '../dry-run/taken-keys.ts'
import type { Decision } from '../plan/decide.ts'
import { isReportable, type PlannedItem, type Unwritable } from '../plan/decision.ts'
import { type LateCompletion, LateReferences } from '../plan/late-references.ts'
import { addressThere, noteAddresses } from '../plan/page-addresses.ts'
import { PagePlanner } from '../plan/plan-page.ts'
import { PlanRecorder } from '../plan/plan-recorder.ts'
import { existingByIds } from '../read/by-ids.ts'
import { listDestination } from '../read/destination-lister.ts'
import { sourceChanged } from '../read/source-changed.ts'
import { itemsByIds, readAgain, type SourcePage, sourcePages } from '../read/source-reader.ts'
import { endGonePicks } from '../scope/picks.ts'
import { markDraftsInScope } from '../scope/run-part.ts'
import type { TaskDeps, TaskInput } from '../write/item-record.ts'
import { ItemTask } from '../write/item-task.ts'
import type { CorrectionOrder, Order, Outcome, Writes } from '../write/writer.ts'
import { recordChecksums } from './record-checksums.ts'

/** Roots read again at once after a take-over. */
const resumedAtOnce = 50

/**
 * So many items wait for their batches for each that is being worked on: more would be read from a fast source than a slow destination
 * takes, and kept (A6). One batch can always be filled while another is on its way.
 */
const parkedPerSlot = 10

function largestBatch({ components }: Entity): number {
  return Math.max(...components.map(({ create, update }) => Math.max(create?.batch ?? 1, update?.several?.batch ?? 1)))
}

/** A copy whose address in the source is free at the destination by now, and where it stands. */
export interface LateAddress extends Omit<LateCompletion, 'states'> {
  currentPath: string
}

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
  private readonly pool: WorkerPool
  private readonly writer: Writes
  private readonly batcher: Batcher<Order, Outcome>
  private readonly updates: Batcher<CorrectionOrder, CorrectionOrder>

  private readonly planner: PagePlanner
  private readonly records: PlanRecorder
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
    this.strategy = options.adoptOnly || pass.createOnly ? 'skip' : context.run.conflictStrategy
    const largest = largestBatch(entity)
    this.pool = new WorkerPool({
      slots: () => context.readAhead.roots,
      parked: () => Math.max(parkedPerSlot * context.readAhead.roots, 2 * largest),
      saturated: () => {
        if (this.batcher.idle && this.updates.idle) this.flush()
      },
    })
    this.writer = openWriter(context, (wait) => this.pool.park(wait))
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
      {
        largest: ({ update }) => (alone ? 1 : (update?.several?.batch ?? 1)),
        shared: ({ update }, correction) => update?.several?.together?.(correction),
      },
    )
    const { adoptOnly, strategy, healing } = this
    this.planner = new PagePlanner(context, entity, pass, { adoptOnly, strategy, healing: healing !== undefined })
    this.records = new PlanRecorder(context, entity, pass, this.planner)
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
        await this.completeLate()
        await recordChecksums(this.context, this.pass)
      }
    })
  }

  /** Tries items again (F4). `closed`: what failed on them, by the root's id, and is not tried this time. */
  heal(items: PlatformItem[], closed: Map<string, Map<string, LedgerState>>): Promise<void> {
    return this.watched(async () => {
      const planned = await this.planner.plan(items)
      await this.records.decided(planned)
      const existing = await this.existing(planned)
      for (const one of planned)
        if ('resolved' in one) await this.start(one, existing, closed.get(one.resolved.draft.id) ?? new Map())
      await this.settle()
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
      this.pool.fault(error)
      this.abandon(error)
      await this.pool.drain()
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
  private async completeLate(): Promise<void> {
    const late = new LateReferences(this.context, this.pass)
    for await (const completion of late.payable()) await this.startLate(completion)
    await this.settle()
    await late.warnOnce((draft, missing) => this.planner.issues.leftOut(draft, missing))
  }

  /** Writes texts whose links lead elsewhere than when they were written. */
  completeLinks(completions: AsyncIterable<LateCompletion>): Promise<void> {
    return this.watched(async () => {
      for await (const completion of completions) await this.startLate(completion)
      await this.settle()
      await recordChecksums(this.context, this.pass)
    })
  }

  /** Gives copies the address that they have in the source and that is free by now. */
  completeAddresses(completions: LateAddress[]): Promise<void> {
    return this.watched(async () => {
      for (const { item, resolved, mapping, currentPath } of completions) {
        const task = new ItemTask(this.taskDeps(), { item, resolved, mapping, states: new Map() })
        await this.pool.start(() => this.guard(resolved.draft, task.regainAddress(mapping, currentPath)))
      }
      await this.settle()
      await this.seeMoved(completions)
    })
  }

  /** Not every answer shows where an item is by now, and the platform may have given it another address again. */
  private async seeMoved(completions: LateAddress[]): Promise<void> {
    const { context, pass } = this
    const ids = completions.map(({ mapping }) => mapping.destinationId)
    const there = await existingByIds(context, pass, ids, { compares: true })
    const pages = completions.flatMap(({ resolved, mapping }) =>
      addressThere(resolved.draft, there.get(mapping.destinationId)?.item.path ?? null),
    )
    // What owes something has none (C2).
    const sums = completions.flatMap(({ mapping: { destinationId, draftChecksum } }) => {
      const checksum = draftChecksum === null ? undefined : there.get(destinationId)?.checksum
      return checksum === undefined ? [] : [{ destinationId, checksum }]
    })
    await context.recorder.record(async (tx) => {
      await noteAddresses(tx, context, pages)
      await saveDestinationChecksums(tx, context.pair, context.references.scope(pass.root), pass.root, sums)
    })
  }

  private async startLate({ item, resolved, mapping, states }: LateCompletion): Promise<void> {
    const task = new ItemTask(this.taskDeps(), { item, resolved, mapping, states })
    await this.pool.start(() => this.guard(resolved.draft, task.completeLate(mapping)))
  }

  private pages(position: string): AsyncGenerator<SourcePage> {
    const { context, entity, pass } = this
    const gone = (ids: string[]) => (this.adoptOnly ? Promise.resolve() : endGonePicks(context, entity, pass, ids))
    return sourcePages(context, pass, position, (missing) => this.warnShort(missing), gone)
  }

  private warnShort(missing: number): Promise<void> {
    const issue = sourceChanged(this.entity, this.pass.root, missing)
    return this.context.recorder.record((tx, tally) => this.records.saveIssues(tx, tally, [issue]))
  }

  /** Sends the batches that are not full and waits until every item has ended. */
  private async settle(): Promise<void> {
    for (;;) {
      await this.pool.quiet()
      this.pool.throwFault()
      if (this.pool.idle) return
      this.flush()
      await this.pool.change()
    }
  }

  /** Sends the batches that are not full. */
  private flush(): void {
    this.batcher.flush()
    this.updates.flush()
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

  private statesOf(ids: string[]): Promise<LedgerRow[]> {
    const { context, entity, pass } = this
    const { database, run } = context
    const single = entity.components.length === 1
    return single ? statesOfRoots(database, run.id, pass.root, ids) : statesOf(database, run.id, pass.key, ids)
  }

  private async resumeRoots(ids: string[]): Promise<void> {
    const { context, pass } = this
    const items = await readAgain(context, pass, ids)
    const found = new Set(items.map((item) => String(item[pass.source.idField])))
    const states = await this.statesOf(ids)
    await this.records.gone(
      ids.filter((id) => !found.has(id)),
      states,
    )
    const planned = (await this.planner.plan(items)).map((one) =>
      'resolved' in one ? this.planner.orAssignedAgain(one) : one,
    )
    // Another run may have copied them while this one was paused: then there is nothing left to do.
    await this.records.decided(planned.filter((one) => 'resolved' in one && isReportable(one)))
    await this.records.unwritable(planned, states)
    await this.startAll(planned, states)
  }

  private async planPage(page: SourcePage, number: number): Promise<void> {
    const { context, pass } = this
    const planned = page.broken
      ? page.items.map((item) => this.planner.issues.broken(item))
      : await this.planner.planKnowing(page.items)
    await markDraftsInScope(
      context,
      'source',
      planned.map((one) => ('resolved' in one ? one.resolved.draft : { component: pass.root, id: one.id })),
    )
    const rows = planned.flatMap((one) => this.planner.ledgerRows(one))
    await context.recorder.record(async (tx, tally) => {
      if (!this.adoptOnly) await this.records.plan(tx, tally, planned, rows, number)
      else await this.records.adoptLookedUp(tx, planned)
      if (this.strategy === 'replace')
        await saveSourceKeys(tx, context.run.id, pass.root, this.records.keysOnPage(planned))
      if (page.total !== null) await setExpected(tx, context.run.id, pass.root, page.total)
      await writeCheckpoint(tx, context.run.id, pass.key, { position: page.position, pages: number, finished: false })
    })
    if (this.adoptOnly) return
    await this.startAll(planned, rows)
  }

  private async startAll(planned: (PlannedItem | Unwritable)[], rows: LedgerRow[]): Promise<void> {
    const existing = await this.existing(planned)
    const byRoot = Map.groupBy(rows, ({ rootId }) => rootId)
    for (const one of planned) {
      if (!('resolved' in one)) continue
      const own = byRoot.get(one.resolved.draft.id) ?? []
      await this.start(one, existing, new Map(own.map((row) => [`${row.component}/${row.sourceId}`, row.state])))
    }
  }

  /** Items to examine as they stand at the destination, read with the largest page that shows all of them. */
  private async existing(planned: (PlannedItem | Unwritable)[]): Promise<Map<string, Draft>> {
    const { pass, context } = this
    const ids = planned.flatMap((one) =>
      'resolved' in one && one.decision.kind === 'examine' ? [one.decision.destinationId] : [],
    )
    if (!pass.byIds || ids.length === 0) return new Map()
    const items = await itemsByIds(context, 'destination', pass, ids)
    return new Map(items.map((item) => pass.drafts(item, identity)).map((draft) => [draft.id, draft]))
  }

  private async start(
    planned: PlannedItem,
    existing: Map<string, Draft>,
    states: Map<string, LedgerState>,
  ): Promise<void> {
    const { decision, mapping, item, resolved } = planned
    const state = states.get(`${this.pass.root}/${resolved.draft.id}`)
    if (!['place', 'create', 'continue', 'examine'].includes(decision.kind)) return
    if ((state ?? 'pending') !== 'pending' && decision.kind === 'create') return
    // What was taken as the copy a moment ago is not ours: it keeps its living values (D1).
    const copy = decision.kind === 'create' ? undefined : (mapping ?? this.planner.adopted(planned)[0])
    const input: TaskInput = { item, resolved, mapping: copy, states }
    const task = new ItemTask(this.taskDeps(), input)
    const work = () => {
      if (decision.kind === 'examine') return this.examine(task, planned, decision, existing)
      if (decision.kind === 'place' && mapping) return task.assign(mapping)
      return decision.kind === 'continue' && mapping ? task.continue(mapping) : task.create()
    }
    await this.pool.start(() => this.guard(resolved.draft, work()))
  }

  /** @throws ItemGone when it was deleted at the destination after it was listed: the next run creates it. */
  private async examine(
    task: ItemTask,
    { resolved, listed }: PlannedItem,
    { destinationId, changed }: Extract<Decision, { kind: 'examine' }>,
    read: Map<string, Draft>,
  ): Promise<void> {
    const shown = this.pass.byIds ? undefined : listed?.compare
    const existing = shown
      ? {
          ...resolved.draft,
          id: destinationId,
          body: shown,
          compare: shown,
          outside: listed?.outside ?? {},
          children: [],
        }
      : read.get(destinationId)
    if (!existing)
      throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being compared`)
    await task.examine({ existing, changed, listedChecksum: shown ? (listed?.checksum ?? null) : null })
  }

  private taskDeps(): TaskDeps {
    const { context, entity, pass, writer, batcher, updates, pool } = this
    return {
      context,
      entity,
      pass,
      writer,
      batcher,
      updates,
      healing: this.healing !== undefined,
      park: (wait) => pool.park(wait),
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
        await this.records.end(tx, tally, rows)
        const item = this.context.protection.item(draft)
        const said = wordsOf(error)
        const message = `"${item.name ?? draft.id}" (source ${draft.id}) could not be copied: ${said}.`
        await this.records.saveIssues(tx, tally, [
          { ...this.planner.issues.issue('failure', 'unexpected', draft.id, item, message), covers: rows },
        ])
      })
    }
  }
}
