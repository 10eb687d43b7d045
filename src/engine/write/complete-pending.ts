import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import {
  formatPending,
  isKind,
  isReferenceTo,
  pendingAddress,
  pendingOwnKind,
  pendingPicture,
} from '../../model/pending.ts'
import { checksum, fieldDifferences, same } from '../core/pairing.ts'
import { emptyRecording } from '../core/recording.ts'
import { draftWithout } from '../core/references.ts'
import { isSimulated } from '../core/simulated-id.ts'
import { ItemGone } from '../core/stopping.ts'
import { existingByIds } from '../read/by-ids.ts'
import { mayHaveOthers } from '../scope/shared-copies.ts'
import { imageOf } from './before-image.ts'
import { renewedChildren } from './due-children.ts'
import { earlierCopy, isEdited, leftEditedIssue, withOnly } from './earlier-copy.ts'
import { endItem, finishItem } from './finish-item.ts'
import { refusalIssue } from './item-issues.ts'
import { beginItem, type ItemInput, type ItemState, readExisting, type WriteDeps } from './item-state.ts'
import { withCopies } from './known-copies.ts'
import { entryOf, flush, recordAddress, recordMissingPicture } from './record-item.ts'
import { sendRootUpdate, updateField } from './update-root.ts'

/** Continues an item that exists at the destination until nothing is pending that can be completed now (C1). */
export function continueItem(deps: WriteDeps, input: ItemInput, mapping: Mapping): Promise<void> {
  return continueFrom(beginItem(deps, input, { kind: 'complete' }), mapping)
}

/**
 * Completes an item with what it lacked from its own pass and what exists now (C5). The first pass has ended and
 * counted the item together with what failed on it, which is left to the next run.
 */
export async function completeLate(deps: WriteDeps, input: ItemInput, mapping: Mapping): Promise<void> {
  const { item, resolved } = input
  const pending = mapping.owed.filter((one) => isKind(one, 'picture', 'children'))
  const state = beginItem(deps, input, { kind: 'complete' }, pending)
  const before = draftWithout(deps.pass, item, resolved, mapping.owed)
  const childrenPending = checksum({ ...state.root, compare: {} }) !== checksum({ ...before, compare: {} })
  // Others may have members in the same sets, so the sets are read before they are written.
  if (childrenPending || mayHaveOthers(deps.context)) return continueFrom(state, mapping)
  // Not read yet: only what is pending is known to differ.
  const existing = { ...state.root, id: mapping.destinationId, compare: {} }
  await completeReferences(state, mapping, mapping.owed, existing)
  endItem(state, existing, null, state.progress.recording, mapping.extraChildren ?? null)
  await flush(state)
}

/** `own`: to the address that a copy has in the source. `parked`: to one that no page has, until it gets its own. */
export type AddressWay = 'own' | 'parked'

/**
 * Moves a copy to the address that it has in the source, now that the address is free. If that is refused, the copy
 * stays where it is.
 */
export async function regainAddress(
  deps: WriteDeps,
  input: ItemInput,
  mapping: Mapping,
  { currentPath, way }: { currentPath: string; way: AddressWay },
): Promise<void> {
  const state = beginItem(deps, input, { kind: 'complete' })
  const { root } = state
  const field = addressField(root)
  const existing = { ...root, id: mapping.destinationId }
  const address = way === 'own' ? root.body[field] : parked(root.body[field], mapping.destinationId)
  const desired = { ...root, body: { ...root.body, [field]: address } }
  const call = state.component.update?.call(desired, existing, '', [field])
  if (!call) return
  const before = imageOf(state, existing, { [field]: currentPath })
  await updateField(state, call, emptyRecording, before)
}

async function continueFrom(begun: ItemState, mapping: Mapping): Promise<void> {
  const references = perhapsPending(begun, mapping)
  const knowsMore = references.some((one) => !begun.input.resolved.missing.includes(one))
  const existing = await existingOf(begun, mapping.destinationId)
  const known = existing.children.length > 0 ? await withCopies(begun, existing) : begun
  const before = isSimulated(existing.id) ? undefined : existing
  const renewed = knowsMore ? renewedChildren(begun, references) : new Set<string>()
  const state: ItemState = { ...known, mode: { kind: 'continue', renewed }, before }
  if (knowsMore) await completeReferences(state, mapping, references, existing)
  if (mapping.owed.includes(pendingPicture)) await completePicture(state, existing)
  if (mapping.owed.includes(pendingAddress)) await completeAddress(state, existing)
  await finishItem(state, existing, null)
}

