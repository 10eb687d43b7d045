/** Stock of one item at one location. */
interface StockLevel {
  productId: number
  variantId: number
  locationId: number
  /** Before orders were copied. */
  quantity: number
  /** What somebody saw who set out to give back, and what they were about to set; null before that. */
  seen: number | null
  target: number | null
  /** Null once it is gone. */
  now: number | null
}

/** Something of which copied orders sold some. */
export interface ItemStock<Level extends StockLevel = StockLevel> {
  productId: number
  variantId: number
  sku: string
  levels: Level[]
  /** By which the orders name it. */
  lines: { productId: number; variantId: number }[]
  /** By orders that are there. */
  sold: number
  /** Some orders may be there or not. */
  unsettled: boolean
}

/** How many of the items that had any stock fell by what was sold, so far. */
export interface Evidence {
  fell: number
  all: number
}

interface Judged {
  /** To which nothing is owed once the levels are set. */
  done: ItemStock[]
  give: (StockLevel & { seen: number; target: number })[]
  /** That fell by less than was sold. */
  unclear: ItemStock[]
}

/**
 * What to give back. Judged by what really fell and by nothing that is said of orders: whether new orders move stock is the
 * platform's to know. Where most items stand as they stood it does not, and what fell was sold by the shop. Our choice (0066).
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

/** Stock does not fall below nothing: no more was taken than had been where it fell. At least 1: what did not fall took nothing. */
function takenOf({ levels, sold }: ItemStock): number {
  const there = levels.filter((level) => fallAt(level) > 0).reduce((sum, { quantity }) => sum + quantity, 0)
  return Math.max(1, Math.min(sold, there))
}

/** Of several locations the first ones get it: the platform takes from its default one. */
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

/** Somebody set out before: where it stands higher than they saw it, it was set; otherwise what is missing is set now. */
function again({ levels }: ItemStock): Judged['give'] {
  return levels.flatMap((level) => {
    const { now, seen, target } = level
    if (now === null || seen === null || target === null || now > seen) return []
    return [{ ...level, seen: now, target: now + target - seen }]
  })
}
