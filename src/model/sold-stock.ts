/** Stock of one item at one location. */
interface StockLevel {
  productId: number
  variantId: number
  locationId: number
  /** Before orders were copied. */
  quantity: number
  /** The stock seen before an attempt to restore it, and the stock to set; null before any attempt. */
  seen: number | null
  target: number | null
  /** Current stock; null once the item is gone. */
  now: number | null
}

/** An item that copied orders sold. */
export interface ItemStock<Level extends StockLevel = StockLevel> {
  productId: number
  variantId: number
  sku: string
  levels: Level[]
  /** Whether the location that orders take from, which has the lowest id, had none left before orders were copied. */
  wasSoldOut: boolean
  /** The ids by which orders refer to it. */
  lines: { productId: number; variantId: number }[]
  /** Quantity in orders that exist. */
  sold: number
  /** Quantity in refused calls, which the platform may have deducted. */
  refused: number
  /** Whether some orders are unconfirmed. */
  unsettled: boolean
}

/** The number of items whose stock fell by the sold quantity, so far. */
export interface Evidence {
  fell: number
  all: number
  /** Of the items in refused calls, the number whose stock fell by more than was sold. */
  refusedFell: number
  refusedAll: number
}

interface Judged {
  /** Items that are settled once `give` is applied. */
  done: ItemStock[]
  give: (StockLevel & { seen: number; target: number })[]
  /** Items whose stock fell by less than was sold. */
  unclear: ItemStock[]
}

/**
 * The stock to restore. Decided only by what really fell, because the platform does not say whether new orders change
 * stock. If the stock of most items did not fall, orders do not change it, and any fall was a sale of the shop.
 * Quantities in refused calls are restored only if a quarter of those items fell by more than was sold, because such
 * calls deduct a part at most. Our choices (decision 0020).
 */
export function judge(items: ItemStock[], evidence: Evidence): Judged {
  const settled = items.filter((item) => isBegun(item) || !item.unsettled)
  const fresh = settled.filter((item) => !isBegun(item) && isThere(item))
  for (const item of fresh.filter(({ sold }) => sold > 0)) {
    evidence.all++
    if (isWhole(item)) evidence.fell++
  }
  for (const item of fresh.filter(({ refused }) => refused > 0)) {
    evidence.refusedAll++
    if (fallOf(item) > takenBy(item, item.sold)) evidence.refusedFell++
  }
  const moved = evidence.fell * 2 >= evidence.all
  const refusedMoved = evidence.refusedFell * 4 >= evidence.refusedAll
  const fallen = moved ? fresh.filter((item) => fallOf(item) > 0) : []
  const [whole, unclear] = [fallen.filter(isWhole), fallen.filter((item) => !isWhole(item))]
  const shared = whole.flatMap((item) => shares(item, item.sold + (refusedMoved ? item.refused : 0)))
  return { done: settled, give: [...settled.filter(isBegun).flatMap(again), ...shared], unclear }
}

/**
 * Whether the stock of every item has fallen by exactly what copied orders sold, or as far as it could, as it has once a
 * lagging list shows all of them and the shop sold nothing else meanwhile. Of refused orders, any part may be missing;
 * that others show is the sign that the list does not lag.
 */
export function hasFallenAsSold(items: ItemStock[]): boolean {
  const isAsSold = (item: ItemStock) => {
    const isOpen = isBegun(item) || item.unsettled || !isThere(item)
    const fall = fallOf(item)
    const isUsedUp = item.wasSoldOut || item.levels.some(({ now }) => now === 0)
    const isWithin = fall >= item.sold && fall <= item.sold + item.refused
    return !isOpen && (isWithin || (fall < item.sold && isUsedUp))
  }
  return items.some((item) => item.sold > 0 && fallOf(item) > 0) && items.every(isAsSold)
}

const isBegun = ({ levels }: ItemStock) => levels.some(({ target }) => target !== null)
const isThere = ({ levels }: ItemStock) => levels.some(({ now }) => now !== null)
const isWhole = (item: ItemStock) => fallOf(item) >= Math.max(1, takenBy(item, item.sold))

const fallAt = ({ quantity, now }: StockLevel) => (now === null ? 0 : Math.max(0, quantity - now))
const fallOf = ({ levels }: ItemStock) => levels.reduce((sum, level) => sum + fallAt(level), 0)

/** At most the stock that a location had can have been deducted, and what it is below 0 now. */
function takenBy({ levels }: ItemStock, pieces: number): number {
  const there = levels
    .filter((level) => fallAt(level) > 0)
    .reduce((sum, { quantity, now }) => sum + quantity - Math.min(0, now ?? 0), 0)
  return Math.min(pieces, there)
}

/** Locations with low ids come first, because the platform deducts from the default location. */
function shares(item: ItemStock, pieces: number): Judged['give'] {
  let left = takenBy(item, pieces)
  return item.levels
    .toSorted((a, b) => a.locationId - b.locationId)
    .flatMap((level) => {
      const share = Math.min(left, fallAt(level))
      left -= share
      return share === 0 || level.now === null ? [] : [{ ...level, seen: level.now, target: level.now + share }]
    })
}

/**
 * Repeats an interrupted attempt. Stock above the level seen then has already been set; otherwise the rest is set now.
 */
function again({ levels }: ItemStock): Judged['give'] {
  return levels.flatMap((level) => {
    const { now, seen, target } = level
    if (now === null || seen === null || target === null || now > seen) return []
    return [{ ...level, seen: now, target: now + target - seen }]
  })
}
