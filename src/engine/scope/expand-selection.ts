import type { StoreClient } from '../../bigcommerce/client.ts'
import { isV2, itemsIn, offsetPages, v2Pages } from '../../bigcommerce/pages.ts'
import type { PickedIds } from '../../contract/selection.ts'
import type { Reason, ScopeItem } from '../../db/runs/scope-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass, StorefrontIds } from '../../entities/core/pass.ts'
import type { Reading } from '../../entities/core/reading.ts'
import { entities } from '../../entities/registry.ts'
import { inParts } from '../../model/in-parts.ts'

/** How many ids one call names: they fill a page of the platform and make an address of three kilobytes. */
const atOnce = 250

/** Passes that can be read by ids of their own, by component. */
const readable = new Map(
  entities.flatMap(({ passes }) =>
    passes.filter((pass) => pass.picks && !pass.picks.of).map((pass) => [pass.root, pass] as const),
  ),
)

/**
 * Picked items with everything they need, as the source has it now: a product's brand and categories, a category's tree
 * and ancestors (C4).
 *
 * @param storefront of the source: needed items that do not belong to it are not in scope.
 * @returns picked ids that do not exist, too: the run reports each of them.
 */
export async function expandSelection(
  client: Pick<StoreClient, 'get'>,
  selection: PickedIds,
  { storefront, signal }: { storefront: StorefrontIds | null; signal: AbortSignal },
): Promise<ScopeItem[]> {
  const found = new Map<string, Map<string, Reason>>()
  let open = Object.entries(selection).flatMap(([component, { ids }]) => note(found, component, ids, 'picked'))
  while (open.length > 0) {
    const byComponent = Map.groupBy(open, ({ component }) => component)
    const rounds = await Promise.all(
      [...byComponent].map(([component, items]) =>
        needsOf(client, component, items, { found: found.get(component), storefront, signal }),
      ),
    )
    open = rounds.flat().flatMap(({ component, id }) => note(found, component, [String(id)], 'needed'))
  }
  return [...found].flatMap(([component, reasons]) => [...reasons].map(([id, why]) => ({ component, id, why })))
}

interface Known {
  component: string
  id: string
}

/** @returns those that were not known before. */
function note(found: Map<string, Map<string, Reason>>, component: string, ids: string[], why: Reason): Known[] {
  const reasons = found.get(component) ?? new Map<string, Reason>()
  found.set(component, reasons)
  const fresh = [...new Set(ids)].filter((id) => !reasons.has(id))
  for (const id of fresh) reasons.set(id, why)
  return fresh.map((id) => ({ component, id }))
}

/** What the items need. An item that was itself only needed is forgotten if it does not exist. */
async function needsOf(
  client: Pick<StoreClient, 'get'>,
  component: string,
  items: Known[],
  {
    found,
    storefront,
    signal,
  }: { found: Map<string, Reason> | undefined; storefront: StorefrontIds | null; signal: AbortSignal },
): Promise<{ component: string; id: unknown }[]> {
  const pass = readable.get(component)
  if (!pass) return []
  // Picks that need nothing are not read: the run itself reports those that do not exist.
  if (!pass.picks?.needs && items.every(({ id }) => found?.get(id) === 'picked')) return []
  const ids = inParts(
    items.map(({ id }) => id),
    atOnce,
  )
  const filter = storefront && pass.storefront ? pass.storefront(storefront) : {}
  const read =
    filter === null ? [] : await Promise.all(ids.map((some) => readPicks(client, pass, some, filter, signal)))
  const there = read.flat()
  const present = new Set(there.map((item) => String(item[pass.source.idField])))
  for (const { id } of items) if (!present.has(id) && found?.get(id) === 'needed') found.delete(id)
  return there.flatMap((item) => pass.picks?.needs?.(item) ?? [])
}

async function readPicks(
  client: Pick<StoreClient, 'get'>,
  { source, picks }: Pass,
  ids: string[],
  filter: Record<string, string | number>,
  signal: AbortSignal,
): Promise<PlatformItem[]> {
  if (!picks) return []
  const { idsParameter } = picks
  if (idsParameter === undefined || source.pages)
    return readChosen(client, chosenBy(source, idsParameter, filter, ids), ids, signal)
  const query = { ...picks.query, ...filter, [idsParameter]: ids.join(','), limit: atOnce }
  return itemsIn(await client.get(source.path, query, { signal }), source.path)
}

/** A walk takes fewer calls when it is limited to the picked ids. */
function chosenBy(
  source: Reading,
  idsParameter: string | undefined,
  filter: Record<string, string | number>,
  ids: string[],
): Reading {
  const chosen = idsParameter === undefined ? {} : { [idsParameter]: ids.join(',') }
  return source.pages ? { ...source, query: { ...source.query, ...filter, ...chosen } } : source
}

/** Reads chosen items from a list that cannot be filtered by ids. */
async function readChosen(
  client: Pick<StoreClient, 'get'>,
  { path, query = {}, idField, limit, pages: own }: Reading,
  ids: string[],
  signal: AbortSignal,
): Promise<PlatformItem[]> {
  const pages = own ?? (isV2(path) ? v2Pages<PlatformItem> : offsetPages<PlatformItem>)
  const found: PlatformItem[] = []
  for await (const { items } of pages(client, path, query, { limit, signal }))
    found.push(...items.filter((item) => ids.includes(String(item[idField]))))
  return found
}
