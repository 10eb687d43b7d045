import { type IssueCode, leftPartsRemedy } from '../../contract/issue-codes.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { type Ended, endAndCount, type LedgerState } from '../../db/ledger/ledger.ts'
import { releaseClaims, saveMappings } from '../../db/ledger/mappings.ts'
import type { NewMapping } from '../../db/ledger/store-pair.ts'
import { type Settled, settleIssues } from '../../db/reports/healing.ts'
import { saveSideEffects } from '../../db/side-effects/side-effects.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { destinationId } from '../../model/destination-id.ts'
import { isAboutPicture } from '../../model/healing.ts'
import { pendingChildren, pendingPicture } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { pageAddress, saveMovedPages } from '../core/page-addresses.ts'
import { everyDraft, pairUp } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { emptyRecording, joined, type Recording } from '../core/recording.ts'
import { tallyWidgets } from '../core/tally-widgets.ts'
import type { Refusal } from '../send/writes.ts'
import { movedIssue, refusalIssue } from './item-issues.ts'
import { differingFields, type ItemState, isOpen, isOurs, isRoot, ledgerKey, readRoot } from './item-state.ts'
import { reportSimulated } from './simulated-differences.ts'

/**
 * The state of an item that exists and is left as it is; `matched` only where a comparison shows no difference (G13).
 */
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
  const isWithoutPicture = state.progress.withoutPicture.has(ledgerKey(desired))
  const mapping = mappingTo(state, desired, existing, isWithoutPicture ? [pendingPicture] : [])
  const isFound = ended === 'matched' || ended === 'skipped'
  recording.mappings.push(isFound ? { ...mapping, origin: 'adopted' } : mapping)
}

/** @param isDone whether it was written as it should be; if not, neither it nor what is below it ends */
export function noteTree(
  state: ItemState,
  { desired, existing }: { desired: Draft; existing: Draft },
  ended: LedgerState,
  recording: Recording,
  isDone: (pair: { desired: Draft; existing: Draft }) => boolean = () => true,
): void {
  if (!isDone({ desired, existing })) return
  note(state, { desired, existing }, ended, recording)
  for (const pair of pairUp(desired.children, existing.children).pairs)
    if (pair.existing) noteTree(state, { desired: pair.desired, existing: pair.existing }, ended, recording, isDone)
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

/** Issues of earlier attempts that no longer hold. */
export function settledAt({ deps }: ItemState, { component, id }: Draft, codes: IssueCode[]): Settled[] {
  return deps.healing ? codes.map((code) => ({ component, sourceId: id, code })) : []
}

/** Fails the item and its open children, with one issue for all of them. */
export function recordFailure(state: ItemState, draft: Draft, refusal: Refusal, recording: Recording): void {
  const issue = refusalIssue(state, draft, refusal, 'failure')
  const isBlocked = !isAboutPicture(refusal) && inTheWayOf(state, draft) !== undefined
  recordFailed(state, draft, isBlocked ? { ...issue, remedy: leftPartsRemedy } : issue, recording)
}

/** The same for what could not be sent. */
export function recordFailed(state: ItemState, draft: Draft, issue: IssueToWrite, recording: Recording): void {
  const open = [...everyDraft(draft)].filter((one) => isOpen(state, one))
  const covers = open.map(({ component, id }) => ({ component, sourceId: id }))
  for (const one of covers) recording.ends.push({ ...one, state: 'failed' })
  if (!isRoot(state, draft)) {
    state.progress.pending.add(pendingChildren)
    recording.mappings.push(...unfinished(state, draft))
  }
  recording.issues.push({ ...issue, covers })
}

/** What only the copy has and that may be why the child is refused. */
function inTheWayOf({ progress }: ItemState, child: Draft): Draft | undefined {
  const { clashes } = componentOf(child.component)
  return progress.extra.find((one) => clashes?.(child, one))
}

/** Fails a child that the real run would be refused because of what only the copy has (F2). @returns whether it is one */
export function failBeside(state: ItemState, child: Draft): boolean {
  const { protection, run } = state.deps.context
  const blocking = run.mode === 'dry-run' ? inTheWayOf(state, child) : undefined
  if (!blocking) return false
  const title = `${protection.called(blocking)} is there, which the source does not have`
  const refusal = { title, errors: {}, method: '', path: '', httpStatus: 0, rule: 'nothing in the way' }
  recordFailure(state, child, refusal, state.progress.recording)
  return true
}

/** The mapping of a child that was copied earlier and could not be corrected now. */
function unfinished({ copies }: ItemState, { component, id }: Draft): NewMapping[] {
  const copy = copies?.get(`${component}:${id}`)
  return copy ? [{ ...copy, destinationId: destinationId(copy.destinationId), owed: [pendingChildren] }] : []
}

/** The item is saved without its picture, which stays pending (F4). */
export function recordMissingPicture(state: ItemState, draft: Draft, refusal: Refusal, recording: Recording): void {
  state.progress.pending.add(isRoot(state, draft) ? pendingPicture : pendingChildren)
  if (!isRoot(state, draft)) state.progress.withoutPicture.add(ledgerKey(draft))
  recording.issues.push(refusalIssue(state, draft, refusal, 'failure'))
}

/** The platform may save an item with a different address from the one it was sent with. */
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
  return async (_tx, _tally, bulk) => bulk.add(writeResults, { state, recording })
}

