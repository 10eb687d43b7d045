import type { IssueCode } from '../../contract/issue-codes.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { type Ended, endAndCount, type LedgerState } from '../../db/ledger/ledger.ts'
import { type Mapping, releaseClaims, saveMappings } from '../../db/ledger/mappings.ts'
import { type Settled, settleIssues } from '../../db/reports/healing.ts'
import { saveDeferredWrites } from '../../db/side-effects/deferred-writes.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import type { Batcher } from '../core/batcher.ts'
import { pairUp } from '../core/pairing.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import type { Resolved } from '../core/references.ts'
import { tallyWidgets } from '../core/tally-widgets.ts'
import { noteAddresses } from '../plan/page-addresses.ts'
import { reportSimulated } from '../plan/simulated-differences.ts'
import type { CorrectionOrder, Order, Outcome, Writes } from './writer.ts'

export interface TaskDeps {
  context: RunContext
  entity: Entity
  pass: Pass
  writer: Writes
  batcher: Batcher<Order, Outcome>
  updates: Batcher<CorrectionOrder, CorrectionOrder>
  /** Items that had failed, or lack something, are tried again (F4). */
  healing: boolean
  park: <T>(wait: () => Promise<T>) => Promise<T>
}

export interface TaskInput {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping | undefined
  /** States from before a take-over, by `component/id`; only what is pending is still to be done. */
  states: Map<string, LedgerState>
}

/** What becomes of one item and all that hangs on it, as it goes into the ledger, the mappings and the issues. */
export class ItemRecord {
  /** As it stood at the destination before this task. */
  found: Draft | undefined
  /** It goes on with an item that stands: a child may be the copy of another one that the source no longer has. */
  takesOver = false
  /** What needs no call of its own and is recorded with the next one that does. */
  pending: Recording = emptyRecording()
  private readonly deps: TaskDeps
  private readonly input: TaskInput

  constructor(deps: TaskDeps, input: TaskInput) {
    this.deps = deps
    this.input = input
  }

  /** This run made the item; what is found on it is our doing too. */
  ours(): boolean {
    const { mapping } = this.input
    return !mapping || (mapping.origin === 'created' && mapping.runId === this.deps.context.run.id)
  }

  stateOfFound(): LedgerState {
    return this.ours() ? 'created' : 'matched'
  }

  isOpen(draft: Draft): boolean {
    return (this.input.states.get(nameOf(draft)) ?? 'pending') === 'pending'
  }

  /** By whoever began the item, as it could be then. */
  isWritten(draft: Draft): boolean {
    const state = this.input.states.get(nameOf(draft))
    return state === 'created' || state === 'updated'
  }

  note(desired: Draft, existing: Draft, state: LedgerState, recording = this.pending): void {
    if (!this.isOpen(desired)) return
    recording.ends.push({ component: desired.component, sourceId: desired.id, state })
    const mapping = this.mapping(desired, existing, [], null)
    recording.mappings.push(state === 'matched' ? { ...mapping, origin: 'adopted' } : mapping)
  }

  noteTree(desired: Draft, existing: Draft, state: LedgerState, recording: Recording): void {
    this.note(desired, existing, state, recording)
    for (const pair of pairUp(desired.children, existing.children).pairs)
      if (pair.existing) this.noteTree(pair.desired, pair.existing, state, recording)
  }

  mapping(desired: Draft, existing: Draft, pending: string[], draftChecksum: string | null): Mapping {
    const { context } = this.deps
    return {
      scope: context.references.scope(desired.component),
      component: desired.component,
      sourceId: desired.id,
      destinationId: existing.id,
      origin: 'created',
      owed: pending,
      draftChecksum,
      destinationChecksum: null,
      runId: context.run.id,
    }
  }

  settledAt({ component, id }: Draft, codes: IssueCode[]): Settled[] {
    return this.deps.healing ? codes.map((code) => ({ component, sourceId: id, code })) : []
  }

  take(): Recording {
    const taken = this.pending
    this.pending = emptyRecording()
    return taken
  }

  async flush(): Promise<void> {
    const recording = this.take()
    if (Object.values(recording).every((list) => list.length === 0)) return
    await this.deps.context.recorder.record((tx, tally) => this.write(recording, tx, tally))
  }

  async write(recording: Recording, tx: InTransaction, tally: Tally): Promise<void> {
    const { context } = this.deps
    const ended = await endAndCount(tx, tally, context.run.id, recording.ends)
    const root = this.input.resolved.draft
    if (ended.some((one) => landed(one, root))) tallyWidgets(tally, root)
    await reportSimulated(
      context,
      { phase: this.deps.entity.key, desired: this.input.resolved.draft, existing: this.found, ended },
      tx,
    )
    const ofChildren = recording.mappings.filter(({ component }) => component !== this.deps.pass.root)
    if (this.takesOver) await releaseClaims(tx, context.pair, ofChildren)
    const { shared } = componentOf(this.input.resolved.draft.component)
    await saveMappings(tx, context.pair, recording.mappings, { manyToOne: shared })
    await noteAddresses(tx, context, recording.addresses)
    await settleIssues(tx, context.run, recording.settled)
    if (context.run.mode === 'full') await saveDeferredWrites(tx, context.pair, recording.deferredWrites)
    const fresh = await saveIssues(tx, context.run, recording.issues)
    for (const issue of fresh) if (issue.severity === 'warning') tally.add(issue.component, 'warnings')
  }
}

/** It stands at the destination as in the source. */
function landed({ component, sourceId, state }: Ended, root: Draft): boolean {
  return component === root.component && sourceId === root.id && ['created', 'updated', 'matched'].includes(state)
}

export function nameOf({ component, id }: Draft): string {
  return `${component}/${id}`
}
