import { z } from 'zod'
import type { Answer } from '../bigcommerce/client.ts'

const pageWithTotal = z.object({ meta: z.object({ pagination: z.object({ total: z.int().min(0) }) }) })
const catalogueSummary = z.object({ data: z.object({ variant_count: z.int().min(0) }) })

/** How many items a list has, by the platform's own count. @throws ZodError when the page does not say. */
export function totalOf(page: Answer): number {
  return pageWithTotal.parse(page.body).meta.pagination.total
}

/** Undefined when the list has no count, as those of v2. */
export function totalIfTold(page: Answer): number | undefined {
  return pageWithTotal.safeParse(page.body).data?.meta.pagination.total
}

/** Variants of the whole store, from its summary: no list of products tells them. */
export function variantsOf(summary: Answer): number {
  return catalogueSummary.parse(summary.body).data.variant_count
}
