import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type LeftOut, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Pass } from '../core/pass.ts'
import type { Lister, Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel } from '../core/storefront-channels.ts'
import { contextId, everyContext, everyList, filtersThere, filtersUsed } from './filter-lists.ts'

const path = '/v3/settings/search/filters'

const availableKey = 'available-filters'
const listKey = 'search-filters'
const contextsKey = 'search-filter-contexts'

/**
 * For options and custom fields the store chooses the names. Of every other type there is just one filter, whatever its
 * name.
 */
function filterKey({ type, name }: PlatformItem): string {
  return type === 'product' ? `product:${String(name).trim()}` : String(type)
}

const copyProducts = 'Copy the products that have these options or custom fields, then run again.'

/** A filter cannot be created: it exists once a product has such an option or custom field. */
function availableDraft({ id, name, type }: PlatformItem): Draft {
  const body = { name, type }
  return draft(availableKey, id, body, {
    compare: {},
    keys: [filterKey(body)],
    name: String(name),
    uncreatable: 'no product of the destination has an option or a custom field of this name.',
    remedy: copyProducts,
  })
}

const nothingLeft = { uncreatable: 'the destination has none of its filters.', remedy: copyProducts }

/** The filters in the order that shoppers see; undefined if the destination has none of them. */
function translated(filters: unknown, references: References): PlatformItem[] | undefined {
  const requested = Array.isArray(filters) ? (filters as PlatformItem[]) : []
  const found = requested.flatMap(({ id, ...rest }) => {
    const own = references.wantText(availableKey, id)
    return own === undefined ? [] : [{ ...rest, id: own }]
  })
  return found.length === 0 && requested.length > 0 ? undefined : found
}

/** An empty list would remove all filters from the shop, so the existing list stays instead. */
function listDraft({ id, filters }: PlatformItem, references: References): Draft {
  const own = translated(filters, references)
  const about = { keys: [String(id)], name: 'filters of the store' }
  if (own === undefined) return draft(listKey, id, {}, { ...about, ...nothingLeft })
  return draft(listKey, id, { filters: own }, about)
}

function contextDraft(item: PlatformItem, references: References): Draft {
  const { id, context, data, ...rest } = item
  const { channel_id, category_id, ...more } = (context ?? {}) as PlatformItem
  const name = [channel_id && `channel ${channel_id}`, category_id && `category ${category_id}`]
    .filter(Boolean)
    .join(' ')
  const leftOut = (why: LeftOut) => draft(contextsKey, id, {}, { name, ...why })
  const channel = channel_id === undefined ? undefined : references.find('channels', channel_id)
  if (channel_id !== undefined && channel === undefined) return leftOut(leftOutWithChannel)
  const category = category_id === undefined ? undefined : references.need('categories', category_id)
  const own = translated(data, references)
  if (own === undefined) return leftOut(nothingLeft)
  const inContext = {
    ...more,
    ...(channel !== undefined && { channel_id: channel }),
    ...(category !== undefined && { category_id: category }),
  }
  const body = { ...rest, context: inContext, data: own }
  return draft(contextsKey, id, body, { compare: { ...rest, data: own }, keys: [contextId(inContext)], name })
}

const available: Component = {
  key: availableKey,
  label: 'Filters that shoppers can have',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'type; those of options and custom fields: name',
  destinationOwned: [],
  carried: false,
  probe: async (client) => draftsOf(client, filtersThere, availableDraft),
  callsPerItem: { write: 0 },
}

/** Replaces the whole list: shoppers no longer see a filter that is left out. */
const putList = (desired: Draft | undefined) => ({ method: 'PUT' as const, path, body: desired?.body.filters ?? [] })

const list: Component = {
  key: listKey,
  label: 'Filters of the search',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'being them',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => putList(only?.draft),
    results: (_status, _body, desired) => desired.map(({ id, body }) => ({ saved: { ...body, id } })),
  },
  update: { call: (desired) => putList(desired) },
  probe: async (client) => draftsOf(client, everyList, listDraft),
  callsPerItem: { write: 1 },
}

const upsert = (bodies: PlatformItem[]) => ({ method: 'PUT' as const, path: `${path}/contexts`, body: bodies })

const contexts: Component = {
  key: contextsKey,
  label: 'Filters of channels and categories',
  scope: 'storefront',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'channel and category',
  knownByKey: true,
  destinationOwned: [],
  carried: false,
  create: {
    // The batch limit is not documented.
    batch: 1,
    call: (desired) => upsert(desired.map((one) => one.draft.body)),
    results: (_status, _body, desired) => desired.map(({ keys, body }) => ({ saved: { ...body, id: keys[0] } })),
  },
  update: { call: (desired) => upsert([desired.body]) },
  probe: async (client) => draftsOf(client, everyContext, contextDraft),
  callsPerItem: { write: 1 },
}

async function draftsOf(
  client: Pick<StoreClient, 'get'>,
  lister: Lister,
  read: (item: PlatformItem, references: References) => Draft,
): Promise<Draft[]> {
  const found: Draft[] = []
  for await (const { items } of lister(client, path, {}, {})) found.push(...items.map((item) => read(item, identity)))
  return found
}

const staged = { kind: 'staged', limit: 250, idField: 'id' } as const
const readingOf = (key: string, pages: Lister, priced: Pick<Reading, 'usually' | 'walkCalls'> = {}): Reading => ({
  ...staged,
  path: `${path} (${key})`,
  pages,
  ...priced,
})

const single = { usually: 1, walkCalls: { once: 1 } }

const passes: Pass[] = [
  {
    key: availableKey,
    label: available.label,
    root: availableKey,
    source: readingOf(availableKey, filtersUsed, { usually: 6, walkCalls: { once: 3, sideBySide: true } }),
    destination: { ...readingOf(availableKey, filtersThere, { usually: 6, walkCalls: { once: 1 } }), complete: true },
    lookupOnly: true,
    comesWith: 'products',
    drafts: availableDraft,
  },
  {
    key: listKey,
    label: list.label,
    root: listKey,
    source: readingOf(listKey, everyList, single),
    destination: { ...readingOf(listKey, everyList, single), complete: true },
    // A storefront run leaves out what belongs to the whole store.
    storefront: () => null,
    drafts: listDraft,
  },
  {
    key: contextsKey,
    label: contexts.label,
    root: contextsKey,
    source: readingOf(contextsKey, everyContext),
    destination: { ...readingOf(contextsKey, everyContext), complete: true },
    storefront: ({ channelId, treeId }) => ({ channel_id: channelId, ...(treeId !== null && { tree_id: treeId }) }),
    drafts: contextDraft,
  },
]

export const searchFilters = defineEntity({
  key: listKey,
  label: 'Search filters',
  group: 'catalog',
  after: ['categories', 'products'],
  scope: 'store',
  prune: 'never',
  components: [available, list, contexts],
  notMoved: [
    {
      what: 'filters by an option or a custom field that no product of the destination has',
      why: 'the platform makes filters from its products; each is reported',
    },
    {
      what: 'that a channel or a category has no filters of its own, where the destination has some',
      why: "the platform's API has no call that takes them away",
    },
  ],
  passes,
})
