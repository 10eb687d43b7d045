import type { IssueCode } from '../../contract/issue-codes.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { type Ended, endAndCount, type LedgerState } from '../../db/ledger/ledger.ts'
import { releaseClaims, saveMappings } from '../../db/ledger/mappings.ts'
import type { NewMapping } from '../../db/ledger/store-pair.ts'
import { type Settled, settleIssues } from '../../db/reports/healing.ts'
import { saveSideEffects } from '../../db/side-effects/side-effects.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { destinationId } from '../../model/destination-id.ts'
import { pendingChildren, pendingPicture } from '../../model/pending.ts'
import { pageAddress, saveMovedPages } from '../core/page-addresses.ts'
import { everyDraft, pairUp } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import { tallyWidgets } from '../core/tally-widgets.ts'
import type { Refusal } from '../send/writes.ts'
import { movedIssue, refusalIssue } from './item-issues.ts'
import { differingFields, type ItemState, isOpen, isOurs, isRoot, readRoot } from './item-state.ts'
import { reportSimulated } from './simulated-differences.ts'

/** The state of an item that exists and is left as it is; `matched` only where a comparison shows no difference (G13). */
export function stateOfFound(
  state: ItemState,
  { desired, existing }: { desired: Draft; existing: Draft },
): LedgerState {
  if (isOurs(state)) return 'created'
  return differingFields(state, desired, existing).length === 0 ? 'matched' : 'skipped'
}

/** Ends an open item in the ledger, and maps it. */
export function note(
  state: ItemState,
  { desired, existing }: { desired: Draft; existing: Draft },
  ended: LedgerState,
  recording: Recording,
): void {
  if (!isOpen(state, desired)) return
  recording.ends.push({ component: desired.component, sourceId: desired.id, state: ended })
  const mapping = mappingTo(state, desired, existing)
  const isFound = ended === 'matched' || ended === 'skipped'
  recording.mappings.push(isFound ? { ...mapping, origin: 'adopted' } : mapping)
}

export function noteTree(
  state: ItemState,
  { desired, existing }: { desired: Draft; existing: Draft },
  ended: LedgerState,
  recording: Recording,
): void {
  note(state, { desired, existing }, ended, recording)
  for (const pair of pairUp(desired.children, existing.children).pairs)
    if (pair.existing) noteTree(state, { desired: pair.desired, existing: pair.existing }, ended, recording)
}

export function mappingTo({ deps }: ItemState, desired: Draft, existing: Draft, owed: string[] = []): NewMapping {
  const { context } = deps
  return {
    scope: context.references.scope(desired.component),
    component: desired.component,
    sourceId: desired.id,
    destinationId: destinationId(existing.id),
    origin: 'created',
    owed,
    draftChecksum: null,
    destinationChecksum: null,
    runId: context.run.id,
    names: context.protection.names(desired),
  }
}

/** Issues of earlier tries that no longer hold. */
export function settledAt({ deps }: ItemState, { component, id }: Draft, codes: IssueCode[]): Settled[] {
  return deps.healing ? codes.map((code) => ({ component, sourceId: id, code })) : []
}

/** Fails the item and its open children, with one issue for all of them. */
export function recordFailure(state: ItemState, draft: Draft, refusal: Refusal, recording: Recording): void {
  const open = [...everyDraft(draft)].filter((one) => isOpen(state, one))
  const covers = open.map(({ component, id }) => ({ component, sourceId: id }))
  for (const one of covers) recording.ends.push({ ...one, state: 'failed' })
  if (!isRoot(state, draft)) state.progress.pending.add(pendingChildren)
  recording.issues.push({ ...refusalIssue(state, draft, refusal, 'failure'), covers })
}

/** The item is saved without its picture, which stays pending (F4). */
export function recordMissingPicture(state: ItemState, draft: Draft, refusal: Refusal, recording: Recording): void {
  state.progress.pending.add(isRoot(state, draft) ? pendingPicture : pendingChildren)
  recording.issues.push(refusalIssue(state, draft, refusal, 'failure'))
}

/** The platform may save an item with another address than the one it was sent with. */
export function recordAddress(state: ItemState, answer: PlatformItem | null, recording: Recording): void {
  const { root } = state
  const existing = answer && readRoot(state, answer)
  if (existing) recording.addresses.push(...pageAddress(root, existing.path))
  const moved = existing && movedIssue(state, root, existing)
  if (moved) recording.issues.push(moved)
  else recording.settled.push(...settledAt(state, root, ['address_changed']))
}

/** Adds the issues that are reported with the first write. */
export function withFirstWrite({ progress }: ItemState, recording: Recording): Recording {
  recording.issues.push(...progress.withFirstWrite.splice(0))
  return recording
}

export function takeRecording({ progress }: ItemState): Recording {
  const { recording } = progress
  progress.recording = emptyRecording()
  return recording
}

export async function flush(state: ItemState): Promise<void> {
  const recording = takeRecording(state)
  if (Object.values(recording).every((list) => list.length === 0)) return
  await state.deps.context.recorder.record(entryOf(state, recording))
}

export function entryOf(state: ItemState, recording: Recording): Entry {
  return (tx, tally) => write(state, recording, tx, tally)
}

async function write(state: ItemState, recording: Recording, tx: InTransaction, tally: Tally): Promise<void> {
  const { deps, input, component, before, copies } = state
  const { context, entity, pass } = deps
  const { draft } = input.resolved
  const ended = await endAndCount(tx, tally, context.run.id, recording.ends)
  if (ended.some((one) => isInStep(one, draft))) tallyWidgets(tally, draft)
  await reportSimulated(context, { phase: entity.key, desired: draft, existing: before, ended }, tx)
  // A child may have become the copy of another one, if the source no longer has the first.
  const ofChildren = recording.mappings.filter((mapping) => mapping.component !== pass.root)
  if (copies) await releaseClaims(tx, context.pair, ofChildren)
  await saveMappings(tx, context.pair, recording.mappings, { manyToOne: component.shared })
  await saveMovedPages(tx, context, recording.addresses)
  await settleIssues(tx, context.run, recording.settled)
  if (context.run.mode === 'full') await saveSideEffects(tx, context.pair, context.run.id, recording.deferredWrites)
  const fresh = await saveIssues(tx, context.run, recording.issues)
  for (const issue of fresh) if (issue.severity === 'warning') tally.add(issue.component, 'warnings')
}

/** The item is at the destination as in the source. */
function isInStep({ component, sourceId, state }: Ended, root: Draft): boolean {
  return component === root.component && sourceId === root.id && ['created', 'updated', 'matched'].includes(state)
}
