import type { StoreClient } from '../bigcommerce/client.ts'
import { itemsIn, offsetPages, type Page } from '../bigcommerce/pages.ts'
import type { Parts, PlatformItem, Reading } from '../entities/define.ts'

type Asks = Pick<StoreClient, 'get'>

type Options = { signal: AbortSignal }

/** One part after the other: their counts add up to that of the whole. */
export async function* pagesOfParts(
  client: Asks,
  { path, query, limit }: Reading,
  parts: Parts,
  { signal }: Options,
): AsyncGenerator<Page<PlatformItem>> {
  const sum = { read: 0, total: 0 }
  yield { items: [], ...sum }
  for await (const { items: owners } of offsetPages<PlatformItem>(client, path, query, { limit, signal }))
    for (const owner of owners) {
      let last = { total: 0, read: 0 }
      for await (const page of pagesOfPart(client, parts, owner, { signal })) {
        last = page
        const items = page.items.map((item) => parts.item(item, owner))
        yield { items, read: sum.read + page.read, total: sum.total + page.total }
      }
      sum.read += last.read
      sum.total += last.total
    }
}

function pagesOfPart(client: Asks, { path, query, limit }: Parts, owner: PlatformItem, { signal }: Options) {
  return offsetPages<PlatformItem>(client, path(owner), query, { limit, signal })
}

/** A call for each part. */
export async function lengthOfParts(
  client: Asks,
  { path, query, limit }: Reading,
  parts: Parts,
  { signal }: Options,
): Promise<number> {
  let length = 0
  for await (const { items: owners } of offsetPages<PlatformItem>(client, path, query, { limit, signal }))
    for (const owner of owners)
      for await (const { total } of offsetPages(client, parts.path(owner), {}, { limit: 1, signal })) {
        length += total
        break
      }
  return length
}

/** Parts looked at: more cost calls, fewer see less of what differs between them. */
const partsSampled = 2

/** The first page of some of the parts. */
export async function sampleOfParts(
  client: Asks,
  { path, query, limit }: Reading,
  parts: Parts,
  { signal }: Options,
): Promise<PlatformItem[]> {
  const owners = itemsIn<PlatformItem>(await client.get(path, { ...query, limit }, { signal }), path)
  const found: PlatformItem[] = []
  for (const owner of owners.slice(0, partsSampled)) {
    const at = parts.path(owner)
    const page = await client.get(at, { ...parts.query, limit: parts.limit }, { signal })
    found.push(...itemsIn<PlatformItem>(page, at).map((item) => parts.item(item, owner)))
  }
  return found
}
