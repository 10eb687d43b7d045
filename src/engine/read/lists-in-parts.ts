import type { StoreClient } from '../../bigcommerce/client.ts'
import { type CompleteOptions, completePages } from '../../bigcommerce/complete-pages.ts'
import { cursorPages, isV2, itemsIn, numberedPages, type Page } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { Parts, Reading } from '../../entities/core/reading.ts'
import { componentOf } from '../../entities/registry.ts'

type StoreReader = Pick<StoreClient, 'get'>

type Options = { signal: AbortSignal } & Pick<CompleteOptions, 'onChanging' | 'once'>

/** Reads one part after the other and adds up their counts. */
export async function* pagesOfParts(
  client: StoreReader,
  reading: Reading,
  parts: Parts,
  options: Options,
): AsyncGenerator<Page<PlatformItem>> {
  const sum = { read: 0, total: 0 }
  yield { items: [], ...sum }
  for await (const { items: owners } of pagesOfOwners(client, reading, options))
    for (const owner of owners) {
      let last = { total: 0, read: 0 }
      for await (const { items, read, total } of pagesOfPart(client, parts, owner, options)) {
        // A total below what was read no longer counts an item that was deleted meanwhile.
        last = { read, total: Math.max(total ?? 0, read) }
        const whole = items.map((item) => parts.item(item, owner))
        yield { items: whole, read: sum.read + last.read, total: sum.total + last.total }
      }
      sum.read += last.read
      sum.total += last.total
    }
}

function pagesOfOwners(client: StoreReader, { path, query, limit, byCursor }: Reading, options: Options) {
  const pages = byCursor ? cursorPages<PlatformItem> : completePages<PlatformItem>
  return pages(client, path, query, { limit, ...options })
}

function pagesOfPart(client: StoreReader, parts: Parts, owner: PlatformItem, options: Options) {
  const { path, query, limit, byCursor } = parts
  const pages = byCursor ? cursorPages<PlatformItem> : completePages<PlatformItem>
  return pages(client, path(owner), query, { limit, ...options })
}

/**
 * Whether items of another pass have a list each, which is empty while those are new. What has no key is looked up
 * before it is created, so its lists are read all the same.
 */
export function hasListForEach({ root, below, destination }: Pass): boolean {
  return destination.parts !== undefined && below !== undefined && componentOf(root).recovery !== 'baseline'
}

/** Takes one call for each part; parts without a count are read, once. */
export async function lengthOfParts(
  client: StoreReader,
  reading: Reading,
  parts: Parts,
  { signal }: Options,
): Promise<number> {
  let length = 0
  const options = { signal, once: true }
  for await (const { items: owners } of pagesOfOwners(client, reading, options))
    for (const owner of owners) {
      const at = parts.path(owner)
      if (isV2(at)) for await (const { items } of pagesOfPart(client, parts, owner, options)) length += items.length
      else
        for await (const { items, total } of numberedPages(client, at, {}, { limit: 1, signal })) {
          length += total ?? items.length
          if (total !== null) break
        }
    }
  return length
}

/** How many parts there are, which is read from the list of what they belong to. */
export async function countParts(client: StoreReader, reading: Reading, { signal }: Options): Promise<number> {
  let parts = 0
  for await (const { items } of pagesOfOwners(client, reading, { signal, once: true })) parts += items.length
  return parts
}

/** How many parts are sampled: more would cost calls, fewer would hide how parts differ. */
const partsSampled = 2

/** Reads the first page of each of some parts. */
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
