import { keysOf } from '../../db/ledger/destination-items.ts'
import { claimsOf } from '../../db/ledger/mappings.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { type ListPage, plainPages } from '../read/pages.ts'

/** How many planned deletions share one reading of a source list that cannot be filtered by keys. */
export const deletionsPerReading = 1000

/**
 * Which planned deletions have a key of an item that the source has now, whenever that was made (G4).
 *
 * @param items as the destination shows them now; without `sameKey` of the pass, undefined
 * @returns their destination ids
 */
export async function matchingInSource(
  context: RunContext,
  pass: Pass,
  ids: string[],
  items?: PlatformItem[],
): Promise<Set<string>> {
  const idsByKey = new Map<string, string[]>()
  for (const [id, keys] of await keysOf(context.database, context.run.id, pass.root, ids))
    for (const key of keys) idsByKey.set(key, [...(idsByKey.get(key) ?? []), id])
  const matching = new Set<string>()
  const { database, pair, references, protection } = context
  const copies = await claimsOf(database, pair, references.scope(pass.root), pass.root, ids)
  for await (const rows of idsByKey.size > 0 ? rowsWithKeys(context, pass, items) : []) {
    // What needs an item that the destination does not have matches none of its items.
    const drafts = (await references.resolve(pass, rows)).flatMap((one) =>
      one instanceof MissingReference ? [] : one.draft,
    )
    const found = drafts.flatMap((draft) =>
      protection.keys(draft).flatMap((key) => (idsByKey.get(key) ?? []).map((id) => ({ id, sourceId: draft.id }))),
    )
    const own = await references.mappings(found.map(({ sourceId }) => ({ component: pass.root, sourceId })))
    for (const { id, sourceId } of found) {
      const copy = own.get(`${pass.root}:${sourceId}`)?.destinationId ?? id
      // The copy of a deleted item stays one, although an item with a copy of its own has its key now.
      if (copy === id || !copies.has(id)) matching.add(id)
    }
  }
  return matching
}

async function* rowsWithKeys(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[] = [],
): AsyncGenerator<PlatformItem[]> {
  // It shows all that keys are made of.
  const reading = pass.destination
  const { sameKey } = pass
  if (!sameKey) {
    for await (const page of plainPages(context, 'source', reading)) yield page.items
    return
  }
  const filtered = items.flatMap(sameKey).map((filter) => ({ ...reading, query: { ...reading.query, ...filter } }))
  const found = await Promise.all(filtered.map((one) => rowsOf(plainPages(context, 'source', one))))
  yield found.flat()
}

async function rowsOf(pages: AsyncGenerator<ListPage>): Promise<PlatformItem[]> {
  const rows: PlatformItem[] = []
  for await (const { items } of pages) rows.push(...items)
  return rows
}
