import {
  type ChildDeletion,
  type PlannedChild,
  saveChildDeletions,
  settleDeletions,
} from '../../db/ledger/deletions.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { recordPruned } from '../../db/ledger/ledger.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import { everyDraft } from '../core/pairing.ts'
import { notPrunedIssue } from '../plan/plan-issues.ts'
import { leaveToOthers, mayHaveOthers } from '../scope/shared-copies.ts'
import { type ChildPair, childAddress, type ItemState, pairChildren } from './item-state.ts'
import { deletionKey, nameThere, type Removable, removableOf } from './remove-child.ts'
import { needsUpdate } from './update-child.ts'

/** Where a child is at the destination. */
interface ParentThere {
  /** Address of its parent. */
  address: string
  parentId: string
  parentName: string | null
}

/** A child that only the destination has and that `replace` deletes. */
interface ExtraChild extends Removable, ParentThere {
  /** Whether it is in the way of what is to be written. */
  atOnce: boolean
}

/**
 * Writes what `replace` would delete from an item to the list of deletions (G4).
 *
 * @returns whether any of it is in the way: the item then waits until that is deleted or turns out to be kept
 */
export async function listDeletions(state: ItemState, existing: Draft): Promise<boolean> {
  const { context, pass } = state.deps
  const extra = extraChildren(state, existing)
  // An earlier attempt may have listed others.
  if (extra.length === 0 && !context.run.begun) return false
  const children = extra.flatMap((one) => rowsOf(state, one))
  const of = { pass: pass.key, rootId: state.root.id }
  await context.recorder.record((tx) => saveChildDeletions(tx, context.run, of, children))
  return extra.some(({ atOnce }) => atOnce)
}

/**
 * Compares the deletions planned for an item with the item as it is now in both stores (G4).
 *
 * @returns the names of what may be deleted; what was edited, or exists in the source by now, is kept with a warning
 */
export async function stillExtra(
  state: ItemState,
  existing: Draft,
  planned: readonly PlannedChild[],
): Promise<Set<string>> {
  const now = new Map(extraChildren(state, existing).map((one) => [deletionKey(one.existing, one.address), one]))
  const there = new Set(
    [...now.values()].flatMap((one) => [...everyDraft(one.existing)].map((draft) => deletionKey(draft, one.address))),
  )
  const removes = new Set<string>()
  const kept: { child: PlannedChild; reason: string }[] = []
  const gone: PlannedChild[] = []
  for (const child of planned) {
    const key = `${child.component}:${child.destinationId}`
    const found = now.get(key)
    if (!found && there.has(key)) continue
    if (!found && !exists(existing, child)) gone.push(child)
    else if (!found) kept.push({ child, reason: 'the source has it now' })
    else if (checksumAlone(state, found.existing) === child.checksum) removes.add(key)
    else kept.push({ child, reason: 'it was edited there meanwhile' })
  }
  if (kept.length > 0 || gone.length > 0) await settle(state, kept, gone)
  return removes
}

/** Whether the planned child still exists below the item. */
function exists(existing: Draft, { component, destinationId }: PlannedChild): boolean {
  return [...everyDraft(existing)].some(
    (draft) => draft.component === component && nameThere(draft, existing.id) === destinationId,
  )
}

/** What is gone went with what was deleted of the item, as variants do with their option, and counts like that. */
async function settle(
  state: ItemState,
  kept: { child: PlannedChild; reason: string }[],
  gone: PlannedChild[],
): Promise<void> {
  const { context, pass } = state.deps
  // A dry run deletes nothing, so it has nothing to settle.
  if (context.run.mode === 'dry-run') return
  await context.recorder.record(async (tx, tally) => {
    for (const row of await recordPruned(tx, context.run.id, { pass: pass.key, rootId: state.root.id }, gone))
      tally.add(row.component, 'pruned')
    for (const { component, destinationId } of gone)
      await settleDeletions(tx, context.run, component, [destinationId], 'deleted')
    for (const { child } of kept) await settleDeletions(tx, context.run, child.component, [child.destinationId], 'kept')
    const issues = kept.map(({ child, reason }) => keptIssue(state, child, reason))
    for (const { component } of await saveIssues(tx, context.run, issues)) tally.add(component, 'warnings')
  })
}

function keptIssue({ deps }: ItemState, child: PlannedChild, reason: string): IssueToWrite {
  const { component, destinationId: id, item } = child
  const called = calledItem({ component, id, name: item.name }, 'destination')
  return notPrunedIssue(deps.entity, { component, id, item }, `${called} was not deleted, because ${reason}.`)
}

