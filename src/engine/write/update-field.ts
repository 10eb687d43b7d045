import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Recording } from '../core/recording.ts'
import type { Refusal } from '../send/writes.ts'
import type { ItemState } from './item-state.ts'
import { entryOf } from './record-item.ts'

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
