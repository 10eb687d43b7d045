import { z } from 'zod'

const writeTime = 'Must be a time with its offset from UTC, such as 2026-03-01T00:00:00Z or 2026-03-01T09:30:00+01:00.'
/** In the query of an address, a plus sign means a space. */
const plusBecameSpace = /\d \d\d:?\d\d$/
const writePlus = 'Write the plus sign of the offset as %2B in an address.'

/**
 * A point in time that both JavaScript and PostgreSQL can store, in UTC, because PostgreSQL accepts no offset of 16
 * hours or more (S36).
 */
export const moment = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: ({ input }) => (plusBecameSpace.test(String(input)) ? writePlus : writeTime),
  })
  .refine((text) => isStorable(new Date(text)), 'Must be between the years 1 and 9999.')
  .overwrite((text) => (isStorable(new Date(text)) ? new Date(text).toISOString() : text))

function isStorable(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}
