import type { Answered } from './send.ts'
import type { CreateRequest } from './writes.ts'

/** What the platform answers to a batch of which one item is wrong. */
export const refusesBatch: readonly number[] = [400, 409, 422]

/**
 * Whether the platform refused the number of items in one call. No maximum is documented for most lists; 413 and 422
 * were seen.
 */
export function refusesLength({ httpStatus, refusal }: Answered): boolean {
  if (httpStatus === 413) return true
  return httpStatus === 422 && /max(imum)? batch size|maximum items allowed/i.test(refusal?.title ?? '')
}

/** One of the items made the platform refuse them all. */
export function inHalves(requests: CreateRequest[]): CreateRequest[][] {
  const middle = Math.ceil(requests.length / 2)
  return [requests.slice(0, middle), requests.slice(middle)]
}
