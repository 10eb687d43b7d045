import { PlatformError } from '../../bigcommerce/errors.ts'
import { forgetMappings } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { namedByOthers } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { findSiblings, type Siblings, siblingsOf } from './named-children.ts'

/**
 * Forgets the mappings of children that were deleted at the destination, so that items that refer to them leave them
 * out. They belong to their owner: only writing the owner creates them again (D2).
 *
 * @returns whether there were any
 */
export async function forgetGoneChildren(
  context: RunContext,
  component: string,
  mappings: Mapping[],
): Promise<boolean> {
  if (!namedByOthers.has(component)) return false
  const bySource = new Map(mappings.map((mapping) => [mapping.sourceId, mapping]))
  const goneOf = async (siblings: Siblings) => {
    const existing = new Set((await findSiblings(context, siblings).catch(noneBelowWhatIsGone)).map(({ id }) => id))
    return siblings.children
      .flatMap(({ draft }) => bySource.get(draft.id) ?? [])
      .filter(({ destinationId }) => !existing.has(destinationId))
  }
  const gone = (await Promise.all((await siblingsOf(context, [...bySource.values()])).map(goneOf))).flat()
  if (gone.length > 0) await context.recorder.record((tx) => forgetMappings(tx, context.pair, gone))
  return gone.length > 0
}

function noneBelowWhatIsGone(error: unknown): Draft[] {
  if (error instanceof PlatformError && error.httpStatus === 404) return []
  throw error
}
