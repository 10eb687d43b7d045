import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { FieldDifference } from '../core/pairing.ts'
import type { ItemState } from './item-state.ts'

/** What an update is about to overwrite (D6). */
export function beforeImage({ deps }: ItemState, existing: Draft, fields: FieldDifference[]): BeforeImage {
  const body = Object.fromEntries(fields.map(({ path, destination }) => [path, existing.body[path] ?? destination]))
  return deps.context.protection.image(existing.component, existing.id, body)
}
