import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { isAboutAddress } from '../../model/healing.ts'
import { pageAddress } from '../core/page-addresses.ts'
import type { FieldDifference } from '../core/pairing.ts'
import type { Entry } from '../core/recorder.ts'
import { emptyRecording, type Recording } from '../core/recording.ts'
import type { Refusal, Updated, UpdateEntry } from '../send/writes.ts'
import { beforeImage } from './before-image.ts'
import { movedIssue, refusalIssue } from './item-issues.ts'
import { differingFields, heals, type ItemState, readById, readRoot } from './item-state.ts'
import { entryOf, recordAddress, recordMissingPicture, withFirstWrite } from './record-item.ts'
import { failUpdate } from './refused-update.ts'
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
    (...answer) => recordUpdate(state, existing, paths, ...answer),
  )
  if (!refusal) {
    // For items that are read by id, an answer does not show everything.
    const isWhole = saved !== null && !state.deps.pass.byIds
    const after = isWhole ? readRoot(state, saved) : component.update.leaves?.(state.root, existing)
    return { kind: 'in-step', checksum: after ? state.deps.context.protection.checksum(after) : null }
  }
  const omitted = omittedFor(state, refusal, paths)
  if (omitted.length === 0) {
    if (await isApplied(state, existing, refusal, paths)) {
      await state.deps.context.recorder.record(recordUpdate(state, existing, paths, null, null))
      return { kind: 'in-step', checksum: null }
    }
    await failUpdate(state, existing, refusal)
    return { kind: 'refused' }
  }
  const others = fields.filter(({ path }) => !omitted.includes(path))
  return updateRoot(state, existing, others, checksum)
}

/** Whether the platform has saved the fields nevertheless: some refuse an update that they have applied. */
async function isApplied(state: ItemState, existing: Draft, refusal: Refusal, paths: string[]): Promise<boolean> {
  if (![409, 422].includes(refusal.httpStatus) || refusal.rule !== undefined) return false
  const now = await readById(state.deps, existing.id)
  return now !== undefined && !differingFields(state, state.root, now).some(({ path }) => paths.includes(path))
}

const addresses: readonly string[] = ['custom_url', 'url']

/** The fields without which a refused item is written: its picture, or an address that another item has (F4). */
function omittedFor(state: ItemState, refusal: Refusal, paths: string[]): string[] {
  if (canOmitPicture(state, state.component, state.root, refusal)) return paths.filter((path) => path === 'image_file')
  return heals(state) && isAboutAddress(refusal) ? paths.filter((path) => addresses.includes(path)) : []
}

function recordUpdate(
  state: ItemState,
  existing: Draft,
  paths: string[],
  refusal: Refusal | null,
  saved: PlatformItem | null,
): Entry {
  const { root } = state
  const recording = emptyRecording()
  const omitted = refusal ? omittedFor(state, refusal, paths) : []
  if (refusal && omitted.includes('image_file')) recordMissingPicture(state, root, refusal, recording)
  else if (refusal && omitted.length > 0) {
    recording.addresses.push(...pageAddress(root, existing.path))
    const moved = refusal.rule === undefined ? movedIssue(state, root, existing) : undefined
    recording.issues.push(moved ?? refusalIssue(state, root, refusal, 'warning'))
  } else if (!refusal) {
    withFirstWrite(state, recording)
    recording.ends.push({ component: root.component, sourceId: root.id, state: 'updated' })
    if (paths.some((path) => addresses.includes(path))) recordAddress(state, saved, recording)
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

/** Sends an update of certain fields of the item in a call of its own. */
export async function updateField(
  state: ItemState,
  call: WriteCall,
  recorded: (refusal: Refusal | null, saved: PlatformItem | null) => Recording,
  before?: BeforeImage,
): Promise<void> {
  const { deps, root, component, progress } = state
  const target = { pass: deps.pass.key, rootId: root.id, parentId: '', before }
  await deps.writer.update(component, root, call, target, (refusal, saved) => {
    if (!refusal) progress.written += 1
    return entryOf(state, recorded(refusal, saved))
  })
}
