import type { Draft } from '../../entities/core/draft.ts'
import { isKind } from '../../model/pending.ts'
import { ItemGone } from '../core/stopping.ts'
import { afterRemoval, listDeletions, reshapingOf, stillExtra, withShared } from './extra-children.ts'
import { finishItem } from './finish-item.ts'
import { otherSourceIssue, overwrittenIssue } from './item-issues.ts'
import {
  beginItem,
  copyIn,
  differingFields,
  type ItemInput,
  type ItemState,
  pairChildren,
  readById,
  readExisting,
  type WriteDeps,
} from './item-state.ts'
import { withCopies } from './known-copies.ts'
import { removeChild, removedNow } from './remove-child.ts'
import { underOwnKeys } from './renamed-children.ts'
import { updateRoot } from './update-root.ts'

/** An item of the destination to compare with the source. */
export interface Compared {
  existing: Draft
  /** It was edited at the destination since we wrote it. */
  changed: boolean
  /** Another store of the organisation, if the item is a copy from there. */
  copiedFrom?: string | undefined
  /** Checksum from the list, where the list shows the whole item. */
  listedChecksum: string | null
}

/**
 * Writes the fields that differ from the source, and nothing else (C2). Children that only the copy has go to the list
 * of deletions, and `replace` compares the item again once they may be deleted (G4).
 */
export async function compareItem(deps: WriteDeps, input: ItemInput, compared: Compared): Promise<void> {
  const isWritten = wasWritten(deps, input)
  const begun = beginItem(deps, input, { kind: 'compare' }, isWritten ? pendingStill(input) : undefined)
  const { changed, copiedFrom } = compared
  // Two sources write this copy, so the edit need not have been made by a person.
  if (copiedFrom !== undefined)
    begun.progress.withFirstWrite.push(otherSourceIssue(begun, compared.existing.id, copiedFrom))
  else if (changed) begun.progress.withFirstWrite.push(overwrittenIssue(begun, compared.existing.id))
  const current = await readCurrent(begun, compared)
  const { state: known, existing } = await withOwnKeys(begun, current)
  const listed = await withShared({ ...known, before: existing }, existing)
  if (deps.deletions === 'listed' && (await listDeletions(listed, existing))) return
  const state = await withDeletions(listed, existing)
  // An item that was read again may have been written since it was listed, by a process before this one.
  const readAgain = current !== compared.existing
  const checksum = readAgain ? deps.context.protection.checksum(current) : compared.listedChecksum
  const fields = isWritten ? [] : differingFields(state, state.root, existing)
  const updated = await updateRoot(state, existing, fields, isWritten ? null : checksum)
  if (updated.kind === 'refused') return
  const left = await withoutForeignOptions(state, existing)
  await finishItem(left.state, left.existing, updated.checksum)
}

/** Whether the item was already compared and written in this run, so that only children are left to be deleted. */
function wasWritten({ deletions, pass }: WriteDeps, { states, resolved }: ItemInput): boolean {
  if (deletions === 'none' || deletions === 'listed') return false
  const state = states.get(`${pass.root}/${resolved.draft.id}`) ?? ''
  return ['created', 'updated', 'matched'].includes(state)
}

/** What is pending from before, except references, which are looked up again. */
function pendingStill({ mapping }: ItemInput): string[] {
  return (mapping?.owed ?? []).filter((one) => !isKind(one, 'reference', 'link'))
}

async function withDeletions(state: ItemState, existing: Draft): Promise<ItemState> {
  const { deletions } = state.deps
  const planned = typeof deletions === 'string' ? [] : (deletions.get(state.root.id) ?? [])
  return planned.length === 0 ? state : { ...state, removes: await stillExtra(state, existing, planned) }
}

/**
 * The saved list has only hashes of personal and secret items, so they are read again before they are overwritten (D6,
 * S9).
 */
export async function readCurrent({ deps, root, component }: ItemState, compared: Compared): Promise<Draft> {
  const { existing, listedChecksum } = compared
  const { context } = deps
  if (listedChecksum === null || context.protection.open(component.key)) return existing
  const parentIds = [root.parentId ?? '']
  const lookUp = async (keys: string[][]) =>
    (await component.probe?.(context.destination, { keys, parentIds }))?.find((draft) => draft.id === existing.id)
  // If its keys have changed, only a look at all items finds it.
  const found =
    (root.keys.length > 0 ? await lookUp([root.keys]) : undefined) ??
    (await lookUp([])) ??
    // It may belong to another parent by now.
    (await readById(deps, existing.id))
  if (!found) throw new ItemGone(`its copy ${existing.id} was deleted at the destination while it was being compared`)
  return found
}

interface Found {
  state: ItemState
  existing: Draft
}

async function withOwnKeys(state: ItemState, existing: Draft): Promise<Found> {
  if (existing.children.length === 0) return { state, existing }
  const known = await withCopies(state, existing)
  return { state: known, existing: underOwnKeys(state.root, existing, copyIn(known.copies)) }
}

/**
 * An option that only the destination has changes the shape of every variant, so it is deleted before anything is
 * compared.
 */
async function withoutForeignOptions(state: ItemState, existing: Draft): Promise<Found> {
  const { extra } = pairChildren(state, state.root.children, existing.children)
  const reshaping = reshapingOf(removedNow(state, extra, existing.id))
  for (const one of reshaping) await removeChild(state, one, existing.id)
  if (reshaping.length === 0) return { state, existing }
  if (state.deps.context.run.mode === 'dry-run') return { state, existing: afterRemoval(existing, reshaping) }
  const again = await readExisting(state, existing.id)
  return again ? withOwnKeys(state, again) : { state, existing }
}
