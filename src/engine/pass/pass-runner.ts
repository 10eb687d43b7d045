import type { ConflictStrategy } from '../../contract/modes.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { setExpected } from '../../db/ledger/counters.ts'
import { type LedgerRow, type LedgerState, pendingRoots, statesOf, statesOfRoots } from '../../db/ledger/ledger.ts'
import { saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import { saveSourceKeys } from '../../db/ledger/prune.ts'
import { type Draft, type Entity, identity, type Pass, type PlatformItem } from '../../entities/core/define.ts'
import type { RunContext } from '../context/context.ts'
import { Batcher } from '../core/batcher.ts'
import { isItemFault, wordsOf } from '../core/item-faults.ts'
import { pageAddress, saveMovedPages } from '../core/page-addresses.ts'
import { namesOf } from '../core/pairing.ts'
import { ItemGone } from '../core/stopping.ts'
import { WorkerPool } from '../core/worker-pool.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import { holdAddresses } from '../dry-run/taken-keys.ts'
import type { Decision } from '../plan/decide.ts'
import { isPlanned, isReportable, type PageItem, type PlannedItem } from '../plan/decision.ts'
import { completableLate, type LateCompletion, warnLeftOut } from '../plan/late-references.ts'
import type { PagePlan } from '../plan/page-facts.ts'
import { broken, draftIssue, leftOutIssue } from '../plan/plan-issues.ts'
import { orAssignedAgain, planPage, planWithReferred } from '../plan/plan-page.ts'
import { adoptedMappings, ledgerRows } from '../plan/planned-rows.ts'
import {
  adoptLookedUp,
  keysOnPage,
  recordDecided,
  recordGone,
  recordIssues,
  recordPlan,
  recordUnexpected,
  recordUnwritable,
} from '../plan/record-plan.ts'
import { existingByIds } from '../read/by-ids.ts'
import { listDestination } from '../read/destination-lister.ts'
import { sourceChanged } from '../read/source-changed.ts'
import { itemsByIds, readAgain, type SourcePage, sourcePages } from '../read/source-reader.ts'
import { endGonePicks } from '../scope/picks.ts'
import { markDraftsInScope } from '../scope/run-part.ts'
import type { CreateRequest, Outcome, Updated, UpdateRequest, Writes } from '../send/writes.ts'
import { assignStorefront } from '../write/assign-storefront.ts'
import { compareItem } from '../write/compare-item.ts'
import { completeLate, continueItem, regainAddress } from '../write/complete-pending.ts'
import { createItem } from '../write/create-item.ts'
import type { ItemInput, WriteDeps } from '../write/item-state.ts'
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
  private readonly batcher: Batcher<CreateRequest, Outcome>
  private readonly updates: Batcher<UpdateRequest, Updated>

  private readonly plan: PagePlan
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
    this.updates = new Batcher((component, requests) => this.writer.updateTogether(component, requests), {
      largest: ({ update }) => (alone ? 1 : (update?.several?.batch ?? 1)),
      shared: ({ update }, correction) => update?.several?.together?.(correction),
    })
    const { adoptOnly, strategy } = this
    this.plan = { context, entity, pass, adoptOnly, strategy, healing: this.healing !== undefined }
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
      const planned = await planPage(this.plan, items)
      await recordDecided(this.plan, planned)
      const existing = await this.existing(planned)
      for (const one of planned)
        if (isPlanned(one)) await this.start(one, existing, closed.get(one.resolved.draft.id) ?? new Map())
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
    for await (const completion of completableLate(this.context, this.pass)) await this.startLate(completion)
    await this.settle()
    await warnLeftOut(this.context, this.pass, (draft, missing) => leftOutIssue(this.plan, draft, missing))
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
        const input: ItemInput = { item, resolved, mapping, states: new Map() }
        const work = () => regainAddress(this.writeDeps(), input, mapping, currentPath)
        await this.pool.start(() => this.guard(resolved.draft, work()))
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
      pageAddress(resolved.draft, there.get(mapping.destinationId)?.item.path ?? null),
    )
    // What owes something has none (C2).
    const sums = completions.flatMap(({ mapping: { destinationId, draftChecksum } }) => {
      const checksum = draftChecksum === null ? undefined : there.get(destinationId)?.checksum
      return checksum === undefined ? [] : [{ destinationId, checksum }]
    })
    await context.recorder.record(async (tx) => {
      await saveMovedPages(tx, context, pages)
      await saveDestinationChecksums(tx, context.pair, context.references.scope(pass.root), pass.root, sums)
    })
  }

  private async startLate({ item, resolved, mapping, states }: LateCompletion): Promise<void> {
    const work = () => completeLate(this.writeDeps(), { item, resolved, mapping, states }, mapping)
    await this.pool.start(() => this.guard(resolved.draft, work()))
  }

  private pages(position: string): AsyncGenerator<SourcePage> {
    const { context, entity, pass } = this
    const gone = (ids: string[]) => (this.adoptOnly ? Promise.resolve() : endGonePicks(context, entity, pass, ids))
    return sourcePages(context, pass, position, (missing) => this.warnShort(missing), gone)
  }

  private warnShort(missing: number): Promise<void> {
    const issue = sourceChanged(this.entity, this.pass.root, missing)
    return this.context.recorder.record((tx, tally) => recordIssues(tx, tally, this.context, [issue]))
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
    await recordGone(
      this.plan,
      ids.filter((id) => !found.has(id)),
      states,
    )
    const planned = (await planPage(this.plan, items)).map((one) => orAssignedAgain(this.plan, one))
    // Another run may have copied them while this one was paused: then there is nothing left to do.
    await recordDecided(
      this.plan,
      planned.filter((one) => isPlanned(one) && isReportable(one)),
    )
    await recordUnwritable(this.plan, planned, states)
    await this.startAll(planned, states)
  }

  private async planPage(page: SourcePage, number: number): Promise<void> {
    const { context, pass } = this
    const planned = page.broken
      ? page.items.map((item) => broken(this.plan, item))
      : await planWithReferred(this.plan, page.items)
    await markDraftsInScope(
      context,
      'source',
      planned.map((one) => (isPlanned(one) ? one.resolved.draft : { component: pass.root, id: one.id })),
    )
    const rows = planned.flatMap((one) => ledgerRows(this.plan, one))
    await context.recorder.record(async (tx, tally) => {
      if (!this.adoptOnly) await recordPlan(tx, tally, this.plan, planned, rows, number)
      else await adoptLookedUp(tx, this.plan, planned)
      if (this.strategy === 'replace')
        await saveSourceKeys(tx, context.run.id, pass.root, keysOnPage(this.plan, planned))
      if (page.total !== null) await setExpected(tx, context.run.id, pass.root, page.total)
      await writeCheckpoint(tx, context.run.id, pass.key, { position: page.position, pages: number, finished: false })
    })
    if (this.adoptOnly) return
    await this.startAll(planned, rows)
  }

  private async startAll(planned: PageItem[], rows: LedgerRow[]): Promise<void> {
    const existing = await this.existing(planned)
    const byRoot = Map.groupBy(rows, ({ rootId }) => rootId)
    for (const one of planned) {
      if (!isPlanned(one)) continue
      const own = byRoot.get(one.resolved.draft.id) ?? []
      await this.start(one, existing, new Map(own.map((row) => [`${row.component}/${row.sourceId}`, row.state])))
    }
  }

  /** Items to examine as they stand at the destination, read with the largest page that shows all of them. */
  private async existing(planned: PageItem[]): Promise<Map<string, Draft>> {
    const { pass, context } = this
    const ids = planned.flatMap((one) =>
      isPlanned(one) && one.decision.kind === 'examine' ? [one.decision.destinationId] : [],
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
    if (!['assign', 'create', 'continue', 'examine'].includes(decision.kind)) return
    if ((state ?? 'pending') !== 'pending' && decision.kind === 'create') return
    // An item that was just adopted is not ours: it keeps its destination-owned values (D1).
    const copy = decision.kind === 'create' ? undefined : (mapping ?? adoptedMappings(this.plan, planned)[0])
    const input: ItemInput = { item, resolved, mapping: copy, states }
    const deps = this.writeDeps()
    const work = () => {
      if (decision.kind === 'examine') return this.examine(input, planned, decision, existing)
      if (decision.kind === 'assign' && mapping) return assignStorefront(deps, input, mapping)
      return decision.kind === 'continue' && mapping ? continueItem(deps, input, mapping) : createItem(deps, input)
    }
    await this.pool.start(() => this.guard(resolved.draft, work()))
  }

  /** @throws ItemGone when it was deleted at the destination after it was listed: the next run creates it. */
  private async examine(
    input: ItemInput,
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
    await compareItem(this.writeDeps(), input, {
      existing,
      changed,
      listedChecksum: shown ? (listed?.checksum ?? null) : null,
    })
  }

  private writeDeps(): WriteDeps {
    const { context, entity, pass, writer, batcher, updates, pool } = this
    return {
      context,
      entity,
      pass,
      writer,
      creates: batcher,
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
      const called = `"${this.context.protection.item(draft).name ?? draft.id}" (source ${draft.id})`
      const message = `${called} could not be copied: ${wordsOf(error)}.`
      const covers = namesOf(draft)
      const issue = { ...draftIssue(this.plan, 'failure', 'unexpected', draft, message), covers }
      await recordUnexpected(this.plan, covers, issue)
    }
  }
}
