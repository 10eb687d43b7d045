import type { PageAddress } from '../../db/addresses/moved-addresses.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { endAndCount, type LedgerRow, planItems, recordPage } from '../../db/ledger/ledger.ts'
import { forgetMappings, saveMappings } from '../../db/ledger/mappings.ts'
import type { SourceItem } from '../../db/ledger/prune.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { pageAddress, saveMovedPages } from '../core/page-addresses.ts'
import { everyDraft, namesOf } from '../core/pairing.ts'
import { tallyWidgets } from '../core/tally-widgets.ts'
import { adoptedId } from './decide.ts'
import { decidedState, isPlanned, type PageItem, type PlannedItem, unwrittenState } from './decision.ts'
import { countRewritten } from './link-issues.ts'
import type { PagePlan } from './page-facts.ts'
import { issuesOf, planIssue } from './plan-issues.ts'
import { adoptedMappings, erasedMappings, lostMappings } from './planned-rows.ts'

/** Records the decisions of a page: rows, mappings, issues and counts. */
export async function recordPlan(
  tx: InTransaction,
  tally: Tally,
  plan: PagePlan,
  planned: PageItem[],
  rows: LedgerRow[],
  number: number,
): Promise<void> {
  const { context, pass } = plan
  for (const { component, state } of await planItems(tx, context.run.id, rows)) {
    tally.add(component, 'discovered')
    if (state === 'failed') tally.add(component, state)
  }
  await countUnwritten(tx, tally, context, planned, number)
  await recordMappings(tx, plan, planned)
  await countRewritten(tx, context, pass.root, planned)
  await recordIssues(tx, tally, context, issuesOfPage(plan, planned))
}

/** Records decisions that need no call: items that are left as they are, adopted, or still impossible to write. */
export async function recordDecided(plan: PagePlan, planned: PageItem[]): Promise<void> {
  const { context } = plan
  await context.recorder.record(async (tx, tally) => {
    await recordMappings(tx, plan, planned)
    for (const one of planned.filter(isPlanned)) await endDecided(tx, tally, plan, one)
    await recordIssues(tx, tally, context, issuesOfPage(plan, planned))
  })
}

async function endDecided(tx: InTransaction, tally: Tally, { context, pass }: PagePlan, one: PlannedItem) {
  const { run } = context
  const { draft } = one.resolved
  const state = decidedState(one)
  if (!state) return
  const rows = namesOf(draft).map((name) => ({ ...name, state }))
  const ended = await endAndCount(tx, tally, run.id, rows)
  const root = { component: pass.root, sourceId: draft.id }
  if (state === 'matched' && ended.length > 0) tallyWidgets(tally, draft)
  if (state === 'matched' && !pass.createOnly) await settleIssues(tx, run, [{ ...root, code: 'reference_left_out' }])
  // A platform-created item exists now.
  if (adoptedId(one.decision) !== undefined) await settleIssues(tx, run, [{ ...root, code: 'not_copied' }])
}

async function recordMappings(tx: InTransaction, plan: PagePlan, planned: PageItem[]): Promise<void> {
  await saveMovedPages(tx, plan.context, planned.filter(isPlanned).flatMap(unwrittenAddress))
  await recordAdopted(tx, plan, planned, planned)
}

/** The address of a page that exists and whose path is not about to be written. */
function unwrittenAddress({ decision, resolved, listed }: PlannedItem): PageAddress[] {
  const leavesPath = ['matched', 'equal', 'skipped', 'adopt', 'continue', 'assign'].includes(decision.kind)
  return listed && leavesPath ? pageAddress(resolved.draft, listed.item.path) : []
}

/**
 * Adopts items that are only looked up. What was deleted at the destination is nothing that others can refer to; a
 * comparison goes on looking for it, except for what is left out and gone for good, such as a file the theme has lost.
 */
export function adoptLookupOnly(tx: InTransaction, plan: PagePlan, planned: PageItem[]): Promise<void> {
  const isGone = (one: PageItem) => isPlanned(one) && one.decision.kind === 'left-out'
  const lost = plan.context.run.mode === 'verify' ? planned.filter(isGone) : planned
  return recordAdopted(tx, plan, planned, lost)
}

