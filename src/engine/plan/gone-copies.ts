import { listedItems } from '../../db/ledger/destination-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { findUnlisted } from '../read/unlisted.ts'

/**
 * The drafts of a page, without copies of their own pass that were deleted at the destination: these are created again, so
 * what names them waits for the new ones (C5).
 *
 * @param resolved the drafts with all copies
 */
export async function withoutGone(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<(Resolved | MissingReference)[]> {
  const gone = await goneAmongNamed(context, pass, resolved)
  return gone.size > 0 ? context.references.resolve(pass, items, gone) : resolved
}

/** The list of the destination has all others, except what this run created; that something is gone is proven (G1). */
async function goneAmongNamed(
  context: RunContext,
  pass: Pass,
  resolved: (Resolved | MissingReference)[],
): Promise<Set<string>> {
  const { client, database, run } = context
  if (client.invisibleToToken(componentOf(pass.root))) return new Set()
  // The items of a page share what is known.
  const known = resolved.find((one): one is Resolved => !(one instanceof MissingReference))?.known ?? new Map()
  const earlier = [...known].filter(([, one]) => one.component === pass.root && one.runId !== run.id)
  const ids = [...new Set(earlier.map(([, { destinationId }]) => destinationId))]
  if (ids.length === 0) return new Set()
  await findUnlisted(context, pass, ids, { compares: run.conflictStrategy !== 'skip' })
  const listed = await listedItems(database, run.id, pass.root, ids)
  return new Set(earlier.filter(([, { destinationId }]) => !listed.has(destinationId)).map(([name]) => name))
}
