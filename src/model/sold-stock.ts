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
  /** The ids by which orders refer to it. */
  lines: { productId: number; variantId: number }[]
  /** Quantity in orders that exist. */
  sold: number
  /** Whether some orders are unconfirmed. */
  unsettled: boolean
}

/** How many items with stock fell by the sold quantity, so far. */
export interface Evidence {
  fell: number
  all: number
}

interface Judged {
  /** Items that are settled once `give` is applied. */
  done: ItemStock[]
  give: (StockLevel & { seen: number; target: number })[]
  /** Items that fell by less than was sold. */
  unclear: ItemStock[]
}

/**
 * The stock to restore. Judged only by what really fell, because the platform does not say whether new orders move stock. If most
 * items did not fall, it does not, and any fall was a sale of the shop. Our choice (decision 0020).
 */
export function judge(items: ItemStock[], evidence: Evidence): Judged {
  const settled = items.filter((item) => isBegun(item) || !item.unsettled)
  const fresh = settled.filter((item) => !isBegun(item) && item.sold > 0 && isThere(item))
  for (const item of fresh) {
    evidence.all++
    if (fallOf(item) >= takenOf(item)) evidence.fell++
  }
  const moved = evidence.fell * 2 >= evidence.all
  const fallen = moved ? fresh.filter((item) => fallOf(item) > 0) : []
  const [whole, unclear] = [fallen.filter(isWhole), fallen.filter((item) => !isWhole(item))]
  return { done: settled, give: [...settled.filter(isBegun).flatMap(again), ...whole.flatMap(shares)], unclear }
}

const isBegun = ({ levels }: ItemStock) => levels.some(({ target }) => target !== null)
const isThere = ({ levels }: ItemStock) => levels.some(({ now }) => now !== null)
const isWhole = (item: ItemStock) => fallOf(item) >= takenOf(item)

const fallAt = ({ quantity, now }: StockLevel) => (now === null ? 0 : Math.max(0, quantity - now))
const fallOf = ({ levels }: ItemStock) => levels.reduce((sum, level) => sum + fallAt(level), 0)

/** Stock never falls below 0, so no more was taken than was in stock where it fell. At least 1, so an item that did not fall never counts as whole. */
function takenOf({ levels, sold }: ItemStock): number {
  const there = levels.filter((level) => fallAt(level) > 0).reduce((sum, { quantity }) => sum + quantity, 0)
  return Math.max(1, Math.min(sold, there))
}

/** The first locations come first, because the platform takes stock from the default one. */
function shares(item: ItemStock): Judged['give'] {
  let left = takenOf(item)
  return item.levels
    .toSorted((a, b) => a.locationId - b.locationId)
    .flatMap((level) => {
      const share = Math.min(left, fallAt(level))
      left -= share
      return share === 0 || level.now === null ? [] : [{ ...level, seen: level.now, target: level.now + share }]
    })
}

/** Repeats an interrupted attempt. Stock above the level seen then has already been set; otherwise the rest is set now. */
function again({ levels }: ItemStock): Judged['give'] {
  return levels.flatMap((level) => {
    const { now, seen, target } = level
    if (now === null || seen === null || target === null || now > seen) return []
    return [{ ...level, seen: now, target: now + target - seen }]
  })
}
