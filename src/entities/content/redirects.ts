import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import { madeRedirectId } from '../../model/made-redirects.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linkedAddress } from '../core/links.ts'
import type { Pass } from '../core/pass.ts'
import { identity, type References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'
import { createChannel, storefrontOfChannel } from '../core/storefront-channels.ts'

const path = '/v3/storefront/redirects'

/**
 * The platform documents no batch limit. Smaller batches take more calls; in a larger batch one refused row fails more
 * of the others.
 */
const batch = 50

/** Components that a redirect can lead to, by the platform's type. */
const targets: Record<string, string> = {
  product: 'products',
  brand: 'brands',
  category: 'categories',
  page: 'pages',
  post: 'blog-posts',
}

const unpaired = {
  uncreatable: 'its site belongs to a channel without a counterpart at the destination, and channels are not created.',
  remedy: createChannel,
}

function redirectDraft(item: PlatformItem, references: References): Draft {
  const { id, site_id, from_path, to, to_url: _made, ...rest } = item
  const site = references.find('sites', site_id)
  const from = plainPath(String(from_path ?? ''))
  const about = { name: from, path: from }
  if (site === undefined) return draft('redirects', id, {}, { ...about, ...unpaired })
  const target = targetOf((to ?? {}) as PlatformItem, references)
  return draft(
    'redirects',
    id,
    { ...rest, site_id: site, from_path: from, to: target },
    { compare: { ...rest, from_path: from, to: target }, keys: [keyOf(site, from)], ...about },
  )
}

/** The platform ignores a trailing slash and may remove it. */
function plainPath(from: string): string {
  return from.replace(/\/+$/, '') || '/'
}

function keyOf(site: number, from: string): string {
  return `redirect of ${site} from ${encodeURIComponent(from.toLowerCase())}`
}

function targetOf({ entity_id, ...to }: PlatformItem, references: References): PlatformItem {
  const component = targets[String(to.type)]
  if (component !== undefined) return { ...to, entity_id: references.need(component, entity_id) }
  return 'url' in to ? { ...to, url: linkedAddress(to.url, references) } : to
}

/** Undefined if a redirect cannot lead to such an item. */
function fromOldAddress(
  changed: { component: string; sourceId: string; destinationId: string; path: string },
  site: number,
): Draft | undefined {
  const type = Object.keys(targets).find((one) => targets[one] === changed.component)
  if (type === undefined) return undefined
  const from_path = plainPath(changed.path)
  const to = { type, entity_id: numberOf(changed.destinationId) }
  return draft(
    'redirects',
    madeRedirectId(changed, site),
    { site_id: site, from_path, to },
    { compare: { from_path, to }, keys: [keyOf(site, from_path)], name: from_path, path: from_path },
  )
}

const read = (item: PlatformItem) => redirectDraft(item, identity)

/** Creates or replaces the redirect of each path. */
const put = (desired: Draft[]) => ({ method: 'PUT' as const, path, body: desired.map(({ body }) => body) })

const redirect: Component = {
  key: 'redirects',
  label: 'Redirects',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'site and path, capitals and a slash at the end aside',
  knownByKey: true,
  mayHaveTwins: true,
  destinationOwned: [],
  carried: false,
  create: {
    batch,
    call: (desired) => put(desired.map(({ draft }) => draft)),
    results: (_status, body, desired) => savedByKey(body, desired, { read }),
  },
  update: { call: (desired) => put([desired]) },
  remove: { call: (existing) => ({ method: 'DELETE', path, query: { 'id:in': existing.id } }) },
  probe: async (client) => {
    const found: Draft[] = []
    for await (const { items } of offsetPages<PlatformItem>(client, path)) found.push(...items.map(read))
    return found
  },
  callsPerItem: { write: 1 / batch },
}

const reading = { path, kind: 'keyset', limit: 250, idField: 'id', idFilter: 'min' } as const

const pass: Pass = {
  key: 'redirects',
  label: 'Redirects',
  root: 'redirects',
  about: { component: 'sites', field: 'site_id' },
  source: reading,
  destination: { ...reading, complete: true },
  lookUpById: { idsParameter: 'id:in' },
  texts: ['to'],
  storefrontOf: ({ site_id }, channelOfSite) =>
    storefrontOfChannel({ channel_id: channelOfSite?.get(Number(site_id)) }),
  drafts: redirectDraft,
}

export const redirects = defineEntity({
  key: 'redirects',
  label: 'Redirects',
  group: 'storefront',
  after: ['categories', 'brands', 'products', 'pages', 'blog-posts'],
  scope: 'storefront',
  scopes: [
    { scope: 'store_v2_content', below: [path] },
    { scope: 'store_sites', below: ['/v3/sites'], probe: { path: '/v3/sites', query: { limit: 1 } } },
  ],
  prune: 'allowed',
  components: [redirect],
  notMoved: [
    {
      what: 'that a copied redirect no longer begins at its old path',
      why: 'the platform knows redirects by their paths, so the new path is another redirect; the old one stays until it is deleted, by hand or by `replace`',
    },
  ],
  passes: [pass],
})

/** Redirects the source address of an item to its copy, if the copy could not keep the address. */
export const oldAddresses = {
  entity: redirects,
  pass,
  component: redirect,
  /** Components of the items that these redirects can lead to. */
  of: Object.values(targets),
  draft: fromOldAddress,
  /** Lists the redirects from the address. The filter matches the start of a path. */
  list: (site_id: number, { body }: Draft) => ({ path, query: { site_id, keyword: String(body.from_path) } }),
  read,
}
