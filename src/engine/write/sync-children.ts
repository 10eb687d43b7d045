import type { Draft } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { pendingChildren } from '../../model/pending.ts'
import { everyDraft } from '../core/pairing.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import { simulatedId } from '../core/simulated-id.ts'
import { isDue } from './due-children.ts'
import { isInTheWay } from './extra-children.ts'
import { leftOutIssue, missingSiblingIssue, reducedPictureIssue } from './item-issues.ts'
import { type ChildPair, childAddress, type ItemState, isOpen, pairChildren } from './item-state.ts'
import { failBeside, flush, mappingTo, note, noteTree, recordFailed, stateOfFound } from './record-item.ts'
import { type Removable, removeChild, removedNow } from './remove-child.ts'
import {
  type ChildOutcome,
  canReduce,
  createAlone,
  isBatched,
  type NewItem,
  ofChild,
  type Parent,
  requestCreate,
} from './request-create.ts'
import { freeSiblings, inWriteOrder } from './sibling-order.ts'
import { type Child, needsUpdate, updateChild } from './update-child.ts'

/**
 * Creates, updates and deletes children until they are as they should be.
 *
 * @param address of the parent at the destination
 * @param isNew whether the parent was created a moment ago, and with it what it has
 */
export async function syncChildren(
  state: ItemState,
  desired: Draft,
  existing: Draft,
  address: string,
  isNew = false,
): Promise<void> {
  const { pairs, extra } = pairChildren(state, desired.children, existing.children)
  const removable = removedNow(state, extra, address)
  const removed = new Set(removable.map((one) => one.existing))
  state.progress.extra.push(...extra.filter((existing) => !removed.has(existing)))
  const first = removable.filter((one) => one.remove.before === 'siblings' || isInTheWay(state, one, pairs))
  for (const one of first) await removeChild(state, one, address)
  const own = removable.length === 0 ? pairs : await withMadeByPlatform(state, pairs, removable, address)
  for (const pair of await freeSiblings(state, inWriteOrder(own), existing, address)) {
    const { component, desired } = pair
    const missing = isDue(state, desired) ? component.missingSibling?.(desired, existing) : undefined
    if (!pair.existing && desired.uncreatable !== null) leaveOut(state, desired, desired.uncreatable)
    else if (missing !== undefined) failWithout(state, desired, missing)
    else if (pair.existing)
      await syncChild(state, { ...pair, existing: pair.existing, parent: existing, address, isNew })
    else if (isDue(state, desired)) await createChild(state, pair, { parentId: address, parent: existing })
    else leaveUnwritten(state, desired)
  }
  for (const one of removable.filter((one) => !first.includes(one))) await removeChild(state, one, address)
}

/** With what the platform makes by itself when the last of its kind is deleted: the base variant of a product. */
function withMadeByPlatform(
  state: ItemState,
  pairs: ChildPair[],
  removed: Removable[],
  parentId: string,
): Promise<ChildPair[]> {
  const { destination, run } = state.deps.context
  return Promise.all(
    pairs.map(async (pair) => {
      const { component, desired } = pair
      const isSent = component.inlineAs === undefined || desired.inline
      if (pair.existing || isSent || !removed.some((one) => one.component === component)) return pair
      if (run.mode === 'dry-run')
        return { ...pair, existing: { ...desired, id: simulatedId(component.key, desired.id) } }
      const made = await component.probe?.(destination, { keys: [desired.keys], parentIds: [parentId] })
      return { ...pair, existing: made?.find(({ keys }) => keys[0] === desired.keys[0]) }
    }),
  )
}

function failWithout(state: ItemState, desired: Draft, missing: string): void {
  recordFailed(state, desired, missingSiblingIssue(state, desired, missing), state.progress.recording)
}

function leaveOut(state: ItemState, desired: Draft, why: string): void {
  if (isOpen(state, desired)) state.progress.recording.issues.push(leftOutIssue(state, desired, why))
  leaveUnwritten(state, desired)
}

/** Also a finished child that is gone: the merchant deleted it. */
function leaveUnwritten(state: ItemState, desired: Draft): void {
  for (const { component, id } of [...everyDraft(desired)].filter((one) => isOpen(state, one)))
    state.progress.recording.ends.push({ component, sourceId: id, state: 'skipped' })
}

async function syncChild(state: ItemState, child: Child): Promise<void> {
  const { component, desired, existing, address, isNew } = child
  if (isDue(state, desired) && needsUpdate(state, child)) await updateChild(state, child)
  else note(state, child, isNew ? 'created' : stateOfFound(state, child), state.progress.recording)
  await syncChildren(state, desired, existing, childAddress(component, existing.id, address), isNew)
}

