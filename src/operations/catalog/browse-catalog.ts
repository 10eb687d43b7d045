import { z } from 'zod'
import { asRecord } from '../../bigcommerce/errors.ts'
import { isV2, itemsIn } from '../../bigcommerce/pages.ts'
import { pageInput, pageOf } from '../../contract/primitives/list-page.ts'
import { platformId } from '../../contract/selection.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'
import { readStorefrontIds } from '../../engine/core/storefront-ids.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import {
  browsableEntities,
  catalogItem,
  describeItem,
  isOpen,
  passOf,
  type StoreReader,
} from '../shared/catalog-item.ts'
import { requireStore } from '../shared/connected-store.ts'
import { openCursor, sealCursor } from '../shared/list-cursor.ts'
import { liveRead } from '../shared/live-read.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownStorefront } from '../shared/storefront-reader.ts'

/** A position in a list of the platform: the page, the item on it, and the first item of the previous page. */
const position = z.strictObject({ page: z.int(), at: z.int(), size: z.int(), before: z.string() })
type Position = z.infer<typeof position>

/** How many calls one request may make. */
const mostCalls = 4
/** The page size for lists that the platform cannot search, so we filter them ourselves. */
const lookedThrough = 250

export const browseCatalog = defineOperation({
  name: 'browse-catalog',
  summary: 'Items of a connected store, read live: all of them, or filtered by text, parent item or storefront.',
  input: z.strictObject({
    hash: storeHash,
    entity: z.enum(browsableEntities),
    text: z.string().min(1).max(100).optional(),
    storefront: platformId.optional(),
    parentId: platformId.optional(),
    ...pageInput,
  }),
  output: pageOf(catalogItem),
  async run({ hash, limit, cursor, ...filters }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const pass = passOf(filters.entity)
    const cursorScope = { list: `catalog of ${store.id}`, organisationId, filters }
    const client = deps.openStore(store, { readOnly: true })
    const from = openCursor(deps.keyring, cursorScope, position, cursor)
    const { items, next } = await liveRead(deps.clock, async (signal) => {
      const query = await filterQuery(client, pass, filters, signal)
      const searches = filters.text !== undefined && pass.browsed?.words === undefined
      const start = from ?? { page: 1, at: 0, size: searches ? lookedThrough : limit, before: '' }
      const word = searches ? filters.text?.toLowerCase() : undefined
      return query === null
        ? { items: [], next: null }
        : lookThrough(client, pass, query, { start, limit, word, signal })
    })
    if (items.length === 0 && next === null) await refuseUnknownStorefront(deps.storefronts, store, filters.storefront)
    return {
      items: items.map((item) => describeItem(pass.drafts(item, identity))),
      nextCursor: next ? sealCursor(deps.keyring, cursorScope, next) : null,
    }
  },
})

interface Filters {
  text?: string | undefined
  storefront?: string | undefined
  parentId?: string | undefined
}

/**
 * Null if a storefront has no such items.
 * @throws ServiceError `validation_failed` for filters that the list does not support
 */
async function filterQuery(
  client: StoreReader,
  pass: Pass,
  { text, storefront, parentId }: Filters,
  signal: AbortSignal,
): Promise<Record<string, string | number> | null> {
  const { browsed, destination } = pass
  if (parentId !== undefined && browsed?.below === undefined)
    throw impossible('parentId', 'These items have no parents.')
  if (storefront !== undefined && !pass.storefront)
    throw impossible('storefront', 'These items belong to the whole store.')
  if (text !== undefined && !isOpen(pass.root))
    throw impossible('text', 'Items with personal or secret data are not searched.')
  const part = storefront === undefined ? {} : pass.storefront?.(await readStorefrontIds(client, storefront, signal))
  if (part === null) return null
  return {
    ...destination.query,
    ...part,
    ...(parentId !== undefined && browsed?.below && { [browsed.below]: parentId }),
    ...(text !== undefined && browsed?.words && { [browsed.words]: text }),
  }
}

function impossible(field: string, message: string): ServiceError {
  return new ServiceError('validation_failed', message, { errors: { [field]: [`${message} Leave it out.`] } })
}

interface Looking {
  start: Position
  limit: number
  word: string | undefined
  signal: AbortSignal
}

/** Stops early in a long list with few matches; the position tells where to continue. */
async function lookThrough(
  client: StoreReader,
  pass: Pass,
  query: Record<string, string | number>,
  { start, limit, word, signal }: Looking,
): Promise<{ items: PlatformItem[]; next: Position | null }> {
  const { path } = pass.destination
  const found: PlatformItem[] = []
  const { size } = start
  let { page, at, before } = start
  for (let calls = 0; calls < mostCalls; calls += 1, page += 1, at = 0) {
    const answer = await client.get(path, { ...query, page, limit: size }, { signal })
    const items = itemsIn<PlatformItem>(answer, path)
    const first = String(items[0]?.[pass.source.idField] ?? '')
    // Some lists ignore paging and return the same items again.
    if (items.length === 0 || first === before) return { items: found, next: null }
    for (; at < items.length; at += 1) {
      if (found.length === limit) return { items: found, next: { page, at, size, before } }
      const item = items[at] as PlatformItem
      if (word === undefined || says(pass, item, word)) found.push(item)
    }
    if (isLast(answer.body, path, page)) return { items: found, next: null }
    before = first
  }
  return { items: found, next: { page, at: 0, size, before } }
}

function says(pass: Pass, item: PlatformItem, word: string): boolean {
  const { id, name, sku, path } = pass.drafts(item, identity)
  return [id, name, sku, path].some((said) => said?.toLowerCase().includes(word))
}

/** Judged by the platform's count. A list without page information has just one page, except in version 2. */
function isLast(body: unknown, path: string, page: number): boolean {
  if (isV2(path)) return false
  const { pagination } = asRecord(asRecord(body).meta)
  const { total, per_page } = asRecord(pagination)
  return typeof total !== 'number' || typeof per_page !== 'number' || page * per_page >= total
}
