import { z } from 'zod'
import type { Answer, StoreClient } from '../../bigcommerce/client.ts'
import { isV2, numberedPages } from '../../bigcommerce/pages.ts'
import type { Reading, WalkOptions } from '../../entities/core/reading.ts'
import { lengthOfParts } from './lists-in-parts.ts'

const pageWithTotal = z.object({ meta: z.object({ pagination: z.object({ total: z.int().min(0) }) }) })

/** How many items a list has, by the platform's own count. @throws ZodError when the page has none */
export function totalOf(page: Answer): number {
  return pageWithTotal.parse(page.body).meta.pagination.total
}

/** Undefined when the list has no count, as in v2. */
export function totalInPage(page: Answer): number | undefined {
  return pageWithTotal.safeParse(page.body).data?.meta.pagination.total
}

const wholeList = z.object({ data: z.array(z.unknown()) })

/** A list without pagination is complete. */
function totalInHeaders(answer: Answer): number | undefined {
  return totalInPage(answer) ?? wholeList.safeParse(answer.body).data?.data.length
}

/** Seen on real stores: the list of wishlists counts none but shows one. Such a list is counted by reading it. */
function countsTooFew(page: Answer): boolean {
  const total = totalInPage(page)
  return total !== undefined && total < (wholeList.safeParse(page.body).data?.data.length ?? 0)
}

/**
 * How long a list is. Lists of v2 have no count and are read, up to `mostPages`; with that limit some are estimated
 * instead. `byFirstPage`: the count is taken from the first page as a sample asks for it, which saves a call.
 */
export async function lengthOf(
  client: Pick<StoreClient, 'get'>,
  reading: Reading,
  {
    signal,
    mostPages = Infinity,
    channels,
    byFirstPage = false,
  }: Pick<WalkOptions, 'channels'> & { signal: AbortSignal; mostPages?: number; byFirstPage?: boolean },
): Promise<number | undefined> {
  const { path, query = {}, limit, parts, pages: own, usually, length: lengthByApi } = reading
  if (lengthByApi && mostPages < Infinity) return lengthByApi(client, query, { signal, channels })
  if (usually !== undefined && mostPages < Infinity) return usually
  if (parts) return lengthOfParts(client, reading, parts, { signal })
  if (!isV2(path) && !own) {
    const asked = byFirstPage ? { ...query, limit, page: 1 } : { ...query, include: undefined, limit: 1 }
    const page = await client.get(path, asked, { signal })
    if (!countsTooFew(page)) return totalInHeaders(page)
  }
  let length = 0
  let pages = 0
  // A forecast also counts the calls of a walk, so it is walked as in a run.
  const once = mostPages === Infinity
  for await (const { read } of (own ?? numberedPages)(client, path, query, { limit, signal, channels, once })) {
    length = read
    if (++pages >= mostPages) break
  }
  return length
}