/**
 * Creates a child with its own children. If it goes in a batch, it is only requested, and `untilBatched` waits for it.
 */
export async function createChild(
  state: ItemState,
  { component, desired }: Pick<ChildPair, 'component' | 'desired'>,
  parent: Parent,
): Promise<void> {
  const item: NewItem = { component, desired, parent, recorded: (saved) => recordCreated(state, item, saved) }
  if (failBeside(state, desired)) return
  if (isBatched(component)) return createInBatch(state, item)
  await flush(state)
  const outcome = await createOrReduce(state, item)
  countOutcome(state, outcome)
  if (outcome.kind === 'refused') return
  const { saved } = outcome
  // Later siblings may refer to it: complex rules refer to modifiers.
  parent.parent?.children.push(saved)
  const child = { component, desired, existing: saved, parent: parent.parent, address: parent.parentId, isNew: true }
  if (needsUpdate(state, child)) await updateChild(state, child)
  await syncChildren(state, desired, saved, childAddress(component, saved.id, parent.parentId), true)
}

function createInBatch(state: ItemState, item: NewItem): void {
  const created = requestCreate(state, item).then(async (answered) => {
    const outcome = ofChild(answered)
    countOutcome(state, outcome)
    if (outcome.kind === 'refused' || item.desired.children.length === 0) return
    const address = childAddress(item.component, outcome.saved.id, item.parent.parentId)
    await syncChildren(state, item.desired, outcome.saved, address, true)
  })
  // Avoids an unhandled rejection before the batch is awaited.
  created.catch(() => undefined)
  state.progress.batched.push(created)
}

/** Creates a child, with the smaller version of its picture if the source does not serve the original (F1). */
async function createOrReduce(state: ItemState, item: NewItem): Promise<ChildOutcome> {
  const { reducedPicture, ...rest } = item.desired
  const outcome = ofChild(await createAlone(state, item))
  if (outcome.kind === 'saved' || reducedPicture === undefined || !canReduce(state, item.desired, outcome.refusal))
    return outcome
  const smaller = { ...item, desired: { ...rest, body: { ...rest.body, image_url: reducedPicture } } }
  const second = await createAlone(state, {
    ...smaller,
    recorded: (saved) => {
      const recording = recordCreated(state, smaller, saved)
      recording.issues.push(reducedPictureIssue(state, smaller.desired))
      return recording
    },
  })
  return ofChild(second)
}

function recordCreated(
  state: ItemState,
  { component, desired }: Pick<NewItem, 'component' | 'desired'>,
  existing: Draft,
): Recording {
  const recording = emptyRecording()
  // A child that needs a correction ends only with it, so that it is still open after a take-over.
  if (needsUpdate(state, { component, desired, existing }))
    recording.mappings.push(mappingTo(state, desired, existing, [pendingChildren]))
  else note(state, { desired, existing }, 'created', recording)
  noteInline(state, desired, existing, recording)
  return recording
}

/** Ends the children that were saved with their parent; not those that the platform may have refused. */
export function noteInline(state: ItemState, desired: Draft, existing: Draft, recording: Recording): void {
  const isDone = (pair: { desired: Draft; existing: Draft }) => {
    const component = componentOf(pair.desired.component)
    return !component.triedInline || !needsUpdate(state, { ...pair, component })
  }
  for (const pair of pairChildren(state, desired.children, existing.children).pairs)
    if (pair.existing && pair.desired.inline)
      noteTree(state, { desired: pair.desired, existing: pair.existing }, 'created', recording, isDone)
}

function countOutcome({ progress }: ItemState, { kind }: ChildOutcome): void {
  if (kind === 'refused') progress.pending.add(pendingChildren)
  else progress.written += 1
}

/** Waits for children in batches. They may have requested children of their own, in new batches. */
export async function untilBatched({ deps, progress }: ItemState): Promise<void> {
  while (progress.batched.length > 0) {
    const batched = progress.batched.splice(0)
    await deps.park(() => Promise.all(batched))
  }
}

/** Whether the item has children that its create call did not carry or did not save as they should be. */
export function hasOpenChildren(state: ItemState, existing: Draft, desired = state.root): boolean {
  return pairChildren(state, desired.children, existing.children).pairs.some((pair) => {
    if (!pair.existing || !pair.desired.inline) return true
    const child = { component: pair.component, desired: pair.desired, existing: pair.existing }
    return needsUpdate(state, child) || hasOpenChildren(state, pair.existing, pair.desired)
  })
}
