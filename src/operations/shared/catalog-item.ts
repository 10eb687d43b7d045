import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { itemsIn, numberedPages } from '../../bigcommerce/pages.ts'
import { platformId } from '../../contract/selection.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { everyDraft } from '../../engine/core/pairing.ts'
import { withDetails } from '../../engine/read/whole-items.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { detailsOf, type Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf, entities } from '../../entities/registry.ts'

export type StoreReader = Pick<StoreClient, 'get'>

/** Entities whose items are in one list of the platform, with the pass that reads the list. */
const browsable = new Map(
  entities.flatMap(({ key, passes }) =>
    passes
      .filter(({ root, source, destination }) => root === key && !source.pages && !source.parts && !destination.parts)
      .slice(0, 1)
      .map((pass) => [key, pass] as const),
  ),
)

export const browsableEntities = [...browsable.keys()] as [string, ...string[]]

/** @throws only for input that the schema should have refused */
export function passOf(entity: string): Pass {
  const pass = browsable.get(entity)
  if (!pass) throw new ServiceError('not_found', `Items of ${entity} cannot be read one by one.`)
  return pass
}

/** Whether items may be returned in full. Of all others, only ids leave the service (S9, S17). */
export function isOpen(component: string): boolean {
  return componentOf(component).data === 'catalogue'
}

export const catalogItem = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  sku: z.string().nullable(),
  path: z.string().nullable(),
})

export function describeItem({ component, id, name, sku, path }: Draft): z.infer<typeof catalogItem> {
  return isOpen(component) ? { id, name, sku, path } : { id, name: null, sku: null, path: null }
}

/** The number of its children, by component. */
export function countBelow(draft: Draft): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { component } of [...everyDraft(draft)].slice(1)) counts[component] = (counts[component] ?? 0) + 1
  return counts
}

/**
 * How many pages to search of a list that cannot be filtered by id. More would keep the caller waiting and use up the
 * store's quota.
 */
const mostPages = 4

/** Any other text cannot be the id of an item, so it is not sent to the store. */
function mayBeId({ source }: Pass, id: string): boolean {
  return source.idField === 'uuid' ? isUuid(id) : platformId.safeParse(id).success
}

/**
 * One complete item by id. undefined if the store does not have it, or if it is not among the first thousand of a list
 * without filters.
 */
export async function readItem(
  client: StoreReader,
  pass: Pass,
  id: string,
  signal: AbortSignal,
): Promise<PlatformItem | undefined> {
  if (!mayBeId(pass, id)) return undefined
  const { source, byIds, picks } = pass
  const isIt = (item: PlatformItem) => String(item[source.idField]) === id
  const find = () => {
    if (byIds) return firstOf(client, byIds.path, { ...byIds.query, ...onlyId(byIds.idsParameter, id) }, isIt, signal)
    if (picks?.idsParameter && !picks.of)
      return firstOf(client, source.path, { ...source.query, [picks.idsParameter]: id }, isIt, signal)
    return searchList(client, pass, isIt, signal)
  }
  return inFull(client, pass, await find(), signal)
}

/** The filter of a list for one id. */
function onlyId(idsParameter: string, id: string): Record<string, string> {
  return idsParameter === 'range' ? { min_id: id, max_id: id } : { [idsParameter]: id }
}

/** The item with what its list does not show, as a migration reads it that requests nothing special. */
async function inFull(
  client: StoreReader,
  pass: Pass,
  item: PlatformItem | undefined,
  signal: AbortSignal,
): Promise<PlatformItem | undefined> {
  const details = detailsOf(pass, { customerConsent: false, orderStatuses: [], phases: [] })
  return item && withDetails({ client, signal }, pass, item, details)
}

/** One item by SKU, or by name if items of this kind have no SKU. */
export async function readItemByKey(
  client: StoreReader,
  pass: Pass,
  key: string,
  signal: AbortSignal,
): Promise<PlatformItem | undefined> {
  const requested = key.trim().toLowerCase()
  const isIt = (item: PlatformItem) => {
    const { name, sku, path } = pass.drafts(item, identity)
    return [name, sku, path].some((said) => said?.trim().toLowerCase() === requested)
  }
  const { source, browsed } = pass
  const found = browsed?.key
    ? await firstOf(client, source.path, { ...source.query, [browsed.key]: key.trim() }, isIt, signal)
    : await searchList(client, pass, isIt, signal)
  return inFull(client, pass, found, signal)
}

async function firstOf(
  client: StoreReader,
  path: string,
  query: Record<string, string | number>,
  isIt: (item: PlatformItem) => boolean,
  signal: AbortSignal,
): Promise<PlatformItem | undefined> {
  const answer = await client.get(path, { ...query, limit: 5 }, { signal })
  return itemsIn<PlatformItem>(answer, path).find(isIt)
}

async function searchList(
  client: StoreReader,
  { source: { path, query = {}, limit } }: Pass,
  isIt: (item: PlatformItem) => boolean,
  signal: AbortSignal,
): Promise<PlatformItem | undefined> {
  let pages = 0
  for await (const { items } of numberedPages<PlatformItem>(client, path, query, { limit, signal })) {
    const found = items.find(isIt)
    pages += 1
    if (found || pages === mostPages) return found
  }
  return undefined
}
