import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { channelsAt, isThere } from '../../entities/core/storefront-channels.ts'
import type { OpenRun } from '../context/open-run.ts'
import type { PreparedRun, RunSites } from '../context/prepared-run.ts'
import { refusalOf } from '../preflight/enter-stores.ts'
import { adoptPairs, type Pair } from './adopt-pairs.ts'
import { liesOnSites, type PlatformSite, type Sites } from './read-sites.ts'

export interface PairedChannels extends Pick<PreparedRun, 'channels' | 'defaults' | 'sites' | 'unread'> {
  /** Channels of the source without a counterpart at the destination. */
  unpaired: PlatformItem[]
  /** Ids of the other channels of the source, with those of their counterparts. */
  paired: ReadonlyMap<number, number>
}

/**
 * Channels are never created, only paired: the two storefronts of a storefront run or, in any other run, the default
 * channels and those with the same name, type and platform (C4).
 */
export async function pairChannels(
  context: OpenRun,
  stores: Record<'source' | 'destination', StoreInformation>,
  sites: Sites,
): Promise<PairedChannels> {
  const { default_channel_id: sourceDefault = 1 } = stores.source
  const { default_channel_id: destinationDefault = 1 } = stores.destination
  const { sourceStorefront, destStorefront } = context.run
  const [{ channels: source, refusal }, { channels: destination, refusal: refusedThere }] = await Promise.all([
    channelsOf(context, 'source', [sourceDefault, sourceStorefront]),
    channelsOf(context, 'destination', [destinationDefault, destStorefront]),
  ])
  const { pairs, unpaired } = matchChannels(context.run, stores, { source, destination })
  await adoptPairs(context, 'channels', pairs)
  return {
    channels: { source, destination },
    defaults: { channelId: destinationDefault },
    sites: await pairSites(context, pairs, sites),
    unpaired,
    paired: new Map(pairs.map(([from, to]) => [Number(from), Number(to)])),
    unread: { channels: refusal ?? refusedThere, sites: sites.refusal ?? null },
  }
}

/** Which channels belong together, and those of the source without a counterpart. */
export function matchChannels(
  { sourceStorefront, destStorefront }: Pick<OpenRun['run'], 'sourceStorefront' | 'destStorefront'>,
  stores: Record<'source' | 'destination', StoreInformation>,
  { source, destination }: Record<'source' | 'destination', readonly PlatformItem[]>,
): { pairs: Pair[]; unpaired: PlatformItem[] } {
  const { default_channel_id: sourceDefault = 1 } = stores.source
  const { default_channel_id: destinationDefault = 1 } = stores.destination
  const free = new Map(
    destination
      .filter((channel) => channel.id !== destinationDefault && isThere(channel))
      .map((channel) => [channelKey(channel), channel.id]),
  )
  const pairs = source.toSorted(isThereFirst).flatMap((channel): Pair[] => {
    if (sourceStorefront !== null) return String(channel.id) === sourceStorefront ? [[channel.id, destStorefront]] : []
    if (channel.id === sourceDefault) return [[channel.id, destinationDefault]]
    const key = channelKey(channel)
    const counterpart = free.get(key)
    // Adoption is one to one (B6).
    free.delete(key)
    return counterpart === undefined ? [] : [[channel.id, counterpart]]
  })
  const paired = new Set(pairs.map(([from]) => from))
  return { pairs, unpaired: source.filter(({ id }) => !paired.has(id)) }
}

/**
 * Reads a store's channels. If it refuses the list, gives those that are known without it: the default one and the
 * storefront of the run.
 */
async function channelsOf(
  context: OpenRun,
  side: 'source' | 'destination',
  known: (number | string | null)[],
): Promise<{ channels: readonly PlatformItem[]; refusal: unknown }> {
  try {
    return { channels: await channelsAt(context[side], { signal: context.lease.stop }), refusal: null }
  } catch (error) {
    if (!(await refusalOf(context, error))) throw error
    const ids = [...new Set(known.filter((id) => id !== null).map(Number))]
    const channels = ids.map((id) => ({ id, name: '', type: 'storefront', platform: 'bigcommerce', status: 'active' }))
    return { channels, refusal: error }
  }
}

function isThereFirst(one: PlatformItem, other: PlatformItem): number {
  return Number(isThere(other)) - Number(isThere(one))
}

function channelKey(channel: PlatformItem): string {
  return [channel.name, channel.type, channel.platform].join('/').toLowerCase()
}

/** Sites are paired as their channels are. */
async function pairSites(context: OpenRun, pairedChannels: Pair[], sites: Sites): Promise<RunSites> {
  if (!liesOnSites(context)) return { paired: [] }
  const [source, destination] = [idsByChannel(sites.source), idsByChannel(sites.destination)]
  const pairs = pairedChannels.flatMap(([from, to]): Pair[] => {
    const [here, there] = [source.get(String(from)), destination.get(String(to))]
    return here === undefined || there === undefined ? [] : [[here, there]]
  })
  await adoptPairs(context, 'sites', pairs)
  const { sourceStorefront, destStorefront } = context.run
  const channels = new Map<unknown, number>([...destination].map(([channelId, id]) => [id, Number(channelId)]))
  return {
    ...(sourceStorefront !== null && { source: String(source.get(sourceStorefront) ?? '') }),
    ...(destStorefront !== null && { destination: String(destination.get(destStorefront) ?? '') }),
    paired: pairs.map(([_from, id]) => ({ id: Number(id), channelId: channels.get(id) ?? 0 })),
  }
}

function idsByChannel(sites: PlatformSite[] | null): Map<string, number> {
  return new Map((sites ?? []).map(({ id, channel_id }) => [String(channel_id), id]))
}