/** With the children that `replace` would delete, but that are copies of others as well (G3). */
export async function withShared(state: ItemState, existing: Draft): Promise<ItemState> {
  const { context } = state.deps
  if (context.run.conflictStrategy !== 'replace' || !mayHaveOthers(context)) return state
  const extra = Map.groupBy(removableBelow(state, state.root, existing), ({ component }) => component)
  const shared = [...extra].map(async ([component, some]) => {
    const ids = await leaveToOthers(
      context,
      component,
      some.map(({ id }) => id),
    )
    return [...ids].map((id) => `${component}/${id}`)
  })
  return { ...state, shared: new Set((await Promise.all(shared)).flat()) }
}

function removableBelow(state: ItemState, desired: Draft, existing: Draft): Draft[] {
  const { pairs, extra } = pairChildren(state, desired.children, existing.children)
  const below = pairs.flatMap((pair) => (pair.existing ? removableBelow(state, pair.desired, pair.existing) : []))
  return [...removableOf(state, extra).map((one) => one.existing), ...below]
}

/** Children that only the destination has, at every level, in the order of their deletion. */
function extraChildren(state: ItemState, existing: Draft): ExtraChild[] {
  const parent = { address: existing.id, parentId: existing.id, parentName: nameOf(state, existing) }
  const { extra } = pairChildren(state, state.root.children, existing.children)
  const reshaping = reshapingOf(removableOf(state, extra))
  const others = extraBelow(state, state.root, afterRemoval(existing, reshaping), parent)
  if (reshaping.length === 0) return others
  return [...reshaping.map((one) => ({ ...one, ...parent })), ...others].map((one) => ({ ...one, atOnce: true }))
}

function extraBelow(state: ItemState, desired: Draft, existing: Draft, parent: ParentThere): ExtraChild[] {
  const { pairs, extra } = pairChildren(state, desired.children, existing.children)
  const own = removableOf(state, extra).map((one) => ({ ...one, ...parent, atOnce: isInTheWay(state, one, pairs) }))
  const deeper = pairs.flatMap(({ component, desired, existing }) =>
    existing
      ? extraBelow(state, desired, existing, {
          address: childAddress(component, existing.id, parent.address),
          parentId: existing.id,
          parentName: [parent.parentName, nameOf(state, existing)].filter(Boolean).join(' > ') || null,
        })
      : [],
  )
  return [...own, ...deeper]
}

/** Whether it may hold what a sibling is about to get, such as a SKU, a name or overlapping quantities. */
export function isInTheWay(state: ItemState, { existing, component, remove }: Removable, pairs: ChildPair[]): boolean {
  return pairs.some((pair) => {
    const isRelated =
      pair.component === component
        ? remove.before === 'siblings'
        : pair.component.clashes?.(pair.desired, existing) === true
    return isRelated && (!pair.existing || needsUpdate(state, { ...pair, existing: pair.existing }))
  })
}

/** Children whose deletion changes what the others look like: each option shapes every variant. */
export function reshapingOf(removable: Removable[]): Removable[] {
  return removable.filter(({ remove }) => remove.reshapes)
}

/** The item as it would be without the removed children. */
export function afterRemoval(existing: Draft, removed: Removable[]): Draft {
  return removed.reduce((left, one) => one.remove.reshapes?.(left, one.existing) ?? left, existing)
}

/** The rows for a child and its own children, which are deleted with it. */
function rowsOf(state: ItemState, { existing, atOnce, ...parent }: ExtraChild): ChildDeletion[] {
  return [...everyDraft(existing)].map((draft): ChildDeletion => {
    const isTop = draft === existing
    const above = [parent.parentName, nameOf(state, existing)].filter(Boolean).join(' > ')
    return {
      phase: state.deps.entity.key,
      component: draft.component,
      destinationId: nameThere(draft, parent.address),
      parentId: isTop ? parent.parentId : existing.id,
      parentName: (isTop ? parent.parentName : above) || null,
      item: state.deps.context.protection.item(draft),
      checksum: checksumAlone(state, draft),
      atOnce,
    }
  })
}

/** Without what our own writes of its siblings change: that is no edit. */
function checksumAlone({ deps }: ItemState, draft: Draft): string {
  const { changedBySiblings = [] } = componentOf(draft.component)
  const compare = Object.fromEntries(
    Object.entries(draft.compare).filter(([field]) => !changedBySiblings.includes(field)),
  )
  return deps.context.protection.checksum({ ...draft, compare })
}

function nameOf({ deps }: ItemState, draft: Draft): string | null {
  return deps.context.protection.item(draft).name
}
