import type { StoreClient } from '../../bigcommerce/client.ts'
import { isV2, itemsIn, numberedPages, type Page } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Parts, Reading } from '../../entities/core/reading.ts'

type StoreReader = Pick<StoreClient, 'get'>

type Options = { signal: AbortSignal }

/** One part after the other. The counts of the parts are added up. */
export async function* pagesOfParts(
  client: StoreReader,
  { path, query, limit }: Reading,
  parts: Parts,
  { signal }: Options,
): AsyncGenerator<Page<PlatformItem>> {
  const sum = { read: 0, total: 0 }
  yield { items: [], ...sum }
  for await (const { items: owners } of numberedPages<PlatformItem>(client, path, query, { limit, signal }))
    for (const owner of owners) {
      let last = { total: 0, read: 0 }
      for await (const { items, read, total } of pagesOfPart(client, parts, owner, { signal })) {
        last = { read, total: total ?? read }
        const whole = items.map((item) => parts.item(item, owner))
        yield { items: whole, read: sum.read + last.read, total: sum.total + last.total }
      }
      sum.read += last.read
      sum.total += last.total
    }
}

function pagesOfPart(client: StoreReader, { path, query, limit }: Parts, owner: PlatformItem, { signal }: Options) {
  return numberedPages<PlatformItem>(client, path(owner), query, { limit, signal })
}

/** One call for each part; parts without a count are read. */
export async function lengthOfParts(
  client: StoreReader,
  { path, query, limit }: Reading,
  parts: Parts,
  { signal }: Options,
): Promise<number> {
  let length = 0
  for await (const { items: owners } of numberedPages<PlatformItem>(client, path, query, { limit, signal }))
    for (const owner of owners) {
      const at = parts.path(owner)
      for await (const { items, total } of numberedPages(
        client,
        at,
        {},
        { limit: isV2(at) ? parts.limit : 1, signal },
      )) {
        length += total ?? items.length
        if (total !== null) break
      }
    }
  return length
}

/** Parts in the sample: more cost calls, fewer hide how parts differ. */
const partsSampled = 2

/** The first pages of some parts. */
export async function sampleOfParts(
  client: StoreReader,
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
