import { itemsIn } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { plainPages } from '../read/pages.ts'

/**
 * Which destination items have a key of an item that the source has now, whenever that was made (G4). Where the source's
 * list cannot be filtered by keys, it is read in full.
 *
 * @returns their destination ids
 */
export async function matchingInSource(context: RunContext, pass: Pass, items: PlatformItem[]): Promise<Set<string>> {
  const idsByKey = new Map<string, string[]>()
  for (const item of items) {
    const draft = pass.drafts(item, identity)
    for (const key of context.protection.keys(draft)) idsByKey.set(key, [...(idsByKey.get(key) ?? []), draft.id])
  }
  if (idsByKey.size === 0) return new Set()
  const matching = new Set<string>()
  for await (const rows of rowsWithKeys(context, pass, items))
    for (const resolved of await context.references.resolve(pass, rows)) {
      // What needs an item that the destination does not have matches none of its items.
      if (resolved instanceof MissingReference) continue
      for (const key of context.protection.keys(resolved.draft))
        for (const id of idsByKey.get(key) ?? []) matching.add(id)
    }
  return matching
}

async function* rowsWithKeys(context: RunContext, pass: Pass, items: PlatformItem[]): AsyncGenerator<PlatformItem[]> {
  // It shows all that keys are made of.
  const reading = pass.destination
  const { path, query, limit } = reading
  const { sameKey } = pass
  if (!sameKey) {
    for await (const page of plainPages(context, 'source', reading)) yield page.items
    return
  }
  for (const item of items)
    for (const filter of sameKey(item)) {
      const answer = await context.source.get(path, { ...query, ...filter, limit }, { signal: context.lease.stop })
      yield itemsIn<PlatformItem>(answer, path)
    }
}
