import { asRecord, PlatformError } from './errors.ts'
import type { Query } from './query.ts'

const paging = ['page', 'limit', 'sort', 'direction']

/**
 * Which paging parameters a store does not support for a list: without them it returns the whole list, or the usual
 * order. A refused filter is never left out, because the answer would contain other items. Sources: answers of real
 * stores, in three forms.
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

/** Lists for which no published file describes paging or sorting; ids in their paths are `{id}`. */
const undocumented: Readonly<Record<string, string[]>> = {
  '/v2/banners': ['sort'],
  '/v2/coupons': ['sort'],
  '/v2/shipping/zones': ['page', 'limit'],
  '/v2/shipping/zones/{id}/methods': ['page', 'limit'],
  '/v3/channels/currency-assignments': ['page', 'limit'],
  '/v3/settings/search/filters/contexts': ['page', 'limit'],
  '/v3/tax/properties': ['page', 'limit'],
  '/v3/tax/rates': ['page', 'limit'],
  '/v3/tax/zones': ['page', 'limit'],
}

/**
 * Paging parameters that are not documented for a list; they are sent only if its answer turns out to be a page (G16).
 */
export function undocumentedPaging(list: string): string[] {
  return undocumented[list] ?? []
}

/** The default page size of lists; version 2 reveals nothing else about a page. */
const usualPage = 50

/** Whether an answer without paging may be the first of several pages. */
export function mayBeFirstPage(body: unknown): boolean {
  if (Array.isArray(body)) return body.length > 0 && body.length % usualPage === 0
  const { data, meta } = asRecord(body)
  if (!Array.isArray(data)) return false
  const { total } = asRecord(asRecord(meta).pagination)
  return typeof total === 'number' ? total > data.length : data.length > 0 && data.length % usualPage === 0
}
