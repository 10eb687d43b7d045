import type { PlatformItem } from './draft.ts'

/**
 * The item with at most four decimals in these fields. The platform keeps no more, so a copy of a value with more, as
 * from an old import, would differ for ever.
 */
export function withFourDecimals(item: PlatformItem, fields: readonly string[]): PlatformItem {
  const rounded = fields.flatMap((field) => {
    const value = item[field]
    return typeof value === 'number' && value !== fourDecimals(value) ? [[field, fourDecimals(value)]] : []
  })
  return rounded.length === 0 ? item : { ...item, ...Object.fromEntries(rounded) }
}

function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Prices and measures of products and variants. */
export const pricesAndMeasures = [
  ...['price', 'cost_price', 'retail_price', 'sale_price', 'map_price', 'fixed_cost_shipping_price'],
  ...['weight', 'width', 'depth', 'height'],
]