async function recordAdopted(tx: InTransaction, plan: PagePlan, found: PageItem[], lost: PageItem[]): Promise<void> {
  const { pair } = plan.context
  const forgotten = lost.flatMap((one) => lostMappings(plan, one))
  const adopted = found.flatMap((one) => [...adoptedMappings(plan, one), ...erasedMappings(one)])
  await forgetMappings(tx, pair, forgotten)
  await saveMappings(tx, pair, adopted, { manyToOne: componentOf(plan.pass.root).shared })
}

/** Fails items that were planned before and can no longer be written, because a parent has failed since. */
export async function recordUnwritable({ context }: PagePlan, planned: PageItem[], states: LedgerRow[]): Promise<void> {
  const failures = planned.filter((one) => one.kind === 'unwritable')
  if (failures.length === 0) return
  await context.recorder.record(async (tx, tally) => {
    for (const { failure, id } of failures) {
      const pending = states.filter((row) => row.rootId === id && row.state === 'pending')
      await endRows(tx, tally, context, pending, 'failed')
      await recordIssues(tx, tally, context, [{ ...failure, covers: [...pending, ...(failure.covers ?? [])] }])
    }
  })
}

/** Counts matched and skipped items with their children, per page (E3). */
async function countUnwritten(
  tx: InTransaction,
  tally: Tally,
  { run }: RunContext,
  planned: PageItem[],
  number: number,
): Promise<void> {
  const counts = new Map<string, { matched: number; skipped: number }>()
  const ids: string[] = []
  for (const one of planned.filter(isPlanned)) {
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
  await recordPage(tx, run.id, { number, firstId: ids[0] ?? '', lastId: ids.at(-1) ?? '' }, counts)
}

/** Skips items that were deleted from the source since they were planned (C3). */
export async function recordGone(plan: PagePlan, ids: string[], states: LedgerRow[]): Promise<void> {
  if (ids.length === 0) return
  const { context } = plan
  const gone = states.filter((row) => ids.includes(row.rootId) && row.state === 'pending')
  const item = { name: null, sku: null, path: null }
  const issues = ids.map((id) => {
    const message = `${calledItem({ component: plan.pass.root, id, name: null })} was deleted in the source store before it could be copied.`
    return planIssue(plan, 'warning', 'source_gone', id, item, message)
  })
  await context.recorder.record(async (tx, tally) => {
    await endRows(tx, tally, context, gone, 'skipped')
    await recordIssues(tx, tally, context, issues)
  })
}

/** Fails an item and its children because of a fault, or of a refusal of something that it needs. */
export async function recordFailure(
  { context }: PagePlan,
  names: { component: string; sourceId: string }[],
  issue: IssueToWrite,
): Promise<void> {
  await context.recorder.record(async (tx, tally) => {
    await endRows(tx, tally, context, names, 'failed')
    await recordIssues(tx, tally, context, [issue])
  })
}

/** Keys of the items on a page. Those of an unwritable item are unknown, so nothing of its kind is pruned. */
export function keysOnPage({ context }: PagePlan, planned: PageItem[]): SourceItem[] {
  return planned.map((one) =>
    isPlanned(one)
      ? { id: one.resolved.draft.id, keys: context.protection.keys(one.resolved.draft) }
      : { id: one.id, keys: [] },
  )
}

async function endRows(
  tx: InTransaction,
  tally: Tally,
  { run }: RunContext,
  rows: { component: string; sourceId: string }[],
  state: 'failed' | 'skipped',
): Promise<void> {
  const ended = rows.map((row) => ({ ...row, state }))
  await endAndCount(tx, tally, run.id, ended)
}

export async function recordIssues(
  tx: InTransaction,
  tally: Tally,
  { run }: RunContext,
  issues: IssueToWrite[],
): Promise<void> {
  for (const { component, severity, code } of await saveIssues(tx, run, issues)) {
    if (severity === 'warning') tally.add(component, 'warnings')
    if (code === 'unexpected') tally.add(component, 'exceptions')
  }
}

function issuesOfPage(plan: PagePlan, planned: PageItem[]): IssueToWrite[] {
  return planned.flatMap((one) => issuesOf(plan, one))
}
