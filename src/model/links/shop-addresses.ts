import { hostOf } from './address.ts'
import type { AddressMove, LinkedStorefront } from './link-targets.ts'

/** A shop, as its store describes it. */
export interface Shop {
  hash: string
  /** Its own domain, and the addresses at which the platform serves it. */
  domain: string
  secureUrl: string | undefined
  controlPanelUrl: string | undefined
  defaultChannelId: number
  /** Null when the token may not read sites. */
  sites: readonly Site[] | null
}

export interface Site {
  channelId: number
  /** Its own address first. */
  urls: readonly { url: string; type: string }[]
}

/**
 * The replacement of each address of the source: the address of the same kind of the counterpart storefront. More
 * specific addresses come first; of two equal ones, the first is used.
 *
 * @param channels the destination's counterparts of the source's channels.
 */
export function movesBetween(source: Shop, destination: Shop, channels: ReadonlyMap<number, number>): AddressMove[] {
  const main = mainAddress(destination)
  const storefront = ofChannel(source.defaultChannelId)
  const moves = [
    ...(source.sites ?? []).flatMap((site) => movesOfSite(site, siteOf(destination, channels.get(site.channelId)))),
    move(source.secureUrl, destination.secureUrl ?? main, storefront),
    move(source.controlPanelUrl, destination.controlPanelUrl ?? main, storefront),
    move(`https://${source.domain}`, main, storefront),
    move(
      `https://store-${source.hash}.mybigcommerce.com`,
      `https://store-${destination.hash}.mybigcommerce.com`,
      storefront,
    ),
    move(`https://cdn.bigcommerce.com/s-${source.hash}`, `https://cdn11.bigcommerce.com/s-${destination.hash}`),
  ].flatMap((one) => one ?? [])
  const first = new Map<string, AddressMove>()
  for (const one of moves.flatMap(withAndWithoutWww)) {
    const key = `${one.host}${one.path}`
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

function ofChannel(id: number): LinkedStorefront {
  return `channel:${id}`
}

function mainAddress(shop: Shop): string {
  const site = siteOf(shop, shop.defaultChannelId)
  return site ? ownAddress(site) : (shop.secureUrl ?? `https://${shop.domain}`)
}

function siteOf({ sites }: Shop, channelId: number | undefined): Site | undefined {
  return sites?.find((site) => site.channelId === channelId)
}

function ownAddress({ urls }: Site): string {
  return (urls.find(({ type }) => type === 'primary') ?? urls[0])?.url ?? ''
}

function movesOfSite({ channelId, urls }: Site, counterpart: Site | undefined): (AddressMove | null)[] {
  return urls.map(({ url, type }) => {
    const same = counterpart?.urls.find((one) => one.type === type)?.url
    return move(url, counterpart ? (same ?? ownAddress(counterpart)) : null, ofChannel(channelId))
  })
}

/** Null when the store has no address. */
function move(from: string | undefined, to: string | null, storefront?: LinkedStorefront): AddressMove | null {
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^?#]*)/i.exec(from ?? '') ?? []
  if (authority === '') return null
  const replacement = to === null ? null : to.replace(/\/+$/, '')
  const address = { host: hostOf(authority), path: path.replace(/\/+$/, ''), to: replacement }
  return storefront === undefined ? address : { ...address, storefront }
}

/** A shop responds with and without www., unless both are separate sites. */
function withAndWithoutWww(one: AddressMove): AddressMove[] {
  if (/^[\d.]+(:\d+)?$|^(www|cdn|store-)/.test(one.host) && !one.host.startsWith('www.')) return [one]
  const other = one.host.startsWith('www.') ? one.host.slice(4) : `www.${one.host}`
  return [one, { ...one, host: other }]
}
