import type { Shop } from './contract-shop.ts'

/** One call of an operation: what stands in its path, after its path and in its body. */
export interface Exchange {
  /** Path parameters in the order of the path. */
  ids?: (number | string)[]
  query?: string
  body?: unknown
}

/** An exchange, or how to prepare one in a fresh shop. */
export type Ask = Exchange | ((shop: Shop) => Exchange | Promise<Exchange>)

/** How one operation is brought to answer: each list has at least one way. */
export interface Driver {
  /** As in the registry: `GET /v3/catalog/brands/:brandId`. */
  operation: string
  succeeds: Ask[]
  fails: Ask[]
}

export function pathOf(template: string, { ids = [], query }: Exchange): string {
  const left = [...ids]
  const path = template.replace(/:\w+/g, () => String(left.shift()))
  return query === undefined ? path : `${path}?${query}`
}
