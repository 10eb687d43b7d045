import { offsetPages } from '../../bigcommerce/pages.ts'
import type { WriteResult } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component, Role } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { text } from '../core/limits.ts'
import { linkedAddress, linkedFields } from '../core/links.ts'
import { identity, type References } from '../core/references.ts'
import { savedByKey } from '../core/saved-by-key.ts'
import { leftOutWithChannel, storefrontOfChannel } from '../core/storefront-channels.ts'

const path = '/v3/content/pages'
/** Our choice: no limit is documented. */
const batch = 10
/** Without it the response has no page bodies. */
const query = { include: 'body' }

/** Keys are split into words, so values are encoded: they must not contain anything that has a meaning in keys. */
function keyOf(channel: number, kind: 'at' | 'named', value: unknown): string {
  const said = encodeURIComponent(
    String(value ?? '')
      .trim()
      .toLowerCase(),
  )
  return `page of ${channel} ${kind} ${said}`
}

/** The platform treats `/about` and `/about/` as the same address. */
function plainPath(url: unknown): string {
  return String(url).replace(/\/+$/, '') || '/'
}

/** Fields that themes render as HTML. */
const texts = ['body']

const blogPage = {
  uncreatable: 'a page of the type blog can only be made in the control panel.',
  remedy: 'Create the page in the control panel of the destination, under Web pages; a later run matches it.',
}

/** A page is below another page of its storefront, or at the top level. */
function pageDraft(item: PlatformItem, references: References): Draft {
  const { id, channel_id, parent_id, ...rest } = item
  const channel = references.find('channels', channel_id)
  const top = Number(parent_id ?? 0) === 0
  const parent = top || channel === undefined ? 0 : references.need('pages', parent_id)
  const address = typeof item.url === 'string' ? item.url : null
  const shared = {
    ...rest,
    ...linkedFields(rest, texts, references),
    ...('link' in rest && { link: linkedAddress(rest.link, references) }),
    parent_id: parent,
  }
  return draft(
    'pages',
    id,
    { ...shared, channel_id: channel },
    {
      compare: shared,
      keys: channel === undefined ? [] : keysOf(channel, address, item.name),
      name: String(item.name ?? ''),
      path: address,
      ...(item.type === 'blog' && blogPage),
      ...(channel === undefined && leftOutWithChannel),
    },
  )
}

function keysOf(channel: number, address: string | null, name: unknown): string[] {
  const named = keyOf(channel, 'named', name)
  // If a page's address is in use, the platform saves the page under another one. After a lost response only the name
  // identifies it.
  return address === null ? [named] : [named, keyOf(channel, 'at', plainPath(address))]
}

const read = (item: PlatformItem) => pageDraft(item, identity)

/** A 207 means that a page was saved under another address. */
function pageResults(httpStatus: number, body: unknown, desired: Draft[]): WriteResult[] {
  const results = savedByKey(body, desired, { read })
  if (httpStatus !== 207) return results
  return results.map((result, at) => {
    const moved = 'saved' in result && read(result.saved).path !== desired[at]?.path
    return moved ? { ...result, partly: 'Saved without its address' } : result
  })
}

const homePage: Role = {
  field: 'is_homepage',
  called: 'the home page of its storefront',
  holders: async (client, { body }, signal) => {
    const found: Draft[] = []
    const ofChannel = { channel_id: Number(body.channel_id) }
    for await (const { items } of offsetPages<PlatformItem>(client, path, ofChannel, { signal }))
      found.push(...items.filter(({ is_homepage }) => is_homepage === true).map(read))
    return found
  },
}

const page: Component = {
  key: 'pages',
  label: 'Pages',
  linkedAs: 'page',
  limits: { fields: { name: { required: true, longest: 100 }, email: text } },
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'channel with address or name, capitals aside',
  uniqueFields: ['name'],
  roles: [homePage],
  destinationOwned: [],
  carried: false,
  create: {
    // The platform saves the other pages all the same, and does not say which one it refused.
    batch,
    call: (desired) => ({ method: 'POST', path, query, body: desired.map((one) => one.draft.body) }),
    results: pageResults,
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      query,
      body: ofOneType(chosenFields(desired.body, fields), desired, existing),
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe: async (client, { keys }) => {
    const channels = new Set(keys.flat().flatMap((key) => /^page of (\d+) /.exec(key)?.[1] ?? []))
    const found: Draft[] = []
    for (const channel_id of channels)
      for await (const { items } of offsetPages<PlatformItem>(client, path, { ...query, channel_id }))
        found.push(...items.map(read))
    return found
  },
  channelOf: async (client, id) => {
    const { body } = await client.get<{ data: PlatformItem }>(`${path}/${id}`)
    return Number(body.data.channel_id)
  },
  callsPerItem: { write: 1 / batch },
}

/** A page cannot change its channel. If its type changes, the fields that the new type requires are added. */
function ofOneType({ channel_id: _stays, ...chosen }: PlatformItem, desired: Draft, existing: Draft): PlatformItem {
  return desired.body.type === existing.body.type
    ? chosen
    : {
        ...chosen,
        ...chosenFields(
          desired.body,
          ['body', 'link'].filter((field) => field in desired.body),
        ),
      }
}

const reading = { path, query, kind: 'staged', limit: 250, idField: 'id' } as const

export const pages = defineEntity({
  key: 'pages',
  label: 'Pages',
  group: 'storefront',
  after: [],
  scope: 'storefront',
  scopes: [{ scope: 'store_v2_content', below: [path], probe: { path, query: { limit: 1 } } }],
  prune: 'allowed',
  components: [page],
  notMoved: [{ what: 'the page of the blog, where the destination has none', why: 'only the control panel makes it' }],
  passes: [
    {
      key: 'pages',
      label: 'Pages',
      root: 'pages',
      source: reading,
      picks: { idsParameter: 'id:in', needs: pageAbove },
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, complete: true },
      // A page of this type can only be created in the control panel.
      protects: ({ type }) => type === 'blog',
      parentOf: (item) => (Number(item.parent_id ?? 0) === 0 ? null : String(item.parent_id)),
      storefrontOf: storefrontOfChannel,
      texts: [...texts, 'link'],
      drafts: pageDraft,
    },
  ],
})

/** A page needs its parent page. */
function pageAbove({ parent_id }: PlatformItem) {
  return Number(parent_id ?? 0) === 0 ? [] : [{ component: 'pages', id: parent_id }]
}
