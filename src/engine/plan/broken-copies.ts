import { brokenReferenceRemedy } from '../../contract/issue-codes.ts'
import { listedItems } from '../../db/ledger/destination-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { itemWords } from '../../entities/item-words.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { findUnlisted } from '../read/unlisted.ts'
import { brokenAmong, referenceTo } from './broken-references.ts'

/**
 * Leaves an item as it is if it was copied before and the source has deleted what it needs since: nothing can be
 * written or compared, and it is not missing.
 */
export async function keepBrokenCopies(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
  options: { compares: boolean },
): Promise<(Resolved | MissingReference)[]> {
  const lacking = items.flatMap((item, at) => {
    const missing = resolved[at]
    return missing instanceof MissingReference && !missing.erased
      ? [{ draft: pass.drafts(item, identity), missing }]
      : []
  })
  const copies = await existingCopies(
    context,
    pass,
    lacking.map(({ draft }) => draft.id),
    options,
  )
  const copied = lacking.filter(({ draft }) => copies.has(draft.id))
  const broken = await brokenAmong(
    context,
    copied.map(({ missing }) => missing),
  )
  const left = new Map<unknown, Resolved>(
    copied
      .filter(({ missing }) => broken.has(referenceTo(missing)))
      .map(({ draft, missing }) => {
        const needed = itemWords({ component: missing.component, id: missing.sourceId })
        const uncreatable = `it needs ${needed}, which the source store does not have any more. Its copy is left as it is and not compared.`
        const nothing = { body: {}, compare: {}, keys: [], children: [], uncreatable, remedy: brokenReferenceRemedy }
        return [missing, { draft: { ...draft, ...nothing }, missing: [], known: new Map() }]
      }),
  )
  return resolved.map((one) => left.get(one) ?? one)
}

/** Source ids of the items whose copies the destination has. */
async function existingCopies(
  context: RunContext,
  pass: Pass,
  sourceIds: string[],
  options: { compares: boolean },
): Promise<Set<string>> {
  if (sourceIds.length === 0) return new Set()
  const mapped = await context.references.mappings(sourceIds.map((sourceId) => ({ component: pass.root, sourceId })))
  const ids = [...mapped.values()].map(({ destinationId }) => destinationId)
  await findUnlisted(context, pass, ids, options)
  const listed = await listedItems(context.database, context.run.id, pass.root, ids)
  const copied = [...mapped.values()].filter(({ destinationId }) => listed.has(destinationId))
  return new Set(copied.map(({ sourceId }) => sourceId))
}
