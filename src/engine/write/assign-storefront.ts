import type { Mapping } from '../../db/ledger/store-pair.ts'
import { namesOf } from '../core/pairing.ts'
import { ItemGone } from '../core/stopping.ts'
import { ownOfStorefront, setsOfStorefront } from '../plan/assign-copies.ts'
import {
  beginItem,
  differingFields,
  type ItemInput,
  isOpen,
  pairChildren,
  readExisting,
  type WriteDeps,
} from './item-state.ts'
import { flush, note } from './record-item.ts'
import { createChild, untilBatched } from './sync-children.ts'
import { updateRoot } from './update-root.ts'

/** Assigns a copy that another run made to the storefront of this one, and changes nothing else (D3). */
export async function assignStorefront(deps: WriteDeps, input: ItemInput, { destinationId }: Mapping): Promise<void> {
  const state = beginItem(deps, input, { kind: 'compare' })
  const { root, progress } = state
  const existing = await readExisting(state, destinationId)
  if (!existing)
    throw new ItemGone(`its copy ${destinationId} was deleted at the destination while it was being assigned`)
  const sets = setsOfStorefront(deps.pass)
  const fields = differingFields(state, root, existing).filter(({ path }) => sets.includes(path))
  const updated = await updateRoot(state, existing, fields, null)
  if (updated.kind === 'refused') return
  for (const pair of pairChildren(state, ownOfStorefront(root), existing.children).pairs)
    if (pair.existing) note(state, { ...pair, existing: pair.existing }, 'matched', progress.recording)
    else if (isOpen(state, pair.desired)) await createChild(state, pair, { parentId: existing.id, parent: existing })
  await untilBatched(state)
  for (const name of namesOf(root)) progress.recording.ends.push({ ...name, state: 'skipped' })
  await flush(state)
}
