import { settledCreations } from '../../db/ledger/intents.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { destinationId } from '../../model/destination-id.ts'
import type { RunContext } from '../context/context.ts'
import { readNow } from '../read/by-ids.ts'
import { type FoundCreation, isOurs, unfinishedCopy } from '../send/unconfirmed.ts'

/**
 * Which key matches were created by a call of ours that never got a response: a list may show such an item later than
 * we wait for it (G10). An item is ours only if it is what was sent (G5).
 *
 * @param matches destination ids by source id
 */
export async function lostCreations(
  context: RunContext,
  pass: Pass,
  matches: ReadonlyMap<string, string>,
): Promise<FoundCreation[]> {
  if (context.run.mode !== 'full' || matches.size === 0) return []
  const of = { scope: context.references.scope(pass.root), component: pass.root }
  const { items, older } = await settledCreations(context.database, context.pair, of)
  const sought = [...matches].flatMap(([sourceId, id]) => {
    const item = items.get(sourceId)
    return item && !older.has(id) ? [{ item, id }] : []
  })
  const ids = sought.map(({ id }) => id)
  const rows = await readNow(context, 'destination', pass, ids)
  const drafts = new Map(rows.map((row) => pass.drafts(row, identity)).map((draft) => [draft.id, draft]))
  return sought.flatMap(({ item, id }) => {
    const existing = drafts.get(id)
    const copy = { ...of, sourceId: item.sourceId, destinationId: destinationId(id), runId: context.run.id }
    return existing && isOurs(context, item, existing) ? [{ item, existing, mapping: unfinishedCopy(copy) }] : []
  })
}