interface Result {
  state: ItemState
  recording: Recording
}

async function writeResults(tx: InTransaction, tally: Tally, results: Result[]): Promise<void> {
  for (const distinct of withoutRepeats(results)) await writeDistinct(tx, tally, distinct)
}

/**
 * Splits results into groups, in order, so that none has two about the same item: a statement can write to a row only
 * once.
 */
function withoutRepeats(results: Result[]): [Result, ...Result[]][] {
  const groups: [Result, ...Result[]][] = []
  let named = new Set<string>()
  for (const result of results) {
    const names = namedBy(result)
    const group = groups.at(-1)
    if (group && names.every((name) => !named.has(name))) group.push(result)
    else {
      groups.push([result])
      named = new Set()
    }
    for (const name of names) named.add(name)
  }
  return groups
}

function namedBy({ state: { root }, recording }: Result): string[] {
  const { ends, mappings, issues, settled, deferredWrites, addresses } = recording
  const names = [`${root.component}/${root.id}`]
  for (const list of [ends, mappings, issues, settled, addresses])
    for (const { component, sourceId } of list) names.push(`${component}/${sourceId}`)
  for (const { component, subject } of deferredWrites) names.push(`${component}/${subject}`)
  return names
}

async function writeDistinct(tx: InTransaction, tally: Tally, results: [Result, ...Result[]]): Promise<void> {
  const { context } = results[0].state.deps
  const { ends, addresses, settled, deferredWrites, issues } = joined(results.map(({ recording }) => recording))
  await noteEnded(context, tx, tally, results, await endAndCount(tx, tally, context.run.id, ends))
  await saveMappingsOf(tx, results)
  await saveMovedPages(tx, context, addresses)
  await settleIssues(tx, context.run, settled)
  if (context.run.mode === 'full') await saveSideEffects(tx, context.pair, context.run.id, deferredWrites)
  const fresh = await saveIssues(tx, context.run, issues)
  for (const issue of fresh) if (issue.severity === 'warning') tally.add(issue.component, 'warnings')
}

/** Counts the widgets of items that have ended, and reports what a dry run would do to them. */
async function noteEnded(
  context: RunContext,
  tx: InTransaction,
  tally: Tally,
  results: Result[],
  ended: Ended[],
): Promise<void> {
  const byItem = new Map(ended.map((one) => [`${one.component}/${one.sourceId}`, one]))
  for (const { state, recording } of results) {
    const { deps, input, before } = state
    const { draft } = input.resolved
    const own = recording.ends.flatMap(({ component, sourceId }) => byItem.get(`${component}/${sourceId}`) ?? [])
    if (own.some((one) => isInStep(one, draft))) tallyWidgets(tally, draft)
    await reportSimulated(context, { phase: deps.entity.key, desired: draft, existing: before, ended: own }, tx)
  }
}

async function saveMappingsOf(tx: InTransaction, results: [Result, ...Result[]]): Promise<void> {
  const { pair } = results[0].state.deps.context
  // A child may have become the copy of a different one, if the source no longer has its original. So may what belongs to it.
  const mayClaim = ({ copies, component, deps }: ItemState, of: NewMapping) =>
    of.component === deps.pass.root ? component.idByOwner !== undefined : copies !== null
  const claims = results.flatMap(({ state, recording }) => recording.mappings.filter((one) => mayClaim(state, one)))
  await releaseClaims(tx, pair, claims)
  for (const [manyToOne, some] of Map.groupBy(results, ({ state }) => state.component.shared === true)) {
    const mappings = some.flatMap(({ recording }) => recording.mappings)
    await saveMappings(tx, pair, mappings, { manyToOne })
  }
}

/** Whether the item is now at the destination as it is in the source. */
function isInStep({ component, sourceId, state }: Ended, root: Draft): boolean {
  return component === root.component && sourceId === root.id && ['created', 'updated', 'matched'].includes(state)
}
