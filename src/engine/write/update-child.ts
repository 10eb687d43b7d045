import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { isAboutPicture } from '../../model/healing.ts'
import { fieldDifferences } from '../core/pairing.ts'
import type { Recording } from '../core/recording.ts'
import type { Refusal } from '../send/writes.ts'
import { beforeImage } from './before-image.ts'
import { withoutPicture } from './degrade.ts'
import { awaitsPicture, isUnfinished } from './due-children.ts'
import { differingFields, heals, type ItemState, isOurs, pairChildren } from './item-state.ts'
import {
  entryOf,
  note,
  noteTree,
  recordFailure,
  recordMissingPicture,
  settledAt,
  stateOfFound,
  takeRecording,
  withFirstWrite,
} from './record-item.ts'

/** A child that exists at the destination. */
export interface Child {
  component: Component
  desired: Draft
  existing: Draft
  /** The parent as it exists. */
  parent: Draft | null
  /** Address of its parent at the destination. */
  address: string
  /** Created a moment ago, and still to be corrected. */
  isNew: boolean
}

/** Writes the fields of a child that differ. */
export async function updateChild(state: ItemState, child: Child): Promise<void> {
  const { component, desired, existing, parent, address, isNew } = child
  const { deps, root, mode, progress } = state
  const onlyPicture = awaitsPicture(state, desired)
  const fields = differingFields(state, desired, existing).filter(({ path }) => !onlyPicture || path === 'image_file')
  const paths = mode.kind === 'compare' || onlyPicture ? fields.map(({ path }) => path) : ('all' as const)
  const call = component.update?.call(desired, existing, address, paths, parent)
  if (!call) return
  const before = isNew || isOurs(state) ? undefined : beforeImage(state, existing, fields)
  const target = { pass: deps.pass.key, rootId: root.id, parentId: address, before }
  const recording = takeRecording(state)
  const { refusal } = await deps.writer.update(component, desired, call, target, (refused) => {
    recordOutcome(state, child, refused, recording)
    return entryOf(state, withFirstWrite(state, recording))
  })
  if (refusal && canOmitPicture(state, component, desired, refusal)) await updateRest(state, child)
  else progress.written += 1
}

function recordOutcome(state: ItemState, child: Child, refusal: Refusal | null, recording: Recording): void {
  const { component, desired, isNew } = child
  if (refusal && canOmitPicture(state, component, desired, refusal))
    recordMissingPicture(state, desired, refusal, recording)
  else if (refusal) recordFailure(state, desired, refusal, recording)
  else {
    if (isNew) noteTree(state, child, 'created', recording)
    else if (state.mode.kind === 'compare') noteCompared(state, child, recording)
    else noteTree(state, child, isOurs(state) ? 'created' : 'updated', recording)
    recording.settled.push(...settledAt(state, desired, ['picture_not_fetched']))
  }
}

/** Writes the other fields of a child whose picture could not be fetched (F4). */
async function updateRest(state: ItemState, child: Child): Promise<void> {
  const { image_file: _file, ...compare } = child.desired.compare
  const desired = { ...child.desired, body: withoutPicture(child.desired.body), compare }
  const rest = { ...child, desired, isNew: false }
  const isRestDue = !awaitsPicture(state, desired) && differingFields(state, desired, child.existing).length > 0
  if (isRestDue) await updateChild(state, rest)
  else note(state, rest, stateOfFound(state, rest), state.progress.recording)
}

/** Whether an item can be written without the picture that the platform could not fetch (F4). */
export function canOmitPicture(state: ItemState, component: Component, { body }: Draft, refusal: Refusal): boolean {
  return heals(state) && component.withoutPicture === true && body.image_url !== undefined && isAboutPicture(refusal)
}

/** Children that the update carried count as updated only if they differed. */
function noteCompared(state: ItemState, child: Child, recording: Recording): void {
  note(state, child, 'updated', recording)
  for (const { desired, existing } of pairChildren(state, child.desired.children, child.existing.children).pairs) {
    if (!existing) continue
    const differs = differingFields(state, desired, existing).length > 0
    note(state, { desired, existing }, differs ? 'updated' : stateOfFound(state, { desired, existing }), recording)
  }
}

type Compared = Pick<Child, 'component' | 'desired' | 'existing'>

/**
 * Whether a child needs an update call. Inline children are as they were sent, except for pictures that could not be
 * fetched and for what may have been left out because the platform refused it. The others are compared, together with
 * the children that their call carries.
 */
export function needsUpdate(state: ItemState, { component, desired, existing }: Compared): boolean {
  const { mode } = state
  if (!component.update) return false
  if (awaitsPicture(state, desired)) return isWithoutPicture({ component, desired, existing })
  const isAsSent = desired.inline && !component.triedInline
  if (isAsSent && mode.kind !== 'compare' && !isUnfinished(state, desired))
    return mode.kind === 'continue' && isWithoutPicture({ component, desired, existing })
  if (differingFields(state, desired, existing).length > 0) return true
  return pairChildren(state, desired.children, existing.children).pairs.some(
    (pair) =>
      pair.existing &&
      pair.component.carried &&
      fieldDifferences(pair.desired.compare, pair.existing.compare).length > 0,
  )
}

function isWithoutPicture({ component, desired, existing }: Compared): boolean {
  if (!component.withoutPicture) return false
  return fieldDifferences(desired.compare, existing.compare).some(({ path }) => path === 'image_file')
}
