import type { Query } from './client.ts'
import { PlatformError } from './errors.ts'

const paging = ['page', 'limit', 'sort', 'direction']

/**
 * Which parameters of paging a store does not have for a list: without them it answers the whole list, or the usual order. A refused
 * filter is never left out, because the answer would have other items. Sources: answers of real stores, in three forms.
 */
export function refusedPaging(error: unknown, query: Query): string[] {
  if (!(error instanceof PlatformError) || (error.httpStatus !== 400 && error.httpStatus !== 422)) return []
  const { title, errors } = error
  const named =
    /^The filter\(s\): (.*) are not valid filter parameter/.exec(title)?.[1]?.split(/\s*,\s*/) ??
    /^The field '(.*)' is not supported by this resource/.exec(title)?.slice(1) ??
    (title === 'Invalid Input.' ? Object.values(errors) : [])
  const refused = named.filter((name) => query[name] !== undefined)
  return refused.every((name) => paging.includes(name)) ? refused : []
}
