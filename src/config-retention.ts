import { z } from 'zod'

/** How many days after its end what a run has left is deleted; undefined: never. */
export interface Retention {
  /** What it worked with. */
  ledger: number
  /** Saved originals of personal and secret data (S9). */
  personal: number
  /** Other saved originals. */
  originals: number | undefined
  /** Its issues and differences. */
  findings: number | undefined
}

const days = z
  .string()
  .regex(/^\d+$/, { error: 'give a whole number from 1 to 3650', abort: true })
  .transform(Number)
  .refine((value) => value >= 1 && value <= 3650, 'give a whole number from 1 to 3650')

/** Part of the table in `config.ts`. */
export const retentionSettings = {
  STOREFERRY_LEDGER_DAYS: {
    schema: days,
    fallback: '90',
    about:
      'Days after which what a migration worked with is deleted, if it has ended and cannot go on: the outcome of each item, copied lists, counters. Its answers and the pairs of items stay. A completed migration without before-images of personal or secret data loses it after one day.',
  },
  STOREFERRY_PERSONAL_DAYS: {
    schema: days,
    fallback: '30',
    about:
      'Days after the end of a migration after which its before-images of customers, orders and other personal or secret data are deleted, with the key that they are encrypted with.',
  },
  STOREFERRY_BEFORE_IMAGE_DAYS: {
    schema: days,
    fallback: 'none',
    about:
      'Days after the end of a migration after which all of its before-images are deleted; without, others than personal ones stay.',
  },
  STOREFERRY_FINDING_DAYS: {
    schema: days,
    fallback: 'none',
    about:
      'Days after which the issues and differences of a migration are deleted, if it has ended and cannot go on; without, they stay. Their numbers stay in any case.',
  },
} as const
