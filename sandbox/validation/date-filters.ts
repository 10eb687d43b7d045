import type { Row } from '../store/store.ts'

const FIELDS = ['date_created', 'date_modified']

/** The date parameters of channels, listings and pickup methods. */
export const DATE_PARAMETERS = FIELDS.flatMap((field) => [field, `${field}:min`, `${field}:max`])

/** Whether a row matches the dates of a list. Bounds are inclusive, and a date without a time means the whole day. */
export function isWithinDates(row: Row, query: URLSearchParams): boolean {
  return FIELDS.every((field) => {
    const at = String(row[field])
    const [exact, least, most] = [query.get(field), query.get(`${field}:min`), query.get(`${field}:max`)]
    return (
      (exact === null || at.startsWith(exact.replace(/Z$/, ''))) &&
      (least === null || Date.parse(at) >= Date.parse(least)) &&
      (most === null || Date.parse(at) <= endOf(most))
    )
  })
}

function endOf(bound: string): number {
  return Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(bound) ? `${bound}T23:59:59.999Z` : bound)
}
