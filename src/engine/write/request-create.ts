import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { isAboutPicture } from '../../model/healing.ts'
import type { Entry } from '../core/recorder.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import { mappingsTo } from '../core/references.ts'
import type { CreateRequest, Outcome, Refusal } from '../send/writes.ts'
import { movedIssue, refusalIssue } from './item-issues.ts'
import { heals, type ItemState, isRoot, readRoot } from './item-state.ts'
import { entryOf, recordFailure, withFirstWrite } from './record-item.ts'

/** Where an item is created. */
export interface Parent {
  parentId: string
  parent: Draft | null
}

export interface NewItem {
  component: Component
  desired: Draft
  parent: Parent
  /** What is recorded in the transaction that ends the intent. */
  recorded: (saved: Draft) => Recording
}

/** Creates an item, in a batch where the platform accepts batches. */
export function requestCreate(state: ItemState, item: NewItem): Promise<Outcome> {
  if (!isBatched(item.component)) return createAlone(state, item)
  return state.deps.creates.add(item.component, createRequest(state, item))
}

export async function createAlone(state: ItemState, item: NewItem): Promise<Outcome> {
  const [outcome] = await state.deps.writer.create(item.component, [createRequest(state, item)])
  // One request has one outcome.
  return outcome as Outcome
}

export type ChildOutcome = Exclude<Outcome, { kind: 'existing' }>

/**
 * A child that another client added to our item is corrected like one of ours; only whole items are left to the
 * strategy (D2).
 */
export function ofChild(outcome: Outcome): ChildOutcome {
  return outcome.kind === 'existing' ? { kind: 'saved', saved: outcome.existing, partly: null } : outcome
}

export function isBatched({ create }: Component): boolean {
  return (create?.batch ?? 1) > 1
}

/** Whether the smaller version of a picture may be tried, because the source does not serve the original (F1). */
export function canReduce(state: ItemState, { reducedPicture }: Draft, refusal: Refusal): boolean {
  return heals(state) && reducedPicture !== undefined && isAboutPicture(refusal)
}

function createRequest(state: ItemState, item: NewItem): CreateRequest {
  const { component, desired, parent } = item
  return {
    draft: desired,
    ...parent,
    pass: state.deps.pass.key,
    rootId: state.root.id,
    parentIsNew: isRoot(state, desired) ? isBelowNew(state) : state.mode.kind === 'create',
    read: (answer) => readCreated(state, component, desired, answer),
    entry: (outcome) => outcomeEntry(state, item, outcome),
  }
}

/**
 * Whether this run created the item's parent, an item of another pass, so that all children of that are from this run
 * (B3).
 */
function isBelowNew({ deps, input, root }: ItemState): boolean {
  const { context, pass } = deps
  const owner = pass.below ?? pass.about?.component
  if (owner === undefined || root.parentId === null) return false
  return mappingsTo(input.resolved, owner, root.parentId).some(
    ({ origin, runId }) => origin === 'created' && runId === context.run.id,
  )
}

function readCreated(state: ItemState, { read }: Component, desired: Draft, answer: PlatformItem): Draft {
  if (isRoot(state, desired)) return readRoot(state, answer)
  return read ? read(answer) : { ...desired, id: String(answer.id) }
}

function outcomeEntry(state: ItemState, { desired, recorded }: NewItem, answered: Outcome): Entry {
  if (answered.kind === 'existing' && isRoot(state, desired)) return async () => undefined
  const outcome = ofChild(answered)
  if (outcome.kind === 'saved') {
    const recording = recorded(outcome.saved)
    if (outcome.partly && !state.component.repeatsPartly)
      recording.issues.push(
        movedIssue(state, desired, outcome.saved) ?? refusalIssue(state, desired, outcome.partly, 'warning'),
      )
    return entryOf(state, withFirstWrite(state, recording))
  }
  // Not a failure yet: the root may exist under its key, and a picture is sent again in its smaller version.
  if (isRoot(state, desired) || canReduce(state, desired, outcome.refusal)) return async () => undefined
  const recording = emptyRecording()
  recordFailure(state, desired, outcome.refusal, recording)
  return entryOf(state, withFirstWrite(state, recording))
}
