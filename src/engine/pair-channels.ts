import { offsetPages } from '../bigcommerce/pages.ts'
import type { StoreInformation } from '../bigcommerce/store-information.ts'
import type { Entity, PlatformItem } from '../entities/define.ts'
import { entities } from '../entities/registry.ts'
import { adoptPairs, type Pair } from './adopt-pairs.ts'
import type { RunContext } from './context.ts'
import type { Channels } from './tell-findings.ts'

/** Channels are never created: a chosen pair belongs together, else the default ones, others by name, type and platform (C4). */
export async function pairChannels(
  context: RunContext,
  { default_channel_id: sourceDefault = 1 }: StoreInformation,
  { default_channel_id: destinationDefault = 1 }: StoreInformation,
): Promise<Channels> {
  const [source, destination] = await Promise.all([
    listChannels(context, 'source'),
    listChannels(context, 'destination'),
  ])
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
  await pairSites(context, pairs)
  const paired = new Set(pairs.map(([from]) => from))
  return {
    all: source,
    unpaired: source.filter(({ id }) => !paired.has(id)),
    paired: new Map(pairs.map(([from, to]) => [Number(from), Number(to)])),
  }
}

async function listChannels(context: RunContext, side: 'source' | 'destination'): Promise<PlatformItem[]> {
  const answer = await context[side].get<{ data: PlatformItem[] }>(
    '/v3/channels',
    { limit: 250 },
    { signal: context.lease.stop },
  )
  return answer.body.data
}

function channelKey(channel: PlatformItem): string {
  return [channel.name, channel.type, channel.platform].join('/').toLowerCase()
}

/** What lies on sites goes to those of the paired channels. Nothing else names them, and not every token may read them. */
async function pairSites(context: RunContext, pairedChannels: Pair[]): Promise<void> {
  const reads = ({ key, namesSites }: Entity) => namesSites && context.run.phases.includes(key)
  if (!entities.some(reads)) return
  const [source, destination] = await Promise.all([sitesOf(context, 'source'), sitesOf(context, 'destination')])
  const pairs = pairedChannels.flatMap(([from, to]): Pair[] => {
    const [here, there] = [source.get(String(from)), destination.get(String(to))]
    return here === undefined || there === undefined ? [] : [[here, there]]
  })
  await adoptPairs(context, 'sites', pairs)
  const { sourceStorefront, destStorefront } = context.run
  const channels = new Map([...destination].map(([channelId, id]) => [id, Number(channelId)]))
  context.sites = {
    ...(sourceStorefront !== null && { source: String(source.get(sourceStorefront) ?? '') }),
    ...(destStorefront !== null && { destination: String(destination.get(destStorefront) ?? '') }),
    paired: pairs.map(([_from, id]) => ({ id: Number(id), channelId: channels.get(id) ?? 0 })),
  }
}

/** A channel has one site or none. */
async function sitesOf(context: RunContext, side: 'source' | 'destination'): Promise<Map<string, unknown>> {
  const sites = new Map<string, unknown>()
  for await (const { items } of offsetPages<PlatformItem>(
    context[side],
    '/v3/sites',
    {},
    { signal: context.lease.stop },
  ))
    for (const { id, channel_id } of items) sites.set(String(channel_id), id)
  return sites
}
