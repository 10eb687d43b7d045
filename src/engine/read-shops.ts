import { z } from 'zod'
import { CredentialsError, PlatformError } from '../bigcommerce/errors.ts'
import type { StoreInformation } from '../bigcommerce/store-information.ts'
import type { AddressMove } from '../model/links/link-targets.ts'
import { movesBetween, type Shop, type Site } from '../model/links/shop-addresses.ts'
import type { RunContext } from './context.ts'

const site = z.looseObject({
  channel_id: z.int(),
  url: z.string(),
  urls: z.array(z.looseObject({ url: z.string(), type: z.string() })).nullish(),
})
const sitePage = z.looseObject({ data: z.array(site) })

/** Where the shops of the two stores are, as far as their tokens may read it: links lead from the one to the other (decision 0042). */
export async function readMoves(
  context: RunContext,
  stores: { source: StoreInformation; destination: StoreInformation },
  channels: ReadonlyMap<number, number>,
): Promise<AddressMove[]> {
  const [source, destination] = await Promise.all([
    readShop(context, 'source', stores.source),
    readShop(context, 'destination', stores.destination),
  ])
  return movesBetween(source, destination, channels)
}

async function readShop(
  context: RunContext,
  side: 'source' | 'destination',
  { id, domain, secure_url, control_panel_base_url, default_channel_id = 1 }: StoreInformation,
): Promise<Shop> {
  return {
    hash: id,
    domain,
    secureUrl: secure_url || undefined,
    controlPanelUrl: control_panel_base_url || undefined,
    defaultChannelId: default_channel_id,
    sites: await readSites(context, side),
  }
}

/** Null when the store refuses: the addresses of its information are enough for a store with one storefront. */
async function readSites(context: RunContext, side: 'source' | 'destination'): Promise<Site[] | null> {
  try {
    const { body } = await context[side].get('/v3/sites', { limit: 250 }, { signal: context.lease.stop })
    return sitePage.parse(body).data.map(({ channel_id: channelId, url, urls }) => ({
      channelId,
      urls: [{ url, type: 'primary' }, ...(urls ?? []).filter((one) => one.url !== url)],
    }))
  } catch (error) {
    if (error instanceof PlatformError && !(error instanceof CredentialsError)) return null
    throw error
  }
}
