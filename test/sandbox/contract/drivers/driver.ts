import { NO_SUCH_ID, type Shop } from './contract-shop.ts'

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

/** How an operation answers, asked plainly; one that names something fails for ids that nobody has, unless told otherwise. */
export function drive(
  operation: string,
  succeeds: Ask | Ask[] = {},
  fails: Ask | Ask[] = forNobody(operation),
): Driver {
  return { operation, succeeds: [succeeds].flat(), fails: [fails].flat() }
}

function forNobody(operation: string): Ask[] {
  const ids = [...operation.matchAll(/:\w+/g)].map(() => NO_SUCH_ID)
  return ids.length === 0 ? [] : [{ ids }]
}

type Id = number | string

/** Asks about what is found or made first. */
export function at(owner: (shop: Shop) => Promise<Id | Id[]>, exchange: Omit<Exchange, 'ids'> = {}): Ask {
  return async (shop) => ({ ids: [await owner(shop)].flat(), ...exchange })
}

/** The id of the first row of a list. */
export function theFirst(path: string): (shop: Shop) => Promise<number> {
  return async ({ first }) => (await first(path)).id
}

export function pathOf(template: string, { ids = [], query }: Exchange): string {
  const left = [...ids]
  const path = template.replace(/:\w+/g, () => String(left.shift()))
  return query === undefined ? path : `${path}?${query}`
}
