import { z } from 'zod'

/**
 * A point in time that both JavaScript and PostgreSQL can store, in UTC, because PostgreSQL accepts no offset of 16
 * hours or more (S36).
 */
export const moment = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'Must be a time with its offset from UTC, such as 2026-03-01T00:00:00Z or 2026-03-01T09:30:00+01:00.',
  })
  .refine((text) => isStorable(new Date(text)), 'Must be between the years 1 and 9999.')
  .overwrite((text) => (isStorable(new Date(text)) ? new Date(text).toISOString() : text))

function isStorable(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}
