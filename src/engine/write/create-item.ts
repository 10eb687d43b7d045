import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { identity } from '../../entities/core/references.ts'
import { pendingChildren } from '../../model/pending.ts'
import { pageAddress } from '../core/page-addresses.ts'
import { everyDraft } from '../core/pairing.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import { ItemGone } from '../core/stopping.ts'
import { type Candidate, decideByKey } from '../plan/decide.ts'
import { keyMatchesOf } from '../plan/key-matches.ts'
import { lostCreations } from '../plan/lost-creations.ts'
import { readNow } from '../read/by-ids.ts'
import { onlyNeeded } from '../scope/picked-scope.ts'
import { saveCreations } from '../send/unconfirmed.ts'
import type { Outcome, Refusal } from '../send/writes.ts'
import { compareItem } from './compare-item.ts'
import { continueItem } from './complete-pending.ts'
import { desiredAfterwards, withoutRefused } from './degrade.ts'
import { endItem, finishItem } from './finish-item.ts'
import { movedIssue, refusalIssue } from './item-issues.ts'
import {
  beginItem,
  checksumOfAnswer,
  differingFields,
  heals,
  type ItemInput,
  type ItemState,
  readRoot,
  type WriteDeps,
} from './item-state.ts'
import { entryOf, mappingTo, recordFailure, recordMissingPicture } from './record-item.ts'
import { createAlone, isBatched, type NewItem, requestCreate } from './request-create.ts'
import { hasOpenChildren, noteInline } from './sync-children.ts'
import { unsoldIssues, withoutRefusedLines, withoutUnsold } from './unsold.ts'
import { updateField } from './update-root.ts'

/** Creates an item with its children. @param issues about the copy, reported once there is one */
export async function createItem(deps: WriteDeps, input: ItemInput, issues: IssueToWrite[]): Promise<void> {
  const begun = withoutUnsold(beginItem(deps, input, { kind: 'create' }))
  begun.progress.withFirstWrite.push(...issues)
  const send = () => requestCreate(begun, newRoot(begun, begun.root))
  // While a batch fills, the item holds no slot.
  const first = await (isBatched(begun.component) ? deps.park(send) : send())
  const { state, outcome } = await orAccepted(begun, begun.root, first)
  if (outcome.kind === 'refused') return adoptOrFail(begun, outcome.refusal)
  if (outcome.kind === 'existing') return adoptExisting(begun, outcome.existing.id)
  const { saved, partly } = outcome
  const checksum = checksumOfAnswer(state, saved)
  if (partly && state.component.repeatsPartly) await sendRest(state, saved)
  if (hasOpenChildren(state, saved)) await finishItem(state, saved, checksum)
}

function newRoot(state: ItemState, sent: Draft): NewItem {
  return {
    component: state.component,
    desired: sent,
    parent: { parentId: sent.parentId ?? '', parent: null },
    recorded: (saved) => recordCreated(state, saved),
  }
}

interface Attempt {
  state: ItemState
  outcome: Outcome
}

/** Sends a refused item again in a form that the platform may accept. */
async function orAccepted(state: ItemState, sent: Draft, outcome: Outcome): Promise<Attempt> {
  const root = outcome.kind === 'refused' && (await withoutRefusedLines(state, sent, outcome.refusal))
  if (!root) return orDegraded(state, sent, outcome)
  const other = { ...state, root }
  return orAccepted(other, root, await createAlone(other, newRoot(other, root)))
}

/** Creates the item without what the platform refused, until it accepts it or there is nothing left to omit (F4). */
async function orDegraded(state: ItemState, sent: Draft, outcome: Outcome): Promise<Attempt> {
  if (outcome.kind !== 'refused' || !heals(state)) return { state, outcome }
  const degraded = withoutRefused(sent, outcome.refusal)
  if (!degraded) return { state, outcome }
  const degradedBy = new Map(state.degradedBy)
  if (degraded.degradedBy) degradedBy.set(degraded.degradedBy, outcome.refusal)
  const root = desiredAfterwards(state.input.resolved.draft, degraded.sent)
  const less = { ...state, root, degradedBy }
  // It goes alone, because it may have been the reason why its batch was refused.
  return orDegraded(less, degraded.sent, await createAlone(less, newRoot(less, degraded.sent)))
}

