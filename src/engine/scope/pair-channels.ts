import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { channelsAt } from '../../entities/core/storefront-channels.ts'
import type { RunContext } from '../context/context.ts'
import type { Channels } from '../preflight/findings.ts'
import { adoptPairs, type Pair } from './adopt-pairs.ts'
import { liesOnSites, type PlatformSite, type Sites } from './read-sites.ts'

/** Channels are never created: a chosen pair belongs together, else the default ones, others by name, type and platform (C4). */
export async function pairChannels(
  context: RunContext,
  { default_channel_id: sourceDefault = 1 }: StoreInformation,
  { default_channel_id: destinationDefault = 1 }: StoreInformation,
  sites: Sites,
): Promise<Channels> {
  const signal = context.lease.stop
  const [source, destination] = await Promise.all([
    channelsAt(context.source, { signal }),
    channelsAt(context.destination, { signal }),
  ])
  context.channels = { source, destination }
  context.defaults.channelId = destinationDefault
  const byKey = new Map(destination.map((channel) => [channelKey(channel), channel.id]))
  const { sourceStorefront, destStorefront } = context.run
  const pairs = source.flatMap((channel): Pair[] => {
    if (sourceStorefront !== null) return String(channel.id) === sourceStorefront ? [[channel.id, destStorefront]] : []
    const isDefault = channel.id === sourceDefault
    const counterpart = isDefault ? destinationDefault : byKey.get(channelKey(channel))
    return counterpart === undefined ? [] : [[channel.id, counterpart]]
  })
  await adoptPairs(context, 'channels', pairs)
  await pairSites(context, pairs, sites)
  const paired = new Set(pairs.map(([from]) => from))
  return {
    all: source,
    unpaired: source.filter(({ id }) => !paired.has(id)),
    paired: new Map(pairs.map(([from, to]) => [Number(from), Number(to)])),
  }
}

function channelKey(channel: PlatformItem): string {
  return [channel.name, channel.type, channel.platform].join('/').toLowerCase()
}

/** What lies on sites goes to those of the paired channels. Nothing else names them. */
async function pairSites(context: RunContext, pairedChannels: Pair[], sites: Sites): Promise<void> {
  if (!liesOnSites(context)) return
  const [source, destination] = [idsByChannel(sites.source), idsByChannel(sites.destination)]
  const pairs = pairedChannels.flatMap(([from, to]): Pair[] => {
    const [here, there] = [source.get(String(from)), destination.get(String(to))]
    return here === undefined || there === undefined ? [] : [[here, there]]
  })
  await adoptPairs(context, 'sites', pairs)
  const { sourceStorefront, destStorefront } = context.run
  const channels = new Map<unknown, number>([...destination].map(([channelId, id]) => [id, Number(channelId)]))
  context.sites = {
    ...(sourceStorefront !== null && { source: String(source.get(sourceStorefront) ?? '') }),
    ...(destStorefront !== null && { destination: String(destination.get(destStorefront) ?? '') }),
    paired: pairs.map(([_from, id]) => ({ id: Number(id), channelId: channels.get(id) ?? 0 })),
  }
}

function idsByChannel(sites: PlatformSite[] | null): Map<string, number> {
  return new Map((sites ?? []).map(({ id, channel_id }) => [String(channel_id), id]))
}
