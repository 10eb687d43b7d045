import { noteSettling } from '../../db/runs/run-life.ts'
import { forgetStartedStock, intendLevels, type StartedRow, startedStock } from '../../db/side-effects/started-stock.ts'
import type { StockLevel } from '../../entities/core/component.ts'
import { existingLevels, levelsPath, rowsAtOnce } from '../../entities/orders/stock-levels.ts'
import { levelToSet, type SetLevel } from '../../model/kept-sales.ts'
import type { RunContext } from '../context/context.ts'
import { Turns } from '../core/turns.ts'

/** How many ids one address names. */
const productsAtOnce = 250

const keyOf = ({ productId, variantId }: { productId: number; variantId: number }) => `${productId}/${variantId}`

/** Levels of items, by location. */
type Shown = Map<string, Record<string, number>>

/** The quantity to set, and what is in stock of an item that a run created. */
interface Left {
  quantity: number
  inStock: number
}

/** Takes off stock what the shop has sold of items that a run created (G11). */
export class KeptSales {
  private readonly context: RunContext
  /** One batch at a time, because each must know what others have taken off for the same items. */
  private readonly turns = new Turns()

  constructor(context: RunContext) {
    this.context = context
  }

  /**
   * The quantities to set: for items that a run created, less what the shop has sold since. The levels are read shortly
   * before they are set, and recorded as intended before the call. If the list of stock does not show an item, its sales
   * are unknown and it gets all of its stock (G1).
   *
   * @returns one entry for each level, in their order
   */
  withoutSales(levels: readonly StockLevel[]): Promise<Left[]> {
    return this.turns.take(
      ['levels'],
      (before) => before(),
      () => this.takeOff(levels),
    )
  }

  private async takeOff(levels: readonly StockLevel[]): Promise<Left[]> {
    const { database, pair, recorder } = this.context
    const named = new Set(levels.map(keyOf))
    const started = new Map<string, StartedRow>()
    for (const row of await startedStock(database, pair, productsOf(levels)))
      if (named.has(keyOf(row))) started.set(keyOf(row), row)
    const now = await shownLevels(this.context, [...started.values()])
    const unknown = [...started].flatMap(([key, item]) => (now.has(key) ? [] : [item]))
    const intended: { productId: number; variantId: number; location: string; level: SetLevel }[] = []
    const left = levels.map(({ productId, variantId, locationId, quantity }): Left => {
      const item = started.get(keyOf({ productId, variantId }))
      const current = item && now.get(keyOf(item))
      if (!item || !current) return { quantity, inStock: item?.quantity ?? 0 }
      const location = String(locationId)
      const level = levelToSet(item, current, location, quantity)
      item.levels = { ...item.levels, [location]: level }
      intended.push({ productId, variantId, location, level })
      return { quantity: level.target, inStock: level.seen }
    })
    if (intended.length + unknown.length > 0)
      await recorder.recordBeside(async (tx) => {
        await intendLevels(tx, pair, intended)
        await forgetStartedStock(tx, pair, unknown)
      })
    return left
  }
}

/**
 * Present levels of new items, by item and location. If the list does not show an item, we wait as long as for a write
 * without an answer (G1), and then use the levels that it showed before the first of them was set.
 */
async function shownLevels(context: RunContext, items: StartedRow[]): Promise<Shown> {
  const { clock, database, lease, run, waits } = context
  const found = await levelsNow(context, items)
  const absent = items.filter((item) => !found.has(keyOf(item)))
  if (absent.length === 0) return found
  const leftMs = waits.requestTimeoutMs + waits.settleMs - Math.min(...absent.map(({ ageMs }) => ageMs))
  if (leftMs > 0) {
    await noteSettling(database, run.id, leftMs)
    await clock.sleep(leftMs, lease.stop)
  }
  const late: Shown = leftMs > 0 ? await levelsNow(context, absent) : new Map()
  const before = absent.flatMap((item): [string, Record<string, number>][] => {
    const seen = Object.entries(item.levels).map(([location, level]) => [location, level.seen] as const)
    return seen.length > 0 ? [[keyOf(item), Object.fromEntries(seen)]] : []
  })
  return new Map([...before, ...found, ...late])
}

const productsOf = (items: readonly { productId: number }[]) => [...new Set(items.map(({ productId }) => productId))]

/** Parts of the products whose items fit on one page: a list of several pages is read twice (G2). */
export function productsOnOnePage(items: readonly { productId: number }[]): number[][] {
  const parts: number[][] = []
  let room = 0
  for (const [productId, { length }] of Map.groupBy(items, (item) => item.productId)) {
    if (length > room || parts.at(-1)?.length === productsAtOnce) {
      parts.push([])
      room = rowsAtOnce
    }
    parts.at(-1)?.push(productId)
    room -= length
  }
  return parts
}

/** Present levels by item and location. An item that is counted as a whole has one row, which may name a variant. */
async function levelsNow({ destination, lease }: RunContext, items: readonly StartedRow[]): Promise<Shown> {
  const found: Shown = new Map()
  const add = (key: string, location: string, quantity: number) => {
    const levels = found.get(key) ?? {}
    levels[location] = (levels[location] ?? 0) + quantity
    found.set(key, levels)
  }
  const read = async (productIds: number[]) => {
    const query = { 'product_id:in': productIds.join(',') }
    for await (const { items } of existingLevels(destination, levelsPath, query, { signal: lease.stop }))
      for (const { product_id, variant_id, location_id, quantity } of items) {
        const productId = Number(product_id)
        add(keyOf({ productId, variantId: 0 }), String(location_id), Number(quantity ?? 0))
        if (variant_id !== null)
          add(keyOf({ productId, variantId: Number(variant_id) }), String(location_id), Number(quantity ?? 0))
      }
  }
  await Promise.all(productsOnOnePage(items).map(read))
  return found
}
