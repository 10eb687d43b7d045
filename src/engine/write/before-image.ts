import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { FieldDifference } from '../core/pairing.ts'
import type { ItemState } from './item-state.ts'

/** What an update is about to overwrite (D6). */
export function beforeImage(state: ItemState, existing: Draft, fields: FieldDifference[]): BeforeImage {
  const body = Object.fromEntries(fields.map(({ path, destination }) => [path, existing.body[path] ?? destination]))
  return imageOf(state, existing, body)
}

/** The before-image of an item or of one of its children, which is found by the item's name. */
export function imageOf({ deps, root }: ItemState, existing: Draft, body: PlatformItem): BeforeImage {
  const { protection } = deps.context
  const parent = existing.component === root.component ? null : (protection.names(root)?.name ?? null)
  return protection.image(existing.component, existing.id, body, { ...existing, parent })
}
