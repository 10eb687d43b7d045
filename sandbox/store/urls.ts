import type { SandboxStore } from './store.ts'

/** The storefront addresses, which products, brands, categories, pages and posts share. */
export interface UrlOwner {
  /** `product`, `brand`, `category`, `page` or `post`. */
  resource: string
  id: number
  /** The storefront with the address. Absent: all of them. */
  channelId?: number
}

/** Source: the pattern of `custom_url.url` in the published catalog specification. */
const URL_PATTERN = /^(\/([A-Za-z0-9\-_.]{1,256}))*\/?$/

function urls(store: SandboxStore) {
  return store.table('urls', ['path_key', 'owner_key'])
}

function pathKey(path: string): string {
  return path.replace(/\/+$/, '') || '/'
}

const ownerKey = (owner: UrlOwner) => `${owner.resource}:${owner.id}`

export function isValidUrl(path: unknown): path is string {
  return typeof path === 'string' && path.length > 0 && path.length <= 1024 && URL_PATTERN.test(path)
}

/** The owners of this address, regardless of case and a trailing slash. */
export function urlOwners(store: SandboxStore, path: string): UrlOwner[] {
  return urls(store)
    .find({ path_key: pathKey(path) })
    .map(({ resource, resource_id, channel_id }) => ({
      resource: String(resource),
      id: Number(resource_id),
      ...(typeof channel_id === 'number' && { channelId: channel_id }),
    }))
}

/** Whether the address is free, or already belongs to this owner. */
export function urlIsFree(store: SandboxStore, path: string, owner?: Partial<UrlOwner>): boolean {
  const owners = urlOwners(store, path).filter(({ channelId }) => clash(channelId, owner?.channelId))
  return owners.every(({ resource, id }) => resource === owner?.resource && id === owner.id)
}

/** Whether two pages with the same address conflict: on different storefronts they do not. */
function clash(one: number | undefined, other: number | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

/**
 * Gives the owner the address and frees its previous one.
 *
 * @returns false, having changed nothing, if another owner has the address
 */
export function claimUrl(store: SandboxStore, path: string, owner: UrlOwner): boolean {
  if (!urlIsFree(store, path, owner)) return false
  releaseUrl(store, owner)
  urls(store).insert({
    path,
    path_key: pathKey(path),
    owner_key: ownerKey(owner),
    resource: owner.resource,
    resource_id: owner.id,
    ...(owner.channelId !== undefined && { channel_id: owner.channelId }),
  })
  return true
}

/** Frees the owner's address, if there is one. */
export function releaseUrl(store: SandboxStore, owner: UrlOwner): void {
  for (const row of urls(store).find({ owner_key: ownerKey(owner) })) urls(store).delete(row.id)
}

/** `Women's Shoes & Boots` becomes `womens-shoes-boots`. A name without Latin letters becomes `item`. */
export function slug(name: string): string {
  const plain = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return (
    plain
      .toLowerCase()
      .replace(/['’]/g, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'item'
  )
}

/**
 * The first free address of `/shoes/`, `/shoes-1/`, `/shoes-2/` and so on, for a name below a folder such as `/men/`.
 */
export function freeUrl(store: SandboxStore, folder: string, name: string, channelId?: number): string {
  const base = `${folder.replace(/\/+$/, '')}/${slug(name)}`
  for (let suffix = 0; ; suffix++) {
    const path = suffix === 0 ? `${base}/` : `${base}-${suffix}/`
    if (urlIsFree(store, path, channelId === undefined ? undefined : { channelId })) return path
  }
}

/** An address in a request counts as customised, unless the request says otherwise. */
export function saidCustomized(url: unknown): boolean {
  return !(url !== null && typeof url === 'object' && 'is_customized' in url && url.is_customized === false)
}
