import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Database } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { intendLevels, type StartedRow, startedStock } from '../../db/side-effects/started-stock.ts'
import type { StockLevel } from '../../entities/core/component.ts'
import { existingLevels, levelsPath } from '../../entities/orders/stock-levels.ts'
import { levelToSet, type SetLevel } from '../../model/kept-sales.ts'
import { inParts } from '../core/in-parts.ts'
import type { Recorder } from '../core/recorder.ts'

interface Stores {
  database: Database
  pair: Readonly<StorePair>
  destination: Pick<StoreClient, 'get'>
  recorder: Pick<Recorder, 'record'>
  lease: { stop: AbortSignal }
}

/** Ids in one address. */
const productsAtOnce = 250

const keyOf = ({ productId, variantId }: { productId: number; variantId: number }) => `${productId}/${variantId}`

/**
 * The quantities to set: of items that a run created, without what the shop has sold since (G11). The levels are read right before
 * they are set, and intended before the call. @returns one for each level, in their order
 */
export async function withoutSales(stores: Stores, levels: readonly StockLevel[]): Promise<number[]> {
  const { database, pair } = stores
  const started = new Map<string, StartedRow>()
  for (const productIds of inParts([...new Set(levels.map(({ productId }) => productId))], productsAtOnce))
    for (const row of await startedStock(database, pair, productIds)) started.set(keyOf(row), row)
  const now = await levelsNow(stores, [...new Set([...started.values()].map(({ productId }) => productId))])
  const intended: { productId: number; variantId: number; location: string; level: SetLevel }[] = []
  const quantities = levels.map(({ productId, variantId, locationId, quantity }) => {
    const item = started.get(keyOf({ productId, variantId }))
    if (!item) return quantity
    const location = String(locationId)
    const level = levelToSet(item, now.get(keyOf(item)) ?? {}, location, quantity)
    item.levels = { ...item.levels, [location]: level }
    intended.push({ productId, variantId, location, level })
    return level.target
  })
  if (intended.length > 0) await stores.recorder.record((tx) => intendLevels(tx, pair, intended))
  return quantities
}

/** Present levels by item and location. An item that is counted as a whole has one row, which may name a variant. */
async function levelsNow(
  { destination, lease }: Stores,
  productIds: number[],
): Promise<Map<string, Record<string, number>>> {
  const found = new Map<string, Record<string, number>>()
  const add = (key: string, location: string, quantity: number) => {
    const levels = found.get(key) ?? {}
    found.set(key, { ...levels, [location]: (levels[location] ?? 0) + quantity })
  }
  for (const some of inParts(productIds, productsAtOnce)) {
    const query = { 'product_id:in': some.join(',') }
    for await (const { items } of existingLevels(destination, levelsPath, query, { signal: lease.stop }))
      for (const { product_id, variant_id, location_id, quantity } of items) {
        const productId = Number(product_id)
        add(keyOf({ productId, variantId: 0 }), String(location_id), Number(quantity ?? 0))
        if (variant_id !== null)
          add(keyOf({ productId, variantId: Number(variant_id) }), String(location_id), Number(quantity ?? 0))
      }
  }
  return found
}
