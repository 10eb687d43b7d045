import type { StoreClient } from '../../bigcommerce/client.ts'
import { completePages } from '../../bigcommerce/complete-pages.ts'
import { asRecord } from '../../bigcommerce/errors.ts'
import { itemsIn, offsetPages } from '../../bigcommerce/pages.ts'
import type { Query } from '../../bigcommerce/query.ts'
import { inParts } from '../../model/in-parts.ts'
import { list } from '../catalog/product-children.ts'
import type { PlatformItem } from '../core/draft.ts'
import type { Lister } from '../core/reading.ts'

type StoreReader = Pick<StoreClient, 'get'>
type Options = { signal?: AbortSignal | undefined }

export const levelsPath = '/v3/inventory/items'
/** The most levels per call. Source: the published inventory specification. */
export const levelsAtOnce = 2000
/** The largest page of the list. Source: the published inventory specification. */
export const rowsAtOnce = 1000
/** The most ids per query: as many as fit on a full page of products. */
const idsAtOnce = 250

/** The list has one row for each tracked item, with all its locations. This yields one item for each location. */
function levels(
  trackingOf: (client: StoreReader, rows: PlatformItem[], options: Options) => Promise<Set<number>>,
): Lister {
  return async function* (client, path, query, options) {
    let given = 0
    for await (const { items: rows, total, read } of completePages<PlatformItem>(client, path, query, {
      ...options,
      limit: rowsAtOnce,
      idOf: itemOf,
    })) {
      const whole = await trackingOf(client, rows, options)
      const items = rows.flatMap((row) => levelsOf(row, whole))
      given += items.length
      // The total includes the rest of the list, whether still to come or missing (C3).
      yield { items, total: given + Math.max(0, (total ?? 0) - read), read: given }
    }
  }
}

/** The variant or product whose stock the row is about: the row has no id of its own. */
function itemOf(row: unknown): unknown {
  const { variant_id, product_id } = asRecord(asRecord(row).identity)
  return variant_id ?? `product ${product_id}`
}

function levelsOf(row: PlatformItem, trackedAsWhole: ReadonlySet<number>): PlatformItem[] {
  const { sku, variant_id = null, product_id } = (row.identity ?? {}) as PlatformItem
  const tracked_by = variant_id === null || trackedAsWhole.has(Number(product_id)) ? 'product' : 'variant'
  return list(row.locations).map(({ location_id, total_inventory_onhand: quantity }) => {
    const level = { location_id, product_id, variant_id, sku, tracked_by, quantity }
    return { id: levelId(level), ...level }
  })
}

/** An id that we make up, because the platform has none for the stock at one location. */
export function levelId({ location_id, product_id, variant_id }: PlatformItem): string {
  return variant_id === null ? `${location_id}/product/${product_id}` : `${location_id}/variant/${variant_id}`
}

/**
 * Products with one stock for all variants. The platform accepts their stock only by product id, and the list does not
 * say which products these are. A product with several rows is tracked by variant, so it is not looked up.
 */
async function trackedAsWhole(client: StoreReader, rows: PlatformItem[], { signal }: Options): Promise<Set<number>> {
  const byProduct = Map.groupBy(rows, ({ identity }) => Number((identity as PlatformItem).product_id))
  const ids = [...byProduct].flatMap(([id, { length }]) => (length === 1 ? [id] : []))
  const trackedOf = async (some: number[]) => {
    const query = { 'id:in': some.join(','), include_fields: 'inventory_tracking', limit: idsAtOnce }
    const answer = await client.get('/v3/catalog/products', query, { signal })
    const products = itemsIn<PlatformItem>(answer, '/v3/catalog/products')
    return products.filter((one) => one.inventory_tracking === 'product').map(({ id }) => Number(id))
  }
  return new Set((await Promise.all(inParts(ids, idsAtOnce).map(trackedOf))).flat())
}

export const sourceLevels = levels(trackedAsWhole)

/**
 * The source decides how stock is written, by how it tracks the item, so the destination's tracking is not looked up.
 */
export const existingLevels = levels(async () => new Set())

/**
 * Sets absolute levels, of any items at any locations, so it is safe to repeat. Source: the published example, which names
 * several locations.
 */
export function setLevels(items: PlatformItem[]) {
  const path = '/v3/inventory/adjustments/absolute'
  return { method: 'PUT' as const, path, body: { reason: 'Store migration', items }, heavy: true }
}

/** The number of rows, in two calls. */
export async function countLevels(client: StoreReader, _query: Query, options: Options): Promise<number> {
  const totalOf = async (path: string) => {
    const page = await offsetPages(client, path, {}, { ...options, limit: 1 }).next()
    return page.done ? 0 : (page.value.total ?? 0)
  }
  const [items, locations] = await Promise.all([totalOf(levelsPath), totalOf('/v3/inventory/locations')])
  return items * locations
}
