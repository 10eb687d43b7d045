import { hostOf } from './address.ts'
import type { AddressMove } from './link-targets.ts'

/** A shop as its store tells of it. */
export interface Shop {
  hash: string
  /** The name of its host, and the addresses under which the platform serves it. */
  domain: string
  secureUrl: string | undefined
  controlPanelUrl: string | undefined
  defaultChannelId: number
  /** Null when the token may not read them. */
  sites: readonly Site[] | null
}

export interface Site {
  channelId: number
  /** Its own address first. */
  urls: readonly { url: string; type: string }[]
}

/**
 * What takes the place of each address of the source: an address of the same kind at the destination, of the counterpart of its
 * storefront. The more particular come first; of two equal ones the first counts.
 *
 * @param channels counterparts of the source's channels.
 */
export function movesBetween(source: Shop, destination: Shop, channels: ReadonlyMap<number, number>): AddressMove[] {
  const main = mainAddress(destination)
  const moves = [
    ...(source.sites ?? []).flatMap((site) => movesOfSite(site, siteOf(destination, channels.get(site.channelId)))),
    move(source.secureUrl, destination.secureUrl ?? main),
    move(source.controlPanelUrl, destination.controlPanelUrl ?? main),
    move(`https://${source.domain}`, main),
    move(`https://store-${source.hash}.mybigcommerce.com`, `https://store-${destination.hash}.mybigcommerce.com`),
    move(`https://cdn.bigcommerce.com/s-${source.hash}`, `https://cdn11.bigcommerce.com/s-${destination.hash}`),
  ].flatMap((one) => one ?? [])
  const first = new Map<string, AddressMove>()
  for (const one of moves.flatMap(withAndWithoutWww)) {
    const key = `${one.host}${one.path}`
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
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

function movesOfSite({ urls }: Site, counterpart: Site | undefined): (AddressMove | null)[] {
  return urls.map(({ url, type }) => {
    const same = counterpart?.urls.find((one) => one.type === type)?.url
    return move(url, counterpart ? (same ?? ownAddress(counterpart)) : null)
  })
}

/** Null where the store told no address. */
function move(from: string | undefined, to: string | null): AddressMove | null {
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^?#]*)/i.exec(from ?? '') ?? []
  if (authority === '') return null
  return { host: hostOf(authority), path: path.replace(/\/+$/, ''), to: to === null ? null : to.replace(/\/+$/, '') }
}

/** A shop answers to both spellings, unless it says that they are two. */
function withAndWithoutWww(one: AddressMove): AddressMove[] {
  if (/^[\d.]+(:\d+)?$|^(www|cdn|store-)/.test(one.host) && !one.host.startsWith('www.')) return [one]
  const other = one.host.startsWith('www.') ? one.host.slice(4) : `www.${one.host}`
  return [one, { ...one, host: other }]
}
