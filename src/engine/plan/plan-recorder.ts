import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { endAndCount, type LedgerRow, type LedgerState, planItems, recordPage } from '../../db/ledger/ledger.ts'
import { forgetMappings, saveMappings } from '../../db/ledger/mappings.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import type { Entity, Pass } from '../../entities/core/define.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { everyDraft, namesOf } from '../core/pairing.ts'
import { tallyWidgets } from '../core/tally-widgets.ts'
import { adoptedId } from './decide.ts'
import { decidedState, isPlanned, type PageItem, unwrittenState } from './decision.ts'
import { countRewritten } from './link-issues.ts'
import { addressesAsPlanned, noteAddresses } from './page-addresses.ts'
import type { PagePlan } from './page-facts.ts'
import { adoptedMappings, lostMappings } from './planned-rows.ts'

/** Records what was decided about items: their rows, mappings, issues and counts, in one transaction. */
export class PlanRecorder {
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass
  private readonly plan: PagePlan

  constructor(plan: PagePlan) {
    this.context = plan.context
    this.entity = plan.entity
    this.pass = plan.pass
    this.plan = plan
  }

  /** The decisions of a page. */
  async page(tx: InTransaction, tally: Tally, planned: PageItem[], rows: LedgerRow[], number: number): Promise<void> {
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
      planned.flatMap((one) => this.plan.issues.of(one)),
    )
  }

  /** Decisions that need no call: left as they are, adopted, or impossible as before. */
  async decided(planned: PageItem[]): Promise<void> {
    const { run, recorder } = this.context
    await recorder.record(async (tx, tally) => {
      await this.mappings(tx, planned)
      for (const one of planned) {
        const state = isPlanned(one) ? decidedState(one) : null
        if (!isPlanned(one) || !state) continue
        const ended = await endAndCount(
          tx,
          tally,
          run.id,
          namesOf(one.resolved.draft).map((name) => ({ ...name, state })),
        )
        if (state === 'matched' && ended.length > 0) tallyWidgets(tally, one.resolved.draft)
        const root = { component: this.pass.root, sourceId: one.resolved.draft.id }
        if (state === 'matched') await settleIssues(tx, run, [{ ...root, code: 'reference_left_out' }])
        // A platform-created item exists now.
        if (adoptedId(one.decision) !== undefined) await settleIssues(tx, run, [{ ...root, code: 'not_copied' }])
      }
      await this.saveIssues(
        tx,
        tally,
        planned.flatMap((one) => this.plan.issues.of(one)),
      )
    })
  }

  private async mappings(tx: InTransaction, planned: PageItem[]): Promise<void> {
    const { pair } = this.context
    await noteAddresses(tx, this.context, addressesAsPlanned(planned))
    await forgetMappings(
      tx,
      pair,
      planned.flatMap((one) => lostMappings(this.plan, one)),
    )
    await saveMappings(
      tx,
      pair,
      planned.flatMap((one) => adoptedMappings(this.plan, one)),
      { manyToOne: componentOf(this.pass.root).shared },
    )
  }

  /** Items that the run only looks up. One that is left out is gone for good, such as a file that the theme has lost. */
  async adoptLookedUp(tx: InTransaction, planned: PageItem[]): Promise<void> {
    const { pair } = this.context
    const lost = planned.filter((one) => isPlanned(one) && one.decision.kind === 'left-out')
    const found = planned.flatMap((one) => adoptedMappings(this.plan, one))
    await forgetMappings(
      tx,
      pair,
      lost.flatMap((one) => lostMappings(this.plan, one)),
    )
    await saveMappings(tx, pair, found, { manyToOne: componentOf(this.pass.root).shared })
  }

  /** Items whose page was planned before and which cannot be written now: a parent has failed since. */
  async unwritable(planned: PageItem[], states: LedgerRow[]): Promise<void> {
    const failures = planned.filter((one) => one.kind === 'unwritable')
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

  /** Counts matched and skipped items with their children, per page (E3). */
  private async countUnwritten(tx: InTransaction, tally: Tally, planned: PageItem[], number: number): Promise<void> {
    const counts = new Map<string, { matched: number; skipped: number }>()
    const ids: string[] = []
    for (const one of planned) {
      if (!isPlanned(one)) continue
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

  /** Deleted from the source since they were planned (C3). */
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
          this.plan.issues.issue(
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

  /** The keys of an item that cannot be written are not known: then nothing of its kind is pruned. */
  keysOnPage(planned: PageItem[]): string[] {
    return planned.flatMap((one) => (isPlanned(one) ? this.context.protection.keys(one.resolved.draft) : []))
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
