import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { endAndCount, type LedgerRow, type LedgerState, planItems, recordPage } from '../../db/ledger/ledger.ts'
import { forgetMappings, saveMappings } from '../../db/ledger/mappings.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { everyDraft, namesOf } from '../core/pairing.ts'
import { tallyWidgets } from '../core/tally-widgets.ts'
import { adoptedId } from './decide.ts'
import { decidedState, type PlannedItem, type Unwritable, unwrittenState } from './decision.ts'
import { countRewritten } from './link-issues.ts'
import { addressesAsPlanned, noteAddresses } from './page-addresses.ts'
import type { PagePlanner } from './plan-page.ts'

/** Writes down what was decided about items: their rows, mappings, issues and counts, together. */
export class PlanRecorder {
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass
  private readonly planner: PagePlanner

  constructor(context: RunContext, entity: Entity, pass: Pass, planner: PagePlanner) {
    this.context = context
    this.entity = entity
    this.pass = pass
    this.planner = planner
  }

  async plan(
    tx: InTransaction,
    tally: Tally,
    planned: (PlannedItem | Unwritable)[],
    rows: LedgerRow[],
    number: number,
  ): Promise<void> {
    const { context } = this
    const fresh = await planItems(tx, context.run.id, rows)
    for (const row of fresh) {
      tally.add(row.component, 'discovered')
      if (row.state !== 'pending') tally.add(row.component, row.state as 'failed')
    }
    await this.countUnwritten(tx, tally, planned, number)
    await this.mappings(tx, planned)
    await countRewritten(tx, context, this.pass.root, planned)
    await this.saveIssues(
      tx,
      tally,
      planned.flatMap((one) => this.planner.issues.of(one)),
    )
  }

  /** What is decided without a call: left alone, taken as the copy, or impossible as before. */
  async decided(planned: (PlannedItem | Unwritable)[]): Promise<void> {
    const { run, recorder } = this.context
    await recorder.record(async (tx, tally) => {
      await this.mappings(tx, planned)
      for (const one of planned) {
        const state = 'resolved' in one ? decidedState(one) : null
        if (!('resolved' in one) || !state) continue
        const ended = await endAndCount(
          tx,
          tally,
          run.id,
          namesOf(one.resolved.draft).map((name) => ({ ...name, state })),
        )
        if (state === 'matched' && ended.length > 0) tallyWidgets(tally, one.resolved.draft)
        const root = { component: this.pass.root, sourceId: one.resolved.draft.id }
        if (state === 'matched') await settleIssues(tx, run, [{ ...root, code: 'reference_left_out' }])
        // What comes by itself is there by now.
        if (adoptedId(one.decision) !== undefined) await settleIssues(tx, run, [{ ...root, code: 'not_copied' }])
      }
      await this.saveIssues(
        tx,
        tally,
        planned.flatMap((one) => this.planner.issues.of(one)),
      )
    })
  }

  private async mappings(tx: InTransaction, planned: (PlannedItem | Unwritable)[]): Promise<void> {
    const { pair } = this.context
    await noteAddresses(tx, this.context, addressesAsPlanned(planned))
    await forgetMappings(
      tx,
      pair,
      planned.flatMap((one) => this.planner.forgotten(one)),
    )
    await saveMappings(
      tx,
      pair,
      planned.flatMap((one) => this.planner.adopted(one)),
      { manyToOne: componentOf(this.pass.root).shared },
    )
  }

  /** What a run only looks up: found, or gone for good, as a file that the theme has lost. */
  async adoptLookedUp(tx: InTransaction, planned: (PlannedItem | Unwritable)[]): Promise<void> {
    const { pair } = this.context
    const lost = planned.filter((one) => 'resolved' in one && one.decision.kind === 'left-out')
    const found = planned.flatMap((one) => this.planner.adopted(one))
    await forgetMappings(
      tx,
      pair,
      lost.flatMap((one) => this.planner.forgotten(one)),
    )
    await saveMappings(tx, pair, found, { manyToOne: componentOf(this.pass.root).shared })
  }

  /** Items whose page was planned before, and which now cannot be written: a parent failed meanwhile. */
  async unwritable(planned: (PlannedItem | Unwritable)[], states: LedgerRow[]): Promise<void> {
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

  /** Matched and skipped items, with all that hangs on them, are counted per page (E3). */
  private async countUnwritten(
    tx: InTransaction,
    tally: Tally,
    planned: (PlannedItem | Unwritable)[],
    number: number,
  ): Promise<void> {
    const counts = new Map<string, { matched: number; skipped: number }>()
    const ids: string[] = []
    for (const one of planned) {
      if (!('resolved' in one)) continue
      const state = unwrittenState(one)
      if (!state) continue
      ids.push(one.resolved.draft.id)
      for (const draft of everyDraft(one.resolved.draft)) {
        const count = counts.get(draft.component) ?? { matched: 0, skipped: 0 }
        count[state]++
        counts.set(draft.component, count)
        tally.add(draft.component, 'discovered')
        tally.add(draft.component, state)
        if (state === 'matched') tallyWidgets(tally, draft)
      }
    }
    await recordPage(tx, this.context.run.id, { number, firstId: ids[0] ?? '', lastId: ids.at(-1) ?? '' }, counts)
  }

  /** Deleted at the source while nobody was looking (C3). */
  async gone(ids: string[], states: LedgerRow[]): Promise<void> {
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
          this.planner.issues.issue(
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

  /** An item that cannot be written has keys that nobody can tell: it keeps everything of its kind from being pruned. */
  keysOnPage(planned: (PlannedItem | Unwritable)[]): string[] {
    return planned.flatMap((one) => ('resolved' in one ? this.context.protection.keys(one.resolved.draft) : []))
  }

  async end(
    tx: InTransaction,
    tally: Tally,
    rows: { component: string; sourceId: string; state: LedgerState }[],
  ): Promise<void> {
    await endAndCount(tx, tally, this.context.run.id, rows)
  }

  async saveIssues(tx: InTransaction, tally: Tally, issues: IssueToWrite[]): Promise<void> {
    for (const { component, severity, code } of await saveIssues(tx, this.context.run, issues)) {
      if (severity === 'warning') tally.add(component, 'warnings')
      if (code === 'unexpected') tally.add(component, 'exceptions')
    }
  }
}
