import { settleDeletions } from '../../db/ledger/deletions.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { pendingChildren } from '../../model/pending.ts'
import { everyDraft } from '../core/pairing.ts'
import { emptyRecording } from '../core/recording.ts'
import { isKept } from '../scope/kept-items.ts'
import { mayPrune } from '../scope/partial-run.ts'
import { imageOf } from './before-image.ts'
import { notRemovedIssue } from './item-issues.ts'
import { type ItemState, isFresh, isOurs, ledgerKey } from './item-state.ts'
import { entryOf, flush } from './record-item.ts'
import { reportPruned } from './simulated-differences.ts'

/** A child that only the destination has, and how it is deleted. */
export interface Removable {
  existing: Draft
  component: Component
  remove: NonNullable<Component['remove']>
}

/**
 * Children that only the destination has and that `replace` may delete (D2); not what shoppers made, and not the copies of
 * others (G3).
 */
export function removableOf(state: ItemState, extra: Draft[]): Removable[] {
  const { context } = state.deps
  const removes = state.mode.kind === 'compare' && context.run.conflictStrategy === 'replace' && !isOurs(state)
  if (!removes) return []
  return extra.flatMap((existing) => {
    const component = componentOf(existing.component)
    const { remove } = component
    if (!remove || !mayPrune(context, existing.component) || state.shared.has(ledgerKey(existing))) return []
    if (state.input.resolved.missing.length > 0 && remove.mayBeOfSource?.(existing)) return []
    return isKept(context, existing.component, existing.body) ? [] : [{ existing, component, remove }]
  })
}

/** Extra children that are deleted now. */
export function removedNow(state: ItemState, extra: Draft[], address: string): Removable[] {
  if (state.removes.size === 0) return []
  return removableOf(state, extra).filter(({ existing }) => state.removes.has(deletionKey(existing, address)))
}

/** The name of a child in the list of deletions. @param address of its parent */
export function deletionKey(existing: Draft, address: string): string {
  return `${existing.component}:${nameThere(existing, address)}`
}

export function nameThere(existing: Draft, address: string): string {
  return componentOf(existing.component).knownAs?.(existing, address) ?? existing.id
}

/** Deletes a child that only the destination has, and counts it with its own children (D2). */
export async function removeChild(
  state: ItemState,
  { existing, component, remove }: Removable,
  address: string,
): Promise<void> {
  const { writer, context, entity, pass } = state.deps
  await flush(state)
  const before = imageOf(state, existing, wholeBody(existing))
  const target = { pass: pass.key, rootId: state.root.id, parentId: address, before, prunes: true }
  await writer.remove(component, existing, remove.call(existing, address), target, (refusal) => {
    // Issues that wait for the first write are not added here: a deletion overwrites no edit.
    const recording = emptyRecording()
    if (refusal) recording.issues.push(notRemovedIssue(state, existing, nameThere(existing, address), refusal))
    const recorded = entryOf(state, recording)
    return async (tx, tally, bulk) => {
      if (!refusal) await reportPruned(context, entity.key, existing, tx)
      // In a dry run the deletion stays planned.
      if (context.run.mode === 'full')
        for (const draft of everyDraft(existing))
          await settleDeletions(
            tx,
            context.run,
            draft.component,
            [nameThere(draft, address)],
            refusal ? 'kept' : 'deleted',
          )
      await recorded(tx, tally, bulk)
    }
  })
}

/**
 * Removes what the platform added to a new item and the source does not have: a product is put on the default
 * storefront.
 */
export async function removeAdded(state: ItemState, existing: Draft): Promise<void> {
  const { deps, root, mode } = state
  const { context, entity, pass, writer } = deps
  if (!isFresh(state) || mode.kind === 'compare' || root.component !== entity.key) return
  for (const component of entity.components) {
    const { remove } = component
    const added = remove?.addedByPlatform?.(context.defaults)
    if (!remove || !added || root.children.some((child) => child.keys[0] === added.keys[0])) continue
    const call = remove.call(added, existing.id)
    const target = { pass: pass.key, rootId: root.id, parentId: existing.id, prunes: false }
    await writer.remove(component, added, call, target, (refusal) => {
      const recording = emptyRecording()
      if (refusal) recording.issues.push(notRemovedIssue(state, added, nameThere(added, existing.id), refusal))
      // The next run tries again: a product would be on sale where the source does not sell it.
      if (refusal) state.progress.pending.add(pendingChildren)
      return entryOf(state, recording)
    })
  }
}

/** A child with all of its own children. */
function wholeBody(existing: Draft): PlatformItem {
  if (existing.children.length === 0) return existing.body
  return { ...existing.body, children: existing.children.map(wholeBody) }
}
