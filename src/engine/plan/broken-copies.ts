import { brokenReferenceRemedy } from '../../contract/issue-codes.ts'
import { listedItems } from '../../db/ledger/destination-items.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { describePending } from '../../entities/item-words.ts'
import { isKind, namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { findUnlisted } from '../read/unlisted.ts'
import { brokenAmong, deletedLater, referenceTo } from './broken-references.ts'

interface Options {
  compares: boolean
  /** Not in a comparison: also if it is `replace` that will delete what they need. */
  writes: boolean
}

/** An item, and the references that keep it from being what it is in the source, as stored when pending. */
interface Incomplete {
  one: Resolved | MissingReference
  draft: Draft
  missing: string[]
}

/**
 * Leaves a copy as it is if the source has deleted what the item needs since: nothing can be written or compared, and
 * the copy is not missing.
 */
export async function keepBrokenCopies(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
  options: Options,
): Promise<(Resolved | MissingReference)[]> {
  const deleted = options.writes ? await deletedLater(context, pass, items) : () => []
  const incomplete = items
    .flatMap((item, at) => missingIn(pass, item, resolved[at], deleted(item)))
    .filter(({ missing }) => missing.length > 0)
  const copies = await existingCopies(context, pass, incomplete, options)
  const lost = incomplete.map((one) => ({ ...one, missing: lostSince(one, copies.get(one.draft.id)) }))
  const broken = await brokenAmong(
    context,
    lost.flatMap(({ missing }) => namedItems(missing, 'reference')),
  )
  const kept = new Map<unknown, Resolved>()
  for (const { one, draft, missing } of lost) {
    const gone = missing.filter((reference) => broken.has(reference))
    if (gone.length > 0) kept.set(one, uncompared(draft, gone))
  }
  return resolved.map((one) => kept.get(one) ?? one)
}

function missingIn(
  { drafts, mayWiden }: Pass,
  item: PlatformItem,
  one: Resolved | MissingReference | undefined,
  deleted: string[],
): Incomplete[] {
  if (!one) return []
  if (one instanceof MissingReference)
    return one.erased ? [] : [{ one, draft: drafts(item, identity), missing: [referenceTo(one)] }]
  if (!mayWiden || one.leftToOthers) return []
  const missing = [...new Set([...one.missing.filter((text) => isKind(text, 'reference')), ...deleted])]
  return [{ one, draft: one.draft, missing }]
}

/** What it lacks although its copy was made with it. */
function lostSince({ missing }: Incomplete, copy: Mapping | undefined): string[] {
  return copy ? missing.filter((reference) => !copy.owed.includes(reference)) : []
}

/** @param gone what the source itself has lost */
function uncompared(draft: Draft, gone: string[]): Resolved {
  const uncreatable = `it needs ${describePending(gone)}, which the source store does not have any more. Its copy is left as it is and not compared.`
  const nothing = { body: {}, compare: {}, keys: [], children: [], uncreatable, remedy: brokenReferenceRemedy }
  return { draft: { ...draft, ...nothing }, missing: [], known: new Map() }
}

/** The copies that the destination has, by source id. */
async function existingCopies(
  context: RunContext,
  pass: Pass,
  incomplete: Incomplete[],
  { compares }: Options,
): Promise<Map<string, Mapping>> {
  if (incomplete.length === 0) return new Map()
  const named = incomplete.map(({ draft }) => ({ component: pass.root, sourceId: draft.id }))
  const mapped = [...(await context.references.mappings(named)).values()]
  const ids = mapped.map(({ destinationId }) => destinationId)
  await findUnlisted(context, pass, ids, { compares })
  const listed = await listedItems(context.database, context.run.id, pass.root, ids)
  return new Map(mapped.filter((one) => listed.has(one.destinationId)).map((one) => [one.sourceId, one]))
}
