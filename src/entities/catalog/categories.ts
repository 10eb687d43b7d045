import { asRecord, errorsOf, titleOf } from '../../bigcommerce/errors.ts'
import { itemsIn } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import type { Probe, WriteResult } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { imageFile, pictureOf } from '../core/image-file.ts'
import { longText, text } from '../core/limits.ts'
import { linkedFields } from '../core/links.ts'
import { categoryMetafields } from '../core/metafields.ts'
import { usualTexts, withoutNullTexts } from '../core/null-texts.ts'
import type { StorefrontIds } from '../core/pass.ts'
import { identity, type References } from '../core/references.ts'
import { rowsByDraft, savedByKey } from '../core/saved-by-key.ts'
import { addressOf, withoutEmptyAddress } from './web-address.ts'

const path = '/v3/catalog/trees/categories'

function treeDraft(item: PlatformItem, references: References) {
  const channels = Array.isArray(item.channels) ? item.channels : []
  const body = { name: item.name, channels: channels.map((channel) => references.need('channels', channel)) }
  // A tree serves one channel and a channel has one tree, so the channel is the key.
  return draft('category-trees', item.id, body, {
    compare: { channels: body.channels },
    keys: body.channels.map((channel) => `channel:${channel}`),
    name: String(item.name ?? ''),
  })
}

/** Fields that themes render as HTML. */
const texts = ['description']

function categoryDraft(item: PlatformItem, references: References) {
  const { category_id, category_uuid: _uuid, views: _views, image_url, parent_id, tree_id, ...own } = item
  const rest = withoutNullTexts(withoutEmptyAddress(own), usualTexts)
  const top = Number(parent_id ?? 0) === 0
  const tree = references.need('category-trees', tree_id)
  const parent = top ? 0 : references.need('categories', parent_id)
  const name = String(item.name ?? '')
  const shared = { ...rest, ...linkedFields(rest, texts, references), tree_id: tree, parent_id: parent }
  return draft(
    'categories',
    category_id,
    { ...shared, ...pictureOf(item) },
    {
      compare: { ...shared, image_file: imageFile(image_url) },
      keys: [`tree:${tree}/parent:${parent}/name:${name.trim().toLowerCase()}`],
      name,
      path: addressOf(item),
    },
  )
}

/** A category needs its tree and its parent categories. */
function parentInTree({ tree_id, parent_id }: PlatformItem) {
  const tree = { component: 'category-trees', id: tree_id }
  return Number(parent_id ?? 0) === 0 ? [tree] : [tree, { component: 'categories', id: parent_id }]
}

/** A storefront has the categories of its tree. */
export function categoriesOfTree({ treeId }: StorefrontIds): Record<string, number> | null {
  return treeId === null ? null : { 'tree_id:in': treeId }
}

async function treesAt(client: Parameters<Probe>[0]): Promise<PlatformItem[]> {
  return itemsIn(await client.get('/v3/catalog/trees', { limit: 250 }), '/v3/catalog/trees')
}

const probeTrees: Probe = async (client, _sought) => {
  return (await treesAt(client)).map((item) => treeDraft(item, identity))
}

/** Lists the children of each parent; `parent_id:in=0` returns the top level of every tree. */
const probeCategories: Probe = async (client, { keys }) => {
  const parents = new Set(keys.flat().map((key) => key.match(/parent:(\d+)/)?.[1] ?? '0'))
  const trees = new Set(keys.flat().map((key) => key.match(/tree:(\d+)/)?.[1] ?? ''))
  const found: PlatformItem[] = []
  for (const parent of parents)
    for (let page = 1; ; page++) {
      const query = { 'parent_id:in': parent, 'tree_id:in': [...trees].join(','), limit: 250, page }
      const items = itemsIn<PlatformItem>(await client.get(path, query), path)
      found.push(...items)
      if (items.length === 0) break
    }
  return found.map((item) => categoryDraft(item, identity))
}

const categoryTree: Component = {
  key: 'category-trees',
  label: 'Category trees',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'channel',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'PUT', path: '/v3/catalog/trees', body: [only?.draft.body] }),
    results: (_status, body, desired) => savedByKey(body, desired, { read: (item) => treeDraft(item, identity) }),
  },
  probe: probeTrees,
  callsPerItem: { write: 1 },
}

