import type { StoreClient } from '../../bigcommerce/client.ts'
import { UnreadableAnswerError } from '../../bigcommerce/errors.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import type { LinkedStorefront } from '../../model/links/link-targets.ts'
import type { PlatformItem } from './draft.ts'
import type { WalkOptions } from './reading.ts'

type StoreReader = Pick<StoreClient, 'get'>

const path = '/v3/channels'

/**
 * Channels of a store, of any type and status: those already read, or else read now. Their ids are numbers. Every store
 * has some: without them, all that is read by channel would count as deleted.
 *
 * @throws UnreadableAnswerError when the store shows none, twice
 */
export async function channelsAt(
  client: StoreReader,
  { channels, signal }: Pick<WalkOptions, 'channels' | 'signal'>,
): Promise<readonly PlatformItem[]> {
  if (channels) return channels
  const found: PlatformItem[] = []
  for (let readings = 0; readings < 2 && found.length === 0; readings++)
    for await (const { items } of offsetPages<PlatformItem>(client, path, {}, { signal }))
      found.push(...items.map((channel) => ({ ...channel, id: Number(channel.id) })))
  if (found.length === 0) throw new UnreadableAnswerError(`${path} never gave any item.`, { path })
  return found
}

/**
 * Whether a channel still exists: the list also has those that were deleted, and after 90 days calls them terminated.
 * Source: the published channels specification.
 */
export function isThere({ status }: PlatformItem): boolean {
  return status !== 'deleted' && status !== 'terminated'
}

/** The channels that are storefronts, whatever platform hosts them. */
export function storefrontsAmong(channels: readonly PlatformItem[]): PlatformItem[] {
  return channels.filter((channel) => channel.type === 'storefront' && isThere(channel))
}

/** The storefront of an item that has a channel. */
export function storefrontOfChannel({ channel_id }: PlatformItem): LinkedStorefront | undefined {
  return channel_id === undefined || channel_id === null ? undefined : `channel:${Number(channel_id)}`
}

/** Ids of a store's storefronts, or just the `chosen` one. */
export async function storefrontsOf(client: StoreReader, chosen: unknown, options: WalkOptions): Promise<unknown[]> {
  if (chosen !== undefined) return [chosen]
  return storefrontsAmong(await channelsAt(client, options)).map(({ id }) => id)
}

/**
 * Storefronts with a BigCommerce theme. Others are built by their owners, and have neither templates nor widgets.
 * `chosen`: only this one, if it is among them; undefined: all.
 */
export async function themedChannels(client: StoreReader, chosen: unknown, options: WalkOptions): Promise<number[]> {
  const storefronts = storefrontsAmong(await channelsAt(client, options))
  const themed = storefronts.filter(({ platform }) => platform === 'bigcommerce').map(({ id }) => Number(id))
  return chosen === undefined ? themed : themed.filter((id) => id === Number(chosen))
}

export const createChannel = 'Create a channel of the same name, type and platform at the destination, then run again.'

/** For an item of a channel that the destination does not have. */
export const leftOutWithChannel = {
  uncreatable: 'its channel has no counterpart at the destination, and channels are not created.',
  remedy: createChannel,
}
