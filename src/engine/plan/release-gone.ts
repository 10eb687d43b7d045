import { forgetMappings } from '../../db/ledger/mappings.ts'
import { existingInSource } from '../read/by-ids.ts'
import { isPlanned, type PageItem } from './decision.ts'
import type { PagePlan } from './page-facts.ts'

/**
 * Forgets whose copies have the keys of items of a page if the source no longer has them: an item that was deleted in
 * the source and created again, with the same key, takes over the copy of the first one (B6).
 *
 * @returns whether there were any, so that the page has to be planned again
 */
export async function releaseGone({ context, pass }: PagePlan, planned: PageItem[]): Promise<boolean> {
  const keyMatchSources = [...new Set(planned.filter(isPlanned).flatMap((one) => one.keyMatchSources))]
  if (keyMatchSources.length === 0) return false
  const existing = await existingInSource(context, pass, keyMatchSources)
  const scope = context.references.scope(pass.root)
  const gone = keyMatchSources
    .filter((id) => !existing.has(id))
    .map((sourceId) => ({ scope, component: pass.root, sourceId }))
  if (gone.length === 0) return false
  await context.recorder.record((tx) => forgetMappings(tx, context.pair, gone))
  return true
}
