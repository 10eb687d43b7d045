import { rootsMissingChildren, rootsWithoutChecksum, saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { idListOf, rowsByIds } from '../read/by-ids.ts'
import { comparedReading } from '../read/destination-lister.ts'
import { asStorefrontSees } from '../scope/storefront-scope.ts'

type Root = Awaited<ReturnType<typeof rootsWithoutChecksum>>[number]

/**
 * Reads what this run wrote as the list shows it and keeps its checksum, so that the next run can tell who changed what (C2).
 * Answers to writes show an item in another form. One call per page: 0.4% of the writes. If the process dies before, the next
 * run compares these items in full, as it does those of which a part was deleted meanwhile.
 */
export async function recordChecksums(context: RunContext, pass: Pass): Promise<void> {
  if (!pass.byIds || pass.createOnly || context.run.mode !== 'full') return
  const { query, limit } = comparedReading(pass, true)
  const list = { ...idListOf(pass), query, limit }
  const scope = context.references.scope(pass.root)
  for (let after = ''; ; ) {
    const roots = await rootsWithoutChecksum(context.database, context.pair, {
      runId: context.run.id,
      scope,
      component: pass.root,
      after,
      limit,
    })
    if (roots.length === 0) return
    after = roots.at(-1)?.sourceId ?? after
    const ids = roots.map((root) => root.destinationId)
    const rows = await rowsByIds(context, 'destination', list, ids)
    const seen = await asStorefrontSees(context, 'destination', pass, rows)
    const drafts = seen.map((item) => pass.drafts(item, identity))
    const changed = await withoutSomeChildren(context, pass, roots, seen, drafts)
    const sums = drafts
      .filter(({ id }) => !changed.has(id))
      .map((draft) => ({ destinationId: draft.id, checksum: context.protection.checksum(draft) }))
    await context.recorder.record((tx) => saveDestinationChecksums(tx, context.pair, scope, pass.root, sums))
  }
}

/** Copies of which a child is gone that this run wrote: their ids. As they are now, they are not what it wrote. */
async function withoutSomeChildren(
  context: RunContext,
  pass: Pass,
  roots: Root[],
  items: PlatformItem[],
  drafts: Draft[],
): Promise<Set<string>> {
  const shown = componentsShown(items)
  const listed = drafts
    .flatMap(({ children }) => children)
    .filter(({ component }) => shown.includes(component))
    .map(({ component, id }) => ({ component, destinationId: id }))
  const missing = await rootsMissingChildren(
    context.database,
    context.pair,
    { runId: context.run.id, pass: pass.key, rootIds: roots.map(({ sourceId }) => sourceId) },
    shown.map((component) => ({ component, scope: context.references.scope(component) })),
    listed,
  )
  return new Set(roots.filter(({ sourceId }) => missing.has(sourceId)).map(({ destinationId }) => destinationId))
}

/** Components of children that each item of a list contains. */
function componentsShown(items: PlatformItem[]): string[] {
  const [first] = items
  return entities
    .flatMap(({ components }) => components)
    .filter(({ inlineAs }) => inlineAs !== undefined && Array.isArray(first?.[inlineAs]))
    .map(({ key }) => key)
}
