import { z } from 'zod'

/** A moment that JavaScript and PostgreSQL both can hold: neither has a year 0. */
export const moment = z.iso
  .datetime({ offset: true })
  .refine((text) => new Date(text).getUTCFullYear() >= 1, 'Must not be before the year 1.')
