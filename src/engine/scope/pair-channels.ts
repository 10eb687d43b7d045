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
  const earlier = await earlierPairs(context.mappings, source)
  const { pairs, unpaired } = matchChannels(context.run, stores, { source, destination, earlier })
  const isRefused = refusal !== null || refusedThere !== null
  await adoptPairs(context, 'channels', pairs, isRefused ? [] : unpaired)
  return {
    channels: { source, destination },
    defaults: { channelId: destinationDefault },
    sites: await pairSites(context, pairs, sites),
    unpaired,
    paired: new Map(pairs.map(([from, to]) => [Number(from), Number(to)])),
    unread: { channels: refusal ?? refusedThere, sites: sites.refusal ?? null },
  }
}

interface Channels extends Record<'source' | 'destination', readonly PlatformItem[]> {
  /** Destination ids of the counterparts in earlier runs, by source id. */
  earlier: ReadonlyMap<string, string>
}

/** The counterparts that channels of the source had in earlier runs over the same storefronts. */
export async function earlierPairs(
  mappings: Pick<OpenRun['mappings'], 'mappings'>,
  source: readonly PlatformItem[],
): Promise<Channels['earlier']> {
  const known = await mappings.mappings(source.map(({ id }) => ({ component: 'channels', sourceId: String(id) })))
  return new Map([...known.values()].map(({ sourceId, destinationId }) => [sourceId, destinationId]))
}

/**
 * Which channels belong together, and those of the source without a counterpart. One that was renamed keeps the
 * counterpart of earlier runs, unless another channel has it by its name.
 */
export function matchChannels(
  { sourceStorefront, destStorefront }: Pick<OpenRun['run'], 'sourceStorefront' | 'destStorefront'>,
  stores: Record<'source' | 'destination', StoreInformation>,
  { source, destination, earlier }: Channels,
): { pairs: Pair[]; unpaired: PlatformItem[] } {
  const { default_channel_id: sourceDefault = 1 } = stores.source
  const { default_channel_id: destinationDefault = 1 } = stores.destination
  const free = new Map(
    destination
      .filter((channel) => channel.id !== destinationDefault && isThere(channel))
      .map((channel) => [String(channel.id), channel]),
  )
  const pairs = new Map<unknown, unknown>()
  const take = ({ id }: PlatformItem, counterpart: PlatformItem | undefined) => {
    if (!counterpart) return
    pairs.set(id, counterpart.id)
    // Adoption is one to one (B6).
    free.delete(String(counterpart.id))
  }
  const left = () => source.filter(({ id }) => !pairs.has(id)).toSorted(isThereFirst)
  const ofRun = source.find(({ id }) =>
    sourceStorefront === null ? id === sourceDefault : String(id) === sourceStorefront,
  )
  if (ofRun) pairs.set(ofRun.id, sourceStorefront === null ? destinationDefault : destStorefront)
  if (sourceStorefront === null) {
    for (const one of left())
      take(
        one,
        [...free.values()].find((other) => channelKey(other) === channelKey(one)),
      )
    for (const one of left()) take(one, free.get(earlier.get(String(one.id)) ?? ''))
  }
  return { pairs: [...pairs], unpaired: source.filter(({ id }) => !pairs.has(id)) }
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
  const paired = new Set(pairs.map(([from]) => from))
  await adoptPairs(
    context,
    'sites',
    pairs,
    sites.destination ? (sites.source ?? []).filter(({ id }) => !paired.has(id)) : [],
  )
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
