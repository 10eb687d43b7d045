import { z } from 'zod'
import { limits } from './limits.ts'

/** What every list takes. Numbers may come from a query string. */
export const pageInput = {
  limit: z.coerce.number().int().min(1).max(limits.maximumPageSize).default(limits.pageSize),
  cursor: z.string().max(1_000).optional().describe('`nextCursor` of the page before, together with the same filters.'),
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
  })
}
