import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import type { AddressMove } from '../../model/links/link-targets.ts'
import { movesBetween, type Shop, type Site } from '../../model/links/shop-addresses.ts'
import type { PlatformSite, Sites } from '../scope/read-sites.ts'

/** How links to the source's shop become links to the destination's, by the addresses of both (decision 0016). */
export function movesOf(
  stores: { source: StoreInformation; destination: StoreInformation },
  sites: Sites,
  channels: ReadonlyMap<number, number>,
): AddressMove[] {
  return movesBetween(shopOf(stores.source, sites.source), shopOf(stores.destination, sites.destination), channels)
}

function shopOf(
  { id, domain, secure_url, control_panel_base_url, default_channel_id = 1 }: StoreInformation,
  sites: PlatformSite[] | null,
): Shop {
  return {
    hash: id,
    domain,
    secureUrl: secure_url || undefined,
    controlPanelUrl: control_panel_base_url || undefined,
    defaultChannelId: default_channel_id,
    sites: shopSites(sites),
  }
}

/** Null if the sites were not read: then the store information has the addresses of the only storefront. */
function shopSites(sites: PlatformSite[] | null): Site[] | null {
  if (sites === null) return null
  return sites.map(({ channel_id: channelId, url, urls }) => ({
    channelId,
    urls: [{ url, type: 'primary' }, ...(urls ?? []).filter((one) => one.url !== url)],
  }))
}
