import { z } from 'zod'
import { limits } from './limits.ts'

/** The paging parameters of every list. Numbers may come from a query string. */
export const pageInput = {
  limit: z.coerce.number().int().min(1).max(limits.maximumPageSize).default(limits.pageSize),
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .describe('`nextCursor` of the previous page; send the same filters with it.'),
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
  })
}