/** Reads the copy, if that is needed: without children, only its references can differ. */
async function existingOf(state: ItemState, destinationId: string): Promise<Draft> {
  const { root } = state
  if (root.children.length === 0)
    return { ...root, id: destinationId, compare: {}, outside: await outsideOf(state, destinationId) }
  const existing = await readExisting(state, destinationId)
  if (existing) return existing
  throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being completed`)
}

/** Members of its sets that belong to others, which stay (D3). */
async function outsideOf({ deps }: ItemState, destinationId: string): Promise<Record<string, unknown[]>> {
  const { context, pass } = deps
  if (!mayHaveOthers(context) || !pass.sets) return {}
  const existing = await existingByIds(context, pass, [destinationId], { compares: true })
  return existing.get(destinationId)?.outside ?? {}
}

/** References that the item may lack. */
function perhapsPending({ deps, input }: ItemState, { owed }: Mapping): string[] {
  const references = owed.filter((one) => isKind(one, 'reference', 'link'))
  if (!owed.includes(pendingOwnKind)) return references
  const known = [...input.resolved.known.values()].map(({ component, sourceId }) =>
    formatPending({ kind: 'reference', component, sourceId }),
  )
  return [...references, ...known.filter((one) => isReferenceTo(one, deps.pass.root))]
}

/**
 * Writes the fields that were written without a reference, a link or a moved page (C1). A copy from an earlier run keeps
 * everything else as it is by now.
 */
async function completeReferences(
  state: ItemState,
  mapping: Mapping,
  pending: string[],
  existing: Draft,
): Promise<void> {
  const { deps, input, root, component, progress } = state
  if (!component.update) return
  const without = draftWithout(deps.pass, input.item, input.resolved, pending)
  const named = fieldDifferences(root.body, without.body).map(({ path }) => path)
  // A page that moved back leaves no trace in the draft, so all texts are written.
  const texts = pending.some((one) => isKind(one, 'moved')) ? (deps.pass.texts ?? []) : []
  const touched = [...new Set([...named, ...texts.filter((field) => field in root.body)])]
  const theirs = await earlierCopy(state, mapping, existing, touched)
  const now = theirs ?? existing
  // A list whose members are compared one by one is no field itself.
  const isSame = (path: string) => path in root.compare && same(root.compare[path], now.compare[path])
  const differing = touched.filter((path) => !isSame(path) && !isChosenThere(path, without, now))
  const edited = theirs ? differing.filter((path) => isEdited(state, mapping, theirs, without, path)) : []
  if (theirs && edited.length > 0) leaveEdited(state, theirs, pending)
  const fields = differing.filter((path) => !edited.includes(path))
  if (fields.length === 0) return
  const sent = withOwnMembers(deps.pass, theirs ? withOnly(root, theirs, fields) : root, without, now)
  const before = theirs && imageOf(state, theirs, Object.fromEntries(fields.map((path) => [path, theirs.body[path]])))
  await sendRootUpdate({ ...state, root: sent }, { ...existing, body: now.body }, fields, before, (refusal) => {
    if (!refusal) return async () => undefined
    for (const one of pending) if (isKind(one, 'reference', 'link')) progress.pending.add(one)
    const recording = emptyRecording()
    recording.issues.push(refusalIssue(state, root, refusal, 'failure'))
    return entryOf(state, recording)
  })
  progress.written += 1
}

/** References that stay empty until a person chooses an item; others, such as a customer's group, have a default. */
const neverByDefault: readonly string[] = ['brand_id']

/** Whether the merchant has chosen an item for a reference that the copy was written without. */
function isChosenThere(field: string, { compare: without }: Draft, { compare: there }: Draft): boolean {
  return neverByDefault.includes(field) && !without[field] && Number(there[field] ?? 0) > 0
}

/**
 * The item with the sets that the copy has by now, and what they lacked. A merchant may have put the copy into other
 * categories, or taken it out of some, since it was written.
 */
export function withOwnMembers({ sets = [] }: Pass, root: Draft, without: Draft, existing: Draft): Draft {
  const body = { ...root.body }
  for (const { field, id } of sets) {
    const [now, before, there] = [root.body[field], without.body[field], existing.compare[field]]
    if (id !== undefined || !Array.isArray(now) || !Array.isArray(before) || !Array.isArray(there)) continue
    const added = now.filter((one) => !before.includes(one) && !there.includes(one))
    // A negative id leaves the choice to the platform.
    body[field] = [...there.filter((one) => Number(one) > 0), ...added]
  }
  return { ...root, body }
}

/** Only `update` overwrites an edit, so what the field lacks stays pending. */
function leaveEdited(state: ItemState, existing: Draft, pending: string[]): void {
  const { progress } = state
  for (const one of pending) if (isKind(one, 'reference', 'link')) progress.pending.add(one)
  progress.recording.issues.push(leftEditedIssue(state, existing, pending))
}

/** Sends only the picture: nothing else is known to be missing. */
async function completePicture(state: ItemState, existing: Draft): Promise<void> {
  const { root, component } = state
  const call = component.update?.call(root, existing, '', ['image_file'])
  if (!call) return
  await updateField(state, call, (refusal) => {
    const recording = emptyRecording()
    if (refusal) recordMissingPicture(state, root, refusal, recording)
    return recording
  })
}

/** Tries the address that another item had (D4). Afterwards it is no longer pending, whether it was accepted or not. */
async function completeAddress(state: ItemState, existing: Draft): Promise<void> {
  const { root, component } = state
  const call = component.update?.call(root, existing, '', [addressField(root)])
  if (!call) return
  await updateField(state, call, (refusal, saved) => {
    const recording = emptyRecording()
    if (!refusal) recordAddress(state, saved, recording)
    return recording
  })
}

/** The address with the id of the copy, whether it is the path alone or a field of an object. */
function parked(address: unknown, id: string): unknown {
  if (typeof address === 'string') return address.replace(/\/*$/, `-${id}/`)
  if (address === null || typeof address !== 'object') return address
  const parts = Object.entries(address).map(([name, value]) => [
    name,
    typeof value === 'string' ? parked(value, id) : value,
  ])
  return Object.fromEntries(parts)
}

function addressField({ body }: Draft): string {
  return 'custom_url' in body ? 'custom_url' : 'url'
}