function recordCreated(state: ItemState, saved: Draft): Recording {
  const { root, degradedBy, input } = state
  const recording = emptyRecording()
  recording.issues.push(...unsoldIssues(state))
  const picture = degradedBy.get('picture')
  if (picture) recordMissingPicture(state, root, picture, recording)
  recording.addresses.push(...pageAddress(root, saved.path))
  const address = degradedBy.get('address')
  if (address) recording.issues.push(...addressIssues(state, address, saved))
  noteInline(state, root, saved, recording)
  if (hasOpenChildren(state, saved))
    recording.mappings.push(mappingTo(state, root, saved, [...input.resolved.missing, pendingChildren]))
  else endItem(state, saved, checksumOfAnswer(state, saved), recording)
  return recording
}

/** Reports that the item got another address. A dry run only knows that its own is taken. */
function addressIssues(state: ItemState, refusal: Refusal, saved: Draft): IssueToWrite[] {
  if (refusal.rule) return [refusalIssue(state, state.root, refusal, 'warning')]
  const moved = movedIssue(state, state.root, saved)
  return moved ? [moved] : []
}

/** Sends once more what the platform did not save with the item; if it is refused again, that becomes an issue. */
async function sendRest(state: ItemState, saved: Draft): Promise<void> {
  const { root, component } = state
  const fields = differingFields(state, root, saved).map(({ path }) => path)
  const call = component.update?.call(root, saved, '', fields)
  if (!call || fields.length === 0) return
  await updateField(state, call, (refusal, answer) => {
    const recording = emptyRecording()
    if (refusal) recording.issues.push(refusalIssue(state, root, refusal, 'warning'))
    else endItem(state, saved, answer && state.deps.context.protection.checksum(readRoot(state, answer)), recording)
    return recording
  })
}

/**
 * The platform may refuse an item because the same one was created after the destination was listed; that one is then
 * adopted (B6).
 */
async function adoptOrFail(state: ItemState, refusal: Refusal): Promise<void> {
  const { deps, root } = state
  const { context } = deps
  const candidates = refusal.rule === undefined ? await inTheWay(state) : []
  const { protection } = context
  const names = { called: protection.calledInCollision(root), sku: protection.item(root).sku }
  const decision = decideByKey(names, protection.keys(root), candidates)
  if (decision.kind === 'adopt') return adoptOrContinue(state, decision.destinationId)
  const recording = emptyRecording()
  recordFailure(state, root, refusal, recording)
  if (decision.kind === 'fail') {
    const { code, message, destinationId } = decision
    recording.issues = recording.issues.map((issue) => ({ ...issue, code, message, destinationId }))
  }
  await context.recorder.record(entryOf(state, recording))
}

/** What is in the item's way may be its copy, which we created without getting an answer (G10). */
async function adoptOrContinue(state: ItemState, existingId: string): Promise<void> {
  const { deps, input, root, component } = state
  const { context, pass } = deps
  const [ours] = await lostCreations(context, pass, new Map([[root.id, existingId]]))
  if (!ours) return adoptExisting(state, existingId)
  await context.recorder.record((tx) => saveCreations(context, tx, component, [ours]))
  return continueItem(deps, { ...input, mapping: ours.mapping }, ours.mapping)
}

/**
 * Adopts an item that another client created. The strategy treats it like any that existed before, and it never counts
 * as created (G5).
 */
async function adoptExisting(state: ItemState, existingId: string): Promise<void> {
  const { deps, input, root } = state
  const { context, pass } = deps
  const recording = emptyRecording()
  const mapping = { ...mappingTo(state, root, { ...root, id: existingId }), origin: 'adopted' as const }
  recording.mappings.push(mapping)
  if (await keepsAsItIs(state)) {
    for (const { component, id } of everyDraft(root)) recording.ends.push({ component, sourceId: id, state: 'skipped' })
    return context.recorder.record(entryOf(state, recording))
  }
  await context.recorder.record(entryOf(state, recording))
  const [item] = await readNow(context, 'destination', pass, [existingId])
  if (!item)
    throw new ItemGone(`destination item ${existingId}, which has its key, was deleted while it was being compared`)
  const existing = pass.drafts(item, identity)
  await compareItem(deps, { ...input, mapping }, { existing, changed: false, listedChecksum: null })
}

/** Whether an existing item is left as it is: under `skip`, and under any strategy if it was not picked itself. */
async function keepsAsItIs({ deps, input, root }: ItemState): Promise<boolean> {
  const { context, pass } = deps
  if (context.run.conflictStrategy === 'skip') return true
  return (await onlyNeeded(context, pass, [input.item])).has(root.id)
}

/** Destination items with one of the item's keys, looked up now. */
async function inTheWay({ deps, root }: ItemState): Promise<Candidate[]> {
  const keyMatches = await keyMatchesOf(deps.context, deps.pass, [root], { compares: false })
  return (keyMatches.get(root.id) ?? []).map((keyMatch) => ({ ...keyMatch, listed: null }))
}
