import { PlatformError } from '../../bigcommerce/errors.ts'
import { forgetMappings } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { componentOf, namedByOthers } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'

/**
 * Forgets children that were deleted at the destination, so that what names them leaves them out. They belong to their owner, and
 * only its own run creates them again (D2).
 */
export async function forgetGoneChildren(context: RunContext, component: string, children: Mapping[]): Promise<void> {
  const named = namedByOthers.get(component)
  const probe = named && componentOf(component).probe
  if (!named || !probe) return
  const { find, on } = named
  for (const child of children) {
    const there = await find(context.source, child.sourceId)
    if (!there) continue
    const owner = { component: on, sourceId: there.ownerId }
    const copy = (await context.references.mappings([owner])).get(`${on}:${there.ownerId}`)
    if (!copy) continue
    const sought = { keys: [there.draft.keys], parentIds: [copy.destinationId] }
    const existing = await probe(context.destination, sought).catch(noneBelowWhatIsGone)
    if (existing.some(({ id }) => id === child.destinationId)) continue
    await context.recorder.record((tx) => forgetMappings(tx, context.pair, [child]))
  }
}

function noneBelowWhatIsGone(error: unknown): Draft[] {
  if (error instanceof PlatformError && error.httpStatus === 404) return []
  throw error
}