const category: Component = {
  key: 'categories',
  label: 'Categories',
  linkedAs: 'category',
  forecastAs: 'categories',
  webAddress: 'omittedIfTaken',
  picture: 'fetched',
  limits: {
    inStore: 16_000,
    fields: {
      name: { required: true, longest: 50 },
      description: longText,
      page_title: text,
      search_keywords: text,
      default_product_sort: {
        oneOf: [
          'use_store_settings',
          'featured',
          'newest',
          'best_selling',
          'alpha_asc',
          'alpha_desc',
          'avg_customer_review',
          'price_asc',
          'price_desc',
        ],
      },
    },
  },
  data: 'catalogue',
  withoutPicture: true,
  recovery: 'key',
  naturalKey: 'tree, parent and name, capitals aside',
  uniqueFields: ['name'],
  destinationOwned: [],
  carried: false,
  create: {
    // The largest batch found to be safe everywhere; the platform documents none.
    batch: 10,
    call: (drafts) => ({
      method: 'POST',
      path,
      body: drafts.map(({ draft }) => draft.body),
    }),
    readsRefusals: true,
    results: categoryResults,
  },
  update: {
    // The response contains only counters. A refusal is an ordinary 422.
    call: (desired, existing, _parentId, fields) => {
      const body = chosenFields(desired.body, fields)
      return {
        method: 'PUT',
        path,
        body: [{ category_id: numberOf(existing.id), ...body }],
      }
    },
  },
  remove: {
    call: (existing) => ({
      method: 'DELETE',
      path,
      query: { 'category_id:in': existing.id },
    }),
  },
  probe: probeCategories,
  channelOf: async (client, id) => {
    const [found] = itemsIn<PlatformItem>(await client.get(path, { 'category_id:in': id }), path)
    const tree = (await treesAt(client)).find((one) => one.id === found?.tree_id)
    return Array.isArray(tree?.channels) ? Number(tree.channels[0]) : undefined
  },
  callsPerItem: { write: 0.1 },
}

/** `data` contains the created categories in any order; errors are keyed `<index>.<field>`. */
function categoryResults(httpStatus: number, body: unknown, drafts: ReturnType<typeof categoryDraft>[]): WriteResult[] {
  const rows = rowsByDraft(body, drafts, { read: (item) => categoryDraft(item, identity) })
  const { title, errors } = refusedRows(body)
  return drafts.map((desired, index) => {
    const item = rows.get(desired)
    if (item) return { saved: item }
    const own = Object.entries(errors).filter(([field]) => field.startsWith(`${index}.`))
    const named = Object.fromEntries(own.map(([field, message]) => [field.slice(String(index).length + 1), message]))
    const refused = { title: title || 'The category was not created', errors: named }
    if (own.length > 0 || httpStatus === 422) return { refused, withOthers: own.length === 0 }
    return { lookFor: true, ...(title !== '' && { otherwise: refused }) }
  })
}

/** In the published file the error is nested in `errors`; real stores return it unnested. */
function refusedRows(body: unknown): { title: string; errors: Record<string, string> } {
  const { errors } = asRecord(body)
  const nested = asRecord(errors)
  const error = 'errors' in nested || 'title' in nested ? nested : body
  return { title: titleOf(error), errors: errorsOf(error) }
}

export const categories = defineEntity({
  key: 'categories',
  label: 'Categories',
  group: 'catalog',
  after: [],
  scopes: [{ scope: 'store_v2_products', below: ['/v3/catalog/categories', '/v3/catalog/trees'] }],
  scope: 'storefront',
  prune: 'allowed',
  components: [categoryTree, category, categoryMetafields.component],
  notMoved: [
    { what: 'views', why: 'the platform counts them anew for each store' },
    { what: 'names and texts of a single language', why: "the platform's REST API gives out the general ones only" },
  ],
  passes: [
    {
      key: 'category-trees',
      label: 'Category trees',
      root: 'category-trees',
      source: { path: '/v3/catalog/trees', kind: 'staged', limit: 250, idField: 'id' },
      picks: { idsParameter: 'id:in' },
      storefront: ({ channelId }) => ({ 'channel_id:in': channelId }),
      destination: { path: '/v3/catalog/trees', kind: 'staged', limit: 250, idField: 'id', complete: true },
      drafts: treeDraft,
    },
    {
      key: 'categories',
      label: 'Categories',
      root: 'categories',
      source: { path, kind: 'staged', limit: 250, idField: 'category_id' },
      picks: { idsParameter: 'category_id:in', needs: parentInTree },
      browsed: { words: 'keyword', key: 'name', below: 'parent_id:in' },
      sameKey: ({ name }) => [{ name: String(name) }],
      storefront: categoriesOfTree,
      destination: {
        path,
        kind: 'staged',
        limit: 250,
        idField: 'category_id',
        complete: true,
      },
      parentOf: (item) => (Number(item.parent_id ?? 0) === 0 ? null : String(item.parent_id)),
      storefrontOf: ({ tree_id }) => `tree:${Number(tree_id)}`,
      texts,
      drafts: categoryDraft,
    },
    categoryMetafields.pass,
  ],
})
