import type { StoreClient } from '../../bigcommerce/client.ts'
import { completePages } from '../../bigcommerce/complete-pages.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { PlatformItem } from '../core/draft.ts'
import type { Lister, WalkOptions } from '../core/reading.ts'
import { themedChannels } from '../core/storefront-channels.ts'
import { listOf } from './widget-nodes.ts'

const path = '/v3/content/page-widgets'
const placements = '/v3/content/placements'

/**
 * Where content appears. An empty `entityId` means all pages of the file; an empty `file`, all pages of the channel.
 */
export interface PageTarget {
  channelId: number
  file: string
  entityId: string
  /** Which of its widgets have placements that are switched off, as far as the list of placements was read. */
  hidden?: 'some' | 'all'
}

type StoreReader = Pick<StoreClient, 'get'>
type Options = Pick<WalkOptions, 'signal' | 'once' | 'onChanging'>

export function pageTargetId({ channelId, file, entityId }: PageTarget): string {
  return `${channelId}|${file}|${entityId}`
}

/** Parses an id built by {@link pageTargetId}. */
export function pageTargetOf(id: string): PageTarget {
  const [channelId = '', file = '', entityId = ''] = id.split('|')
  return { channelId: Number(channelId), file, entityId }
}

/** The fields that identify a page. Without a file they identify the whole channel. */
export function pageTargetFields({ channelId, file, entityId }: PageTarget): PlatformItem {
  return {
    channel_id: channelId,
    ...(file !== '' && { template_file: file }),
    ...(entityId !== '' && { entity_id: entityId }),
  }
}

/** The home page. The list of placements includes it only once it has a widget, but it may have layouts without one. */
export const home = 'pages/home'

/** Pages of a channel with widgets of their own. Only the list of placements names them. */
async function pagesWithWidgets(
  client: StoreReader,
  channelId: number,
  { signal, once, onChanging }: Options,
): Promise<Map<string, PageTarget>> {
  const found = new Map<string, PageTarget>()
  for await (const { items } of completePages<PlatformItem>(
    client,
    placements,
    { 'channel_id:in': channelId },
    { signal, once, onChanging, idOf: 'uuid' },
  ))
    for (const { template_file, entity_id, status } of items) {
      const target: PageTarget = { channelId, file: String(template_file ?? ''), entityId: String(entity_id ?? '') }
      if (status === 'inactive') target.hidden = 'all'
      const known = found.get(pageTargetId(target)) ?? target
      if (known.hidden !== target.hidden) target.hidden = 'some'
      if (target.file !== '') found.set(pageTargetId(target), target)
    }
  return found
}

/** Pages of a channel that may have content of their own. */
export async function pageTargets(client: StoreReader, channelId: number, options: Options): Promise<PageTarget[]> {
  const first = { channelId, file: home, entityId: '' }
  return [...new Map([[pageTargetId(first), first], ...(await pagesWithWidgets(client, channelId, options))]).values()]
}

/**
 * A page with its content; undefined if it has none. If the platform refuses to return the page, `regions` is null and
 * `status` is the HTTP status: a missing theme file looks the same as a platform error.
 */
async function pageAt(client: StoreReader, target: PageTarget, { signal }: Options): Promise<PlatformItem | undefined> {
  const { channelId: channel_id, file: template_file, entityId: entity_id, hidden } = target
  const said = { id: pageTargetId(target), channel_id, template_file, entity_id, ...(hidden && { hidden }) }
  try {
    const query = pageTargetFields(target) as Record<string, string | number>
    const { data } = (await client.get<{ data: { regions: unknown } }>(path, query, { signal })).body
    const regions = listOf(data.regions).filter(({ children }) => listOf(children).length > 0)
    return regions.length === 0 ? undefined : { ...said, regions }
  } catch (error) {
    if (error instanceof PlatformError && [404, 422].includes(error.httpStatus))
      return { ...said, regions: null, status: error.httpStatus }
    throw error
  }
}

/** Pages requested in parallel, within the store's limits. */
const pagesAtOnce = 10

/** Reads page by page: those in `pages`, or else all that `targets` finds on each channel. */
function walk(targets: (client: StoreReader, channelId: number, options: Options) => Promise<PageTarget[]>): Lister {
  return async function* (client, _path, { channel_id, pages }, options) {
    const channels = await themedChannels(client, channel_id, options)
    const named = pages === undefined ? undefined : String(pages).split(',').map(pageTargetOf)
    let read = 0
    for (const channelId of channels) {
      const own =
        named?.filter((target) => target.channelId === channelId) ?? (await targets(client, channelId, options))
      for (let at = 0; at < own.length; at += pagesAtOnce) {
        const reads = own.slice(at, at + pagesAtOnce).map((target) => pageAt(client, target, options))
        const items = (await Promise.all(reads)).filter((page) => page !== undefined)
        read += items.length
        yield { items, total: null, read }
      }
    }
    yield { items: [], total: read, read }
  }
}

/**
 * Leaves out home pages that have layouts but no widgets. They are rare, and counting them would count an empty home
 * page in every store.
 */
export async function countPages(client: StoreReader, { channel_id }: Query, options: WalkOptions): Promise<number> {
  const channels = await themedChannels(client, channel_id, options)
  const targets = await Promise.all(channels.map((channelId) => pagesWithWidgets(client, channelId, options)))
  return targets.reduce((sum, { size }) => sum + size, 0)
}

export const everyPage = walk(pageTargets)

/** The content that appears on all pages of a channel. */
export const everySiteWide = walk(async (_client, channelId) => [{ channelId, file: '', entityId: '' }])
