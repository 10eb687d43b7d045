import { v2Pages } from '../../bigcommerce/pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linkedFields } from '../core/links.ts'
import { withoutNullTexts } from '../core/null-texts.ts'
import { identity, type References } from '../core/references.ts'

const path = '/v2/blog/posts'

/**
 * The blog belongs to the default storefront, which is channel 1 in every store. Source: the published channels
 * specification.
 */
const defaultStorefront = 1

/** The platform requires the first two in every call, and unpublishes a post if `is_published` is missing. */
const always = ['title', 'body', 'is_published']

/** Fields that themes render as HTML. */
const texts = ['body']

/** Source: the published post. */
const nullInAnswers = ['author', 'thumbnail_path', 'meta_description', 'meta_keywords']

function postDraft(item: PlatformItem, references: References): Draft {
  const {
    id,
    preview_url: _preview,
    summary: _summary,
    published_date: _said,
    published_date_iso8601: _again,
    ...unlinked
  } = item
  const rest = { ...withoutNullTexts(unlinked, nullInAnswers), ...linkedFields(unlinked, texts, references) }
  const published = momentOf(item)
  const title = String(item.title ?? '')
  const url = typeof item.url === 'string' ? item.url : null
  const there = references.find('channels', defaultStorefront)
  return draft(
    'blog-posts',
    id,
    { ...rest, ...(published && { published_date: published.toUTCString().replace('GMT', '+0000') }) },
    {
      compare: { ...rest, ...(published && { published_date: published.getTime() }) },
      keys: [
        `post called ${encodeURIComponent(title.trim().toLowerCase())} of ${published?.getTime() ?? 'no day'}`,
        ...(url === null ? [] : [`post at ${encodeURIComponent(url.replace(/\/+$/, '').toLowerCase())}`]),
      ],
      name: title,
      path: url,
      ...(there !== defaultStorefront && {
        uncreatable: 'a store has one blog, on its default storefront, and this run copies to another.',
        remedy: 'Copy blog posts to the default storefront, or with a migration of the whole store.',
      }),
    },
  )
}

/** The platform returns the date as an object but accepts a string. The time zone in the object may be wrong. */
function momentOf({ published_date_iso8601: iso, published_date: published }: PlatformItem): Date | undefined {
  const { date, timezone = '+00:00' } = (published ?? {}) as { date?: unknown; timezone?: unknown }
  const spellings = [iso, date === undefined ? undefined : `${String(date).replace(' ', 'T').slice(0, 19)}${timezone}`]
  return spellings
    .filter((text) => typeof text === 'string')
    .map((text) => new Date(text))
    .find((moment) => !Number.isNaN(moment.getTime()))
}

const read = (item: PlatformItem) => postDraft(item, identity)

/** The filter needs the full address; keys omit the trailing slash. */
function addressesOf(url: string): string[] {
  return [`${url}/`, url]
}

const post: Component = {
  key: 'blog-posts',
  label: 'Blog posts',
  data: 'catalogue',
  recovery: 'baseline',
  naturalKey: 'title and time of publication, or address',
  sharesKeys: true,
  accepts: [
    ...['title', 'url', 'body', 'tags', 'is_published', 'meta_description'],
    ...['meta_keywords', 'author', 'thumbnail_path', 'published_date'],
  ],
  destinationOwned: [],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: { ...chosenFields(desired.body, always), ...chosenFields(desired.body, fields) },
    }),
  },
  // A DELETE of one id, never with a filter: on the list it deletes a whole page of posts.
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe: async (client, { keys }) => {
    const days = keys.flat().flatMap((key) => /^post called \S+ of (\d+)$/.exec(key)?.[1] ?? [])
    const oldest = days.length > 0 ? Math.min(...days.map(Number)) : 0
    const found: Draft[] = []
    for await (const { items } of v2Pages<PlatformItem>(client, path)) {
      found.push(...items.map(read))
      // Newest first, so all that follow are older than every post sought.
      if (items.every((item) => (momentOf(item)?.getTime() ?? oldest) < oldest)) break
    }
    return found
  },
  findsUnlisted: async (client, { keys }) => {
    const found: Draft[] = []
    for (const key of keys.flat()) {
      const url = /^post at (\S+)$/.exec(key)?.[1]
      if (url === undefined) continue
      for (const address of addressesOf(decodeURIComponent(url)))
        for await (const { items } of v2Pages<PlatformItem>(client, path, { url: address }))
          found.push(...items.map(read))
    }
    return found
  },
  channelOf: async (_client, _id, { channelId }) => channelId,
  callsPerItem: { write: 1 },
}

const reading = { path, kind: 'staged', limit: 250, idField: 'id' } as const

export const blogPosts = defineEntity({
  key: 'blog-posts',
  label: 'Blog posts',
  group: 'storefront',
  after: [],
  scope: 'storefront',
  scopes: [{ scope: 'store_v2_content', below: ['/v2/blog'], probe: { path, query: { limit: 1 } } }],
  prune: 'allowed',
  components: [post],
  notMoved: [
    { what: 'the pictures that thumbnails name', why: 'they are uploaded by WebDAV, which is not part of the API' },
    { what: 'a blog of another storefront than the default one', why: 'the platform has none' },
  ],
  passes: [
    {
      key: 'blog-posts',
      label: 'Blog posts',
      root: 'blog-posts',
      source: reading,
      storefront: ({ channelId }) => (channelId === defaultStorefront ? {} : null),
      destination: { ...reading, complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      storefrontOf: () => `channel:${defaultStorefront}`,
      texts,
      drafts: postDraft,
    },
  ],
})
