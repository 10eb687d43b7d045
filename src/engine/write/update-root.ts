import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { FieldDifference } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { emptyRecording } from '../core/recording.ts'
import type { Refusal, Updated, UpdateEntry } from '../send/writes.ts'
import { beforeImage } from './before-image.ts'
import { type ItemState, readRoot } from './item-state.ts'
import { entryOf, recordAddress, recordFailure, recordMissingPicture, withFirstWrite } from './record-item.ts'
import { canOmitPicture } from './update-child.ts'

/** `checksum` is that of the item as the destination has it now; null where that is not known. */
export type RootUpdate = { kind: 'refused' } | { kind: 'in-step'; checksum: string | null }

/** Writes the fields of the item that differ. @param checksum of the item before the update */
export async function updateRoot(
  state: ItemState,
  existing: Draft,
  fields: FieldDifference[],
  checksum: string | null,
): Promise<RootUpdate> {
  const { component } = state
  if (fields.length === 0 || !component.update) return { kind: 'in-step', checksum }
  const paths = fields.map(({ path }) => path)
  const { refusal, saved } = await sendRootUpdate(
    state,
    existing,
    paths,
    beforeImage(state, existing, fields),
    (...answer) => recordUpdate(state, paths, ...answer),
  )
  if (!refusal) {
    // For items that are read by id, an answer does not show everything.
    const isWhole = saved !== null && !state.deps.pass.byIds
    return {
      kind: 'in-step',
      checksum: isWhole ? state.deps.context.protection.checksum(readRoot(state, saved)) : null,
    }
  }
  if (!canOmitPicture(state, component, state.root, refusal)) return { kind: 'refused' }
  const others = fields.filter(({ path }) => path !== 'image_file')
  return updateRoot(state, existing, others, checksum)
}

function recordUpdate(state: ItemState, paths: string[], refusal: Refusal | null, saved: PlatformItem | null): Entry {
  const { root, component } = state
  const recording = emptyRecording()
  if (refusal && canOmitPicture(state, component, root, refusal)) {
    recordMissingPicture(state, root, refusal, recording)
    return entryOf(state, recording)
  }
  if (refusal) recordFailure(state, root, refusal, recording)
  else {
    withFirstWrite(state, recording)
    recording.ends.push({ component: root.component, sourceId: root.id, state: 'updated' })
    if (paths.includes('custom_url') || paths.includes('url')) recordAddress(state, saved, recording)
  }
  return entryOf(state, recording)
}

/**
 * Sends an update of the item, in a batch where the platform accepts batches. While a batch fills, the item holds no
 * slot.
 */
export async function sendRootUpdate(
  { deps, root, component }: ItemState,
  existing: Draft,
  fields: string[],
  before: BeforeImage | undefined,
  entry: UpdateEntry,
): Promise<Updated> {
  const { pass, writer, updates, park } = deps
  const target = { pass: pass.key, rootId: root.id, parentId: '', before }
  if (component.update?.several)
    return park(() => updates.add(component, { desired: root, existing, fields, target, entry }))
  const call = component.update?.call(root, existing, '', fields)
  return call ? writer.update(component, root, call, target, entry) : { refusal: null, saved: null }
}
