import type { StoreClient } from '../bigcommerce/client.ts'
import { offsetPages } from '../bigcommerce/pages.ts'
import type { PlatformItem } from './define.ts'

/**
 * Storefronts that the platform shows with a theme: those of others are built by their owners and have neither templates nor
 * widgets. `chosen` is one of them, or all.
 */
export async function themedChannels(
  client: Pick<StoreClient, 'get'>,
  chosen: unknown,
  { signal }: { signal?: AbortSignal | undefined },
): Promise<number[]> {
  const found: number[] = []
  for await (const { items } of offsetPages<PlatformItem>(client, '/v3/channels', {}, { signal }))
    for (const { id, type, platform, status } of items)
      if (type === 'storefront' && platform === 'bigcommerce' && status !== 'deleted') found.push(Number(id))
  return chosen === undefined ? found : found.filter((id) => id === Number(chosen))
}

export const noCounterpart = 'its channel has no counterpart at the destination, and channels are not created.'
